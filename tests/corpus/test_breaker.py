import pytest

from corpus.breaker import Breaker


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def broken(clock: Clock) -> Breaker:
    """A breaker that has just opened, with pauses of 1, 2, 4 and then 5 seconds."""
    breaker = Breaker(clock=clock, pause=1.0, longest_pause=5.0)
    breaker.failed()
    return breaker


def test_a_new_one_admits_every_call(clock: Clock) -> None:
    breaker = Breaker(clock=clock)
    assert not breaker.is_open
    assert all(breaker.admits() for _ in range(3))


def test_it_opens_at_the_threshold_and_a_success_between_counts_anew(clock: Clock) -> None:
    breaker = Breaker(clock=clock, threshold=2)
    breaker.failed()
    breaker.succeeded()
    breaker.failed()
    assert not breaker.is_open
    breaker.failed()
    assert breaker.is_open
    assert not breaker.admits()


def test_one_caller_a_pause_is_let_through_as_the_probe(broken: Breaker, clock: Clock) -> None:
    assert broken.seconds_to_probe == 1.0
    assert not broken.admits()
    clock.now += 1.0
    assert broken.seconds_to_probe == 0.0
    assert [broken.admits() for _ in range(3)] == [True, False, False]


def test_a_probe_that_succeeds_closes_it_with_the_first_pause(broken: Breaker, clock: Clock) -> None:
    clock.now += 1.0
    assert broken.admits()
    broken.failed()
    clock.now += 2.0
    assert broken.admits()
    broken.succeeded()
    assert broken.admits()
    broken.failed()
    assert broken.seconds_to_probe == 1.0


def test_each_failed_probe_doubles_the_pause_up_to_the_longest(broken: Breaker, clock: Clock) -> None:
    pauses = []
    for _ in range(5):
        pauses.append(broken.seconds_to_probe)
        clock.now += broken.seconds_to_probe
        assert broken.admits()
        broken.failed()
    assert pauses == [1.0, 2.0, 4.0, 5.0, 5.0]


def test_calls_that_were_under_way_when_it_opened_add_no_pause(broken: Breaker, clock: Clock) -> None:
    clock.now += 0.5
    for _ in range(10):
        broken.failed()
    assert broken.seconds_to_probe == 0.5


def test_a_probe_that_never_reports_gives_way_to_the_next(broken: Breaker, clock: Clock) -> None:
    clock.now += 1.0
    assert broken.admits()
    clock.now += 1.0
    assert broken.admits()


def test_the_other_side_may_say_when_to_come_back(clock: Clock) -> None:
    breaker = Breaker(clock=clock, threshold=3, pause=1.0)
    breaker.open_for(20.0)
    clock.now += 19.0
    assert not breaker.admits()
    clock.now += 1.0
    assert breaker.admits()
    breaker.succeeded()
    assert not breaker.is_open
