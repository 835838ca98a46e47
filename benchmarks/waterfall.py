"""One turn as a picture: what ran when, and what waited for what."""

from pathlib import Path

from benchmarks.timed_provider import Seen, Span

_COLOURS = {"model": "#7a4fbf", "embedding": "#c2702d", "search": "#2f7d6d", "turn": "#8a8f98"}
_LABELS = {
    "intent": "intent (Haiku)",
    "answer": "answer (Sonnet)",
    "suggestions": "suggestions (Haiku)",
    "embeddings": "query embedding (OpenAI)",
    "vector": "vector channel",
    "keyword": "keyword channel",
    "concept_names": "concepts of the question",
    "edges": "graph: relationships",
    "persona_chunks": "graph: persona chunks",
    "relations": "graph: names",
    "read": "read what was found",
}
_MODELS = ("intent", "answer", "suggestions")


def spans_of(seen: Seen) -> list[Span]:
    """Every part of the turn in the order in which it began."""
    calls = [Span(call.node, call.arrived, call.ended_at) for call in seen.calls]
    return sorted([*calls, *seen.spans], key=lambda span: (span.began, span.ended))


def draw(seen: Seen, path: Path) -> None:
    """Write the picture, as PNG or SVG by the ending of its name."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    spans = spans_of(seen)
    figure, axes = pyplot.subplots(figsize=(10, 0.42 * len(spans) + 1.4), dpi=120)
    for row, span in enumerate(spans):
        colour = _COLOURS["model" if span.name in _MODELS else "embedding" if span.name == "embeddings" else "search"]
        left, width = (span.began - seen.began) * 1000, (span.ended - span.began) * 1000
        axes.barh(row, width, left=left, color=colour, height=0.62)
        axes.text(left + width + 6, row, f"{width:.0f}", va="center", fontsize=8, color="#44484f")
    for moment, name in ((seen.first_word, "first word"), (seen.answer_done, "answer whole"), (seen.ended, "end")):
        at = (moment - seen.began) * 1000
        axes.axvline(at, color=_COLOURS["turn"], linewidth=1, linestyle="--")
        axes.text(at, -0.95, name, ha="right", fontsize=8, color="#44484f", rotation=0)
    axes.set_yticks(range(len(spans)), [_LABELS.get(span.name, span.name) for span in spans], fontsize=9)
    axes.invert_yaxis()
    axes.set_xlabel("milliseconds since the question was taken up")
    axes.set_xlim(0, (seen.ended - seen.began) * 1000 * 1.06)
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path)
    pyplot.close(figure)
