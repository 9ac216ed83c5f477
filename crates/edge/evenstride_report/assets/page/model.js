// The state of the page, and the only part that talks to the core. Everything that takes long is done in
// short parts, so that the page needs no worker and never stands still.

import { clamp, lastUpTo } from "./format.js";
import { growthAppend, growthFollow, growthGoLive, growthIsNow, growthReachTrack, growthTake, growthTrackFrom } from "./growth.js";
import { PaneDrawing } from "./drawing.js";
import { unpackBase64, unpackBase85, unpackBytes } from "./unpack.js";
import { sentenceCaption, sentenceOpening, sentenceState, sentenceVerdict } from "./sentences.js";

// Milliseconds of computing at a time, while playing, while idle, and while there is nothing to show yet.
const MODEL_SLICES = { playing: 6, idle: 14, opening: 24 };

// Longest track in frames. Of longer recordings, the part around the present time is shown.
const MODEL_TRACK_FRAMES = 900000;

// Shortest time span in seconds that a live page shows.
const MODEL_LIVE_SPAN = 12;

const MODEL_NONE = new Float64Array(0);

const MODEL_BARE = { latency: 0, jitter: 0, loss: 0, seed: 1, dropped: [] };

// Starts the core and reads the recording.
export async function createModel({ about, messages, drawn, core }) {
  if (typeof WebAssembly === "undefined") throw new Error("this browser has no WebAssembly");
  const wasm = await unpackBytes(unpackBase85(core), "gzip");
  await motionCore.start({ module_or_path: wasm });
  const script = await unpackBytes(unpackBase64(messages), "deflate-raw");
  const [from, to] = about.range ?? [-Infinity, Infinity];
  const viewer = new motionCore.Viewer(script, from ?? -Infinity, to ?? Infinity);
  if (drawn) viewer.addDrawn(await unpackBytes(unpackBase64(drawn), "deflate-raw"));
  return new Model(about, viewer);
}

class Model {
  constructor(about, viewer) {
    this.listeners = new Map();
    this.painters = [];
    this.changes = new Set();
    this.isScheduled = false;
    this.last = 0;
    this.work = { frames: 0, slices: 0, most: 0 };
    this.isPumping = false;
    this.pumps = new MessageChannel();
    this.pumps.port1.onmessage = () => this.pump();
    this.hover = null;
    this.playing = false;
    this.speed = 1;
    this.view = "both";
    this.search = "";
    this.sort = "worst";
    this.moment = -1;
    // How a live session goes on: what is known of its connections, and whether the page follows it.
    this.live = { views: [], connection: null, chosen: null, now: null, lostAt: null, ended: "", missed: "" };
    this.follows = false;
    this.grown = new Set();
    this.hasGrown = false;
    this.profiles = ["glide", "smooth", "retail", "acdream"];
    this.rivals = viewer.methods().filter((name) => !this.profiles.includes(name));
    this.load(about, viewer);
  }

  // Begins with a recording.
  load(about, viewer) {
    this.about = about;
    this.kind = about.kind;
    this.warnings = about.warnings ?? [];
    this.source = { viewer, map: null, shift: 0, title: "" };
    this.others = new Map();
    const facts = viewer.facts();
    this.facts = facts;
    this.emptiness = null;
    [this.start, this.end] = facts.span;
    this.player = facts.player ?? -1;
    this.baseline = { ...MODEL_BARE, fps: about.fps };
    this.whatIf = { ...this.baseline };
    this.receivedOf = new Map();
    this.arrivalsKey = "[]";
    this.truthOf = new Map();
    this.entities = facts.entities.map((of, index) => this.entityOf(of, index));
    this.updateCount = facts.updates;
    this.usesTruth = facts.entities.some((of) => of.has_truth && !of.is_player);
    this.emptiness = facts.places_anything ? null : this.emptyWords(facts);
    this.momentsKey = "";
    this.momentOrder = this.kind === "live" ? "newest" : "worst";
    this.compare = about.compare ?? null;
    this.panes = [];
    this.ghost = null;
    this.pending = null;
    this.decisions = [];
    this.messages = [];
    this.moments = [];
    this.busy = null;
    this.time = this.start;
    this.isOpening = true;
    if (!this.emptiness) this.panes = this.wantedNames().map((name) => this.draw(name, this.whatIf));
    if (about.opening) this.takeOverview(about.opening);
    this.selected = this.moments[0]?.entity ?? this.firstEntity();
    this.openAt();
    this.choose(this.selected);
    this.reorder();
    this.schedule();
    this.askPump();
  }

