// The header: mark, caption, the one sentence, warnings, and the actions that belong to the whole page.
// The sentence is the page's answer. It comes from the model in parts, so that names stay text and the number is a link.

import { make, svgIcon } from "./format.js";
import { hashOfMoment } from "./link.js";

// Builds the header. `actions` has copyLink, toggleTheme and showHelp.
export function createHeader(root, model, actions) {
  const caption = make("p", { class: "caption" });
  const sentence = make("h1", { class: "sentence" });
  const warnings = make("ul", { class: "warnings", "aria-label": "Warnings" });
  // A phone shows one line of each, and the rest after a tap.
  warnings.addEventListener("click", () => warnings.classList.toggle("is-open"));
  root.append(
    headerMark(),
    make("div", { class: "header-words" }, caption, sentence),
    headerActions(actions),
    warnings,
  );

  let shown = "";
  function paint() {
    const facts = model.caption();
    const parts = model.sentence();
    const key = JSON.stringify([facts, parts, model.warnings]);
    if (key === shown) return;
    shown = key;
    caption.replaceChildren(...headerCaption(facts));
    caption.title = [facts.title, ...facts.facts].join(" · ");
    sentence.replaceChildren(...parts.map((part) => headerPart(part, model)));
    warnings.replaceChildren(...model.warnings.map((words) => make("li", {}, ...headerWarning(words))));
    warnings.hidden = model.warnings.length === 0;
  }
  model.frame((changes) => {
    // The playhead alone never changes the words, and it moves in every frame.
    if (changes.size > 1 || !changes.has("time")) paint();
  });
  paint();
}

// Draws the mark: three dots are updates, and the curve is the path drawn through them.
function headerMark() {
  const space = "http:" + "//www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 30 26");
  svg.setAttribute("class", "mark");
  svg.setAttribute("aria-hidden", "true");
  const curve = document.createElementNS(space, "path");
  curve.setAttribute("d", "M3 16.5C8.5 16.5 9 4 15 4s6.5 12.5 12 12.5");
  svg.append(curve);
  for (const x of [4, 15, 26]) {
    const dot = document.createElementNS(space, "circle");
    dot.setAttribute("cx", x);
    dot.setAttribute("cy", 22.5);
    dot.setAttribute("r", 1.9);
    svg.append(dot);
  }
  return svg;
}

function headerActions(actions) {
  const copy = make(
    "button",
    { class: "button quiet copy-link", type: "button", title: "Copy link to this moment (L)", "aria-label": "Copy link", onclick: actions.copyLink },
    svgIcon("link"),
    make("span", { text: "Copy link" }),
  );
  const theme = make(
    "button",
    { class: "button quiet icon-only", type: "button", title: "Light or dark (D)", "aria-label": "Light or dark", onclick: actions.toggleTheme },
    headerTheme(),
  );
  const help = make(
    "button",
    { class: "button quiet icon-only keyboard-help", type: "button", title: "Keyboard and marks (?)", "aria-label": "Keyboard and marks", onclick: actions.showHelp },
    svgIcon("keyboard"),
  );
  return make("div", { class: "header-actions" }, copy, theme, help);
}

// Returns a circle whose left half is filled.
function headerTheme() {
  const icon = svgIcon("theme");
  const half = icon.firstChild.cloneNode();
  half.setAttribute("d", "M8 2.5a5.5 5.5 0 1 0 0 11z");
  half.setAttribute("class", "filled");
  icon.append(half);
  return icon;
}

function headerCaption({ title, facts, whatIf, lost }) {
  const parts = lost ? [make("span", { class: "lost", role: "status", text: lost }), " · "] : [];
  if (whatIf) parts.push(make("span", { class: "changed", text: whatIf }), " · ");
  parts.push(make("b", { text: title }));
  for (const fact of facts) parts.push(` · ${fact}`);
  return parts;
}

function headerPart(part, model) {
  let element = part.strong || part.hue ? make("b", { text: part.text }) : document.createTextNode(part.text);
  if (part.hue) element.style.setProperty("--hue", `var(${part.hue})`);
  if (part.moment !== undefined && model.moments[part.moment]) {
    element = make("a", { href: hashOfMoment(model, part.moment), title: "Show this moment" }, element);
    element.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      model.goMoment(part.moment);
    });
  }
  return element;
}

// Sets the parts between backticks as code.
function headerWarning(words) {
  return words.split("`").map((part, index) => (index % 2 ? make("code", { text: part }) : document.createTextNode(part)));
}
