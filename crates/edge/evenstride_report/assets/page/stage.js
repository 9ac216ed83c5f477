// The stage: bodies in life size on a ground with a grid. It answers what a plot cannot: does it look right? Height is told
// three times (shadow, post, arc of the trail), because a jump that is drawn wrong is hard to see otherwise.

import { lastUpTo } from "./format.js";
import { SCENE_OFF, createBody, sceneBody, sceneIsLeap, sceneReference, sceneTrackAt } from "./scene.js";
import { STAGE_BODY_FLOATS, STAGE_LINE_FLOATS, STAGE_MARK_FLOATS, StageBatch, createStageCard } from "./stage_gl.js";
import { MARK_BEAD, MARK_CHEVRON, MARK_DASHED, MARK_DISC, MARK_RING, MARK_SHADOW, stageBody, stageLevel, stageLine, stageMark, stageMix, stagePaint, stageTones } from "./stage_paint.js";

const STAGE_TRAIL = 3;
// Marks lie a finger's breadth above each other, so that none flickers through another.
const STAGE_LAYER = 0.004;

// Builds a stage on a canvas. Its context may be lost and come back; meanwhile nothing is drawn.
export function createStage(canvas, onChange) {
  const stage = {
    canvas,
    card: createStageCard(canvas),
    isLost: false,
    bodies: new StageBatch(STAGE_BODY_FLOATS),
    ghosts: new StageBatch(STAGE_BODY_FLOATS),
    marks: new StageBatch(STAGE_MARK_FLOATS),
    lines: new StageBatch(STAGE_LINE_FLOATS),
    beads: new StageBatch(STAGE_MARK_FLOATS),
    // What the words over the stage need to know.
    shown: { reference: null, off: NaN, ghost: null },
  };
  canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault();
    stage.isLost = true;
    onChange();
  });
  canvas.addEventListener("webglcontextrestored", () => {
    stage.card = createStageCard(canvas);
    stage.isLost = false;
    onChange();
  });
  return stage;
}

// Draws one frame of one contestant.
export function stageDraw(stage, model, drawing, lens, ratio, ghost) {
  const { card, canvas } = stage;
  if (stage.isLost || card.gl.isContextLost()) return;
  for (const batch of [stage.bodies, stage.ghosts, stage.marks, stage.lines, stage.beads]) batch.count = 0;
  const tones = stageTones(drawing);
  const view = { stage, model, drawing, lens, tones };
  stageReceived(view);
  stageTrails(view);
  stageBodies(view);
  stageReferenceLine(view);
  stageGhosts(view, ghost);
  stagePaint(stage, lens, ratio, tones, stageLevel(model, drawing, lens));
  canvas.dataset.bodies = String(stage.bodies.count);
  canvas.dataset.work = `{"calls":${card.calls},"instances":${card.instances}}`;
}

const stageOne = createBody();
const stageTwo = createBody();
const stageSpot = [0, 0, 0];

// Adds bodies with shadow, chevron, ring and post.
function stageBodies({ stage, model, drawing, lens, tones }) {
  const body = stageOne;
  for (let entity = 0; entity < model.entities.length; entity += 1) {
    if (!sceneBody(drawing, entity, body)) continue;
    const isSelected = entity === model.selected;
    if (body.isHidden && !isSelected) continue;
    const tone = isSelected ? tones.hue : tones.other;
    // A shadow grows and pales with height, as under a lamp.
    const shade = (tones.isDark ? 0.62 : 0.3) / (1 + body.lift * 0.5);
    stageMark(stage.marks, lens, body.x, body.y, body.ground, body.radius * (1.5 + body.lift * 0.25), 0, MARK_SHADOW, 0, tones.shadow, shade);
    const ahead = body.radius + 0.34;
    const [east, north] = [body.x + Math.sin(body.heading) * ahead, body.y + Math.cos(body.heading) * ahead];
    stageMark(stage.marks, lens, east, north, body.ground + STAGE_LAYER * 2, 0.2, body.heading, MARK_CHEVRON, isSelected ? 4 : 2.5, tone, isSelected ? 0.95 : 0.6);
    if (isSelected) stageMark(stage.marks, lens, body.x, body.y, body.ground + STAGE_LAYER, body.radius + 0.3, 0, MARK_RING, 7, tones.hue, 1);
    if (body.lift > 0.05) {
      stageLine(stage.lines, lens, body.x, body.y, body.ground, body.x, body.y, body.z, isSelected ? 1.6 : 1.2, isSelected ? tones.ink : tones.faintInk, 0.9, 0.9, 0.14, 0);
      stageMark(stage.marks, lens, body.x, body.y, body.ground + STAGE_LAYER, 0.05, 0, MARK_DISC, 1.8, tones.ink, 0.8);
    }
    if (body.isHidden) stageBody(stage.ghosts, lens, body, tone, 0.9);
    else stageBody(stage.bodies, lens, body, tone, 1);
  }
}

