"""WebVTT and SRT transcripts: cues joined to paragraphs, each with its speaker and the time at which it begins."""

import html
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

import webvtt
from webvtt.errors import MalformedCaptionError, MalformedFileError

from corpus.errors import UnreadableFile
from corpus.ingestion.clean import one_line
from corpus.ingestion.readers.decoding import decode
from corpus.ingestion.sections import Outline, Reading

_VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]{1,80})>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][^<>]{0,80}>|<\d[\d:.]*>|\{\\[^{}]{0,40}\}", re.IGNORECASE)
"""Of WebVTT, of SRT, and the positions that some programs write into SRT."""
_NAMED = re.compile(r"(?:>>\s*)?(?P<name>[^\W\d_][\w.'’-]*(?: [\w.'’-]+){0,3}):\s+(?=\S)")
"""A speaker written out before what is said."""
_PAUSE = 4
"""Seconds of silence that end a paragraph."""
_ENOUGH = 400
"""Characters after which a paragraph ends with its sentence."""
_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*$")
_NO_TIMES = "There are no times with text in the file: it is no {} transcript, whatever its name says."


@dataclass(slots=True)
class _Said:
    """Something that one speaker says without a pause."""

    speaker: str
    start: int
    """Seconds."""
    end: int
    text: str

    @property
    def in_words(self) -> str:
        return f"{self.speaker}: {self.text}" if self.speaker else self.text


def read_webvtt(data: bytes) -> Reading:
    """The paragraphs of a WebVTT file, in one section. Raises UnreadableFile."""
    return _read(data, "vtt", "WebVTT")


def read_srt(data: bytes) -> Reading:
    """The paragraphs of an SRT file, in one section. Raises UnreadableFile."""
    return _read(data, "srt", "SRT")


def _read(data: bytes, form: str, name: str) -> Reading:
    decoded = decode(data)
    try:
        found = webvtt.from_buffer(io.StringIO(decoded.text.lstrip()), format=form)
    except (MalformedFileError, MalformedCaptionError) as error:
        raise UnreadableFile(_NO_TIMES.format(name)) from error
    if not found.captions:
        raise UnreadableFile(_NO_TIMES.format(name))
    outline = Outline()
    for said in _paragraphs(found):
        outline.place({"time": _time_code(said.start)})
        outline.block(said.in_words)
    title = one_line(found.header_text).lstrip("-–— ")
    return Reading(sections=outline.sections(), title=title, warnings=decoded.warnings)


def _paragraphs(found: webvtt.WebVTT) -> Iterator[_Said]:
    paragraph: _Said | None = None
    for said in _parts(found):
        if paragraph is None or _parted(paragraph, said):
            if paragraph is not None:
                yield paragraph
            paragraph = said
        else:
            paragraph.text += f" {said.text}"
            paragraph.end = said.end
    if paragraph is not None:
        yield paragraph


def _parted(before: _Said, said: _Said) -> bool:
    if said.speaker != before.speaker or said.start - before.end >= _PAUSE:
        return True
    return len(before.text) >= _ENOUGH and _SENTENCE_END.search(before.text) is not None


def _parts(found: webvtt.WebVTT) -> Iterator[_Said]:
    """What is said in each cue, by speaker; a line that rolls up from the cue before is not said again."""
    speaker, shown = "", ""
    for caption in found.captions:
        voice = ""
        for raw in caption.lines:
            if named := _VOICE.search(raw):
                voice = one_line(html.unescape(named[1]))
            text = one_line(html.unescape(_TAG.sub("", raw)))
            if not text or text == shown:
                continue
            shown = text
            if written := _NAMED.match(text):
                speaker, text = written["name"], text[written.end() :]
            elif voice:
                speaker = voice
            elif text.startswith((">>", "- ")):
                speaker, text = "", text.lstrip("->").strip()
            yield _Said(speaker, caption.start_in_seconds, caption.end_in_seconds, text)


def _time_code(seconds: int) -> str:
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
