// The plots of the selected entity. The gutter of a plot is its legend and its readout, so no tooltip hides a line.
// The canvases are drawn when their data or window changes. While time runs, only dots and readouts move.

import { device, fixed, make, seconds } from "./format.js";
import { axisCanvas, axisOf, axisPlace, axisText, axisTicks } from "./timeaxis.js";
import { paintFolded, paintGap, paintPlot, paintScale } from "./plotpaint.js";
import { createPlotTable, plotLabel, plotTable, plotValue } from "./plottable.js";
import { rangeFit, rangeMeasure, rangeRound } from "./plotrange.js";
import { PLOT_KINDS, plotLines, seriesValue } from "./plotseries.js";

const PLOT_PAD = 52;
// A gutter with room for the names of more than two lines.
const PLOT_WORDY = 240;
const PLOT_QUIET_MS = 300;
const PLOT_LABEL_MS = 500;

// Builds the plots and returns their painter.
export function createPlots(root, model) {
  const plots = PLOT_KINDS.map((kind) => plotBuild(root, kind));
  const size = { width: 0, unit: 1, font: 11, gutter: 0 };
  const last = { from: NaN, to: NaN, entity: -1 };
  let tables = 0;
  let labelled = 0;

  // Returns whether the y axes have to stay, because this is the same view a little later.
  function isRunningOn(changes) {
    const [from, to] = model.window;
    const length = to - from;
    const isNear = last.entity === model.selected && Math.abs(last.to - last.from - length) < 1e-6 && Math.abs(from - last.from) < 0.2 * length;
    Object.assign(last, { from, to, entity: model.selected });
    return isNear && (model.playing || (from === last.from && !changes.has("time")));
  }

  function describe() {
    labelled = performance.now();
    for (const plot of plots) plot.canvas.setAttribute("aria-label", plotLabel(plot.kind, model, plot.lines, model.hover ?? model.time));
  }

  function tabulate() {
    clearTimeout(tables);
    tables = setTimeout(() => {
      if (model.playing) return;
      describe();
      for (const plot of plots) plotTable(plot.table, plot.kind, model, plot.lines);
    }, PLOT_QUIET_MS);
  }

  return {
    plots,
    measure(metrics) {
      Object.assign(size, metrics);
      for (const plot of plots) plot.height = plot.area.clientHeight;
    },
    paint(changes) {
      if (size.width < 1) return 0;
      const isKept = isRunningOn(changes);
      const [from, to] = model.window;
      const across = Math.round(size.width * device().ratio);
      let hasFolded = false;
      for (const plot of plots) {
        plot.lines = plotLines(plot.kind, model);
        plot.measured = rangeMeasure(plot.kind, plot.lines, from, to, across);
        // A plot may unfold while time runs, but a layout that shrinks would move what one is looking at.
        const isFolded = plot.measured.isStill && !(isKept && model.playing && plot.isFolded === false);
        if (plot.isFolded !== isFolded) hasFolded = true;
        plot.isFolded = isFolded;
        plot.root.classList.toggle("folded", isFolded);
      }
      if (hasFolded) for (const plot of plots) plot.height = plot.area.clientHeight;
      let columns = 0;
      for (const plot of plots) {
        plot.fitted = rangeFit(plot.kind, plot.measured, isKept ? plot.fitted : null);
        plot.range = rangeRound(plot.kind, plot.fitted, plot.height - 13 * size.unit, paintGap(plot.height, size.unit));
        columns += plotPaint(plot, model, size);
        plotLegend(plot, model);
      }
      tabulate();
      return columns;
    },
    // Tells whether a seek lets an axis fit again.
    hasGrown() {
      return plots.some((plot) => {
        if (!plot.fitted || plot.isFolded) return false;
        const { low, high } = rangeFit(plot.kind, plot.measured, null);
        return low > plot.fitted.low || high < plot.fitted.high;
      });
    },
    paintTime() {
      if (size.width < 1) return;
      const axis = axisOf(...model.window, size.width);
      for (const plot of plots) plotTime(plot, model, axis, size);
      if (performance.now() - labelled > PLOT_LABEL_MS && model.playing) describe();
      if (!model.playing) tabulate();
    },
  };
}

function plotBuild(root, kind) {
  const canvas = make("canvas", { role: "img", "data-plot": kind.key });
  const legend = make("p", { class: "plot-legend" });
  const gutter = make("div", { class: "plot-gutter" }, make("h3", {}, kind.title, " ", make("small", {}, kind.unit, make("span", { text: kind.note }))), legend);
  const [needle, cross] = [make("div", { class: "needle" }), make("div", { class: "cross" })];
  const dots = make("div", { class: "plot-dots", "aria-hidden": "true" });
  const area = make("div", { class: "plot-area" }, canvas, cross, needle, dots);
  const table = createPlotTable(kind);
  const plot = make("section", { class: "plot", "data-plot": kind.key, "aria-label": kind.title }, gutter, area, table);
  root.append(plot);
  return { kind, root: plot, canvas, legend, area, table, needle, cross, dots, lines: [], items: [], range: null, fitted: null, isFolded: null, height: 0 };
}

