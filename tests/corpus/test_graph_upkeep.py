# ruff: noqa: F811 (fixtures of another folder come by import)
import pytest
from django.core.management import CommandError, call_command
from django.template.loader import render_to_string
from pytest_django import Settings

from corpus import graph_upkeep
from corpus.graph.address import GraphAddress
from corpus.graph.neo4j_writer import Neo4jWriter, neo4j_writer
from corpus.models import Concept, GraphChange, GraphGeneration, GraphStanding
from corpus.selectors import graph_state
from tests.corpus.graph.conftest import neo4j, writer  # noqa: F401

NOWHERE = GraphAddress("bolt://127.0.0.1:1", "neo4j", "x")


@pytest.fixture
def configured(settings: Settings, neo4j: GraphAddress) -> GraphAddress:
    settings.NEO4J = (neo4j.uri, neo4j.user, neo4j.password)
    return neo4j


def page() -> str:
    return " ".join(render_to_string("secondact/graph_state.html", {"graph": graph_state()}).split())


def test_a_new_installation_gets_its_first_generation_by_itself(writer: Neo4jWriter, configured: GraphAddress) -> None:
    Concept.objects.create(name="Grit")
    graph_upkeep.project(neo4j_writer(configured))
    generation = GraphGeneration.objects.get(state="current").pk
    assert len(writer.rows_between(generation=generation, kind="concept", after=None, until=None)) == 1
    assert not GraphChange.objects.exists()
    call_command("rebuild_graph")
    assert GraphGeneration.objects.get(state="current").pk != generation


def test_the_staff_page_tells_of_ping_and_comparison(writer: Neo4jWriter, configured: GraphAddress) -> None:
    assert "none yet: the record answers" in page()
    for work in (graph_upkeep.project, graph_upkeep.ping, graph_upkeep.reconcile):
        work(neo4j_writer(configured))
    shown = page()
    assert "answered in" in shown
    assert "Compared with the record" in shown


def test_a_neo4j_that_is_down_is_noted_and_nothing_is_lost(db: None, settings: Settings) -> None:
    settings.NEO4J = (NOWHERE.uri, "neo4j", "x")
    GraphGeneration.objects.create(state="current")
    Concept.objects.create(name="Grit")
    for work in (graph_upkeep.project, graph_upkeep.ping, graph_upkeep.reconcile):
        work(neo4j_writer(NOWHERE))
    assert GraphChange.objects.count() == 1
    assert GraphStanding.objects.get().ping_error
    assert "failed" in page()
    with pytest.raises(CommandError, match=r"^Neo4j does not answer"):
        call_command("rebuild_graph")


def test_without_a_neo4j_nothing_waits_for_it(db: None) -> None:
    Concept.objects.create(name="Grit")
    for work in (graph_upkeep.project, graph_upkeep.ping, graph_upkeep.reconcile):
        work(None)
    assert not GraphChange.objects.exists()
    assert "No Neo4j is named" in page()
    with pytest.raises(CommandError, match=r"^There is no Neo4j"):
        call_command("rebuild_graph")
