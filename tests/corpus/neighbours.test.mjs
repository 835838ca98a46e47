import assert from "node:assert/strict";
import { test } from "node:test";

import { Neighbours, said } from "../../static/corpus/graph/neighbours.js";

const node = (id) => ({ id, name: id.toUpperCase(), near: `/${id}` });
const edge = (source, target) => ({ id: `${source}-${target}`, source, target });
const pages = {
  "/a@0": { centre: node("a"), nodes: [node("b"), node("c")], edges: [edge("a", "b"), edge("a", "c")], shown: 2, total: 3 },
  "/a@2": { centre: node("a"), nodes: [node("d")], edges: [edge("a", "d")], shown: 3, total: 3 },
  "/b@0": { centre: node("b"), nodes: [node("a"), node("e")], edges: [edge("a", "b"), edge("b", "e"), edge("b", "x")], shown: 2, total: 2 },
};

function walker() {
  const asked = [];
  const load = async (near, after) => {
    asked.push(`${near}@${after}`);
    return pages[`${near}@${after}`];
  };
  return [new Neighbours(load), asked];
}

const ids = (rows) => rows.map((row) => row.id);

test("the first page brings the centre and its neighbours", async () => {
  const [neighbours] = walker();
  const found = await neighbours.walk("/a");
  assert.deepEqual(ids(found.nodes), ["a", "b", "c"]);
  assert.equal(said(found), "“A”: 2 of 3 neighbours shown. 1 more.");
});

test("the next page goes on where the last one ended, and then there is no more to ask for", async () => {
  const [neighbours, asked] = walker();
  for (let round = 0; round < 3; round += 1) await neighbours.walk("/a");
  assert.deepEqual(asked, ["/a@0", "/a@2"]);
  assert.deepEqual([...neighbours.nodes.keys()], ["a", "b", "c", "d"]);
});

test("walking on adds only what is new, and no edge to what is not there", async () => {
  const [neighbours] = walker();
  await neighbours.walk("/a");
  const found = await neighbours.walk("/b");
  assert.deepEqual(ids(found.nodes), ["e"]);
  assert.deepEqual(ids(found.edges), ["b-e"]);
});

test("a failed page can be asked for again", async () => {
  let fails = true;
  const neighbours = new Neighbours(async () => {
    if (fails) throw new Error("no");
    return pages["/b@0"];
  });
  await assert.rejects(neighbours.walk("/b"));
  fails = false;
  assert.equal((await neighbours.walk("/b")).total, 2);
});

test("a lonely centre says so", () => {
  assert.equal(said({ centre: node("a"), shown: 0, total: 0 }), "“A” has no relationships yet.");
});
