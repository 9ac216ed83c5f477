"use strict";
// Everything that is drawn comes from one object: times, subjects with their truth, contestants with what they drew. Centimetres.
const data = JSON.parse(document.getElementById("data").textContent);
const COLOURS = ["#9ca3af", "#d97706", "#65a30d", "#0891b2", "#7c3aed", "#db2777", "#1d4ed8", "#64748b", "#dc2626", "#15803d"];
const shown = data.contestants.map((one) => ["retail", "dead reckoning", "buffer, adaptive", "glide"].includes(one.name));
const el = (id) => document.getElementById(id);
const [map, off, trade] = ["map", "off", "trade"].map((id) => el(id).getContext("2d"));
const ink = () => getComputedStyle(document.documentElement).getPropertyValue("--ink");
const quiet = () => getComputedStyle(document.documentElement).getPropertyValue("--quiet");
let frame = 0, playing = false, last = 0, who = 0;

data.subjects.forEach((subject, number) => el("subject").add(new Option(subject.name, number)));
el("time").max = data.times.length - 1;
data.contestants.forEach((one, number) => {
  const label = document.createElement("label");
  const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: shown[number] });
  box.onchange = () => { shown[number] = box.checked; draw(); };
  const swatch = Object.assign(document.createElement("span"), { className: "swatch" });
  swatch.style.background = COLOURS[number % COLOURS.length];
  label.append(box, swatch, one.name);
  el("legend").append(label);
});

const point = (track, at) => (track[2 * at] === null || track[2 * at] === undefined ? null : [track[2 * at] / 100, track[2 * at + 1] / 100]);

function bounds(track) {
  let [left, low, right, high] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < data.times.length; at += 1) {
    const p = point(track, at);
    if (p) { left = Math.min(left, p[0]); right = Math.max(right, p[0]); low = Math.min(low, p[1]); high = Math.max(high, p[1]); }
  }
  return Number.isFinite(left) ? [left - 3, low - 3, right + 3, high + 3] : [0, 0, 1, 1];
}

function line(context, track, place, from, to) {
  context.beginPath();
  let open = false, before = null;
  for (let at = Math.max(0, from); at <= to; at += 1) {
    const p = point(track, at);
    // A leap is not drawn as a way.
    const leaps = p && before && Math.hypot(p[0] - before[0], p[1] - before[1]) > 15;
    if (p) { const [x, y] = place(p); if (open && !leaps) context.lineTo(x, y); else context.moveTo(x, y); }
    open = p !== null;
    before = p;
  }
  context.stroke();
}

function drawMap() {
  const { width, height } = map.canvas;
  map.clearRect(0, 0, width, height);
  const subject = data.subjects[who];
  const [left, low, right, high] = bounds(subject.truth);
  const scale = Math.min(width / (right - left), height / (high - low));
  const place = ([x, y]) => [(x - (left + right) / 2) * scale + width / 2, height / 2 - (y - (low + high) / 2) * scale];
  map.lineWidth = 5; map.globalAlpha = 0.18; map.strokeStyle = ink();
  line(map, subject.truth, place, 0, data.times.length - 1);
  map.globalAlpha = 1; map.lineWidth = 2;
  data.contestants.forEach((one, number) => {
    if (!shown[number]) return;
    map.strokeStyle = map.fillStyle = COLOURS[number % COLOURS.length];
    line(map, one.drawn[who], place, frame - 3 * data.rate, frame);
    const p = point(one.drawn[who], frame);
    if (p) { const [x, y] = place(p); map.beginPath(); map.arc(x, y, 6, 0, 7); map.fill(); }
  });
  const truth = point(subject.truth, frame);
  if (truth) { const [x, y] = place(truth); map.strokeStyle = ink(); map.lineWidth = 2; map.beginPath(); map.arc(x, y, 10, 0, 7); map.stroke(); }
  map.fillStyle = quiet(); map.font = "13px system-ui";
  map.fillText("ring: where it truly is", 10, height - 10);
}

function drawOff() {
  const { width, height } = off.canvas;
  off.clearRect(0, 0, width, height);
  const truth = data.subjects[who].truth;
  const most = 4;
  off.lineWidth = 1.5;
  data.contestants.forEach((one, number) => {
    if (!shown[number]) return;
    off.strokeStyle = COLOURS[number % COLOURS.length];
    off.beginPath();
    for (let at = 0; at < data.times.length; at += 1) {
      const [p, t] = [point(one.drawn[who], at), point(truth, at)];
      const x = at / data.times.length * width;
      const metres = p && t ? Math.hypot(p[0] - t[0], p[1] - t[1]) : 0;
      const y = height - 4 - Math.min(metres, most) / most * (height - 20);
      if (at === 0) off.moveTo(x, y); else off.lineTo(x, y);
    }
    off.stroke();
  });
  off.fillStyle = quiet(); off.font = "13px system-ui";
  off.fillText(`${most} m`, 6, 14);
  off.strokeStyle = ink(); off.lineWidth = 1;
  const x = frame / data.times.length * width;
  off.beginPath(); off.moveTo(x, 0); off.lineTo(x, height); off.stroke();
}

function drawTrade() {
  const { width, height } = trade.canvas;
  trade.clearRect(0, 0, width, height);
  const behind = data.contestants.map((one) => one.behind), jerk = data.contestants.map((one) => Math.max(one.jerk, 1));
  const right = Math.max(...behind, 0.1) * 1.15, low = Math.log10(Math.min(...jerk)) - 0.2, high = Math.log10(Math.max(...jerk)) + 0.2;
  trade.font = "13px system-ui"; trade.fillStyle = quiet();
  trade.fillText("jerk, m/s³ (at least 1)", 8, 16); trade.fillText("median seconds behind", width - 160, height - 8);
  const labels = [];
  data.contestants.forEach((one, number) => {
    const x = 60 + behind[number] / right * (width - 240);
    const y = 24 + (high - Math.log10(jerk[number])) / (high - low) * (height - 60);
    trade.fillStyle = COLOURS[number % COLOURS.length];
    trade.beginPath(); trade.arc(x, y, 6, 0, 7); trade.fill();
    // Labels make room for each other.
    let line = y + 4;
    while (labels.some(([left, top]) => Math.abs(left - x) < 260 && Math.abs(top - line) < 15)) line += 15;
    labels.push([x, line]);
    trade.fillText(`${one.name} (${one.jerk.toFixed(0)}, ${behind[number].toFixed(2)} s)`, x + 10, line);
  });
}

function draw() {
  el("time").value = frame;
  el("clock").textContent = `${data.times[frame].toFixed(2)} s`;
  drawMap(); drawOff();
}

function tick(now) {
  if (playing) {
    const passed = (now - last) / 1000 * Number(el("speed").value) * data.rate;
    if (passed >= 1) { frame = Math.min(frame + Math.floor(passed), data.times.length - 1); last = now; draw(); }
    if (frame === data.times.length - 1) { playing = false; el("play").textContent = "play"; }
  }
  requestAnimationFrame(tick);
}

el("play").onclick = () => {
  playing = !playing; last = performance.now();
  if (playing && frame === data.times.length - 1) frame = 0;
  el("play").textContent = playing ? "pause" : "play";
};
el("time").oninput = () => { frame = Number(el("time").value); draw(); };
el("subject").onchange = () => { who = Number(el("subject").value); draw(); };
addEventListener("keydown", (event) => { if (event.key === " " && event.target === document.body) { event.preventDefault(); el("play").click(); } });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { draw(); drawTrade(); });
draw(); drawTrade(); requestAnimationFrame(tick);
