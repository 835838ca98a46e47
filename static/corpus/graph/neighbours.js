// What has been loaded of the graph so far. Knows no page; `load` fetches one page of neighbours.

export async function fetched(address, after) {
  const answer = await fetch(`${address}?after=${after}`, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`The neighbours could not be loaded (${answer.status}).`);
  return answer.json();
}

export class Neighbours {
  constructor(load = fetched) {
    this.load = load;
    this.nodes = new Map();
    this.edges = new Map();
    this.pages = new Map();
  }

  // Load the next page around one node; what is new of it. `near` is the address of its neighbours.
  async walk(near) {
    const page = this.pages.get(near) ?? { shown: 0, total: null };
    if (page.total !== null && page.shown >= page.total) return { centre: page.centre, nodes: [], edges: [], ...page };
    const body = await this.load(near, page.shown);
    this.pages.set(near, { centre: body.centre, shown: body.shown, total: body.total });
    const nodes = [body.centre, ...body.nodes].filter((node) => !this.nodes.has(node.id));
    for (const node of nodes) this.nodes.set(node.id, node);
    const edges = body.edges.filter(
      (edge) => !this.edges.has(edge.id) && this.nodes.has(edge.source) && this.nodes.has(edge.target),
    );
    for (const edge of edges) this.edges.set(edge.id, edge);
    return { centre: body.centre, nodes, edges, shown: body.shown, total: body.total };
  }
}

export function said({ centre, shown, total }) {
  if (total === 0) return `“${centre.name}” has no relationships yet.`;
  const more = total > shown ? ` ${total - shown} more.` : "";
  return `“${centre.name}”: ${shown} of ${total} ${total === 1 ? "neighbour" : "neighbours"} shown.${more}`;
}
