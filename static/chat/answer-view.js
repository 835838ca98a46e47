// The answer as it grows: only blocks that changed are drawn anew, so that selection and focus elsewhere stay.

import { el } from "./elements.js";
import { answerBlocks, safeBlock } from "./render.js";

/** Draws an answer into `element`; `open(citation)` is called when one of its numbers is chosen. */
export class AnswerView {
  #drawn = [];
  #citations = [];

  constructor(open) {
    this.open = open;
    this.element = el("div", { class: "answer" });
  }

  draw(turn) {
    this.#citations = turn.citations;
    const blocks = answerBlocks(turn.answer, turn.citations);
    blocks.forEach((html, index) => this.#place(html, index, turn));
    while (this.#drawn.length > blocks.length) this.#drawn.pop().node.remove();
  }

  #place(html, index, turn) {
    if (this.#drawn[index]?.html === html) return;
    const node = el("div", { class: "block" }, safeBlock(html));
    for (const place of node.querySelectorAll("sup[data-cite]")) this.#drawCitation(place, turn);
    if (this.#drawn[index]) this.#drawn[index].node.replaceWith(node);
    else this.element.append(node);
    this.#drawn[index] = { html, node };
  }

  #drawCitation(place, turn) {
    const index = Number(place.dataset.cite);
    const citation = turn.citations[index];
    const source = citation && turn.sources.find(({ number }) => number === citation.source);
    if (!source) return place.remove();
    place.replaceWith(
      el(
        "button",
        {
          type: "button",
          class: "cite",
          "aria-label": `Source ${source.number}: ${source.title}`,
          title: source.title,
          onclick: () => this.open(source, this.#citations[index]),
        },
        String(source.number),
      ),
    );
  }
}
