import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from corpus.errors import NoActiveSpace
from corpus.models import Document, EmbeddingSpace
from corpus.models.spaces import (
    active_space,
    best_similarities,
    space_create,
    space_drop_table,
    vectors_published,
    vectors_write,
)
from tests.corpus.conftest import Library, direction


def tables() -> list[str]:
    with connection.cursor() as cursor:
        return connection.introspection.table_names(cursor)


def test_a_space_has_a_table_of_its_own_until_it_is_dropped(space: EmbeddingSpace) -> None:
    assert space.table in tables()
    space_drop_table(space)
    assert space.pk is None
    assert not any(name.startswith("corpus_space_") for name in tables())


@pytest.mark.parametrize("dimension", [0, 2_001, 3_072])
def test_a_dimension_that_cannot_be_indexed_is_refused_before_anything_is_made(db: None, dimension: int) -> None:
    with pytest.raises(ValidationError, match="1 to 2,000 dimensions"):
        space_create(name="wide", provider="openai", model="m", dimension=dimension)
    assert not EmbeddingSpace.objects.exists()


def test_spaces_of_two_dimensions_stand_side_by_side(space: EmbeddingSpace) -> None:
    other = space_create(name="other", provider="openai", model="m", dimension=1_536)
    assert {space.table, other.table} <= set(tables())
    assert active_space() == space


def test_without_an_active_space_there_is_none(db: None) -> None:
    with pytest.raises(NoActiveSpace):
        active_space()


def test_writing_a_vector_again_replaces_it(library: Library) -> None:
    (chunk,) = library.add("A", "text", angles=[80])
    vectors_write(library.space, [(chunk.pk, 101, direction(0))])
    assert best_similarities(library.space, [direction(0)]) == [pytest.approx(1)]
    assert vectors_published(library.space) == 1


def test_only_published_vectors_count(library: Library) -> None:
    library.add("Draft", "text", status=Document.Status.DRAFT, angles=[0])
    library.add("Gone", "text", angles=[10])
    library.withdraw("Gone")
    assert vectors_published(library.space) == 0
    assert best_similarities(library.space, [direction(0)]) == [-1]


def test_a_deleted_chunk_takes_its_vectors_along(library: Library) -> None:
    library.add("A", "text", angles=[0])
    library.documents["A"].delete()
    assert vectors_published(library.space) == 0
