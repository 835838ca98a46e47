// The member's page: puts its parts together.

import { call } from "./api.js";
import { Composer } from "./composer.js";
import { Conversation } from "./conversation.js";
import { Conversations } from "./conversations.js";
import { newKey } from "./drafts.js";
import { byId, tell } from "./elements.js";
import { Journey } from "./journey.js";

const CONNECTION = {
  waiting: "The connection was lost. Trying again …",
  offline: "You are offline. The answer goes on without you and appears when you are back.",
};

const { conversation: opened, questionLimit } = document.body.dataset;

let wasDown = false;
let titled = false;

const journey = new Journey({ failed: signedOutIf });
const list = new Conversations({ current: opened, failed: signedOutIf, renamed: setTitle });

const conversation = new Conversation(opened, {
  send: (fields) => composer.send(fields).then(() => composer.focus()),
  changed: ({ running }) => {
    byId("empty").hidden = !conversation.isEmpty;
    byId("print").hidden = conversation.isEmpty;
    composer.setRunning(running);
  },
  state: (state, running) => {
    if (state === "live" && wasDown) conversation.load().catch(signedOutIf);
    wasDown = state === "live" ? false : wasDown || state === "waiting" || state === "offline";
    if (state === "signed-out") showSignedOut();
    if (state === "gone") tell(byId("trouble"), "This conversation was deleted.");
    if (state === "refused") tell(byId("trouble"), "The answer cannot be followed. Please reload the page.");
    tell(byId("connection"), running || state === "offline" ? (CONNECTION[state] ?? "") : "");
  },
  begun: (id) => {
    history.pushState(null, "", `/chat/${id}/`);
    list.current = id;
    composer.moveTo(id);
  },
  failed: signedOutIf,
  ended: (turn) => {
    list.load();
    if (turn.journey?.proposed_stage) journey.load();
    if (!titled) call("GET", `conversations/${conversation.id}`).then(({ title }) => setTitle(title), signedOutIf);
  },
  drawn: (newest) => journey.place(newest),
  retry: (turn, mode) => act(() => conversation.retry(turn, mode, newKey())),
});

const composer = new Composer({
  limit: Number(questionLimit),
  conversation: opened,
  ask: (fields, key) => conversation.ask(fields, key).catch(rethrown),
  stop: () => act(() => conversation.stop()),
});

function setTitle(title) {
  titled = Boolean(title);
  byId("conversation-title").textContent = title || "New conversation";
  document.title = title ? `${title} - SecondAct` : "SecondAct";
}

async function act(step) {
  tell(byId("send-trouble"), "");
  try {
    await step();
  } catch (error) {
    signedOutIf(error);
    if (error.status !== 401) tell(byId("send-trouble"), error.message);
  }
  composer.focus();
}

function rethrown(error) {
  signedOutIf(error);
  throw error;
}

function signedOutIf(error) {
  if (error.status === 401) showSignedOut();
}

function showSignedOut() {
  conversation.close();
  byId("sign-in").search = `?next=${encodeURIComponent(location.pathname)}`;
  if (!byId("signed-out").open) byId("signed-out").showModal();
}

async function loadConversation() {
  byId("loading").hidden = false;
  try {
    const [about] = await Promise.all([call("GET", `conversations/${opened}`), conversation.load()]);
    setTitle(about.title);
    byId("turns").lastElementChild?.scrollIntoView({ block: "start" });
  } catch (error) {
    signedOutIf(error);
    tell(byId("trouble"), error.status === 404 ? "There is no such conversation." : error.message);
    byId("composer").hidden = error.status === 404;
  }
  byId("loading").hidden = true;
}

byId("print").addEventListener("click", () => print());
for (const starter of document.querySelectorAll("[data-starter]")) {
  starter.addEventListener("click", () => composer.send({ question: starter.textContent }).then(() => composer.focus()));
}
// The address of a conversation begun here was put into the history: going back means another page.
addEventListener("popstate", () => location.reload());
document.addEventListener("visibilitychange", () => document.hidden || conversation.wake());
addEventListener("pageshow", (event) => event.persisted && location.reload());

list.load();
journey.load();
if (opened) loadConversation();
else {
  byId("empty").hidden = false;
  composer.focus();
}
