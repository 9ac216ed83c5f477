"use strict";

// The data: packed JSON, unpacked by the browser itself.
async function unpack() {
  const packed = atob(JSON.parse(document.getElementById("data").textContent));
  const bytes = new Uint8Array(packed.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = packed.charCodeAt(index);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

// Numbers are told as differences; here they become themselves again, in seconds, metres, degrees.
function restore(series) {
  const scale = { t: 1e-3, x: 1e-2, y: 1e-2, z: 1e-2, h: 1, s: 1e-2, b: 1e-2, r: 1 };
  const restored = {};
  for (const [name, differences] of Object.entries(series)) {
    const numbers = new Float64Array(differences.length);
    let sum = 0;
    for (let index = 0; index < numbers.length; index += 1) {
      sum += differences[index];
      numbers[index] = sum * scale[name];
    }
    restored[name] = numbers;
  }
  return restored;
}

// Errors in metres down to this one are missing. They are written as -1e7.
const NO_ERROR = -1e6;

// The last index whose number does not exceed the wanted one; -1 before the first.
function lastUpTo(numbers, wanted) {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// Marks as shapes, corner by corner: fonts differ.
const MARKS = {
  snap: [[0, -5], [5, 0], [0, 5], [-5, 0]],
  teleport: [[0, -6], [1.5, -1.5], [6, 0], [1.5, 1.5], [0, 6], [-1.5, 1.5], [-6, 0], [-1.5, -1.5]],
  stall: [[-5, -3], [-3, -5], [0, -2], [3, -5], [5, -3], [2, 0], [5, 3], [3, 5], [0, 2], [-3, 5], [-5, 3], [-2, 0]],
  jump: [[0, -5], [5, 4], [-5, 4]],
  landing: [[0, 5], [5, -4], [-5, -4]],
  follow: [[-5, -2], [5, -2], [5, 2], [-5, 2]],
  appears: [[-1, -5], [1, -5], [1, 5], [-1, 5]],
  gone: [[-4, -4], [4, -4], [4, 4], [-4, 4]],
};

function stamp(pen, kind, x, y) {
  pen.beginPath();
  for (const [dx, dy] of MARKS[kind] ?? MARKS.snap) pen.lineTo(x + dx, y + dy);
  pen.fill();
}

const element = (id) => document.getElementById(id);

class Entity {
  constructor(raw, index, end) {
    Object.assign(this, raw, { drawn: restore(raw.drawn), heard: restore(raw.heard), truth: restore(raw.truth) });
    this.hue = (index * 137.508 + 200) % 360;
    this.starts = new Set(raw.breaks);
    this.marks = raw.marks.map(([time, kind, words]) => ({ time: time / 1e3, kind, words }));
    this.decisions = raw.decisions.map(([time, words]) => ({ time: time / 1e3, words }));
    this.decisionTimes = this.decisions.map((decision) => decision.time);
    this.label = raw.name ? `${raw.name} ${raw.id}` : raw.id;
    // When it is not there: from being gone to appearing again.
    this.absences = [];
    for (const mark of this.marks) {
      const open = this.absences.at(-1);
      if (mark.kind === "gone" && !(open && open[1] === end)) this.absences.push([mark.time, end]);
      if (mark.kind === "appears" && open && open[1] === end) open[1] = mark.time;
    }
  }

  colour(alpha = 1) {
    const light = document.documentElement.dataset.theme === "dark" ? 65 : 42;
    return `hsl(${this.hue} 70% ${light}% / ${alpha})`;
  }

  // Where it is drawn, and everything else that is known of that moment.
  at(time) {
    const { drawn } = this;
    const index = lastUpTo(drawn.t, time);
    if (index < 0 || this.absences.some(([from, to]) => time >= from && time < to)) return null;
    const next = index + 1 < drawn.t.length && !this.starts.has(index + 1) ? index + 1 : index;
    const span = drawn.t[next] - drawn.t[index];
    const part = span > 0 ? Math.min(1, (time - drawn.t[index]) / span) : 0;
    const between = (numbers) => numbers[index] + (numbers[next] - numbers[index]) * part;
    const turn = ((drawn.h[next] - drawn.h[index] + 540) % 360) - 180;
    return {
      x: between(drawn.x), y: between(drawn.y), z: between(drawn.z), h: drawn.h[index] + turn * part,
      s: drawn.s[next], b: drawn.b[index] <= NO_ERROR || drawn.b[next] <= NO_ERROR ? null : between(drawn.b), r: drawn.r[index],
    };
  }
}

class App {
  constructor(data) {
    [this.start, this.end] = data.span;
    this.data = data;
    this.entities = data.entities.map((raw, index) => new Entity(raw, index, data.span[1]));
    this.chosen = this.mostTold();
    this.time = this.start;
    this.window = [this.start, Math.max(this.end, this.start + 1)];
    this.view = { x: 0, y: 0, scale: 10 };
    this.mapSize = [element("map").clientWidth, element("map").clientHeight];
    this.playing = false;
    this.rate = 1;
    this.paths = null;
    this.plots = {};
    // More than a browser can paint in one go: of the others, only the last seconds of their paths.
    const samples = this.entities.reduce((sum, entity) => sum + entity.drawn.t.length, 0);
    this.trail = samples > 60000 ? 10 : Infinity;
    this.describe();
    this.listen();
    this.choose(this.chosen);
    this.fit();
    this.resize();
    // The page opens on the worst moment.
    this.goToMoment(0);
    const observer = new ResizeObserver(() => this.resize());
    document.querySelectorAll("#map, .plot").forEach((canvas) => observer.observe(canvas));
  }

  // The entity with most updates, but not the one that recorded.
  mostTold() {
    let best = 0;
    this.entities.forEach((entity, index) => {
      const worth = (of) => (of.id === this.data.player ? -1 : of.updates);
      if (worth(entity) > worth(this.entities[best])) best = index;
    });
    return best;
  }

  get entity() {
    return this.entities[this.chosen];
  }

  describe() {
    const { data } = this;
    element("title").textContent = data.title;
    element("summary").textContent =
      `${data.profile}, ${data.fps} frames a second · ` + data.summary.map(([name, value]) => `${name}: ${value}`).join(" · ");
    const trail = this.trail === Infinity ? "" : ` On the map, of the others' paths only the last ${this.trail} s are painted.`;
    element("notes").textContent = data.notes.join(" ");
    this.describeMoments();
    element("thinned").textContent = data.thinned.join(" ") + trail;
    for (const [index, entity] of this.entities.entries()) {
      const own = entity.id === data.player ? ", recorded this" : "";
      element("entity").add(new Option(`${entity.label} (${entity.updates}${own})`, index));
    }
    for (const kind of ["snap", "teleport", "stall", "jump", "landing", "follow", "gone"]) {
      const canvas = Object.assign(document.createElement("canvas"), { width: 14, height: 14, className: "mark" });
      const pen = canvas.getContext("2d");
      pen.fillStyle = "#e0701a";
      stamp(pen, kind, 7, 7);
      element("marks").append(canvas, ` ${kind} `);
    }
    const slider = element("time");
    slider.min = this.start;
    slider.max = this.end;
  }

  // What a person would notice, worst first. A row goes there.
  describeMoments() {
    const { moments } = this.data;
    element("worst-of").textContent = moments.length ? `${moments.length}, worst first` : "nothing that a person would notice";
    const rows = document.createDocumentFragment();
    for (const [index, moment] of moments.entries()) {
      const row = document.createElement("tr");
      row.dataset.index = index;
      row.tabIndex = -1;
      for (const text of [moment.span[0].toFixed(2), moment.kind, moment.words]) {
        row.append(Object.assign(document.createElement("td"), { textContent: text }));
      }
      rows.append(row);
    }
    element("moments").replaceChildren(rows);
    this.moment = -1;
  }

  // Chooses the entity of a moment, and goes to half a second before it.
  goToMoment(index) {
    const moment = this.data.moments[index];
    if (!moment) return;
    const rows = element("moments").children;
    rows[this.moment]?.classList.remove("now");
    this.moment = index;
    rows[index].classList.add("now");
    // Only the list scrolls, not the page.
    element("moment-rows").scrollTop = rows[index].offsetTop - rows[0].offsetTop;
    if (moment.entity !== this.chosen) this.choose(moment.entity);
    this.seek(Math.max(this.start, moment.span[0] - 0.5));
  }

  // ---- what the user does ----

  listen() {
    const on = (id, kind, act) => element(id).addEventListener(kind, act);
    on("play", "click", () => this.toggle());
    on("rate", "change", (event) => (this.rate = Number(event.target.value)));
    on("time", "input", (event) => this.seek(Number(event.target.value)));
    on("entity", "change", (event) => this.choose(Number(event.target.value)));
    on("fit", "click", () => this.fit());
    on("zoom-in", "click", () => this.zoom(1.4));
    on("zoom-out", "click", () => this.zoom(1 / 1.4));
    on("follow", "change", () => this.repaint());
    on("others", "change", () => this.repaint());
    on("theme", "click", () => this.theme());
    on("moments", "click", (event) => {
      const row = event.target.closest("tr");
      if (row) this.goToMoment(Number(row.dataset.index));
    });
    on("decisions", "click", (event) => {
      const row = event.target.closest("tr");
      if (row) this.seek(Number(row.dataset.time));
    });
    document.addEventListener("keydown", (event) => this.key(event));
    this.listenToMap(element("map"));
    document.querySelectorAll(".plot").forEach((plot) => this.listenToPlot(plot));
  }

  listenToMap(map) {
    let from = null;
    map.addEventListener("pointerdown", (event) => {
      from = { x: event.clientX, y: event.clientY, moved: false };
      map.setPointerCapture(event.pointerId);
    });
    map.addEventListener("pointermove", (event) => {
      if (!from) return;
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      if (Math.hypot(dx, dy) < 3 && !from.moved) return;
      Object.assign(from, { x: event.clientX, y: event.clientY, moved: true });
      element("follow").checked = false;
      this.view.x -= dx / this.view.scale;
      this.view.y += dy / this.view.scale;
      this.repaint();
    });
    map.addEventListener("pointerup", (event) => {
      if (from && !from.moved) this.pick(event.offsetX, event.offsetY);
      from = null;
    });
    map.addEventListener("pointercancel", () => (from = null));
    map.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
    }, { passive: false });
  }

  listenToPlot(plot) {
    let from = null;
    const timeAt = (x) => this.window[0] + (x / plot.clientWidth) * (this.window[1] - this.window[0]);
    plot.addEventListener("pointerdown", (event) => {
      plot.setPointerCapture(event.pointerId);
      from = { x: event.offsetX, window: [...this.window], shifts: event.shiftKey };
      if (!event.shiftKey) this.seek(timeAt(event.offsetX));
    });
    plot.addEventListener("pointermove", (event) => {
      if (!from) return;
      if (from.shifts) {
        const seconds = ((event.offsetX - from.x) / plot.clientWidth) * (from.window[1] - from.window[0]);
        this.setWindow(from.window[0] - seconds, from.window[1] - seconds);
      } else {
        this.seek(timeAt(event.offsetX));
      }
    });
    plot.addEventListener("pointerup", () => (from = null));
    plot.addEventListener("pointercancel", () => (from = null));
    plot.addEventListener("dblclick", () => this.setWindow(this.start, this.end));
    plot.addEventListener("wheel", (event) => {
      event.preventDefault();
      const [middle, factor] = [timeAt(event.offsetX), Math.exp(event.deltaY / 400)];
      this.setWindow(middle + (this.window[0] - middle) * factor, middle + (this.window[1] - middle) * factor);
    }, { passive: false });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    // Controls keep the keys that are theirs.
    if (target.tagName === "SELECT") return;
    if (target.closest("button, input") && [" ", "Enter"].includes(event.key)) return;
    if (target.type === "range" && event.key.startsWith("Arrow")) return;
    if (target.id === "map" && this.panByKey(event)) return;
    if (target.classList.contains("plot") && this.windowByKey(event)) return;
    if (target.closest("#rows") && ["ArrowUp", "ArrowDown", "Enter", " "].includes(event.key)) {
      this.rowByKey(event, target);
      return;
    }
    if (target.closest("#moment-rows") && ["ArrowUp", "ArrowDown", "Enter", " "].includes(event.key)) {
      event.preventDefault();
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0;
      this.goToMoment(Math.max(0, this.moment + by));
      return;
    }
    const step = event.shiftKey ? 1 : 1 / this.data.fps;
    const acts = {
      m: () => this.goToMoment(this.moment + 1), M: () => this.goToMoment(this.moment - 1),
      " ": () => this.toggle(), ArrowLeft: () => this.seek(this.time - step), ArrowRight: () => this.seek(this.time + step),
      ArrowUp: () => this.choose(this.chosen - 1), ArrowDown: () => this.choose(this.chosen + 1),
      Home: () => this.seek(this.start), End: () => this.seek(this.end),
      n: () => this.mark(1), p: () => this.mark(-1), "+": () => this.zoom(1.4), "=": () => this.zoom(1.4), "-": () => this.zoom(1 / 1.4),
      0: () => this.fit(), d: () => this.theme(), f: () => { element("follow").checked = !element("follow").checked; this.repaint(); },
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  // The map has the focus: arrows move it.
  panByKey(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const way = ways[event.key];
    if (!way) return false;
    event.preventDefault();
    element("follow").checked = false;
    this.view.x += (way[0] * 60) / this.view.scale;
    this.view.y += (way[1] * 60) / this.view.scale;
    this.repaint();
    return true;
  }

  // A plot has the focus: plus and minus change how much of the time is shown, shift and arrows which part.
  windowByKey(event) {
    const [from, to] = this.window;
    const span = to - from;
    const changes = { "+": 0.7, "=": 0.7, "-": 1 / 0.7 };
    if (changes[event.key]) {
      const [left, right] = [this.time - from, to - this.time].map((part) => part * changes[event.key]);
      this.setWindow(this.time - left, this.time + right);
    } else if (event.key === "0") {
      this.setWindow(this.start, this.end);
    } else if (event.shiftKey && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
      const by = (event.key === "ArrowLeft" ? -0.2 : 0.2) * span;
      this.setWindow(from + by, to + by);
    } else {
      return false;
    }
    event.preventDefault();
    return true;
  }

  // A decision has the focus: arrows go to the next, enter goes to its time.
  rowByKey(event, target) {
    event.preventDefault();
    const row = target.closest("tr") ?? this.row ?? document.querySelector("#decisions tr");
    if (!row) return;
    if (event.key === "ArrowUp") row.previousElementSibling?.focus();
    else if (event.key === "ArrowDown") (target.closest("tr") ? row.nextElementSibling : row)?.focus();
    else this.seek(Number(row.dataset.time));
  }

  theme() {
    const root = document.documentElement.dataset;
    root.theme = root.theme === "dark" ? "light" : "dark";
    this.repaint();
  }

  choose(index) {
    if (!this.entities.length) return;
    this.chosen = Math.max(0, Math.min(this.entities.length - 1, index));
    element("entity").value = this.chosen;
    const { entity } = this;
    const snaps = Object.entries(entity.snaps).map(([reason, count]) => `${count} ${reason}`).join(", ") || "none";
    const facts = [`${entity.updates} updates`, `snaps: ${snaps}`, `${entity.jumps} jumps`];
    for (const [what, most] of [["behind", entity.worst], ["ahead", entity.ahead]]) {
      if (most) facts.push(`at most ${most[0].toFixed(2)} m ${what}, at ${most[1].toFixed(1)} s`);
    }
    if (entity.off) {
      const [median, p95, most] = entity.off.map((metres) => metres.toFixed(2));
      facts.push(`from where it said it was: ${median} m (median), ${p95} (95 %), ${most} at most`);
    }
    element("facts").textContent = facts.join(" · ");
    element("why-of").textContent = `${entity.label}, ${entity.decisions.length}`;
    const rows = document.createDocumentFragment();
    for (const { time, words } of entity.decisions) {
      const row = document.createElement("tr");
      row.dataset.time = time;
      row.tabIndex = -1;
      row.append(Object.assign(document.createElement("td"), { textContent: time.toFixed(2) }));
      row.append(Object.assign(document.createElement("td"), { textContent: words }));
      rows.append(row);
    }
    element("decisions").replaceChildren(rows);
    this.row = null;
    this.repaint();
    this.seek(this.time);
  }

  // To the next or the last mark of the chosen entity.
  mark(direction) {
    if (!this.entity) return;
    const times = this.entity.marks.map((mark) => mark.time);
    const next = direction > 0 ? times.find((time) => time > this.time + 1e-3) : times.findLast((time) => time < this.time - 1e-3);
    if (next !== undefined) this.seek(next);
  }

  toggle() {
    this.playing = !this.playing;
    cancelAnimationFrame(this.ticking);
    element("play").classList.toggle("playing", this.playing);
    element("play").setAttribute("aria-label", this.playing ? "Pause" : "Play");
    if (!this.playing) return;
    if (this.time >= this.end) this.time = this.start;
    let last = performance.now();
    const tick = () => {
      if (!this.playing) return;
      const now = performance.now();
      this.seek(this.time + ((now - last) / 1e3) * this.rate);
      last = now;
      if (this.time >= this.end) this.toggle();
      else this.ticking = requestAnimationFrame(tick);
    };
    this.ticking = requestAnimationFrame(tick);
  }

  seek(time) {
    this.time = Math.max(this.start, Math.min(this.end, time));
    element("time").value = this.time;
    element("clock").textContent = `${this.time.toFixed(2)} s of ${this.end.toFixed(1)}`;
    const span = this.window[1] - this.window[0];
    if (this.time > this.window[1] || this.time < this.window[0]) this.setWindow(this.time - span * 0.1, this.time + span * 0.9);
    this.paint();
  }

  setWindow(from, to) {
    const span = Math.max(0.5, Math.min(to - from, this.end - this.start));
    const first = Math.max(this.start, Math.min(from, this.end - span));
    this.window = [first, first + Math.max(span, 0.5)];
    this.paint();
  }

  // ---- the map ----

  fit() {
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    const here = this.entity?.at(this.time) ?? this.entity?.at(this.entity.drawn.t[0]);
    for (const entity of this.entities) {
      const { x, y } = entity.drawn;
      for (let index = 0; index < x.length; index += 1) {
        // A dungeon at the other end of the world would make everything else a point.
        if (here && Math.hypot(x[index] - here.x, y[index] - here.y) > 2000) continue;
        west = Math.min(west, x[index]); east = Math.max(east, x[index]);
        south = Math.min(south, y[index]); north = Math.max(north, y[index]);
      }
    }
    if (!(east >= west)) [west, south, east, north] = [0, 0, 10, 10];
    const map = element("map");
    const room = 1.15;
    this.view.x = (west + east) / 2;
    this.view.y = (south + north) / 2;
    this.view.scale = Math.min(map.clientWidth / Math.max((east - west) * room, 4), map.clientHeight / Math.max((north - south) * room, 4));
    this.repaint();
  }

  zoom(factor, x, y) {
    const map = element("map");
    const [dx, dy] = [(x ?? map.clientWidth / 2) - map.clientWidth / 2, map.clientHeight / 2 - (y ?? map.clientHeight / 2)];
    const scale = Math.max(0.02, Math.min(2000, this.view.scale * factor));
    this.view.x += dx / this.view.scale - dx / scale;
    this.view.y += dy / this.view.scale - dy / scale;
    this.view.scale = scale;
    this.repaint();
  }

  pick(x, y) {
    let [best, distance] = [null, 15];
    this.entities.forEach((entity, index) => {
      const at = entity.at(this.time);
      if (!at) return;
      const [px, py] = this.toScreen(at.x, at.y);
      if (Math.hypot(px - x, py - y) < distance) [best, distance] = [index, Math.hypot(px - x, py - y)];
    });
    if (best !== null) this.choose(best);
  }

  toScreen(x, y) {
    const [width, height] = this.mapSize;
    return [(x - this.view.x) * this.view.scale + width / 2, height / 2 - (y - this.view.y) * this.view.scale];
  }

  resize() {
    document.querySelectorAll("canvas:not(.mark)").forEach((canvas) => {
      const ratio = devicePixelRatio || 1;
      canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio));
      canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    });
    this.mapSize = [element("map").clientWidth, element("map").clientHeight];
    // At once: a canvas that has changed its size is empty.
    this.isReady = true;
    this.paths = null;
    this.paintNow();
  }

  // Paths do not change while it plays: they are painted once for every view.
  repaint() {
    this.paths = null;
    this.paint();
  }

  paint() {
    if (this.isDue || !this.isReady) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.paintNow();
    });
  }

  paintNow() {
    if (!this.entities.length) return;
    const at = this.entity.at(this.time);
    if (element("follow").checked && at) {
      Object.assign(this.view, { x: at.x, y: at.y });
      this.paths = null;
    }
    this.paintMap();
    this.paintPlot("speed", "s");
    this.paintPlot("behind", "b");
    this.paintPlot("route", "r", true);
    element("here").textContent = at
      ? `${at.x.toFixed(2)}, ${at.y.toFixed(2)}, ${at.z.toFixed(2)} from the corner of ${this.data.origin}, heading ${((at.h + 360) % 360).toFixed(0)}° · ` +
        `${at.s.toFixed(2)} m/s · ${at.b === null ? "no position heard" : `${Math.abs(at.b).toFixed(2)} m ${at.b < 0 ? "behind" : "ahead"}`} · ${at.r} waypoints`
      : "not there";
    this.paintRow();
  }

  paintRow() {
    const rows = element("decisions").children;
    const index = lastUpTo(this.entity.decisionTimes, this.time + 1e-6);
    const row = rows[index] ?? null;
    if (row === this.row) return;
    this.row?.classList.remove("now");
    row?.classList.add("now");
    this.row = row;
    if (row) {
      const box = element("rows");
      box.scrollTop = row.offsetTop - box.clientHeight / 2;
    }
  }

  paintMap() {
    const map = element("map");
    if (!this.paths) {
      this.paths = document.createElement("canvas");
      Object.assign(this.paths, { width: map.width, height: map.height });
      const pen = this.paths.getContext("2d");
      const ratio = map.width / Math.max(1, map.clientWidth);
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      this.paintGround(pen, map);
      for (const entity of this.trail === Infinity ? this.entities : []) {
        if (entity !== this.entity && element("others").checked) this.paintPath(pen, entity, false);
      }
      this.paintPath(pen, this.entity, true);
    }
    const pen = map.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(this.paths, 0, 0);
    const ratio = map.width / Math.max(1, map.clientWidth);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    for (const entity of this.entities) {
      if (entity === this.entity || !element("others").checked) continue;
      if (this.trail !== Infinity) this.paintPath(pen, entity, false, this.time - this.trail, this.time);
      this.paintBody(pen, entity, false);
    }
    this.paintBody(pen, this.entity, true);
  }

  colourOf(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name);
  }

  paintGround(pen, map) {
    pen.fillStyle = this.colourOf("--panel");
    pen.fillRect(0, 0, map.clientWidth, map.clientHeight);
    const wanted = 80 / this.view.scale;
    const power = 10 ** Math.floor(Math.log10(wanted));
    const step = [1, 2, 5, 10].map((part) => part * power).find((length) => length >= wanted);
    pen.strokeStyle = this.colourOf("--line");
    pen.lineWidth = 1;
    pen.beginPath();
    const [halfWidth, halfHeight] = [map.clientWidth / 2 / this.view.scale, map.clientHeight / 2 / this.view.scale];
    for (let x = Math.ceil((this.view.x - halfWidth) / step) * step; x < this.view.x + halfWidth; x += step) {
      const [px] = this.toScreen(x, 0);
      pen.moveTo(px, 0); pen.lineTo(px, map.clientHeight);
    }
    for (let y = Math.ceil((this.view.y - halfHeight) / step) * step; y < this.view.y + halfHeight; y += step) {
      const [, py] = this.toScreen(0, y);
      pen.moveTo(0, py); pen.lineTo(map.clientWidth, py);
    }
    pen.stroke();
    element("scale").textContent = `grid ${step < 1 ? step.toPrecision(1) : step} m`;
  }

  paintPath(pen, entity, isChosen, from = -Infinity, to = Infinity) {
    const { drawn, heard, truth } = entity;
    const first = Math.max(0, lastUpTo(drawn.t, from));
    const last = lastUpTo(drawn.t, to);
    pen.strokeStyle = entity.colour(isChosen ? 0.9 : 0.35);
    pen.lineWidth = isChosen ? 2 : 1;
    pen.lineJoin = "round";
    pen.beginPath();
    for (let index = first; index <= last; index += 1) {
      const [x, y] = this.toScreen(drawn.x[index], drawn.y[index]);
      if (index === first || entity.starts.has(index)) pen.moveTo(x, y);
      else pen.lineTo(x, y);
    }
    pen.stroke();
    if (!isChosen) return;
    pen.fillStyle = entity.colour(0.75);
    for (let index = 0; index < heard.t.length; index += 1) {
      const [x, y] = this.toScreen(heard.x[index], heard.y[index]);
      pen.beginPath(); pen.arc(x, y, 3, 0, 7); pen.fill();
    }
    pen.strokeStyle = this.colourOf("--faint");
    pen.lineWidth = 1.2;
    for (let index = 0; index < truth.t.length; index += 1) {
      const [x, y] = this.toScreen(truth.x[index], truth.y[index]);
      pen.beginPath(); pen.arc(x, y, 4.5, 0, 7); pen.stroke();
    }
    pen.fillStyle = this.colourOf("--now");
    for (const mark of entity.marks) {
      const at = entity.at(mark.time + 0.06) ?? entity.at(mark.time - 0.06);
      if (!at || mark.kind === "appears") continue;
      const [x, y] = this.toScreen(at.x, at.y);
      stamp(pen, mark.kind, x, y - 12);
    }
  }

  paintBody(pen, entity, isChosen) {
    const at = entity.at(this.time);
    if (!at) return;
    const [x, y] = this.toScreen(at.x, at.y);
    const size = isChosen ? 9 : 6;
    const turn = (at.h * Math.PI) / 180;
    pen.save();
    pen.translate(x, y);
    pen.rotate(turn);
    pen.beginPath();
    pen.moveTo(0, -size); pen.lineTo(size * 0.65, size * 0.7); pen.lineTo(0, size * 0.35); pen.lineTo(-size * 0.65, size * 0.7);
    pen.closePath();
    pen.fillStyle = entity.colour();
    pen.fill();
    if (isChosen) {
      pen.strokeStyle = this.colourOf("--ink");
      pen.lineWidth = 1.2;
      pen.stroke();
    }
    pen.restore();
    if (isChosen || this.entities.length <= 30) {
      pen.fillStyle = this.colourOf(isChosen ? "--ink" : "--faint");
      pen.font = `${isChosen ? "600 " : ""}12px system-ui`;
      pen.textAlign = "left";
      pen.fillText(entity.name || entity.id, x + 10, y + 4);
    }
  }

  // ---- plots: one number over time, the same window and cursor in all ----

  paintPlot(id, name, isStepped = false) {
    const canvas = element(id);
    const theme = document.documentElement.dataset.theme;
    const key = [this.chosen, ...this.window, canvas.width, canvas.height, theme].join();
    if (this.plots[id]?.key !== key) {
      const picture = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
      this.paintCurve(picture, [canvas.clientWidth, canvas.clientHeight], id, name, isStepped);
      this.plots[id] = { key, picture };
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(this.plots[id].picture, 0, 0);
    const [from, to] = this.window;
    pen.fillStyle = this.colourOf("--now");
    const x = ((this.time - from) / (to - from)) * canvas.width;
    pen.fillRect(x - 1, 0, 2, canvas.height);
  }

  paintCurve(picture, [width, height], id, name, isStepped) {
    const pen = picture.getContext("2d");
    pen.setTransform(picture.width / Math.max(1, width), 0, 0, picture.height / Math.max(1, height), 0, 0);
    const { drawn } = this.entity;
    const [from, to] = this.window;
    const first = Math.max(0, lastUpTo(drawn.t, from));
    const last = Math.min(drawn.t.length - 1, lastUpTo(drawn.t, to) + 1);
    const isSigned = name === "b";
    let top = 0;
    for (let index = first; index <= last; index += 1) {
      if (drawn[name][index] > NO_ERROR) top = Math.max(top, Math.abs(drawn[name][index]));
    }
    top = Math.max(top * 1.1, isStepped ? 2 : 0.5);
    const across = (time) => ((time - from) / (to - from)) * width;
    const rise = (value) => (isSigned ? (value + top) / (2 * top) : value / top);
    const up = (value) => height - 4 - rise(value) * (height - 14);
    pen.fillStyle = this.colourOf("--panel");
    pen.fillRect(0, 0, width, height);
    pen.fillStyle = this.colourOf("--faint");
    pen.font = "11px system-ui";
    pen.textAlign = "left";
    pen.fillText((isSigned ? "±" : "") + (top >= 10 ? top.toFixed(0) : top.toFixed(1)), 3, 11);
    if (isSigned) pen.fillRect(0, up(0), width, 0.5);
    pen.textAlign = "right";
    pen.fillText(`${from.toFixed(1)} – ${to.toFixed(1)} s`, width - 3, 11);
    pen.strokeStyle = this.entity.colour();
    pen.lineWidth = 1.4;
    pen.beginPath();
    // Of all that falls into one column of pixels, the lowest and the highest say everything.
    let [column, low, high] = [-1, Infinity, -Infinity];
    for (let index = first; index <= last; index += 1) {
      const [x, y] = [across(drawn.t[index]), up(drawn[name][index])];
      const isStart = index === first || this.entity.starts.has(index) || drawn[name][index] <= NO_ERROR || drawn[name][index - 1] <= NO_ERROR;
      if (!isStart && Math.floor(x) === column) {
        if (y < low) { low = y; pen.lineTo(x, y); }
        if (y > high) { high = y; pen.lineTo(x, y); }
        if (index < last) continue;
      }
      [column, low, high] = [Math.floor(x), y, y];
      if (isStart) pen.moveTo(x, y);
      else if (isStepped) { pen.lineTo(x, up(drawn[name][index - 1])); pen.lineTo(x, y); }
      else pen.lineTo(x, y);
    }
    pen.stroke();
    pen.fillStyle = this.colourOf("--now");
    for (const mark of this.entity.marks) {
      if (mark.time < from || mark.time > to) continue;
      pen.globalAlpha = 0.35;
      pen.fillRect(across(mark.time), 14, 1, height - 14);
      pen.globalAlpha = 1;
      if (id === "speed") stamp(pen, mark.kind, across(mark.time), 20);
    }
  }
}

document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
unpack().then(
  (data) => { window.app = new App(data); },
  (error) => {
    const broken = element("broken");
    broken.hidden = false;
    broken.textContent = `This page needs a browser of 2023 or newer to unpack its data (${error}).`;
    throw error;
  },
);
