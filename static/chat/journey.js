// The member's stage: a proposal under the newest answer, and the dialog that shows the way. Only the member moves it.

import { call } from "./api.js";
import { byId, el, tell } from "./elements.js";

/** Knows where the member stands; `failed(error)` hears what went wrong. */
export class Journey {
  #journey = null;
  #stages = [];

  constructor({ failed }) {
    this.failed = failed;
    this.card = el("section", { class: "proposal", "aria-label": "Your journey", hidden: true });
    byId("journey-open").addEventListener("click", () => this.open());
  }

  /** Ask the server where the member stands, and show what it proposes. */
  async load() {
    try {
      const [journey, stages] = await Promise.all([call("GET", "me/journey"), this.#stages.length ? null : call("GET", "stages")]);
      this.#stages = stages?.results ?? this.#stages;
      this.#learn(journey);
    } catch (error) {
      this.failed(error);
    }
  }

  /** The card stands under the newest turn. */
  place(turn) {
    if (turn && this.card.parentElement !== turn) turn.append(this.card);
  }

  async open() {
    tell(byId("journey-trouble"), "");
    byId("journey-body").replaceChildren(el("p", { class: "soft" }, "Loading …"));
    byId("journey").showModal();
    await this.load();
    this.#drawWay();
  }

  #learn(journey) {
    const shownBefore = this.#journey?.proposal?.number;
    this.#journey = journey;
    if (journey.proposal?.number === shownBefore && !this.card.hidden) return;
    // What was answered stays in view as its own thanks.
    if (!journey.proposal && this.card.dataset.answered) return;
    delete this.card.dataset.answered;
    this.card.hidden = !journey.proposal;
    if (journey.proposal) this.card.replaceChildren(...this.#question(journey.proposal, "h3"));
  }

  #name(slug) {
    return this.#stages.find((stage) => stage.slug === slug)?.name ?? slug;
  }

  #question(proposal, heading) {
    const answer = (step) => () => this.#answer(step, { proposal: proposal.number });
    return [
      el(heading, {}, `Is this where you are now: ${this.#name(proposal.after)}?`),
      el("p", {}, proposal.reason),
      el(
        "div",
        { class: "row" },
        el("button", { type: "button", onclick: answer("accept") }, "Yes, that is right"),
        el("button", { type: "button", class: "line", onclick: answer("decline") }, "Not now"),
      ),
    ];
  }

  async #answer(step, fields) {
    const trouble = el("p", { role: "alert" });
    try {
      const journey = await call("POST", `me/journey/${step}`, fields);
      const words = step === "accept" ? `Noted: you are at “${journey.stage?.name ?? ""}”. Your suggestions follow it.` : "Noted. Nothing has changed.";
      this.card.dataset.answered = "yes";
      const said = el("p", { role: "status", tabindex: "-1" }, words);
      this.card.replaceChildren(said);
      this.#journey = journey;
      if (byId("journey").open) this.#drawWay();
      else said.focus();
    } catch (error) {
      this.failed(error);
      // It was answered elsewhere meanwhile, or cannot be reached.
      trouble.textContent = error.message;
      this.card.append(trouble);
    }
  }

  #drawWay() {
    if (!this.#journey) return tell(byId("journey-trouble"), "Your journey could not be loaded.");
    const { stage, proposal, changes } = this.#journey;
    const moved = changes.some(({ kind }) => kind !== "proposed" && kind !== "undone");
    const body = [
      el("p", { class: "soft" }, "Suggestions fit the stage you are at. Nobody but you changes it."),
      proposal && el("div", { class: "proposal" }, ...this.#question(proposal, "h3")),
      el("ol", { class: "stages" }, ...this.#stages.map((each) => this.#stage(each, stage?.slug === each.slug))),
      moved && el("button", { type: "button", class: "line", onclick: () => this.#change("undo", {}) }, "Take back the last step"),
    ];
    byId("journey-body").replaceChildren(...body.filter(Boolean));
    return undefined;
  }

  #stage(stage, here) {
    return el(
      "li",
      { class: here && "here", "aria-current": here && "step" },
      el("h3", {}, stage.name),
      el("p", {}, stage.description),
      here
        ? el("p", { class: "here-word" }, "You are here")
        : el(
            "button",
            { type: "button", class: "quiet", "aria-label": `I am here: ${stage.name}`, onclick: () => this.#change("correct", { stage: stage.slug }) },
            "I am here",
          ),
    );
  }

  async #change(step, fields) {
    tell(byId("journey-trouble"), "");
    try {
      this.#learn(await call("POST", `me/journey/${step}`, fields));
    } catch (error) {
      this.failed(error);
      tell(byId("journey-trouble"), error.message);
    }
    this.#drawWay();
    byId("journey-title").focus();
  }
}
