// Numbers, colours and elements as every part of the page writes them.

const THIN = "\u2009";

// Returns a number with a fixed number of decimals and a true minus sign. A dash stands for no number.
export function fixed(number, decimals) {
  if (!Number.isFinite(number)) return "–";
  const text = Math.abs(number).toFixed(decimals);
  return number < 0 && Number(text) !== 0 ? `−${text}` : text;
}

// Returns a number with its sign, also a plus.
export function signed(number, decimals = 2) {
  const text = fixed(number, decimals);
  return number > 0 && Number(number.toFixed(decimals)) !== 0 ? `+${text}` : text;
}

export function metres(number) {
  return Number.isFinite(number) ? `${fixed(number, 2)}${THIN}m` : "–";
}

export function seconds(number) {
  return Number.isFinite(number) ? `${fixed(number, 2)}${THIN}s` : "–";
}

export function speed(number) {
  return Number.isFinite(number) ? `${fixed(number, 1)}${THIN}m/s` : "–";
}

// Returns a whole number with commas between thousands.
export function whole(number) {
  return String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function clamp(number, low, high) {
  return Math.min(Math.max(number, low), high);
}

// Returns the last index whose value does not exceed the wanted one, or -1.
export function lastUpTo(values, wanted, length = values.length) {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

let inks = new Map();

// Returns the value of a CSS variable in the present theme.
export function ink(name) {
  let value = inks.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    inks.set(name, value);
  }
  return value;
}

// Forgets the colours, because the theme or the size of the window has changed.
export function inkReset() {
  inks = new Map();
}

// Returns the ratio of device pixels and the scale of the page, which canvases need.
export function device() {
  return { ratio: window.devicePixelRatio || 1, scale: Number(ink("--u")) || 1 };
}

// Builds an element. `class`, `text` and functions named `on…` are special, and all else is an attribute.
export function make(tag, options = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") element.className = value;
    else if (name === "text") element.textContent = value;
    else if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// Outlines in a box of 16 by 16.
const ICONS = {
  play: "M5 3.5v9l7-4.5z",
  pause: "M5 3.5v9M11 3.5v9",
  previous: "M4 3.5v9M12 3.5L6.5 8l5.5 4.5z",
  next: "M12 3.5v9M4 3.5L9.5 8 4 12.5z",
  link: "M6.5 9.5l3-3M7 4.8l1.4-1.4a2.5 2.5 0 0 1 3.6 0l.6.6a2.5 2.5 0 0 1 0 3.6L11.2 9M9 11.2l-1.4 1.4a2.5 2.5 0 0 1-3.6 0l-.6-.6a2.5 2.5 0 0 1 0-3.6L4.8 7",
  theme: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
  keyboard: "M2 4.5h12v7H2zM4.5 7h.01M7 7h.01M9.5 7h.01M11.5 7h.01M5.5 9.3h5",
  follow: "M8 1.8v2.4M8 11.8v2.4M1.8 8h2.4M11.8 8h2.4M8 4.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4z",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  plus: "M8 3.5v9M3.5 8h9",
  minus: "M3.5 8h9",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3l3.2 3.2",
  reset: "M3.2 8a4.8 4.8 0 1 0 1.5-3.5M3 2.5v2.8h2.8",
  close: "M4 4l8 8M12 4l-8 8",
  moments: "M2 13.5h12M8 3v7",
  tracks: "M2 10c2-6 4-6 6-2s4 4 6-2",
  inspector: "M3 4h10M3 8h10M3 12h6",
  whatif: "M3 5h10M3 11h10M6 3.2v3.6M10 9.2v3.6",
};

// Returns an icon, which takes the colour of its text.
export function svgIcon(name) {
  const space = "http:" + "//www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const attributes = { viewBox: "0 0 16 16", class: `icon icon-${name}`, "aria-hidden": "true", focusable: "false" };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", ICONS[name] ?? "");
  svg.append(path);
  return svg;
}
