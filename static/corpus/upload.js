// Sending files one by one, so that each has its own answer and a hundred of them are no single long request.
import { followRows } from "./following.js";

/** Take over the form's sending; without this module the browser sends all files at once. */
export function sendOneByOne(form) {
  const field = form.elements.namedItem("uploads");
  const row = field.closest(".form-row");
  for (const kind of ["dragenter", "dragover"]) row.addEventListener(kind, () => row.classList.add("over"));
  for (const kind of ["dragleave", "drop"]) row.addEventListener(kind, () => row.classList.remove("over"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form, field);
  });
}

async function send(form, field) {
  const button = form.querySelector("[type=submit]");
  const parts = partsOf(form, field);
  trouble("");
  button.disabled = true;
  for (const [number, { name, body }] of parts.entries()) {
    button.value = parts.length > 1 ? `Sending ${number + 1} of ${parts.length}` : "Sending";
    const answer = await post(form, body);
    if (answer.errors) {
      trouble(answer.errors);
      break;
    }
    for (const file of answer.files ?? [{ name, said: answer.said }]) add(file);
  }
  button.disabled = false;
  button.value = "Upload";
  if (!document.querySelector("#upload-trouble").hidden) return;
  field.value = "";
  form.elements.namedItem("pasted").value = "";
  document.querySelector("#results-title").focus();
}

/** One body a file, each with the labels, and one for the pasted text; or one without either, to be told what lacks. */
function partsOf(form, field) {
  const labels = () => {
    const body = new FormData(form);
    body.delete("uploads");
    return body;
  };
  const parts = [...field.files].map((file) => {
    const body = labels();
    body.delete("pasted");
    body.append("uploads", file);
    return { name: file.name, body };
  });
  if (form.elements.namedItem("pasted").value.trim() || !parts.length) parts.push({ name: "Pasted text", body: labels() });
  return parts;
}

async function post(form, body) {
  try {
    const answer = await fetch(form.action || location.href, {
      method: "POST",
      body,
      headers: { Accept: "application/json" },
    });
    if (answer.redirected) return { said: "You are signed out; please sign in and try again." };
    if (answer.ok || answer.status === 400) return await answer.json();
    return { said: `It could not be sent (${answer.status}); please try again.` };
  } catch {
    return { said: "It could not be sent: the connection failed, or the file changed or is gone." };
  }
}

function trouble(errors) {
  const place = document.querySelector("#upload-trouble");
  const said = Object.entries(errors).map(([name, found]) => {
    const label = document.querySelector(`label[for="id_${CSS.escape(name)}"]`)?.textContent ?? "";
    return `${label} ${found.join(" ")}`.trim();
  });
  place.textContent = said.join(" ");
  place.hidden = !said.length;
}

function add(file) {
  const results = document.querySelector("#results");
  results.hidden = false;
  const row = results.querySelector("tbody").insertRow();
  row.insertCell().textContent = file.name;
  const title = row.insertCell();
  const standing = row.insertCell();
  if (!file.document) {
    row.className = "refused";
    title.textContent = "-";
    standing.textContent = file.said;
    return;
  }
  const link = document.createElement("a");
  link.href = file.address;
  link.textContent = file.title;
  title.append(link);
  const state = document.createElement("span");
  state.dataset.reading = file.document;
  state.setAttribute("data-working", "");
  state.textContent = "Received";
  standing.append(state, ` ${file.said}`);
  followRows(results.dataset.states);
}
