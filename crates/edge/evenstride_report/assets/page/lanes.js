// The lanes: one row per entity, and its gutter is the entity list. Each row has its own canvas, so that scrolling
// moves finished pictures, and only the rows in view exist, so that a thousand entities cost as much as ten.

import { ink, make, metres, svgIcon, whole } from "./format.js";
import { axisCanvas, axisOf, axisPlace, axisText } from "./timeaxis.js";
import { lanePaint, laneShare } from "./lanepaint.js";

// Moments with a number. Three digits do not fit into a disc.
const LANES_NUMBERED = 99;
const LANES_SORTS = [["worst", "Worst"], ["name", "Name"], ["updates", "Updates"], ["nearest", "Nearest"]];
const LANES_OVERSCAN = 2;
const LANES_DISC_GAP = 13;

// Builds the search field, the order and the zoom buttons above the names.
export function createFinder(root, model) {
  const input = make("input", { type: "search", placeholder: "Find an entity", "aria-label": "Find an entity", title: "Name or GUID (/)", autocomplete: "off", spellcheck: "false", enterkeyhint: "search" });
  const sort = make("select", { class: "select finder-sort", "aria-label": "Sort entities by", title: "Sort entities by" });
  for (const [value, label] of LANES_SORTS) sort.append(make("option", { value, text: label }));
  const button = (words, key, act, ...content) =>
    make("button", { type: "button", class: "button quiet", "aria-label": words, title: `${words} (${key})`, onclick: act }, ...content);
  root.append(
    make("label", { class: "search" }, svgIcon("search"), input),
    sort,
    make("div", { class: "finder-zoom", role: "group", "aria-label": "Zoom of time" },
      button("Show more time", "−", () => model.zoom(2, model.time), svgIcon("minus")),
      button("Show less time", "+", () => model.zoom(0.5, model.time), svgIcon("plus")),
      button("Show all of the recording", "0", () => model.showAll(), "All")),
  );
  input.addEventListener("input", () => model.setSearch(input.value));
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && model.order.length) model.select(model.order[0]);
    if (event.key === "Escape" && input.value) {
      input.value = "";
      model.setSearch("");
      event.preventDefault();
    }
  });
  sort.addEventListener("change", () => model.setSort(sort.value));
  return {
    input,
    paint() {
      if (model.sort && sort.value !== model.sort) sort.value = model.sort;
      if (document.activeElement !== input && typeof model.search === "string" && input.value !== model.search) input.value = model.search;
    },
  };
}

