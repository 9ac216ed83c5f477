// One pane: a canvas, the words over it, and the plates at its corners. The middle belongs to the picture.

import { device, fixed, make, metres, speed, svgIcon } from "./format.js";
import { cameraAim, cameraProject, createLens } from "./camera.js";
import { legendFor } from "./legend.js";
import { mapDraw } from "./map.js";
import { createBody, sceneAbsence, sceneBody, sceneReadout } from "./scene.js";
import { createStage, stageDraw } from "./stage.js";
import { stageWords } from "./stage_words.js";
import { createWords, wordsBegin } from "./words.js";

const PANE_LABEL_MS = 500;
const PANE_SCALES = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

// Builds a pane of one view. `commands` are the camera's, and `onChange` asks for another frame.
export function createPane(view, model, commands, onChange) {
  const canvas = make("canvas", { class: "pane-canvas", role: "img", tabindex: "0", "aria-label": view });
  const wordsCanvas = view === "stage" ? make("canvas", { class: "pane-words", "aria-hidden": "true" }) : null;
  const pane = {
    view, model, canvas, wordsCanvas,
    lens: createLens(view === "map"),
    words: createWords(),
    stage: view === "stage" ? createStage(canvas, onChange) : null,
    context: view === "map" ? canvas.getContext("2d", { alpha: false }) : null,
    wordsContext: wordsCanvas?.getContext("2d") ?? null,
    index: 0, drawing: null, legendKey: "", labelledAt: -Infinity, ratio: 0, width: 0, height: 0, plates: [], letters: 0, isFurnished: false,
  };
  pane.swatch = make("span", { class: "swatch" });
  pane.name = make("strong", {});
  pane.kind = make("span", { class: "pane-kind", text: view });
  pane.plate = make("div", { class: "pane-plate" }, pane.swatch, pane.name, pane.kind);
  pane.error = make("strong", {});
  pane.side = make("span", { class: "pane-side" });
  pane.speed = make("div", { class: "pane-speed" });
  pane.readout = make("div", { class: "pane-readout" }, make("div", {}, pane.error, " ", pane.side), pane.speed);
  pane.compass = view === "map" ? make("div", { class: "pane-compass", title: "North is up" }, paneArrow(), make("span", { text: "N" })) : null;
  pane.legend = make("div", { class: "pane-legend" });
  pane.scaleWords = make("span", {});
  pane.scaleBar = make("i", {});
  pane.scale = make("div", { class: "pane-scale", "aria-hidden": "true" }, pane.scaleWords, pane.scaleBar);
  pane.buttons = make("div", { class: "pane-buttons", role: "group", "aria-label": "Camera" });
  for (const [command, icon, words] of [
    ["follow", "follow", "Follow the selected entity (F)"], ["fit", "fit", "Show the whole scene (F again)"],
    ["in", "plus", "Nearer"], ["out", "minus", "Farther"],
  ]) {
    const button = make("button", { type: "button", class: `pane-button pane-${command}`, title: words, "aria-label": words, onclick: () => commands(command) }, svgIcon(icon));
    button.dataset.command = command;
    pane.buttons.append(button);
  }
  pane.noteWords = make("p", {});
  pane.noteButton = make("button", { type: "button", class: "button" });
  pane.noteAt = NaN;
  pane.noteButton.addEventListener("click", () => model.seek(pane.noteAt));
  pane.note = make("div", { class: "pane-note", role: "status" }, pane.noteWords, pane.noteButton);
  pane.warning = make("p", { class: "pane-warning", text: "3D is not available in this browser." });
  pane.element = make("section", { class: "pane" }, canvas, wordsCanvas, pane.plate, pane.readout, pane.compass, pane.warning, pane.legend, pane.scale, pane.buttons, pane.note);
  pane.element.dataset.view = view;
  return pane;
}

function paneArrow() {
  const icon = svgIcon("plus");
  icon.setAttribute("viewBox", "0 0 16 20");
  icon.firstChild.setAttribute("d", "M8 19V2M3.5 6.5L8 2l4.5 4.5");
  return icon;
}

