// The keyboard, and the dialog that explains it together with the marks.
// A key typed in a field belongs to the field. A widget that uses a key itself prevents its default, and then it ends there.

import { make, svgIcon } from "./format.js";

const KEYS_SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];
const KEYS_HELP = [
  ["Time", [[["Space"], "play or pause"], [["←", "→"], "one frame"], [["Shift", "←", "→"], "one second"], [["N", "P"], "next, previous moment"], [["S"], "speed"], [["+", "−"], "zoom the time"], [["0"], "show all"], [["End"], "follow a live session"]]],
  ["View", [[["1", "2", "3"], "stage, map, both"], [["F"], "follow, or the whole scene"], [["↑", "↓"], "previous, next entity"], [["/"], "find an entity"]]],
  ["Page", [[["L"], "copy link"], [["D"], "light or dark"], [["?"], "this help"], [["Esc"], "leave a field"]]],
];
const KEYS_MARKS = [
  ["│", "update"],
  ["▨", "late", "watch"],
  ["◆", "snap", "bad"],
  ["✳", "teleport"],
  ["⌒", "jump"],
  ["▢", "gone; on the map a waypoint"],
  ["❶", "moment, by rank", "bad"],
  ["●", "received"],
  ["○", "drawn at that moment"],
  ["◌", "truth"],
  ["┄", "as recorded, during a what-if"],
];
const KEYS_OF_RANGES = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"];

// Listens to the keyboard. `actions` has copyLink, toggleTheme, showHelp, search, follow and step.
export function createKeys(model, actions) {
  // After a click a button keeps the focus, but Space then still means play. After Tab it means the button.
  let isTabbing = false;
  window.addEventListener("pointerdown", () => (isTabbing = false), true);
  window.addEventListener("keydown", (event) => {
    if (event.key === "Tab") isTabbing = true;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return keysLeave();
    if (keysBelong(event, isTabbing)) return;
    const command = keysCommand(event, model, actions);
    if (!command) return;
    event.preventDefault();
    command();
  });
  window.addEventListener("keyup", (event) => {
    // Firefox clicks a focused button when Space is released.
    if (event.key === " " && !isTabbing && event.target.matches?.("button")) event.preventDefault();
  });
}

// Returns whether a key belongs to the element that has the focus.
function keysBelong(event, isTabbing) {
  const target = event.target;
  if (!(target instanceof Element)) return false;
  if (target.closest("dialog")) return true;
  if (target.matches("input[type=range]")) return KEYS_OF_RANGES.includes(event.key);
  if (target.matches("input, textarea, select") || target.isContentEditable) return true;
  if (event.key === " " || event.key === "Enter") return isTabbing && target.matches("button, a, summary, [role=tab], [role=option]");
  return false;
}

function keysLeave() {
  const field = document.activeElement;
  if (field && field !== document.body && !field.closest("dialog")) field.blur();
}

function keysCommand(event, model, actions) {
  const step = event.key === "ArrowLeft" ? -1 : 1;
  switch (event.key.length === 1 ? event.key.toLowerCase() : event.key) {
    case " ": return () => model.toggle();
    case "ArrowLeft":
    case "ArrowRight": return () => (event.shiftKey ? model.seek(model.time + step) : model.stepFrames(step));
    case "ArrowUp": return () => keysEntity(model, -1);
    case "ArrowDown": return () => keysEntity(model, 1);
    case "n": return () => model.nextMoment(1);
    case "p": return () => model.nextMoment(-1);
    case "+":
    case "=": return () => model.zoom(0.5, model.time);
    case "-":
    case "−": return () => model.zoom(2, model.time);
    case "0": return () => model.showAll();
    case "End": return model.kind === "live" ? () => model.goLive() : null;
    case "1": return () => model.setView("stage");
    case "2": return () => model.setView("map");
    case "3": return () => model.setView("both");
    case "f": return () => actions.follow();
    case "s": return () => keysSpeed(model, event.shiftKey ? -1 : 1);
    case "/": return () => actions.search();
    case "l": return () => actions.copyLink();
    case "d": return () => actions.toggleTheme();
    case "?": return () => actions.showHelp();
    default: return null;
  }
}

function keysEntity(model, step) {
  const at = model.order.indexOf(model.selected);
  const next = model.order[Math.min(Math.max(at + step, 0), model.order.length - 1)];
  if (next !== undefined && next !== model.selected) model.select(next);
}

function keysSpeed(model, step) {
  const at = KEYS_SPEEDS.findIndex((speed) => speed >= model.speed - 1e-9);
  model.setSpeed(KEYS_SPEEDS[(at + step + KEYS_SPEEDS.length) % KEYS_SPEEDS.length]);
}

// Builds the dialog and returns the function that shows it. `onFile` takes a file chosen there instead of dropped.
export function createHelp(onFile) {
  const close = make("button", { type: "button", class: "button quiet icon-only", "aria-label": "Close", title: "Close (Esc)" }, svgIcon("close"));
  const sections = KEYS_HELP.map(([title, rows]) =>
    make("section", {}, make("h3", { text: title }), ...rows.map(([keys, words]) => keysRow(make("span", {}, ...keys.map((key) => make("kbd", { text: key }))), words))),
  );
  const marks = make("section", {}, make("h3", { text: "Marks" }), ...KEYS_MARKS.map(([mark, words, level = ""]) => keysRow(make("span", { class: `help-mark level-${level}`, text: mark }), words)));
  const file = make("input", { type: "file", class: "sr", tabindex: -1, "aria-hidden": "true" });
  const open = make("button", { type: "button", class: "button", text: "Open a capture…" });
  const dialog = make(
    "dialog",
    { "aria-label": "Keyboard and marks" },
    make("div", { class: "dialog-head" }, make("h2", { text: "Keyboard and marks" }), close),
    make("div", { class: "dialog-body help-columns" }, ...sections, marks),
    make("div", { class: "dialog-foot" }, make("span", { class: "quiet-text", text: "A capture can also be dropped onto the page." }), file, open),
  );
  document.body.append(dialog);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  open.addEventListener("click", () => file.click());
  file.addEventListener("change", () => {
    if (file.files[0]) onFile(file.files[0]);
    file.value = "";
    dialog.close();
  });
  return () => {
    if (!dialog.open) dialog.showModal();
  };
}

function keysRow(sign, words) {
  return make("div", { class: "help-row" }, make("span", { text: words }), sign);
}
