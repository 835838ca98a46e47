import json
import logging

from secondact.logs import LogFormatter


def line_of(message: str, **extra: object) -> dict[str, object]:
    record = logging.getLogger("pipeline.runs").makeRecord(
        "pipeline.runs", logging.WARNING, "file", 1, message, (), None, extra=extra
    )
    found: dict[str, object] = json.loads(LogFormatter().format(record))
    return found


def test_a_line_is_json_with_time_level_and_logger() -> None:
    line = line_of("begun\nand\tmore")
    assert {name: line[name] for name in ("level", "logger", "message")} == {
        "level": "WARNING",
        "logger": "pipeline.runs",
        "message": "begun\nand\tmore",
    }
    assert str(line["time"]).endswith("+00:00")


def test_the_turn_of_a_message_is_a_field_of_its_line() -> None:
    assert line_of("begun", turn="0f8e")["turn"] == "0f8e"
