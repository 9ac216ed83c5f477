// The raw message: its bytes grouped by field, and the fields beside them. A field under the pointer lights its bytes.
// A message can be switched off here, which is the smallest what-if there is.

import { lastUpTo, make, seconds } from "./format.js";

// Longer messages show their first bytes only.
const MESSAGE_BYTES = 1024;

// Builds the panel. It shows the newest message up to the present time, or the one behind a chosen decision.
export function createMessage(model) {
  const facts = make("span", { class: "quiet-text" });
  const head = make("button", { type: "button", class: "message-head", "aria-expanded": "true" }, make("h2", { text: "Message" }), facts);
  const bytes = make("p", { class: "bytes", "aria-label": "Bytes" });
  const fields = make("dl", { class: "fields", "aria-label": "Fields" });
  const drop = make("button", { type: "button", class: "button" });
  const note = make("span", { class: "quiet-text" });
  const body = make("div", { class: "message-body scroll" }, bytes, fields, make("div", { class: "message-actions" }, drop, note));
  const element = make("section", { class: "message", "aria-label": "Message" }, head, body);

  let shown = { index: -1, entity: -1, isDropped: false };
  let pinned = null;
  // On a small window the panel starts closed, because the decisions need the room.
  let isOpen = window.innerWidth < 1000 || window.innerHeight >= (window.innerWidth < 1200 ? 900 : 820);
  head.addEventListener("click", () => {
    isOpen = !isOpen;
    fold();
  });
  drop.addEventListener("click", () => {
    if (shown.index >= 0) model.toggleMessage(shown.index);
  });
  messageLight(bytes, fields);

  function fold() {
    head.setAttribute("aria-expanded", isOpen);
    body.hidden = !isOpen || shown.index < 0;
  }

  function paint(changes) {
    if (pinned && (model.selected !== pinned.entity || model.playing || Math.abs(model.time - pinned.time) > 0.02)) pinned = null;
    const entry = (pinned && model.messages.find((message) => message.index === pinned.index)) ?? messageUpTo(model, model.time);
    const index = entry?.index ?? -1;
    const isDropped = model.whatIf.dropped.includes(index);
    const isSame = index === shown.index && model.selected === shown.entity && isDropped === shown.isDropped;
    if (isSame && !changes.has("drawings")) return;
    shown = { index, entity: model.selected, isDropped };
    element.dataset.message = shown.index;
    element.toggleAttribute("data-dropped", shown.isDropped);
    if (entry) {
      const message = model.message(entry.index);
      facts.textContent = `${message.opcode} ${message.label} · ${seconds(entry.time)} · ${message.bytes.length} bytes`;
      facts.title = Math.abs(entry.time - entry.captured) > 1e-3 ? `Captured at ${seconds(entry.captured)}` : "";
      messageBytes(bytes, message);
      messageFields(fields, message);
      drop.textContent = shown.isDropped ? "Restore" : "Drop this message";
      note.textContent = shown.isDropped ? "dropped: as if it had never arrived" : "";
    } else {
      facts.textContent = model.messages.length ? "No message up to this time." : "No message of this entity.";
    }
    fold();
  }

  // Shows the message behind a decision while the playhead stays there.
  function showBehind(decision) {
    const entry = messageBehind(model, decision);
    pinned = entry ? { index: entry.index, entity: model.selected, time: model.time } : null;
    paint(new Set(["drawings"]));
  }
  return { element, paint, showBehind };
}

// Returns the newest message up to a time. The times are kept per list, because this runs in every frame.
let messageTimes = { list: null, times: null };
function messageUpTo(model, time) {
  if (messageTimes.list !== model.messages) {
    messageTimes = { list: model.messages, times: Float64Array.from(model.messages, (message) => message.time) };
  }
  return model.messages[lastUpTo(messageTimes.times, time + 1e-6)] ?? null;
}

// Returns the message that led to a decision. Of several at one time, the one that speaks of the same matter is taken.
function messageBehind(model, { time, group }) {
  const newest = messageUpTo(model, time);
  if (!newest) return null;
  const together = model.messages.filter((message) => Math.abs(message.time - newest.time) < 1e-6);
  return together.findLast((message) => message.label.toLowerCase().startsWith(group.slice(0, 4))) ?? newest;
}

// Writes the bytes in runs that belong to the same fields.
function messageBytes(element, { bytes, fields }) {
  const shown = Math.min(bytes.length, MESSAGE_BYTES);
  const ends = new Set([0, shown]);
  for (const { from, to } of fields) {
    if (from < shown) ends.add(from);
    if (to < shown) ends.add(to);
  }
  const cuts = [...ends].sort((a, b) => a - b);
  const runs = cuts.slice(0, -1).map((from, k) => {
    const to = cuts[k + 1];
    const text = Array.from(bytes.subarray(from, to), (byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const isCovered = fields.some((field) => field.from <= from && to <= field.to);
    return make("span", { text, class: to - from > 8 ? "long" : undefined, "data-from": from, "data-to": to, "data-covered": isCovered });
  });
  element.replaceChildren(...runs.flatMap((run) => [run, " "]));
  if (shown < bytes.length) element.append(`… and ${bytes.length - shown} more bytes`);
}

function messageFields(list, { fields }) {
  const rows = fields.map(({ name, value, from, to }, k) =>
    make(
      "div",
      { "data-from": from, "data-to": to, tabindex: k === 0 ? 0 : -1 },
      make("dt", { text: name }),
      make("dd", { class: /^(0x)?([0-9A-F]{8}|(?=.*[A-F])[0-9A-F]{4})$/.test(value) ? "code" : undefined, text: value }),
    ),
  );
  list.replaceChildren(...rows);
}

// Lights bytes and fields together, under the pointer or with the focus. Arrow keys walk through the fields.
function messageLight(bytes, fields) {
  function light(from, to) {
    for (const part of bytes.children) part.classList?.toggle("lit", Number(part.dataset.from) >= from && Number(part.dataset.to) <= to);
    for (const row of fields.children) row.classList.toggle("lit", Number(row.dataset.from) <= from && Number(row.dataset.to) >= to && from < to);
  }
  function enter(event) {
    const part = event.target.closest("[data-from]");
    if (part) light(Number(part.dataset.from), Number(part.dataset.to));
  }
  const leave = () => light(0, 0);
  for (const element of [bytes, fields]) {
    element.addEventListener("pointerover", enter);
    element.addEventListener("pointerleave", leave);
    element.addEventListener("focusin", enter);
    element.addEventListener("focusout", leave);
  }
  fields.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 2, ArrowUp: -2, ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const rows = [...fields.children];
    const next = rows[rows.indexOf(event.target) + step];
    if (!next) return;
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}
