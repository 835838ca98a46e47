import pytest

from corpus.graph.linking import concepts_named, mentions_link, mentions_relink
from corpus.models import Chunk, Concept, Mention
from tests.corpus.conftest import Library

NAMES = [
    ("fear", 1),
    ("fear of failure", 2),
    ("C++ (basics)", 3),
    ("Übergang", 4),
    ("second act", 5),
    ("act two", 5),
    ("...", 6),
]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Fear, FEAR and feared", {1: 2}),
        ("fearless_fear", {}),
        ("my fear  of\nfailure", {1: 1, 2: 1}),
        ("What is C++ (Basics)?", {3: 1}),
        ("der übergang", {4: 1}),
        ("second act two", {5: 1}),
        ("second act, act two", {5: 2}),
        ("", {}),
        ("... \x00 \ud800 & | :*", {}),
    ],
)
def test_names_are_found_as_whole_words_in_any_case(text: str, named: dict[int, int]) -> None:
    assert concepts_named(text, NAMES) == named


def mentions() -> dict[tuple[str, int], int]:
    return {(m.concept.name, m.chunk_id): m.count for m in Mention.objects.select_related("concept")}


@pytest.fixture
def chunks(library: Library) -> list[Chunk]:
    return library.add("A", "Fear is fear.", "Courage, not dread.", "Nothing here")


def test_linking_stores_what_the_chunks_name_and_may_be_repeated(chunks: list[Chunk]) -> None:
    fear = Concept.objects.create(name="Fear")
    fear.aliases.create(name="dread")
    Concept.objects.create(name="Courage")
    for _ in range(2):
        mentions_link(chunk_ids=[chunk.pk for chunk in chunks])
    first, second, _ = (chunk.pk for chunk in chunks)
    assert mentions() == {("Fear", first): 2, ("Fear", second): 1, ("Courage", second): 1}


def test_a_renamed_concept_is_linked_anew_and_others_stay(chunks: list[Chunk]) -> None:
    fear, courage = (Concept.objects.create(name=name) for name in ("Fear", "Courage"))
    mentions_link(chunk_ids=[chunk.pk for chunk in chunks])
    fear.name = "Dread"
    fear.save()
    mentions_relink(fear)
    assert mentions() == {("Dread", chunks[1].pk): 1, (courage.name, chunks[1].pk): 1}
