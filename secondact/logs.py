"""One JSON object a line. Code that knows its turn logs with `extra={"turn": id}`; it becomes a field of the line."""

from pythonjsonlogger.json import JsonFormatter


class LogFormatter(JsonFormatter):
    """Time in UTC, level, logger, message, the turn's id where there is one, and whatever else was passed as extra."""

    def __init__(self) -> None:
        super().__init__(
            "%(levelname)s %(name)s %(message)s",
            rename_fields={"levelname": "level", "name": "logger"},
            timestamp="time",
            json_default=str,
            json_ensure_ascii=False,
        )
