// The plots in words: a label with the present values for each canvas, and a real table for readers who do not see it.

import { fixed, make, signed } from "./format.js";
import { seriesValue } from "./plotseries.js";

const TABLE_ROWS = 20;

// Returns a value as a plot writes it.
export function plotValue(kind, value) {
  return (kind.isSigned ? signed(value, kind.decimals) : fixed(value, kind.decimals)) + (kind.isAngle && Number.isFinite(value) ? "°" : "");
}

// Returns the label of a plot with its values at a time.
export function plotLabel(kind, model, lines, time) {
  const [from, to] = model.window;
  const values = lines.map((line) => `${line.name === "since" ? "" : `${line.name} `}${plotValue(kind, seriesValue(line, time))}`);
  return `${kind.words} of ${model.entity?.name ?? "nothing"}, ${fixed(from, 1)} to ${fixed(to, 1)} s. At ${fixed(time, 2)} s: ${values.join(", ") || "not there"}.`;
}

// Builds an empty table, which `plotTable` fills.
export function createPlotTable(kind) {
  return make("table", { class: "sr", "data-table": kind.key }, make("caption", { text: kind.words }), make("thead"), make("tbody"));
}

// Fills a table with some twenty rows over the window.
export function plotTable(table, kind, model, lines) {
  const [from, to] = model.window;
  const ordered = [...lines].reverse();
  const head = make("tr", {}, make("th", { scope: "col", text: "Time, s" }),
    ...ordered.map((line) => make("th", { scope: "col", text: line.name === "since" ? kind.title : line.name })));
  table.tHead.replaceChildren(head);
  const rows = [];
  for (let row = 0; row <= TABLE_ROWS; row += 1) {
    const time = from + ((to - from) * row) / TABLE_ROWS;
    rows.push(make("tr", {}, make("th", { scope: "row", text: fixed(time, 2) }),
      ...ordered.map((line) => make("td", { text: plotValue(kind, seriesValue(line, time)) }))));
  }
  table.tBodies[0].replaceChildren(...rows);
}
