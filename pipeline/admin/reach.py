"""Telling editors which intents reach which documents."""

from corpus.admin.reach import reach_tell
from corpus.taxonomy import Authority, ContentType
from pipeline.intents import intents_reaching


def intent_names(authority: Authority, content_type: ContentType) -> list[str]:
    """The intents that reach documents of this kind, as editors read them."""
    return [kind.replace("_", " ").capitalize() for kind in intents_reaching(authority, content_type)]


reach_tell(intent_names)
