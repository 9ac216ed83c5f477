// Time is the spine of the page: transport, overview, ruler, lanes and plots share one axis and one window, and one
// playhead runs through all of them. This file assembles them and decides what has to be drawn again.
// While time runs and the window stands, nothing is drawn: needles, dots and numbers move over finished pictures.

import { device, make } from "./format.js";
import { axisOf, axisPlace } from "./timeaxis.js";
import { createFinder, createLanes } from "./lanes.js";
import { createLaneLegend } from "./lanepaint.js";
import { createOverview } from "./overview.js";
import { createPlots } from "./plots.js";
import { createRuler } from "./ruler.js";
import { createTransport } from "./transport.js";
import { timeGestures } from "./timegestures.js";

// Height of an open plot, of a folded one, and of all of them as the lanes have to leave it free, in units of 1 px.
const TIME_PLOTS = 3 * 48 + 28 + 24;
const TIME_REDRAWS = ["window", "select", "drawings", "view", "list", "moment"];
const timeParts = { search: null };

// Runs a command from elsewhere. "search" goes to the field that finds an entity.
export function timeCommand(name) {
  if (name !== "search" || !timeParts.search) return;
  timeParts.search.scrollIntoView({ block: "nearest" });
  timeParts.search.focus();
  timeParts.search.select();
}

// Builds everything about time.
export function createTime(root, model) {
  const at = (id, options = {}) => make("div", { id, ...options });
  const [transport, overview] = [at("transport"), at("overview")];
  const [finder, ruler, lanesRoot, legend, plotsRoot] = [at("finder"), at("ruler"), at("lanes"), at("lane-legend"), at("plots")];
  const legendItems = make("div", { class: "legend-items" });
  const legendLine = [make("div", { class: "cross" }), make("div", { class: "needle" })];
  legend.append(make("div", { class: "legend-area" }, ...legendLine, legendItems));
  const tracks = at("tracks", {}, finder, ruler, lanesRoot, legend, plotsRoot);
  tracks.append(finder, ruler, lanesRoot, legend, plotsRoot);
  const head = at("time-head");
  head.append(transport, overview);
  root.append(head, tracks);

  const isPhone = () => root.clientWidth > 0 && window.innerWidth < 700;
  const parts = {
    transport: createTransport(transport, model),
    overview: createOverview(overview, model),
    finder: createFinder(finder, model),
    ruler: createRuler(ruler, model),
    lanes: createLanes(lanesRoot, model, () => (isPhone() ? tracks : parts.lanes?.list)),
    legend: createLaneLegend(legendItems),
    plots: createPlots(plotsRoot, model),
  };
  timeParts.search = parts.finder.input;
  const view = { root, tracks, lanesRoot, legend, ruler, isPhone, legendLine, isStale: true, isFirst: true };

  timeListen(view, parts, model, { lanesRoot, plotsRoot, ruler, tracks });
  model.frame((changes) => timePaint(view, parts, model, changes));
  model.requestDraw();
}

function timeListen(view, parts, model, { lanesRoot, plotsRoot, ruler, tracks }) {
  const area = () => {
    const box = ruler.getBoundingClientRect();
    return { left: box.left, width: box.width };
  };
  timeGestures(ruler, model, area);
  timeGestures(plotsRoot, model, area);
  timeGestures(lanesRoot, model, area, (event) => {
    const { entity, moment } = parts.lanes.at(event);
    if (moment >= 0) model.goMoment(moment);
    else if (entity >= 0 && event.target.closest(".lane-gutter")) return true;
    else if (entity >= 0) model.select(entity);
    return moment >= 0;
  });
  const scrolled = () => parts.lanes.paint();
  parts.lanes.list.addEventListener("scroll", scrolled, { passive: true });
  tracks.addEventListener("scroll", scrolled, { passive: true });
  let before = "";
  const observer = new ResizeObserver(() => {
    // Folding and searching change heights too, and those were measured where they happened.
    const now = `${view.root.clientWidth} ${view.root.clientHeight} ${ruler.clientWidth} ${view.tracks.clientHeight}`;
    if (now === before) return;
    before = now;
    view.isStale = true;
    model.requestDraw();
  });
  observer.observe(view.root);
  observer.observe(ruler);
}

