// One attempt to follow a conversation over a WebSocket. It ends by one call of `ended`, with a reason.

const PATIENCE_MS = 8_000;
const REASON_OF = { 4400: "refused", 4401: "signed-out", 4404: "gone" };

/** Open the socket. Returns what closes it; after that nothing is called any more. Throws where there are no sockets. */
export function openSocket({ conversation, turn, after, origin, WebSocket, setTimeout, clearTimeout }, { text, alive, ended }) {
  const query = turn ? `?turn=${encodeURIComponent(turn)}&after=${after}` : "";
  const address = `${origin.replace(/^http/, "ws")}/ws/conversations/${encodeURIComponent(conversation)}/${query}`;
  const socket = new WebSocket(address);
  let opened = false;
  let closed = false;
  const end = (reason) => {
    if (closed) return;
    closed = true;
    clearTimeout(patience);
    socket.close();
    ended(reason, 0);
  };
  // A proxy that knows no WebSockets may keep the handshake for ever.
  const patience = setTimeout(() => end("not-opened"), PATIENCE_MS);
  socket.onopen = () => {
    clearTimeout(patience);
    opened = true;
    if (!closed) alive();
  };
  socket.onmessage = (message) => closed || text(String(message.data));
  socket.onclose = (event) => end(REASON_OF[event.code] ?? (opened ? "cut" : "not-opened"));
  return () => {
    closed = true;
    clearTimeout(patience);
    socket.close();
  };
}
