// The whole recording in one line: the error of the selected entity, a triangle per moment, and a brush that is the
// window of everything below. The line shows where to look, and the brush shows where one is looking.

import { clamp, fixed, ink, make } from "./format.js";
import { axisCanvas, axisOf, axisPlace, axisTicks } from "./timeaxis.js";
import { columnsOf } from "./columns.js";
import { gestureWheel } from "./timegestures.js";
import { laneShare } from "./lanepaint.js";

const OVERVIEW_LEVELS = { bad: "--bad", watch: "--watch", note: "--ink3" };
const OVERVIEW_HIT = 8;
const OVERVIEW_MAJOR = 16;

// Builds the overview and returns its painter.
export function createOverview(root, model) {
  const canvas = make("canvas", { role: "img", class: "overview-canvas" });
  const brush = make("div", { class: "brush", role: "slider", tabindex: 0, "aria-label": "Window of time", "aria-orientation": "horizontal" },
    make("span", { class: "brush-handle brush-from" }), make("span", { class: "brush-handle brush-to" }));
  const needle = make("div", { class: "needle overview-needle" });
  const area = make("div", { class: "overview-area" }, canvas, brush, needle);
  root.append(area);
  const size = { width: 0, height: 0, font: 11 };
  const axis = () => axisOf(model.start, model.edge, size.width);

  overviewDrag(area, model, axis);
  overviewKeys(brush, model);
  area.addEventListener("wheel", (event) => {
    event.preventDefault();
    const [from, to] = model.window;
    const time = axis().time(event.clientX - area.getBoundingClientRect().left);
    gestureWheel(event, model, clamp(time, from, to));
  }, { passive: false });
  area.addEventListener("dblclick", () => model.showAll());

  function paintBrush() {
    const { x } = axis();
    const [from, to] = model.window;
    // A brush stays wide enough to be seen, also where the window is a hundredth of the recording.
    const width = Math.max(x(to) - x(from), 8);
    const left = clamp((x(from) + x(to) - width) / 2, 0, Math.max(0, size.width - width));
    axisPlace(brush, left);
    brush.style.width = `${width.toFixed(2)}px`;
    const attributes = {
      "aria-valuemin": model.start.toFixed(1), "aria-valuemax": model.end.toFixed(1), "aria-valuenow": ((from + to) / 2).toFixed(1),
      "aria-valuetext": `${fixed(from, 1)} to ${fixed(to, 1)} seconds of ${fixed(model.end, 1)}`,
    };
    for (const [name, value] of Object.entries(attributes)) if (brush.getAttribute(name) !== value) brush.setAttribute(name, value);
  }

  return {
    measure() {
      const style = getComputedStyle(area);
      Object.assign(size, { width: area.clientWidth, height: area.clientHeight, font: parseFloat(style.fontSize) });
    },
    paint() {
      if (size.width < 1) return 0;
      paintBrush();
      return overviewPaint(canvas, model, axis(), size);
    },
    paintTime() {
      axisPlace(needle, axis().x(clamp(model.time, model.start, model.end)));
    },
  };
}

function overviewPaint(canvas, model, axis, size) {
  const context = axisCanvas(canvas, size.width, size.height);
  if (!context) return 0;
  // Triangles above, the track in the middle, times below.
  const unit = size.font / 11;
  const [top, bottom] = [12 * unit, size.height - 14 * unit];
  context.fillStyle = ink("--sunken");
  context.fillRect(0, top, size.width, bottom - top);
  overviewError(context, model, axis, top, bottom);
  overviewMoments(context, model, axis, unit);
  overviewTimes(context, model, axis, size);
  const name = model.entity?.name ?? "";
  canvas.setAttribute("aria-label", `Error of ${name} over the whole recording, and ${model.moments.length} moments`);
  return Math.floor(size.width);
}

function overviewError(context, model, axis, top, bottom) {
  const pane = model.panes[0];
  const track = pane?.track?.entity === model.selected ? pane.track : null;
  const share = laneShare(model);
  const path = new Path2D();
  const bar = (x, width, metres) => {
    const height = (bottom - top - 1) * share(metres);
    if (height > 0) path.rect(x, bottom - height, width, height);
  };
  if (track) {
    const width = Math.floor(axis.width);
    const columns = columnsOf(track.error, track.times, axis.from, axis.to, width, track.placed, track.length);
    for (let x = 0; x < width; x += 1) if (columns.filled) bar(x, 1, Math.max(Math.abs(columns.min[x]), Math.abs(columns.max[x])));
  } else {
    const spark = model.entity?.spark ?? [];
    const width = axis.width / Math.max(spark.length, 1);
    for (let bin = 0; bin < spark.length; bin += 1) bar(bin * width, width, spark[bin]);
  }
  context.fillStyle = ink(pane?.hue ?? "--ink3");
  context.globalAlpha = 0.24;
  context.fill(path);
  // Within the window it is stronger, because that part is what lies below.
  const [from, to] = model.window.map(axis.x);
  context.save();
  context.beginPath();
  context.rect(from, top, to - from, bottom - top);
  context.clip();
  context.globalAlpha = 0.55;
  context.fill(path);
  context.restore();
  context.globalAlpha = 1;
}

