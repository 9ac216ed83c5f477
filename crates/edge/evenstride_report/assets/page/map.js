// The map: north is up, and nothing hides anything. It tells where the network said an entity was, where it was drawn at
// that moment, and where it goes: the received dot, a thin line, the ring, and the route ahead.

import { ink, lastUpTo, metres } from "./format.js";
import { cameraProject } from "./camera.js";
import { SCENE_AHEAD, SCENE_BACK, SCENE_OFF, createBody, sceneBody, sceneIsLeap, sceneReference, sceneTrackAt } from "./scene.js";
import { mapGhost, mapGrid, mapRoute } from "./map_marks.js";
import { wordsPoint, wordsPut } from "./words.js";

// From this distance between received and drawn on, the line is red.
const MAP_FAR = 0.6;
const MAP_NAME_SCALE = 16;
const MAP_OTHERS = 8;

const mapBody = createBody();
const mapSpot = [0, 0, 0];
const mapFrom = [0, 0, 0];
const mapPoint = [0, 0, 0];

// Draws one frame of one contestant. `isFirst`: the received positions know where the first contestant drew the body.
export function mapDraw(context, words, model, drawing, lens, ghost, isFirst) {
  const view = { context, words, model, drawing, lens, unit: words.unit, isFirst };
  context.fillStyle = ink("--surface");
  context.fillRect(0, 0, lens.width, lens.height);
  context.lineCap = "round";
  context.lineJoin = "round";
  mapGrid(view);
  mapRoute(view);
  const shown = mapOthers(view);
  mapAhead(view);
  mapPath(view, model.selected, ink(drawing.hue), 1);
  mapReceived(view, model.selected, 1);
  mapReferenceLine(view);
  if (ghost) mapGhost(view, ghost);
  const isThere = sceneBody(drawing, model.selected, mapBody);
  if (isThere) mapDart(view, mapBody, ink(drawing.hue), 1);
  mapNames(view);
  return shown + (isThere ? 1 : 0);
}

// Draws everyone else: path, updates and dart, all fainter. Returns how many bodies were drawn.
function mapOthers(view) {
  const { context, model, drawing, lens } = view;
  let [shown, detailed] = [0, 0];
  for (let entity = 0; entity < model.entities.length; entity += 1) {
    if (entity === model.selected || !sceneBody(drawing, entity, mapBody) || mapBody.isHidden) continue;
    shown += 1;
    cameraProject(lens, mapBody.x, mapBody.y, 0, mapPoint);
    const isNear = mapPoint[0] > -80 && mapPoint[0] < lens.width + 80 && mapPoint[1] > -80 && mapPoint[1] < lens.height + 80;
    if (!isNear) continue;
    context.globalAlpha = 0.4;
    mapPath(view, entity, ink(drawing.hue), 0.4);
    if (lens.scale > 12 && detailed < MAP_OTHERS) {
      detailed += 1;
      mapReceived(view, entity, 0.34);
    }
    sceneBody(drawing, entity, mapBody);
    mapDart(view, mapBody, ink(drawing.hue), 0.4);
  }
  context.globalAlpha = 1;
  return shown;
}

// Draws the last four seconds of a path with a bead at every tenth.
function mapPath(view, entity, tone, alpha) {
  const { context, model, drawing, lens, unit } = view;
  const { beads, track } = drawing;
  const { count } = drawing;
  context.globalAlpha = alpha;
  context.strokeStyle = tone;
  context.lineWidth = (entity === model.selected ? 1.75 : 1.35) * unit;
  if (entity === model.selected && track?.entity === entity && sceneTrackAt(track, model.time, mapSpot)) {
    mapTrackLine(view, model.time - SCENE_BACK, model.time);
    mapBeads(view, model.time - SCENE_BACK, model.time, tone, 2.1 * unit);
    return;
  }
  let before = false;
  context.beginPath();
  for (let bead = 0; bead <= beads.count; bead += 1) {
    const isBody = bead === beads.count;
    const [values, at] = isBody ? [drawing.bodies, entity * 8] : [beads.at, (bead * count + entity) * 3];
    const [x, y] = [values[at], values[at + 1]];
    if (!Number.isFinite(x)) {
      before = false;
      continue;
    }
    cameraProject(lens, x, y, 0, mapPoint);
    if (before && !sceneIsLeap(x, y, mapFrom[0], mapFrom[1], 0.1)) context.lineTo(mapPoint[0], mapPoint[1]);
    else context.moveTo(mapPoint[0], mapPoint[1]);
    [mapFrom[0], mapFrom[1], before] = [x, y, true];
  }
  context.stroke();
  if (lens.scale < 9) return;
  context.fillStyle = tone;
  context.beginPath();
  for (let bead = 0; bead < beads.count; bead += 1) {
    const at = (bead * count + entity) * 3;
    if (!Number.isFinite(beads.at[at])) continue;
    cameraProject(lens, beads.at[at], beads.at[at + 1], 0, mapPoint);
    mapDot(context, mapPoint[0], mapPoint[1], 1.6 * unit);
  }
  context.fill();
}

