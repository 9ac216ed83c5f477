// One lane on its canvas: updates as ticks, error as a pale area, lateness hatched, and marks as shapes.
// Marks are drawn, not written, because the glyphs of fonts differ in size, weight and even meaning.

import { device, ink, make } from "./format.js";
import { axisCanvas, axisSpan } from "./timeaxis.js";

const LANE_BAND = 3;

// Metres up to which the scale of errors is about linear.
const LANE_LINEAR = 0.2;

const LANE_LEGEND = ["update", "late", "snap", "teleport", "jump", "gone", "moment", "error"];

// Returns the function that maps metres to a share of a lane's height. One scale serves all lanes, sparklines and the
// overview, so that they can be compared. It is logarithmic, so that half a metre is seen beside a portal's 200 m.
export function laneShare(model) {
  let most = 0.5;
  for (const entity of model.entities) if (Math.abs(entity.worst) > most) most = Math.abs(entity.worst);
  const whole = Math.log1p(most / LANE_LINEAR);
  return (metres) => (metres > 0 ? Math.min(1, Math.log1p(metres / LANE_LINEAR) / whole) : 0);
}

// Draws the lane of an entity. Returns the number of columns of its error that were drawn.
export function lanePaint(canvas, model, entity, axis, size, share) {
  const context = axisCanvas(canvas, size.width, size.height);
  if (!context) return 0;
  const columns = laneError(context, model.panes[0], model.start, entity, axis, size, share);
  laneLate(context, entity, axis, size);
  laneUpdates(context, entity, axis, size);
  for (const mark of entity.marks) {
    if (mark.time < axis.from || mark.time > axis.to) continue;
    laneMark(context, mark.kind, axis.x(mark.time), size.middle, size.unit);
  }
  return columns;
}

// Each bin is drawn as wide as it is, and of the bins that share a pixel the greatest is kept.
function laneError(context, pane, start, entity, axis, size, share) {
  const bins = pane?.errors(entity.index);
  if (!bins) return 0;
  const length = pane.binSecs || 0.1;
  const first = Math.max(0, Math.floor((axis.from - start) / length));
  const last = Math.min(bins.length - 1, Math.floor((axis.to - start) / length));
  const tall = size.height - 5 * size.unit;
  context.fillStyle = ink(pane.hue);
  context.globalAlpha = 0.2;
  context.beginPath();
  let [columns, bin] = [0, first];
  while (bin <= last) {
    const from = axis.x(start + bin * length);
    let most = 0;
    let to = from;
    do {
      if (bins[bin] > most) most = bins[bin];
      bin += 1;
      to = axis.x(start + bin * length);
    } while (bin <= last && to - from < 1);
    const height = Math.round(tall * share(most) * 2) / 2;
    if (height > 0) context.rect(from, size.height - height, to - from, height);
    columns += 1;
  }
  context.fill();
  context.globalAlpha = 1;
  return columns;
}

function laneLate(context, entity, axis, size) {
  const tall = Math.min(size.height - 4, 17 * size.unit);
  const top = size.middle - tall / 2;
  for (const [from, to] of entity.late) {
    if (to < axis.from || from > axis.to) continue;
    const left = Math.max(axis.x(from), -2);
    const width = Math.max(Math.min(axis.x(to), axis.width + 2) - left, 2);
    laneHatch(context, left, top, width, tall, size.unit);
  }
}

function laneHatch(context, left, top, width, tall, unit) {
  context.save();
  context.fillStyle = ink("--watchbg");
  context.fillRect(left, top, width, tall);
  context.beginPath();
  context.rect(left, top, width, tall);
  context.clip();
  context.strokeStyle = ink("--watch");
  context.lineWidth = 1.25 * unit;
  context.beginPath();
  // Narrow bars are filled, because a hatch of two pixels is no hatch.
  const step = width < 4 ? 1 : 4.5 * unit;
  const phase = (((left + tall) % step) + step) % step;
  for (let x = left - tall - phase; x < left + width; x += step) {
    context.moveTo(x, top + tall);
    context.lineTo(x + tall, top);
  }
  context.stroke();
  context.restore();
}

// Ticks that would stand closer than three pixels become a grey band, which says "updates, evenly and often".
function laneUpdates(context, entity, axis, size) {
  const { updates } = entity;
  if (updates.length === 0) return;
  const { ratio } = device();
  const tall = 9 * size.unit;
  const top = Math.round(size.middle - tall / 2);
  const [first, last] = axisSpan(updates, axis.from, axis.to);
  // Where they are close, ticks are thin, or a lane would be a bar code.
  const isClose = axis.scale * (updates[last] - updates[first]) < 7 * size.unit * (last - first);
  const wide = Math.max(1, Math.round((isClose ? 1 : 1.5) * size.unit * ratio)) / ratio;
  const ticks = new Path2D();
  const bands = new Path2D();
  let at = first;
  while (at <= last) {
    const from = axis.x(updates[at]);
    let [to, count] = [from, 1];
    while (at + count <= last && axis.x(updates[at + count]) - to < LANE_BAND * size.unit) {
      to = axis.x(updates[at + count]);
      count += 1;
    }
    // Two close ones are still two.
    if (count < 4) for (let one = at; one < at + count; one += 1) ticks.rect(Math.round(axis.x(updates[one]) * ratio) / ratio - wide / 2, top, wide, tall);
    else bands.rect(from, top + tall * 0.22, Math.max(to - from, wide), tall * 0.56);
    at += count;
  }
  context.fillStyle = ink("--edge");
  context.fill(bands);
  context.fillStyle = ink(isClose ? "--ink2" : "--ink");
  context.fill(ticks);
}

