// The relationships as rows of a table: all that the picture shows, for keyboards and screen readers.

export function row(edge, nodes, walk) {
  const line = document.createElement("tr");
  line.append(
    cell(end(nodes.get(edge.source), edge.from, walk)),
    cell(edge.label),
    cell(end(nodes.get(edge.target), edge.to, walk)),
    cell(String(edge.weight)),
    cell(proof(edge)),
  );
  return line;
}

function cell(content) {
  const made = document.createElement("td");
  made.append(content);
  return made;
}

function end(node, name, walk) {
  if (!node || !node.near) return name;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "walk";
  button.textContent = name;
  button.title = `Show what lies around “${name}” too`;
  button.addEventListener("click", () => walk(node));
  return button;
}

function proof(edge) {
  const link = document.createElement("a");
  link.href = edge.url;
  link.textContent = edge.proof;
  if (!edge.proved) link.className = "unproved";
  return link;
}
