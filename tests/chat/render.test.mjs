import assert from "node:assert/strict";
import { test } from "node:test";

import { answerBlocks } from "../../static/chat/render.js";

const html = (text, ...ends) => answerBlocks(text, ends.map((end, index) => ({ source: index + 1, end }))).join("");
const cite = (index) => `<sup data-cite="${index}"></sup>`;

test("a citation stands at its code point, beyond emoji too", () => {
  assert.equal(html("😀😀 go. More.", 6), `<p>😀😀 go.${cite(0)} More.</p>\n`);
});

test("emphasis that ends with the span is closed", () => {
  assert.equal(html("A **bold.** End", 11), `<p>A <strong>bold.</strong>${cite(0)} End</p>\n`);
});

test("several citations at one place keep their order, one source is drawn once there", () => {
  const citations = [{ source: 3, end: 2 }, { source: 1, end: 2 }, { source: 3, end: 2 }];
  assert.equal(answerBlocks("A.", citations).join(""), `<p>A.${cite(0)}${cite(1)}</p>\n`);
});

test("a span that ends in white space or syntax is drawn behind its last words", () => {
  const text = "One.\n\n- two\n- three";
  assert.equal(html(text, 8), `<p>One.${cite(0)}</p>\n<ul>\n<li>two</li>\n<li>three</li>\n</ul>\n`);
});

for (const end of [-1, 0, 99, 1.5, "3", undefined]) {
  test(`a citation that ends at ${end} is not drawn`, () => assert.equal(html("Text", end), "<p>Text</p>\n"));
}

test("brackets of the text stay text", () => {
  assert.equal(html("x[0] and [9]."), "<p>x[0] and [9].</p>\n");
});

test("a citation within code, and marks that the text itself holds, break nothing", () => {
  assert.equal(html("`a b` \u2e000\u2e00 c", 3), `<p><code>a${cite(0)} b</code> \u2e000\u2e00 c</p>\n`);
});

for (const attack of [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "[a](javascript:alert(1))",
  "[a](JaVaScRiPt:alert(1))",
  "[a](data:text/html,x)",
  "![a](https://evil.example/x.png)",
  "<https://evil.example/\"onmouseover=alert(1)>",
  "```\" onload=x\n<b>\n```",
]) {
  test(`${JSON.stringify(attack)} gives no element that acts`, () => {
    const drawn = html(attack, attack.length);
    assert.doesNotMatch(drawn, /<(script|img|iframe|svg|b)\b/i);
    assert.doesNotMatch(drawn, /<[^>]*\s(on\w+|src|style)=/i);
    assert.doesNotMatch(drawn, /href="(?!https?:)/i);
  });
}

test("a text cut at any character draws without an error, and blocks that are finished stay as they are", () => {
  const text = "# One\n\nA *b* **c** `d`.\n\n1. e\n2. f\n\n```js\ng\n```\n\n| h | i |\n|---|---|\n| j | k |\n";
  for (let cut = 0; cut <= text.length; cut += 1) answerBlocks(text.slice(0, cut), [{ source: 1, end: cut }]);
  assert.equal(answerBlocks(text.slice(0, 40))[0], answerBlocks(text)[0]);
});

test("headings lie below the page's own", () => assert.match(html("# One"), /^<h3>/));

test("no level of headings is left out, whatever the text begins with", () => {
  const levels = html("## A\n\n#### B\n\n## C\n\n# D\n\n##### E").match(/<h\d/g);
  assert.deepEqual(levels, ["<h3", "<h4", "<h3", "<h3", "<h4"]);
});
