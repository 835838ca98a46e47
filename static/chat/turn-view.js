// One question with all that came of it.

import { AnswerView } from "./answer-view.js";
import { el } from "./elements.js";
import { FeedbackView } from "./feedback-view.js";
import { isFinal } from "./frames.js";
import { openSource } from "./source-dialog.js";
import { sourcesView } from "./sources-view.js";
import { mayContinue } from "./turn.js";
import { degradedNote, endingNote } from "./words.js";

/** Draws a turn; `acts` are what its buttons do: `ask(fields)`, `retry(turn, mode)` and `feedback(turn, fields)`. */
export class TurnView {
  #parts = {};
  #keys = {};

  constructor(turn, acts) {
    this.turn = turn;
    this.acts = acts;
    this.answer = new AnswerView((source, citation) => this.#open(source, [citation]));
    this.feedback = new FeedbackView({ id: turn.id, give: (fields) => acts.feedback(this.turn, fields) });
    this.heading = el("h2", { class: "asked", id: `turn-${turn.id}`, tabindex: "-1" });
    for (const name of ["state", "clarification", "notes", "sources", "suggestions", "actions"]) {
      this.#parts[name] = el("div", { class: name });
    }
    const { state, clarification, notes, sources, suggestions, actions } = this.#parts;
    this.element = el(
      "article",
      { class: "turn", "aria-labelledby": this.heading.id },
      this.heading,
      state,
      this.answer.element,
      clarification,
      notes,
      actions,
      sources,
      this.feedback.element,
      suggestions,
    );
    this.draw(turn);
  }

  /** Draw what changed. `newest` says whether its buttons still lead somewhere. */
  draw(turn, newest = true) {
    this.turn = turn;
    this.heading.textContent = turn.question;
    this.answer.draw(turn);
    const over = isFinal(turn.status);
    this.element.setAttribute("aria-busy", String(!over));
    this.#part("state", [over, turn.label], () => (over ? [] : [el("p", { class: "working" }, turn.label || "Starting")]));
    this.#part("clarification", [turn.clarification, newest, over], () => this.#clarification(newest && over));
    this.#part("notes", [over, turn.status, turn.error, turn.degraded], () => (over ? this.#notes() : []));
    const written = over || turn.stop_reason !== "";
    this.#part("sources", [written, turn.sources, turn.sources_used, written && turn.citations], () => (written ? [this.#sources()] : []));
    this.feedback.draw(turn, over && turn.answer !== "" && !turn.care);
    this.#part("suggestions", [turn.suggestions, newest, over], () => this.#suggestions(newest && over));
    this.#part("actions", [turn.status, turn.may_retry, turn.answer !== "", newest], () => (newest && over ? this.#actions() : []));
  }

  #part(name, needs, make) {
    const key = JSON.stringify(needs);
    if (this.#keys[name] === key) return;
    this.#keys[name] = key;
    this.#parts[name].replaceChildren(...make().filter(Boolean));
  }

  #open(source, citations = this.turn.citations.filter((citation) => citation.source === source.number)) {
    openSource(source, [...new Set(citations.map((citation) => citation.quote).filter(Boolean))]);
  }

  #clarification(usable) {
    const { clarification, id, question } = this.turn;
    if (!clarification) return [];
    const choice = (text, fields) =>
      el("li", {}, el("button", { type: "button", class: "choice", onclick: () => this.acts.ask(fields) }, text));
    const options = clarification.options.map((option) => choice(option, { question: option, answers: id }));
    return [
      el("p", { class: "asks-back" }, clarification.question),
      usable &&
        el(
          "ul",
          { class: "choices", "aria-label": "Ways to go on" },
          ...options,
          choice("Answer anyway", { question, answer_anyway: true }),
        ),
      usable && el("p", { class: "soft" }, "Or say it in your own words below."),
    ];
  }

  #notes() {
    const ending = endingNote(this.turn);
    const less = degradedNote(this.turn.degraded);
    const failed = ["failed", "interrupted"].includes(this.turn.status);
    return [
      ending && el("p", { class: failed ? "notice trouble" : "notice" }, ending),
      less && el("p", { class: "notice" }, less),
    ];
  }

  #sources() {
    const open = this.#parts.sources.querySelector(".also > [aria-expanded=true]");
    return sourcesView(this.turn, (source) => this.#open(source), Boolean(open));
  }

  #suggestions(usable) {
    if (!usable || !this.turn.suggestions.length) return [];
    const items = this.turn.suggestions.map(({ text, reason }) =>
      el(
        "li",
        {},
        el(
          "button",
          { type: "button", class: "choice", onclick: () => this.acts.ask({ question: text }) },
          text,
          reason && el("span", { class: "reason" }, reason),
        ),
      ),
    );
    const id = `next-${this.turn.id}`;
    return [el("h3", { class: "part", id }, "Ask next"), el("ul", { class: "choices", "aria-labelledby": id }, ...items)];
  }

  #actions() {
    const button = (words, mode) =>
      el("button", { type: "button", class: "line", onclick: () => this.acts.retry(this.turn, mode) }, words);
    return [
      mayContinue(this.turn) && button("Continue the answer", "continue"),
      this.turn.may_retry && button("Try again", "again"),
    ];
  }
}
