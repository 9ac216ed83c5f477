// Pointer, wheel and fingers on the time axis: drag scrubs, wheel zooms at the pointer, shift or sideways pans, two
// fingers pinch, a double click shows all. Ruler, lanes and plots share it, so that the hand learns it once.

import { clamp } from "./format.js";
import { axisOf } from "./timeaxis.js";

const GESTURE_WHEEL = 0.0018;
const GESTURE_SLACK = 4;

// Listens on an element. `area()` returns { left, width } of the axis in pixels of the viewport. `tap(event)` is asked
// at a press without a drag and returns whether it has dealt with it.
export function timeGestures(element, model, area, tap = () => false) {
  const fingers = new Map();
  let [scrub, pinch] = [null, null];

  const axis = () => axisOf(...model.window, area().width);
  const timeAt = (clientX) => {
    const { left, width } = area();
    return axis().time(clamp(clientX - left, 0, width));
  };
  const isInside = (event) => {
    const { left, width } = area();
    return event.clientX >= left && event.clientX <= left + width;
  };

  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !isInside(event) || event.target.closest("button, input, select")) return;
    fingers.set(event.pointerId, event.clientX);
    if (fingers.size === 2) {
      pinch = [...fingers].map(([id, x]) => ({ id, time: timeAt(x) }));
      scrub = null;
      return;
    }
    if (fingers.size > 2) return;
    scrub = { id: event.pointerId, from: event.clientX, isMoving: false, wasPlaying: model.playing, target: event.target };
  });

  element.addEventListener("pointermove", (event) => {
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event.clientX);
    if (pinch) return timePinch(model, pinch, fingers, area());
    if (scrub && scrub.id === event.pointerId) {
      if (!scrub.isMoving && Math.abs(event.clientX - scrub.from) >= GESTURE_SLACK) {
        scrub.isMoving = true;
        element.setPointerCapture(event.pointerId);
        if (scrub.wasPlaying) model.pause();
      }
      if (scrub.isMoving) {
        model.setHover(null);
        model.seek(timeAt(event.clientX));
      }
      return undefined;
    }
    if (event.pointerType !== "touch") model.setHover(isInside(event) ? timeAt(event.clientX) : null);
    return undefined;
  });

  function release(event) {
    fingers.delete(event.pointerId);
    if (pinch && fingers.size < 2) pinch = null;
    if (!scrub || scrub.id !== event.pointerId) return;
    const { isMoving, wasPlaying } = scrub;
    scrub = null;
    if (event.type === "pointercancel") return;
    if (isMoving) {
      if (wasPlaying) model.play();
    } else if (!tap(event)) model.seek(timeAt(event.clientX));
  }
  element.addEventListener("pointerup", release);
  element.addEventListener("pointercancel", release);
  element.addEventListener("pointerleave", (event) => {
    if (!scrub?.isMoving) fingers.delete(event.pointerId);
    if (scrub && !scrub.isMoving) scrub = null;
    model.setHover(null);
  });

  element.addEventListener("wheel", (event) => {
    if (!isInside(event)) return;
    event.preventDefault();
    gestureWheel(event, model, timeAt(event.clientX));
  }, { passive: false });

  element.addEventListener("dblclick", (event) => {
    if (isInside(event) && !event.target.closest("button, input, select")) model.showAll();
  });
}

// Zooms at a time, or pans when the wheel goes sideways.
export function gestureWheel(event, model, time) {
  const unit = [1, 16, 240][event.deltaMode] ?? 1;
  const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
  if (event.shiftKey || isSideways) {
    const [from, to] = model.window;
    const shift = (isSideways ? event.deltaX : event.deltaY) * unit * 0.0011 * (to - from);
    model.setWindow(from + shift, to + shift);
    return;
  }
  // A trackpad's pinch comes as a wheel with Ctrl and small steps.
  const speed = event.ctrlKey ? 6 * GESTURE_WHEEL : GESTURE_WHEEL;
  model.zoom(Math.exp(clamp(event.deltaY * unit, -240, 240) * speed), time);
}

// Keeps the times that two fingers touched under them.
function timePinch(model, pinch, fingers, { left, width }) {
  const [one, other] = pinch.map(({ id, time }) => ({ time, x: (fingers.get(id) ?? left) - left }));
  if (Math.abs(one.x - other.x) < 12) return;
  const scale = (other.time - one.time) / (other.x - one.x);
  if (!(scale > 0)) return;
  const from = one.time - one.x * scale;
  model.setWindow(from, from + width * scale);
}
