"""Which store answers, over a real Neo4j behind a proxy that does what networks and servers do."""

import asyncio
import gc
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pytest

from corpus.errors import GraphUnavailable, SearchUnavailable
from corpus.graph.address import GraphAddress
from corpus.graph.answers import GraphAnswers
from corpus.graph.neo4j_store import Neo4jGraph
from corpus.graph.neo4j_writer import neo4j_writer
from corpus.graph.present import Rows
from corpus.graph.store import Edge, GraphAnswer, PersonaHit, Standing
from tests.tcp_proxy import TcpProxy, tcp_proxy

# The driver leaves it to the garbage collector to close a connection whose handshake was cancelled.
pytestmark = pytest.mark.filterwarnings("ignore:.*socket.socket:pytest.PytestUnraisableExceptionWarning")

PATIENT = 120.0
"""A budget that a Neo4j which is well keeps on any machine."""
SHORT = 0.05
"""A budget that passes while the proxy holds everything up."""

FROM_RECORD = Edge(relationship=1, source=1, target=2, kind="helps", hops=1, score=10, proof=None)


class Record:
    """A record in memory that says how far Neo4j has followed it."""

    origin = "postgres"

    def __init__(self, generation: int | None) -> None:
        self.now = Standing(generation, version=5)
        self.asked = 0

    async def standing(self) -> Standing:
        return self.now

    async def edges(self, concepts: Sequence[int]) -> list[Edge]:
        self.asked += 1
        return [FROM_RECORD]

    async def persona_chunks(self, concepts: Sequence[int], persona: str) -> list[PersonaHit]:
        return []

    async def ping(self) -> None: ...


@pytest.fixture(scope="session")
def generation(neo4j: GraphAddress) -> int:
    """A generation with one relationship, number 7, of concepts 1 and 2."""
    number = secrets.randbits(52)
    concepts: Rows = {key: {"id": key, "name": str(key), "aliases": []} for key in (1, 2)}
    edge = {"id": 7, "source": 1, "target": 2, "kind": "helps", "weight": 3, "proof": None}
    with neo4j_writer(neo4j) as writer:
        writer.begin(generation=number, version=5)
        writer.write(generation=number, version=5, kind="concept", keys=list(concepts), rows=concepts)
        writer.write(generation=number, version=5, kind="relationship", keys=[7], rows={7: edge})
    return number


async def looked_at(answers: GraphAnswers) -> None:
    """Have the keeper's look succeed; a server that has just started may take longer to plan than it is given once."""
    for _ in range(20):
        await answers.look()
        if not answers.breaker.is_open:
            break


@asynccontextmanager
async def behind_proxy(neo4j: GraphAddress, generation: int) -> AsyncIterator[tuple[GraphAnswers, Record, TcpProxy]]:
    parts = urlsplit(neo4j.uri)
    assert parts.hostname is not None
    async with tcp_proxy(parts.hostname, parts.port or 7687) as proxy:
        address = replace(neo4j, uri=f"bolt://127.0.0.1:{proxy.port}")
        record: Any = Record(generation)
        answers = GraphAnswers(record, Neo4jGraph.connect(address, seconds=PATIENT), budget=PATIENT)
        try:
            await looked_at(answers)
            yield answers, record, proxy
        finally:
            proxy.release()
            await answers.close()
    gc.collect()


def relationships(answer: GraphAnswer[Edge]) -> list[int]:
    return [edge.relationship for edge in answer.items]


async def test_a_neo4j_that_is_well_answers_and_its_answer_is_kept(neo4j: GraphAddress, generation: int) -> None:
    async with behind_proxy(neo4j, generation) as (answers, record, proxy):
        first = await answers.edges([1])
        assert (relationships(first), first.origin, first.degraded) == ([7], "neo4j", False)
        proxy.hold()
        assert await answers.edges([1]) is first
        proxy.release()
        record.now = replace(record.now, version=4)
        assert await answers.edges([1]) == first
        assert record.asked == 0


async def test_while_changes_wait_to_be_projected_the_record_answers(neo4j: GraphAddress, generation: int) -> None:
    async with behind_proxy(neo4j, generation) as (answers, record, _):
        await answers.edges([1])
        record.now = replace(record.now, pending=True)
        answer = await answers.edges([1])
        assert (relationships(answer), answer.origin, answer.degraded) == ([1], "postgres", False)


async def test_a_neo4j_without_what_the_record_says_is_not_believed(neo4j: GraphAddress, generation: int) -> None:
    async with behind_proxy(neo4j, generation) as (answers, record, _):
        record.now = replace(record.now, version=6)
        answer = await answers.edges([1])
        assert (answer.origin, answer.degraded, answers.breaker.is_open) == ("postgres", True, True)


async def test_connections_cut_while_idle_are_not_noticed(neo4j: GraphAddress, generation: int) -> None:
    async with behind_proxy(neo4j, generation) as (answers, _, proxy):
        proxy.cut()
        assert (await answers.edges([1])).origin == "neo4j"


