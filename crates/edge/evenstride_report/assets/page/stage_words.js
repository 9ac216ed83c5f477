// Names, heights and distances over the stage.

import { fixed, metres } from "./format.js";
import { cameraProject } from "./camera.js";
import { createBody, sceneBody } from "./scene.js";
import { wordsPoint, wordsPut } from "./words.js";

// Others are named only where a metre has this many pixels.
const STAGE_NAME_SCALE = 16;
const STAGE_NAMES = 40;

const stageNamed = createBody();
const stagePoint = [0, 0, 0];
const stageQueue = [];

// Writes the words of a frame after the stage has been drawn.
export function stageWords(stage, words, model, drawing, lens) {
  const body = stageNamed;
  if (sceneBody(drawing, model.selected, body)) stageSelectedWords(stage, words, model, drawing, lens, body);
  stageQueue.length = 0;
  for (let entity = 0; entity < model.entities.length; entity += 1) {
    if (entity === model.selected || !sceneBody(drawing, entity, body) || body.isHidden) continue;
    if (!cameraProject(lens, body.x, body.y, body.z + body.height, stagePoint) || stagePoint[2] < STAGE_NAME_SCALE * words.unit) continue;
    if (stagePoint[0] < 0 || stagePoint[0] > lens.width || stagePoint[1] < 0 || stagePoint[1] > lens.height) continue;
    stageQueue.push([stagePoint[2], entity, stagePoint[0], stagePoint[1], body.lift]);
  }
  // The nearest first: they are read first.
  stageQueue.sort((one, two) => two[0] - one[0]);
  for (const [, entity, x, y, lift] of stageQueue.slice(0, STAGE_NAMES)) {
    const name = model.entities[entity].name;
    wordsPut(words, lift > 0.05 ? `${name} ↑\u2009${fixed(lift, 1)}\u2009m` : name, x, y - 7 * words.unit, { tone: "--ink2" });
  }
}

function stageSelectedWords(stage, words, model, drawing, lens, body) {
  const isBefore = cameraProject(lens, body.x, body.y, body.z + body.height, stagePoint);
  const [x, y] = stagePoint;
  if (!isBefore) return;
  const isInside = wordsPoint(words, x, y, drawing.hue);
  wordsPut(words, model.entity.name, x, y - 9 * words.unit, { weight: 650, size: 13, must: true });
  if (!isInside) return;
  if (body.lift > 0.05) {
    cameraProject(lens, body.x, body.y, (body.ground + body.z) / 2, stagePoint);
    const beside = body.radius * stagePoint[2] + 12 * words.unit;
    wordsPut(words, `↑\u2009${fixed(body.lift, 1)}\u2009m`, stagePoint[0] + beside, stagePoint[1] + 4 * words.unit, { weight: 650, align: "left", must: true });
  }
  const { ghost } = stage.shown;
  if (ghost && ghost.off > 0.1 && Number.isFinite(ghost.off)) {
    cameraProject(lens, (body.x + ghost.x) / 2, (body.y + ghost.y) / 2, body.ground, stagePoint);
    wordsPut(words, metres(ghost.off), stagePoint[0], stagePoint[1] + 20 * words.unit, { tone: "--ink2" });
  }
}
