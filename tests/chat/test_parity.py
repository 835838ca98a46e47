"""What the page shows, what the stream tells and what is stored afterwards is one and the same."""

import json
from typing import Any

import httpx
import pytest

from tests.chat.conftest import Desk
from tests.chat.played_turns import RICH

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: no browser tests").expect

Shown = dict[str, Any]
WORDS = {each: each.capitalize() for each in ("primary", "supplementary", "illustrative", "supporting")}
TOLD = ("sources", "citations", "suggestions")


def streamed(desk: Desk, turn: str) -> Shown:
    """The turn as a client of the events folds it."""
    told: Shown = {"answer": "", "citations": []}
    address = f"{desk.served.address}/api/v1/turns/{turn}/events"
    with httpx.stream("GET", address, cookies={"sessionid": desk.session}, timeout=20) as response:
        frames = [json.loads(line[6:]) for line in response.iter_lines() if line.startswith("data: ")]
    assert [frame["seq"] for frame in frames] == list(range(1, len(frames) + 1))
    for frame in frames:
        data = frame["data"]
        match frame["type"]:
            case "answer.delta":
                told["answer"] += data["text"]
            case "answer.citation":
                told["citations"].append(data)
            case "sources.found":
                told["sources"] = data["sources"]
            case "answer.done":
                told["sources_used"] = data["sources_used"]
            case "suggestions.ready":
                told["suggestions"] = data["suggestions"]
    return told


def shown(desk: Desk) -> Shown:
    """The turn as it stands in the page, with what its citations open."""
    page = desk.page
    page.get_by_role("button", name="Also read").click()
    sources = page.eval_on_selector_all(
        ".sources li",
        """(items) => items.map((item) => ({
          number: Number(item.querySelector(".number").textContent),
          title: item.querySelector(".title").textContent,
          authority: item.querySelector(".authority").lastChild.data.trim(),
          used: Boolean(item.closest(".used")),
        }))""",
    )
    citations = []
    for each in page.locator(".cite").all():
        before = each.evaluate(
            """(cite) => {
              const range = document.createRange();
              range.setStart(cite.closest(".block"), 0);
              range.setEndBefore(cite);
              return range.toString();
            }"""
        )
        each.click()
        quote = page.locator("#source mark").text_content()
        page.keyboard.press("Escape")
        citations.append({"source": int(each.inner_text()), "quote": quote, "before": before})
    suggestions = page.eval_on_selector_all(
        ".suggestions button",
        """(buttons) => buttons.map((button) => ({
          text: button.firstChild.data,
          reason: button.querySelector(".reason").textContent,
        }))""",
    )
    return {"sources": sources, "citations": citations, "suggestions": suggestions}


def test_page_stream_and_stored_turn_show_the_same_sources_tiers_citations_and_suggestions(desk: Desk) -> None:
    page = desk.page
    desk.ask("rich question")
    expect(page.locator(".suggestions button")).to_have_count(3)
    expect(page.locator("#send")).to_be_visible()
    turn = str(page.locator(".turn h2").get_attribute("id")).removeprefix("turn-")
    stored = desk.api(f"turns/{turn}")
    told = streamed(desk, turn)
    seen = shown(desk)

    assert {name: stored[name] for name in (*TOLD, "answer", "sources_used")} == told
    assert stored["answer"] == RICH.answer
    assert sorted(seen["sources"], key=lambda source: source["number"]) == [
        {
            "number": source["number"],
            "title": source["title"],
            "authority": WORDS[source["authority"]],
            "used": source["number"] in stored["sources_used"],
        }
        for source in stored["sources"]
    ]
    assert seen["suggestions"] == stored["suggestions"]
    assert len(seen["citations"]) == len(stored["citations"]) == 2
    for there, citation in zip(seen["citations"], stored["citations"], strict=True):
        assert (there["source"], there["quote"]) == (citation["source"], citation["quote"])
        assert there["before"].endswith(stored["answer"][citation["start"] : citation["end"]])
