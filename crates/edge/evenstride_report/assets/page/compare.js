// One row per contestant, and the best of each column in bold, also if it is not ours. The table also chooses what the panes show.

import { drawingHue, drawingLabel } from "./drawing.js";
import { make, whole } from "./format.js";

// Builds the table. It is hidden where nothing can be compared.
export function createCompare(root, model) {
  const note = make("span", { class: "quiet-text", text: "best in bold" });
  const head = make("tr");
  const body = make("tbody");
  const table = make("table", { "aria-label": "Contestants" }, make("thead", {}, head), body);
  const section = make(
    "section",
    { class: "compare scroll", "aria-label": "Compare" },
    make("div", { class: "panel-head" }, make("h2", { text: "Compare" }), note),
    table,
  );
  root.append(section);

  let shown = "";
  function paint() {
    const { compare } = model;
    section.hidden = !compare;
    if (!compare) return;
    const inPanes = model.wantedNames();
    const key = JSON.stringify([compare, inPanes]);
    if (key === shown) return;
    shown = key;
    section.toggleAttribute("data-stale", !compare.isCurrent);
    note.textContent = compare.isCurrent ? "best in bold" : "as recorded";
    head.replaceChildren(make("th", { scope: "col" }, make("span", { class: "sr", text: "Contestant" })), ...compare.columns.map(compareHead));
    const focused = document.activeElement?.closest?.(".compare tbody button")?.dataset.name;
    body.replaceChildren(...compare.rows.map((row) => compareRow(model, row, inPanes)));
    if (focused) [...body.querySelectorAll("button")].find((button) => button.dataset.name === focused)?.focus();
  }
  model.frame((changes) => {
    if (changes.has("drawings") || changes.has("busy")) paint();
  });
  paint();
}

function compareHead({ label, unit, title }) {
  return make("th", { scope: "col", title }, label, make("i", { text: unit || "\u00a0" }));
}

function compareRow(model, { name, values, best }, inPanes) {
  const label = drawingLabel(name);
  const isShown = inPanes.includes(name);
  const swatch = make("span", { class: isShown ? "swatch" : "swatch hollow" });
  swatch.style.setProperty("--hue", `var(${drawingHue(name)})`);
  const button = make("button", { type: "button", "aria-pressed": String(isShown), "data-name": name, title: compareHint(name, label, inPanes) }, swatch, make("span", { text: label }));
  const cells = values.map((value, index) =>
    make("td", { class: best[index] ? "best" : undefined }, compareNumber(value), best[index] ? make("span", { class: "sr", text: " best" }) : null),
  );
  const row = make("tr", { "data-name": name }, make("th", { scope: "row" }, button), ...cells);
  row.addEventListener("click", (event) => compareChoose(model, name, event.ctrlKey || event.metaKey));
  return row;
}

// Returns a value with commas between thousands, as everywhere on the page.
function compareNumber(value) {
  return /^\d{4,}$/.test(value ?? "") ? whole(Number(value)) : (value ?? "–");
}

function compareHint(name, label, inPanes) {
  if (inPanes[0] === name) return `${label} is in the first pane`;
  return inPanes.includes(name) ? `Take ${label} out of the panes` : `Show ${label} in the second pane (Ctrl or ⌘: add a third)`;
}

// Puts a contestant into the second pane, or adds it as the third. Choosing a shown one takes it out again.
function compareChoose(model, name, isAdded) {
  const names = model.wantedNames();
  if (names[0] === name) return;
  if (names.includes(name)) model.setPanes(names.filter((other) => other !== name));
  else if (isAdded) model.setPanes([...names.slice(0, 2), name]);
  else model.setPanes([names[0], name]);
}
