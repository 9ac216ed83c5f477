// Hands on a pane: drag, wheel, pinch, double click and arrow keys. One finger orbits the stage and moves the map, two
// fingers pinch and move both. A press does not take the focus, so that the arrow keys keep stepping through time.

import { cameraOrbit, cameraPan, cameraProject, cameraZoom } from "./camera.js";
import { createBody, sceneBody } from "./scene.js";

// A double click selects the nearest entity within this distance in pixels.
const GESTURE_REACH = 70;
const GESTURE_TAP_MS = 350;
// A pinch whose middle stays within this distance of its start keeps following, in pixels. Its fingers move one after the
// other, so the middle swings.
const GESTURE_SWING = 24;

// Connects a pane with the camera. `onTouch` is called whenever a hand has moved it.
export function gesturesConnect(pane, camera, model, onTouch) {
  const { canvas, lens } = pane;
  const fingers = new Map();
  let [tapAt, tapX, tapY] = [-Infinity, 0, 0];
  let hasMoved = false;
  let pinch = null;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button > 2) return;
    event.preventDefault();
    if (document.activeElement !== canvas) document.activeElement?.blur?.();
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    hasMoved = false;
    pinch = fingers.size === 2 ? gestureSpread(fingers) : null;
  });
  canvas.addEventListener("pointermove", (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    const [right, down] = [event.clientX - finger[0], event.clientY - finger[1]];
    if (right === 0 && down === 0) return;
    const before = fingers.size === 2 ? gestureSpread(fingers) : null;
    [finger[0], finger[1]] = [event.clientX, event.clientY];
    if (Math.abs(right) + Math.abs(down) > 1) hasMoved = true;
    if (before) gesturePinch(camera, pane, before, gestureSpread(fingers), pinch ?? before);
    else if (fingers.size === 1) {
      const isPan = lens.isMap || event.shiftKey || (event.buttons & 6) !== 0;
      if (isPan) cameraPan(camera, lens, right, down);
      else cameraOrbit(camera, right, down);
    }
    onTouch();
  });
  const release = (event) => {
    if (!fingers.delete(event.pointerId) || event.type !== "pointerup" || event.pointerType === "mouse" || hasMoved) return;
    const isSecond = event.timeStamp - tapAt < GESTURE_TAP_MS && Math.hypot(event.clientX - tapX, event.clientY - tapY) < 30;
    [tapAt, tapX, tapY] = [isSecond ? -Infinity : event.timeStamp, event.clientX, event.clientY];
    if (isSecond) gestureSelect(pane, model, event);
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("dblclick", (event) => gestureSelect(pane, model, event));
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    const amount = Math.max(Math.min(event.deltaY * lines, 240), -240);
    cameraZoom(camera, Math.exp(amount * (event.ctrlKey ? 0.01 : 0.0016)), lens, gestureAt(canvas, event.clientX, event.clientY));
    onTouch();
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (step && lens.isMap) cameraPan(camera, lens, step[0] * 60, step[1] * 60);
    else if (step) cameraOrbit(camera, step[0] * 24, step[1] * -20);
    else return;
    event.preventDefault();
    event.stopPropagation();
    onTouch();
  });
}

function gestureAt(canvas, x, y) {
  const box = canvas.getBoundingClientRect();
  return [x - box.left, y - box.top];
}

// Returns the middle of two fingers and their distance.
function gestureSpread(fingers) {
  const [one, two] = [...fingers.values()];
  return [(one[0] + two[0]) / 2, (one[1] + two[1]) / 2, Math.max(Math.hypot(one[0] - two[0], one[1] - two[1]), 10)];
}

function gesturePinch(camera, pane, before, after, start) {
  const [right, down] = [after[0] - before[0], after[1] - before[1]];
  const isFollowing = camera.follow;
  cameraZoom(camera, before[2] / after[2], pane.lens, gestureAt(pane.canvas, after[0], after[1]));
  const swing = Math.hypot(after[0] - start[0], after[1] - start[1]);
  if (!isFollowing || swing > GESTURE_SWING) cameraPan(camera, pane.lens, right, down);
}

const gestureBody = createBody();
const gesturePoint = [0, 0, 0];

function gestureSelect(pane, model, event) {
  const [x, y] = gestureAt(pane.canvas, event.clientX, event.clientY);
  let [nearest, least] = [-1, GESTURE_REACH];
  for (let entity = 0; entity < model.entities.length; entity += 1) {
    if (!sceneBody(pane.drawing, entity, gestureBody) || gestureBody.isHidden) continue;
    if (!cameraProject(pane.lens, gestureBody.x, gestureBody.y, gestureBody.z + gestureBody.height / 2, gesturePoint)) continue;
    const away = Math.hypot(gesturePoint[0] - x, gesturePoint[1] - y);
    if (away < least) [nearest, least] = [entity, away];
  }
  if (nearest >= 0) model.select(nearest);
}