// Builds the lanes. `scrollerOf()` returns the element that scrolls them, which differs on the phone.
export function createLanes(root, model, scrollerOf) {
  const rows = make("div", { class: "lanes-rows" });
  const none = make("p", { class: "lanes-none" });
  const list = make("div", { class: "lanes-list", role: "listbox", tabindex: 0, "aria-label": "Entities" }, rows);
  const needle = make("div", { class: "needle" });
  const cross = make("div", { class: "cross" });
  const front = make("div", { class: "lanes-front" }, cross, needle);
  root.append(list, none, front);

  const shown = new Map();
  const spare = [];
  const size = { row: 25, width: 0, unit: 1, gutter: 0, view: 0 };
  let version = 0;
  let [seen, isOwn] = [-1, false];

  function rowsInView() {
    const scroller = scrollerOf() ?? list;
    const top = scroller === list ? list.scrollTop : Math.max(0, scroller.getBoundingClientRect().top - list.getBoundingClientRect().top);
    const first = Math.max(0, Math.floor(top / size.row) - LANES_OVERSCAN);
    return [first, Math.min(model.order.length, Math.ceil((top + scroller.clientHeight) / size.row) + LANES_OVERSCAN)];
  }

  function arrange() {
    const [first, end] = rowsInView();
    const wanted = new Set(model.order.slice(first, end));
    for (const [index, row] of shown) {
      if (wanted.has(index)) continue;
      shown.delete(index);
      row.element.hidden = true;
      spare.push(row);
    }
    for (let place = first; place < end; place += 1) {
      const index = model.order[place];
      let row = shown.get(index);
      if (!row) {
        row = spare.pop() ?? lanesRow(rows);
        row.key = row.facts = "";
        shown.set(index, row);
      }
      lanesFill(row, model, model.entities[index], place, size);
    }
  }

  function paintRows() {
    const [from, to] = model.window;
    const axis = axisOf(from, to, size.width);
    const share = laneShare(model);
    const work = { lanes: 0, columns: 0 };
    const height = size.canvas;
    const geometry = { width: size.width, height, unit: size.unit, middle: Math.round(height * 0.46) };
    for (const [index, row] of shown) {
      const key = `${version} ${from} ${to} ${size.width} ${height}`;
      if (row.key === key) continue;
      row.key = key;
      const entity = model.entities[index];
      work.columns += lanePaint(row.lane, model, entity, axis, geometry, share);
      work.lanes += 1;
      lanesDiscs(row, model, index, axis, geometry);
    }
    return work;
  }

  list.addEventListener("keydown", (event) => lanesKeys(event, model, list, size));
  for (const event of ["wheel", "pointerdown"]) list.addEventListener(event, () => (isOwn = true), { passive: true });
  list.addEventListener("click", (event) => {
    const row = event.target.closest(".lane");
    if (row && event.target.closest(".lane-gutter")) model.select(Number(row.dataset.entity));
  });

  return {
    list, needle, cross, size,
    measure(metrics) {
      Object.assign(size, metrics, { row: parseFloat(getComputedStyle(rows).lineHeight) || 25 });
      size.canvas = size.isPhone ? size.row - 18 : size.row - 1;
      size.spark = size.isPhone ? [64, 14] : [size.gutter < 240 ? 44 : Math.round(76 * size.unit), size.row - 7];
    },
    // Forgets the pictures, because their data, theme or scale has changed.
    renew() {
      version += 1;
    },
    paint() {
      const words = model.order.length === 0 && model.search?.trim() ? `No entity called “${model.search.trim()}”. Search by name or GUID.` : "";
      axisText(none, words);
      none.hidden = !words;
      list.hidden = Boolean(words);
      rows.style.height = `${model.order.length * size.row}px`;
      if (size.width < 1) return { lanes: 0, columns: 0 };
      arrange();
      const place = model.order.indexOf(model.selected);
      if (place >= 0) list.setAttribute("aria-activedescendant", `lane-${model.selected}`);
      else list.removeAttribute("aria-activedescendant");
      return paintRows();
    },
    // Scrolls to the selected entity. Until the next selection, the reader's own scrolling stays.
    reveal() {
      if (seen !== model.selected) isOwn = false;
      seen = model.selected;
      if (isOwn || scrollerOf() !== list) return;
      const top = model.order.indexOf(model.selected) * size.row;
      if (top < 0) return;
      if (top < list.scrollTop) list.scrollTop = top;
      else if (top + size.row > list.scrollTop + list.clientHeight) list.scrollTop = top + 1.5 * size.row - list.clientHeight;
    },
    // Returns the row, or the moment, under a press.
    at(event) {
      const row = event.target.closest?.(".lane");
      const disc = event.target.closest?.(".disc");
      return { entity: row ? Number(row.dataset.entity) : -1, moment: disc ? Number(disc.dataset.moment) : -1 };
    },
  };
}

function lanesRow(rows) {
  const name = make("span", { class: "lane-name" });
  const spark = make("canvas", { class: "lane-spark", "aria-hidden": "true" });
  const worst = make("span", { class: "lane-worst" });
  const lane = make("canvas", { class: "lane-canvas", "aria-hidden": "true" });
  const discs = make("span", { class: "lane-discs", "aria-hidden": "true" });
  const element = make("div", { class: "lane", role: "option" }, make("div", { class: "lane-gutter" }, name, spark, worst), make("div", { class: "lane-area" }, lane, discs));
  rows.append(element);
  return { element, name, spark, worst, lane, discs, key: "", facts: "" };
}

