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
  // Words of the labels that stand under the chip of the playhead.
  let covered = "";

  // Widths of chips change only with the number of letters, because digits are all equally wide.
  function chipWidth(chip, text) {
    const key = `${chip === now} ${text.length}`;
    // A hidden chip has no width.
    if (!widths.get(key)) widths.set(key, chip.offsetWidth);
    return widths.get(key);
  }

  // Returns where the chip of the playhead begins and ends.
  function chipSpan(axis) {
    const text = `${fixed(model.time, 2)}\u2009s`;
    axisText(now, text);
    const width = chipWidth(now, text);
    const x = axis.x(model.time);
    now.hidden = x < -width || x > size.width + width;
    return { left: now.hidden ? -2 * size.width : clamp(x - width / 2, 0, size.width - width), width };
  }

  function paint() {
    const context = axisCanvas(canvas, size.width, size.height);
    if (!context) return;
    const [from, to] = model.window;
    const axis = axisOf(from, to, size.width);
    const chip = chipSpan(axis);
    covered = rulerCovered(axis, size, chip);
    // Tests read where the labels are.
    canvas.dataset.labels = JSON.stringify(rulerTicks(context, axis, size, chip));
    canvas.setAttribute("aria-label", `${fixed(from, 1)} to ${fixed(to, 1)} seconds`);
  }

  return {
    needle,
    cross,
    size,
    measure() {
      widths.clear();
      Object.assign(size, { width: root.clientWidth, height: root.clientHeight, font: parseFloat(getComputedStyle(root).fontSize) });
    },
    paint,
    paintTime() {
      if (size.width < 1) return;
      const axis = axisOf(...model.window, size.width);
      const chip = chipSpan(axis);
      const { left, width } = chip;
      axisPlace(now, left);
      if (rulerCovered(axis, size, chip) !== covered) paint();
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

// Returns the words of all labels with their first and last pixel.
function rulerLabels(axis, size) {
  const unit = size.font / 11;
  const { values, decimals } = axisTicks(axis.from, axis.to, size.width, 62 * unit);
  return values.map((value) => {
    const text = `${fixed(value, decimals)}\u2009s`;
    const left = axis.x(value) + 4 * unit;
    // Digits are all equally wide, about six tenths of the letters' size.
    return { text, left, right: left + text.length * 0.58 * size.font };
  });
}

// A label that a chip covers in part says something else than it should.
function rulerIsCovered(label, { left, width }) {
  return label.right > left - 2 && label.left < left + width + 2;
}

function rulerCovered(axis, size, chip) {
  return rulerLabels(axis, size).filter((label) => rulerIsCovered(label, chip)).map((label) => label.text).join();
}

function rulerTicks(context, axis, size, chip) {
  const unit = size.font / 11;
  const { step, between } = axisTicks(axis.from, axis.to, size.width, 62 * unit);
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
  const shown = [];
  for (const label of rulerLabels(axis, size)) {
    // A label that the edge would cut says nothing.
    const isInside = label.left >= 4 * unit - 1 && label.left + context.measureText(label.text).width < size.width;
    if (!isInside || rulerIsCovered(label, chip)) continue;
    context.fillText(label.text, label.left, size.height * 0.46);
    shown.push([label.left, label.left + context.measureText(label.text).width]);
  }
  return shown;
}
