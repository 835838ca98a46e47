import assert from "node:assert/strict";
import { test } from "node:test";

import { Backoff } from "../../static/chat/backoff.js";
import { frameOf } from "../../static/chat/frames.js";
import { eventsOf, frame, settled, streaming } from "./platform.mjs";

const DONE = { status: "answered" };

test("a socket is opened with the turn and the seq that is known", () => {
  const { platform, stream } = streaming();
  stream.follow("t1", 7);
  assert.equal(platform.socket.address, "wss://app.example.org/ws/conversations/c1/?turn=t1&after=7");
});

test("frames that come twice are used once", () => {
  const { stream, frames, say } = streaming();
  stream.follow("t1");
  say(frame(1), frame(2), frame(2), frame(1), frame(3));
  assert.deepEqual(frames, [1, 2, 3]);
});

test("after a gap it connects again with the last seq it has", () => {
  const { platform, stream, frames, say } = streaming();
  stream.follow("t1");
  say(frame(1), frame(3));
  assert.deepEqual(frames, [1]);
  assert.ok(platform.sockets[0].closed);
  platform.pass(500);
  assert.match(platform.socket.address, /after=1$/);
  say(frame(2), frame(3));
  assert.deepEqual(frames, [1, 2, 3]);
});

for (const broken of ["{", "null", "[]", '{"v":2,"type":"x","turn":"t1","seq":1,"data":{}}', '{"v":1,"type":"x","turn":"t1","seq":0,"data":{}}']) {
  test(`${broken} is no frame`, () => assert.equal(frameOf(broken), null));
}

test("what is no frame is answered by connecting again", () => {
  const { platform, stream } = streaming();
  stream.follow("t1");
  platform.socket.onmessage({ data: "{" });
  platform.pass(500);
  assert.equal(platform.sockets.length, 2);
});

test("a snapshot replaces whatever was known", () => {
  const { stream, frames, say } = streaming();
  stream.follow("t1", 5);
  say(frame(3, "turn.snapshot", { status: "running" }), frame(4));
  assert.deepEqual(frames, [3, 4]);
});

test("later turns of the conversation come over the same socket", () => {
  const { platform, stream, frames, say } = streaming();
  stream.follow("t1");
  say(frame(1, "turn.done", DONE), frame(1, "turn.started", {}, "t2"));
  stream.follow("t2", 1);
  say(frame(2, "status", {}, "t2"));
  assert.deepEqual(frames, [1, 1, 2]);
  assert.equal(platform.sockets.length, 1);
});

test("a restart of the server is waited out, longer each time", () => {
  const { platform, stream, states } = streaming();
  stream.follow("t1");
  platform.socket.onopen();
  platform.socket.onclose({ code: 4012 });
  assert.equal(states.at(-1), "waiting");
  assert.deepEqual([...platform.timers.values()].map(({ wait }) => wait), [250]);
  platform.pass(500);
  platform.socket.onopen();
  platform.socket.onclose({ code: 1006 });
  assert.deepEqual([...platform.timers.values()].map(({ wait }) => wait), [500]);
});

test("waiting is jittered and bounded, and a server's own wish is heard", () => {
  const waits = new Backoff(() => 1);
  assert.deepEqual([1, 2, 3, 4, 5, 6, 7].map(() => waits.next()), [500, 1000, 2000, 4000, 8000, 15000, 15000]);
  assert.equal(new Backoff(() => 0).next(5000), 5000);
});

for (const [code, state] of [[4401, "signed-out"], [4404, "gone"], [4400, "refused"]]) {
  test(`${code} ends it: ${state}`, () => {
    const { platform, stream, states } = streaming();
    stream.follow("t1");
    platform.socket.onclose({ code });
    assert.equal(states.at(-1), state);
    stream.follow("t2");
    platform.pass(60_000);
    assert.equal(platform.sockets.length, 1);
  });
}

test("where no socket opens, the turn's events are read", async () => {
  const { platform, stream, frames } = streaming({ respond: () => eventsOf(frame(1), frame(2, "turn.done", DONE)) });
  stream.follow("t1");
  platform.socket.onclose({ code: 1006 });
  platform.pass(500);
  platform.socket.onclose({ code: 1006 });
  platform.pass(1000);
  await settled();
  assert.deepEqual(platform.fetches, ["/api/v1/turns/t1/events?after=0"]);
  await settled();
  assert.deepEqual(frames, [1, 2]);
});

test("a handshake that is never answered counts as none", () => {
  const { platform, stream } = streaming();
  stream.follow("t1");
  platform.pass(8_000);
  assert.ok(platform.sockets[0].closed);
  platform.pass(500);
  assert.equal(platform.sockets.length, 2);
});

test("without sockets a cut stream of events goes on behind its last frame", async () => {
  const answers = [eventsOf(frame(1), frame(2)), eventsOf(frame(3, "turn.done", DONE))];
  const { platform, stream, frames } = streaming({ sockets: false, respond: () => answers.shift() });
  stream.follow("t1");
  for (let round = 0; round < 5; round += 1) await settled();
  platform.pass(500);
  for (let round = 0; round < 5; round += 1) await settled();
  assert.deepEqual(platform.fetches.map((address) => address.split("?")[1]), ["after=0", "after=2"]);
  assert.deepEqual(frames, [1, 2, 3]);
  platform.pass(60_000);
  assert.equal(platform.fetches.length, 2);
});

test("204 for a turn whose end was not seen is told", async () => {
  const { stream, complete } = streaming({ sockets: false, respond: () => new Response(null, { status: 204 }) });
  stream.follow("t1", 9);
  for (let round = 0; round < 5; round += 1) await settled();
  assert.deepEqual(complete, ["t1"]);
});

test("503 waits as long as the server asks", async () => {
  const respond = () => new Response("", { status: 503, headers: { "Retry-After": "5" } });
  const { platform, stream } = streaming({ sockets: false, respond });
  stream.follow("t1");
  for (let round = 0; round < 5; round += 1) await settled();
  assert.deepEqual([...platform.timers.values()].map(({ wait }) => wait), [5000]);
});

test("40 silent seconds while a turn runs are a cut", () => {
  const { platform, stream, say } = streaming();
  stream.follow("t1");
  platform.socket.onopen();
  say(frame(1));
  platform.pass(40_000);
  platform.pass(500);
  assert.match(platform.socket.address, /after=1$/);
});

test("offline is said, and coming back connects at once", () => {
  const { platform, stream, states } = streaming();
  stream.follow("t1");
  platform.dispatchEvent(new Event("offline"));
  assert.equal(states.at(-1), "offline");
  platform.dispatchEvent(new Event("online"));
  assert.equal(platform.sockets.length, 2);
  assert.ok(platform.sockets[0].closed);
});

test("once closed it says nothing more", () => {
  const { platform, stream, frames, say } = streaming();
  stream.follow("t1");
  stream.close();
  say(frame(1));
  platform.dispatchEvent(new Event("online"));
  assert.deepEqual([frames, platform.sockets.length, platform.timers.size], [[], 1, 0]);
});
