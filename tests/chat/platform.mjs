// A browser without a page: sockets, fetch and timers that the test moves by hand.

import { Stream } from "../../static/chat/stream.js";

export const settled = () => new Promise((resolve) => setImmediate(resolve));

export class Platform extends EventTarget {
  timers = new Map();
  sockets = [];
  fetches = [];
  #next = 1;

  constructor({ sockets = true, respond = () => new Promise(() => {}) } = {}) {
    super();
    const platform = this;
    this.random = () => 0;
    this.respond = respond;
    if (sockets) {
      this.WebSocket = class {
        constructor(address) {
          Object.assign(this, { address, closed: false });
          platform.sockets.push(this);
        }

        close() {
          this.closed = true;
        }
      };
    }
  }

  get socket() {
    return this.sockets.at(-1);
  }

  setTimeout(run, wait) {
    this.timers.set(this.#next, { run, wait });
    return this.#next++;
  }

  clearTimeout(id) {
    this.timers.delete(id);
  }

  /** Let the timers with this wait run out; the waits that are left. */
  pass(upTo) {
    for (const [id, { run, wait }] of [...this.timers]) {
      if (wait > upTo) continue;
      this.timers.delete(id);
      run();
    }
  }

  async fetch(address, options) {
    this.fetches.push(address);
    return this.respond(address, options);
  }
}

export function frame(seq, type = "answer.delta", data = { text: String(seq) }, turn = "t1") {
  return { v: 1, type, turn, seq, data };
}

/** A stream on a platform, with all it said. */
export function streaming(options) {
  const platform = new Platform(options);
  const frames = [];
  const states = [];
  const complete = [];
  const stream = new Stream({
    conversation: "c1",
    platform,
    origin: "https://app.example.org",
    onFrame: (got) => frames.push(got.seq),
    onState: (state) => states.push(state),
    onComplete: (turn) => complete.push(turn),
  });
  const say = (...said) => said.forEach((one) => platform.socket.onmessage({ data: JSON.stringify(one) }));
  return { platform, stream, frames, states, complete, say };
}

/** A response whose body is these frames, as events. */
export function eventsOf(...said) {
  return new Response(said.map((one) => `id: ${one.seq}\ndata: ${JSON.stringify(one)}\n\n`).join(""), { status: 200 });
}
