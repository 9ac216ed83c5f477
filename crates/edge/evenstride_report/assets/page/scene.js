// Answers about the scene that stage and map share: where a body is, what it should be compared with, what the camera
// should look at. Both views ask here, so that they can never tell two different stories.

import { fixed, lastUpTo } from "./format.js";

export const SCENE_IN_AIR = 2;
export const SCENE_HIDDEN = 1;
export const SCENE_BACK = 4;
export const SCENE_AHEAD = 3;
// From this distance on, the red line between a body and its truth or last update is shown.
export const SCENE_OFF = 0.5;
// Two places of one path that are farther apart than this per second were not walked.
const SCENE_LEAP = 40;

let sceneSizes = new Float32Array(0);

// Takes the sizes of bodies from this contestant where another one does not know them: rivals move points, not bodies.
export function sceneShareSizes(drawing) {
  sceneSizes = drawing.bodies;
}

// Reads the body of an entity into `out`. Returns whether it is there.
export function sceneBody(drawing, entity, out) {
  const { bodies } = drawing;
  const at = entity * 8;
  out.x = bodies[at];
  // A body that is not there has no number, and one that has just appeared has no place in the array yet.
  if (!(out.x <= Infinity)) return false;
  out.y = bodies[at + 1];
  out.z = bodies[at + 2];
  out.heading = (bodies[at + 3] * Math.PI) / 180;
  out.radius = bodies[at + 5] || sceneSizes[at + 5] || 0.3;
  out.height = bodies[at + 6] || sceneSizes[at + 6] || 1.8;
  out.flags = bodies[at + 7];
  out.ground = bodies[at + 4] === bodies[at + 4] ? bodies[at + 4] : out.z;
  out.isHidden = (out.flags & SCENE_HIDDEN) !== 0;
  out.lift = out.flags & SCENE_IN_AIR ? Math.max(out.z - out.ground, 0) : 0;
  return true;
}

export function createBody() {
  return { x: NaN, y: 0, z: 0, heading: 0, ground: 0, radius: 0.3, height: 1.8, flags: 0, isHidden: false, lift: 0 };
}

// Returns whether the bodies are already those of the present time. The core needs a while to reach a distant one.
export function sceneIsReady(model) {
  const { beads } = model.panes[0];
  return beads.count > 0 && Math.abs(model.time - beads.times[beads.count - 1]) < 0.15;
}

// Returns the frame of a track at a time, or -1 where nothing was drawn.
export function sceneFrame(track, time) {
  if (!track) return -1;
  const frame = lastUpTo(track.times, time + 1e-6, track.length);
  if (frame < 0 || !Number.isFinite(track.x[frame])) return -1;
  // Behind the last frame that is known so far, the track says nothing.
  return frame === track.length - 1 && time - track.times[frame] > 0.25 ? -1 : frame;
}

// Reads the place on a track at a time into `out`, between two frames where they are connected.
export function sceneTrackAt(track, time, out) {
  const frame = sceneFrame(track, time);
  if (frame < 0) return false;
  const next = frame + 1;
  const isJoined = next < track.length && !track.placed[next] && Number.isFinite(track.x[next]);
  const gap = isJoined ? track.times[next] - track.times[frame] : 0;
  const part = gap > 0 ? (time - track.times[frame]) / gap : 0;
  for (let axis = 0; axis < 3; axis += 1) {
    const values = axis === 0 ? track.x : axis === 1 ? track.y : track.z;
    out[axis] = part > 0 ? values[frame] + (values[next] - values[frame]) * part : values[frame];
  }
  return true;
}

// Returns whether a step of a path is too long to have been walked.
export function sceneIsLeap(x, y, fromX, fromY, seconds) {
  return Math.hypot(x - fromX, y - fromY) > SCENE_LEAP * Math.max(seconds, 0.01);
}

