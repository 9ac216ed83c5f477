// The moments worth a look, worst first, as a real list: it answers without any drawing.
// Each row has the cause in one sentence. Intended things come last and in grey, because they are no faults.

import { make, metres, seconds, whole } from "./format.js";

const MOMENTS_LEVELS = { bad: "worth a look", watch: "mild", note: "intended" };
// More rows than this wait behind a button: a list of thousands helps no one and costs time.
const MOMENTS_FIRST = 200;

// Builds the list of moments.
export function createMoments(root, model) {
  const count = make("span", { class: "quiet-text" });
  const order = make("span", { class: "quiet-text" });
  const turn = make("button", { type: "button", class: "link-button", title: "Change the order" });
  turn.addEventListener("click", () => model.setMomentOrder(model.momentOrder === "newest" ? "worst" : "newest"));
  const list = make("ol", { "aria-label": "Moments" });
  const empty = make("p", { class: "empty", text: "No moments. Nothing was off by more than 0.3\u2009m." });
  const more = make("button", { class: "button", type: "button" });
  const head = make("div", { class: "panel-head" }, make("h2", { text: "Moments" }), count, order, turn);
  // The heading scrolls in the same box, so that a scrollbar moves both and their edges stay aligned.
  const box = make("section", { class: "moments scroll", tabindex: -1, "aria-label": "Moments" }, head, list, empty, make("div", { class: "empty" }, more));
  root.append(box);

  let shown = null;
  let shownOrder = "";
  let limit = MOMENTS_FIRST;
  let chosen = -1;
  more.addEventListener("click", () => {
    limit = Infinity;
    shown = null;
    paint();
  });

  function paint() {
    if (shown !== model.moments || shownOrder !== model.momentOrder) {
      shown = model.moments;
      shownOrder = model.momentOrder;
      chosen = -1;
      const sorted = momentsSorted(model.moments, model.momentOrder);
      list.replaceChildren(...sorted.slice(0, limit).map((moment) => momentsRow(model, moment)));
      count.textContent = shown.length ? `${whole(shown.length)}${model.momentCount > shown.length ? ` of ${whole(model.momentCount)}` : ""}` : "";
      empty.hidden = shown.length > 0;
      if (model.kind === "live") empty.textContent = "Moments appear here as they happen.";
      const words = shownOrder === "newest" ? "newest first" : "worst first";
      order.textContent = turn.textContent = words;
      list.setAttribute("aria-label", `Moments, ${words}`);
      order.hidden = shown.length < 2 || model.kind === "live";
      turn.hidden = shown.length < 2 || model.kind !== "live";
      more.parentElement.hidden = shown.length <= limit;
      more.textContent = `Show all ${whole(shown.length)}`;
      root.dataset.moments = shown.length;
    }
    if (chosen !== model.moment) {
      momentsRowOf(list, chosen)?.removeAttribute("aria-current");
      chosen = model.moment;
      const row = momentsRowOf(list, chosen);
      row?.setAttribute("aria-current", "true");
      if (row) momentsReveal(box, row, head.offsetHeight);
    }
  }
  model.frame((changes) => {
    if (changes.has("moment") || changes.has("drawings") || changes.has("list")) paint();
  });
  paint();
}

// Returns the moments with the intended ones last. The order is otherwise the model's, or by time.
function momentsSorted(moments, order) {
  if (order === "newest") return [...moments].sort((one, other) => other.at - one.at);
  return [...moments.filter((moment) => moment.level !== "note"), ...moments.filter((moment) => moment.level === "note")];
}

function momentsRow(model, moment) {
  const { index, rank, name, at, level, kind, off, turn, words, short, cause } = moment;
  const told = cause === words ? words : `${short[0].toUpperCase()}${short.slice(1)}. ${cause}`;
  const size = Math.abs(off) >= 0.005 ? metres(Math.abs(off)) : turn > 0 ? `${whole(turn)}°` : kind;
  const button = make(
    "button",
    { type: "button", class: `moment level-${level}-row${level === "note" ? " level-note" : ""}`, "data-moment": index, title: `${name}: ${told}` },
    make("span", { class: "moment-rank", text: level === "note" ? "" : rank }),
    make("span", { class: "moment-name" }, name, " ", make("span", { text: seconds(at) })),
    make("span", { class: `moment-off level-${level}` }, size, make("span", { class: "sr", text: `, ${MOMENTS_LEVELS[level] ?? level}. ` })),
    make("span", { class: "moment-words", text: told }),
  );
  button.addEventListener("click", () => model.goMoment(index));
  return make("li", {}, button);
}

function momentsRowOf(list, index) {
  return index < 0 ? null : list.querySelector(`[data-moment="${index}"]`);
}

// Scrolls only the list. `scrollIntoView` would also move panels that hold it.
function momentsReveal(box, row, covered) {
  const frame = box.getBoundingClientRect();
  const place = row.getBoundingClientRect();
  if (place.top < frame.top + covered) box.scrollTop += place.top - frame.top - covered;
  else if (place.bottom > frame.bottom) box.scrollTop += place.bottom - frame.bottom + 8;
}
