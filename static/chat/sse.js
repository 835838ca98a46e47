// Server-sent events out of chunks of bytes, cut anywhere. Written to the WHATWG standard, "Interpreting an event stream".

/** Feed it chunks of bytes; each event goes to `onEvent` as `{id, event, data}`, each comment to `onComment`. */
export class EventStreamParser {
  #decoder = new TextDecoder("utf-8");
  #line = "";
  #afterCarriageReturn = false;
  #data = [];
  #event = "";
  #id = "";

  constructor(onEvent, onComment = () => {}) {
    this.onEvent = onEvent;
    this.onComment = onComment;
  }

  /** Take the next chunk. What stands after the last line end waits for the next one. */
  push(bytes) {
    for (const character of this.#decoder.decode(bytes, { stream: true })) {
      const second = this.#afterCarriageReturn && character === "\n";
      this.#afterCarriageReturn = character === "\r";
      if (second) continue;
      if (character === "\r" || character === "\n") {
        const line = this.#line;
        this.#line = "";
        this.#take(line);
      } else {
        this.#line += character;
      }
    }
  }

  #take(line) {
    if (line === "") return this.#dispatch();
    if (line.startsWith(":")) return this.onComment(line.slice(1));
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const rest = colon < 0 ? "" : line.slice(colon + 1);
    const value = rest.startsWith(" ") ? rest.slice(1) : rest;
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#event = value;
    else if (field === "id" && !value.includes("\0")) this.#id = value;
  }

  #dispatch() {
    const [data, event] = [this.#data, this.#event];
    this.#data = [];
    this.#event = "";
    if (data.length) this.onEvent({ id: this.#id, event: event || "message", data: data.join("\n") });
  }
}
