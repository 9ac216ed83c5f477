// What is left of a track when several frames share a pixel column: the first, the least, the greatest and the last
// value of each. A peak of one frame survives every zoom, a quiet stretch stays quiet, and what was not connected is
// never joined. A mean, or every n-th value, would show ramps that never were.

import { lastUpTo } from "./format.js";

// Returns the columns of a window. A run is one connected stretch within one column, and it is `joined` where its first
// value follows the last one of the run before. NaN and `placed` frames end a run.
export function plotColumns(values, times, from, to, width, placed = null, length = values.length) {
  const count = Math.max(1, Math.floor(width));
  const end = lastUpTo(times, to, length);
  let at = Math.max(0, lastUpTo(times, from, length));
  if (times[at] < from) at += 1;
  const room = columnsRuns(Math.max(0, end - at + 1));
  const scale = count / (to - from);
  let [frames, run, column, until] = [0, -1, -1, -Infinity];
  let [low, high, before, maxSlope, isConnected] = [0, 0, 0, 0, false];
  // The run in work stays in local variables, because this loop sees every frame of a recording.
  for (; at <= end; at += 1) {
    const value = values[at];
    if (!(value > -Infinity && value < Infinity)) {
      isConnected = false;
      continue;
    }
    if (placed !== null && placed[at] === 1) isConnected = false;
    frames += 1;
    const isNext = times[at] >= until;
    if (isConnected) {
      const slope = value > before ? value - before : before - value;
      if (slope > maxSlope) maxSlope = slope;
    }
    if (isConnected && !isNext) {
      if (value < low) low = value;
      if (value > high) high = value;
    } else {
      if (run >= 0) columnsEnd(room, run, low, high, before);
      if (isNext) {
        column = Math.min(Math.floor((times[at] - from) * scale), count - 1);
        until = column === count - 1 ? Infinity : from + (column + 1) / scale;
      }
      run += 1;
      room.column[run] = column;
      room.first[run] = low = high = value;
      room.joined[run] = isConnected ? 1 : 0;
    }
    before = value;
    isConnected = true;
  }
  if (run >= 0) columnsEnd(room, run, low, high, before);
  const runs = columnsKeep(room, run + 1);
  return { width: count, from, to, frames, maxSlope, runs, ...columnsFlat(runs, count) };
}

let columnsScratch = null;

// Returns room for runs. There may be as many as frames, but mostly there are as few as columns, so the room is used again.
function columnsRuns(most) {
  if (!columnsScratch || columnsScratch.column.length < most) {
    const values = () => new Float32Array(most);
    columnsScratch = { column: new Uint32Array(most), first: values(), min: values(), max: values(), last: values(), joined: new Uint8Array(most) };
  }
  return columnsScratch;
}

function columnsKeep(scratch, length) {
  const runs = { length };
  for (const [name, values] of Object.entries(scratch)) runs[name] = values.slice(0, length);
  return runs;
}

function columnsEnd(runs, run, low, high, last) {
  runs.min[run] = low;
  runs.max[run] = high;
  runs.last[run] = last;
}

// Returns the values of each column, where its runs are taken together.
function columnsFlat(runs, count) {
  const [first, min, max, last] = [0, 1, 2, 3].map(() => new Float32Array(count).fill(NaN));
  let [filled, least, greatest] = [0, Infinity, -Infinity];
  for (let run = 0; run < runs.length; run += 1) {
    const column = runs.column[run];
    if (Number.isNaN(first[column])) {
      filled += 1;
      first[column] = runs.first[run];
      min[column] = runs.min[run];
      max[column] = runs.max[run];
    } else {
      min[column] = Math.min(min[column], runs.min[run]);
      max[column] = Math.max(max[column], runs.max[run]);
    }
    last[column] = runs.last[run];
    least = Math.min(least, runs.min[run]);
    greatest = Math.max(greatest, runs.max[run]);
  }
  return { filled, first, min, max, last, least, greatest };
}

const columnsKept = new WeakMap();

// Returns the columns of a window, from memory where the same were asked for before.
export function columnsOf(values, times, from, to, width, placed, length) {
  const key = `${from} ${to} ${width} ${length}`;
  const kept = columnsKept.get(values) ?? [];
  const known = kept.find((of) => of.key === key);
  if (known) return known.columns;
  const columns = plotColumns(values, times, from, to, width, placed, length);
  // The overview, the present window and the one before.
  columnsKept.set(values, [{ key, columns }, ...kept].slice(0, 3));
  return columns;
}

// Adds magnitudes of a window to a list, some thousand at most. It is the sample for percentiles, never for extremes.
export function columnsSample(columns, sample, most = 1500) {
  const { runs } = columns;
  const step = Math.max(1, Math.ceil(runs.length / most));
  for (let run = 0; run < runs.length; run += step) sample.push(Math.max(Math.abs(runs.first[run]), Math.abs(runs.last[run])));
}

// Returns a percentile of a list, which it sorts.
export function columnsPercentile(sample, part) {
  if (sample.length === 0) return NaN;
  const sorted = Float32Array.from(sample).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}
