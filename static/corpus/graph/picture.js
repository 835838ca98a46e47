// The picture of the graph: cytoscape draws what has been loaded, the table beside it lists the same.

import cytoscape from "../vendor/cytoscape-3.35.0.js";
import { Neighbours, said } from "./neighbours.js";
import { row } from "./table.js";

const DOUBLE_CLICK = 300;
const CLOSEST = 1.2; // nearer than this a few neighbours fill the picture with letters
const section = document.getElementById("graph");
const status = document.getElementById("graph-status");
const more = document.getElementById("graph-more");
const rows = document.getElementById("graph-rows");
const neighbours = new Neighbours();
let last = section.dataset.neighbours;

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;

const picture = cytoscape({
  container: document.getElementById("graph-picture"),
  minZoom: 0.2,
  maxZoom: 3,
  style: [
    {
      selector: "node",
      style: {
        label: "data(name)",
        "background-color": colour("--primary") || "#79aec8",
        color: colour("--body-fg") || "#333",
        "font-size": 12,
        "text-wrap": "wrap",
        "text-max-width": 110,
        "text-valign": "bottom",
        "text-margin-y": 4,
        "text-background-color": colour("--body-bg") || "#fff",
        "text-background-opacity": 0.75,
        width: 18,
        height: 18,
      },
    },
    { selector: "node.centre", style: { "background-color": colour("--secondary") || "#417690", width: 28, height: 28, "font-weight": "bold" } },
    { selector: "node.persona", style: { shape: "round-rectangle" } },
    {
      selector: "edge",
      style: {
        width: "mapData(weight, 1, 10, 1, 5)",
        "line-color": colour("--border-color") || "#aaa",
        "target-arrow-color": colour("--border-color") || "#aaa",
        "target-arrow-shape": "triangle",
        "curve-style": "bezier",
      },
    },
    { selector: "edge.unproved", style: { "line-style": "dashed" } },
    { selector: "edge.hover, edge:selected", style: { label: "data(label)", "font-size": 11, color: colour("--body-fg") || "#333", "text-rotation": "autorotate", "text-background-color": colour("--body-bg") || "#fff", "text-background-opacity": 0.9, "line-color": colour("--link-fg") || "#417893" } },
  ],
});

async function walk(near) {
  status.textContent = "Loading …";
  try {
    const found = await neighbours.walk(near);
    last = near;
    draw(found);
    status.textContent = said(found);
    more.hidden = found.shown >= found.total;
  } catch (error) {
    status.textContent = error.message;
  }
}

function draw({ centre, nodes, edges }) {
  picture.add([
    ...nodes.map((node) => ({ group: "nodes", data: node, classes: node.persona ? "persona" : "" })),
    ...edges.map((edge) => ({ group: "edges", data: edge, classes: edge.proved ? "" : "unproved" })),
  ]);
  picture.nodes().removeClass("centre");
  picture.getElementById(centre.id).addClass("centre");
  const layout = {
    name: "concentric",
    concentric: (node) => (node.id() === centre.id ? 3 : node.edgesWith(picture.getElementById(centre.id)).length ? 2 : 1),
    levelWidth: () => 1,
    minNodeSpacing: picture.nodes().length > 15 ? 34 : 90, // room for the names
    animate: !still,
    animationDuration: 250,
    padding: 24,
  };
  const arranged = picture.layout(layout);
  arranged.one("layoutstop", () => {
    if (picture.zoom() > CLOSEST) {
      picture.zoom(CLOSEST);
      picture.center();
    }
  });
  if (nodes.length) arranged.run();
  rows.append(...edges.map((edge) => row(edge, neighbours.nodes, (node) => walk(node.near))));
}

let clicked = { id: "", at: 0 };
picture.on("tap", "node", ({ target, timeStamp }) => {
  if (clicked.id === target.id() && timeStamp - clicked.at < DOUBLE_CLICK) location.assign(target.data("url"));
  else if (target.data("near")) walk(target.data("near"));
  clicked = { id: target.id(), at: timeStamp };
});
picture.on("tap", "edge", ({ target }) => location.assign(target.data("url")));
picture.on("mouseover", "edge", ({ target }) => target.addClass("hover"));
picture.on("mouseout", "edge", ({ target }) => target.removeClass("hover"));
more.addEventListener("click", () => walk(last));

walk(last);
