// The times of the window, the chip of the playhead, and the chip of the crosshair with its distance from the playhead.

import { clamp, fixed, ink, make, signed } from "./format.js";
import { axisCanvas, axisCrisp, axisOf, axisPlace, axisText, axisTicks } from "./timeaxis.js";

// Builds the ruler and returns its painter.
export function createRuler(root, model) {
  const canvas = make("canvas", { role: "img", "aria-label": "Ruler" });
  const needle = make("div", { class: "needle" });
  const cross = make("div", { class: "cross" });
  const now = make("span", { class: "time-chip now" });
  const there = make("span", { class: "time-chip there" });
  root.append(canvas, cross, needle, now, there);
  const size = { width: 0, height: 0, font: 11 };
  const widths = new Map();

  // Widths of chips change only with the number of letters, because digits are all equally wide.
  function chipWidth(chip, text) {
    const key = `${chip === now} ${text.length}`;
    if (!widths.has(key)) widths.set(key, chip.offsetWidth);
    return widths.get(key);
  }

  return {
    needle,
    cross,
    size,
    measure() {
      widths.clear();
      Object.assign(size, { width: root.clientWidth, height: root.clientHeight, font: parseFloat(getComputedStyle(root).fontSize) });
    },
    paint() {
      const context = axisCanvas(canvas, size.width, size.height);
      if (!context) return;
      const [from, to] = model.window;
      rulerTicks(context, axisOf(from, to, size.width), size);
      canvas.setAttribute("aria-label", `${fixed(from, 1)} to ${fixed(to, 1)} seconds`);
    },
    paintTime() {
      if (size.width < 1) return;
      const axis = axisOf(...model.window, size.width);
      const text = `${fixed(model.time, 2)}\u2009s`;
      axisText(now, text);
      const width = chipWidth(now, text);
      const x = axis.x(model.time);
      const left = clamp(x - width / 2, 0, size.width - width);
      now.hidden = x < -width || x > size.width + width;
      axisPlace(now, left);
      there.hidden = model.hover === null;
      if (model.hover === null) return;
      const off = model.hover - model.time;
      const words = `${fixed(model.hover, 2)}\u2009s${Math.abs(off) < 10 ? ` ${signed(off)}` : ""}`;
      axisText(there, words);
      const other = chipWidth(there, words);
      let place = clamp(axis.x(model.hover) - other / 2, 0, size.width - other);
      // Both are to be read, so the chip of the crosshair steps aside.
      if (!now.hidden && place < left + width + 3 && place + other > left - 3) {
        const [before, after] = [left - other - 3, left + width + 3];
        place = (off < 0 && before >= 0) || after + other > size.width ? before : after;
      }
      axisPlace(there, place);
    },
  };
}

function rulerTicks(context, axis, size) {
  const unit = size.font / 11;
  const { values, step, decimals, between } = axisTicks(axis.from, axis.to, size.width, 62 * unit);
  const small = step / between;
  context.strokeStyle = ink("--line2");
  context.lineWidth = 1;
  context.beginPath();
  for (let count = Math.ceil(axis.from / small); count * small <= axis.to; count += 1) {
    const x = axisCrisp(axis.x(count * small));
    const height = count % between === 0 ? 9 * unit : 4 * unit;
    context.moveTo(x, size.height);
    context.lineTo(x, size.height - height);
  }
  context.stroke();
  context.font = `${size.font}px ${ink("--sans")}`;
  context.fillStyle = ink("--ink2");
  context.textAlign = "left";
  context.textBaseline = "middle";
  for (const value of values) {
    const x = axis.x(value);
    // A label that the edge would cut says nothing.
    const text = `${fixed(value, decimals)}\u2009s`;
    if (x >= -1 && x + 4 + context.measureText(text).width < size.width) context.fillText(text, x + 4 * unit, size.height * 0.46);
  }
}
