// A live page: its messages come from the server that it came from, as long as the session goes on.

import { growthTake } from "./growth.js";
import { unpackBase64 } from "./unpack.js";

// Seconds without a message after which a client counts as silent.
const LIVE_SILENT_SECS = 5;

// Connects, and hands on what arrives. The browser connects again by itself and says what it has read.
export function createLive(model) {
  const { live } = model;
  // The recording that grows, and the number of times that it could not be read.
  const state = { source: null, viewer: null, failures: 0 };

  function open() {
    state.source?.close();
    state.source = new EventSource(live.chosen === null ? "events" : `events?connection=${live.chosen}`);
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
    listen("until", pass);
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
    Object.assign(live, { connection, now: null });
    state.viewer = motionCore.Viewer.live();
    model.reload(state.viewer);
  }

  function more({ until, script }) {
    add(unpackBase64(script), until);
  }

  // Takes note of the time. If the client that is followed has fallen silent and another has not, that one is followed.
  function pass({ until, now, active }) {
    live.now = now;
    add(null, until);
    const isSilent = now - model.end > LIVE_SILENT_SECS && active !== live.connection;
    if (isSilent && model.follows && live.chosen === null) choose(active);
    else model.emit("view");
  }

  function choose(connection) {
    live.chosen = connection;
    open();
    // Only a reader's choice is kept.
    live.chosen = null;
  }

  function add(bytes, until) {
    // The reader may have opened another recording instead.
    if (model.source.viewer !== state.viewer || !state.viewer) return;
    try {
      model.append(bytes, until);
    } catch (error) {
      model.problem = String(error.message ?? error);
      model.emit("problem");
      state.failures += 1;
      // Once more from the beginning. What cannot be read twice stays so.
      if (state.failures < 2) open();
      else state.source.close();
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
    growthTake(model);
    const wasFollowing = model.follows;
    Object.assign(live, { ended: words, lostAt: null });
    if (wasFollowing) model.seek(model.end);
    model.emit("view");
  }

  live.choose = (connection) => {
    live.chosen = connection;
    open();
  };
  open();
}
