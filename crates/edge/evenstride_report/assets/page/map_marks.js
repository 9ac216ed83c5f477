// What lies under the paths of the map: grid, route, tether, follow target, and the outline of what was captured.

import { ink, metres } from "./format.js";
import { cameraProject } from "./camera.js";
import { createBody, sceneBody } from "./scene.js";
import { wordsPut } from "./words.js";

const markBody = createBody();
const markOther = createBody();
const markPoint = [0, 0, 0];

// Draws a line at every round number of metres, every fifth one stronger.
export function mapGrid({ context, lens, unit }) {
  const { scale, width, height } = lens;
  let cell = 1;
  for (const step of [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]) {
    cell = step;
    if (step * scale >= 44 * unit) break;
  }
  const [left, top] = [lens.x - width / 2 / scale, lens.y + height / 2 / scale];
  const half = window.devicePixelRatio % 2 === 1 ? 0.5 : 0;
  for (const isStrong of [false, true]) {
    context.beginPath();
    context.strokeStyle = ink(isStrong ? "--line2" : "--line");
    context.lineWidth = 1;
    context.globalAlpha = isStrong ? 0.75 : 1;
    for (let at = Math.ceil(left / cell); at * cell <= left + width / scale; at += 1) {
      if ((at % 5 === 0) !== isStrong) continue;
      const x = Math.round((at * cell - left) * scale) + half;
      context.moveTo(x, 0);
      context.lineTo(x, height);
    }
    for (let at = Math.floor(top / cell); at * cell >= top - height / scale; at -= 1) {
      if ((at % 5 === 0) !== isStrong) continue;
      const y = Math.round((top - at * cell) * scale) + half;
      context.moveTo(0, y);
      context.lineTo(width, y);
    }
    context.stroke();
  }
  context.globalAlpha = 1;
}

// Draws where the selected entity wants to go, as the first contestant knows it: waypoints, tether, goal, followed entity.
export function mapRoute({ context, model, drawing, lens, unit, isFirst }) {
  const route = isFirst ? model.route() : null;
  if (!route) return;
  const isThere = sceneBody(drawing, model.selected, markBody);
  context.strokeStyle = ink("--ink");
  if (route.tether) markTether(context, lens, unit, route.tether, isThere);
  if (isThere && route.follows >= 0 && sceneBody(drawing, route.follows, markOther)) {
    markLine(context, lens, markBody, markOther, [6 * unit, 4 * unit], 1.25 * unit);
    cameraProject(lens, markOther.x, markOther.y, 0, markPoint);
    context.beginPath();
    context.arc(markPoint[0], markPoint[1], 12 * unit, 0, Math.PI * 2);
    context.stroke();
  }
  let from = isThere ? markBody : null;
  for (const [x, y] of route.waypoints) {
    if (from) markLine(context, lens, from, { x, y }, [2 * unit, 3 * unit], 1 * unit);
    from = { x, y };
  }
  if (route.goal) {
    const goal = { x: route.goal[0], y: route.goal[1] };
    if (isThere && route.waypoints.length === 0) markLine(context, lens, markBody, goal, [2 * unit, 3 * unit], 1 * unit);
    markGoal(context, lens, unit, goal);
  }
  for (const [x, y] of route.waypoints) markSquare(context, lens, unit, x, y);
}

function markLine(context, lens, from, to, dash, width) {
  cameraProject(lens, from.x, from.y, 0, markPoint);
  context.beginPath();
  context.moveTo(markPoint[0], markPoint[1]);
  cameraProject(lens, to.x, to.y, 0, markPoint);
  context.lineTo(markPoint[0], markPoint[1]);
  context.globalAlpha = 0.6;
  context.lineWidth = width;
  context.lineCap = "butt";
  context.setLineDash(dash);
  context.stroke();
  context.setLineDash([]);
  context.lineCap = "round";
  context.globalAlpha = 1;
}

function markSquare(context, lens, unit, x, y) {
  cameraProject(lens, x, y, 0, markPoint);
  const side = 6 * unit;
  context.lineWidth = 1.5 * unit;
  context.lineJoin = "miter";
  context.strokeRect(markPoint[0] - side, markPoint[1] - side, side * 2, side * 2);
  context.lineJoin = "round";
}

function markGoal(context, lens, unit, goal) {
  cameraProject(lens, goal.x, goal.y, 0, markPoint);
  const [x, y] = markPoint;
  context.lineWidth = 1.5 * unit;
  context.beginPath();
  for (const radius of [7, 2.5]) {
    context.moveTo(x + radius * unit, y);
    context.arc(x, y, radius * unit, 0, Math.PI * 2);
  }
  context.stroke();
}

// A tether is the circle within which a body may stray from its last position.
function markTether(context, lens, unit, tether, isThere) {
  cameraProject(lens, tether.x, tether.y, 0, markPoint);
  const [x, y] = markPoint;
  if (tether.metres > 0) {
    context.globalAlpha = 0.3;
    context.lineWidth = 1 * unit;
    context.beginPath();
    context.arc(x, y, tether.metres * lens.scale, 0, Math.PI * 2);
    context.stroke();
    context.globalAlpha = 1;
  }
  if (isThere) markLine(context, lens, tether, markBody, [1.5 * unit, 3 * unit], 1.25 * unit);
}

// Draws the selected entity as captured, dotted, while a what-if is on, and others where they differ visibly.
export function mapGhost({ context, words, model, drawing, lens, unit }, ghost) {
  const { count } = ghost;
  context.strokeStyle = ink("--ink2");
  context.lineCap = "round";
  for (let entity = 0; entity < count; entity += 1) {
    if (!sceneBody(ghost, entity, markBody) || markBody.isHidden) continue;
    const isSelected = entity === model.selected;
    const isThere = sceneBody(drawing, entity, markOther);
    const off = isThere ? Math.hypot(markBody.x - markOther.x, markBody.y - markOther.y) : Infinity;
    if (off < (isSelected ? 0.03 : 0.15)) continue;
    context.globalAlpha = isSelected ? 1 : 0.5;
    context.lineWidth = 1.5 * unit;
    context.setLineDash([0.1, 3.2 * unit]);
    cameraProject(lens, markBody.x, markBody.y, 0, markPoint);
    const [x, y] = markPoint;
    context.beginPath();
    context.arc(x, y, Math.max(markBody.radius * lens.scale, 8 * unit), 0, Math.PI * 2);
    if (isThere) {
      cameraProject(lens, markOther.x, markOther.y, 0, markPoint);
      context.moveTo(x, y);
      context.lineTo(markPoint[0], markPoint[1]);
    }
    context.stroke();
    if (!isSelected) continue;
    context.beginPath();
    for (let bead = 0; bead < ghost.beads.count; bead += 1) {
      const at = (bead * count + entity) * 3;
      if (!Number.isFinite(ghost.beads.at[at])) continue;
      cameraProject(lens, ghost.beads.at[at], ghost.beads.at[at + 1], 0, markPoint);
      if (bead === 0 || !Number.isFinite(ghost.beads.at[at - count * 3])) context.moveTo(markPoint[0], markPoint[1]);
      else context.lineTo(markPoint[0], markPoint[1]);
    }
    context.stroke();
    if (off > 0.1 && Number.isFinite(off)) wordsPut(words, metres(off), x, y + 24 * unit, { tone: "--ink2", halo: "--surface" });
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
}
