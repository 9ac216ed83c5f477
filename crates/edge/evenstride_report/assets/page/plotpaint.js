// One plot on its canvas: grid, zero line, lines, cut peaks with their values, and the ticks in the gutter beside it.

import { fixed, ink, signed } from "./format.js";
import { axisCrisp, axisSpan } from "./timeaxis.js";
import { rangeTicks } from "./plotrange.js";

// From this many pixels per frame on, a frame is drawn as the step that it is on the screen.
const PAINT_STEP = 4;
const PAINT_LABELS = 5;

// Returns the least distance of two labels of the y axis. A low plot has three labels, and a tall one about five.
export function paintGap(height, unit) {
  return Math.max(14 * unit, height / 4.5);
}

// Returns the function that maps values to pixels.
export function paintScale({ low, high }, size) {
  const [top, bottom] = [7 * size.unit, size.height - 6 * size.unit];
  const scale = (bottom - top) / Math.max(high - low, 1e-9);
  return { y: (value) => bottom - (value - low) * scale, top, bottom };
}

// Draws the plot. The context begins at the left edge of the time axis.
export function paintPlot(context, { kind, lines, axis, range, measured, size, times, usual }) {
  const scale = paintScale(range, size);
  paintGrid(context, kind, axis, range, scale, size, times);
  context.save();
  context.beginPath();
  context.rect(0, 0, size.width, size.height);
  context.clip();
  if (kind.key === "since" && usual > 0) paintUsual(context, scale.y(2 * usual), size);
  context.lineJoin = "round";
  for (const line of lines) {
    if (line.columns.frames === 0 && !line.isFrames) continue;
    // Frames per device pixel, so that no frame is lost on a fine screen either.
    const isDense = line.columns.frames > line.columns.width;
    if ((kind.isFilled && line.pane === 0) || kind.key === "since") paintFill(context, line, axis, scale, isDense, kind.key === "since" ? 0.07 : 0.13);
    context.strokeStyle = ink(line.hue);
    context.lineWidth = line.weight * size.unit;
    if (line.isGhost) context.setLineDash([1.5 * size.unit, 3 * size.unit]);
    context.beginPath();
    if (isDense) paintRuns(context, line.columns, axis, scale);
    else paintFrames(context, line, axis, scale);
    context.stroke();
    context.setLineDash([]);
  }
  if (measured.greatest > range.high || measured.least < range.low) paintPeaks(context, kind, lines, axis, range, size);
  context.restore();
}

function paintGrid(context, kind, axis, range, scale, size, times) {
  const { values, decimals } = rangeTicks(kind, range, scale.bottom - scale.top, paintGap(size.height, size.unit));
  context.lineWidth = 1;
  context.strokeStyle = ink("--line");
  context.beginPath();
  for (const time of times) {
    const x = axisCrisp(axis.x(time));
    context.moveTo(x, 0);
    context.lineTo(x, size.height);
  }
  for (const value of values) {
    if (value === 0) continue;
    const y = axisCrisp(scale.y(value));
    context.moveTo(0, y);
    context.lineTo(size.width, y);
  }
  context.stroke();
  if (range.low <= 0 && range.high >= 0 && !kind.isAngle) {
    context.strokeStyle = ink("--line2");
    context.beginPath();
    context.moveTo(0, axisCrisp(scale.y(0)));
    context.lineTo(size.width, axisCrisp(scale.y(0)));
    context.stroke();
  }
  context.font = `${size.font}px ${ink("--sans")}`;
  context.textBaseline = "middle";
  context.textAlign = size.pad ? "right" : "left";
  for (const value of values) {
    const text = kind.isSigned ? signed(value, decimals) : fixed(value, decimals) + (kind.isAngle ? "°" : "");
    const y = Math.min(Math.max(scale.y(value), size.font * 0.6), size.height - size.font * 0.6);
    if (!size.pad) paintHalo(context, text, 4, y);
    context.fillStyle = ink("--ink3");
    context.fillText(text, size.pad ? -8 * size.unit : 4, y);
  }
}

function paintHalo(context, text, x, y) {
  context.lineJoin = "round";
  context.strokeStyle = ink("--surface");
  context.lineWidth = 4;
  context.strokeText(text, x, y);
  context.lineWidth = 1;
}

function paintUsual(context, y, size) {
  context.strokeStyle = ink("--watch");
  context.lineWidth = 1.25 * size.unit;
  context.setLineDash([1.5 * size.unit, 3 * size.unit]);
  context.beginPath();
  context.moveTo(0, axisCrisp(y));
  context.lineTo(size.width, axisCrisp(y));
  context.stroke();
  context.setLineDash([]);
}

// Draws first, least, greatest and last of each run.
function paintRuns(context, { runs, width }, axis, { y }) {
  const each = axis.width / width;
  for (let run = 0; run < runs.length; run += 1) {
    const x = (runs.column[run] + 0.5) * each;
    if (runs.joined[run]) context.lineTo(x, y(runs.first[run]));
    else {
      context.moveTo(x - each / 2, y(runs.first[run]));
      context.lineTo(x, y(runs.first[run]));
    }
    if (runs.min[run] < runs.max[run]) {
      context.lineTo(x, y(runs.min[run]));
      context.lineTo(x, y(runs.max[run]));
      context.lineTo(x, y(runs.last[run]));
    }
  }
}

