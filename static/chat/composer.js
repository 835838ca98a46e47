// The question field: its limit, its draft, asking and stopping.

import { draftOf, keepDraft, newKey } from "./drafts.js";
import { byId, tell } from "./elements.js";

const SHOW_COUNT_FROM = 0.8;

/** Calls `ask(fields, key)`, which resolves once the server has the question, and `stop()`. */
export class Composer {
  #running = false;
  #sending = false;

  constructor({ limit, conversation, ask, stop }) {
    Object.assign(this, { limit, conversation, ask, stop });
    this.field = byId("question");
    this.field.value = draftOf(conversation).text;
    this.field.addEventListener("input", () => this.#typed());
    this.field.addEventListener("keydown", (event) => this.#key(event));
    byId("composer").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    byId("stop").addEventListener("click", () => this.stop());
    this.#count();
  }

  /** Whether a turn of the conversation runs: then there is Stop instead of Ask. */
  setRunning(running) {
    const hadFocus = document.activeElement === byId("stop");
    this.#running = running;
    byId("stop").hidden = !running;
    byId("send").hidden = running;
    if (hadFocus && !running) this.focus();
  }

  focus() {
    this.field.focus({ preventScroll: true });
  }

  /** Ask with these fields; the text of a failed question stays, or comes back, in the field. */
  async send(fields, { typed = false } = {}) {
    if (this.#sending || this.#running) return tell(byId("send-trouble"), "Please wait until the answer is finished, or stop it.");
    this.#sending = true;
    byId("send").disabled = true;
    tell(byId("send-trouble"), "");
    const kept = draftOf(this.conversation);
    const key = (typed && kept.text === fields.question && kept.key) || newKey();
    if (typed) keepDraft(this.conversation, fields.question, key);
    try {
      await this.ask(fields, key);
      if (typed) this.#clear(fields.question);
    } catch (error) {
      this.#failed(fields, key, error);
    } finally {
      this.#sending = false;
      byId("send").disabled = false;
    }
  }

  /** The conversation has got its id: its draft moves along. */
  moveTo(conversation) {
    const { text, key } = draftOf(this.conversation);
    keepDraft(this.conversation, "");
    this.conversation = conversation;
    keepDraft(conversation, text, key);
  }

  #submit() {
    const text = this.field.value;
    if (!text.trim()) return this.focus();
    if (this.#length() > this.limit) return tell(byId("send-trouble"), `At most ${this.limit.toLocaleString("en")} characters are possible.`);
    this.send({ question: text }, { typed: true });
    this.focus();
  }

  #clear(sent) {
    // What was typed while the question was on its way stays.
    if (this.field.value === sent) this.field.value = "";
    this.#typed();
  }

  #failed(fields, key, error) {
    if (!this.field.value.trim()) this.field.value = fields.question;
    keepDraft(this.conversation, this.field.value, this.field.value === fields.question ? key : "");
    this.#count();
    if (error.status !== 401) tell(byId("send-trouble"), wordsFor(error));
    this.focus();
  }

  #typed() {
    const kept = draftOf(this.conversation);
    keepDraft(this.conversation, this.field.value, kept.text === this.field.value ? kept.key : "");
    this.#count();
  }

  #key(event) {
    // Enter asks, Shift+Enter breaks the line; not while an input method composes, nor where there is no real keyboard.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    if (matchMedia("(pointer: coarse)").matches && !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!this.#running) this.#submit();
  }

  #length() {
    return Array.from(this.field.value).length;
  }

  #count() {
    const length = this.#length();
    const counter = byId("counter");
    const shown = length >= this.limit * SHOW_COUNT_FROM;
    counter.textContent = shown
      ? `${length.toLocaleString("en")} of ${this.limit.toLocaleString("en")} characters`
      : `Up to ${this.limit.toLocaleString("en")} characters.`;
    counter.classList.toggle("unseen", !shown);
    counter.classList.toggle("over", length > this.limit);
    this.field.setAttribute("aria-invalid", String(length > this.limit));
  }
}

function wordsFor(error) {
  const wait = error.retryAfter ? ` You can try again in ${Math.ceil(error.retryAfter)} seconds.` : "";
  return `${error.message}${wait} Your question is kept here.`;
}
