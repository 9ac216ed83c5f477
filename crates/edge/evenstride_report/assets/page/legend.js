// Legends of stage and map: small samples of the marks, drawn as the views draw them, with the words of the design.

import { make } from "./format.js";

const LEGEND_SPACE = "http:" + "//www.w3.org/2000/svg";

// Returns the entries for a view. The order is that of weight, because the last ones go first where room is short.
export function legendFor(view, hue, usesTruth, hasGhost) {
  const entries = view === "stage"
    ? [["drawn, 0.1\u2009s apart", legendBeads(hue)], ["received", legendDot()]]
    : [["received, drawn then", legendLink()], ["waypoint", legendSquare()]];
  if (hasGhost) entries.splice(1, 0, ["as captured", legendGhost()]);
  if (usesTruth) entries.push(["truth", legendTruth()]);
  return entries.map(([words, sample]) => make("span", { class: "legend-entry" }, sample, make("span", { text: words })));
}

function legendSample(width, ...shapes) {
  const svg = document.createElementNS(LEGEND_SPACE, "svg");
  svg.setAttribute("viewBox", `0 0 ${width} 12`);
  svg.setAttribute("class", width > 14 ? "legend-wide" : "legend-small");
  svg.setAttribute("aria-hidden", "true");
  for (const [tag, attributes] of shapes) {
    const shape = document.createElementNS(LEGEND_SPACE, tag);
    for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, value);
    svg.append(shape);
  }
  return svg;
}

function legendBeads(hue) {
  const sample = legendSample(20,
    ["path", { d: "M2 6H18", class: "legend-trail" }],
    ...[3, 10, 17].map((cx) => ["circle", { cx, cy: 6, r: 2.6, class: "legend-bead" }]));
  sample.style.setProperty("--hue", `var(${hue})`);
  return sample;
}

function legendDot() {
  return legendSample(12, ["circle", { cx: 6, cy: 6, r: 3.2, class: "legend-fact" }]);
}

function legendLink() {
  return legendSample(20, ["path", { d: "M4 6H12", class: "legend-bad" }], ["circle", { cx: 15, cy: 6, r: 3.2, class: "legend-bad" }], ["circle", { cx: 4, cy: 6, r: 3, class: "legend-fact" }]);
}

function legendSquare() {
  return legendSample(12, ["rect", { x: 1.5, y: 1.5, width: 9, height: 9, class: "legend-outline" }]);
}

function legendTruth() {
  return legendSample(12, ["circle", { cx: 6, cy: 6, r: 4.6, class: "legend-outline legend-dashed" }]);
}

function legendGhost() {
  return legendSample(12, ["circle", { cx: 6, cy: 6, r: 4.6, class: "legend-outline legend-dotted" }]);
}
