// The documents' pages in the admin: each part starts only where the page has what it works on.
import { followPanel, followRows } from "./following.js";
import { showReach } from "./reach.js";
import { sendOneByOne } from "./upload.js";

const panel = document.querySelector("[data-panel]");
if (panel) followPanel(panel);

const rows = document.querySelector("[data-states]");
if (rows) followRows(rows.dataset.states);

const form = document.querySelector("#upload");
if (form) sendOneByOne(form);

for (const reach of document.querySelectorAll("[data-reach]")) showReach(reach);
