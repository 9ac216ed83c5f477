// The inspector: state of the selected entity now, a verdict in one sentence, its decisions, and the message behind them.

import { make } from "./format.js";
import { createDecisions } from "./decisions.js";
import { createMessage } from "./message.js";

// Builds the inspector. `actions` has copy(text, words).
export function createInspector(root, model, actions) {
  const head = inspectorHead(model, actions);
  root.append(head.element);
  const message = createMessage(model);
  const decisions = createDecisions(model, (decision) => message.showBehind(decision));
  root.append(decisions.element, message.element);

  function paint(changes) {
    head.paint(changes);
    decisions.paint(changes);
    message.paint(changes);
  }
  model.frame(paint);
  paint(new Set(["select", "drawings"]));
}

function inspectorHead(model, actions) {
  const name = make("h2", { class: "entity-name" });
  const guid = make("button", { type: "button", title: "Copy the GUID" });
  const sort = make("span");
  const state = make("dl", { class: "state" });
  const verdict = make("p", { class: "verdict" });
  const element = make("section", { class: "entity-head", "aria-label": "State" }, name, make("p", { class: "entity-id" }, guid, sort), state, verdict);
  guid.addEventListener("click", () => actions.copy(guid.textContent, `${guid.textContent} copied`));
  const rows = [];

  function paint(changes) {
    const { entity } = model;
    element.hidden = !entity;
    if (!entity) return;
    if (changes.has("select") || changes.has("drawings")) {
      name.textContent = entity.name;
      guid.textContent = entity.guid;
      sort.textContent = ` · ${entity.sort}`;
    }
    inspectorRows(state, rows, model.state());
    const { words, level } = inspectorVerdict(model);
    verdict.hidden = !words;
    inspectorText(verdict, words);
    if (verdict.dataset.level !== level) verdict.dataset.level = level;
  }
  return { element, paint };
}

// Changes only the words that differ, because this runs in every frame of playback.
function inspectorRows(list, rows, values) {
  while (rows.length > values.length) rows.pop().forEach((part) => part.remove());
  while (rows.length < values.length) {
    const row = [make("dt"), make("dd")];
    rows.push(row);
    list.append(...row);
  }
  values.forEach(({ label, value, level }, index) => {
    const [term, detail] = rows[index];
    inspectorText(term, label);
    inspectorText(detail, value);
    const kind = level ? `level-${level}` : "";
    if (detail.className !== kind) detail.className = kind;
  });
}

// Returns what happens now, or the cause of the present moment where the list of moments is hidden behind a tab.
function inspectorVerdict(model) {
  const isNarrow = ["narrow", "tablet", "phone"].includes(document.body.dataset.width);
  const moment = model.moments[model.moment];
  if (isNarrow && moment && model.time >= moment.from - 0.5 && model.time <= moment.to + 0.5) {
    return { words: moment.words, level: moment.level === "note" ? "calm" : moment.level };
  }
  return model.verdict();
}

function inspectorText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
