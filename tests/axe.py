"""Accessibility faults that axe-core finds in a page."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page


def axe_violations(page: "Page") -> list[str]:
    """Each fault with the elements that have it; empty when none is found."""
    from axe_playwright_python.sync_playwright import Axe

    # The protocol puts the library into the page beside its own scripts, so the page's policy stays as it is.
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate("axe.run({resultTypes: ['violations']}).then(({violations}) => violations)")
    return [f"{each['id']}: {[node['target'] for node in each['nodes']]} {each['help']}" for each in found]
