"""JSON schemas of the stream's events, read off the frozen classes that make them: they cannot drift apart."""

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, Union, get_args, get_origin, get_type_hints

from pipeline import events

Schema = dict[str, Any]

_PLAIN: dict[object, Schema] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    type(None): {"type": "null"},
    Any: {},
}

# What an event carries as mappings is what the body of a turn holds: one description serves both.
_ITEMS: dict[tuple[type, str], Schema] = {
    (events.SourcesFound, "sources"): {"$ref": "#/components/schemas/SourceOutput"},
    (events.SuggestionsReady, "suggestions"): {"$ref": "#/components/schemas/SuggestionOutput"},
}


def event_components(*, snapshot: Schema) -> dict[str, Schema]:
    """One component a frame, named after its event, and `Frame`, which is any of them; `snapshot` is a turn's body."""
    kinds = get_args(events.Event)
    frames = {f"{kind.__name__}Event": frame_schema(kind, snapshot=snapshot) for kind in kinds}
    mapping = {kind.type: f"#/components/schemas/{kind.__name__}Event" for kind in kinds}
    whole = {
        "description": "One frame of a turn's stream. Frames of a type that is not listed here are to be ignored.",
        "oneOf": [{"$ref": reference} for reference in mapping.values()],
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }
    return {**frames, "Frame": whole}


def frame_schema(kind: type, *, snapshot: Schema) -> Schema:
    """The frame `{v, type, turn, seq, data}` of one event class."""
    data = snapshot if kind is events.TurnSnapshot else _object_schema(kind)
    name = kind.type  # type: ignore[attr-defined]
    return {
        "type": "object",
        "description": (kind.__doc__ or "").strip(),
        "properties": {
            "v": {"type": "integer", "const": events.VERSION},
            "type": {"type": "string", "const": name},
            "turn": {"type": "string", "format": "uuid"},
            "seq": {"type": "integer", "minimum": 1},
            "data": data,
        },
        "required": ["v", "type", "turn", "seq", "data"],
    }


def _object_schema(kind: type) -> Schema:
    """The schema of a dataclass; a field with a default may be missing in what older servers sent."""
    hints = get_type_hints(kind)
    properties = {field.name: _schema_of(hints[field.name]) for field in fields(kind)}
    for (owner, name), items in _ITEMS.items():
        if owner is kind:
            properties[name] = {"type": "array", "items": items}
    required = [field.name for field in fields(kind) if field.default is MISSING and field.default_factory is MISSING]
    return {"type": "object", "properties": properties, "required": required}


def _schema_of(hint: Any) -> Schema:
    """The schema of a type as our events use them. Raises TypeError for any other, so that it is added here."""
    if hint in _PLAIN:
        return dict(_PLAIN[hint])
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema_of(each) for each in arguments]}
    if origin is tuple:
        return {"type": "array", "items": _schema_of(arguments[0])}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _schema_of(arguments[1])}
    raise TypeError(f"No JSON schema is known for {hint!r}.")
