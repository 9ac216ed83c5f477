// The one time axis of overview, ruler, lanes and plots, and the canvases that lie on it.
// Every part asks here for its x, so that a moment stands at the same pixel everywhere.

import { device, lastUpTo } from "./format.js";

// Returns the axis of a window of time over a width in pixels.
export function axisOf(from, to, width) {
  const scale = width / Math.max(to - from, 1e-9);
  return { from, to, width, scale, x: (time) => (time - from) * scale, time: (x) => from + x / scale };
}

// Returns the smallest step of the row 1, 2, 5, 10… that is at least the wanted one.
export function axisStep(wanted) {
  const power = 10 ** Math.floor(Math.log10(Math.max(wanted, 1e-9)));
  return [1, 2, 5, 10].map((part) => part * power).find((step) => step >= wanted * 0.999);
}

// Returns ticks at round values, at least `gap` pixels apart, and how many smaller ones lie between two.
export function axisTicks(from, to, pixels, gap) {
  const step = axisStep(((to - from) * gap) / Math.max(pixels, 1));
  const values = [];
  for (let count = Math.ceil(from / step - 1e-6); count * step <= to + step * 1e-6; count += 1) values.push(count * step);
  const leading = Math.round(step / 10 ** Math.floor(Math.log10(step) + 1e-9));
  return { step, values, between: leading === 2 ? 4 : 5, decimals: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}

// Fits a canvas to its size in the page and returns its cleared context, or null while it is not shown.
export function axisCanvas(canvas, width, height) {
  if (width < 1 || height < 1) return null;
  const { ratio } = device();
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  const context = canvas.getContext("2d");
  if (canvas.width !== across || canvas.height !== down) {
    canvas.width = across;
    canvas.height = down;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

// Returns the first and the last index of sorted times that matter for a window, with one neighbour on each side.
export function axisSpan(times, from, to, length = times.length) {
  return [Math.max(0, lastUpTo(times, from, length)), Math.min(length - 1, lastUpTo(times, to, length) + 1)];
}

// Returns a pixel position at which a line of one pixel is crisp.
export function axisCrisp(at) {
  const { ratio } = device();
  return (Math.floor(at * ratio) + 0.5) / ratio;
}

// Moves an element along the axis without a layout.
export function axisPlace(element, x, y = 0) {
  const place = `translate(${x.toFixed(2)}px,${y.toFixed(2)}px)`;
  if (element.timePlace === place) return;
  element.timePlace = place;
  element.style.transform = place;
}

// Changes a text only where it differs, because most of them stay while time runs.
export function axisText(element, text) {
  if (element.timeText === text) return;
  element.timeText = text;
  element.textContent = text;
}
