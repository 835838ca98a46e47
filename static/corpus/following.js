// Keeping up to date how the reading-in of documents goes, for as long as any is at work.

const PAUSE = 1500;
const LONGEST_PAUSE = 20000;
const MOST_AT_ONCE = 100;

const later = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Ask for the panel of a document again while it works; a server that does not answer is asked less and less often. */
export async function followPanel(panel) {
  let pause = PAUSE;
  while (panel.hasAttribute("data-working")) {
    await later(pause);
    if (document.hidden || panel.contains(document.activeElement)) continue;
    const markup = await fetched(panel.dataset.panel, (answer) => answer.text());
    if (markup === null) {
      pause = Math.min(pause * 2, LONGEST_PAUSE);
      continue;
    }
    pause = PAUSE;
    const fresh = new DOMParser().parseFromString(markup, "text/html").querySelector("[data-panel]");
    if (!fresh) return;
    panel.replaceWith(fresh);
    panel = fresh;
  }
}

/** Keep every cell that is marked as working up to date. May be called again when cells have been added. */
export function followRows(address) {
  follower.address = address;
  if (!follower.running) follower.run();
}

const follower = {
  address: "",
  running: false,
  async run() {
    this.running = true;
    let pause = PAUSE;
    for (let cells = working(); cells.length; cells = working()) {
      await later(pause);
      if (document.hidden) continue;
      const query = new URLSearchParams(cells.slice(0, MOST_AT_ONCE).map((cell) => ["id", cell.dataset.reading]));
      const states = await fetched(`${this.address}?${query}`, (answer) => answer.json());
      pause = states === null ? Math.min(pause * 2, LONGEST_PAUSE) : PAUSE;
      if (states !== null) cells.slice(0, MOST_AT_ONCE).forEach((cell) => show(cell, states[cell.dataset.reading]));
    }
    this.running = false;
  },
};

const working = () => [...document.querySelectorAll("[data-reading][data-working]")];

function show(cell, state) {
  if (!state) {
    cell.textContent = "Deleted";
    cell.removeAttribute("data-working");
    return;
  }
  cell.textContent = state.words;
  cell.toggleAttribute("data-working", state.working);
  const status = document.querySelector(`[data-status="${CSS.escape(cell.dataset.reading)}"]`);
  if (status) status.textContent = state.status;
}

async function fetched(address, read) {
  try {
    const answer = await fetch(address, { headers: { Accept: "application/json, text/html" } });
    return answer.ok && !answer.redirected ? await read(answer) : null;
  } catch {
    return null;
  }
}
