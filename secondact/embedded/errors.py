"""What can go wrong with the embedded servers."""


class EmbeddedError(Exception):
    """An embedded server cannot be made or started; the message is one sentence for the person who started it."""
