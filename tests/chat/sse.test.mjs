import assert from "node:assert/strict";
import { test } from "node:test";

import { EventStreamParser } from "../../static/chat/sse.js";

const bytesOf = (text) => new TextEncoder().encode(text);

function parsed(chunks) {
  const events = [];
  const comments = [];
  const parser = new EventStreamParser((event) => events.push(event), (comment) => comments.push(comment));
  for (const chunk of chunks) parser.push(chunk);
  return { events, comments };
}

const text = JSON.stringify({ text: " Zürich 😀\n\nevent: done\n\n ", is: "\u2028" });
const STREAM = (end) => [": following", "", "id: 1", `data: ${text}`, "", "id: 2", "data:a", "data:  b", "", ": still", "", ""].join(end);
const WANTED = [
  { id: "1", event: "message", data: text },
  { id: "2", event: "message", data: "a\n b" },
];

for (const [name, end] of Object.entries({ LF: "\n", CR: "\r", CRLF: "\r\n" })) {
  test(`a stream with ${name} may be cut at every byte`, () => {
    const bytes = bytesOf(STREAM(end));
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const { events, comments } = parsed([bytes.slice(0, cut), bytes.slice(cut)]);
      assert.deepEqual(events, WANTED, `cut at ${cut}`);
      assert.deepEqual(comments, [" following", " still"]);
    }
    assert.deepEqual(parsed([...bytes].map((byte) => Uint8Array.of(byte))).events, WANTED);
  });
}

test("an event that its stream did not finish is none", () => {
  assert.deepEqual(parsed([bytesOf("data: half\n")]).events, []);
});

test("a mark of byte order at the beginning is no part of a field", () => {
  assert.equal(parsed([bytesOf("\ufeffdata: x\n\n")]).events[0].data, "x");
});

test("fields that are not known, and lines without a colon, change nothing", () => {
  assert.deepEqual(parsed([bytesOf("foo: 1\ndata\nretry: 1\nevent: e\n\n")]).events, [{ id: "", event: "e", data: "" }]);
});
