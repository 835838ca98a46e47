// How long to wait before the next try: twice as long each time, with jitter so that not all clients come at once.

const FIRST_MS = 500;
const LONGEST_MS = 15_000;

/** Counts failures in a row. */
export class Backoff {
  #failures = 0;

  constructor(random = Math.random) {
    this.random = random;
  }

  /** Milliseconds until the next try, between half and all of the step; never less than what the server asked for. */
  next(atLeast = 0) {
    const step = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(this.#failures++, 10));
    return Math.max(atLeast, step * (0.5 + this.random() / 2));
  }

  reset() {
    this.#failures = 0;
  }
}