// Returns where the selected entity should be: the truth if it is known, otherwise the last update.
export function sceneReference(model) {
  const path = model.usesTruth ? model.truth(model.selected) : model.received(model.selected);
  if (!path) return null;
  const index = lastUpTo(path.times, model.time + 1e-6);
  if (index < 0) return null;
  const place = { x: path.x[index], y: path.y[index], z: path.z[index], time: path.times[index] };
  const next = index + 1;
  if (model.usesTruth && next < path.times.length) {
    const part = (model.time - path.times[index]) / (path.times[next] - path.times[index]);
    if (!sceneIsLeap(path.x[next], path.y[next], place.x, place.y, path.times[next] - path.times[index])) {
      place.x += (path.x[next] - place.x) * part;
      place.y += (path.y[next] - place.y) * part;
      place.z += (path.z[next] - place.z) * part;
    }
  }
  return Number.isFinite(place.x) ? place : null;
}

// Returns error along the path and speed of the selected entity as one contestant draws it.
export function sceneReadout(drawing, time) {
  const frame = sceneFrame(drawing.track, time);
  if (frame < 0) return null;
  return { error: drawing.track.error[frame], speed: drawing.track.speed[frame] };
}

// Returns why the selected entity is not seen at this time and when it is, or null if it is there.
export function sceneAbsence(model, drawing) {
  const { entity, time } = model;
  if (!entity || Number.isFinite(drawing.bodies[entity.index * 8])) return null;
  if (time < entity.firstSeen) return { words: `${entity.name} is not here yet: it appears at ${fixed(entity.firstSeen, 1)}\u2009s`, at: entity.firstSeen };
  if (time >= entity.lastSeen) return { words: `${entity.name} is gone: it was last seen at ${fixed(entity.lastSeen, 1)}\u2009s`, at: entity.lastSeen };
  const next = entity.updates[lastUpTo(entity.updates, time) + 1];
  if (!Number.isFinite(next)) return { words: `${entity.name} is not here at this time`, at: NaN };
  return { words: `${entity.name} is not here now: it comes back at ${fixed(next, 1)}\u2009s`, at: next };
}

const sceneSpot = [0, 0, 0];

// Reads into `out` what a following camera looks at: the mean of the path around this time. Unlike a camera that is tied
// to the body, it shows a jump of the body as a jump, and unlike one that chases it, it is the same however time is moved.
export function sceneFocus(model, out) {
  const drawing = model.panes[0];
  const { track } = drawing;
  const at = model.selected * 8;
  const [x, y, z] = [drawing.bodies[at], drawing.bodies[at + 1], drawing.bodies[at + 4]];
  if (!Number.isFinite(x)) return false;
  [out.x, out.y, out.z] = [x, y, Number.isFinite(z) ? z : drawing.bodies[at + 2]];
  if (!track || track.entity !== model.selected || sceneFrame(track, model.time) < 0) return true;
  let [sumX, sumY, weights] = [x, y, 1];
  for (const way of [-1, 1]) {
    let [fromX, fromY] = [x, y];
    for (let step = 1; step <= 8; step += 1) {
      if (!sceneTrackAt(track, model.time + way * step * 0.1, sceneSpot)) break;
      if (sceneIsLeap(sceneSpot[0], sceneSpot[1], fromX, fromY, 0.25)) break;
      const weight = 0.5 + 0.5 * Math.cos((Math.PI * step) / 9);
      sumX += sceneSpot[0] * weight;
      sumY += sceneSpot[1] * weight;
      weights += weight;
      [fromX, fromY] = [sceneSpot[0], sceneSpot[1]];
    }
  }
  [out.x, out.y] = [sumX / weights, sumY / weights];
  return true;
}

