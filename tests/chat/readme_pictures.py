"""The pictures of the page in README, from the running product: python -m tests.chat.readme_pictures [address].

It signs in as the demo member of `make run` and asks three questions of the sample library.
"""

import os
import sys
from pathlib import Path

from secondact.env import ROOT
from tests.chat.chromium import ARGUMENTS, CHROMIUM

FOLDER = ROOT / "docs" / "images"
QUESTIONS = (
    "What do I do with the fear of failing?",
    "How do I test an idea before I quit my job?",
    "What is the first step if I want to change careers at 50?",
)
PICTURES = {"chat": (1280, 1000, "light"), "chat-dark": (1280, 1000, "dark"), "chat-phone": (390, 844, "light")}


def main(address: str) -> None:
    """Take them."""
    from playwright.sync_api import sync_playwright

    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.set_default_timeout(60_000)
        page.goto(f"{address}/chat/")
        page.fill("[name=login]", "member@example.org")
        page.fill("[name=password]", os.environ.get("SECONDACT_DEMO_PASSWORD", "secondact"))
        page.click("main button")
        page.wait_for_url("**/chat/")
        for question in QUESTIONS:
            page.goto(f"{address}/chat/")
            page.fill("#question", question)
            page.keyboard.press("Enter")
            page.locator(".suggestions button").first.wait_for()
            page.locator("#send").wait_for()
            page.locator("[aria-current=page] .title", has_text=question).wait_for()
        page.evaluate("document.activeElement.blur()")
        for name, (width, height, scheme) in PICTURES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.evaluate("scrollTo(0, 0)")
            page.evaluate("document.fonts.ready")
            page.screenshot(path=Path(FOLDER, f"{name}.png"))
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
