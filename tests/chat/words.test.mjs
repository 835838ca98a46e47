import assert from "node:assert/strict";
import { test } from "node:test";

import { authorityOf, dayOf, degradedNote, placeOfLocator, spokenEnding } from "../../static/chat/words.js";

const NOW = new Date(2026, 10, 30, 12);
const daysAgo = (days) => new Date(2026, 10, 30 - days, 23, 59).toISOString();

for (const [days, words] of [
  [0, "Today"],
  [1, "Yesterday"],
  [6, "Tuesday"],
  [7, "23 November"],
  [-1, "1 December"],
  [400, "26 October 2025"],
]) {
  test(`what happened ${days} days ago is of ${words}`, () => {
    assert.equal(dayOf(daysAgo(days), NOW), words);
  });
}

test("what is no moment has no day", () => assert.equal(dayOf("soon", NOW), ""));

test("an authority that is not known is shown by its code, whatever that is", () => {
  assert.deepEqual(authorityOf("constructor"), { shape: "○", word: "constructor", means: "", known: false });
});

test("every authority has a shape of its own", () => {
  const shapes = ["primary", "supplementary", "illustrative", "supporting"].map((code) => authorityOf(code).shape);
  assert.equal(new Set(shapes).size, 4);
});

test("a place is told in words", () => assert.equal(placeOfLocator({ chapter: "3", page: "12" }), "Chapter 3, Page 12"));

test("a chapter that says the word itself says it once", () =>
  assert.equal(placeOfLocator({ chapter: "CHAPTER 7 - REPORTS" }), "CHAPTER 7 - REPORTS"));

test("what is missing is said in one sentence, an unknown part by its name", () => {
  assert.match(degradedNote(["graph", "vector"]), /related ideas .*; the search by meaning/);
  assert.equal(degradedNote(["tea"]), "Answered with less than usual: tea.");
  assert.equal(degradedNote([]), "");
});

test("the end of an answer is said with the number of its sources", () => {
  const turn = { status: "answered", sources_used: [1, 4], clarification: null, error: null };
  assert.equal(spokenEnding(turn), "The answer is complete with 2 sources.");
});