async def test_no_question_is_the_first_to_ask(neo4j: GraphAddress, generation: int) -> None:
    record: Any = Record(generation)
    answers = GraphAnswers(record, Neo4jGraph.connect(neo4j, seconds=PATIENT), budget=PATIENT)
    try:
        answer = await answers.edges([1])
        assert (answer.origin, answer.degraded) == ("postgres", False)
        await looked_at(answers)
        assert (await answers.edges([1])).origin == "neo4j"
    finally:
        await answers.close()


FAULTS = ["refused", "silent", "slow", "cut in the middle"]


async def strike(fault: str, proxy: TcpProxy) -> None:
    """Have the proxy fail in this way from now on."""
    if fault == "refused":
        await proxy.refuse()
    else:
        proxy.hold()
        if fault != "slow":
            proxy.cut()


async def heal(fault: str, proxy: TcpProxy) -> None:
    """Have the proxy work again, and all connections cut, as after a restart."""
    if fault == "refused":
        await proxy.listen()
    proxy.release()
    proxy.cut()


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_neo4j_that_fails_costs_one_budget_and_then_nothing_until_it_answers_again(
    neo4j: GraphAddress, generation: int, fault: str
) -> None:
    async with behind_proxy(neo4j, generation) as (answers, _, proxy):
        await strike(fault, proxy)
        answers.budget = PATIENT if fault == "cut in the middle" else SHORT
        proxy.sent.clear()
        first = asyncio.create_task(answers.edges([1]))
        if fault == "cut in the middle":
            # Both tries of a question meet a server that dies while it works.
            while not first.done():
                await asyncio.wait([first, asyncio.create_task(proxy.sent.wait())], return_when="FIRST_COMPLETED")
                proxy.sent.clear()
                proxy.cut()
        answer = await first
        assert (relationships(answer), answer.origin, answer.degraded) == ([1], "postgres", True)
        assert answers.breaker.is_open

        proxy.sent.clear()
        accepted, answers.budget = proxy.accepted, PATIENT
        later = await asyncio.gather(answers.edges([1]), answers.edges([2]), answers.persona_chunks([1], "p"))
        assert [one.origin for one in later] == ["postgres"] * 3
        assert all(one.degraded for one in later)
        assert (proxy.accepted, proxy.sent.is_set()) == (accepted, False), "an open breaker still asked Neo4j"

        await heal(fault, proxy)
        await answers.look()
        again = await answers.edges([1])
        assert (relationships(again), again.origin, again.degraded) == ([7], "neo4j", False)


async def test_both_look_ups_of_a_question_wait_at_the_same_time(neo4j: GraphAddress, generation: int) -> None:
    async with behind_proxy(neo4j, generation) as (answers, _, proxy):
        proxy.hold()
        answers.budget = SHORT
        both = await asyncio.gather(answers.edges([1]), answers.persona_chunks([1], "p"))
        assert [one.degraded for one in both] == [True, True]


async def test_the_keeper_finds_what_is_gone_before_a_question_does(neo4j: GraphAddress, generation: int) -> None:
    async with behind_proxy(neo4j, generation) as (answers, _, proxy):
        await proxy.refuse()
        await answers.look()
        assert answers.breaker.is_open
        with pytest.raises(GraphUnavailable):
            await answers.ping()
        await proxy.listen()
        keeper = asyncio.create_task(answers.keep())
        while answers.breaker.is_open:  # noqa: ASYNC110  (a breaker has no event to wait for)
            await asyncio.sleep(0.01)
        keeper.cancel()
        await answers.ping()


async def test_a_question_that_is_given_up_says_nothing_about_neo4j(neo4j: GraphAddress, generation: int) -> None:
    async with behind_proxy(neo4j, generation) as (answers, _, proxy):
        proxy.hold()
        asked = asyncio.create_task(answers.edges([1]))
        await proxy.sent.wait()
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        assert not answers.breaker.is_open
        proxy.release()
        assert (await answers.edges([1])).origin == "neo4j"


async def test_a_generation_that_is_being_built_is_not_asked(neo4j: GraphAddress, generation: int) -> None:
    async with behind_proxy(neo4j, generation) as (answers, record, _):
        record.now = Standing(None, version=9)
        answer = await answers.edges([1])
        assert (answer.origin, answer.degraded) == ("postgres", False)


async def test_without_a_neo4j_the_record_answers_and_is_not_asked_twice() -> None:
    record: Any = Record(None)
    answers = GraphAnswers(record)
    assert [(await answers.edges([1])).degraded for _ in range(3)] == [False] * 3
    assert record.asked == 1
    record.now = replace(record.now, version=6)
    await answers.edges([1])
    assert record.asked == 2
    await answers.keep()
    await answers.ping()


async def test_a_record_that_fails_is_an_error() -> None:
    record: Any = Record(None)

    async def down() -> Standing:
        raise SearchUnavailable

    record.standing = down
    with pytest.raises(SearchUnavailable):
        await GraphAnswers(record).edges([1])


def test_each_event_loop_has_its_own_driver(neo4j: GraphAddress, generation: int) -> None:
    async def once() -> str:
        async with behind_proxy(neo4j, generation) as (answers, _, _):
            return (await answers.edges([1])).origin

    assert [asyncio.run(once()) for _ in range(2)] == ["neo4j"] * 2
