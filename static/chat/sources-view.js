// The sources of an answer: those it uses, and those that were read beside them.

import { el } from "./elements.js";
import { numbersUsed } from "./turn.js";
import { authorityOf, contentTypeOf } from "./words.js";

/** An authority by shape and word. */
export function authorityLabel(code) {
  const { shape, word } = authorityOf(code);
  return el("span", { class: `authority ${code in { primary: 1 } ? "first" : ""}` }, el("span", { "aria-hidden": "true" }, shape), ` ${word}`);
}

function sourceItem(source, open) {
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
        el("span", { class: "small" }, authorityLabel(source.authority), ` · ${contentTypeOf(source.content_type)}`),
      ),
    ),
  );
}

/** The two lists; null when there is nothing to show. */
export function sourcesView(turn, open, wasOpen) {
  if (!turn.sources.length) return null;
  const used = numbersUsed(turn);
  const cited = turn.sources.filter(({ number }) => used.has(number));
  const others = turn.sources.filter(({ number }) => !used.has(number));
  return el(
    "section",
    { class: "sources", "aria-label": "Sources" },
    cited.length > 0 && el("h3", {}, "Sources used"),
    cited.length > 0 && el("ul", {}, ...cited.map((source) => sourceItem(source, open))),
    others.length > 0 &&
      el(
        "details",
        { open: wasOpen },
        el("summary", {}, `Also read (${others.length})`),
        el("ul", {}, ...others.map((source) => sourceItem(source, open))),
      ),
  );
}
