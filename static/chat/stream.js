// Follows a conversation: every frame once and in order, whatever happens to the connection. Knows no DOM.
//
// A WebSocket first; where none can be had, the turn's server-sent events. Both resume by turn and seq.

import { Backoff } from "./backoff.js";
import { endsTurn, frameOf, Ledger } from "./frames.js";
import { openSocket } from "./socket-source.js";
import { openEvents } from "./sse-source.js";

export { EventStreamParser } from "./sse.js";
export { frameOf, isFinal, Ledger } from "./frames.js";

const SOCKETS_TRIED = 2;
const SILENCE_MS = 40_000;
const OVER = new Set(["signed-out", "gone", "refused"]);

/**
 * `onFrame(frame)` for each frame, `onState("connecting" | "live" | "waiting" | "offline" | "signed-out" | "gone" |
 * "refused")`, and `onComplete(turn)` when the server has no more of a turn whose end was not seen.
 */
export class Stream {
  #ledger = new Ledger();
  #backoff;
  #turn = "";
  #close = null;
  #timer = null;
  #socketsFailed = 0;
  #over = false;
  #offline = false;
  #reached = false;
  #watchdog = null;

  constructor({ conversation, onFrame, onState = () => {}, onComplete = () => {}, platform = globalThis, origin }) {
    Object.assign(this, { conversation, onFrame, onState, onComplete, platform });
    this.origin = origin ?? platform.location?.origin ?? "";
    this.#backoff = new Backoff(platform.random ?? Math.random);
    this.goneOffline = () => this.#setOffline(true);
    this.goneOnline = () => this.#setOffline(false);
    platform.addEventListener?.("offline", this.goneOffline);
    platform.addEventListener?.("online", this.goneOnline);
  }

  /** Follow this turn from a seq on, and with a WebSocket every later one too. Without a turn: what comes. */
  follow(turn = "", seq = 0) {
    if (this.#over) return;
    const known = turn && turn === this.#turn && this.#ledger.seqOf(turn) >= seq;
    if (turn && !known) this.#ledger.begin(turn, Math.max(seq, this.#ledger.seqOf(turn)), this.#ledger.hasEnded(turn));
    this.#turn = turn || this.#turn;
    // A socket brings every turn of its conversation by itself.
    if (this.#close && this.#usesSocket) return this.#watch();
    this.#connect();
  }

  /** Do not wait for the next try. */
  wake() {
    if (this.#close || this.#over) return;
    this.#backoff.reset();
    this.#connect();
  }

  /** End it for good. */
  close() {
    this.#over = true;
    this.#drop();
    this.platform.removeEventListener?.("offline", this.goneOffline);
    this.platform.removeEventListener?.("online", this.goneOnline);
  }

  get #usesSocket() {
    return Boolean(this.platform.WebSocket) && this.#socketsFailed < SOCKETS_TRIED;
  }

  #connect() {
    this.#drop();
    if (this.#over) return;
    if (!this.#usesSocket && (!this.#turn || this.#ledger.hasEnded(this.#turn))) return this.onState("live");
    this.onState(this.#offline ? "offline" : "connecting");
    const [turn, after] = [this.#turn, this.#ledger.seqOf(this.#turn)];
    const handlers = {
      text: (text) => this.#take(text),
      alive: () => this.#live(),
      ended: (reason, wait) => this.#ended(reason, wait),
    };
    const { conversation, origin } = this;
    const { WebSocket } = this.platform;
    this.#reached = false;
    const { fetch, setTimeout, clearTimeout } = this.#bound();
    try {
      this.#close = this.#usesSocket
        ? openSocket({ conversation, turn, after, origin, WebSocket, setTimeout, clearTimeout }, handlers)
        : openEvents({ turn, after, fetch, setTimeout, clearTimeout }, handlers);
    } catch {
      this.#socketsFailed = SOCKETS_TRIED;
      this.#connect();
    }
  }

  #bound() {
    const of = (name) => (...given) => this.platform[name](...given);
    return { fetch: of("fetch"), setTimeout: of("setTimeout"), clearTimeout: of("clearTimeout") };
  }

  #live() {
    this.#reached = true;
    this.onState("live");
    this.#watch();
  }

  // A connection may die without a word: while a turn runs, long silence ends it.
  #watch() {
    this.platform.clearTimeout(this.#watchdog);
    if (!this.#turn || this.#ledger.hasEnded(this.#turn)) return;
    this.#watchdog = this.platform.setTimeout(() => this.#again(), SILENCE_MS);
  }

  #drop() {
    this.platform.clearTimeout(this.#watchdog);
    this.platform.clearTimeout(this.#timer);
    this.#close?.();
    this.#close = null;
  }

  #take(text) {
    const frame = frameOf(text);
    const verdict = frame ? this.#ledger.judge(frame) : "broken";
    if (verdict === "drop") return;
    if (frame && frame.turn !== this.#turn && (verdict === "gap" || !this.#isBehind(frame))) this.#turn = frame.turn;
    if (verdict !== "use") return this.#again();
    this.#backoff.reset();
    this.#socketsFailed = this.#usesSocket ? 0 : this.#socketsFailed;
    this.onFrame(frame);
    this.#watch();
    if (endsTurn(frame) && frame.turn === this.#turn && !this.#usesSocket) this.#drop();
  }

  // A frame of an ended turn must not turn our eyes from one that still runs.
  #isBehind(frame) {
    return Boolean(this.#turn) && !this.#ledger.hasEnded(this.#turn) && endsTurn(frame);
  }

  #ended(reason, wait) {
    this.#close = null;
    if (OVER.has(reason)) {
      this.#over = true;
      return this.onState(reason);
    }
    if (reason === "complete") {
      const [turn, ended] = [this.#turn, this.#ledger.hasEnded(this.#turn)];
      this.#ledger.begin(turn, this.#ledger.seqOf(turn), true);
      this.onState("live");
      return ended ? undefined : this.onComplete(turn);
    }
    if (reason === "not-opened" && !this.#offline) this.#socketsFailed += 1;
    // No events either: it is the server that is away, not the sockets.
    else if (!this.#reached) this.#socketsFailed = 0;
    return this.#again(wait);
  }

  #again(wait = 0) {
    this.#drop();
    this.onState(this.#offline ? "offline" : "waiting");
    this.#timer = this.platform.setTimeout(() => this.#connect(), this.#backoff.next(wait));
  }

  #setOffline(offline) {
    if (this.#over) return;
    this.#offline = offline;
    if (offline) return this.onState("offline");
    this.#backoff.reset();
    this.#socketsFailed = 0;
    this.#connect();
  }
}
