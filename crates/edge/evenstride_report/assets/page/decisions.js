// The decisions about the selected entity. Runs of ordinary positions are folded, because they say the same thing.
// Only a stretch of rows around the present one is in the document, so that ten thousand decisions cost as little as a hundred.

import { fixed, lastUpTo, make, seconds, svgIcon } from "./format.js";

const DECISIONS_FILTERS = [
  ["all", "All", () => true],
  ["trouble", "Trouble", (decision) => decision.trouble],
  ["position", "Positions", (decision) => decision.group === "position"],
  ["movement", "Movement", (decision) => decision.group === "movement"],
];
// Rows kept in the document around the present one, and rows added when the reader scrolls to an end.
const DECISIONS_STRETCH = 60;
const DECISIONS_MORE = 60;
// Decisions of a body that simply goes on: an update arrives, is reached, and the body moves on without another.
const DECISIONS_ORDINARY = new Set(["position", "reached", "ran_dry"]);
// Positions that fold into one row. Longer runs make several rows, so that the list still tells where in time it is.
const DECISIONS_FOLD = { least: 2, most: 11 };

// Builds the list. `onChoose` is called with a decision that the reader clicks.
export function createDecisions(model, onChoose) {
  const field = make("input", { type: "search", placeholder: "Search decisions", "aria-label": "Search decisions", autocomplete: "off", spellcheck: "false" });
  const chips = DECISIONS_FILTERS.map(([key, label]) => make("button", { type: "button", class: "chip", text: label, "data-filter": key }));
  const list = make("ol", { "aria-label": "Decisions" });
  const empty = make("p", { class: "empty" });
  const box = make("div", { class: "decision-list scroll", tabindex: -1 }, list, empty);
  const again = make("button", { type: "button", class: "button follow-again", text: "Follow the playhead", hidden: true });
  const element = make(
    "section",
    { class: "decisions", "aria-label": "Decisions" },
    make("div", { class: "decisions-head" }, make("h2", { text: "Decisions" }), make("label", { class: "search" }, svgIcon("search"), field)),
    make("div", { class: "chips", role: "group", "aria-label": "Filter" }, ...chips),
    box,
    again,
  );

  const state = { filter: "all", text: "", source: null, rows: [], times: new Float64Array(0), open: new Set(), from: 0, to: 0, current: -2, follows: true, entity: -1 };

  function rebuild() {
    state.source = model.decisions;
    state.rows = decisionsRows(state.source, state);
    state.times = Float64Array.from(state.rows, (row) => row.time);
    state.current = -2;
    state.from = state.to = 0;
    list.replaceChildren();
    empty.hidden = state.rows.length > 0;
    empty.textContent = state.source.length ? "No decision matches." : "No decisions about this entity.";
    element.dataset.rows = state.rows.length;
    for (const chip of chips) chip.setAttribute("aria-pressed", chip.dataset.filter === state.filter);
  }

  // Puts the rows from..to into the document, and nothing else.
  function stretch(from, to) {
    state.from = Math.max(0, from);
    state.to = Math.min(state.rows.length, to);
    list.replaceChildren(...state.rows.slice(state.from, state.to).map((row, k) => decisionsRow(row, state.from + k, state.rows.length)));
    mark();
  }

  function mark() {
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    decisionsAt(list, state, state.current)?.setAttribute("aria-current", "true");
  }

  function follow() {
    const row = decisionsAt(list, state, Math.max(state.current, 0));
    if (!row) return;
    const line = row.parentElement;
    const wanted = line.offsetTop - (box.clientHeight - line.offsetHeight) / 2;
    // Small moves are left alone, so that the list does not creep while it is read.
    if (line.offsetTop < box.scrollTop + 24 || line.offsetTop + line.offsetHeight > box.scrollTop + box.clientHeight - 24) box.scrollTop = wanted;
  }

  function paint(changes) {
    // A hidden list has no height, and it is brought up to date when its tab opens.
    if (!box.clientHeight) {
      state.source = null;
      return;
    }
    const isNew = state.source !== model.decisions;
    if (state.entity !== model.selected) {
      state.entity = model.selected;
      state.open.clear();
      decide(true);
    }
    if (changes.has("moment")) decide(true);
    if (isNew) rebuild();
    const current = lastUpTo(state.times, model.time + 1e-6);
    const isElsewhere = current < state.from || current >= state.to;
    if (isNew || (state.follows && isElsewhere)) stretchAround(current);
    if (current !== state.current) {
      state.current = current;
      mark();
    }
    if (state.follows) follow();
    element.dataset.current = current;
  }

  function stretchAround(row) {
    stretch(row - DECISIONS_STRETCH, row + DECISIONS_STRETCH);
  }

  function decide(follows) {
    state.follows = follows;
    again.hidden = follows;
    element.dataset.follows = follows ? "yes" : "no";
  }

  function refresh() {
    rebuild();
    decide(true);
    stretchAround(lastUpTo(state.times, model.time + 1e-6));
    paint(new Set());
  }

  field.addEventListener("input", () => {
    state.text = field.value.trim().toLowerCase();
    refresh();
  });
  for (const chip of chips) {
    chip.addEventListener("click", () => {
      state.filter = chip.dataset.filter;
      refresh();
    });
  }
  // The reader's own scrolling stops the following. Scrolling by code fires none of these.
  for (const name of ["wheel", "touchmove"]) box.addEventListener(name, () => decide(false), { passive: true });
  box.addEventListener("pointerdown", (event) => {
    if (event.target === box) decide(false);
  });
  again.addEventListener("click", () => {
    decide(true);
    paint(new Set());
  });
  box.addEventListener("scroll", () => decisionsExtend(box, list, state, decisionsRow));
  list.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const line = event.target.closest("li");
    const next = event.key === "ArrowDown" ? line?.nextElementSibling : line?.previousElementSibling;
    event.preventDefault();
    decide(false);
    next?.firstElementChild.focus();
  });
  list.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const row = state.rows[Number(button.dataset.row)];
    if (row.fold) {
      if (state.open.has(row.key)) state.open.delete(row.key);
      else state.open.add(row.key);
      const { scrollTop } = box;
      const [from, to] = [state.from, state.to];
      rebuild();
      stretch(from, Math.max(to, from + 2 * DECISIONS_STRETCH));
      decide(false);
      box.scrollTop = scrollTop;
      decisionsAt(list, state, Number(button.dataset.row))?.focus();
      paint(new Set());
      return;
    }
    model.pause();
    model.seek(row.time);
    onChoose(row);
  });

  decide(true);
  return { element, paint };
}

