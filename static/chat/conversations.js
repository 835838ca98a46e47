// The list of conversations: open, begin, search, rename, delete.

import { call, cursorOf } from "./api.js";
import { byId, el, tell } from "./elements.js";
import { dayOf } from "./words.js";

const UNTITLED = "New conversation";
const TYPING_MS = 250;

/** Fills the list; `current` is the id of the one that is open, `failed(error)` hears what went wrong. */
export class Conversations {
  #cursor = "";
  #managed = null;
  #search = "";
  #asked = 0;
  #typing = 0;

  constructor({ current, failed, renamed }) {
    Object.assign(this, { current, failed, renamed });
    byId("list-more").addEventListener("click", () => this.more());
    byId("list-toggle").addEventListener("click", () => this.#toggle());
    byId("list-search").addEventListener("input", () => {
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => this.#find(), TYPING_MS);
    });
    byId("search-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#find();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && document.body.classList.contains("list-open") && !document.querySelector("dialog[open]")) this.#toggle();
    });
    // On a wide page the list stands beside the turns.
    matchMedia("(min-width: 60rem)").addEventListener("change", () => this.#open(false));
    byId("rename").addEventListener("submit", (event) => this.#rename(event));
    byId("delete").addEventListener("click", () => this.#ask(true));
    byId("delete-no").addEventListener("click", () => this.#ask(false));
    byId("delete-yes").addEventListener("click", () => this.#delete());
  }

  /** Load the list from its beginning. */
  async load() {
    this.#cursor = "";
    await this.more(true);
  }

  async more(anew = false) {
    const asked = ++this.#asked;
    const query = new URLSearchParams({ page_size: "30", ...(this.#search && { search: this.#search }), ...(this.#cursor && { cursor: this.#cursor }) });
    try {
      const page = await call("GET", `conversations?${query}`);
      // A later call has the word.
      if (asked === this.#asked) this.#show(page, anew);
    } catch (error) {
      if (asked !== this.#asked) return;
      tell(byId("list-state"), "The list could not be loaded.");
      this.failed(error);
    }
  }

  #show(page, anew) {
    const list = byId("conversation-list");
    const items = page.results.map((conversation) => this.#item(conversation));
    if (anew) list.replaceChildren(...items);
    else list.append(...items);
    this.#cursor = cursorOf(page.next);
    byId("list-more").hidden = !this.#cursor;
    const none = this.#search ? "No conversation holds these words." : "None yet.";
    tell(byId("list-state"), list.children.length ? "" : none);
    if (!anew) items[0]?.querySelector("a").focus();
  }

  #find() {
    const search = byId("list-search").value.trim();
    if (search === this.#search) return;
    this.#search = search;
    this.load();
  }

  #item(conversation) {
    const title = conversation.title || UNTITLED;
    return el(
      "li",
      {},
      el(
        "a",
        { href: `/chat/${conversation.id}/`, "aria-current": conversation.id === this.current && "page" },
        el("span", { class: "title" }, title),
        el("time", { datetime: conversation.changed_at }, dayOf(conversation.changed_at)),
      ),
      el(
        "button",
        { type: "button", class: "quiet more", "aria-label": `Rename or delete: ${title}`, onclick: () => this.#manage(conversation) },
        "⋯",
      ),
    );
  }

  #toggle() {
    const open = !document.body.classList.contains("list-open");
    this.#open(open);
    if (open) document.querySelector("#conversations a").focus();
    else byId("list-toggle").focus();
  }

  // What lies under the sheet is out of reach while it is open.
  #open(open) {
    document.body.classList.toggle("list-open", open);
    byId("list-toggle").setAttribute("aria-expanded", String(open));
    for (const id of ["main", "composer"]) byId(id).inert = open;
  }

  #manage(conversation) {
    this.#managed = conversation;
    byId("new-title").value = conversation.title;
    tell(byId("manage-trouble"), "");
    byId("manage").showModal();
    this.#ask(false);
    byId("new-title").focus();
  }

  #ask(sure) {
    byId("delete-ask").hidden = sure;
    byId("delete-sure").hidden = !sure;
    byId(sure ? "delete-no" : "delete").focus();
  }

  async #rename(event) {
    event.preventDefault();
    const title = byId("new-title").value.trim();
    if (!title) return byId("new-title").focus();
    await this.#change(async () => {
      const changed = await call("PATCH", `conversations/${this.#managed.id}`, { title });
      await this.load();
      if (changed.id === this.current) this.renamed(changed.title);
    });
  }

  async #delete() {
    await this.#change(async () => {
      await call("DELETE", `conversations/${this.#managed.id}`);
      if (this.#managed.id === this.current) return location.assign("/chat/");
      await this.load();
    });
  }

  async #change(step) {
    try {
      await step();
      byId("manage").close();
      byId("list-toggle").checkVisibility?.() ? byId("list-toggle").focus() : document.querySelector("#conversations a").focus();
    } catch (error) {
      this.failed(error);
      const running = error.code === "run_in_progress";
      tell(byId("manage-trouble"), running ? "An answer is being written there. Stop it first." : error.message);
    }
  }
}