  // Begins again with a recording, which the same methods draw.
  reload(viewer) {
    for (const pane of [...this.panes, this.ghost]) pane?.free();
    this.known = null;
    this.names = this.names?.filter((name) => this.profiles.includes(name) || this.rivals.includes(name)) ?? null;
    this.load(this.about, viewer);
    for (const event of ["list", "select", "moment", "window", "time", "drawings", "view"]) this.emit(event);
  }

  draw(name, whatIf, source = this.source) {
    const other = this.others.get(name);
    const pane = new PaneDrawing(other?.source ?? source, other?.method ?? name, whatIf, this.entities.length);
    const isAsRecorded = whatIf === this.baseline || !this.isNetworkChanged;
    return Object.assign(pane, { key: name, isGrowing: this.kind === "live" && !other && isAsRecorded });
  }

  // The drawing whose network the lanes and plots show, or the recording itself.
  get heard() {
    const first = this.panes?.[0];
    return first?.core && first.source === this.source ? first.core : this.source.viewer;
  }

  // Gives every entity the updates that arrive in the first drawing.
  takeArrivals() {
    const { latency, jitter, loss, seed, dropped } = this.whatIf;
    const key = JSON.stringify(latency || jitter || loss || dropped.length ? [latency, jitter, loss, seed, dropped] : []);
    if (key === this.arrivalsKey) return;
    this.arrivalsKey = key;
    this.receivedOf.clear();
    const { heard } = this;
    for (const entity of this.entities) {
      entity.updates = this.received(entity.index).times;
      entity.buffer = null;
      const late = heard.late?.(entity.index);
      if (late) entity.late = Array.from({ length: late.length / 2 }, (_, row) => [late[2 * row], late[2 * row + 1]]);
    }
    this.messages = this.messagesOf(this.selected);
    this.emit("list");
    this.emit("select");
  }

  // Returns the messages about an entity with their times of arrival, oldest first. One that does not arrive keeps the
  // time at which it was captured.
  messagesOf(index) {
    if (!this.entities[index]) return [];
    const dropped = new Set(this.whatIf.dropped);
    const times = this.heard.messageTimes?.(index) ?? [];
    const messages = this.source.viewer.messages(index).map((of, row) => {
      const time = Number.isFinite(times[row]) ? times[row] : of.time;
      return { ...of, time, captured: of.time, isDropped: dropped.has(of.index) };
    });
    return messages.sort((one, other) => one.time - other.time);
  }

  entityOf(of, index) {
    const received = this.received(index);
    const [firstSeen, lastSeen] = [received.times[0] ?? NaN, received.times[received.times.length - 1] ?? NaN];
    return {
      index, id: of.id, guid: of.guid, name: of.name, isPlayer: of.is_player, sort: of.sort,
      updates: received.times, usual: of.usual ?? NaN, firstSeen, lastSeen, late: of.late,
      worst: NaN, worstAt: NaN, spark: new Float32Array(64), marks: [], hasTruth: of.has_truth, messageCount: of.messages,
    };
  }

  emptyWords(facts) {
    if (this.kind === "live") {
      const words = facts.messages > 0 ? "No position has arrived yet." : "Waiting for the first message.";
      return { words, help: this.about.hint ?? "" };
    }
    const movements = facts.messages;
    return {
      words: `Nothing to draw. This capture has ${movements} messages about motion but no positions.`,
      help: "A capture that begins before the login has descriptions and positions of everything around.",
    };
  }

