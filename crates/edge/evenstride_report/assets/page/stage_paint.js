// How the stage puts a picture together: colours of the present theme, instances into batches, batches onto the screen.

import { ink } from "./format.js";
import { cardDraw, cardDrawOnce, cardUse } from "./stage_gl.js";

// Kinds of marks, as the shader numbers them.
export const MARK_SHADOW = 0;
export const MARK_DISC = 1;
export const MARK_RING = 2;
export const MARK_DASHED = 3;
export const MARK_CHEVRON = 4;
export const MARK_BEAD = 6;

// Other entities than the selected one keep a quarter of the hue.
const STAGE_GREY = 0.74;

const stageColours = new Map();

// Returns a colour as three numbers from 0 to 1.
function stageColour(text) {
  let colour = stageColours.get(text);
  if (!colour) {
    const short = /^#(.)(.)(.)$/.exec(text);
    const long = /^#(..)(..)(..)/.exec(text);
    if (short) colour = short.slice(1).map((part) => parseInt(part + part, 16) / 255);
    else if (long) colour = long.slice(1).map((part) => parseInt(part, 16) / 255);
    else colour = (text.match(/[\d.]+/g) ?? [128, 128, 128]).slice(0, 3).map((part) => Number(part) / 255);
    stageColours.set(text, colour);
  }
  return colour;
}

export function stageMix(from, to, part) {
  return from.map((value, index) => value + (to[index] - value) * part);
}

export function stageTones(drawing) {
  const hue = stageColour(ink(drawing.hue));
  const surface = stageColour(ink("--surface"));
  const isDark = surface[0] + surface[1] + surface[2] < 1.5;
  const ground = stageColour(ink("--ground"));
  const grey = stageMix(stageColour(ink("--ink3")), surface, isDark ? 0.1 : 0.22);
  const text = stageColour(ink("--ink"));
  return {
    isDark, hue, ground, surface, ink: text,
    sky: stageColour(ink("--sky")),
    grid: stageColour(ink("--grid")),
    other: stageMix(hue, grey, STAGE_GREY),
    faint: stageMix(stageMix(hue, grey, STAGE_GREY), ground, 0.35),
    faintInk: stageMix(text, ground, 0.55),
    bad: stageColour(ink("--bad")),
    shadow: isDark ? [0, 0, 0] : [0.09, 0.12, 0.17],
    visor: isDark ? stageMix(surface, [0, 0, 0], 0.25) : [1, 1, 1],
  };
}

// Returns the height of the ground under the point of interest.
export function stageLevel(model, drawing, lens) {
  const ground = drawing.bodies[model.selected * 8 + 4];
  const isNear = Math.hypot(drawing.bodies[model.selected * 8] - lens.x, drawing.bodies[model.selected * 8 + 1] - lens.y) < 60;
  return (Number.isFinite(ground) && isNear ? ground : lens.z - 0.8) - lens.z;
}

export function stageMark(batch, lens, x, y, z, size, heading, kind, least, tone, alpha) {
  const at = batch.next();
  const f = batch.floats;
  f[at] = x - lens.x;
  f[at + 1] = y - lens.y;
  f[at + 2] = z - lens.z;
  f[at + 3] = size;
  f[at + 4] = heading;
  f[at + 5] = kind;
  f[at + 6] = least;
  f[at + 7] = tone[0];
  f[at + 8] = tone[1];
  f[at + 9] = tone[2];
  f[at + 10] = alpha;
}

export function stageLine(batch, lens, x, y, z, toX, toY, toZ, width, tone, alpha, endAlpha, dash, way) {
  const at = batch.next();
  const f = batch.floats;
  f[at] = x - lens.x;
  f[at + 1] = y - lens.y;
  f[at + 2] = z - lens.z;
  f[at + 3] = toX - lens.x;
  f[at + 4] = toY - lens.y;
  f[at + 5] = toZ - lens.z;
  f[at + 6] = tone[0];
  f[at + 7] = tone[1];
  f[at + 8] = tone[2];
  f[at + 9] = alpha;
  f[at + 10] = width;
  f[at + 11] = dash;
  f[at + 12] = endAlpha;
  f[at + 13] = way;
}

