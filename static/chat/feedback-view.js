// What the member thinks of an answer: two buttons, and room for a reason.

import { el, tell } from "./elements.js";

/** Draws into `element`; `give({rating, reason})` sends it and resolves once it is kept. */
export class FeedbackView {
  #given = { rating: "", reason: "" };
  #touched = false;

  constructor({ give, id }) {
    this.give = give;
    this.buttons = { up: this.#button("up", "Yes"), down: this.#button("down", "No") };
    this.question = el("p", { class: "part", id: `helpful-${id}` }, "Was this helpful?");
    this.reason = el("textarea", { id: `reason-${id}`, rows: "2", maxlength: "2000" });
    this.label = el("label", { for: this.reason.id });
    this.form = el(
      "form",
      { onsubmit: (event) => this.#sendReason(event), hidden: true },
      this.label,
      this.reason,
      el("button", { type: "submit", class: "line" }, "Send"),
    );
    this.said = el("p", { class: "soft", role: "status", hidden: true });
    const row = el("div", { class: "row", role: "group", "aria-labelledby": this.question.id }, this.question, this.buttons.up, this.buttons.down);
    this.element = el("div", { class: "feedback", hidden: true }, row, this.form, this.said);
  }

  /** Show it, with what the member said before. */
  draw(turn, shown) {
    this.element.hidden = !shown;
    if (this.#touched || !turn.feedback) return;
    this.#given = { rating: turn.feedback.rating, reason: turn.feedback.reason };
    this.#press();
  }

  #button(rating, word) {
    return el("button", { type: "button", class: "line", "aria-pressed": "false", onclick: () => this.#rate(rating) }, word);
  }

  async #rate(rating) {
    const before = this.#given;
    this.#touched = true;
    this.#given = { rating, reason: before.rating === rating ? before.reason : "" };
    this.#press();
    if (!(await this.#send("Thank you."))) {
      this.#given = before;
      return this.#press();
    }
    this.label.textContent = rating === "up" ? "What helped? (optional)" : "What was missing or wrong? (optional)";
    this.reason.value = this.#given.reason;
    this.form.hidden = false;
    return undefined;
  }

  async #sendReason(event) {
    event.preventDefault();
    this.#given = { ...this.#given, reason: this.reason.value.trim() };
    if (!(await this.#send("Thank you. Your words were kept."))) return;
    const hadFocus = this.form.contains(document.activeElement);
    this.form.hidden = true;
    if (hadFocus) this.buttons[this.#given.rating].focus();
  }

  async #send(thanks) {
    try {
      await this.give(this.#given);
      tell(this.said, thanks);
      return true;
    } catch (error) {
      tell(this.said, error.message);
      return false;
    }
  }

  #press() {
    for (const [rating, button] of Object.entries(this.buttons)) button.setAttribute("aria-pressed", String(rating === this.#given.rating));
  }
}
