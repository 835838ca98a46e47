"""What leaves the server: an answer's text as it streams, checked on its way.

Nothing is changed after it was sent, so whatever could still turn out to be a source's number, a link, an image, a tag
or a quotation is held back until it is known. Numbers of sources become marks, links and images go, quotation marks
stay only where a source says the words (pipeline/quotations.py).
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipeline.quotations import by_number, keeps_marks
from pipeline.sentences import last_sentence
from pipeline.turn import Source

_QUOTATION_LIMIT = 400
_BRACKET_LIMIT = 200
_LINK_LIMIT = 2_000
_TAG_LIMIT = 300
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_LINK_REMOVED = "(link left out)"

_CLOSING = {"“": "”", "„": "“”", "«": "»", "»": "«", "‘": "’", '"': '"'}
_SPECIAL = re.compile(r"[\[!<“„«»‘\"]|https?://|www\.", re.IGNORECASE)
_URL_BEGINNING = re.compile(r"(?:^|(?<=\W))(?:h|ht|htt|https?|https?:/?|w{1,3})$", re.IGNORECASE)
_URL = re.compile(r"(?:https?://|www\.)[^\s<>\[\]()\"“”«»]*", re.IGNORECASE)
_BRACKET = re.compile(r"\[([^\[\]\n]{0,200})\]")
_TARGET = re.compile(r"\(([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)")
_NUMBERS = re.compile(r"\s*\d{1,3}(?:\s*[,;]\s*\d{1,3})*\s*")


@dataclass(frozen=True, slots=True)
class Mark:
    """That a source was named here by its number, for the span [start, end) of the text sent so far."""

    source: int
    claim: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Resolved:
    """What became of the first `size` characters held back."""

    size: int
    text: str = ""
    numbers: tuple[int, ...] = ()


class OutgoingText:
    """The text of one answer on its way out. `feed` it what the model writes, then `close` it."""

    def __init__(self, sources: Sequence[Source] = (), *, sent: str = "", quotations: bool = True) -> None:
        self._sources = by_number(sources)
        self._links = {source.link for source in sources if source.link}
        self._quotations = quotations
        self._sent = sent
        self._held = ""
        self._space = ""
        self._read = len(sent)
        self._last = ""
        self._raw_at = [0]
        self._sent_at = [0]

    @property
    def text(self) -> str:
        """All that was sent."""
        return self._sent

    @property
    def settled(self) -> int:
        """How many of the model's characters are decided upon."""
        return self._read - len(self._held)

    def place(self, raw: int) -> int:
        """Where the model's character number `raw` stands in the text that was sent."""
        index = bisect_right(self._raw_at, raw) - 1
        upper = self._sent_at[index + 1] if index + 1 < len(self._sent_at) else len(self._sent)
        return min(self._sent_at[index] + raw - self._raw_at[index], upper)

    def feed(self, text: str) -> list[str | Mark]:
        """What may go out now that this came in."""
        # One for one, so that the model's positions stay right.
        self._held += _UNSTORABLE.sub("\ufffd", text)
        self._read += len(text)
        return self._resolve(final=False)

    def close(self) -> list[str | Mark]:
        """What is left to go out at the end."""
        return self._resolve(final=True)

    def _resolve(self, *, final: bool) -> list[str | Mark]:
        out: list[str | Mark] = []
        while self._held:
            found = _SPECIAL.search(self._held)
            plain = self._held[: found.start()] if found else self._held
            if not found and not final and (tail := _URL_BEGINNING.search(plain)):
                plain = plain[: tail.start()]
                if not plain:
                    break
            if plain:
                out.extend(self._send(_Resolved(len(plain), plain)))
                continue
            resolved = self._special(self._held, final)
            if resolved is None:
                break
            out.extend(self._send(resolved))
        return out

    def _special(self, held: str, final: bool) -> _Resolved | None:
        """What becomes of the special thing that the held text begins with; None when it cannot be known yet."""
        handlers: dict[str, Callable[[str, bool], _Resolved | None]] = {
            "[": self._bracket,
            "!": self._image,
            "<": self._tag,
        }
        handler = handlers.get(held[0]) or (self._quotation if held[0] in _CLOSING else self._url)
        return handler(held, final)

    def _bracket(self, held: str, final: bool) -> _Resolved | None:
        if self._indexes():
            return _Resolved(1, "[")
        found = _BRACKET.match(held)
        if found is None:
            open_still = len(held) <= _BRACKET_LIMIT and not re.search(r"[\[\n]", held[1:])
            return None if open_still and not final else _Resolved(1, "[")
        if len(held) == found.end() and not final:
            return None
        if held[found.end() : found.end() + 1] == "(":
            return self._link(held, found, final)
        numbers = self._numbers(found[1])
        return _Resolved(found.end(), "", numbers) if numbers else _Resolved(1, "[")

    def _link(self, held: str, label: re.Match[str], final: bool) -> _Resolved | None:
        target = _TARGET.match(held, label.end())
        if target is None:
            open_still = len(held) <= _LINK_LIMIT and "\n" not in held[label.end() :]
            return None if open_still and not final else _Resolved(label.end(), without_links(label[1]))
        if target[1].split(" ")[0] in self._links:
            return _Resolved(target.end(), held[: target.end()])
        numbers = self._numbers(label[1])
        return _Resolved(target.end(), "" if numbers else without_links(label[1]), numbers)

    def _image(self, held: str, final: bool) -> _Resolved | None:
        if len(held) == 1:
            return _Resolved(1, "!") if final else None
        label = _BRACKET.match(held, 1)
        if held[1] != "[" or (label is None and (final or len(held) > _BRACKET_LIMIT)):
            return _Resolved(1, "!")
        if label is None or (len(held) == label.end() and not final):
            return None
        target = _TARGET.match(held, label.end())
        if target:
            return _Resolved(target.end(), without_links(label[1]))
        open_still = held[label.end() : label.end() + 1] == "(" and len(held) <= _LINK_LIMIT
        return None if open_still and not final else _Resolved(1, "!")

    def _tag(self, held: str, final: bool) -> _Resolved | None:
        if len(held) == 1 and not final:
            return None
        if not re.match(r"<[A-Za-z/!?]", held):
            return _Resolved(1, "<")
        end = held.find(">", 0, _TAG_LIMIT)
        if end < 0:
            return None if len(held) < _TAG_LIMIT and not final else _Resolved(1)
        return _Resolved(end + 1, held[1:end] if held[1:end] in self._links else "")

    def _url(self, held: str, final: bool) -> _Resolved | None:
        found = _URL.match(held)
        assert found is not None
        if found.end() == len(held) and not final and len(held) < _LINK_LIMIT:
            return None
        url = found[0].rstrip(".,;:!?'’")
        return _Resolved(len(url), url if url in self._links else _LINK_REMOVED)

    def _quotation(self, held: str, final: bool) -> _Resolved | None:
        mark = held[0]
        if not self._quotations or (mark == '"' and (self._sent + self._space)[-1:].isdigit()):
            return _Resolved(1, mark)
        end = _closing_at(held)
        if end is None or "\n\n" in held[:end]:
            open_still = len(held) <= _QUOTATION_LIMIT and "\n\n" not in held
            return None if open_still and not final else _Resolved(1)
        inner = OutgoingText(tuple(self._sources.values()), sent=self._sent + self._space, quotations=False)
        before = len(inner.text)
        parts = [*inner.feed(held[1:end]), *inner.close()]
        words = inner.text[before:]
        numbers = tuple(part.source for part in parts if isinstance(part, Mark))
        kept = keeps_marks(words, inner.text, held[end + 1 :], self._sources.values(), final=final)
        if kept is None:
            return None
        return _Resolved(end + 1, mark + words + held[end] if kept else words, numbers)

    def _indexes(self) -> bool:
        """Whether the bracket would be an index, as in x[1]: after a lone letter, a name_ or a closed parenthesis."""
        if not (self._last.isalnum() or self._last == "_"):
            return self._last == ")"
        return bool(re.search(r"(?:\b[A-Za-z]|\w_\w*)$", self._sent[-20:]))

    def _numbers(self, label: str) -> tuple[int, ...]:
        if not _NUMBERS.fullmatch(label):
            return ()
        numbers = tuple(int(number) for number in re.findall(r"\d+", label))
        return numbers if all(number in self._sources for number in numbers) else ()

    def _send(self, resolved: _Resolved) -> list[str | Mark]:
        """Send what was resolved. White space waits for what follows: before a source's number it goes."""
        raw = self.settled
        self._last = self._held[resolved.size - 1]
        self._held = self._held[resolved.size :]
        out: list[str | Mark] = []
        body = resolved.text.rstrip()
        if body:
            if not self._sent:
                raw += len(body) - len(body.lstrip())
                body = body.lstrip()
            out.append(self._space + body)
            self._raw_at.append(raw)
            self._sent_at.append(len(self._sent) + len(self._space))
            self._sent += self._space + body
            self._space = ""
        if self._sent:
            self._space += resolved.text[len(resolved.text.rstrip()) :]
        if resolved.numbers:
            self._space = ""
            start, end = last_sentence(self._sent)
            out.extend(Mark(number, self._sent[start:end], start, end) for number in resolved.numbers)
        return out


def without_links(text: str) -> str:
    """The text without links, images and tags, at once."""
    outgoing = OutgoingText(quotations=False)
    outgoing.feed(text)
    outgoing.close()
    return outgoing.text


def _closing_at(held: str) -> int | None:
    """Where the quotation that begins the text closes; an apostrophe inside a word does not close one."""
    closers = _CLOSING[held[0]]
    for index in range(1, min(len(held), _QUOTATION_LIMIT + 1)):
        if held[index] in closers and not (held[index] == "’" and held[index + 1 : index + 2].isalpha()):
            return index
    return None
