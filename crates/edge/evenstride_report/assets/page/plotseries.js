// What each plot shows: its words, its unit, and its lines. A line is a row of values over times. Lines of a drawing
// are frames. Lines of the network are corners of a polyline, exact at both edges of the window.

import { lastUpTo } from "./format.js";
import { axisSpan } from "./timeaxis.js";

// `least` is a range that is always shown, `floor` a value below which no peak is cut, and `folds` the change below
// which a plot becomes one line. The four of the design come first, because a low window shows no more.
export const PLOT_KINDS = [
  { key: "speed", title: "Speed", unit: "m/s", note: "", words: "Speed in metres per second", decimals: 1, least: [0, 4], floor: 8, cuts: true },
  { key: "error", title: "Error along the path", unit: "m", note: ", + is ahead", words: "Error along the path in metres, plus is ahead", decimals: 2, isSigned: true, isFilled: true, least: [-0.3, 0.3], floor: 1, cuts: true },
  { key: "height", title: "Height", unit: "m", note: " above ground", words: "Height in metres above ground", decimals: 2, least: [0, 1], floor: 4, cuts: true, folds: 0.03 },
  { key: "since", title: "Since last update", unit: "s", note: "", words: "Seconds since the last update", decimals: 2, least: [0, 0.3] },
  { key: "heading", title: "Heading", unit: "°", note: ", 0 is north", words: "Heading in degrees, 0 is north", decimals: 0, isAngle: true, folds: 1 },
];

// Returns the lines of a plot in the window, those of the network first.
export function plotLines(kind, model) {
  const [from, to] = model.window;
  const facts = kind.key === "since" ? seriesSince(model.entity) : seriesReceived(kind, model);
  const lines = facts ? [{ ...seriesClip(facts, from, to), isFact: true, name: kind.key === "since" ? "since" : "updates", hue: "--ink", weight: 1 }] : [];
  if (kind.key === "since") return lines;
  if (model.ghost) lines.push(seriesTrack(kind, model, model.ghost, { isGhost: true, name: "as captured", weight: 1.2 }));
  const drawn = model.panes.map((pane, index) => seriesTrack(kind, model, pane, { pane: index, name: pane.name, weight: index === 0 ? 1.75 : 1.35 }));
  // The first drawing lies above the others.
  return [...lines, ...drawn.reverse()].filter(Boolean);
}

function seriesTrack(kind, model, drawing, options) {
  const { track, hue } = drawing;
  if (!track || track.entity !== model.selected) return null;
  const values = track[kind.key];
  const placed = kind.isAngle ? seriesTurns(values, track) : track.placed;
  return { times: track.times, values, placed, length: track.length, hue, isFrames: true, ...options };
}

const seriesKept = new WeakMap();

function seriesOnce(owner, key, build) {
  const known = seriesKept.get(owner) ?? {};
  if (!(key in known)) known[key] = build();
  seriesKept.set(owner, known);
  return known[key];
}

// Marks the frames where a heading goes through north, because 359° and 1° are neighbours and no line joins them.
function seriesTurns(values, track) {
  return seriesOnce(values, `turns ${track.length}`, () =>
    Uint8Array.from(values, (value, row) => (track.placed[row] || (row > 0 && Math.abs(value - values[row - 1]) > 180) ? 1 : 0)));
}

// Returns headings without the step at north, to tell whether an entity turns at all.
export function seriesUnwound(line) {
  return seriesOnce(line.values, `unwound ${line.length}`, () => {
    let turns = 0;
    let before = NaN;
    return Float32Array.from(line.values, (value) => {
      if (value - before > 180) turns -= 360;
      else if (value - before < -180) turns += 360;
      if (Number.isFinite(value)) before = value;
      return value + turns;
    });
  });
}

// Returns the corners of the seconds since the last update. They end where the entity was last there.
function seriesSince(entity) {
  if (!entity || entity.updates.length === 0) return null;
  return seriesOnce(entity.updates, `since ${entity.lastSeen}`, () => {
    const { updates } = entity;
    const [times, values] = [[], []];
    for (let row = 0; row < updates.length; row += 1) {
      if (row > 0) {
        times.push(updates[row]);
        values.push(updates[row] - updates[row - 1]);
      }
      times.push(updates[row]);
      values.push(0);
    }
    const last = updates[updates.length - 1];
    if (entity.lastSeen > last) {
      times.push(entity.lastSeen);
      values.push(entity.lastSeen - last);
    }
    return { times, values, placed: null };
  });
}

// Returns the steps of the received values. A speed holds between the two updates that it was computed from, and a
// heading holds until the next update.
function seriesReceived(kind, model) {
  if (kind.key !== "speed" && kind.key !== "heading") return null;
  const received = model.received(model.selected);
  if (!received || received.times.length < 2) return null;
  return seriesOnce(received[kind.key], "steps", () => {
    const [times, values, placed] = [[], [], []];
    let before = NaN;
    for (let row = 1; row < received.times.length; row += 1) {
      const value = received[kind.key][kind.isAngle ? row - 1 : row];
      const isApart = !Number.isFinite(before) || (kind.isAngle && Math.abs(value - before) > 180);
      before = value;
      times.push(received.times[row - 1], received.times[row]);
      values.push(value, value);
      placed.push(isApart ? 1 : 0, 0);
    }
    return { times, values, placed };
  });
}

// Cuts a polyline at the edges of a window, and adds the points where it crosses them.
function seriesClip({ times, values, placed }, from, to) {
  const [first, last] = axisSpan(times, from, to);
  const cut = { times: [], values: [], placed: [] };
  const add = (time, value, isPlaced) => {
    cut.times.push(time);
    cut.values.push(value);
    cut.placed.push(isPlaced ? 1 : 0);
  };
  const between = (row, time) => values[row] + ((values[row + 1] - values[row]) * (time - times[row])) / (times[row + 1] - times[row]);
  const joins = (row) => row + 1 < times.length && !placed?.[row + 1] && times[row] < times[row + 1];
  for (let row = first; row <= last; row += 1) {
    const time = times[row];
    if (time >= from && time <= to) add(time, values[row], placed?.[row]);
    else if (time < from && joins(row) && times[row + 1] > from) add(from, between(row, from), true);
    if (time < to && joins(row) && times[row + 1] > to && time >= from) add(to, between(row, to), false);
    else if (time < from && joins(row) && times[row + 1] > to) add(to, between(row, to), false);
  }
  return { ...cut, length: cut.times.length };
}

// Returns the value of a line at a time, as it is drawn there. NaN where it is not drawn.
export function seriesValue(line, time) {
  const row = lastUpTo(line.times, time + 1e-9, line.length);
  if (row < 0) return NaN;
  if (line.isFrames) return time - line.times[row] > 1 ? NaN : line.values[row];
  if (row + 1 >= line.length) return time > line.times[row] + 1e-6 ? NaN : line.values[row];
  const span = line.times[row + 1] - line.times[row];
  const part = span > 0 ? (time - line.times[row]) / span : 0;
  return line.placed[row + 1] ? line.values[row] : line.values[row] + (line.values[row + 1] - line.values[row]) * part;
}
