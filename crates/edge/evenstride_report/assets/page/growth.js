// A recording that grows while it is shown: what has come, and how the page goes on with it.

import { clamp } from "./format.js";

// Seconds by which a live drawing is behind the newest message, so that it never has to wait.
const GROWTH_LAG = 0.2;
// Seconds by which a drawing may be off its place. Beyond it, it leaps instead of running faster or slower.
const GROWTH_LEAP = 1;
// Seconds before the present at which the track of a live session begins. It begins again when it is twice as long.
const GROWTH_TRACK = 600;
// Milliseconds between two looks at how many entities the core leaves out.
const GROWTH_LOOK = 5000;

// Adds messages. Everything up to the time `until` has arrived then. The page learns of it with its next picture.
export function growthAppend(model, bytes, until) {
  for (const index of model.source.viewer.append(bytes, until)) model.grown.add(index);
  model.hasGrown = true;
  model.schedule();
  model.askPump();
}

// Learns what has come since the last picture.
export function growthTake(model) {
  if (!model.hasGrown || model.kind !== "live") return;
  model.hasGrown = false;
  const changed = [...model.grown].sort((one, other) => one - other);
  model.grown.clear();
  const { viewer } = model.source;
  if (model.emptiness) {
    const facts = viewer.facts();
    if (facts.places_anything) growthBegin(model);
    else if (facts.messages !== model.facts.messages) growthWait(model, facts);
    return;
  }
  const count = model.entities.length;
  [model.start, model.end] = viewer.span;
  for (const index of changed) growthLearn(model, index);
  const now = performance.now();
  if (model.entities.length >= model.facts.max_entities && !(now - model.factsAt < GROWTH_LOOK)) Object.assign(model, { factsAt: now, facts: viewer.facts() });
  for (const pane of [...model.panes, model.ghost]) pane?.grow();
  if (changed.includes(model.selected)) growthMessages(model);
  if (model.entities.length > count) model.reorder();
  if (model.follows) growthReachTrack(model);
  model.emit("growth");
}

// Tells that something has arrived, though nothing that can be drawn.
function growthWait(model, facts) {
  model.facts = facts;
  model.emptiness = model.emptyWords(facts);
  model.emit("view");
}

// Begins with the recording, and follows it.
function growthBegin(model) {
  const { view, sort, search } = model;
  model.reload(model.source.viewer);
  Object.assign(model, { view, sort, search });
  model.reorder();
  growthGoLive(model);
}

// Learns more about an entity, which may be a new one.
function growthLearn(model, index) {
  const { viewer } = model.source;
  const of = viewer.entityFacts(index);
  const known = model.entities[index];
  model.receivedOf.delete(index);
  if (!known) {
    model.entities[index] = model.entityOf(of, index);
    model.updateCount += model.entities[index].updates.length;
  } else {
    Object.assign(known, { name: of.name, isPlayer: of.is_player, usual: of.usual ?? NaN, messageCount: of.messages, hasTruth: of.has_truth });
    // A what-if shows its own times, and only of what had come when it began.
    if (model.arrivalsKey === "[]") {
      const more = viewer.receivedTimes(index, known.updates.length);
      known.updates = growthAppended(known, more);
      known.late = of.late;
      model.updateCount += more.length;
    }
    if (!Number.isFinite(known.firstSeen)) known.firstSeen = known.updates[0] ?? NaN;
    known.lastSeen = Math.max(known.lastSeen || -Infinity, known.updates[known.updates.length - 1] ?? -Infinity);
  }
  if (of.is_player) model.player = index;
}

// Returns the times of an entity's updates with further ones. The buffer grows by doubling.
function growthAppended(entity, more) {
  const { length } = entity.updates;
  if (more.length === 0) return entity.updates;
  if (!entity.buffer || entity.buffer.length < length + more.length) {
    entity.buffer = new Float64Array(Math.max(64, 2 * (length + more.length)));
    entity.buffer.set(entity.updates);
  }
  entity.buffer.set(more, length);
  return entity.buffer.subarray(0, length + more.length);
}

// Adds new messages about the selected entity.
function growthMessages(model) {
  const last = model.messages.reduce((most, of) => Math.max(most, of.index), -1);
  const more = model.source.viewer.messages(model.selected, last + 1);
  if (more.length > 0) model.messages = [...model.messages, ...more.map((of) => ({ ...of, captured: of.time, isDropped: false }))];
}

// Returns whether the playhead is where the session is, so that playing means following.
export function growthIsNow(model) {
  return model.kind === "live" && !model.live.ended && model.time >= model.end - 2 * GROWTH_LAG;
}

// Shows what happens now, and goes on with it.
export function growthGoLive(model) {
  if (model.kind !== "live" || model.emptiness) return;
  if (model.isNetworkChanged) model.resetWhatIf();
  Object.assign(model, { follows: true, playing: true, stopAt: null, speed: 1, last: performance.now() });
  model.time = clamp(model.end - GROWTH_LAG, model.start, model.end);
  growthReachTrack(model);
  const length = clamp(model.window[1] - model.window[0], 2, 60);
  model.setWindow(model.time - 0.88 * length, model.time + 0.12 * length);
  model.emit("play");
  model.emit("time");
}

// Follows the session shortly behind its newest message. The speed changes a little, so that nothing leaps.
export function growthFollow(model, elapsed) {
  const behind = model.end - GROWTH_LAG - model.time;
  const isFar = Math.abs(behind) > GROWTH_LEAP;
  const wanted = isFar ? model.time + behind : model.time + elapsed * (1 + clamp(behind, -0.5, 0.5));
  model.time = clamp(wanted, model.start, model.end);
  model.scroll();
  model.changes.add("time");
  for (const listener of model.listeners.get("time") ?? []) listener();
}

// Returns the time at which the track of the selected entity begins.
export function growthTrackFrom(model) {
  return Math.max(model.start, model.time - GROWTH_TRACK);
}

// Makes sure that tracks of a live session have the present time, and that they do not grow without end.
export function growthReachTrack(model) {
  const from = model.panes[0]?.from;
  if (model.kind !== "live" || from === undefined) return;
  if (model.time >= from && model.time - from <= 2 * GROWTH_TRACK) return;
  for (const pane of [...model.panes, model.ghost]) if (pane) model.trackOf(pane);
}
