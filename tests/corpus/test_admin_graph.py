"""Curating the graph in the admin."""

import json
from collections.abc import Mapping

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from corpus.graph.curation import concept_create
from corpus.graph.neighbourhood import PAGE
from corpus.graph.proposing import proposals_compute
from corpus.graph.work import work_do, work_open
from corpus.models import Concept, ConceptProposal, Mention, Persona, Relationship, RelationshipKind
from corpus.models.proposals import Proposal
from journeys.services import editors_group
from tests.corpus.conftest import Library

MERGE = {"action": "merge_selected"}


@pytest.fixture
def editor(db: None) -> Client:
    """A signed-in member of the editors group."""
    member = get_user_model().objects.create(email="editor@example.org", is_staff=True)
    member.groups.add(editors_group())
    client = Client()
    client.force_login(member)
    return client


@pytest.fixture
def helps(db: None) -> RelationshipKind:
    return RelationshipKind.objects.create(slug="helps", label="helps with")


def post(editor: Client, name: str, form: Mapping[str, object], *args: object) -> str:
    inlines = {f"{inline}-{rows}_FORMS": "0" for inline in ("outgoing", "incoming") for rows in ("TOTAL", "INITIAL")}
    answer = editor.post(reverse(f"admin:corpus_{name}", args=args), inlines | dict(form), follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def near(editor: Client, model: str, pk: object, after: int = 0) -> dict[str, object]:
    answer = editor.get(reverse(f"admin:corpus_{model}_neighbours", args=[pk]), {"after": after})
    return dict(json.loads(answer.content))


def star(centre: Concept, kind: RelationshipKind, size: int) -> None:
    """Neighbours around a concept, the strongest first."""
    around = Concept.objects.bulk_create(Concept(name=f"Neighbour {number:03}") for number in range(size))
    Relationship.objects.bulk_create(
        Relationship(source=centre, target=one, kind=kind, weight=10 - number * 9 // size)
        for number, one in enumerate(around)
    )


def test_merging_shows_what_would_happen_and_then_does_it(editor: Client, helps: RelationshipKind) -> None:
    fear, dread, money = (concept_create(name=name) for name in ("Fear", "Dread", "Money"))
    Relationship.objects.create(source=money, target=dread, kind=helps)
    form = MERGE | {"_selected_action": [fear.pk, dread.pk], "kept": fear.pk}
    page = post(editor, "concept_changelist", form)
    assert "“Dread” would become one with “Fear”" in page
    assert "Money helps with Dread" in page
    assert Concept.objects.count() == 3
    page = post(editor, "concept_changelist", form | {"confirmed": "Merge"})
    assert "“Dread” became one with “Fear”" in page.replace("&quot;", '"')
    assert Relationship.objects.get().target == fear
    assert fear.history.first().history_user.email == "editor@example.org"


def test_one_concept_alone_is_not_merged(editor: Client) -> None:
    one = concept_create(name="Fear")
    assert "Choose two to" in post(editor, "concept_changelist", MERGE | {"_selected_action": [one.pk]})


def test_a_name_that_another_concept_has_is_refused_with_its_owner(editor: Client) -> None:
    concept_create(name="Weak tie", aliases=["acquaintance"])
    form = {"summary": "", "aliases-TOTAL_FORMS": "0", "aliases-INITIAL_FORMS": "0"}
    for name in ("weak ties", "ACQUAINTANCES"):
        assert "is a name of the concept “Weak tie” already" in post(editor, "concept_add", form | {"name": name})
    assert Concept.objects.count() == 1


def test_a_renamed_concept_is_found_under_its_new_name_only(editor: Client, library: Library) -> None:
    library.add("A", "Fear.", "Dread.")
    concept = concept_create(name="Fear")
    work_do()
    form = {"name": "Dread", "summary": "", "aliases-TOTAL_FORMS": "0", "aliases-INITIAL_FORMS": "0"}
    post(editor, "concept_change", form, concept.pk)
    assert (
        "A worker is busy: Linking mentions"
        in editor.get(reverse("admin:corpus_concept_change", args=[concept.pk])).content.decode()
    )
    work_do()
    assert [mention.chunk.text for mention in Mention.objects.all()] == ["Dread."]


def test_deleting_concepts_has_hidden_names_found_again(editor: Client) -> None:
    concept = concept_create(name="Fear of failing")
    work_do()
    post(
        editor,
        "concept_changelist",
        {"action": "delete_selected", "_selected_action": [concept.pk], "post": "yes"},
    )
    assert [work.names for work in work_open()] == [["Fear of failing"]]


@pytest.mark.parametrize(("size", "shown"), [(0, 0), (5, 5), (500, PAGE)])
def test_the_neighbourhood_is_bounded_and_says_what_is_left(
    editor: Client, helps: RelationshipKind, size: int, shown: int
) -> None:
    centre = concept_create(name="Fear")
    star(centre, helps, size)
    body = near(editor, "concept", centre.pk)
    assert (body["total"], body["shown"], len(body["nodes"]), len(body["edges"])) == (size, shown, shown, shown)  # type: ignore[arg-type]


def test_the_rest_of_the_neighbourhood_can_be_walked_to_its_end(editor: Client, helps: RelationshipKind) -> None:
    centre = concept_create(name="Fear")
    star(centre, helps, PAGE + 3)
    seen = [node["name"] for after in (0, PAGE) for node in near(editor, "concept", centre.pk, after)["nodes"]]  # type: ignore[attr-defined]
    assert seen == [f"Neighbour {number:03}" for number in range(PAGE + 3)]


def test_every_edge_leads_to_its_proof_or_to_where_one_is_given(
    editor: Client, helps: RelationshipKind, library: Library
) -> None:
    (chunk,) = library.add("Guide", "Fear and money.")
    fear, money, work = (concept_create(name=name) for name in ("Fear", "Money", "Work"))
    Relationship.objects.create(source=fear, target=money, kind=helps, proof=chunk)
    unproved = Relationship.objects.create(source=fear, target=work, kind=helps)
    edges = {edge["to"]: edge for edge in near(editor, "concept", fear.pk)["edges"]}  # type: ignore[attr-defined]
    assert edges["Money"]["url"] == reverse("admin:corpus_chunk_change", args=[chunk.pk])
    assert (edges["Money"]["proof"], edges["Money"]["label"]) == ("Guide #0", "helps with")
    assert edges["Work"]["url"] == reverse("admin:corpus_relationship_change", args=[unproved.pk])
    for edge in edges.values():
        assert editor.get(edge["url"]).status_code == 200


def test_a_personas_neighbourhood_is_what_it_cares_about(editor: Client, helps: RelationshipKind) -> None:
    fear, money = (concept_create(name=name) for name in ("Fear", "Money"))
    Relationship.objects.create(source=fear, target=money, kind=helps)
    persona = Persona.objects.create(slug="careful", name="Careful")
    persona.concepts.set([fear, money])
    body = near(editor, "persona", persona.pk)
    assert [edge["label"] for edge in body["edges"]] == ["cares about", "cares about", "helps with"]  # type: ignore[attr-defined]


def test_the_neighbourhood_is_for_staff_who_may_look(client: Client, django_user_model: type) -> None:
    concept = concept_create(name="Fear")
    address = reverse("admin:corpus_concept_neighbours", args=[concept.pk])
    assert client.get(address).status_code == 302
    client.force_login(django_user_model.objects.create(email="staff@example.org", is_staff=True))  # type: ignore[attr-defined]
    assert client.get(address).status_code == 403


@pytest.mark.parametrize("after", ["-1", "x", "9" * 30, "\x00"])
def test_a_strange_page_is_the_first_one(editor: Client, after: str) -> None:
    concept = concept_create(name="Fear")
    address = reverse("admin:corpus_concept_neighbours", args=[concept.pk])
    assert editor.get(address, {"after": after}).status_code in {200, 400}


@pytest.fixture
def proposed(library: Library) -> list[ConceptProposal]:
    concept_create(name="Fear")
    library.add("A", "The notice period feeds fear. An exit talk feeds fear, and fear feeds on it.")
    library.add("B", "Fear ends with the notice period. Fear of an exit talk is short.")
    library.add("C", "Fear of the notice period. After the exit talk, no fear is left.")
    proposals_compute()
    return list(ConceptProposal.objects.order_by("name"))


def test_proposals_are_accepted_and_rejected_in_bulk(editor: Client, proposed: list[ConceptProposal]) -> None:
    assert [one.name for one in proposed] == ["exit talk", "notice period"]
    page = post(
        editor, "conceptproposal_changelist", {"action": "accept_selected", "_selected_action": [proposed[0].pk]}
    )
    assert "1 accepted." in page
    post(editor, "conceptproposal_changelist", {"action": "reject_selected", "_selected_action": [proposed[1].pk]})
    states = dict(ConceptProposal.objects.values_list("name", "state"))
    assert states == {"exit talk": Proposal.State.ACCEPTED, "notice period": Proposal.State.REJECTED}
    assert "There are no" not in page
    assert Concept.objects.filter(name="exit talk").exists()


def test_a_proposal_is_edited_and_accepted_on_its_page(editor: Client, proposed: list[ConceptProposal]) -> None:
    form = {"name": "Exit talk", "summary": "The last talk with the boss.", "_accept": "Accept"}
    page = post(editor, "conceptproposal_change", form, proposed[0].pk)
    assert "Accepted: Exit talk." in page
    concept = Concept.objects.get(name="Exit talk")
    assert concept.summary == "The last talk with the boss."
    decided = ConceptProposal.objects.get(pk=proposed[0].pk)
    assert (decided.concept, decided.decided_by and decided.decided_by.email) == (concept, "editor@example.org")
    answer = editor.get(reverse("admin:corpus_conceptproposal_change", args=[proposed[0].pk]))
    assert 'name="_accept"' not in answer.content.decode()


def test_one_that_cannot_be_accepted_says_why_and_stays_open(editor: Client, proposed: list[ConceptProposal]) -> None:
    page = post(editor, "conceptproposal_change", {"name": "Fears", "summary": "", "_accept": "x"}, proposed[0].pk)
    assert "is a name of the concept “Fear” already" in page
    assert ConceptProposal.objects.get(pk=proposed[0].pk).state == Proposal.State.OPEN


def test_the_list_shows_open_ones_with_the_sentence_that_suggests_them(
    editor: Client, proposed: list[ConceptProposal]
) -> None:
    address = reverse("admin:corpus_conceptproposal_changelist")
    page = editor.get(address).content.decode()
    assert proposed[0].sentence in page
    ConceptProposal.objects.update(state="rejected")
    assert proposed[0].sentence not in editor.get(address).content.decode()
    assert proposed[0].sentence in editor.get(address, {"state": "rejected"}).content.decode()