// Draws the next three seconds faintly, because the user of a moment wants to know what came of it.
function mapAhead(view) {
  const { context, model, drawing, unit } = view;
  if (drawing.track?.entity !== model.selected) return;
  context.globalAlpha = 0.32;
  context.strokeStyle = ink(drawing.hue);
  context.lineWidth = 1.5 * unit;
  mapTrackLine(view, model.time, model.time + SCENE_AHEAD);
  context.globalAlpha = 0.4;
  mapBeads(view, model.time, model.time + SCENE_AHEAD, ink(drawing.hue), 1.4 * unit);
  context.globalAlpha = 1;
}

// Draws a part of the selected entity's track, frame by frame. Where the body was placed at once, the line has a gap.
function mapTrackLine({ context, drawing, lens }, from, to) {
  const { track } = drawing;
  const first = Math.max(lastUpTo(track.times, from, track.length), 0);
  const last = lastUpTo(track.times, to + 1e-6, track.length);
  context.beginPath();
  let isDown = false;
  for (let frame = first; frame <= last; frame += 1) {
    if (!Number.isFinite(track.x[frame])) {
      isDown = false;
      continue;
    }
    cameraProject(lens, track.x[frame], track.y[frame], 0, mapPoint);
    const isLeap = isDown && sceneIsLeap(track.x[frame], track.y[frame], track.x[frame - 1], track.y[frame - 1], track.times[frame] - track.times[frame - 1]);
    if (isDown && !isLeap && !track.placed[frame]) context.lineTo(mapPoint[0], mapPoint[1]);
    else context.moveTo(mapPoint[0], mapPoint[1]);
    isDown = true;
  }
  context.stroke();
}

function mapBeads({ context, drawing, lens }, from, to, tone, radius) {
  // From afar, beads would run together.
  if (lens.scale < 4) return;
  context.fillStyle = tone;
  context.beginPath();
  for (let tenth = Math.ceil(from * 10); tenth <= to * 10 + 1e-6; tenth += 1) {
    if (!sceneTrackAt(drawing.track, tenth / 10, mapSpot)) continue;
    cameraProject(lens, mapSpot[0], mapSpot[1], 0, mapPoint);
    mapDot(context, mapPoint[0], mapPoint[1], radius);
  }
  context.fill();
}

function mapDot(context, x, y, radius) {
  context.moveTo(x + radius, y);
  context.arc(x, y, radius, 0, Math.PI * 2);
}

// Draws the received positions of the last seconds, each with a line to where the body was drawn at that moment.
function mapReceived(view, entity, alpha) {
  const { context, words, model, drawing, lens, unit } = view;
  const received = model.received(entity);
  if (!received) return;
  const isSelected = entity === model.selected;
  const track = drawing.track?.entity === entity ? drawing.track : null;
  let worst = null;
  const last = lastUpTo(received.times, model.time + 1e-6);
  for (let index = last; index >= 0 && model.time - received.times[index] <= SCENE_BACK; index -= 1) {
    const [x, y] = [received.x[index], received.y[index]];
    let hasRing = false;
    if (view.isFirst) {
      mapSpot[0] = received.drawnX[index];
      mapSpot[1] = received.drawnY[index];
      hasRing = Number.isFinite(mapSpot[0]);
    } else if (track) hasRing = sceneTrackAt(track, received.times[index], mapSpot);
    cameraProject(lens, x, y, 0, mapPoint);
    const [dotX, dotY] = mapPoint;
    if (hasRing) {
      const off = Math.hypot(x - mapSpot[0], y - mapSpot[1]);
      cameraProject(lens, mapSpot[0], mapSpot[1], 0, mapPoint);
      const isFar = off >= MAP_FAR && isSelected;
      context.globalAlpha = isFar ? 1 : alpha * 0.75;
      context.strokeStyle = ink(isFar ? "--bad" : "--ink");
      context.lineWidth = (isFar ? 1.75 : 1) * unit;
      context.beginPath();
      context.moveTo(dotX, dotY);
      context.lineTo(mapPoint[0], mapPoint[1]);
      context.stroke();
      context.beginPath();
      mapDot(context, mapPoint[0], mapPoint[1], 4 * unit);
      context.stroke();
      const isInView = dotX > 0 && dotX < lens.width && dotY > 0 && dotY < lens.height;
      if (isFar && isInView && !(worst?.off >= off)) worst = { off, told: mapError(track, received.times[index]) ?? off, x: (dotX + mapPoint[0]) / 2, y: Math.min(dotY, mapPoint[1]) };
    }
    context.globalAlpha = alpha;
    context.fillStyle = ink("--ink");
    context.beginPath();
    mapDot(context, dotX, dotY, (isSelected ? 3.2 : 2.6) * unit);
    context.fill();
  }
  context.globalAlpha = 1;
  if (worst) wordsPut(words, metres(worst.told), worst.x - 8 * unit, worst.y - 9 * unit, { tone: "--bad", halo: "--surface", weight: 650, must: true });
}

