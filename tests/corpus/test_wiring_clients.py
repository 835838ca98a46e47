# ruff: noqa: F811 (fixtures of another folder come by import)
import asyncio

import pytest
from pytest_django import Settings

from corpus import wiring
from corpus.errors import SearchUnavailable
from corpus.graph.address import GraphAddress
from corpus.graph.neo4j_writer import Neo4jWriter
from corpus.graph.rebuilding import graph_rebuild
from tests.corpus.graph.conftest import neo4j, writer  # noqa: F401


@pytest.mark.django_db(transaction=True)
def test_each_loop_opens_and_closes_clients_of_its_own(transactional_db: None) -> None:
    async def ask() -> object:
        await wiring.open_clients()
        try:
            search = wiring.search_for_loop()
            await wiring.open_clients()
            assert wiring.search_for_loop() is search
            await wiring.graph_for_loop().ping()
            return await search.read([1])
        finally:
            await wiring.close_clients()

    assert asyncio.run(ask()) == asyncio.run(ask()) == {}


def test_each_loop_asks_neo4j_over_a_driver_of_its_own(
    transactional_db: None, settings: Settings, neo4j: GraphAddress, writer: Neo4jWriter
) -> None:
    settings.NEO4J = (neo4j.uri, neo4j.user, neo4j.password)
    graph_rebuild(writer)

    async def ask() -> object:
        await wiring.open_clients()
        try:
            # Whichever store answers: a machine that is busy may not keep the budget.
            return (await wiring.graph_for_loop().edges([1])).items
        finally:
            await wiring.close_clients()

    assert asyncio.run(ask()) == asyncio.run(ask()) == ()


async def test_before_they_are_open_that_is_said() -> None:
    with pytest.raises(SearchUnavailable, match="not open"):
        wiring.search_for_loop()
    await wiring.close_clients()
