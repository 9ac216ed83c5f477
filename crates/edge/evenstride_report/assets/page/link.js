// The state in the address: a moment can be sent to a colleague, who then sees exactly that, paused.
// The address is written when playback rests and never while it runs, because every write costs the browser a record.

import { clamp, fixed, make } from "./format.js";

const LINK_NUMBERS = { lat: "latency", jit: "jitter", loss: "loss", fps: "fps", seed: "seed" };
// What the core takes: milliseconds, per cent, frames per second, and a number of 32 bits. Without any packet, nothing ends.
const LINK_LIMITS = { lat: [0, 60000], jit: [0, 60000], loss: [0, 90], fps: [1, 1000], seed: [0, 4294967295] };
// Shortest time between two writes. Safari allows 100 of them in 30 seconds.
const LINK_PAUSE_MS = 400;

// Keeps the address up to date. Returns { read, apply, href }.
export function createLink(model, actions) {
  const extras = {};
  let waiting = 0;
  // The address as it was last read or written. Another one is a link whose event is still to come.
  let known = location.hash;

  function href() {
    return `#${linkWrite(model, extras)}`;
  }
  function write() {
    clearTimeout(waiting);
    waiting = 0;
    if (model.playing || location.hash !== known || known === href()) return;
    try {
      history.replaceState(null, "", href());
      known = location.hash;
    } catch {
      // Some browsers forbid it for files or limit how often it happens. The button still copies the link.
    }
  }
  function apply(state) {
    if (state.theme) {
      extras.theme = state.theme;
      actions.setTheme(state.theme, false);
    }
    if (state.isStill) extras.isStill = true;
    linkApply(model, state);
  }

  model.frame(() => {
    // The pace is fixed. Waiting for rest would never end while the core computes.
    if (!model.playing) waiting ||= setTimeout(write, LINK_PAUSE_MS);
  });
  window.addEventListener("hashchange", () => {
    known = location.hash;
    const state = linkRead(known);
    if (state) apply(state);
  });
  return { apply, href, write };
}

// Reads a hash, or returns null when it says nothing about the page.
export function linkRead(hash) {
  const state = { whatIf: {} };
  for (const pair of hash.replace(/^#/, "").split("&")) {
    const [key, raw = ""] = pair.split(/=(.*)/s);
    const value = linkDecode(raw);
    const number = Number(value);
    const isNumber = value !== "" && Number.isFinite(number);
    if (key === "t" && isNumber) state.time = number;
    else if (key === "e" && value) state.guid = value.toLowerCase().replace(/^0x/, "");
    else if (key === "p" && value) state.panes = value.split("+").filter(Boolean).slice(0, 3);
    else if (key === "w") state.window = linkWindow(value);
    else if (key === "v" && ["stage", "map", "both"].includes(value)) state.view = value;
    else if (Object.hasOwn(LINK_NUMBERS, key) && isNumber) state.whatIf[LINK_NUMBERS[key]] = linkNumberOf(key, number);
    else if (key === "drop") state.whatIf.dropped = value.split(",").filter((part) => /^\d+$/.test(part)).map(Number);
    else if (key === "c" && /^\d+$/.test(value)) state.connection = Number(value);
    else if (key === "theme" && ["light", "dark"].includes(value)) state.theme = value;
    else if (key === "still") state.isStill = true;
    else continue;
    state.isAny = true;
  }
  return state.isAny ? state : null;
}

// Returns the nearest number that the core takes.
function linkNumberOf(key, number) {
  const near = clamp(number, ...LINK_LIMITS[key]);
  return key === "seed" ? Math.round(near) : near;
}

function linkDecode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

function linkWindow(value) {
  const [from, to] = value.split("-").map(Number);
  return Number.isFinite(from) && to > from ? [from, to] : undefined;
}

// Writes the state. What equals the recording is left out, so that a plain link stays short.
function linkWrite(model, extras) {
  const parts = [`t=${linkNumber(model.time, 3)}`];
  if (model.entity) parts.push(`e=${model.entity.guid.replace(/^0x/i, "")}`);
  parts.push(`p=${model.wantedNames().map(encodeURIComponent).join("+")}`);
  parts.push(`w=${linkNumber(model.window[0], 2)}-${linkNumber(model.window[1], 2)}`, `v=${model.view}`);
  const { whatIf, baseline } = model;
  for (const [key, name] of Object.entries(LINK_NUMBERS)) {
    const isChance = name === "seed" && (whatIf.jitter > 0 || whatIf.loss > 0);
    if (whatIf[name] !== baseline[name] || isChance) parts.push(`${key}=${whatIf[name]}`);
  }
  if (whatIf.dropped.length) parts.push(`drop=${whatIf.dropped.join(",")}`);
  if (model.live.chosen !== null) parts.push(`c=${model.live.chosen}`);
  // A link does not force a theme on its reader, but one that was opened with a theme keeps it.
  if (extras.theme) parts.push(`theme=${extras.theme}`);
  if (extras.isStill) parts.push("still");
  return parts.join("&");
}

function linkNumber(number, decimals) {
  return String(Number(Math.max(number, 0).toFixed(decimals)));
}

// Shows what a link says. The what-if is complete: what the link leaves out is as recorded.
function linkApply(model, state) {
  model.pause();
  const known = [...model.profiles, ...model.rivals, ...model.wantedNames()];
  const panes = state.panes?.filter((name) => known.includes(name));
  if (panes?.length && panes.join("+") !== model.wantedNames().join("+")) model.setPanes(panes);
  const wanted = { ...model.baseline, ...state.whatIf };
  if (linkDiffers(model.whatIf, wanted)) model.setWhatIf(wanted);
  const entity = model.entities.find((other) => other.guid.toLowerCase().replace(/^0x/, "") === state.guid);
  if (entity && entity.index !== model.selected) model.select(entity.index);
  if (state.view && state.view !== model.view) model.setView(state.view);
  if (state.time !== undefined) model.seek(state.time);
  if (state.window) model.setWindow(...state.window);
}

function linkDiffers(now, wanted) {
  return Object.keys(wanted).some((key) => JSON.stringify(now[key]) !== JSON.stringify(wanted[key]));
}

// Returns the address of a moment, for the link in the sentence.
export function hashOfMoment(model, index) {
  const { at, entity } = model.moments[index];
  const guid = model.entities[entity]?.guid.replace(/^0x/i, "");
  return `#t=${fixed(at, 3)}${guid ? `&e=${guid}` : ""}`;
}

// Copies text. The older way helps where the newer one is not allowed, such as in a page opened from a file.
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = make("textarea", { class: "sr", "aria-hidden": "true" });
    const before = document.activeElement;
    field.value = text;
    document.body.append(field);
    field.select();
    let isCopied = false;
    try {
      isCopied = document.execCommand("copy");
    } catch {
      // Reported below as not copied.
    }
    field.remove();
    before?.focus?.();
    return isCopied;
  }
}
