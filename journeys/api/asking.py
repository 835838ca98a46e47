"""Who is asking."""

from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

from journeys.models import Member


def member_of(request: Request) -> Member:
    """The signed-in member. Raises NotAuthenticated."""
    if not isinstance(request.user, Member):
        raise NotAuthenticated
    return request.user
