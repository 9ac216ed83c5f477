// A live page: its messages come from the server that it came from, as long as the session goes on.

import { unpackBase64 } from "./unpack.js";

// Connects, and hands on what arrives. The browser connects again by itself and says what it has read.
export function createLive(model) {
  const { live } = model;
  // The recording that grows, and whether it is the one that the page shows.
  const state = { source: null, viewer: null, chosen: null };

  function open() {
    state.source?.close();
    state.source = new EventSource(state.chosen === null ? "events" : `events?connection=${state.chosen}`);
    const { source } = state;
    const listen = (name, act) => source.addEventListener(name, (event) => {
      if (source === state.source) act(JSON.parse(event.data));
    });
    source.addEventListener("open", () => lose(null));
    source.addEventListener("error", () => {
      if (source === state.source && !live.ended) lose(live.lostAt ?? new Date(), source.readyState === EventSource.CLOSED);
    });
    listen("begin", begin);
    listen("more", more);
    listen("until", ({ until }) => add(null, until));
    listen("missed", miss);
    listen("views", ({ views }) => {
      live.views = views;
      model.emit("drawings");
    });
    listen("end", end);
  }

  function lose(at, isFinal = false) {
    live.lostAt = at;
    live.refusal = isFinal ? "the program has ended, or has no room for another page" : "";
    model.emit("view");
  }

  // Begins another recording. It is shown as soon as something in it can be drawn.
  function begin({ connection }) {
    live.connection = connection;
    state.viewer = motionCore.Viewer.live();
    model.reload(state.viewer);
  }

  function more({ until, script }) {
    add(unpackBase64(script), until);
  }

  function add(bytes, until) {
    // The reader may have opened another recording instead.
    if (model.source.viewer !== state.viewer || !state.viewer) return;
    try {
      model.append(bytes, until);
    } catch (error) {
      model.problem = String(error.message ?? error);
      model.emit("problem");
      open();
    }
  }

  function miss({ messages, seconds }) {
    const words = `${messages} messages of ${Math.round(seconds)}\u2009s are left out, because this page came or read too late. What still holds was sent again.`;
    model.about = { ...model.about, warnings: [...(model.about.warnings ?? []).filter((of) => of !== live.missed), words] };
    live.missed = words;
  }

  // Stays with what has come. It can still be played.
  function end({ words }) {
    state.source.close();
    Object.assign(live, { ended: words, lostAt: null });
    if (model.follows) model.pause();
    model.emit("view");
  }

  live.choose = (connection) => {
    state.chosen = connection;
    open();
  };
  open();
}
