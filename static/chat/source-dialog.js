// What a citation opens: the source's title, authority and place, and the words that were quoted, in their passage.

import { call } from "./api.js";
import { byId, el } from "./elements.js";
import { authorityLabel } from "./sources-view.js";
import { authorityOf, contentTypeOf, placeOfLocator } from "./words.js";

const CHUNKS_READ = 8;

let opened = 0;

/** Open the dialog of a source; with a citation, its words are marked. */
export async function openSource(source, quotes) {
  const mine = ++opened;
  const dialog = byId("source");
  byId("source-title").textContent = `${source.number}. ${source.title}`;
  draw(source, quotes, { state: "Loading the passage …" });
  if (!dialog.open) dialog.showModal();
  try {
    const found = await read(source, quotes);
    if (mine === opened) draw(source, quotes, { found });
  } catch (error) {
    const gone = error.status === 404;
    const state = gone ? "This source is no longer in the library." : error.message;
    if (mine === opened) draw(source, quotes, { state, gone });
  }
}

// A source may go on in the chunks after its first one: read on until every quoted word is found.
async function read(source, quotes) {
  const of = (chunk) => call("GET", `documents/${encodeURIComponent(source.document)}?chunk=${encodeURIComponent(chunk)}`);
  const found = await of(source.chunk);
  const run = [found.chunk];
  const missing = () => quotes.some((quote) => !run.some(({ text }) => text.includes(quote)));
  while (missing() && run.at(-1).next && run.length < CHUNKS_READ) run.push((await of(run.at(-1).next)).chunk);
  if (missing()) return found;
  const shown = run.slice(Math.max(0, run.findIndex(({ text }) => quotes.some((quote) => text.includes(quote)))));
  const text = (quotes.length ? shown : run).map((chunk) => chunk.text).join("\n\n");
  return { ...found, chunk: { ...(shown[0] ?? run[0]), text } };
}

function draw(source, quotes, { found = null, state = "", gone = false }) {
  const chunk = found?.chunk;
  // What was taken out of the library is not shown from memory, but for the words that the answer quotes anyway.
  const text = gone ? "" : (chunk?.text ?? source.excerpt);
  const place = [(chunk?.heading_path ?? []).join(" › "), placeOfLocator(chunk?.locator ?? source.locator)].filter(Boolean).join(" · ");
  const link = !gone && /^https?:\/\//i.test(source.link) && source.link;
  byId("source-body").replaceChildren(
    ...[
      el(
        "div",
        { class: "facts" },
        el("p", {}, authorityLabel(source.authority), ` ${authorityOf(source.authority).means}`),
        el("p", { class: "soft" }, [contentTypeOf(source.content_type), found?.creator].filter(Boolean).join(", by ")),
        place && el("p", { class: "soft" }, el("strong", {}, "Place: "), place),
      ),
      state && el("p", { class: "notice", role: "status" }, state),
      // Words that stand in the passage are marked there; those that it no longer holds are shown by themselves.
      ...quotedWords(quotes.filter((quote) => !text.includes(quote))),
      text && el("h3", { class: "part" }, "The passage"),
      text && el("blockquote", { class: "passage" }, ...withMarks(text, quotes)),
      link && el("p", {}, el("a", { href: link, rel: "noopener noreferrer", target: "_blank" }, "Open the original (new tab)")),
    ].filter(Boolean),
  );
  byId("source-body").querySelector("mark")?.scrollIntoView({ block: "nearest" });
}

function quotedWords(quotes) {
  if (!quotes.length) return [];
  return [el("h3", { class: "part" }, "Quoted words"), ...quotes.map((quote) => el("blockquote", { class: "quoted" }, quote))];
}

function withMarks(text, quotes) {
  const parts = [];
  let from = 0;
  const spans = quotes
    .map((quote) => ({ at: text.indexOf(quote), length: quote.length }))
    .filter(({ at, length }) => at >= 0 && length > 0)
    .sort((one, other) => one.at - other.at);
  for (const { at, length } of spans) {
    if (at < from) continue;
    parts.push(text.slice(from, at), el("mark", {}, text.slice(at, at + length)));
    from = at + length;
  }
  return [...parts, text.slice(from)];
}
