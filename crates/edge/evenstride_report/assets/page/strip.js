// The what-if strip: who draws, how fast, and what is added to the network. Every control is a question to the core.
// The values read "0" by default, because they are added to the recording and do not describe it.

import { drawingLabel } from "./drawing.js";
import { clamp, make, svgIcon } from "./format.js";
import { PANES_WIDE } from "./panes.js";

const STRIP_RATES = [10, 15, 20, 30, 60, 90, 120, 144, 240];
const STRIP_SLIDERS = [
  { key: "latency", label: "Latency", unit: "ms", max: 500, step: 10, title: "Delay added to every message" },
  { key: "jitter", label: "Jitter", unit: "ms", max: 200, step: 5, title: "Random delay added to every message, at most" },
  { key: "loss", label: "Loss", unit: "%", max: 30, step: 1, title: "Share of packets lost on the way. The protocol sends them again" },
];
const STRIP_VIEWS = [
  ["stage", "Stage", "1"],
  ["map", "Map", "2"],
  ["both", "Both", "3"],
];

// A slider asks again while it moves, at most this often.
const STRIP_PAUSE_MS = 90;
// Work shorter than this shows no progress line.
const STRIP_PATIENCE_MS = 100;

// Builds the strip. Returns the view switch, which lies over the pane on phones, and what stands in the header elsewhere.
export function createStrip(root, model) {
  const parts = [stripClient(model), stripHead(model), stripProfile(model), stripRival(model), stripRate(model)];
  const sliders = STRIP_SLIDERS.map((slider) => stripSlider(model, slider));
  const extras = stripExtras(model);
  const progress = stripProgress(model);
  const views = stripViews(model);
  root.append(
    make("div", { class: "strip-group" }, ...parts.map((part) => part.element)),
    make("div", { class: "strip-group strip-sliders" }, ...sliders.map((slider) => slider.element)),
    progress.element,
  );

  const all = [...parts, ...sliders, extras, views];
  function paint() {
    root.toggleAttribute("data-changed", model.isChanged);
    root.dataset.kind = model.kind;
    for (const part of all) part.paint();
  }
  model.frame((changes) => {
    if (changes.has("drawings") || changes.has("view")) paint();
    if (changes.has("busy")) progress.paint();
  });
  paint();
  progress.paint();
  return { views: views.element, extras: extras.element };
}

// Chooses a client of a live session, where there are several.
function stripClient(model) {
  const select = make("select", { class: "select client", "aria-label": "Client", title: "Client" });
  select.addEventListener("change", () => model.live.choose?.(Number(select.value)));
  return {
    element: select,
    paint() {
      const { views, connection } = model.live;
      select.hidden = model.kind !== "live" || views.length < 2;
      if (select.hidden) return;
      const words = (id) => {
        const view = views.find((of) => String(of.connection) === id);
        const name = `${id}: ${view?.player || view?.client || "connection"}`;
        return view?.has_ended ? `${name}, ended` : name;
      };
      const key = views.map((of) => words(String(of.connection))).join();
      if (select.dataset.words !== key) select.dataset.key = "";
      select.dataset.words = key;
      stripOptions(select, [["", views.map((of) => String(of.connection))]], String(connection), undefined, words);
    },
  };
}

// Shows "What if", or the way back to the recording when anything differs from it.
function stripHead(model) {
  const title = make("span", { class: "strip-title", text: "What if" });
  const reset = make(
    "button",
    { class: "button quiet reset", type: "button", title: "Back to the recording", onclick: () => model.resetWhatIf() },
    svgIcon("reset"),
    make("span", { text: "Reset" }),
  );
  return {
    element: make("div", {}, title, reset),
    paint() {
      title.hidden = model.isChanged;
      reset.hidden = !model.isChanged;
    },
  };
}

function stripProfile(model) {
  const select = make("select", { class: "select", "aria-label": "Profile", title: "Profile" });
  select.addEventListener("change", () => model.setPanes([select.value, ...model.wantedNames().slice(1)]));
  return {
    element: select,
    paint() {
      // A contest chooses in its table.
      select.hidden = model.kind === "demo";
      const [own] = model.wantedNames();
      stripOptions(select, [["", model.profiles]], own);
      select.classList.toggle("changed-value", model.isChanged && own !== model.about.panes[0]);
    },
  };
}

function stripRival(model) {
  const select = make("select", { class: "select", "aria-label": "Compare with", title: "Compare with" });
  select.addEventListener("change", () => {
    const others = select.value ? [select.value] : [];
    model.setPanes([model.wantedNames()[0], ...others]);
  });
  return {
    element: select,
    paint() {
      select.hidden = model.kind === "demo";
      const [own, other = ""] = model.wantedNames();
      const groups = [
        ["Profiles", model.profiles.filter((name) => name !== own)],
        ["Other techniques", model.rivals.filter((name) => name !== own)],
      ];
      stripOptions(select, groups, other, "Compare…");
    },
  };
}