// Returns the error along the path that every other part of the page tells for a time, or null if it is not known.
function mapError(track, time) {
  const row = track ? lastUpTo(track.times, time + 1e-6, track.length) : -1;
  const error = row < 0 ? NaN : track.error[row];
  return Number.isFinite(error) ? Math.abs(error) : null;
}

// Draws the truth as a dashed ring, and a red line to it when the body is far from it.
function mapReferenceLine({ context, model, drawing, lens, unit }) {
  const reference = model.usesTruth ? sceneReference(model) : null;
  if (!reference) return;
  cameraProject(lens, reference.x, reference.y, 0, mapPoint);
  const [x, y] = mapPoint;
  if (sceneBody(drawing, model.selected, mapBody) && Math.hypot(mapBody.x - reference.x, mapBody.y - reference.y) > SCENE_OFF) {
    cameraProject(lens, mapBody.x, mapBody.y, 0, mapPoint);
    context.strokeStyle = ink("--bad");
    context.lineWidth = 2 * unit;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(mapPoint[0], mapPoint[1]);
    context.stroke();
  }
  context.strokeStyle = ink("--ink");
  context.lineWidth = 1.75 * unit;
  context.setLineDash([3.6 * unit, 3 * unit]);
  context.lineCap = "butt";
  context.beginPath();
  context.arc(x, y, 7 * unit, 0, Math.PI * 2);
  context.stroke();
  context.setLineDash([]);
  context.lineCap = "round";
}

// Draws a body from above: its footprint in life size and a dart for its heading.
function mapDart({ context, lens, unit }, body, tone, alpha) {
  cameraProject(lens, body.x, body.y, 0, mapPoint);
  const isMain = alpha === 1;
  context.save();
  context.translate(mapPoint[0], mapPoint[1]);
  context.fillStyle = tone;
  context.strokeStyle = ink("--surface");
  const foot = body.radius * lens.scale;
  if (foot > 7 * unit) {
    context.globalAlpha = alpha * 0.16;
    context.beginPath();
    context.arc(0, 0, foot, 0, Math.PI * 2);
    context.fill();
  }
  context.globalAlpha = isMain ? 1 : Math.min(alpha + 0.1, 1);
  context.rotate(body.heading);
  const size = (isMain ? 9 : lens.scale < 9 ? 5.5 : 7.5) * unit;
  context.beginPath();
  context.moveTo(0, -size * 1.05);
  context.lineTo(size * 0.78, size * 0.85);
  context.lineTo(0, size * 0.45);
  context.lineTo(-size * 0.78, size * 0.85);
  context.closePath();
  context.lineWidth = 2 * unit;
  if (isMain) context.stroke();
  context.fill();
  context.restore();
}

function mapNames({ words, model, drawing, lens, unit }) {
  if (sceneBody(drawing, model.selected, mapBody)) {
    cameraProject(lens, mapBody.x, mapBody.y, 0, mapPoint);
    const [x, y] = mapPoint;
    wordsPoint(words, x, y, drawing.hue);
    const isRight = x > lens.width - 130 * unit;
    const name = model.entity.name;
    const style = { weight: 650, size: 13, halo: "--surface" };
    // Beside the dart, on the side that is free: its own path may run either way.
    const isFree = wordsPut(words, name, x + (isRight ? -13 : 13) * unit, y - 6 * unit, { ...style, align: isRight ? "right" : "left" });
    if (!isFree && !wordsPut(words, name, x, y + 26 * unit, style)) wordsPut(words, name, x, y - 16 * unit, { ...style, must: true });
  }
  if (lens.scale < MAP_NAME_SCALE * unit) return;
  let count = 0;
  for (let entity = 0; entity < model.entities.length && count < 60; entity += 1) {
    if (entity === model.selected || !sceneBody(drawing, entity, mapBody) || mapBody.isHidden) continue;
    cameraProject(lens, mapBody.x, mapBody.y, 0, mapPoint);
    if (wordsPut(words, model.entities[entity].name, mapPoint[0], mapPoint[1] - 11 * unit, { tone: "--ink3", halo: "--surface" })) count += 1;
  }
}
