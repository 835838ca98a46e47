// A turn as its frames have told it, in the shape of `GET /turns/{id}`: one shape for stored and for running turns.

/** A turn of which nothing is known yet but its question. */
export function newTurn(id, question = "") {
  return {
    id,
    question,
    status: "running",
    answer: "",
    answers: null,
    replaces: null,
    clarification: null,
    sources: [],
    citations: [],
    sources_used: [],
    suggestions: [],
    degraded: [],
    care: false,
    error: null,
    may_retry: false,
    stop_reason: "",
    label: "",
    last_seq: 0,
  };
}

const MAY_RETRY = new Set(["failed", "interrupted", "stopped", "cut", "not_covered", "refused"]);

const CHANGES = {
  "turn.started": (turn, data) => ({ question: data.question ?? turn.question, status: "running" }),
  status: (_, data) => ({ label: data.label, node: data.node }),
  "intent.found": (_, data) => ({ care: Boolean(data.care) }),
  "clarification.asked": (_, data) => ({ clarification: { question: data.question, options: data.options ?? [] } }),
  "sources.found": (_, data) => ({ sources: data.sources }),
  "answer.delta": (turn, data) => ({ answer: turn.answer + data.text }),
  "answer.citation": (turn, data) => ({ citations: [...turn.citations, data] }),
  "answer.done": (_, data) => ({ stop_reason: data.stop_reason, sources_used: data.sources_used ?? [] }),
  "suggestions.ready": (_, data) => ({ suggestions: data.suggestions }),
  "journey.updated": (_, data) => ({ journey: data }),
  "turn.done": (_, data) => ({
    status: data.status,
    degraded: data.degraded ?? [],
    care: Boolean(data.care),
    may_retry: MAY_RETRY.has(data.status),
    label: "",
  }),
  "turn.failed": (_, data) => ({
    status: data.status,
    error: { code: data.code, message: data.message },
    may_retry: Boolean(data.may_retry),
    label: "",
  }),
};

/** The turn after this frame; types and fields that are not known change nothing. */
export function afterFrame(turn, frame) {
  if (frame.type === "turn.snapshot") return { ...newTurn(frame.turn, turn.question), ...frame.data, last_seq: frame.seq };
  const change = Object.hasOwn(CHANGES, frame.type) ? CHANGES[frame.type](turn, frame.data) : {};
  return { ...turn, ...change, last_seq: frame.seq };
}

/** What is known of a turn once its body came from the API, which may be older than the frames seen meanwhile. */
export function withBody(turn, body) {
  if (!turn || body.last_seq > turn.last_seq) return { ...newTurn(body.id), ...body };
  const { number, replaces, answers, may_retry, feedback } = body;
  return { ...turn, number, replaces, answers, feedback, may_retry: may_retry || turn.may_retry };
}

/** Numbers of the sources that the answer cites, as told or as its citations so far show. */
export function numbersUsed(turn) {
  const told = turn.sources_used.length ? turn.sources_used : turn.citations.map((citation) => citation.source);
  return new Set(told);
}

/** Whether the answer broke off and can go on where it stands. */
export const mayContinue = (turn) => turn.may_retry && turn.answer !== "" && !["not_covered", "refused"].includes(turn.status);
