// The room: theme, width classes, tabs on small screens, the splitter between panes and time, toast and alert.
// Choices about the room stay with the reader (localStorage where allowed) and never enter the link.

import { clamp, inkReset, make, svgIcon } from "./format.js";

const LAYOUT_WIDTHS = [
  [1800, "wide"],
  [1200, "desk"],
  [1000, "narrow"],
  [700, "tablet"],
  [0, "phone"],
];
const LAYOUT_TABS = [
  ["moments", "Moments"],
  ["tracks", "Tracks"],
  ["inspector", "Inspector"],
  ["whatif", "What if"],
];
const LAYOUT_PANELS = { moments: "moments", tracks: "time", inspector: "inspector", whatif: "strip" };
const LAYOUT_SPLIT = { least: 25, most: 70, step: 2 };

// Returns the class of the present width, also before anything is built.
export function widthClass() {
  return LAYOUT_WIDTHS.find(([least]) => window.innerWidth >= least)[1];
}

// Returns the theme in use, chosen or the system's.
export function themeNow() {
  return document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

// Applies the reader's theme of an earlier visit, before the first drawing.
export function themeRestore() {
  const theme = layoutRecall("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}

// Builds tabs and splitter, and follows the window. The view switch, and the seed with the number of
// dropped messages, move with the width.
export function createLayout(model, { views, extras }) {
  const tabs = layoutTabs(model);
  const splitter = layoutSplitter(model);
  const home = make("div", { class: "strip-group views-here" });
  document.getElementById("strip").append(home);

  function arrange() {
    const width = widthClass();
    document.body.dataset.width = width;
    const place = width === "phone" ? document.getElementById("views") : home;
    if (views.parentElement !== place) place.append(views);
    if (width === "phone") document.getElementById("strip").append(extras);
    else document.querySelector(".header-actions").prepend(extras);
    tabs.arrange(width);
    splitter.arrange(width);
    inkReset();
    model.requestDraw();
  }
  function setTheme(theme, isKept = true) {
    document.documentElement.dataset.theme = theme;
    if (isKept) layoutKeep("theme", theme);
    inkReset();
    model.requestDraw();
  }
  window.addEventListener("resize", arrange);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", arrange);
  arrange();
  return { setTheme, toggleTheme: () => setTheme(themeNow() === "dark" ? "light" : "dark"), showTab: tabs.show };
}

// One set of tabs serves three widths: four at the bottom of a phone, two above the side of narrow windows.
function layoutTabs(model) {
  const root = document.getElementById("tabs");
  const buttons = LAYOUT_TABS.map(([tab, label]) =>
    make("button", { type: "button", role: "tab", id: `tab-${tab}`, "data-tab": tab, "aria-controls": LAYOUT_PANELS[tab] }, svgIcon(tab), make("span", { text: label })),
  );
  const list = make("div", { class: "tab-list", role: "tablist", "aria-label": "Panels" }, ...buttons);
  root.append(list);

  function offered() {
    const isPhone = document.body.dataset.width === "phone";
    return buttons.filter((button) => isPhone || ["moments", "inspector"].includes(button.dataset.tab));
  }
  function show(tab) {
    document.body.dataset.tab = tab;
    const isTabbed = ["narrow", "tablet", "phone"].includes(document.body.dataset.width);
    for (const button of buttons) {
      const isChosen = button.dataset.tab === tab;
      button.setAttribute("aria-selected", isChosen);
      button.tabIndex = isChosen ? 0 : -1;
    }
    for (const [name, id] of Object.entries(LAYOUT_PANELS)) {
      // The time panel and the strip keep their own landmarks, because they are always there in part or at other widths.
      if (name === "moments" || name === "inspector") {
        const panel = document.getElementById(id);
        if (isTabbed) panel.setAttribute("role", "tabpanel");
        else panel.removeAttribute("role");
      }
    }
    model.requestDraw();
  }
  list.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) show(button.dataset.tab);
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const choices = offered();
    const next = choices[(choices.indexOf(event.target) + step + choices.length) % choices.length];
    show(next.dataset.tab);
    next.focus();
  });
  return {
    show,
    arrange(width) {
      const tab = document.body.dataset.tab ?? "moments";
      show(width === "phone" || tab === "inspector" ? tab : "moments");
    },
  };
}

