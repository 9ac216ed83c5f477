// A capture dragged onto the page opens there. Nothing leaves the browser: the core decodes the file in the page.

import { make } from "./format.js";
import { showAlert } from "./layout.js";

// Listens for files and returns the function that asks what to do with one.
export function createDrop(model) {
  const cover = make("div", { id: "drop", text: "Drop to open", "aria-hidden": "true", hidden: true });
  document.body.append(cover);
  let depth = 0;

  const hasFiles = (event) => Boolean(event.dataTransfer && [...event.dataTransfer.types].includes("Files"));
  function reveal(by) {
    depth = by === 0 ? 0 : Math.max(depth + by, 0);
    cover.hidden = depth === 0;
  }
  const ask = (file) => dropAsk(model, file);
  window.addEventListener("dragenter", (event) => {
    if (hasFiles(event)) reveal(1);
  });
  window.addEventListener("dragleave", (event) => {
    if (hasFiles(event)) reveal(-1);
  });
  // Without this the browser would leave the page and show the file.
  window.addEventListener("dragover", (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  window.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    reveal(0);
    const [file] = event.dataTransfer.files;
    if (file) ask(file);
  });
  return ask;
}

function dropAsk(model, file) {
  const open = make("button", { type: "button", class: "button primary", text: "Open it" });
  const beside = make("button", { type: "button", class: "button", text: "Show it beside" });
  const cancel = make("button", { type: "button", class: "button quiet", text: "Cancel" });
  const dialog = make(
    "dialog",
    { "aria-label": "Open a capture", class: "drop-dialog" },
    make("div", { class: "dialog-body" }, make("h2", { class: "drop-name", text: file.name }), make("p", { class: "quiet-text", text: dropSize(file.size) })),
    make("div", { class: "dialog-foot" }, cancel, beside, open),
  );
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  cancel.addEventListener("click", () => dialog.close());
  for (const [button, how] of [[open, "open"], [beside, "beside"]]) {
    button.addEventListener("click", () => {
      dialog.close();
      dropOpen(model, file, how);
    });
  }
  dialog.showModal();
  open.focus();
}

// Opens a file, or shows the decoder's own sentence about it.
async function dropOpen(model, file, how) {
  try {
    await model.openFile(file, how);
    document.getElementById("alerts").replaceChildren();
  } catch (error) {
    showAlert(error?.message || String(error));
  }
}

function dropSize(bytes) {
  const kilo = bytes / 1000;
  return kilo < 1000 ? `${Math.max(1, Math.round(kilo))}\u2009kB` : `${(kilo / 1000).toFixed(1)}\u2009MB`;
}
