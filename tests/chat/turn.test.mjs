import assert from "node:assert/strict";
import { test } from "node:test";

import { afterFrame, mayContinue, newTurn, numbersUsed, withBody } from "../../static/chat/turn.js";
import { frame } from "./platform.mjs";

const told = (turn, ...frames) => frames.reduce(afterFrame, turn);

test("the joined texts are the answer, byte for byte", () => {
  const texts = [" hello", " ", "world ", "\n", "\r\n"];
  const turn = told(newTurn("t1"), ...texts.map((text, index) => frame(index + 1, "answer.delta", { text })));
  assert.equal(turn.answer, texts.join(""));
});

test("types that are not known change nothing but the seq", () => {
  const before = newTurn("t1", "Why?");
  assert.deepEqual(afterFrame(before, frame(4, "constructor", { a: 1 })), { ...before, last_seq: 4 });
});

test("a snapshot replaces all there is of the turn", () => {
  const before = told(newTurn("t1", "Why?"), frame(1, "answer.delta", { text: "old" }));
  const after = afterFrame(before, frame(9, "turn.snapshot", { status: "answered", answer: "new", question: "Why?" }));
  assert.deepEqual([after.answer, after.status, after.last_seq], ["new", "answered", 9]);
});

test("a body that is older than the frames seen takes nothing back", () => {
  const seen = told(newTurn("t1"), frame(1, "answer.delta", { text: "a" }), frame(2, "answer.delta", { text: "b" }));
  const merged = withBody(seen, { id: "t1", answer: "a", last_seq: 1, number: 3, may_retry: false });
  assert.deepEqual([merged.answer, merged.number, merged.last_seq], ["ab", 3, 2]);
});

test("what was stopped may go on, what was refused only begin again", () => {
  const ended = (status) => told(newTurn("t1"), frame(1, "answer.delta", { text: "a" }), frame(2, "turn.done", { status }));
  assert.ok(mayContinue(ended("stopped")));
  assert.ok(ended("refused").may_retry && !mayContinue(ended("refused")));
  assert.ok(!ended("answered").may_retry);
});

test("before the answer is done its citations tell which sources it uses", () => {
  const turn = told(newTurn("t1"), frame(1, "answer.citation", { source: 2, quote: "q", start: 0, end: 1 }));
  assert.deepEqual([...numbersUsed(turn)], [2]);
});