function layoutSplitter(model) {
  const bar = document.getElementById("splitter");
  bar.setAttribute("aria-valuemin", LAYOUT_SPLIT.least);
  bar.setAttribute("aria-valuemax", LAYOUT_SPLIT.most);
  bar.setAttribute("aria-controls", "time");
  bar.title = "Drag to share the height, double click to reset";

  const usual = () => (window.innerWidth < 1000 ? 37 : 45);
  const kept = () => Number(layoutRecall("split")) || 0;
  function set(percent, isKept) {
    const share = clamp(percent, LAYOUT_SPLIT.least, LAYOUT_SPLIT.most);
    document.documentElement.style.setProperty("--split", `${share}%`);
    bar.setAttribute("aria-valuenow", Math.round(share));
    bar.setAttribute("aria-valuetext", `${Math.round(share)} % of the page`);
    if (isKept) layoutKeep("split", share.toFixed(1));
    model.requestDraw();
  }
  function reset() {
    layoutKeep("split", "");
    set(usual(), false);
  }
  bar.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    bar.setPointerCapture(event.pointerId);
    bar.dataset.held = "";
    const below = window.innerHeight - document.getElementById("time").getBoundingClientRect().bottom;
    const move = (at) => set((100 * (window.innerHeight - below - at.clientY)) / window.innerHeight, true);
    const end = () => {
      delete bar.dataset.held;
      bar.removeEventListener("pointermove", move);
    };
    bar.addEventListener("pointermove", move);
    bar.addEventListener("lostpointercapture", end, { once: true });
  });
  bar.addEventListener("dblclick", reset);
  bar.addEventListener("keydown", (event) => {
    const now = Number(bar.getAttribute("aria-valuenow"));
    if (event.key === "ArrowUp") set(now + LAYOUT_SPLIT.step, true);
    else if (event.key === "ArrowDown") set(now - LAYOUT_SPLIT.step, true);
    else if (event.key === "Home") set(LAYOUT_SPLIT.least, true);
    else if (event.key === "End") set(LAYOUT_SPLIT.most, true);
    else if (event.key === "Enter") reset();
    else return;
    event.preventDefault();
  });
  return { arrange: () => set(kept() || usual(), false) };
}

let layoutToastTimer = 0;

// Shows a short note that goes by itself, and that a screen reader speaks.
export function showToast(words) {
  const toast = document.getElementById("toast");
  toast.textContent = words;
  toast.dataset.shown = "";
  clearTimeout(layoutToastTimer);
  layoutToastTimer = setTimeout(() => {
    delete toast.dataset.shown;
    toast.textContent = "";
  }, 2200);
}

// Shows an error beside the work instead of in front of it. It stays until the reader closes it.
export function showAlert(words) {
  const alerts = document.getElementById("alerts");
  const close = make("button", { type: "button", class: "button quiet icon-only", "aria-label": "Close", title: "Close" }, svgIcon("close"));
  const alert = make("div", { class: "alert" }, make("p", { text: words }), close);
  close.addEventListener("click", () => alert.remove());
  alerts.replaceChildren(alert);
}

function layoutRecall(name) {
  try {
    return localStorage.getItem(`evenstride.${name}`);
  } catch {
    return null;
  }
}

function layoutKeep(name, value) {
  try {
    if (value) localStorage.setItem(`evenstride.${name}`, value);
    else localStorage.removeItem(`evenstride.${name}`);
  } catch {
    // Not allowed here. The choice lasts as long as the page.
  }
}
