// Making elements. Texts only ever become text nodes.

/** An element with attributes, listeners (`onclick`) and children; strings become text. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const byId = (id) => document.getElementById(id);

/** Show a text in an element, or hide it when there is none. */
export function tell(element, text) {
  element.textContent = text;
  element.hidden = !text;
}

let told = 0;

/** Say something once to a screen reader. */
export function announce(text) {
  const now = ++told;
  byId("announcer").textContent = "";
  // Set anew in a later turn of the loop, so that the same words are said again.
  setTimeout(() => now === told && (byId("announcer").textContent = text), 50);
}
