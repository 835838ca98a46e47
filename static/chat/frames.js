// Frames as docs/events.md describes them, and which of them a client that lost its connection still needs.

const FINAL = new Set(["answered", "not_covered", "clarified", "refused", "cut", "stopped", "failed", "interrupted"]);

/** Whether a turn with this status is over. */
export const isFinal = (status) => FINAL.has(status);

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** The frame that this text is, or null for what is none. */
export function frameOf(text) {
  let frame;
  try {
    frame = JSON.parse(text);
  } catch {
    return null;
  }
  const whole =
    isObject(frame) &&
    frame.v === 1 &&
    typeof frame.type === "string" &&
    typeof frame.turn === "string" &&
    Number.isSafeInteger(frame.seq) &&
    frame.seq > 0 &&
    isObject(frame.data);
  return whole ? frame : null;
}

/** Whether nothing of this turn comes after the frame. */
export function endsTurn(frame) {
  if (frame.type === "turn.snapshot") return isFinal(frame.data.status);
  return frame.type === "turn.done" || frame.type === "turn.failed";
}

/** The last seq of each turn: tells frames to use from those that came twice and those that came too early. */
export class Ledger {
  #seqs = new Map();
  #ended = new Set();

  seqOf(turn) {
    return this.#seqs.get(turn) ?? 0;
  }

  hasEnded(turn) {
    return this.#ended.has(turn);
  }

  /** Say up to where a turn is known from elsewhere. */
  begin(turn, seq, ended = false) {
    this.#seqs.set(turn, seq);
    if (ended) this.#ended.add(turn);
    else this.#ended.delete(turn);
  }

  /** "use", "drop" for what is known already, "gap" for a frame whose predecessor is missing. */
  judge(frame) {
    const have = this.seqOf(frame.turn);
    if (frame.type !== "turn.snapshot") {
      if (frame.seq <= have) return "drop";
      if (frame.seq > have + 1) return "gap";
    }
    this.begin(frame.turn, frame.seq, endsTurn(frame));
    return "use";
  }
}