function plotPaint(plot, model, size) {
  const { kind, canvas, lines, measured, range } = plot;
  const pad = size.gutter > 0 ? Math.round(PLOT_PAD * size.unit) : 0;
  const context = axisCanvas(canvas, size.width + pad, plot.height);
  if (!context) return 0;
  const [from, to] = model.window;
  const geometry = { width: size.width, height: plot.height, unit: size.unit, font: size.font, pad };
  context.translate(pad, 0);
  canvas.style.left = `${-pad}px`;
  if (plot.isFolded) paintFolded(context, plotFoldWords(plot, model), geometry);
  else {
    const axis = axisOf(from, to, size.width);
    const times = axisTicks(from, to, size.width, 62 * size.unit).values;
    paintPlot(context, { kind, lines, axis, range, measured, size: geometry, times, usual: model.entity?.usual });
  }
  plot.scale = paintScale(range, geometry);
  canvas.dataset.drawn = JSON.stringify(plotFacts(plot, from, to));
  return plot.isFolded ? 0 : measured.columns;
}

// Returns what was drawn, for tests.
function plotFacts({ lines, measured, range, isFolded }, from, to) {
  const round = (value) => (Number.isFinite(value) ? Number(value.toFixed(4)) : null);
  const { least, greatest, maxSlope, columns } = measured;
  const series = lines.map(({ name, isFact, isGhost, columns: of }) => ({
    name, kind: isFact ? "received" : isGhost ? "ghost" : "drawn", columns: of.filled, frames: of.frames, runs: of.runs.length,
    min: round(of.least), max: round(of.greatest), maxSlope: round(of.maxSlope),
  }));
  return {
    from: round(from), to: round(to), low: round(range.low), high: round(range.high), min: round(least), max: round(greatest),
    columns, maxSlope: round(maxSlope), isFolded, isCut: greatest > range.high || least < range.low, series,
  };
}

function plotFoldWords({ kind, lines }, model) {
  const line = lines.find((of) => of.pane === 0);
  const value = line && line.columns.frames ? line.columns.greatest : NaN;
  if (!Number.isFinite(value)) return model.busy === null || line ? "not there" : "not known yet";
  if (kind.key === "height") return Math.abs(value) < 0.05 ? "on the ground" : `stays ${plotValue(kind, value)}\u2009m above ground`;
  return `stays at ${plotValue(kind, value)}`;
}

// Builds the legend of a plot, where its lines have changed.
function plotLegend(plot, model) {
  const shown = [...plot.lines.filter((of) => !of.isFact).reverse(), ...plot.lines.filter((of) => of.isFact)];
  const key = shown.map((of) => `${of.name} ${of.hue} ${of.isGhost}`).join("|") + model.panes.length;
  if (plot.legendKey !== key) {
    plot.legendKey = key;
    plot.items = shown.map((line) => {
      const stroke = make("i", { class: `stroke${line.isGhost ? " ghost" : line.isFact ? " fact" : ""}` });
      stroke.style.setProperty("--hue", `var(${line.hue})`);
      const text = make("span");
      return { text, element: make("span", { class: "plot-item", title: line.name }, stroke, text) };
    });
    plot.usual = make("span", { class: "plot-item quiet" });
    plot.legend.replaceChildren(...plot.items.map((item) => item.element), ...(plot.kind.key === "since" ? [plot.usual] : []));
    plot.dots.replaceChildren(...shown.filter((of) => of.pane !== undefined).map((of) => {
      const dot = make("i", { class: "plot-dot" });
      dot.style.setProperty("--hue", `var(${of.hue})`);
      return dot;
    }));
  }
  plot.items.forEach((item, index) => (item.line = shown[index]));
  if (plot.kind.key === "since") axisText(plot.usual, model.entity?.usual > 0 ? `usually ${seconds(model.entity.usual)}` : "");
}

function plotTime(plot, model, axis, size) {
  const { kind, items } = plot;
  const time = model.hover ?? model.time;
  // Words where there is room for them. With more lines the swatches speak, as they do in the panes.
  const isNarrow = size.gutter > 0 && size.gutter < PLOT_WORDY * size.unit;
  const isAlone = model.panes.length === 1 && items.length <= 2 && !(isNarrow && model.ghost);
  for (const { text, line } of items) {
    const value = plotValue(kind, seriesValue(line, time));
    const word = line.isGhost ? (isAlone ? "as captured " : "") : line.pane === undefined ? (line.name === "since" || (isNarrow && items.length > 2) ? "" : "updates ") : isAlone ? "drawn " : "";
    axisText(text, `${word}${value}${kind.key === "since" ? "\u2009s" : ""}`);
  }
  const x = axis.x(model.time);
  const isInside = x >= 0 && x <= axis.width;
  const drawn = items.filter((item) => item.line.pane !== undefined);
  [...plot.dots.children].forEach((dot, index) => {
    const value = drawn[index] ? seriesValue(drawn[index].line, model.time) : NaN;
    const isShown = isInside && !plot.isFolded && value >= plot.range.low && value <= plot.range.high;
    if (dot.hidden === isShown) dot.hidden = !isShown;
    if (isShown) axisPlace(dot, x, plot.scale.y(value));
  });
  const words = plot.isFolded ? "" : fixed(time, 2);
  if (plot.root.dataset.at !== words) plot.root.dataset.at = words;
}
