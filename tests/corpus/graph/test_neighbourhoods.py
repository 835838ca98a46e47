from corpus.graph.neighbourhoods import Neighbourhoods
from corpus.graph.store import Standing

EARLY, LATE = Standing(1, version=3), Standing(1, version=4)


def test_an_answer_is_kept_for_as_long_as_the_graph_stands_so() -> None:
    kept = Neighbourhoods()
    kept.put(EARLY, "a", [1])
    assert kept.get(EARLY, "a") == [1]
    assert kept.get(LATE, "a") is None
    kept.put(LATE, "a", [2])
    assert kept.get(EARLY, "a") is None
    assert kept.get(LATE, "a") == [2]


def test_an_answer_from_before_a_change_that_comes_late_is_dropped() -> None:
    kept = Neighbourhoods()
    kept.put(LATE, "a", [2])
    kept.put(EARLY, "b", [1])
    assert kept.get(EARLY, "b") is None
    assert kept.get(LATE, "a") == [2]


def test_another_generation_forgets_everything() -> None:
    kept = Neighbourhoods()
    kept.put(EARLY, "a", [1])
    kept.put(Standing(2, version=3), "a", [2])
    assert kept.get(EARLY, "a") is None


def test_the_answer_asked_for_longest_ago_goes_first() -> None:
    kept = Neighbourhoods(most=2)
    for key in "ab":
        kept.put(EARLY, key, key)
    kept.get(EARLY, "a")
    kept.put(EARLY, "c", "c")
    assert [kept.get(EARLY, key) for key in "abc"] == ["a", None, "c"]