function overviewMoments(context, model, axis, unit) {
  // The worst last, so that it lies above its neighbours.
  for (let index = model.moments.length - 1; index >= 0; index -= 1) {
    const moment = model.moments[index];
    const isChosen = index === model.moment;
    // Beyond the worst ones, a triangle is small, or a hundred of them would be one red line.
    const isMinor = !isChosen && index >= OVERVIEW_MAJOR;
    const half = (isChosen ? 5.5 : isMinor ? 2.75 : 4.25) * unit;
    context.globalAlpha = isMinor ? 0.6 : 1;
    const x = clamp(axis.x(moment.at), half, axis.width - half);
    context.fillStyle = ink(OVERVIEW_LEVELS[moment.level] ?? "--ink3");
    context.beginPath();
    context.moveTo(x - half, 10 * unit - 1.5 * half);
    context.lineTo(x + half, 10 * unit - 1.5 * half);
    context.lineTo(x, 10 * unit);
    context.closePath();
    context.fill();
  }
  context.globalAlpha = 1;
}

function overviewTimes(context, model, axis, size) {
  const { values, decimals } = axisTicks(model.start, model.edge, size.width, 84 * (size.font / 11));
  context.font = `${size.font}px ${ink("--sans")}`;
  context.fillStyle = ink("--ink3");
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  for (const value of values) {
    const x = axis.x(value);
    if (x > 18 && x < size.width - 18) context.fillText(`${fixed(value, decimals)}\u2009s`, x, size.height - 3);
  }
}

// Dragging a handle changes the window, dragging the brush moves it, and dragging elsewhere scrubs.
function overviewDrag(area, model, axis) {
  let drag = null;
  const xOf = (event) => event.clientX - area.getBoundingClientRect().left;

  area.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const x = xOf(event);
    const y = event.clientY - area.getBoundingClientRect().top;
    const moment = y < 16 ? overviewMomentAt(model, axis(), x) : -1;
    if (moment >= 0) {
      model.goMoment(moment);
      return;
    }
    area.setPointerCapture(event.pointerId);
    drag = { id: event.pointerId, x, part: overviewPart(model, axis(), x), window: [...model.window], hasMoved: false, wasPlaying: model.playing };
    if (drag.part === "scrub") model.seek(axis().time(x));
  });
  area.addEventListener("pointermove", (event) => {
    if (!drag || drag.id !== event.pointerId) {
      area.dataset.part = overviewPart(model, axis(), xOf(event));
      return;
    }
    const x = xOf(event);
    if (!drag.hasMoved && Math.abs(x - drag.x) < 3) return;
    drag.hasMoved = true;
    const [from, to] = drag.window;
    const shift = (x - drag.x) / axis().scale;
    const least = Math.min(0.2, model.edge - model.start);
    if (drag.part === "from") model.setWindow(clamp(from + shift, model.start, to - least), to);
    else if (drag.part === "to") model.setWindow(from, clamp(to + shift, from + least, model.edge));
    else if (drag.part === "brush") model.setWindow(from + shift, to + shift);
    else model.seek(clamp(axis().time(x), model.start, model.end));
  });
  const end = (event) => {
    if (!drag || drag.id !== event.pointerId) return;
    if (!drag.hasMoved && event.type === "pointerup" && drag.part !== "scrub") model.seek(axis().time(drag.x));
    drag = null;
  };
  area.addEventListener("pointerup", end);
  area.addEventListener("pointercancel", end);
}

function overviewPart(model, axis, x) {
  const [from, to] = model.window.map(axis.x);
  const isWhole = model.window[1] - model.window[0] > (model.edge - model.start) * 0.999;
  // Of a narrow brush the handles reach outwards, so that its middle can still be held.
  const inner = Math.min(OVERVIEW_HIT, Math.max(0, (to - from) / 4));
  if (x >= from - OVERVIEW_HIT && x <= from + inner) return "from";
  if (x >= to - inner && x <= to + OVERVIEW_HIT) return "to";
  return x > from && x < to && !isWhole ? "brush" : "scrub";
}

function overviewMomentAt(model, axis, x) {
  let [best, distance] = [-1, 9];
  model.moments.forEach((moment, index) => {
    const off = Math.abs(axis.x(moment.at) - x);
    if (off < distance) [best, distance] = [index, off];
  });
  return best;
}

function overviewKeys(brush, model) {
  brush.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [from, to] = model.window;
    const length = to - from;
    const moves = { ArrowLeft: -0.1, ArrowRight: 0.1, PageDown: -1, PageUp: 1 };
    const move = moves[event.key] === undefined ? null : moves[event.key] * (event.shiftKey ? 5 : 1) * length;
    if (move !== null) model.setWindow(from + move, to + move);
    else if (event.key === "ArrowUp") model.zoom(0.8, (from + to) / 2);
    else if (event.key === "ArrowDown") model.zoom(1.25, (from + to) / 2);
    else if (event.key === "Home") model.setWindow(model.start, model.start + length);
    else if (event.key === "End") model.setWindow(model.edge - length, model.edge);
    else return;
    event.preventDefault();
  });
}
