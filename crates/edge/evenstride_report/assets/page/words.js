// Names and numbers over a stage or a map: with a halo, inside the pane, and never on top of each other. The name of the
// selected entity is always there, at the edge if the entity is beyond it.

import { clamp, device, ink } from "./format.js";

const WORDS_HALO = 3;
const WORDS_MARGIN = 6;

export function createWords() {
  return { context: null, width: 0, height: 0, unit: 1, plus: 0, taken: [], widths: new Map() };
}

// Begins a frame. Plates are rectangles of the pane that words must not cover.
export function wordsBegin(words, context, width, height, plates = []) {
  Object.assign(words, { context, width, height });
  words.unit = device().scale;
  words.plus = window.innerWidth >= 1800 ? 1 : 0;
  words.taken.length = 0;
  for (const plate of plates) words.taken.push(plate);
}

// Writes a text with its baseline at y. Returns whether it had room. A text that must be there is moved into the pane,
// beside what it would cover, and written anyway.
export function wordsPut(words, text, x, y, { tone = "--ink", halo = "--ground", weight = 400, size = 12, align = "center", must = false } = {}) {
  const { context, unit } = words;
  const high = (size + words.plus) * unit;
  const margin = WORDS_MARGIN * unit;
  const font = `${weight} ${high}px ${ink("--sans") || "sans-serif"}`;
  context.font = font;
  const wide = wordsWidth(words, text, font);
  const start = align === "left" ? x : align === "right" ? x - wide : x - wide / 2;
  const space = { left: margin, right: words.width - margin, top: margin, bottom: words.height - margin };
  let box = { left: start - 2, right: start + wide + 2, top: y - high, bottom: y + 4 * unit };
  if (must) box = wordsRoom(words.taken, wordsInside(box, space), space);
  else if (!wordsFits(box, space)) return false;
  const isFree = wordsCovered(words.taken, box) === null;
  if (!isFree && !must) return false;
  words.taken.push(box);
  const [left, base] = [box.left + 2, box.top + high];
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
  context.lineJoin = "round";
  context.lineWidth = WORDS_HALO * 2 * unit;
  context.strokeStyle = ink(halo);
  context.globalAlpha = 0.8;
  context.strokeText(text, left, base);
  context.globalAlpha = 1;
  context.fillStyle = ink(tone);
  context.fillText(text, left, base);
  return isFree;
}

// Returns the nearest place beside what a box would cover, or the box itself if there is none.
function wordsRoom(taken, box, space) {
  const covered = wordsCovered(taken, box);
  if (covered === null) return box;
  const moves = [[0, covered.bottom - box.top], [0, covered.top - box.bottom], [covered.right - box.left, 0], [covered.left - box.right, 0]];
  moves.sort((one, two) => Math.abs(one[0] + one[1]) - Math.abs(two[0] + two[1]));
  for (const [across, down] of moves) {
    const moved = { left: box.left + across, right: box.right + across, top: box.top + down, bottom: box.bottom + down };
    if (wordsFits(moved, space) && wordsCovered(taken, moved) === null) return moved;
  }
  return box;
}

function wordsCovered(taken, box) {
  return taken.find((of) => box.left < of.right && of.left < box.right && box.top < of.bottom && of.top < box.bottom) ?? null;
}

function wordsFits(box, space) {
  return box.left >= space.left - 2 && box.right <= space.right + 2 && box.top >= space.top && box.bottom <= space.bottom + 4;
}

// Moves a box into a space. The space's left and upper edges win.
function wordsInside(box, space) {
  const [wide, high] = [box.right - box.left, box.bottom - box.top];
  const left = clamp(box.left, space.left, Math.max(space.left, space.right - wide));
  const top = clamp(box.top, space.top, Math.max(space.top, space.bottom - high));
  return { left, right: left + wide, top, bottom: top + high };
}

// Returns whether a point is inside the pane. A point outside gets an arrow at the edge, in its hue.
export function wordsPoint(words, x, y, hue) {
  const { context, width, height, unit } = words;
  const margin = 14 * unit;
  if (x >= 0 && x <= width && y >= 0 && y <= height) return true;
  const [edgeX, edgeY] = [clamp(x, margin, width - margin), clamp(y, margin, height - margin)];
  context.save();
  context.translate(edgeX, edgeY);
  context.rotate(Math.atan2(y - edgeY, x - edgeX));
  context.fillStyle = ink(hue);
  context.beginPath();
  context.moveTo(8 * unit, 0);
  context.lineTo(-5 * unit, 6 * unit);
  context.lineTo(-5 * unit, -6 * unit);
  context.fill();
  context.restore();
  return false;
}

// Measuring a text costs more than drawing it, and names come again in every frame.
function wordsWidth(words, text, font) {
  const key = `${font} ${text}`;
  let wide = words.widths.get(key);
  if (wide === undefined) {
    if (words.widths.size > 2000) words.widths.clear();
    wide = words.context.measureText(text).width;
    words.widths.set(key, wide);
  }
  return wide;
}
