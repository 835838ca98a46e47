"""Pictures that browser tests leave behind, to be looked at: artefacts/screenshots/<name>-<width>-<scheme>.png."""

from typing import TYPE_CHECKING

from secondact.env import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOLDER = ROOT / "artefacts" / "screenshots"


def shoot(page: "Page", name: str, *, whole: bool = False) -> None:
    """Keep a picture of what is seen, or of the whole page; its width and colour scheme are read from the page."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    width = page.evaluate("innerWidth")
    scheme = "dark" if page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") else "light"
    page.screenshot(path=FOLDER / f"{name}-{width}-{scheme}.png", full_page=whole)
