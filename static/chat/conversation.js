// The open conversation: its turns, the stream that feeds them, and asking.

import { call, callAll } from "./api.js";
import { announce, byId } from "./elements.js";
import { isFinal, Stream } from "./stream.js";
import { TurnView } from "./turn-view.js";
import { afterFrame, newTurn, withBody } from "./turn.js";
import { spokenEnding } from "./words.js";

/** Holds the turns of a conversation; tells `changed({running})`, `state(name)`, `begun(id)`, `failed(error)`, `ended(turn)`, `drawn(element)` of the newest turn. */
export class Conversation {
  #turns = new Map();
  #views = new Map();
  #dirty = new Set();
  #stream = null;

  constructor(id, { send, ...heard }) {
    this.id = id;
    this.send = send;
    this.heard = heard;
  }

  /** The turn that runs, if one does. */
  get running() {
    return [...this.#turns.values()].find((turn) => !isFinal(turn.status));
  }

  get isEmpty() {
    return this.#turns.size === 0;
  }

  /** Load what is stored, and follow what is still being written. */
  async load() {
    for (const body of await callAll(`conversations/${this.id}/turns`)) this.#learn(body);
    this.#follow(this.running);
    this.#changed();
    this.#draw();
  }

  /** The page is looked at again, or the connection is back: no waiting for the next try. */
  wake() {
    if (this.running) this.#stream?.wake();
  }

  /** Send a question; resolves with its turn once the server has it. */
  async ask(fields, key) {
    if (!this.id) this.#begin((await call("POST", "conversations", {})).id);
    await this.#asked(() => call("POST", `conversations/${this.id}/turns`, fields, { "Idempotency-Key": key }), fields.answer_anyway);
  }

  async retry(turn, mode, key) {
    await this.#asked(() => call("POST", `turns/${turn.id}/retry`, { mode }, { "Idempotency-Key": key }));
  }

  async stop() {
    const turn = this.running;
    if (turn) await call("POST", `turns/${turn.id}/stop`);
  }

  /** Say whether an answer helped; resolves once it is kept. */
  async feedback(turn, fields) {
    await call("POST", `turns/${turn.id}/feedback`, fields);
  }

  close() {
    this.#stream?.close();
  }

  #begin(id) {
    this.id = id;
    this.heard.begun(id);
  }

  async #asked(post) {
    try {
      const body = await post();
      this.#learn(body);
      this.#follow(body);
      this.#changed();
      this.#draw();
      this.#views.get(body.id)?.element.scrollIntoView({ block: "start" });
    } catch (error) {
      // Another tab or device asked meanwhile: show what runs.
      if (error.code === "run_in_progress" && error.body.turn) await this.#catchUp(error.body.turn);
      throw error;
    }
  }

  async #catchUp(id) {
    const body = await call("GET", `turns/${id}`).catch(() => null);
    if (!body) return;
    this.#learn(body);
    this.#follow(body);
    this.#changed();
  }

  #follow(turn) {
    this.#stream ??= new Stream({
      conversation: this.id,
      onFrame: (frame) => this.#frame(frame),
      onState: (state) => this.heard.state(state, Boolean(this.running)),
      onComplete: (id) => this.#complete(id),
    });
    // A turn just begun is followed from the frames that its body already holds.
    if (turn && !isFinal(turn.status)) this.#stream.follow(turn.id, turn.last_seq ?? 0);
    else this.#stream.follow();
  }

  #frame(frame) {
    const before = this.#turns.get(frame.turn) ?? newTurn(frame.turn, frame.data.question);
    // The stored turn was read meanwhile and is ahead of the stream.
    if (frame.type !== "turn.snapshot" && frame.seq <= before.last_seq) return;
    const after = afterFrame(before, frame);
    this.#take(after);
    if (frame.type === "turn.started" && frame.seq === 1 && !before.number) this.#complete(frame.turn);
    if (isFinal(after.status) && !isFinal(before.status)) {
      announce(spokenEnding(after));
      this.heard.ended(after);
    }
    this.#changed();
  }

  // What the frames do not tell: the number of the turn, and which turn it replaces.
  async #complete(id) {
    const body = await call("GET", `turns/${id}`).catch((error) => this.heard.failed(error));
    if (!body) return;
    this.#learn(body);
    this.#changed();
  }

  #learn(body) {
    this.#take(withBody(this.#turns.get(body.id), body));
    if (body.replaces) this.#forget(body.replaces);
  }

  #take(turn) {
    this.#turns.set(turn.id, turn);
    this.#dirty.add(turn.id);
    if (this.#dirty.size === 1) requestAnimationFrame(() => this.#draw());
  }

  #forget(id) {
    this.#turns.delete(id);
    this.#dirty.delete(id);
    this.#views.get(id)?.element.remove();
    this.#views.delete(id);
  }

  #changed() {
    this.heard.changed({ running: Boolean(this.running) });
  }

  #draw() {
    this.#dirty.clear();
    const newest = [...this.#turns.keys()].at(-1);
    for (const [id, turn] of this.#turns) {
      const view = this.#views.get(id);
      if (view) view.draw(turn, id === newest);
      else this.#add(turn, id === newest);
    }
    this.heard.drawn(this.#views.get(newest)?.element);
  }

  #add(turn, newest) {
    const view = new TurnView(turn, {
      ask: (fields) => this.send(fields),
      retry: (of, mode) => this.heard.retry(of, mode),
      feedback: (of, fields) => this.feedback(of, fields),
    });
    view.draw(turn, newest);
    this.#views.set(turn.id, view);
    byId("turns").append(view.element);
  }
}
