// The sources of an answer: those it uses, and those that were read beside them.

import { el } from "./elements.js";
import { numbersUsed } from "./turn.js";
import { authorityOf, contentTypeOf, placeOfLocator } from "./words.js";

/** An authority by shape and word. */
export function authorityLabel(code) {
  const { shape, word, known } = authorityOf(code);
  return el("span", { class: known ? `authority ${code}` : "authority" }, el("span", { "aria-hidden": "true" }, shape), ` ${word}`);
}

/** The two lists; null when there is nothing to show. */
export function sourcesView(turn, open, wasOpen) {
  if (!turn.sources.length) return null;
  const used = numbersUsed(turn);
  const item = (source) => sourceItem(source, open, quotesOf(turn, source));
  const cited = turn.sources.filter(({ number }) => used.has(number));
  const others = turn.sources.filter(({ number }) => !used.has(number));
  // A group, not a landmark: a long conversation has many of the same name.
  return el(
    "div",
    { role: "group", "aria-label": "Sources" },
    cited.length > 0 && el("h3", { class: "part" }, "Sources used"),
    cited.length > 0 && el("ul", { class: "used" }, ...cited.map(item)),
    others.length > 0 && alsoRead(turn.id, others.map(item), wasOpen),
  );
}

// Not a <details>: on paper the list has to show, open or not.
function alsoRead(turn, items, wasOpen) {
  const list = el("ul", { id: `also-${turn}`, hidden: !wasOpen }, ...items);
  const button = el(
    "button",
    { type: "button", class: "quiet", "aria-expanded": String(wasOpen), "aria-controls": list.id, onclick: () => toggle() },
    `Also read (${items.length})`,
  );
  const toggle = () => {
    list.hidden = !list.hidden;
    button.setAttribute("aria-expanded", String(!list.hidden));
  };
  return el("div", { class: "also" }, button, list);
}

function sourceItem(source, open, quotes) {
  const place = placeOfLocator(source.locator);
  return el(
    "li",
    {},
    el(
      "button",
      { type: "button", class: "source", onclick: () => open(source) },
      el("span", { class: "number" }, String(source.number)),
      el(
        "span",
        { class: "about" },
        el("span", { class: "title" }, source.title),
        el("span", { class: "facts" }, authorityLabel(source.authority), el("span", {}, contentTypeOf(source.content_type)), place && el("span", {}, place)),
      ),
    ),
    el("div", { class: "on-paper" }, ...quotes.map((quote) => el("p", {}, `“${quote}”`)), source.link && el("p", {}, source.link)),
  );
}

function quotesOf(turn, source) {
  const quotes = turn.citations.filter((citation) => citation.source === source.number).map((citation) => citation.quote);
  return [...new Set(quotes.filter(Boolean))];
}
