// An answer's Markdown as safe HTML, with its citations at their places. Knows no network.
//
// A citation's place is a code point of the text. A mark of a rare punctuation character that the text does not hold is
// put there before the Markdown is read, and drawn when the text around it is. Punctuation, because emphasis that closes
// before a letter would stay open.

import MarkdownIt from "./vendor/markdown-it-15.0.3.js";
import DOMPurify from "./vendor/dompurify-3.5.0.js";

const FIRST_MARK = 0x2e00;
const LAST_MARK = 0x2e2e;
/** What may stand before a place on its line so that nothing but the beginning of a block is there. */
const ONLY_SYNTAX = /^[\s>#*+\-=_|~`:.)\d]*$/u;

const CLEAN = {
  ALLOWED_TAGS: [
    ..."p br strong em s code pre blockquote ul ol li h3 h4 h5 h6 a hr table thead tbody tr th td sup".split(" "),
  ],
  ALLOWED_ATTR: ["href", "title", "rel", "target", "start", "data-cite"],
  ALLOWED_URI_REGEXP: /^https?:/i,
  // These hold no address, which the expression above would otherwise ask of them.
  ADD_URI_SAFE_ATTR: ["title", "rel", "target", "start", "data-cite"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false, breaks: false }).disable("image");
markdown.validateLink = (address) => /^https?:\/\//i.test(address);
for (const rule of ["text", "code_inline", "code_block", "fence"]) drawMarksIn(rule);
markdown.renderer.rules.link_open = (tokens, index, options, env, self) => {
  tokens[index].attrSet("rel", "noopener noreferrer nofollow");
  tokens[index].attrSet("target", "_blank");
  tokens[index].attrSet("href", unmarked(tokens[index].attrGet("href") ?? "", env));
  return self.renderToken(tokens, index, options);
};

function drawMarksIn(rule) {
  const draw = markdown.renderer.rules[rule];
  markdown.renderer.rules[rule] = (tokens, index, options, env, self) => {
    tokens[index].info = unmarked(tokens[index].info ?? "", env);
    const html = draw(tokens, index, options, env, self);
    return env.mark ? html.replace(env.drawn, (_, place) => `<sup data-cite="${place}"></sup>`) : html;
  };
}

function unmarked(text, env) {
  return env.mark ? text.replace(env.drawn, "").replaceAll(encodeURIComponent(env.mark), "") : text;
}

/** The HTML of each block of the answer, before it is made safe; `data-cite` names the index of a citation. */
export function answerBlocks(text, citations = []) {
  const env = marksFor(text);
  const tokens = markdown.parse(env.mark ? marked(text, citations, env.mark) : text, env);
  lowerHeadings(tokens);
  const blocks = [];
  let from = 0;
  let depth = 0;
  tokens.forEach((token, index) => {
    depth += token.nesting;
    if (depth > 0) return;
    blocks.push(markdown.renderer.render(tokens.slice(from, index + 1), markdown.options, env));
    from = index + 1;
  });
  return blocks;
}

/** One block made safe, as nodes to insert. */
export function safeBlock(html) {
  return DOMPurify.sanitize(html, { ...CLEAN, RETURN_DOM_FRAGMENT: true });
}

// The page's own headings are h1 and h2. Below them no level is left out, whatever the text begins with, and a heading's
// level hangs only on those before it: it stays as it is while the answer grows.
function lowerHeadings(tokens) {
  const above = [];
  for (const token of tokens) {
    if (token.type === "heading_open") {
      const level = Number(token.tag.slice(1));
      while (above.length && above.at(-1) >= level) above.pop();
      above.push(level);
    }
    if (token.type.startsWith("heading_")) token.tag = `h${Math.min(6, above.length + 2)}`;
  }
}

function marksFor(text) {
  for (let code = FIRST_MARK; code <= LAST_MARK; code += 1) {
    const mark = String.fromCharCode(code);
    if (!text.includes(mark)) return { mark, drawn: new RegExp(`${mark}(\\d+)${mark}`, "gu") };
  }
  return { mark: "" };
}

function marked(text, citations, mark) {
  const characters = Array.from(text);
  const places = citations
    .map((citation, index) => ({ index, source: citation.source, at: placeOf(characters, citation.end) }))
    .filter(({ at }) => at !== null)
    .sort((one, other) => one.at - other.at || one.index - other.index);
  const drawn = new Set();
  let marked = "";
  let from = 0;
  for (const { index, source, at } of places) {
    marked += characters.slice(from, at).join("");
    from = at;
    if (drawn.has(`${source}@${at}`)) continue;
    drawn.add(`${source}@${at}`);
    marked += mark + index + mark;
  }
  return marked + characters.slice(from).join("");
}

/** Where a citation is drawn: right behind the last letter of its span; null when it has no place in the text. */
export function placeOf(characters, end) {
  if (!Number.isSafeInteger(end) || end < 1 || end > characters.length) return null;
  let at = end;
  for (;;) {
    while (at > 0 && /\s/u.test(characters[at - 1])) at -= 1;
    if (at === 0) return null;
    let line = at;
    while (line > 0 && characters[line - 1] !== "\n") line -= 1;
    if (!ONLY_SYNTAX.test(characters.slice(line, at).join(""))) return at;
    at = line;
  }
}
