// The words for what the API names by a code.

/** Each authority by a shape, a word and what it means. */
export const AUTHORITIES = {
  primary: { shape: "◆", word: "Primary", means: "Works of the author and the society" },
  supplementary: { shape: "●", word: "Supplementary", means: "A curated third-party source" },
  illustrative: { shape: "▲", word: "Illustrative", means: "An example or a story" },
  supporting: { shape: "■", word: "Supporting", means: "General background" },
};

export const authorityOf = (code) =>
  Object.hasOwn(AUTHORITIES, code) ? { ...AUTHORITIES[code], known: true } : { shape: "○", word: String(code), means: "", known: false };

/** A content type in words: `book_chapter` is "Book chapter". */
export const contentTypeOf = (code) => {
  const words = String(code ?? "").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Where a passage stands: `{"page": "3"}` is "Page 3". */
export const placeOfLocator = (locator) =>
  Object.entries(locator ?? {})
    // A chapter may be called "Chapter 7" by its book: the word is said once.
    .map(([kind, where]) => (where.toLowerCase().startsWith(kind.toLowerCase()) ? where : `${contentTypeOf(kind)} ${where}`))
    .join(", ");

const DAY_MS = 24 * 60 * 60 * 1000;

/** The day of a moment as people say it: today, yesterday, a weekday within the week, else the date. */
export function dayOf(moment, now = new Date()) {
  const day = new Date(moment);
  if (Number.isNaN(day.getTime())) return "";
  const midnight = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const ago = Math.round((midnight(now) - midnight(day)) / DAY_MS);
  if (ago === 0) return "Today";
  if (ago === 1) return "Yesterday";
  if (ago > 1 && ago < 7) return day.toLocaleDateString("en-GB", { weekday: "long" });
  const year = day.getFullYear() === now.getFullYear() ? {} : { year: "numeric" };
  return day.toLocaleDateString("en-GB", { day: "numeric", month: "long", ...year });
}

const DEGRADED = {
  intent: "your question was read by simple rules",
  vector: "the search by meaning was not available",
  keyword: "the search by words was not available",
  graph: "related ideas could not be looked up",
  response: "the language model was not available, so the library is quoted word for word",
  suggestions: "the suggestions are general ones",
};

/** One sentence on what a turn had to do without; empty when nothing. */
export function degradedNote(parts) {
  if (!parts?.length) return "";
  const known = parts.map((part) => DEGRADED[part]).filter(Boolean);
  return `Answered with less than usual: ${known.length ? known.join("; ") : parts.join(", ")}.`;
}

const ENDINGS = {
  not_covered: "The library holds too little on this for an answer with sources.",
  refused: "The language model did not answer this question.",
  cut: "The answer reached its greatest length and was cut.",
  stopped: "You stopped this answer.",
  interrupted: "The answer was interrupted.",
  failed: "The answer could not be finished.",
};

/** What to say of how a turn ended; empty for what needs no words. */
export const endingNote = (turn) => turn.error?.message || ENDINGS[turn.status] || "";

/** What a screen reader hears once when a turn is over. */
export function spokenEnding(turn) {
  if (turn.status === "clarified") return `A question back: ${turn.clarification?.question ?? ""}`;
  const count = turn.sources_used.length;
  const sources = count ? ` with ${count} ${count === 1 ? "source" : "sources"}` : "";
  return turn.status === "answered" ? `The answer is complete${sources}.` : endingNote(turn) || "The answer is complete.";
}
