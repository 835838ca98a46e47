// The list of conversations: open, begin, rename, delete.

import { call, cursorOf } from "./api.js";
import { byId, el, tell } from "./elements.js";

const UNTITLED = "New conversation";

/** Fills the list; `current` is the id of the one that is open, `failed(error)` hears what went wrong. */
export class Conversations {
  #cursor = "";
  #managed = null;

  constructor({ current, failed, renamed }) {
    Object.assign(this, { current, failed, renamed });
    byId("list-more").addEventListener("click", () => this.more());
    byId("list-toggle").addEventListener("click", () => this.#toggle());
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && document.body.classList.contains("list-open")) this.#toggle();
    });
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
    try {
      const page = await call("GET", `conversations?page_size=30${this.#cursor && `&cursor=${encodeURIComponent(this.#cursor)}`}`);
      const items = page.results.map((conversation) => this.#item(conversation));
      if (anew) byId("conversation-list").replaceChildren(...items);
      else byId("conversation-list").append(...items);
      this.#cursor = cursorOf(page.next);
      byId("list-more").hidden = !this.#cursor;
      tell(byId("list-state"), byId("conversation-list").children.length ? "" : "None yet.");
      if (!anew) items[0]?.querySelector("a").focus();
    } catch (error) {
      tell(byId("list-state"), "The list could not be loaded.");
      this.failed(error);
    }
  }

  #item(conversation) {
    const title = conversation.title || UNTITLED;
    return el(
      "li",
      {},
      el("a", { href: `/chat/${conversation.id}/`, "aria-current": conversation.id === this.current && "page" }, title),
      el(
        "button",
        { type: "button", class: "quiet more", "aria-label": `Rename or delete: ${title}`, onclick: () => this.#manage(conversation) },
        "⋯",
      ),
    );
  }

  #toggle() {
    const open = document.body.classList.toggle("list-open");
    byId("list-toggle").setAttribute("aria-expanded", String(open));
    if (open) document.querySelector("#conversations a").focus();
    else byId("list-toggle").focus();
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