// Chooses span and yaw that show the selected entity and its last seconds well: from behind and beside its way, from the
// side where fewest other bodies stand before it, wide enough for all contestants and the truth.
export function sceneView(model, focus) {
  const { beads, count } = model.panes[0];
  let [reach, wayX, wayY] = [0, 0, 0];
  for (let bead = 0; bead < beads.count && model.selected < count; bead += 1) {
    const at = (bead * count + model.selected) * 3;
    if (model.time - beads.times[bead] > 1.6 || !Number.isFinite(beads.at[at])) continue;
    const [x, y] = [beads.at[at] - focus.x, beads.at[at + 1] - focus.y];
    reach = Math.max(reach, Math.hypot(x, y));
    if (Math.hypot(x, y) > Math.hypot(wayX, wayY)) [wayX, wayY] = [-x, -y];
  }
  let span = Math.min(Math.max(8, reach * 2.1), 12);
  const reference = sceneReference(model);
  if (reference) span = Math.max(span, Math.min(Math.hypot(reference.x - focus.x, reference.y - focus.y) * 2.6, 60));
  for (const drawing of model.panes) {
    const [x, y] = [drawing.bodies[model.selected * 8] - focus.x, drawing.bodies[model.selected * 8 + 1] - focus.y];
    if (Number.isFinite(x)) span = Math.max(span, Math.min(Math.hypot(x, y) * 2.6, 60));
  }
  const heading = (model.panes[0].bodies[model.selected * 8 + 3] * Math.PI) / 180;
  const way = Math.hypot(wayX, wayY) > 0.3 ? Math.atan2(wayX, wayY) : heading || 0;
  let [best, least] = [way, Infinity];
  for (const turn of [-0.75, 0.75, -1.2, 1.2, -0.4, 0.4]) {
    const crowd = sceneCrowd(model, focus, way + turn, span);
    if (crowd < least) [best, least] = [way + turn, crowd];
  }
  return { span, yaw: best };
}

// Counts the bodies that stand between a camera and the point of interest.
function sceneCrowd(model, focus, yaw, span) {
  const { bodies } = model.panes[0];
  const [sin, cos] = [Math.sin(yaw), Math.cos(yaw)];
  let crowd = 0;
  for (let entity = 0; entity < model.entities.length; entity += 1) {
    if (entity === model.selected || !Number.isFinite(bodies[entity * 8])) continue;
    const [x, y] = [bodies[entity * 8] - focus.x, bodies[entity * 8 + 1] - focus.y];
    const [before, beside] = [-(x * sin + y * cos), x * cos - y * sin];
    if (before > 0.2 && before < span * 2 && Math.abs(beside) < span * 0.1) crowd += 1;
  }
  return crowd;
}

// Returns the places that the whole scene consists of. The demo's square is bounded, so its view holds for the whole
// recording and hardly anything walks out of it. A capture can cross a continent, so only what is there now counts.
export function sceneExtent(model) {
  const places = [];
  const chosen = [];
  for (const drawing of model.panes) {
    for (let entity = 0; entity < model.entities.length; entity += 1) {
      const at = entity * 8;
      if (!Number.isFinite(drawing.bodies[at])) continue;
      const to = entity === model.selected ? chosen : places;
      to.push(drawing.bodies[at], drawing.bodies[at + 1], drawing.bodies[at + 2]);
    }
  }
  if (model.kind !== "demo") return [...chosen, ...places];
  const [easts, norths, levels] = [[], [], []];
  for (const entity of model.entities) {
    const received = model.received(entity.index);
    // A hundred places of each entity are enough for a frame.
    const stride = Math.max(1, Math.ceil(received.times.length / 100));
    for (let index = 0; index < received.times.length; index += stride) {
      easts.push(received.x[index]);
      norths.push(received.y[index]);
      levels.push(received.z[index]);
    }
  }
  if (easts.length === 0) return [...chosen, ...places];
  for (const values of [easts, norths, levels]) values.sort((one, two) => one - two);
  // A journey through a portal would make everything else tiny: the outermost twentieth does not count, nor does who is there.
  const edges = (values) => [values[Math.floor(values.length * 0.05)], values[Math.ceil(values.length * 0.95) - 1]];
  const level = levels[Math.floor(levels.length / 2)];
  const [west, east] = edges(easts);
  const [south, north] = edges(norths);
  const [wide, high] = [(east - west) * 0.1, (north - south) * 0.1];
  const near = [];
  for (let at = 0; at < places.length; at += 3) {
    const isNear = places[at] > west - wide && places[at] < east + wide && places[at + 1] > south - high && places[at + 1] < north + high;
    if (isNear) near.push(places[at], places[at + 1], places[at + 2]);
  }
  return [...chosen, ...(near.length > 0 ? near : [west, south, level, east, north, level])];
}