// Gives the pane a contestant and says which plates it carries.
export function paneAssign(pane, drawing, index, plates) {
  Object.assign(pane, { drawing, index, shownPlates: plates });
  pane.element.dataset.contestant = drawing.name;
  pane.element.setAttribute("aria-label", `${drawing.name}, ${pane.view}`);
  pane.swatch.style.setProperty("--hue", `var(${drawing.hue})`);
  pane.name.textContent = drawing.name;
  pane.element.classList.toggle("has-readout", plates.readout);
  pane.element.classList.toggle("is-small", plates.isSmall);
  pane.kind.hidden = plates.isSmall && plates.isShared;
  pane.readout.hidden = !plates.readout;
  pane.speed.hidden = plates.isSmall && plates.isShared;
  pane.warning.hidden = !plates.warning;
  pane.labelledAt = -Infinity;
  for (const button of pane.buttons.children) button.hidden = !plates.buttons.includes(button.dataset.command);
  pane.buttons.hidden = plates.buttons.length === 0;
}

// Fits the canvases to the pane at the device's resolution. Returns whether anything changed.
export function paneResize(pane) {
  const [width, height] = [pane.element.clientWidth, pane.element.clientHeight];
  const { ratio } = device();
  if (width === pane.width && height === pane.height && ratio === pane.ratio) return false;
  Object.assign(pane, { width, height, ratio, isFurnished: false });
  for (const canvas of [pane.canvas, pane.wordsCanvas]) {
    if (!canvas) continue;
    canvas.width = Math.max(Math.round(width * ratio), 1);
    canvas.height = Math.max(Math.round(height * ratio), 1);
  }
  return true;
}

const paneSelected = createBody();
const panePoint = [0, 0, 0];

// Draws the pane. Values change in every frame, so plates write only what differs.
export function paneDraw(pane, camera, now) {
  const { model, drawing, lens, words, canvas, ratio } = pane;
  if (pane.width < 2 || pane.height < 2) return;
  cameraAim(lens, camera.shown, pane.width, pane.height);
  const ghost = pane.index === 0 ? model.ghost : null;
  paneFurnish(pane, camera, ghost);
  const context = pane.wordsContext ?? pane.context;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  wordsBegin(words, context, pane.width, pane.height, pane.plates);
  if (pane.stage) {
    stageDraw(pane.stage, model, drawing, lens, ratio, ghost);
    context.clearRect(0, 0, pane.width, pane.height);
    if (!pane.stage.isLost) stageWords(pane.stage, words, model, drawing, lens);
  } else {
    const bodies = mapDraw(context, words, model, drawing, lens, ghost, pane.index === 0);
    canvas.dataset.bodies = String(bodies);
    canvas.dataset.work = `{"calls":1,"instances":${bodies}}`;
  }
  const isThere = sceneBody(drawing, model.selected, paneSelected);
  const { x, y, z } = paneSelected;
  canvas.dataset.selected = isThere ? `${x.toFixed(2)},${y.toFixed(2)},${z.toFixed(2)}` : "";
  // Where that is in the pane, in pixels.
  const isBefore = isThere && cameraProject(lens, x, y, z, panePoint);
  canvas.dataset.at = isBefore ? `${Math.round(panePoint[0])},${Math.round(panePoint[1])}` : "";
  const { shown } = camera;
  canvas.dataset.camera = `${shown.x.toFixed(2)},${shown.y.toFixed(2)},${shown.span.toFixed(2)},${camera.follow ? "follow" : "free"}`;
  paneReadout(pane, isThere, now);
  paneNote(pane);
}