  firstEntity() {
    const rank = (of) => (of.isPlayer ? -1 : of.updates.length);
    let best = 0;
    for (const of of this.entities) if (rank(of) > rank(this.entities[best])) best = of.index;
    return best;
  }

  // Decides where the page opens: on the worst moment, or else where the entity has something to show.
  openAt() {
    const worst = this.moments[0];
    const entity = this.entities[this.selected];
    const first = Number.isFinite(entity?.worstAt) ? entity.worstAt : (entity?.updates[Math.min(8, entity.updates.length - 1)] ?? this.start);
    this.moment = worst ? 0 : -1;
    this.time = clamp(worst?.at ?? first, this.start, this.end);
    this.opening = { moment: this.moment, time: this.time };
    this.window = [0, 0];
    this.centre(this.time);
  }

  // Events and painting.

  on(event, listener) {
    if (!this.listeners.has(event)) this.listeners.set(event, []);
    this.listeners.get(event).push(listener);
  }

  frame(painter) {
    this.painters.push(painter);
  }

  emit(event) {
    this.changes.add(event);
    for (const listener of this.listeners.get(event) ?? []) listener();
    this.schedule();
  }

  requestDraw() {
    this.emit("view");
  }

  schedule() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    this.isScheduled = false;
    growthTake(this);
    const elapsed = Math.min((now - this.last) / 1000, 0.25);
    this.last = now;
    if (this.playing) this.advance(elapsed);
    const hasMore = this.compute();
    if (this.changes.size > 0) {
      const { changes } = this;
      this.changes = new Set();
      for (const painter of this.painters) painter(changes);
    }
    if (this.playing || hasMore) this.schedule();
    if (hasMore) this.askPump();
  }

  // Computes between frames too. Frames are rare where a browser draws without a graphics card, and a hidden page has none.
  askPump() {
    if (this.isPumping || (this.playing && !this.isOpening)) return;
    this.isPumping = true;
    this.pumps.port2.postMessage(0);
  }

  pump() {
    this.isPumping = false;
    growthTake(this);
    const hasMore = this.compute();
    if (this.changes.size > 0) this.schedule();
    if (hasMore) this.askPump();
  }

  advance(elapsed) {
    if (this.isOpening) return;
    if (this.follows) {
      growthFollow(this, elapsed);
      return;
    }
    const stop = this.stopAt ?? this.end;
    const time = this.time + elapsed * this.speed;
    this.time = Math.min(time, stop);
    this.scroll();
    this.changes.add("time");
    for (const listener of this.listeners.get("time") ?? []) listener();
    if (time >= stop && this.kind === "live" && this.stopAt === null && !this.live.ended) this.goLive();
    else if (time >= stop) this.pause();
  }

  // Last time that windows show. A live session leaves room for what comes next.
  get edge() {
    return this.kind === "live" ? Math.max(this.end, this.start + MODEL_LIVE_SPAN) + 1.5 : this.end;
  }

  // The playhead runs to 88 % of the window, then the window scrolls with it.
  scroll() {
    const [from, to] = this.window;
    const length = to - from;
    if (this.time > from + 0.88 * length && to < this.edge) {
      const start = Math.min(this.time - 0.88 * length, this.edge - length);
      this.window = [start, start + length];
      this.changes.add("window");
    } else if (this.time < from) {
      this.window = [this.time - 0.12 * length, this.time + 0.88 * length];
      this.changes.add("window");
    }
  }

  // Computes for a part of this animation frame. Returns whether there is more to do.
  compute() {
    const slice = this.isOpening ? MODEL_SLICES.opening : this.playing ? MODEL_SLICES.playing : MODEL_SLICES.idle;
    const until = performance.now() + slice;
    let frames = 0;
    let hasMore = false;
    const spend = (step, some) => {
      while (step(some)) {
        frames += some;
        if (performance.now() > until) return true;
      }
      return false;
    };
    // One entity is quick. The page shows it while the core still plays all others up to this time.
    if (this.isOpening) {
      for (const pane of this.panes) {
        const hadTrack = pane.track;
        if (!hasMore && !hadTrack) hasMore = spend((some) => pane.work(some), 120);
        const isNew = pane.preview(this.selected, this.time) || pane.track !== hadTrack;
        if (isNew) this.takeTrack(pane);
      }
    }
    for (const pane of hasMore ? [] : [...this.panes, ...(this.ghost ? [this.ghost] : [])]) {
      const before = pane.shownTime;
      if (spend((some) => !pane.seek(this.time, some), 24)) hasMore = true;
      if (pane.shownTime !== before) this.changes.add("time");
    }
    if (!hasMore && this.isOpening) {
      this.isOpening = false;
      this.changes.add("drawings");
    }
    if (!hasMore && this.pending) hasMore = this.computePending(spend);
    const drawings = [...this.panes, ...(this.ghost ? [this.ghost] : [])];
    for (const pane of drawings) {
      if (hasMore) break;
      const hadTrack = pane.track;
      hasMore = spend((some) => pane.work(some), 120);
      if (pane.track !== hadTrack) this.takeTrack(pane);
    }
    for (const pane of this.panes) {
      if (hasMore) break;
      const before = pane.overview;
      hasMore = spend((some) => pane.survey(some), 24);
      if (pane.overview !== before) this.surveyed();
    }
    this.work.frames = frames;
    this.work.slices += 1;
    this.work.most = Math.max(this.work.most, frames);
    this.setBusy(hasMore ? this.part() : null);
    // Tests count work instead of time, and read which frame is shown.
    Object.assign(document.body.dataset, { work: JSON.stringify(this.work), shown: String(this.panes[0]?.shownTime ?? "") });
    return hasMore;
  }

  computePending(spend) {
    for (const pane of this.pending.all) {
      if (spend((some) => !pane.seek(this.time, some), 24)) return true;
    }
    const old = [...this.panes, this.ghost].filter(Boolean);
    this.panes = this.pending.panes;
    this.ghost = this.pending.ghost;
    const kept = new Set([...this.panes, this.ghost]);
    this.pending = null;
    for (const pane of old) if (!kept.has(pane)) pane.free();
    this.takeArrivals();
    for (const pane of [...this.panes, this.ghost]) if (pane && pane.wanted !== this.selected) this.trackOf(pane);
    this.surveyed();
    this.emit("drawings");
    this.emit("time");
    return true;
  }

  part() {
    const drawings = this.pending ? this.pending.all : this.panes;
    const parts = drawings.map((pane) => (pane.surveyed ?? 0) * 0.7 + (pane.track ? 0.3 : 0));
    return parts.reduce((sum, part) => sum + part, 0) / Math.max(parts.length, 1);
  }

  setBusy(part) {
    if (this.busy === part) return;
    this.busy = part;
    this.changes.add("busy");
    for (const listener of this.listeners.get("busy") ?? []) listener();
  }

  // Results.

  takeTrack(pane) {
    if (pane === this.panes[0]) {
      if (this.decisionsOf !== pane.track.decisions) this.decisions = pane.track.decisions.map(modelDecision);
      this.decisionsOf = pane.track.decisions;
      this.receivedOf.delete(this.selected);
    }
    this.emit("drawings");
  }

  surveyed() {
    const [first, ...rest] = this.panes;
    if (!first?.overview) return;
    const episodes = rest.filter((pane) => pane.surveyed >= 1).flatMap((pane) => pane.core.episodes(first.core).map((of) => ({ ...of, method: pane.name })));
    this.takeOverview({ ...first.overview, episodes });
    // A link to a what-if without a time shows its worst moment, as soon as that is known.
    if (this.showsWorst && this.isChanged && this.moments.length > 0 && this.panes.every((pane) => pane.surveyed >= 1)) {
      this.showsWorst = false;
      this.goMoment(0);
    }
    this.reorder();
    this.emit("moment");
    this.emit("drawings");
  }

  takeOverview(overview) {
    this.within = overview.within;
    this.momentCount = overview.moment_count + (overview.episodes?.length ?? 0);
    overview.lines.forEach((line, index) => {
      const entity = this.entities[index];
      if (!entity) return;
      Object.assign(entity, {
        worst: line.worst ?? NaN, worstAt: line.worst_at ?? NaN, spark: Float32Array.from(line.spark), marks: line.marks,
        firstSeen: line.drawn?.[0] ?? entity.firstSeen, lastSeen: line.drawn?.[1] ?? entity.lastSeen,
      });
    });
    const chosen = this.moments[this.moment];
    const found = [...overview.moments, ...(overview.episodes ?? [])].map((of) => ({
      entity: of.index, name: of.name, at: of.at, from: of.from, to: of.to, level: of.level, kind: of.kind,
      off: of.off ?? NaN, turn: of.turn ?? NaN, headline: of.headline, short: of.short, cause: of.cause, words: of.words, method: of.method,
    }));
    const isNote = (of) => (of.level === "note" ? 1 : 0);
    // The core has sorted its moments, and episodes of others go between them.
    // A list that is the same stays, so that nothing is drawn again.
    const key = JSON.stringify(found);
    if (key === this.momentsKey) return;
    this.momentsKey = key;
    if (overview.episodes?.length) found.sort((one, other) => isNote(one) - isNote(other) || (other.off || 0) - (one.off || 0));
    this.moments = found.slice(0, 200).map((of, index) => ({ ...of, index, rank: index + 1 }));
    const same = (of) => chosen && of.entity === chosen.entity && of.kind === chosen.kind && Math.abs(of.at - chosen.at) < 0.05;
    this.moment = chosen ? this.moments.findIndex(same) : this.moment;
  }

  reorder() {
    const wanted = this.search.trim().toLowerCase();
    const matches = (of) => !wanted || of.name.toLowerCase().includes(wanted) || of.guid.toLowerCase().includes(wanted);
    const off = (of) => (Number.isFinite(of.worst) ? Math.abs(of.worst) : -1);
    const here = (of) => {
      const bodies = this.panes[0]?.bodies;
      const [one, other] = [of.index * 8, this.selected * 8];
      const metres = bodies ? Math.hypot(bodies[one] - bodies[other], bodies[one + 1] - bodies[other + 1]) : NaN;
      return Number.isFinite(metres) ? metres : Infinity;
    };
    const orders = {
      worst: (one, other) => off(other) - off(one) || other.updates.length - one.updates.length,
      name: (one, other) => one.name.localeCompare(other.name),
      updates: (one, other) => other.updates.length - one.updates.length,
      nearest: (one, other) => here(one) - here(other),
    };
    const order = this.entities.filter(matches).sort(orders[this.sort] ?? orders.worst).map((of) => of.index);
    if (order.length === this.order?.length && order.every((of, index) => of === this.order[index])) return;
    this.order = order;
    this.emit("list");
  }

  // Questions.

  get entity() {
    return this.entities[this.selected];
  }

  get isChanged() {
    const { whatIf, baseline } = this;
    const isSame = ["fps", "latency", "jitter", "loss"].every((key) => whatIf[key] === baseline[key]) && whatIf.dropped.length === 0;
    return !isSame || (this.panes[0] !== undefined && this.wantedNames()[0] !== this.about.panes[0]);
  }

  // Whether the network differs from the recorded one, so that the drawing does not grow with the recording.
  get isNetworkChanged() {
    const { latency, jitter, loss, dropped } = this.whatIf;
    return latency > 0 || jitter > 0 || loss > 0 || dropped.length > 0;
  }

  received(index) {
    const known = this.receivedOf.get(index);
    if (known) return known;
    const packed = this.emptiness && !this.entities[index] ? MODEL_NONE : this.heard.received(index);
    const count = packed.length / 6;
    const [times, x, y, z, heading, connected] = [0, 1, 2, 3, 4, 5].map((offset) => modelColumn(packed, 6, offset));
    const speed = times.map((time, row) => {
      if (row === 0 || !connected[row]) return NaN;
      const metres = Math.hypot(x[row] - x[row - 1], y[row] - y[row - 1], z[row] - z[row - 1]);
      return metres / Math.max(time - times[row - 1], 1e-3);
    });
    const drawn = [0, 1, 2].map(() => new Float64Array(count).fill(NaN));
    const track = this.panes?.[0]?.track;
    if (track && track.entity === index) {
      for (let receipt = 0; receipt < track.receipts.length; receipt += 4) {
        const row = lastUpTo(times, track.receipts[receipt] + 1e-6);
        if (row >= 0 && Math.abs(times[row] - track.receipts[receipt]) < 1e-3) drawn.forEach((values, axis) => (values[row] = track.receipts[receipt + 1 + axis]));
      }
    }
    const received = { times, x, y, z, heading, speed, drawnX: drawn[0], drawnY: drawn[1], drawnZ: drawn[2] };
    this.receivedOf.set(index, received);
    return received;
  }

  truth(index) {
    if (!this.truthOf.has(index)) {
      const packed = this.source.viewer.truth(index);
      const [times, x, y, z] = [0, 1, 2, 3].map((offset) => modelColumn(packed, 4, offset));
      this.truthOf.set(index, times.length ? { times, x, y, z } : null);
    }
    return this.truthOf.get(index);
  }

  // Returns what the core says of the selected body now, once per frame and body.
  now() {
    const pane = this.panes[0];
    // Before the core has reached that time, it knows nothing of it.
    if (!Number.isFinite(pane?.shownTime)) return {};
    const key = `${this.selected} ${pane?.shownTime} ${pane?.method}`;
    if (this.nowKey !== key && pane) {
      this.nowKey = key;
      this.nowState = pane.state(this.selected);
    }
    return this.nowState ?? {};
  }

  route() {
    const state = this.now();
    const at = this.entity && lastUpTo(this.entity.updates, this.time);
    const received = this.received(this.selected);
    const tether = state.tether && at >= 0 ? { x: received.x[at], y: received.y[at], z: received.z[at], metres: state.tether[1] } : null;
    return { waypoints: state.waypoints ?? [], tether, follows: state.follows ?? state.goal_entity ?? -1, goal: state.goal ?? null };
  }

  state() {
    return sentenceState(this);
  }

  verdict() {
    return sentenceVerdict(this);
  }

  sentence() {
    return sentenceOpening(this);
  }

  caption() {
    return sentenceCaption(this);
  }

  message(index) {
    const found = this.source.viewer.message(index);
    if (!found) return null;
    const bytes = Uint8Array.from(found.hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
    return { ...found, bytes };
  }

  // Returns the row of the selected entity's track at a time, or -1.
  rowAt(pane, time) {
    const track = pane?.track;
    return track && track.entity === this.selected ? lastUpTo(track.times, time + 1e-9, track.length) : -1;
  }

  // Commands.

  seek(time) {
    this.stopAt = null;
    if (this.follows) this.pause();
    this.time = clamp(time, this.start, this.end);
    growthReachTrack(this);
    const [from, to] = this.window;
    if (this.time < from || this.time > to) this.centre(this.time);
    this.emit("time");
  }

  play() {
    if (growthIsNow(this)) {
      this.goLive();
      return;
    }
    if (this.time >= this.end - 1e-3) this.time = this.start;
    this.playing = true;
    this.last = performance.now();
    this.emit("play");
  }

  pause() {
    this.playing = false;
    this.follows = false;
    this.stopAt = null;
    this.emit("play");
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  // Shows what happens now in a live session, and goes on with it.
  goLive() {
    growthGoLive(this);
  }

  // Adds messages of a live session. Everything up to the time `until` has arrived then.
  append(bytes, until) {
    growthAppend(this, bytes, until);
  }

  // Plays from one time to another and stops there.
  playInto(from, to, speed) {
    this.time = clamp(from, this.start, this.end);
    this.speed = speed;
    this.play();
    this.stopAt = to;
    this.follows = false;
  }

  setSpeed(speed) {
    this.speed = clamp(speed, 0.1, 4);
    this.emit("play");
  }

  stepFrames(count) {
    this.pause();
    const frame = 1 / this.whatIf.fps;
    this.seek((Math.round((this.time - this.start) / frame) + count) * frame + this.start + 1e-6);
  }

  select(index) {
    if (index === this.selected || !this.entities[index]) return;
    this.selected = index;
    this.choose(index);
    if (this.sort === "nearest") this.reorder();
    this.emit("select");
  }

  choose(index) {
    this.decisions = [];
    this.messages = this.messagesOf(index);
    for (const pane of [...this.panes, this.ghost]) if (pane) this.trackOf(pane);
    this.schedule();
  }

  trackOf(pane) {
    if (this.kind === "live") {
      pane.follow(this.selected, growthTrackFrom(this), Infinity);
      return;
    }
    const half = MODEL_TRACK_FRAMES / this.whatIf.fps / 2;
    const isLong = this.end - this.start > 2 * half;
    pane.follow(this.selected, isLong ? this.time - half : this.start, isLong ? this.time + half : this.end);
  }

  centre(time, length = 12) {
    const whole = this.edge - this.start;
    const wanted = Math.min(length, whole);
    const from = clamp(time - wanted / 2, this.start, this.edge - wanted);
    this.setWindow(from, from + wanted);
  }

  setWindow(from, to) {
    const whole = this.edge - this.start;
    const length = clamp(to - from, Math.min(0.2, whole), whole);
    const start = clamp(from, this.start, this.edge - length);
    // The crosshair stays under the pointer.
    const part = this.hover === null ? 0 : (this.hover - this.window[0]) / (this.window[1] - this.window[0]);
    if (this.hover !== null) this.hover = start + part * length;
    this.window = [start, start + length];
    this.emit("window");
  }

  zoom(factor, at = this.time) {
    const [from, to] = this.window;
    const length = clamp((to - from) * factor, 0.2, this.edge - this.start);
    const part = clamp((at - from) / (to - from), 0, 1);
    this.setWindow(at - part * length, at + (1 - part) * length);
  }

  showAll() {
    this.setWindow(this.start, this.edge);
  }

  setHover(time) {
    if (time === this.hover) return;
    this.hover = time;
    this.emit("hover");
  }

  goMoment(index) {
    const moment = this.moments[index];
    if (!moment) return;
    this.pause();
    this.moment = index;
    this.select(moment.entity);
    this.time = clamp(moment.at, this.start, this.end);
    growthReachTrack(this);
    this.centre(this.time);
    this.emit("moment");
    this.emit("time");
  }

  nextMoment(step) {
    const count = this.moments.length;
    if (count) this.goMoment(this.moment < 0 ? 0 : (this.moment + step + count) % count);
  }

  setView(view) {
    this.view = view;
    this.emit("view");
  }

  setSearch(text) {
    this.search = text;
    this.reorder();
    this.emit("list");
  }

  setSort(sort) {
    this.sort = sort;
    this.reorder();
    this.emit("list");
  }

  wantedNames() {
    return this.names ?? this.about.panes;
  }

  // Shows other methods, at most three. Names of methods, or of opened captures.
  setPanes(names) {
    this.names = [...new Set(names)].slice(0, 3);
    this.rebuild();
  }

  setMomentOrder(order) {
    this.momentOrder = order;
    this.emit("moment");
  }

  setWhatIf(changes) {
    // A what-if is about what has happened so far.
    if (this.follows && Object.keys(changes).some((key) => key !== "fps")) this.pause();
    this.whatIf = { ...this.whatIf, ...changes };
    this.emit("drawings");
    clearTimeout(this.waiting);
    // A slider tells every position on its way.
    this.waiting = setTimeout(() => this.rebuild(true), 120);
  }

  resetWhatIf() {
    clearTimeout(this.waiting);
    this.whatIf = { ...this.baseline };
    this.messages = this.messages.map((of) => ({ ...of, isDropped: false }));
    if (this.kind === "report" && this.names) this.names = [this.about.panes[0], ...this.names.slice(1).filter((of) => of !== this.about.panes[0])];
    this.rebuild(true);
  }

  toggleMessage(index) {
    const { dropped } = this.whatIf;
    const others = dropped.filter((of) => of !== index);
    this.setWhatIf({ dropped: others.length < dropped.length ? others : [...dropped, index] });
    const isDropped = new Set(this.whatIf.dropped);
    this.messages = this.messages.map((of) => ({ ...of, isDropped: isDropped.has(of.index) }));
    this.emit("select");
  }

  // Makes drawings for the present choice. The old ones stay until the new ones can be shown.
  rebuild(isChanged = false) {
    if (this.pending) for (const pane of this.pending.all) if (!this.panes.includes(pane)) pane.free();
    this.pending = null;
    const keep = (name) => (isChanged ? undefined : this.panes.find((pane) => pane.key === name));
    try {
      const panes = this.wantedNames().map((name) => keep(name) ?? this.draw(name, this.whatIf));
      const ghost = this.isChanged ? this.draw(this.about.panes[0], this.baseline) : null;
      this.pending = { panes, ghost, all: ghost ? [...panes, ghost] : panes };
    } catch (error) {
      this.takeBack(String(error.message ?? error));
      return;
    }
    this.known = { whatIf: this.whatIf, names: this.names };
    if (this.compare) this.compare = { ...this.compare, isCurrent: !this.isChanged };
    this.emit("drawings");
  }

  // Goes back to the last choice that could be drawn, and tells why.
  takeBack(words) {
    this.whatIf = this.known?.whatIf ?? { ...this.baseline };
    this.names = this.known?.names ?? null;
    this.problem = words;
    const isDropped = new Set(this.whatIf.dropped);
    this.messages = this.messages.map((of) => ({ ...of, isDropped: isDropped.has(of.index) }));
    this.emit("problem");
    this.emit("drawings");
    this.emit("select");
  }

  // Opens a capture, instead of the present one or beside it.
  async openFile(file, how) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const viewer = motionCore.Viewer.open(bytes, file.name);
    if (how === "beside") return this.openBeside(viewer, file.name);
    this.names = null;
    this.search = "";
    this.about = { kind: "report", title: file.name, panes: ["glide"], fps: 60, warnings: [] };
    this.pause();
    this.reload(viewer);
    return undefined;
  }

  openBeside(viewer, title) {
    const facts = viewer.facts();
    const indices = new Map(facts.entities.map((of, index) => [of.id, index]));
    const map = Int32Array.from(this.entities, (of) => indices.get(of.id) ?? -1);
    if (map.every((index) => index < 0)) throw new Error(`${title}: it has no entity in common with the present capture`);
    const method = this.wantedNames()[0];
    const key = `${method} of ${title}`;
    this.others.set(key, { source: { viewer, map, shift: facts.span[0] - this.start, title }, method });
    this.setPanes([...this.wantedNames().slice(0, 2), key]);
  }
}

const MODEL_TROUBLE = new Set(["snapped", "given_up", "parked_expired", "placed"]);
const MODEL_MOVES = new Set(["movement", "vector", "set_out", "on_its_way", "turns", "move_to_ended", "follow_began", "took_off", "landed"]);

// Returns every value at a place in its row. A plain loop, because recordings have a hundred thousand rows.
function modelColumn(packed, each, offset) {
  const column = new Float64Array(Math.floor(packed.length / each));
  for (let row = 0; row < column.length; row += 1) column[row] = packed[each * row + offset];
  return column;
}

function modelDecision(of) {
  const isRefused = ["refused", "dropped", "not_placed"].includes(of.outcome);
  const group = of.kind === "position" || of.kind === "reached" ? "position" : MODEL_MOVES.has(of.kind) ? "movement" : "other";
  return { time: of.time, words: of.words, kind: of.kind, group, trouble: isRefused || MODEL_TROUBLE.has(of.kind) };
}
