"""The sample library: what an installation can answer from on its first day.

Loaded once. What an editor changes or deletes afterwards stays changed or deleted.
"""

from corpus.samples.loading import samples_load, samples_waiting

__all__ = ["samples_load", "samples_waiting"]
