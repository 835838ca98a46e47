import pytest

from corpus.search import Hit, Leg, VectorHits
from corpus.taxonomy import Authority, ContentType, scopes_of
from pipeline.intents import INTENT_TABLE
from pipeline.phases import SUPPORTING_CANDIDATES, PhaseFound, covered, plan_of
from pipeline.turn import IntentKind, RagResult


def authorities(leg: Leg) -> set[int]:
    return {scope // 100 for scope in leg.scopes}


def test_phase_1_is_primary_and_phase_2_the_rest() -> None:
    plan = plan_of(INTENT_TABLE[IntentKind.CASE_STUDY])
    assert [authorities(leg) for leg in plan.phase_1] == [{1}]
    assert [authorities(leg) for leg in plan.phase_2] == [{2, 3}]
    assert plan.phase_1[0].scopes == scopes_of([Authority.PRIMARY], [ContentType.CASE_STUDY, ContentType.EXAMPLE])


def test_without_another_authority_phase_2_is_empty() -> None:
    assert plan_of(INTENT_TABLE[IntentKind.BOOK_REFERENCE]).phase_2 == ()


def test_supporting_sources_have_a_leg_and_a_limit_of_their_own() -> None:
    _, supporting = plan_of(INTENT_TABLE[IntentKind.GENERAL]).phase_2
    assert (authorities(supporting), supporting.limit) == ({4}, SUPPORTING_CANDIDATES)


def test_each_leg_has_its_own_ranks() -> None:
    vector = VectorHits(((Hit(1, 0.9), Hit(2, 0.8)), (Hit(3, 0.7),)))
    first, second = PhaseFound(vector, ((Hit(2, 5.0),), ())).legs
    assert (first[2].vector_rank, first[2].keyword_rank) == (2, 1)
    assert (second[3].vector_rank, second[3].keyword_rank) == (1, None)


def result(similarity: float | None) -> RagResult:
    return RagResult(
        chunk=1,
        public_id="",
        document="",
        title="",
        content="",
        authority=Authority.PRIMARY,
        content_type=ContentType.QUOTE,
        heading_path=(),
        locator={},
        ordinal=0,
        source="",
        phase="phase_1",
        rrf_score=1,
        similarity=similarity,
    )


@pytest.mark.parametrize(
    ("similarities", "line", "expected"),
    [([0.3, 0.6], 0.5, True), ([0.3], 0.5, False), ([None], 0.5, False), ([0.1], None, True), ([], None, False)],
)
def test_the_best_chunk_says_whether_the_library_covers_it(
    similarities: list[float | None], line: float | None, expected: bool
) -> None:
    assert covered([result(similarity) for similarity in similarities], line) is expected
