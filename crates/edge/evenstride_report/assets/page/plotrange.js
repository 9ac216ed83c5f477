// The y range of a plot. It fits the window, except for rare peaks, which are cut and labelled, because one frame at
// 59 m/s would flatten everything else. While playing it may grow but never shrink, because a breathing axis lies.

import { columnsOf, columnsPercentile, columnsSample } from "./columns.js";
import { axisStep, axisTicks } from "./timeaxis.js";
import { seriesUnwound } from "./plotseries.js";

const RANGE_PERCENTILE = 0.97;
const RANGE_CUT = 2.2;
const RANGE_ANGLES = [1, 2, 5, 10, 15, 30, 45, 90, 180];

// Summarises the lines of a plot in the window: their columns, their extremes and whether they change at all.
export function rangeMeasure(kind, lines, from, to, width) {
  let [least, greatest, maxSlope, change] = [Infinity, -Infinity, 0, 0];
  const sample = [];
  let count = 0;
  for (const line of lines) {
    line.columns = columnsOf(line.values, line.times, from, to, width, line.placed, line.length);
    const { columns } = line;
    count += columns.filled;
    if (columns.frames === 0) continue;
    least = Math.min(least, columns.least);
    greatest = Math.max(greatest, columns.greatest);
    if (kind.cuts) columnsSample(columns, sample);
    if (line.isFact) continue;
    maxSlope = Math.max(maxSlope, columns.maxSlope);
    if (kind.folds) change = Math.max(change, rangeChange(kind, line, from, to, width));
  }
  const limit = kind.cuts && sample.length ? Math.max(kind.floor, RANGE_CUT * columnsPercentile(sample, RANGE_PERCENTILE)) : Infinity;
  return { least, greatest, maxSlope, limit, columns: count, isStill: kind.folds !== undefined && change < kind.folds };
}

function rangeChange(kind, line, from, to, width) {
  const columns = kind.isAngle ? columnsOf(seriesUnwound(line), line.times, from, to, width, null, line.length) : line.columns;
  return columns.frames ? columns.greatest - columns.least : 0;
}

// Returns the lower and the upper end of the axis. `before` is the range so far where it must not shrink.
export function rangeFit(kind, measured, before) {
  const { least, greatest, limit } = measured;
  const hasAny = least <= greatest;
  let [low, high] = kind.least ?? [hasAny ? least : 0, hasAny ? greatest : 360];
  if (hasAny) {
    low = Math.max(Math.min(low, least), -limit);
    high = Math.min(Math.max(high, greatest), limit);
  }
  if (kind.isAngle) {
    const spare = Math.max(0, 20 - (high - low)) / 2;
    [low, high] = [low - spare, high + spare];
  }
  if (before) [low, high] = [Math.min(low, before.low), Math.max(high, before.high)];
  return { low, high };
}

// Widens a range to its next ticks, so that a low plot has two labels or more. A tick that is far off is not worth it.
export function rangeRound(kind, range, pixels, gap) {
  const { low, high } = range;
  const { step } = rangeTicks(kind, range, pixels, gap);
  const spare = 0.45 * (high - low);
  const [under, over] = [Math.floor(low / step + 1e-6) * step, Math.ceil(high / step - 1e-6) * step];
  return { low: low - under <= spare ? under : low, high: over - high <= spare ? over : high };
}

// Returns the ticks of the axis, few where the plot is low.
export function rangeTicks(kind, { low, high }, pixels, gap) {
  if (!kind.isAngle) return axisTicks(low, high, pixels, gap);
  const wanted = ((high - low) * gap) / Math.max(pixels, 1);
  const step = RANGE_ANGLES.find((of) => of >= wanted * 0.999) ?? axisStep(wanted);
  const values = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) values.push(value);
  return { step, values, decimals: 0 };
}