function timePaint(view, parts, model, changes) {
  const isAll = view.isFirst || changes.has("view");
  view.isFirst = false;
  if (isAll || view.isStale || changes.has("list")) timeMeasure(view, parts, model);
  const isRedrawn = isAll || TIME_REDRAWS.some((event) => changes.has(event));
  const isRefit = !isRedrawn && !model.playing && changes.has("time") && parts.plots.hasGrown();
  const work = { columns: 0, lanes: 0, plots: 0 };
  parts.transport(isAll ? new Set(["play", ...changes]) : changes);
  if (isRedrawn) {
    if (isAll || changes.has("drawings") || changes.has("moment")) parts.lanes.renew();
    if (isAll || changes.has("list")) parts.finder.paint();
    if (isAll || changes.has("drawings")) parts.legend(model, view.unit);
    work.columns += parts.overview.paint() ?? 0;
    parts.ruler.paint();
    if (changes.has("select") || changes.has("list") || isAll) parts.lanes.reveal();
    const lanes = parts.lanes.paint();
    work.lanes = lanes.lanes;
    work.columns += lanes.columns;
  }
  if (isRedrawn || isRefit) {
    work.plots = parts.plots.paint(changes);
    work.columns += work.plots;
  }
  timeNeedles(view, parts, model);
  parts.overview.paintTime();
  parts.ruler.paintTime();
  parts.plots.paintTime();
  view.root.dataset.work = JSON.stringify(work);
}

function timeNeedles(view, parts, model) {
  const { width } = parts.ruler.size;
  const axis = axisOf(...model.window, width);
  const needles = [parts.ruler.needle, parts.lanes.needle, view.legendLine[1], ...parts.plots.plots.map((plot) => plot.needle)];
  const crosses = [parts.ruler.cross, parts.lanes.cross, view.legendLine[0], ...parts.plots.plots.map((plot) => plot.cross)];
  for (const needle of needles) axisPlace(needle, axis.x(model.time));
  const isCrossed = model.hover !== null;
  for (const cross of crosses) {
    if (cross.hidden === isCrossed) cross.hidden = !isCrossed;
    if (isCrossed) axisPlace(cross, axis.x(model.hover));
  }
}

// Reads the sizes of everything, and decides how many lanes are shown.
function timeMeasure(view, parts, model) {
  const { root, tracks, lanesRoot, legend, ruler } = view;
  view.isStale = false;
  const isPhone = view.isPhone();
  const unit = device().scale;
  view.unit = unit;
  const gutter = isPhone ? 0 : ruler.offsetLeft;
  parts.overview.measure();
  parts.ruler.measure();
  const { width, font } = parts.ruler.size;
  const metrics = { width, font, unit, gutter, isPhone, version: (view.version = (view.version ?? 0) + 1) };
  parts.lanes.measure(metrics);
  const { row } = parts.lanes.size;
  const count = Math.max(model.order.length, 1);
  if (isPhone) lanesRoot.style.height = `${count * row}px`;
  else {
    const free = tracks.clientHeight - ruler.offsetHeight - legend.offsetHeight;
    lanesRoot.style.height = `${timeLanesHeight(count, row, free, TIME_PLOTS * unit, window.innerWidth >= 1800 ? 9 : 4)}px`;
  }
  root.dataset.lanes = String(Math.round((lanesRoot.clientHeight / row) * 10) / 10);
  parts.plots.measure(metrics);
}

// Returns the height of the lanes. All of them where there is room, else some and a half, which says that there are
// more. Beyond what the plots need, lanes and plots share the rest.
function timeLanesHeight(count, row, free, plots, usual) {
  const room = free - plots;
  const least = Math.min(usual, Math.max(1, Math.floor((free * 0.5) / row - 0.5)));
  const fitting = Math.max(least, Math.floor((room + least * row) / 2 / row - 0.5));
  return count <= fitting + 0.5 ? count * row : (fitting + 0.5) * row;
}
