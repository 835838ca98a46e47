"""manage.py ask: a question asked from the shell, through the same run and log as any other."""

import asyncio
from argparse import ArgumentParser
from contextlib import aclosing
from typing import Any

from django.core.management.base import BaseCommand, CommandError, OutputWrapper

from corpus.errors import CorpusError
from journeys import selectors, services
from journeys.errors import JourneyError
from journeys.models import Conversation, Member, Turn
from pipeline import events, runs, wiring
from pipeline.errors import PipelineError
from pipeline.follower import Follower
from pipeline.following import Following
from pipeline.run_log import Entry
from pipeline.sending import turn_send
from pipeline.writes import write

DEMO_MEMBER = "member@example.org"


class Command(BaseCommand):
    """Asks one question and prints what comes."""

    help = "Ask a question as a member and print the answer as it is written. Exits with 1 when the turn failed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The question, and who asks it where."""
        parser.add_argument("question")
        parser.add_argument("--as", dest="email", default="", help="the member's e-mail; else the demo member")
        parser.add_argument("--conversation", default="", help="the id of a conversation to go on with; else a new one")
        parser.add_argument("--json", action="store_true", help="print one frame a line")

    def handle(self, **options: Any) -> None:
        """Ask, print, and exit with 1 when the turn failed."""
        asker = _member(options["email"])
        printer = FramePrinter(self.stdout) if options["json"] else AnswerPrinter(self.stdout)
        try:
            failed = asyncio.run(_ask(asker, options["conversation"], options["question"], printer))
        except (PipelineError, CorpusError, JourneyError) as error:
            raise CommandError(str(error)) from error
        if failed:
            raise SystemExit(1)


class FramePrinter:
    """Prints one frame a line."""

    def __init__(self, out: OutputWrapper) -> None:
        self._out = out

    def show(self, entry: Entry) -> None:
        """Print a frame."""
        self._out.write(entry.text)
        self._out.flush()


class AnswerPrinter:
    """Prints what a member sees: what is being done, the answer as it is written, its sources, what to ask next."""

    def __init__(self, out: OutputWrapper) -> None:
        self._out = out
        self._sources: list[dict[str, Any]] = []
        self._writing = False

    def show(self, entry: Entry) -> None:
        """Print what a frame adds."""
        data = entry.data
        match entry.type:
            case events.Status.type:
                self._line(f"... {data['label']}")
            case events.AnswerDelta.type:
                self._out.write(data["text"], ending="")
                self._out.flush()
                self._writing = True
            case events.SourcesFound.type:
                self._sources = data["sources"]
            case events.AnswerDone.type:
                self._show_sources(data["sources_used"])
            case events.ClarificationAsked.type:
                self._line(data["question"], *(f"- {option}" for option in data["options"]))
            case events.SuggestionsReady.type:
                self._line(*(f"> {suggestion['text']}" for suggestion in data["suggestions"]))
            case events.TurnDone.type:
                self._line(f"({data['status']})")
            case events.TurnFailed.type:
                self._line(f"({data['status']}: {data['message']})")
            case events.TurnSnapshot.type:
                self._line(data["answer"], f"({data['status']})")

    def _show_sources(self, used: list[int]) -> None:
        cited = [source for source in self._sources if source["number"] in used]
        self._line(*(f"[{source['number']}] {source['title']} ({source['authority']})" for source in cited))

    def _line(self, *lines: str) -> None:
        if self._writing:
            self._out.write("\n")
            self._writing = False
        for line in lines:
            self._out.write(line)
        self._out.flush()


async def _ask(asker: Member, conversation_id: str, question: str, printer: FramePrinter | AnswerPrinter) -> bool:
    """Ask on a loop of its own and show every frame; whether the turn failed."""
    station = await wiring.open_clients()
    runs.use_loop(asyncio.get_running_loop())
    try:
        conversation = await write(_conversation, asker, conversation_id)
        turn = await write(turn_send, member=asker, conversation_id=conversation.pk, question=question)
        follower = Follower(conversation=str(conversation.pk), turn=str(turn.pk))
        async with aclosing(Following(station, follower, starts={str(turn.pk): 0}).items()) as items:
            async for item in items:
                if isinstance(item, Entry):
                    printer.show(item)
        return await write(_failed, turn)
    finally:
        await runs.drain(0)
        runs.use_loop(None)
        await wiring.close_clients()


def _conversation(asker: Member, conversation_id: str) -> Conversation:
    if conversation_id:
        return selectors.conversation_get(member=asker, conversation_id=conversation_id)
    return services.conversation_create(member=asker)


def _failed(turn: Turn) -> bool:
    turn.refresh_from_db(fields=["status"])
    return turn.status in (Turn.Status.FAILED, Turn.Status.INTERRUPTED)


def _member(email: str) -> Member:
    """The member who asks. Raises CommandError when there is none."""
    active = Member.objects.filter(is_active=True)
    if email:
        asker = active.filter(email__iexact=email).first() if email.isprintable() else None
        if asker is None:
            raise CommandError(f"There is no active member {email}.")
        return asker
    asker = active.filter(email=DEMO_MEMBER).first() or active.order_by("date_joined").first()
    if asker is None:
        raise CommandError("There is no member yet who could ask: make one, or name one with --as.")
    return asker