// Adds rows at an end of the stretch that the reader has scrolled to. The browser's scroll anchoring keeps the place.
function decisionsExtend(box, list, state, rowOf) {
  const total = state.rows.length;
  if (box.scrollTop < 200 && state.from > 0) {
    const from = Math.max(0, state.from - DECISIONS_MORE);
    const before = box.scrollHeight;
    const top = box.scrollTop;
    list.prepend(...state.rows.slice(from, state.from).map((row, k) => rowOf(row, from + k, total)));
    state.from = from;
    box.scrollTop = top + (box.scrollHeight - before);
  } else if (box.scrollTop + box.clientHeight > box.scrollHeight - 200 && state.to < total) {
    const to = Math.min(total, state.to + DECISIONS_MORE);
    list.append(...state.rows.slice(state.to, to).map((row, k) => rowOf(row, state.to + k, total)));
    state.to = to;
  }
}

function decisionsAt(list, state, row) {
  return row < state.from || row >= state.to ? null : (list.children[row - state.from]?.firstElementChild ?? null);
}

// Returns the rows to show: filtered decisions, with runs of ordinary positions as one row each where all are shown.
function decisionsRows(decisions, { filter, text, open }) {
  const passes = DECISIONS_FILTERS.find(([key]) => key === filter)[2];
  if (filter !== "all" || text) return decisions.filter((decision) => passes(decision) && (!text || decision.words.toLowerCase().includes(text)));
  const rows = [];
  for (let k = 0; k < decisions.length; ) {
    const run = decisionsRun(decisions, k);
    const positions = run.filter((decision) => decision.kind === "position");
    if (positions.length < DECISIONS_FOLD.least) {
      rows.push(...run);
    } else {
      const fold = decisionsFold(positions);
      fold.isOpen = open.has(fold.key);
      rows.push(fold);
      if (fold.isOpen) for (const decision of run) rows.push({ ...decision, isUnfolded: true });
    }
    k += run.length;
  }
  return rows;
}

// Returns the ordinary decisions from an index on, or the one decision there that is not ordinary.
function decisionsRun(decisions, from) {
  const isOrdinary = ({ kind, trouble }) => DECISIONS_ORDINARY.has(kind) && !trouble;
  let [end, positions] = [from, 0];
  for (; end < decisions.length && isOrdinary(decisions[end]); end += 1) {
    if (decisions[end].kind !== "position") continue;
    if (positions === DECISIONS_FOLD.most) break;
    positions += 1;
  }
  return decisions.slice(from, Math.max(end, from + 1));
}

// Sums up a run of positions: their number and the usual time between them.
function decisionsFold(positions) {
  const times = positions.map((position) => position.time);
  const gaps = times.slice(1).map((time, k) => time - times[k]).sort((a, b) => a - b);
  const usual = gaps.length ? `, every ${seconds(gaps[gaps.length >> 1])}` : "";
  return { fold: true, key: times[0], time: times[0], words: `${times.length} positions${usual}`, group: "position", trouble: false };
}

function decisionsRow(row, index, total) {
  const kinds = ["decision", row.group, row.trouble ? "trouble" : "", row.fold ? "fold" : "", row.isUnfolded ? "unfolded" : ""];
  const button = make(
    "button",
    { type: "button", class: kinds.filter(Boolean).join(" "), "data-row": index, "aria-expanded": row.fold ? String(Boolean(row.isOpen)) : undefined },
    make("time", { text: fixed(row.time, 2) }),
    make("span", {}, row.trouble ? make("span", { class: "sr", text: "Trouble: " }) : null, row.words),
  );
  return make("li", { "aria-setsize": total, "aria-posinset": index + 1 }, button);
}