// Adds the last three seconds of every path. Beads keep their places while time runs: they stand at whole tenths.
function stageTrails(view) {
  const { model, drawing } = view;
  const { beads, count } = drawing;
  const hasTrack = drawing.track?.entity === model.selected && sceneTrackAt(drawing.track, model.time, stageSpot);
  for (let entity = 0; entity < count; entity += 1) {
    if (entity === model.selected && hasTrack) continue;
    if (!Number.isFinite(drawing.bodies[entity * 8])) continue;
    let before = -1;
    for (let bead = 0; bead < beads.count; bead += 1) {
      const age = model.time - beads.times[bead];
      const at = (bead * count + entity) * 3;
      if (age > STAGE_TRAIL || age < -1e-6 || !Number.isFinite(beads.at[at])) {
        before = -1;
        continue;
      }
      stageStep(view, entity === model.selected, beads.at, before, at, age, 0.1, true);
      before = at;
    }
    if (before >= 0) {
      stageSpot[0] = drawing.bodies[entity * 8];
      stageSpot[1] = drawing.bodies[entity * 8 + 1];
      stageSpot[2] = drawing.bodies[entity * 8 + 2];
      stageLast[0] = beads.at[before];
      stageLast[1] = beads.at[before + 1];
      stageLast[2] = beads.at[before + 2];
      stageLast.set(stageSpot, 3);
      stageStep(view, entity === model.selected, stageLast, 0, 3, 0, 0.1, false);
    }
  }
  if (hasTrack) stageExactTrail(view);
}

const stageLast = new Float64Array(6);

// Adds the trail of the selected entity, frame by frame. Where it was placed at once, the line has a gap.
function stageExactTrail(view) {
  const { stage, model, drawing, lens, tones } = view;
  const { track } = drawing;
  const last = lastUpTo(track.times, model.time + 1e-6, track.length);
  const first = Math.max(lastUpTo(track.times, model.time - STAGE_TRAIL, track.length), 0);
  for (let frame = first + 1; frame <= last; frame += 1) {
    if (track.placed[frame] || !Number.isFinite(track.x[frame]) || !Number.isFinite(track.x[frame - 1])) continue;
    if (sceneIsLeap(track.x[frame], track.y[frame], track.x[frame - 1], track.y[frame - 1], track.times[frame] - track.times[frame - 1])) continue;
    const alpha = stageAge(model.time - track.times[frame]) * 0.42;
    stageLine(stage.lines, lens, track.x[frame - 1], track.y[frame - 1], track.z[frame - 1] + 0.02, track.x[frame], track.y[frame], track.z[frame] + 0.02, 4.5, tones.hue, alpha, alpha, 0, 0);
  }
  for (let tenth = Math.ceil((model.time - STAGE_TRAIL) * 10); tenth <= model.time * 10 + 1e-6; tenth += 1) {
    if (!sceneTrackAt(track, tenth / 10, stageSpot)) continue;
    const alpha = stageAge(model.time - tenth / 10);
    stageMark(stage.beads, lens, stageSpot[0], stageSpot[1], stageSpot[2] + 0.02, 0.045, 0, MARK_BEAD, 2.2, tones.hue, alpha);
  }
}

function stageAge(age) {
  return 1 - 0.75 * Math.max(age, 0) / STAGE_TRAIL;
}

function stageStep({ stage, lens, tones }, isSelected, places, before, at, age, gap, hasBead) {
  const [x, y, z] = [places[at], places[at + 1], places[at + 2] + 0.02];
  const [tone, alpha] = [isSelected ? tones.hue : tones.other, stageAge(age) * (isSelected ? 1 : 0.55)];
  if (before >= 0 && !sceneIsLeap(x, y, places[before], places[before + 1], gap)) {
    stageLine(stage.lines, lens, places[before], places[before + 1], places[before + 2] + 0.02, x, y, z, isSelected ? 4.5 : 2.5, tone, alpha * 0.42, alpha * 0.42, 0, 0);
  }
  // From afar the beads of others would be dust.
  if (hasBead && (isSelected || lens.scale > 9)) stageMark(stage.beads, lens, x, y, z, isSelected ? 0.045 : 0.035, 0, MARK_BEAD, isSelected ? 2.2 : 1.3, tone, alpha);
}

