import asyncio

import pytest

from corpus import wiring
from corpus.errors import SearchUnavailable


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


async def test_before_they_are_open_that_is_said() -> None:
    with pytest.raises(SearchUnavailable, match="not open"):
        wiring.search_for_loop()
    await wiring.close_clients()
