// The panes: one per contestant and view, all looking through one camera at one time. Their number depends on the room:
// a comparison of two stages is worth more than four pictures too small to compare.

import { make } from "./format.js";
import { cameraAdvance, cameraFit, cameraFitMap, cameraGlide, cameraJoin, cameraZoom, createCamera } from "./camera.js";
import { gesturesConnect } from "./gestures.js";
import { createPane, paneAssign, paneDraw, paneResize } from "./pane.js";
import { sceneExtent, sceneFocus, sceneIsReady, sceneShareSizes, sceneView } from "./scene.js";
import { stageIsPossible } from "./stage_gl.js";

export const PANES_WIDE = 1800;
const PANES_PHONE = 700;
// The camera waits at most this long for the bodies of a chosen moment.
const PANES_PATIENCE_MS = 2000;
// Events after which the panes look the same as before.
const PANES_IGNORED = new Set(["hover", "list", "busy", "window"]);

let panesPresent = null;

// Carries out a command of the keyboard or of a button: "follow" (and back to the whole scene), "fit", "in", "out".
export function panesCommand(command) {
  panesPresent?.command(command);
}

export function createPanes(root, model) {
  const panes = new Panes(root, model);
  panesPresent = panes;
  return panes;
}

class Panes {
  constructor(root, model) {
    Object.assign(this, { root, model, camera: createCamera(), pool: new Map(), shown: [], key: "", isOpened: false, isSized: true });
    root.classList.add("panes");
    this.hasStage = stageIsPossible();
    root.dataset.webgl = this.hasStage ? "yes" : "no";
    this.empty = make("div", { class: "panes-empty", role: "status" });
    this.redraw = () => model.requestDraw();
    this.hadTrack = false;
    this.chosenAt = Infinity;
    this.selected = -1;
    new ResizeObserver(() => {
      this.isSized = true;
      this.redraw();
    }).observe(root);
    model.frame((changes) => this.paint(changes));
    this.redraw();
  }

  paint(changes) {
    const { model, camera } = this;
    if (changes && !this.isSized && changes.size > 0 && [...changes].every((change) => PANES_IGNORED.has(change))) return;
    if (this.showEmptiness()) return;
    this.arrange();
    if (this.isSized || !changes || changes.has("view")) {
      for (const pane of this.shown) paneResize(pane);
      this.isSized = false;
    }
    sceneShareSizes(model.panes[0]);
    const now = performance.now();
    this.aim(changes ?? new Set(), now);
    const isMoving = cameraAdvance(camera, now);
    for (const pane of this.shown) paneDraw(pane, camera, now);
    this.root.dataset.panes = String(this.shown.length);
    if (isMoving) this.redraw();
  }

  showEmptiness() {
    const { model, root } = this;
    const emptiness = model.emptiness ?? (model.panes.length === 0 ? { words: "Nothing to draw.", help: "" } : null);
    if (!emptiness) return false;
    if (this.key !== "empty") {
      this.key = "empty";
      this.shown = [];
      this.empty.replaceChildren(make("p", { text: emptiness.words }), emptiness.help ? make("p", { class: "panes-help", text: emptiness.help }) : "");
      root.replaceChildren(this.empty);
      root.dataset.panes = "0";
    }
    return true;
  }

  // Chooses the panes for view, contestants and room, and builds those that are missing.
  arrange() {
    const { model, root } = this;
    const wide = window.innerWidth;
    const [isPhone, isWide] = [wide < PANES_PHONE, wide >= PANES_WIDE];
    const drawings = isPhone ? model.panes.slice(0, 2) : model.panes;
    const isAlone = drawings.length === 1;
    let views = model.view === "both" ? ["stage", "map"] : [model.view];
    if (views.length === 2 && (isPhone || (!isAlone && !isWide))) views = ["stage"];
    const wantsStage = views.includes("stage");
    if (!this.hasStage) views = ["map"];
    const key = JSON.stringify([views, drawings.map((drawing) => [drawing.name, drawing.hue]), isPhone, wantsStage]);
    const columns = Math.max(drawings.length, isAlone ? views.length : 1);
    if (key !== this.key) {
      this.key = key;
      this.shown = [];
      for (const view of views) drawings.forEach((drawing, index) => this.shown.push(this.pane(view, index)));
      root.replaceChildren(...this.shown.map((pane) => pane.element));
      root.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
      root.dataset.view = views.join("+");
      this.isSized = true;
    }
    let at = 0;
    for (const view of views) {
      drawings.forEach((drawing, index) => {
        const pane = this.shown[at];
        at += 1;
        if (pane.drawing === drawing && pane.assignedKey === key) return;
        pane.assignedKey = key;
        pane.isFurnished = false;
        paneAssign(pane, drawing, index, {
          readout: view === views[0],
          legend: index === 0 && (isAlone || !isPhone),
          buttons: this.buttons(view, views, index === drawings.length - 1, isPhone, index === 0),
          warning: wantsStage && !this.hasStage && index === 0,
          isSmall: isPhone,
          isShared: !isAlone,
        });
      });
    }
  }

  // The stage turns and follows, the map zooms, and a view that stands alone does both. The phone has fingers for the rest.
  buttons(view, views, isLast, isPhone, isFirst) {
    if (isPhone) return isFirst ? ["follow", "fit"] : [];
    if (!isLast) return [];
    if (views.length === 1) return ["follow", "fit", "in", "out"];
    return view === "stage" ? ["follow", "fit"] : ["in", "out"];
  }

