"""Long lists come in pages, each with the address of the next: none is repeated or lost while others are added."""

from collections.abc import Sequence
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from rest_framework import exceptions, serializers
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

ModelT = TypeVar("ModelT", bound=Model)


class InvalidCursor(exceptions.APIException):
    """This cursor was not given out by this list."""

    status_code = 400
    default_detail = "This cursor was not given out by this list."
    default_code = "invalid_cursor"


class PageQuery(serializers.Serializer[Any]):
    """What every paged list takes in its address."""

    cursor = serializers.CharField(required=False, help_text="From `next` or `previous` of another page.")
    page_size = serializers.IntegerField(required=False, min_value=1, max_value=100)


class CursorPages(CursorPagination):
    """Pages of 20, or of `page_size` up to 100."""

    page_size = 20
    page_size_query_param = "page_size"
    max_page_size = 100

    def paginate_queryset(
        self, queryset: QuerySet[Any] | Sequence[Any], request: Request, view: APIView | None = None
    ) -> list[Any] | None:
        """One page of the rows. Raises InvalidCursor for a cursor somebody made up."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (exceptions.NotFound, ValidationError, ValueError, OverflowError) as error:
            raise InvalidCursor from error


def page_response(
    request: Request,
    queryset: QuerySet[ModelT],
    output: type[serializers.BaseSerializer[Any]],
    *,
    ordering: tuple[str, ...],
) -> Response:
    """One page of the rows in this order, as `{next, previous, results}`."""
    pages = CursorPages()
    pages.ordering = ordering
    rows = pages.paginate_queryset(queryset.order_by(*ordering), request)
    return pages.get_paginated_response(output(rows, many=True).data)
