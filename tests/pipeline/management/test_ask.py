"""manage.py ask."""

import json
from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from journeys.models import Member, Turn
from pipeline import events, wiring
from pipeline.run_log import parse
from pipeline.wiring import Station
from tests.pipeline.stream_fakes import NoNodes, Script, deltas, joined

Play = Callable[[Script], Script]


@pytest.fixture(autouse=True)
def without_nodes(monkeypatch: pytest.MonkeyPatch, own_redis_prefix: str) -> None:
    really = wiring.open_clients

    async def open_clients() -> Station:
        return await really(clients=NoNodes())  # type: ignore[arg-type]

    monkeypatch.setattr(wiring, "open_clients", open_clients)


def ask(*arguments: str) -> str:
    out = StringIO()
    call_command("ask", *arguments, stdout=out)
    return out.getvalue()


SOURCES = events.SourcesFound(({"number": 1, "title": "Disrupt You", "authority": "primary"},))


def test_it_prints_the_answer_with_its_sources(member: Member, play: Play) -> None:
    play(
        Script(
            events.Status("retrieval", "Searching the library"),
            SOURCES,
            *deltas("Begin ", "again."),
            events.AnswerDone("complete", (1,)),
        )
    )
    printed = ask("How?")
    assert printed.splitlines() == [
        "... Searching the library",
        "Begin again.",
        "[1] Disrupt You (primary)",
        "(answered)",
    ]


def test_as_json_it_prints_one_frame_a_line(member: Member, play: Play) -> None:
    play(Script(*deltas("Begin\n", "again.")))
    frames = [parse(line) for line in ask("How?", "--json").splitlines()]
    assert [frame.seq for frame in frames] == list(range(1, len(frames) + 1))
    assert json.loads(frames[-1].text)["type"] == "turn.done"
    assert joined(frames) == Turn.objects.get().answer


def test_a_failed_turn_exits_with_1(member: Member, play: Play) -> None:
    play(Script(*deltas("Half"), ValueError()))
    with pytest.raises(SystemExit) as exit_:
        ask("How?")
    assert exit_.value.code == 1


def test_it_goes_on_with_a_conversation_as_the_member_named(member: Member, other_member: Member, play: Play) -> None:
    play(Script(*deltas("One")))
    ask("How?", "--as", "OTHER@example.org")
    conversation = Turn.objects.get().conversation
    ask("And then?", "--as", "other@example.org", "--conversation", str(conversation.pk))
    assert conversation.member == other_member
    assert conversation.turns.count() == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("How?", "--as", "nobody@example.org"), "no active member nobody@example.org"),
        (("How?", "--as", "caf\udce9"), "no active member"),
        (("How?", "--conversation", "0b0e6d0a-2f6b-4b8e-9c55-0a7d3a1a4f10"), "nothing of yours"),
        (("  ",), "empty"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(member: Member, arguments: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        ask(*arguments)


def test_without_members_it_says_so(transactional_db: None) -> None:
    with pytest.raises(CommandError, match="no member yet"):
        ask("How?")