  // Returns the pane of a view and a place. Panes are kept, because a new graphics context is slow and their number limited.
  pane(view, index) {
    const name = `${view} ${index}`;
    let pane = this.pool.get(name);
    if (!pane) {
      pane = createPane(view, this.model, (command) => this.command(command), this.redraw);
      gesturesConnect(pane, this.camera, this.model, this.redraw);
      this.pool.set(name, pane);
    }
    return pane;
  }

  // Decides what the camera should look at after the changes of this frame.
  aim(changes, now) {
    const { camera, model } = this;
    const focus = this.focus();
    const hasTrack = model.panes[0].track?.entity === model.selected;
    if (!this.isOpened) {
      this.open(focus, now);
      [this.selected, this.hadTrack] = [model.selected, hasTrack];
      return;
    }
    if (changes.has("moment") && model.moment >= 0) this.chosenAt = now;
    if (now >= this.chosenAt) {
      // Until the bodies of the moment are there, the old picture stays.
      [this.selected, this.hadTrack] = [model.selected, hasTrack];
      if (!sceneIsReady(model) && now - this.chosenAt < PANES_PATIENCE_MS) return;
      this.chosenAt = Infinity;
      cameraGlide(camera, now);
      this.frame(focus);
    } else if (changes.has("select") && model.selected !== this.selected) this.meet(focus, now);
    // The path around a time is known later than the body itself; the camera then moves over to its mean.
    else if (camera.follow && hasTrack !== this.hadTrack && !model.playing) cameraGlide(camera, now);
    [this.selected, this.hadTrack] = [model.selected, hasTrack];
    if (camera.follow && focus) Object.assign(camera.wanted, focus);
  }

  // Looks for the first time: at the whole square of the demo, or at the selected entity of a report. It looks again until
  // the bodies of that time are there.
  open(focus, now) {
    const { camera, model } = this;
    if (this.shown[0].width < 2) return;
    if (model.kind === "demo") this.fit();
    else this.frame(focus);
    if (camera.follow && focus) Object.assign(camera.wanted, focus);
    // A long recording takes the core a while, and a picture that is framed without its bodies shows nothing.
    if (model.isOpening) return;
    this.openedAt ??= now;
    this.isOpened = sceneIsReady(model) || now - this.openedAt > PANES_PATIENCE_MS;
  }

  focus() {
    const place = { x: 0, y: 0, z: 0 };
    if (sceneFocus(this.model, place)) return place;
    return null;
  }

  // Frames the selected entity and its last seconds.
  frame(focus) {
    const { camera, model } = this;
    camera.follow = true;
    cameraJoin(camera);
    const place = focus ?? this.somewhere();
    if (!place) return;
    const { span, yaw } = sceneView(model, place);
    Object.assign(camera.wanted, place, { span });
    // A user who has turned the camera wants it so.
    if (!camera.isTouched) camera.wanted.yaw = yaw;
  }

  // Returns a place to look at while the selected entity is not there: its next or last position.
  somewhere() {
    const { model } = this;
    const received = model.entity ? model.received(model.selected) : null;
    if (!received || received.times.length === 0) return null;
    const next = received.times.findIndex((time) => time >= model.time);
    const index = next < 0 ? received.times.length - 1 : next;
    return { x: received.x[index], y: received.y[index], z: received.z[index] };
  }

  // Moves over to another entity: at once when following, and otherwise only if it would not be seen.
  meet(focus, now) {
    const { camera } = this;
    const place = focus ?? this.somewhere();
    if (!place) return;
    const away = Math.hypot(place.x - camera.wanted.x, place.y - camera.wanted.y);
    if (!camera.follow && away < camera.wanted.span * 0.6) return;
    cameraGlide(camera, now);
    Object.assign(camera.wanted, place);
    if (camera.wanted.span > 60 && camera.follow) camera.wanted.span = 12;
  }

  fit() {
    const { camera, model } = this;
    camera.follow = false;
    cameraJoin(camera);
    const places = sceneExtent(model);
    const { width, height, view } = this.shown[0];
    const room = { width, height, isMap: view === "map" };
    // The side from which the scene fills the pane best, unless a hand has chosen another.
    let [best, least] = [camera.wanted.yaw, Infinity];
    for (let turn = 0; turn < 8 && !camera.isTouched && !room.isMap; turn += 1) {
      camera.wanted.yaw = 0.3 + (turn * Math.PI) / 4;
      cameraFit(camera, places, room);
      if (camera.wanted.span < least - 0.01) [best, least] = [camera.wanted.yaw, camera.wanted.span];
    }
    camera.wanted.yaw = best;
    cameraFit(camera, places, room);
    const map = this.shown.find((pane) => pane.view === "map");
    if (map && !room.isMap) cameraFitMap(camera, places, { width: map.width, height: map.height, isMap: true });
  }

  command(command) {
    const { camera } = this;
    if (this.shown.length === 0) return;
    const now = performance.now();
    const wantsFit = command === "fit" || (command === "follow" && camera.follow);
    cameraGlide(camera, now);
    if (wantsFit) this.fit();
    else if (command === "follow") this.frame(this.focus());
    else {
      const since = camera.since;
      cameraZoom(camera, command === "in" ? 1 / 1.4 : 1.4);
      Object.assign(camera.shown, camera.from);
      camera.since = since;
    }
    this.redraw();
  }
}