// Draws one mark around a point.
export function laneMark(context, kind, x, y, unit) {
  const size = 4.75 * unit;
  context.save();
  context.translate(x, y);
  context.lineCap = "round";
  context.lineJoin = "round";
  context.lineWidth = 1.6 * unit;
  context.strokeStyle = ink("--ink");
  if (kind === "snap") laneDiamond(context, size);
  else if (kind === "teleport") laneStar(context, size);
  else if (kind === "jump") laneArc(context, size);
  else if (kind === "gone") laneSquare(context, size * 0.85);
  else if (kind === "stall") laneBar(context, size);
  context.restore();
}

function laneDiamond(context, size) {
  laneHalo(context, () => {
    context.moveTo(0, -size * 1.1);
    context.lineTo(size * 1.1, 0);
    context.lineTo(0, size * 1.1);
    context.lineTo(-size * 1.1, 0);
    context.closePath();
  });
  context.fillStyle = ink("--bad");
  context.fill();
}

// Keeps a mark apart from the ticks that it stands on.
function laneHalo(context, shape) {
  const { lineWidth, strokeStyle } = context;
  context.beginPath();
  shape();
  context.strokeStyle = ink("--surface");
  context.lineWidth = lineWidth + 2.5;
  context.stroke();
  context.strokeStyle = strokeStyle;
  context.lineWidth = lineWidth;
}

function laneStar(context, size) {
  laneHalo(context, () => {
    for (let arm = 0; arm < 4; arm += 1) {
      const [dx, dy] = [Math.cos((arm * Math.PI) / 4) * size, Math.sin((arm * Math.PI) / 4) * size];
      context.moveTo(-dx, -dy);
      context.lineTo(dx, dy);
    }
  });
  context.stroke();
}

function laneArc(context, size) {
  laneHalo(context, () => {
    context.moveTo(-size * 1.1, size * 0.6);
    context.quadraticCurveTo(0, -size * 1.7, size * 1.1, size * 0.6);
  });
  context.stroke();
}

function laneSquare(context, size) {
  laneHalo(context, () => context.rect(-size, -size, 2 * size, 2 * size));
  context.fillStyle = ink("--surface");
  context.fill();
  context.stroke();
}

// A path given up: a short red bar, as of a way that is shut.
function laneBar(context, size) {
  laneHalo(context, () => {
    context.moveTo(-size, 0);
    context.lineTo(size, 0);
  });
  context.strokeStyle = ink("--bad");
  context.lineWidth *= 1.6;
  context.stroke();
}

// Builds the legend and returns its painter, which is needed only when the theme or the size changes.
export function createLaneLegend(root) {
  const items = LANE_LEGEND.map((word) => {
    const canvas = make("canvas", { "aria-hidden": "true" });
    root.append(make("span", {}, canvas, word));
    return { word, canvas };
  });
  return function paintLegend(model, unit) {
    const [width, height] = [16 * unit, 14 * unit];
    for (const { word, canvas } of items) {
      const context = axisCanvas(canvas, width, height);
      if (context) laneLegendMark(context, word, width, height, unit, model);
    }
  };
}

function laneLegendMark(context, word, width, height, unit, model) {
  const [x, y] = [width / 2, height / 2];
  if (word === "update") {
    context.fillStyle = ink("--ink");
    context.fillRect(x - 0.75 * unit, y - 4.5 * unit, 1.5 * unit, 9 * unit);
  } else if (word === "late") laneHatch(context, x - 7 * unit, y - 5 * unit, 14 * unit, 10 * unit, unit);
  else if (word === "moment") {
    context.fillStyle = ink("--bad");
    context.beginPath();
    context.arc(x, y, 5 * unit, 0, 2 * Math.PI);
    context.fill();
  } else if (word === "error") {
    context.fillStyle = ink(model.panes[0]?.hue ?? "--ink3");
    context.globalAlpha = 0.35;
    [4, 8, 6, 9].forEach((tall, bar) => context.fillRect(x + (bar - 2) * 3 * unit, y + 5 * unit - tall * unit, 3 * unit, tall * unit));
    context.globalAlpha = 1;
  } else laneMark(context, word, x, y, unit);
}
