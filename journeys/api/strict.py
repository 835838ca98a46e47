"""Input that says exactly what it means: an unknown field is refused, not overlooked."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.request import Request


class StrictSerializer(serializers.Serializer[Any]):
    """A serializer of what clients send; text with NUL or lone surrogates is refused by its CharFields."""

    def to_internal_value(self, data: Any) -> Any:
        """The checked values. Raises ValidationError that names each unknown field."""
        if isinstance(data, Mapping):
            unknown = [name for name in data if name not in self.fields]
            if unknown:
                raise serializers.ValidationError(
                    {str(name): [ErrorDetail("There is no such field.", code="unknown_field")] for name in unknown}
                )
            # A CharField takes numbers for text: 1e999 would become the question "inf".
            numbers = [name for name, value in data.items() if _is_text(self.fields[name]) and _is_number(value)]
            if numbers:
                raise serializers.ValidationError(
                    {name: [ErrorDetail("Not a valid string.", code="invalid")] for name in numbers}
                )
        return super().to_internal_value(data)


def _is_text(field: Any) -> bool:
    return isinstance(field, serializers.CharField)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float)


def body_of(request: Request, kind: type[StrictSerializer], *, partial: bool = False) -> dict[str, Any]:
    """The checked body of a request. Raises ValidationError."""
    serializer = kind(data=request.data, partial=partial)
    serializer.is_valid(raise_exception=True)
    values: dict[str, Any] = serializer.validated_data
    return values


def query_of(request: Request, kind: type[serializers.Serializer[Any]]) -> dict[str, Any]:
    """The checked query of a request; what it does not know is left alone. Raises ValidationError."""
    serializer = kind(data=request.query_params)
    serializer.is_valid(raise_exception=True)
    values: dict[str, Any] = serializer.validated_data
    return values