export function stageBody(batch, lens, body, tone, alpha) {
  const at = batch.next();
  const f = batch.floats;
  f[at] = body.x - lens.x;
  f[at + 1] = body.y - lens.y;
  f[at + 2] = body.z - lens.z;
  f[at + 3] = body.radius;
  f[at + 4] = body.height;
  f[at + 5] = body.heading;
  f[at + 6] = tone[0];
  f[at + 7] = tone[1];
  f[at + 8] = tone[2];
  f[at + 9] = alpha;
}

// Sends everything to the graphics card, from the ground up. Only bodies hide what lies behind them.
export function stagePaint(stage, lens, ratio, tones, level) {
  const { card } = stage;
  const { gl } = card;
  card.calls = 0;
  card.instances = 0;
  gl.viewport(0, 0, stage.canvas.width, stage.canvas.height);
  gl.clearColor(tones.sky[0], tones.sky[1], tones.sky[2], 1);
  gl.depthMask(true);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.disable(gl.BLEND);
  gl.disable(gl.DEPTH_TEST);
  stageGround(card, lens, ratio, tones, level);
  gl.enable(gl.DEPTH_TEST);
  const eye = lens.ahead.map((part) => -part * lens.distance);
  const light = [0, 1, 2].map((axis) => lens.right[axis] * -0.42 + lens.up[axis] * 0.72 - lens.ahead[axis] * 0.55);
  cardUse(card, card.body, lens, ratio);
  gl.uniform3fv(card.body.at.uEye, eye);
  gl.uniform3fv(card.body.at.uLight, light);
  gl.uniform3fv(card.body.at.uVisor, tones.visor);
  gl.uniform1f(card.body.at.uGlow, tones.isDark ? 0.4 : 0.75);
  cardDraw(card, card.bodyShape, stage.bodies);
  gl.enable(gl.BLEND);
  gl.depthMask(false);
  for (const [program, shape, batch] of [[card.mark, card.markShape, stage.marks], [card.line, card.lineShape, stage.lines], [card.mark, card.markShape, stage.beads]]) {
    cardUse(card, program, lens, ratio);
    if (program === card.mark) {
      gl.uniform3fv(program.at.uRight, lens.right);
      gl.uniform3fv(program.at.uUp, lens.up);
    }
    cardDraw(card, shape, batch);
  }
  // One looks through an outline, but not at its inside.
  gl.enable(gl.CULL_FACE);
  cardUse(card, card.body, lens, ratio);
  cardDraw(card, card.bodyShape, stage.ghosts);
  gl.disable(gl.CULL_FACE);
}

function stageGround(card, lens, ratio, tones, level) {
  const { gl } = card;
  const { at } = card.ground;
  // Fields of 1 and 5 m near, 5 and 10 m far out, and ten times as much for each further ten times.
  const across = lens.height / lens.scale;
  const cells = across < 42 ? [1, 5] : across < 160 ? [5, 10] : across < 900 ? [10, 50] : [100, 500];
  cardUse(card, card.ground, lens, ratio);
  gl.uniform1f(at.uLevel, level);
  gl.uniform1f(at.uReach, lens.distance * 40 + 200);
  gl.uniform1f(at.uFade, lens.distance * 0.95);
  gl.uniform1f(at.uLine, ratio);
  gl.uniform2f(at.uOffset, lens.x % cells[1], lens.y % cells[1]);
  gl.uniform2f(at.uCells, cells[0], cells[1]);
  gl.uniform3fv(at.uGround, tones.ground);
  gl.uniform3fv(at.uGrid, tones.grid);
  gl.uniform3fv(at.uSky, tones.sky);
  cardDrawOnce(card, card.groundShape);
}
