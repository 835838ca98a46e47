// Calls of the API with the member's session. Every failure is an ApiError with words for people.

const OFFLINE = "The server cannot be reached. Check your connection; nothing you typed is lost.";
const BROKEN = "Something went wrong on our side. Please try again.";

/** What a call came to: `status` (0 when no answer came), `code`, `retryAfter` in seconds, and the problem's body. */
export class ApiError extends Error {
  constructor({ status, code, detail, retryAfter = 0, body = {} }) {
    super(detail || BROKEN);
    Object.assign(this, { status, code, retryAfter, body });
  }
}

function csrfToken() {
  const cookie = document.cookie.split("; ").find((pair) => pair.startsWith("csrftoken="));
  return cookie ? decodeURIComponent(cookie.slice("csrftoken=".length)) : "";
}

/** The body of the answer, null when it has none. Raises ApiError. */
export async function call(method, path, body, headers = {}) {
  const own = { Accept: "application/json", ...headers };
  if (method !== "GET") own["X-CSRFToken"] = csrfToken();
  if (body !== undefined) own["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(`/api/v1/${path}`, {
      method,
      headers: own,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
    });
  } catch {
    throw new ApiError({ status: 0, code: "offline", detail: OFFLINE });
  }
  const answer = await response.json().catch(() => null);
  if (response.ok) return answer;
  throw new ApiError({
    status: response.status,
    code: answer?.code ?? "",
    detail: answer?.detail,
    retryAfter: Number(response.headers.get("Retry-After")) || 0,
    body: answer ?? {},
  });
}

/** Everything a paged list holds. */
export async function callAll(path) {
  const results = [];
  let cursor = "";
  do {
    const page = await call("GET", `${path}?page_size=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    results.push(...page.results);
    cursor = cursorOf(page.next);
  } while (cursor);
  return results;
}

/** The cursor of a page's `next`; its host is the server's idea of itself and not needed. */
export const cursorOf = (next) => (next ? new URL(next, location.href).searchParams.get("cursor") : "");
