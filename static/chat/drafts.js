// What a member has typed and not sent, kept per conversation in this tab; with the key of a send whose answer was lost.

const name = (conversation) => `secondact:draft:${conversation || "new"}`;

/** `{text, key}` of a conversation; empty when there is none or the browser keeps nothing. */
export function draftOf(conversation) {
  try {
    return JSON.parse(sessionStorage.getItem(name(conversation))) ?? { text: "", key: "" };
  } catch {
    return { text: "", key: "" };
  }
}

/** Keep a draft; an empty one is forgotten. */
export function keepDraft(conversation, text, key = "") {
  try {
    if (text) sessionStorage.setItem(name(conversation), JSON.stringify({ text, key }));
    else sessionStorage.removeItem(name(conversation));
  } catch {
    // A browser that keeps nothing still sends what stands in the field.
  }
}

/** A key that no other send has. */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