// Draws frame by frame, or corner by corner, and one beyond each edge.
function paintFrames(context, line, axis, { y }) {
  const [first, last] = axisSpan(line.times, axis.from, axis.to, line.length);
  const isStepped = paintIsStepped(line, axis, first, last);
  let [isOpen, before] = [false, 0];
  for (let row = first; row <= last; row += 1) {
    const value = line.values[row];
    if (!Number.isFinite(value)) {
      isOpen = false;
      continue;
    }
    const x = axis.x(line.times[row]);
    if (isOpen && isStepped) context.lineTo(x, before);
    if (isOpen && !line.placed?.[row]) context.lineTo(x, y(value));
    else context.moveTo(x, y(value));
    // A frame without neighbours is a point.
    if (!isOpen) context.lineTo(x + 0.5, y(value));
    before = y(value);
    isOpen = true;
  }
}

function paintIsStepped(line, axis, first, last) {
  if (!line.isFrames || last <= first) return false;
  return (axis.scale * (line.times[last] - line.times[first])) / (last - first) > PAINT_STEP;
}

// Fills between a line and zero.
function paintFill(context, line, axis, scale, isDense, alpha) {
  const { y } = scale;
  const zero = Math.min(Math.max(y(0), -1), scale.bottom + 20);
  context.fillStyle = ink(line.hue);
  context.globalAlpha = alpha;
  context.beginPath();
  if (isDense) {
    const { runs, width } = line.columns;
    const each = axis.width / width;
    for (let run = 0; run < runs.length; run += 1) {
      const [top, bottom] = [y(Math.max(0, runs.max[run])), y(Math.min(0, runs.min[run]))];
      context.rect(runs.column[run] * each, top, each, bottom - top);
    }
  } else paintArea(context, line, axis, y, zero);
  context.fill();
  context.globalAlpha = 1;
}

function paintArea(context, line, axis, y, zero) {
  const [first, last] = axisSpan(line.times, axis.from, axis.to, line.length);
  const isStepped = paintIsStepped(line, axis, first, last);
  let open = null;
  const close = () => {
    if (open !== null) context.lineTo(open, zero);
    open = null;
  };
  for (let row = first; row <= last; row += 1) {
    const value = line.values[row];
    const x = axis.x(line.times[row]);
    if (!Number.isFinite(value)) {
      close();
      continue;
    }
    if (open !== null && (isStepped || line.placed?.[row]) && line.isFrames) {
      context.lineTo(x, y(line.values[row - 1]));
      open = x;
    }
    if (open !== null && line.placed?.[row]) close();
    if (open === null) context.moveTo(x, zero);
    context.lineTo(x, y(value));
    open = x;
  }
  close();
}

// Labels what was cut: a triangle at the edge and the value. The highest come first, and none covers another.
function paintPeaks(context, kind, lines, axis, range, size) {
  const peaks = lines.filter((line) => !line.isGhost).flatMap((line) => paintPeaksOf(line, axis, range));
  peaks.sort((one, other) => Math.abs(other.value) - Math.abs(one.value));
  const taken = [];
  const tall = 5 * size.unit;
  context.font = `600 ${size.font}px ${ink("--sans")}`;
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (const peak of peaks) {
    const isAbove = peak.value > 0;
    const text = `${fixed(peak.value, Math.abs(peak.value) < 10 ? 1 : 0)}\u2009${kind.unit}`;
    const wide = 12 * size.unit + context.measureText(text).width;
    const isRight = peak.x + wide < size.width;
    const [left, right] = isRight ? [peak.x - 6, peak.x + wide + 4] : [peak.x - wide - 4, peak.x + 6];
    if (taken.length >= PAINT_LABELS || taken.some((other) => other.isAbove === isAbove && left < other.right && right > other.left)) continue;
    taken.push({ left, right, isAbove });
    const edge = isAbove ? 2 : size.height - 2;
    const inner = isAbove ? edge + tall * 1.5 : edge - tall * 1.5;
    context.fillStyle = ink(peak.hue);
    context.beginPath();
    context.moveTo(peak.x, edge);
    context.lineTo(peak.x + tall, inner);
    context.lineTo(peak.x - tall, inner);
    context.closePath();
    context.fill();
    const x = isRight ? peak.x + 9 * size.unit : peak.x - wide + 3 * size.unit;
    const y = isAbove ? size.font * 0.62 + 1 : size.height - size.font * 0.62 - 1;
    paintHalo(context, text, x, y);
    context.fillStyle = ink(peak.hue);
    context.fillText(text, x, y);
  }
}

function paintPeaksOf(line, axis, { low, high }) {
  const { runs, width } = line.columns;
  const each = axis.width / width;
  const found = [];
  let open = null;
  for (let run = 0; run < runs.length; run += 1) {
    const value = runs.max[run] > high ? runs.max[run] : runs.min[run] < low ? runs.min[run] : 0;
    if (value === 0) {
      open = null;
      continue;
    }
    if (!open) found.push((open = { value: 0, x: 0, hue: line.hue }));
    if (Math.abs(value) > Math.abs(open.value)) Object.assign(open, { value, x: (runs.column[run] + 0.5) * each });
  }
  return found;
}

// Draws a folded plot: a line, and the words that say what does not change.
export function paintFolded(context, words, size) {
  context.font = `${size.font}px ${ink("--sans")}`;
  context.textBaseline = "middle";
  context.textAlign = "left";
  const [middle, left] = [size.height / 2, 8 * size.unit];
  const right = left + context.measureText(words).width + 6;
  context.strokeStyle = ink("--line2");
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(0, axisCrisp(middle));
  context.lineTo(left - 4, axisCrisp(middle));
  context.moveTo(right, axisCrisp(middle));
  context.lineTo(size.width, axisCrisp(middle));
  context.stroke();
  context.fillStyle = ink("--ink3");
  context.fillText(words, left, middle);
}