function stripRate(model) {
  const select = make("select", { class: "select", "aria-label": "Frame rate", title: "Frame rate" });
  select.addEventListener("change", () => model.setWhatIf({ fps: Number(select.value) }));
  return {
    element: select,
    paint() {
      const { fps } = model.whatIf;
      const rates = [...new Set([...STRIP_RATES, fps, model.baseline.fps])].sort((a, b) => a - b).map(String);
      stripOptions(select, [["", rates]], String(fps), undefined, (rate) => `${rate} fps`);
      select.classList.toggle("changed-value", fps !== model.baseline.fps);
    },
  };
}

// Fills a select when its choices have changed. A value that no group has is added, so that the truth is always shown.
function stripOptions(select, groups, value, none, words = drawingLabel) {
  const known = groups.some(([, names]) => names.includes(value)) || (none !== undefined && value === "");
  const shown = known ? groups : [["", [value]], ...groups];
  const key = JSON.stringify([shown, none]);
  if (select.dataset.key !== key) {
    select.dataset.key = key;
    const options = none === undefined ? [] : [make("option", { value: "", text: none })];
    for (const [label, names] of shown) {
      const list = names.map((name) => make("option", { value: name, text: words(name) }));
      if (label && list.length) options.push(make("optgroup", { label }, ...list));
      else options.push(...list);
    }
    select.replaceChildren(...options);
  }
  if (select.value !== value) select.value = value;
}

function stripSlider(model, { key, label, unit, max, step, title }) {
  const output = make("output");
  const input = make("input", { type: "range", class: "range", min: 0, max, step, "aria-label": label });
  const element = make("label", { class: "slider", title }, make("span", { text: label }), output, input);
  let held = false;
  let waiting = 0;

  function show(value) {
    input.style.setProperty("--part", `${(100 * value) / Number(input.max)}%`);
    output.textContent = `${value > 0 ? "+" : ""}${value}\u2009${unit}`;
    output.classList.toggle("changed-value", value > 0);
    input.setAttribute("aria-valuetext", `${value} ${unit} added`);
  }
  function ask() {
    clearTimeout(waiting);
    waiting = 0;
    if (model.whatIf[key] !== Number(input.value)) model.setWhatIf({ [key]: Number(input.value) });
  }
  input.addEventListener("input", () => {
    held = true;
    show(Number(input.value));
    waiting ||= setTimeout(ask, STRIP_PAUSE_MS);
  });
  input.addEventListener("change", () => {
    held = false;
    ask();
  });
  return {
    element,
    paint() {
      // A slider that is held shows the hand's value and not the answer's.
      if (held) return;
      const value = model.whatIf[key];
      input.max = Math.max(max, value);
      input.value = value;
      show(value);
    },
  };
}

// Shows the messages that were switched off, and the seed where chance plays a part.
function stripExtras(model) {
  const dropped = make("button", { class: "button", type: "button", title: "Restore all dropped messages" });
  const seed = make("button", { class: "button", type: "button", title: "The same seed gives the same result. Take the next one" });
  dropped.addEventListener("click", () => model.setWhatIf({ dropped: [] }));
  seed.addEventListener("click", () => model.setWhatIf({ seed: (model.whatIf.seed % 999) + 1 }));
  const element = make("div", { class: "strip-group strip-extras" }, dropped, seed);
  return {
    element,
    paint() {
      const { dropped: gone, jitter, loss, seed: number } = model.whatIf;
      dropped.textContent = `${gone.length} dropped`;
      dropped.hidden = gone.length === 0;
      seed.textContent = `Seed ${number}`;
      seed.hidden = !(jitter > 0 || loss > 0);
      element.hidden = dropped.hidden && seed.hidden;
    },
  };
}

function stripProgress(model) {
  const element = make("div", { class: "progress", role: "progressbar", "aria-label": "Computing", "aria-valuemin": 0, "aria-valuemax": 100, hidden: true });
  let since = 0;
  return {
    element,
    paint() {
      if (model.busy === null) {
        since = 0;
        element.hidden = true;
        return;
      }
      since ||= performance.now();
      const part = clamp(model.busy, 0.02, 1);
      element.hidden = performance.now() - since < STRIP_PATIENCE_MS;
      element.style.transform = `scaleX(${part})`;
      element.setAttribute("aria-valuenow", Math.round(100 * part));
    },
  };
}

function stripViews(model) {
  const buttons = STRIP_VIEWS.map(([view, label, key]) =>
    make("button", { type: "button", "data-view": view, title: `${label} (${key})`, text: label, onclick: () => model.setView(view) }),
  );
  const element = make("div", { class: "switch", role: "group", "aria-label": "View" }, ...buttons);
  return {
    element,
    paint() {
      // A phone has room for one view, and "both" shows the stage there.
      const view = document.body.dataset.width === "phone" && model.view === "both" ? "stage" : model.view;
      // Drawings side by side leave no room for both, unless the window is wide.
      const isFull = model.panes.length > 1 && window.innerWidth < PANES_WIDE;
      for (const button of buttons) {
        const isBoth = button.dataset.view === "both";
        button.setAttribute("aria-pressed", button.dataset.view === (isFull && view === "both" ? "stage" : view));
        if (isBoth) button.disabled = isFull;
        if (isBoth) button.title = isFull ? "A wider window shows both of several drawings" : "Both (3)";
      }
    },
  };
}
