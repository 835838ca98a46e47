import pytest

from corpus.errors import UnreadableFile
from corpus.ingestion.readers.captions import read_srt, read_webvtt
from corpus.ingestion.sections import Reading

TALK = """WEBVTT - A talk about plums

NOTE made by hand

STYLE
::cue { color: red }

1
00:00:01.000 --> 00:00:03.000 align:start
<v Ann Reed>Plums are &amp; remain <i>small</i>
fruit.

00:00:03.500 --> 00:00:05.000
<v.loud Bob>Are they?</v>
<v Ann Reed>They are.

01:02:03.000 --> 01:02:05.000
<v Ann Reed><01:02:04.000>Much later.
"""


def said(reading: Reading) -> list[tuple[str, str]]:
    return [(block.locator["time"], block.text) for section in reading.sections for block in section.blocks]


def test_a_webvtt_file_keeps_speakers_and_times() -> None:
    reading = read_webvtt(TALK.encode())
    assert said(reading) == [
        ("0:00:01", "Ann Reed: Plums are & remain small fruit."),
        ("0:00:03", "Bob: Are they?"),
        ("0:00:03", "Ann Reed: They are."),
        ("1:02:03", "Ann Reed: Much later."),
    ]
    assert reading.title == "A talk about plums"


def test_an_srt_file_keeps_written_speakers_and_drops_marks() -> None:
    srt = (
        "1\r\n00:00:01,000 --> 00:00:02,000\r\n{\\an8}ANN: <font color=red>Good</font> day.\r\n\r\n"
        "2\r\n00:00:02,000 --> 00:00:03,000\r\nIt is late.\r\n\r\n"
        "3\r\n00:00:03,100 --> 00:00:04,000\r\nBob Ray: At 10:30.\r\n"
    )
    assert said(read_srt(b"\xef\xbb\xbf" + srt.encode())) == [
        ("0:00:01", "ANN: Good day. It is late."),
        ("0:00:03", "Bob Ray: At 10:30."),
    ]


def test_a_line_that_rolls_up_is_said_once() -> None:
    rolled = "WEBVTT\n\n00:01.000 --> 00:02.000\none line\n\n00:02.000 --> 00:03.000\none line\nand another\n"
    assert said(read_webvtt(rolled.encode())) == [("0:00:01", "one line and another")]


def test_a_long_speech_is_parted_at_a_sentence_and_at_a_pause() -> None:
    cues = [f"00:{at:02}:00.000 --> 00:{at:02}:59.000\n{'word ' * 30}end {at}." for at in range(6)]
    cues.append("00:09:00.000 --> 00:09:10.000\nafter the pause")
    found = said(read_webvtt(("WEBVTT\n\n" + "\n\n".join(cues)).encode()))
    assert [time for time, _ in found] == ["0:00:00", "0:03:00", "0:09:00"]
    assert found[0][1].endswith("end 2.")


@pytest.mark.parametrize("read", [read_webvtt, read_srt], ids=["webvtt", "srt"])
@pytest.mark.parametrize(
    "data",
    [b"Just a letter.\n", b"WEBVTT\n\nNOTE nothing\n", b"1\nno time\nhere\n", b""],
    ids=["text", "note", "no-time", "empty"],
)
def test_a_file_without_times_is_refused_in_one_sentence(read: object, data: bytes) -> None:
    with pytest.raises(UnreadableFile, match="no times with text"):
        read(data)  # type: ignore[operator]


def test_a_time_that_cannot_be_does_not_lose_the_other_cues() -> None:
    data = b"WEBVTT\n\n00:99:00.000 --> 00:99:01.000\nlost\n\n00:01.000 --> 00:02.000\nkept\n"
    assert [text for _, text in said(read_webvtt(data))] == ["kept"]