// Adds the positions received during the trail: of the selected entity in ink, of those around it faintly.
function stageReceived({ stage, model, drawing, lens, tones }) {
  let others = 0;
  for (let entity = 0; entity < model.entities.length; entity += 1) {
    const isSelected = entity === model.selected;
    if (!isSelected) {
      const [x, y] = [drawing.bodies[entity * 8] - lens.x, drawing.bodies[entity * 8 + 1] - lens.y];
      if (lens.scale < 12 || others >= 8 || !(Math.hypot(x, y) < (lens.width / lens.scale) * 0.8)) continue;
      others += 1;
    }
    const received = model.received(entity);
    if (!received) continue;
    const last = lastUpTo(received.times, model.time + 1e-6);
    for (let index = last; index >= 0 && model.time - received.times[index] <= STAGE_TRAIL; index -= 1) {
      const age = stageAge(model.time - received.times[index]);
      const [x, y, z] = [received.x[index], received.y[index], received.z[index] + STAGE_LAYER * 3];
      if (isSelected) stageMark(stage.marks, lens, x, y, z, 0.1, 0, MARK_DISC, 3, tones.ink, 0.35 + 0.65 * age);
      else stageMark(stage.marks, lens, x, y, z, 0.08, 0, MARK_DISC, 1.6, tones.faintInk, age * 0.8);
    }
  }
}

// Adds the truth and the red line to it, or to the last update where no truth is known.
function stageReferenceLine({ stage, model, drawing, lens, tones }) {
  const body = stageOne;
  const reference = sceneReference(model);
  stage.shown.reference = reference;
  stage.shown.off = NaN;
  if (!reference || !sceneBody(drawing, model.selected, body)) return;
  const off = Math.hypot(reference.x - body.x, reference.y - body.y, model.usesTruth ? reference.z - body.z : 0);
  stage.shown.off = off;
  // From afar, a truth within the body's own ring would only blacken it.
  if (model.usesTruth && (off > SCENE_OFF || lens.scale > 14)) {
    stageMark(stage.beads, lens, reference.x, reference.y, reference.z + 0.01, body.radius + 0.16, 0, MARK_RING, 6.5, tones.ground, 0.7);
    stageMark(stage.beads, lens, reference.x, reference.y, reference.z + 0.012, body.radius + 0.16, 0, MARK_DASHED, 6.5, tones.ink, 1);
    stageMark(stage.beads, lens, reference.x, reference.y, reference.z + 0.012, 0.04, 0, MARK_DISC, 1.6, tones.ink, 1);
  }
  if (off > SCENE_OFF) stageLine(stage.lines, lens, reference.x, reference.y, reference.z + 0.03, body.x, body.y, body.z + 0.03, 2.6, tones.bad, 1, 1, 0, 0);
}

// Adds outlines of where the bodies were as captured, while a what-if is on. A body that has not moved needs none.
function stageGhosts({ stage, model, drawing, lens, tones }, ghost) {
  stage.shown.ghost = null;
  if (!ghost) return;
  const [was, now] = [stageOne, stageTwo];
  const tone = stageMix(tones.hue, tones.ink, 0.35);
  for (let entity = 0; entity < model.entities.length; entity += 1) {
    if (!sceneBody(ghost, entity, was) || was.isHidden) continue;
    const isSelected = entity === model.selected;
    const isThere = sceneBody(drawing, entity, now);
    const off = isThere ? Math.hypot(was.x - now.x, was.y - now.y, was.z - now.z) : Infinity;
    if (off < (isSelected ? 0.03 : 0.15)) continue;
    stageBody(stage.ghosts, lens, was, isSelected ? tone : tones.faintInk, isSelected ? 0.85 : 0.4);
    if (!isSelected) continue;
    if (isThere) stageLine(stage.lines, lens, was.x, was.y, was.ground + 0.03, now.x, now.y, now.ground + 0.03, 2, tones.ink, 0.9, 0.9, 0.16, 0);
    stage.shown.ghost = { x: was.x, y: was.y, z: was.z, off };
    const { count, beads } = ghost;
    for (let bead = 0; bead < beads.count; bead += 1) {
      const [at, age] = [(bead * count + entity) * 3, model.time - beads.times[bead]];
      if (age > STAGE_TRAIL || !Number.isFinite(beads.at[at])) continue;
      stageMark(stage.beads, lens, beads.at[at], beads.at[at + 1], beads.at[at + 2] + 0.02, 0.02, 0, MARK_BEAD, 1.3, tone, stageAge(age) * 0.8);
    }
  }
}