// Writes the facts of an entity into a row, where they differ.
function lanesFill(row, model, entity, place, size) {
  const { element } = row;
  element.hidden = false;
  element.style.top = `${place * size.row}px`;
  element.setAttribute("aria-selected", entity.index === model.selected);
  const facts = `${entity.index} ${entity.name} ${place} ${model.order.length} ${entity.worst} ${size.spark} ${size.version} ${model.panes[0]?.hue}`;
  if (row.facts === facts && row.sparkOf === entity.spark) return;
  Object.assign(row, { facts, sparkOf: entity.spark });
  element.id = `lane-${entity.index}`;
  element.dataset.entity = entity.index;
  element.setAttribute("aria-setsize", model.order.length);
  element.setAttribute("aria-posinset", place + 1);
  const worst = Number.isFinite(entity.worst) ? metres(Math.abs(entity.worst)) : "–";
  element.setAttribute("aria-label", `${entity.name}, ${Number.isFinite(entity.worst) ? `at most ${metres(Math.abs(entity.worst))} off` : "never drawn"}, ${whole(entity.updates.length)} updates`);
  axisText(row.name, entity.name);
  row.name.title = `${entity.name} · ${entity.guid}`;
  axisText(row.worst, worst);
  lanesSpark(row.spark, model, entity, size);
}

function lanesSpark(canvas, model, entity, size) {
  const [width, height] = size.spark;
  const context = axisCanvas(canvas, width, height);
  if (!context) return;
  const share = laneShare(model);
  const each = width / entity.spark.length;
  context.fillStyle = ink("--line2");
  context.fillRect(0, height - 1, width, 1);
  context.fillStyle = ink(model.panes[0]?.hue ?? "--ink3");
  context.globalAlpha = 0.75;
  context.beginPath();
  entity.spark.forEach((value, bin) => {
    const tall = (height - 2) * share(value);
    if (tall > 0) context.rect(bin * each, height - tall, each + 0.2, tall);
  });
  context.fill();
  context.globalAlpha = 1;
}

// Places a disc per moment. Where two would overlap, the worse one keeps its number and the other is a dot.
function lanesDiscs(row, model, index, axis, { middle }) {
  const placed = [];
  const discs = [];
  for (const moment of model.moments) {
    if (moment.entity !== index || moment.at < axis.from || moment.at > axis.to) continue;
    const x = axis.x(moment.at);
    const isDot = moment.rank > LANES_NUMBERED || placed.some((other) => Math.abs(other - x) < LANES_DISC_GAP);
    if (isDot && placed.some((other) => Math.abs(other - x) < 5)) continue;
    placed.push(x);
    discs.push({ moment, x, isDot });
  }
  while (row.discs.children.length < discs.length) row.discs.append(make("span", { class: "disc" }));
  [...row.discs.children].forEach((element, at) => {
    const disc = discs[at];
    element.hidden = !disc;
    if (!disc) return;
    element.className = disc.isDot ? "disc dot" : "disc";
    element.dataset.level = disc.moment.level;
    element.dataset.moment = disc.moment.index;
    axisText(element, disc.isDot ? "" : String(disc.moment.rank));
    element.title = disc.moment.short ?? "";
    axisPlace(element, disc.x, middle);
  });
}

function lanesKeys(event, model, list, size) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const page = Math.max(1, Math.floor(list.clientHeight / size.row) - 1);
  const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity };
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const place = model.order.indexOf(model.selected);
  const next = model.order[Math.min(Math.max(place + step, 0), model.order.length - 1)];
  if (next !== undefined && next !== model.selected) model.select(next);
}
