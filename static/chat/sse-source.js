// One attempt to read a turn's events by fetch. It ends by one call of `ended`, with a reason.

import { EventStreamParser } from "./sse.js";

const SILENCE_MS = 40_000;

const REASON_OF = { 204: "complete", 400: "refused", 401: "signed-out", 403: "signed-out", 404: "gone" };

/** Open the events of a turn after a seq. Returns what closes it; after that nothing is called any more. */
export function openEvents({ turn, after, fetch, setTimeout, clearTimeout }, { text, alive, ended }) {
  const stop = new AbortController();
  let closed = false;
  let watchdog;
  const end = (reason, retryAfter = 0) => {
    if (closed) return;
    closed = true;
    clearTimeout(watchdog);
    stop.abort();
    ended(reason, retryAfter);
  };
  const heard = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => end("cut"), SILENCE_MS);
  };
  heard();
  read({ turn, after, fetch, signal: stop.signal }, { heard, alive, end, text: (data) => closed || text(data) }).catch(() =>
    end("cut"),
  );
  return () => {
    closed = true;
    clearTimeout(watchdog);
    stop.abort();
  };
}

async function read({ turn, after, fetch, signal }, { heard, alive, end, text }) {
  const response = await fetch(`/api/v1/turns/${encodeURIComponent(turn)}/events?after=${after}`, {
    headers: { Accept: "text/event-stream" },
    credentials: "same-origin",
    cache: "no-store",
    signal,
  });
  if (response.status !== 200) {
    const seconds = Number(response.headers.get("Retry-After"));
    return end(REASON_OF[response.status] ?? "cut", seconds > 0 ? seconds * 1000 : 0);
  }
  alive();
  const parser = new EventStreamParser((event) => text(event.data));
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return end("cut");
    heard();
    parser.push(value);
  }
}