function paneText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Updates scale, buttons and legend, and measures the plates once after each change: reading sizes in every frame is slow.
function paneFurnish(pane, camera, ghost) {
  const { lens, model } = pane;
  const unit = device().scale;
  let long = PANE_SCALES[0];
  for (const step of PANE_SCALES) if (step * lens.scale <= 96 * unit) long = step;
  paneText(pane.scaleWords, `${long}\u2009m`);
  const wide = `${(long * lens.scale).toFixed(1)}px`;
  if (pane.scaleBar.style.width !== wide) pane.scaleBar.style.width = wide;
  pane.element.classList.toggle("is-following", camera.follow);
  for (const button of pane.buttons.children) {
    if (button.dataset.command === "follow") button.setAttribute("aria-pressed", String(camera.follow));
  }
  const key = pane.shownPlates.legend ? `${pane.view} ${pane.drawing.hue} ${model.usesTruth} ${ghost !== null}` : "";
  if (key !== pane.legendKey || !pane.isFurnished) {
    pane.legendKey = key;
    pane.isFurnished = true;
    pane.legend.replaceChildren(...(key ? legendFor(pane.view, pane.drawing.hue, model.usesTruth, ghost !== null) : []));
    pane.legend.hidden = false;
    // A legend that does not fit beside the scale loses its last entries, then goes.
    const room = pane.width - 128 * unit;
    while (pane.legend.childElementCount > 0 && pane.legend.offsetWidth > room) pane.legend.lastElementChild.remove();
    pane.legend.hidden = pane.legend.childElementCount === 0 || pane.height < 190 * unit;
    paneMeasure(pane);
  }
}

function paneMeasure(pane) {
  const origin = pane.element.getBoundingClientRect();
  pane.plates.length = 0;
  for (const plate of [pane.plate, pane.readout, pane.compass, pane.legend, pane.scale, pane.buttons]) {
    if (!plate || plate.hidden) continue;
    const box = plate.getBoundingClientRect();
    if (box.width === 0) continue;
    pane.plates.push({ left: box.left - origin.left, right: box.right - origin.left, top: box.top - origin.top, bottom: box.bottom - origin.top });
  }
}

// Writes error and speed, and the label for those who cannot see the canvas: at most twice per second, and when paused.
function paneReadout(pane, isThere, now) {
  const { model, drawing } = pane;
  const values = isThere ? sceneReadout(drawing, model.time) : null;
  const isOff = values !== null && Number.isFinite(values.error);
  const side = !isOff || Math.abs(values.error) < 0.005 ? "" : values.error > 0 ? "ahead" : "behind";
  const error = isOff ? metres(Math.abs(values.error)) : "–";
  paneText(pane.error, error);
  paneText(pane.side, side || (isOff ? "off" : ""));
  paneText(pane.speed, values ? speed(values.speed) : "–");
  // The plate is as wide as its words.
  const letters = error.length + side.length;
  if (letters !== pane.letters) paneMeasure(pane);
  pane.letters = letters;
  if (model.playing && now - pane.labelledAt < PANE_LABEL_MS) return;
  pane.labelledAt = now;
  const who = model.entity?.name ?? "Nothing";
  const place = isThere
    ? `${who} at ${fixed(paneSelected.x, 2)}, ${fixed(paneSelected.y, 2)}, ${fixed(paneSelected.z, 2)}${isOff ? `, ${error} ${side || "off"}, ${speed(values.speed)}` : ""}`
    : `${who} is not there`;
  const label = `${pane.view === "stage" ? "Stage" : "Map"} of ${drawing.name} at ${fixed(model.time, 2)}\u2009s: ${place}. ${pane.canvas.dataset.bodies ?? 0} bodies.`;
  if (pane.canvas.getAttribute("aria-label") !== label) pane.canvas.setAttribute("aria-label", label);
}

// Says why the selected entity is missing, and offers to go to the time when it is there.
function paneNote(pane) {
  const absence = pane.shownPlates.readout ? sceneAbsence(pane.model, pane.drawing) : null;
  const isLost = pane.stage?.isLost === true;
  pane.note.hidden = !absence && !isLost;
  if (isLost) {
    paneText(pane.noteWords, "3D was interrupted by the graphics driver. It comes back by itself; the map is still there.");
    pane.noteButton.hidden = true;
  } else if (absence) {
    paneText(pane.noteWords, absence.words);
    pane.noteAt = absence.at;
    pane.noteButton.hidden = !Number.isFinite(absence.at);
    paneText(pane.noteButton, `Go to ${fixed(absence.at, 1)}\u2009s`);
  }
}
