// Play, moments, speed and the clock. The clock stands at the right end of the gutter, beside the overview, because
// both answer the same question: where in the recording are we?

import { fixed, make, svgIcon } from "./format.js";
import { axisText } from "./timeaxis.js";

const TRANSPORT_SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

// Builds the transport and returns its painter.
export function createTransport(root, model) {
  const play = make("button", { type: "button", class: "play" });
  const back = transportStep("previous", "Previous moment", "P", () => model.nextMoment(-1));
  const next = transportStep("next", "Next moment", "N", () => model.nextMoment(1));
  const speed = make("select", { class: "select speed", "aria-label": "Speed", title: "Speed (S)" });
  for (const value of TRANSPORT_SPEEDS) speed.append(make("option", { value: String(value), text: `${value}×` }));
  const now = make("b");
  const whole = make("span", { class: "whole" });
  const live = make("button", { type: "button", class: "button live", title: "Show what happens now (End)" }, make("span", { class: "live-dot", "aria-hidden": "true" }), "Live");
  const clock = make("p", { class: "clock", role: "timer", "aria-label": "Time", "aria-live": "off" }, now, make("span", { class: "unit", text: "s" }), whole);
  root.append(play, back, next, speed, live, clock);

  play.addEventListener("click", () => model.toggle());
  live.addEventListener("click", () => model.goLive());
  speed.addEventListener("change", () => model.setSpeed(Number(speed.value)));

  function paintState() {
    const [name, words] = model.playing ? ["pause", "Pause"] : ["play", "Play"];
    if (play.dataset.shows !== name) {
      play.dataset.shows = name;
      play.replaceChildren(svgIcon(name));
      play.setAttribute("aria-label", words);
      play.title = `${words} (Space)`;
    }
    const hasNone = model.moments.length === 0;
    back.disabled = next.disabled = hasNone;
    play.disabled = Boolean(model.emptiness);
    const value = String(model.speed);
    // Another part may have chosen a speed that is not on the list.
    if (![...speed.options].some((option) => option.value === value)) speed.append(make("option", { value, text: `${fixed(model.speed, 2)}×` }));
    if (speed.value !== value) speed.value = value;
    live.hidden = model.kind !== "live";
    live.disabled = Boolean(model.emptiness || model.live.ended);
    live.setAttribute("aria-pressed", String(model.follows));
    speed.hidden = model.kind === "live" && model.follows;
    axisText(whole, model.kind === "live" ? "" : `of ${fixed(model.end, 1)}`);
  }

  return function paintTransport(changes) {
    if (changes.has("play") || changes.has("moment") || changes.has("drawings") || changes.has("view") || !play.dataset.shows) paintState();
    axisText(now, fixed(model.time, 2));
  };
}

function transportStep(icon, words, key, act) {
  return make("button", { type: "button", class: "button quiet icon-only", "aria-label": words, title: `${words} (${key})`, onclick: act }, svgIcon(icon));
}
