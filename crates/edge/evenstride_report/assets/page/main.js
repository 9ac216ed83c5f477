// Starts the page: reads what the program embedded, starts the core, builds every part, and opens on the answer.

import { createModel } from "./model.js";
import { createPanes, panesCommand } from "./panes.js";
import { createTime, timeCommand } from "./time.js";
import { createHeader } from "./header.js";
import { createStrip } from "./strip.js";
import { createCompare } from "./compare.js";
import { createMoments } from "./moments.js";
import { createInspector } from "./inspector.js";
import { createHelp, createKeys } from "./keys.js";
import { copyText, createLink, linkRead } from "./link.js";
import { createLayout, showAlert, showToast, themeNow, themeRestore, widthClass } from "./layout.js";
import { createDrop } from "./drop.js";
import { createLive } from "./live.js";
import { make } from "./format.js";

// Seconds before the worst moment at which playback begins, and its speed until then.
const MAIN_RUN_UP = { report: 1.6, demo: 3 };
const MAIN_SPEED = { report: 0.5, demo: 1 };

async function mainStart() {
  themeRestore();
  document.body.dataset.width = widthClass();
  let model;
  try {
    const [about, messages, drawn, core] = ["about", "messages", "drawn", "core"].map(mainRead);
    model = await createModel({ about, messages, drawn, core });
  } catch (error) {
    mainFail(error);
    return;
  }
  mainBuild(model);
  document.body.dataset.ready = "yes";
}

function mainRead(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

// Says why nothing moves, above the summary that the program wrote.
function mainFail(error) {
  const reason = String(error?.message ?? error).replace(/\.$/, "");
  document.getElementById("plain").prepend(make("p", { class: "failure", role: "alert", text: `The motion core could not start: ${reason}.` }));
  document.body.dataset.ready = "no";
}

function mainBuild(model) {
  const at = (id) => document.getElementById(id);
  const link = linkRead(location.hash);
  if (!link?.view) model.setView(mainView(model));

  const actions = {};
  createHeader(at("header"), model, {
    copyLink: () => actions.copyLink(),
    toggleTheme: () => actions.toggleTheme(),
    showHelp: () => actions.showHelp(),
  });
  const layout = createLayout(model, createStrip(at("strip"), model));
  createPanes(at("panes"), model);
  createTime(at("time"), model);
  createCompare(at("moments"), model);
  createMoments(at("moments"), model);
  createInspector(at("inspector"), model, { copy: mainCopy });
  const address = createLink(model, layout);

  actions.copyLink = () => {
    address.write();
    mainCopy(new URL(address.href(), location.href).href, "Link to this moment copied");
  };
  actions.toggleTheme = layout.toggleTheme;
  actions.showHelp = createHelp(createDrop(model));
  actions.follow = () => panesCommand("follow");
  actions.search = () => {
    if (document.body.dataset.width === "phone") layout.showTab("tracks");
    timeCommand("search");
  };
  createKeys(model, actions);
  model.on("problem", () => showAlert(`That cannot be drawn: ${model.problem}.`));
  mainHooks(model);
  if (model.kind === "live") {
    if (link) address.apply({ ...link, time: undefined });
    model.live.chosen = link?.connection ?? null;
    createLive(model);
  } else mainOpen(model, link, address);
}

async function mainCopy(text, words) {
  showToast((await copyText(text)) ? words : "Copying is not allowed here. The address bar has the link.");
}

// Returns the views that the width has room for.
function mainView(model) {
  const width = widthClass();
  if (width === "phone") return "stage";
  if (model.kind === "demo") return width === "wide" ? "both" : "stage";
  return "both";
}

// Opens a link as it was sent, or plays into the worst moment.
function mainOpen(model, link, address) {
  const { moment, time } = model.opening;
  if (moment >= 0) model.goMoment(moment);
  if (link) address.apply(link);
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  // A link that says only how to look at the page opens it as usual.
  const isPlace = link && (link.isStill || link.time !== undefined || link.panes || link.guid || Object.keys(link.whatIf).length > 0);
  if (link && link.time === undefined && Object.keys(link.whatIf).length > 0) model.showsWorst = true;
  if (isPlace || isCalm || model.emptiness) {
    model.pause();
    return;
  }
  mainAutoplay(model, time);
}

// Plays once from before the worst moment. The report stops on it, and the demo plays on. Any input stops it.
function mainAutoplay(model, time) {
  let isOn = true;
  const listening = new AbortController();
  function end() {
    isOn = false;
    listening.abort();
    model.setSpeed(1);
  }
  function stop() {
    if (!isOn) return;
    end();
    if (model.playing) model.pause();
  }
  const options = { signal: listening.signal, passive: true };
  window.addEventListener("wheel", stop, options);
  window.addEventListener("keydown", stop, options);
  window.addEventListener("click", stop, options);
  window.addEventListener("pointerdown", (event) => {
    // A button acts on its click, and that may be the very one that pauses.
    if (!event.target.closest?.("button, select, input, a")) stop();
  }, options);
  model.on("play", () => {
    if (isOn && !model.playing) end();
  });

  const from = Math.max(model.start, time - MAIN_RUN_UP[model.kind]);
  model.playInto(from, model.kind === "report" ? time : model.end, MAIN_SPEED[model.kind]);
}

// Writes the state where a test can read it.
function mainHooks(model) {
  const { dataset } = document.body;
  function paint(changes) {
    dataset.time = model.time.toFixed(3);
    dataset.playing = model.playing ? "yes" : "no";
    dataset.busy = model.busy === null ? "" : model.busy.toFixed(2);
    if (changes.size === 1 && changes.has("time")) return;
    dataset.entity = model.entity?.guid ?? "";
    dataset.panes = model.panes.map((pane) => pane.key ?? pane.name).join("+");
    dataset.moment = model.moment;
    dataset.view = model.view;
    dataset.speed = model.speed;
    dataset.live = model.kind === "live" ? (model.live.ended ? "ended" : model.live.lostAt ? "lost" : model.follows ? "follows" : "behind") : "";
    dataset.end = model.end.toFixed(3);
    dataset.window = model.window.map((edge) => edge.toFixed(3)).join("-");
    dataset.whatif = JSON.stringify(model.whatIf);
    dataset.theme = themeNow();
  }
  model.frame(paint);
  paint(new Set());
}

mainStart();
