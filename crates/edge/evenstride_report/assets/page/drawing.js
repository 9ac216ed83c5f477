// A recording as one method draws it: the bodies of the present frame, the track of the selected entity, and
// the overview of all entities. The core computes all of it, in parts, so that the page stays responsive.

import { lastUpTo } from "./format.js";

const DRAWING_VALUES = 8;
// Beads of a path, as the core makes them.
const DRAWING_BEADS = 41;
const DRAWING_BEAD_SECS = 0.1;
// Milliseconds after which the track and the overview of a growing recording are read again.
const DRAWING_TRACK_MS = 200;
const DRAWING_OVERVIEW_MS = 1000;

const DRAWING_HUES = {
  glide: "--c-glide",
  smooth: "--c-smooth",
  retail: "--c-retail",
  acdream: "--c-acdream",
  "dead reckoning": "--c-dead-reckoning",
  "buffer, 2 x interval": "--c-buffer-2x",
  "buffer, adaptive": "--c-buffer-adaptive",
  "hermite, 0.25 s ahead": "--c-hermite",
  "single chase": "--c-single-chase",
  "hard snap": "--c-hard-snap",
};

const DRAWING_LABELS = {
  "buffer, 2 x interval": "buffer 2×",
  "buffer, adaptive": "buffer adaptive",
  "hermite, 0.25 s ahead": "hermite",
};

export function drawingHue(name) {
  // What is left was drawn by another program.
  return DRAWING_HUES[name] ?? DRAWING_HUES[name.split(",")[0]] ?? "--c-drawn";
}

export function drawingLabel(name) {
  return DRAWING_LABELS[name] ?? name;
}

export class PaneDrawing {
  // `source` is a recording: { viewer, map, shift }. The map leads from the page's entities to those of the
  // recording, and the shift is added to the page's time.
  constructor(source, method, whatIf, count) {
    this.source = source;
    this.method = method;
    this.name = source.title ? `${drawingLabel(method)}, ${source.title}` : drawingLabel(method);
    this.hue = drawingHue(method);
    this.core = source.viewer.drawing(
      method,
      whatIf.fps,
      whatIf.latency / 1000,
      whatIf.jitter / 1000,
      whatIf.loss / 100,
      whatIf.seed,
      Uint32Array.from(whatIf.dropped),
    );
    this.count = count;
    this.bodies = new Float32Array(count * DRAWING_VALUES).fill(NaN);
    this.beads = { count: 0, times: new Float64Array(0), at: new Float32Array(0) };
    this.track = null;
    this.job = null;
    this.overview = null;
    this.surveyed = 0;
    this.bins = new Map();
    this.shownTime = NaN;
    this.binSecs = 0.1;
    // Of a growing recording, the track and the overview are read again now and then.
    this.isGrowing = false;
    this.isTrackOld = false;
    this.isOverviewOld = false;
    this.trackReadAt = 0;
    this.overviewReadAt = 0;
    this.decisionsReadAt = 0;
  }

  // Takes note that the recording has grown.
  grow() {
    if (!this.isGrowing) return;
    this.isTrackOld = true;
    this.isOverviewOld = true;
  }

  free() {
    this.job?.free();
    this.job = null;
    this.core.free();
    this.core = null;
  }

  // Goes towards a time. Returns whether the bodies are those of that time.
  seek(time, frames) {
    const wanted = time + this.source.shift;
    if (!this.core.seek(wanted, frames)) return false;
    const now = this.core.time;
    if (now === this.shownTime) return true;
    this.shownTime = now;
    const bodies = this.core.bodies();
    if (!this.source.map) this.count = bodies.length / DRAWING_VALUES;
    this.bodies = this.ordered(bodies, DRAWING_VALUES, 1);
    const times = this.core.beadTimes();
    this.beads = { count: times.length, times, at: this.ordered(this.core.beads(), 3, times.length) };
    if (this.source.shift) this.beads.times = times.map((of) => of - this.source.shift);
    return true;
  }

  // Shows one entity from its track, until the bodies of that time are there. Returns whether that is a new picture.
  preview(entity, time) {
    const { track } = this;
    if (Number.isFinite(this.shownTime) || track?.entity !== entity || this.previewed === time || entity >= this.count) return false;
    this.previewed = time;
    const row = lastUpTo(track.times, time + 1e-6, track.length);
    this.bodies.fill(NaN);
    if (row < 0) return true;
    const body = [track.x[row], track.y[row], track.z[row], track.heading[row], track.z[row] - track.height[row], 0, 0, track.height[row] > 0.05 ? 2 : 0];
    this.bodies.set(body, entity * DRAWING_VALUES);
    const rows = [];
    for (let at = row; at >= 0 && rows.length < DRAWING_BEADS; at = lastUpTo(track.times, time - rows.length * DRAWING_BEAD_SECS, at)) rows.unshift(at);
    const at = new Float32Array(rows.length * this.count * 3).fill(NaN);
    rows.forEach((from, bead) => at.set([track.x[from], track.y[from], track.z[from]], (bead * this.count + entity) * 3));
    this.beads = { count: rows.length, times: Float64Array.from(rows, (from) => track.times[from]), at };
    return true;
  }

  // Returns values in the order of the page's entities.
  ordered(values, each, rows) {
    const { map } = this.source;
    if (!map) return values;
    const others = values.length / each / Math.max(rows, 1);
    const ordered = new Float32Array(this.count * each * rows).fill(NaN);
    for (let row = 0; row < rows; row += 1) {
      for (let index = 0; index < this.count; index += 1) {
        if (map[index] < 0) continue;
        const from = (row * others + map[index]) * each;
        ordered.set(values.subarray(from, from + each), (row * this.count + index) * each);
      }
    }
    return ordered;
  }

  // Returns the index of an entity in the recording, or -1.
  indexOf(entity) {
    return this.source.map ? this.source.map[entity] : entity;
  }

  // Begins the track of another entity.
  follow(entity, from, to) {
    this.job?.free();
    this.job = null;
    const index = this.indexOf(entity);
    const { shift } = this.source;
    this.wanted = entity;
    this.track = null;
    this.from = from;
    this.trackReadAt = this.decisionsReadAt = 0;
    if (index >= 0) this.job = this.core.track(index, from + shift, to + shift);
  }

  // Works on the track. Returns whether there is more to do.
  work(frames) {
    if (!this.job) return false;
    const done = this.job.work(frames);
    if (done < 1) {
      this.progress = done;
      return true;
    }
    if (!this.isGrowing) {
      this.track = this.read(this.job);
      this.job.free();
      this.job = null;
      return false;
    }
    const now = performance.now();
    if (this.track && !(this.isTrackOld && now - this.trackReadAt > DRAWING_TRACK_MS)) return false;
    this.trackReadAt = now;
    this.isTrackOld = false;
    this.track = this.read(this.job);
    return false;
  }

  read(job) {
    const places = job.places;
    const length = places.length / 3;
    const [x, y, z] = [0, 1, 2].map((axis) => Float32Array.from({ length }, (_, index) => places[3 * index + axis]));
    const { shift } = this.source;
    const times = shift ? job.times.map((of) => of - shift) : job.times;
    return {
      entity: this.wanted,
      done: 1,
      length,
      times,
      x,
      y,
      z,
      heading: job.headings,
      speed: job.speeds,
      error: job.errors,
      aside: job.asides,
      height: job.heights,
      placed: job.placed,
      receipts: job.receipts,
      decisions: this.readDecisions(job),
    };
  }

  // Returns the decisions. Those of a growing recording are read less often, because they are many words.
  readDecisions(job) {
    const now = performance.now();
    if (this.track && this.isGrowing && now - this.decisionsReadAt < DRAWING_OVERVIEW_MS) return this.track.decisions;
    this.decisionsReadAt = now;
    const decisions = job.decisions();
    return decisions.length === this.track?.decisions.length ? this.track.decisions : decisions;
  }

  // Works on the overview. Returns whether there is more to do.
  survey(frames) {
    if (this.surveyed >= 1 && !this.isOverviewOld) return false;
    const done = this.core.survey(frames);
    // What was known stays while a growing recording is looked at again.
    if (!this.isGrowing || !this.overview) this.surveyed = done;
    if (done < 1) return true;
    const now = performance.now();
    if (this.isGrowing && this.overview && now - this.overviewReadAt < DRAWING_OVERVIEW_MS) return false;
    this.overviewReadAt = now;
    this.isOverviewOld = false;
    this.overview = this.core.overview();
    this.binSecs = this.core.binSecs;
    this.bins.clear();
    return false;
  }

  // Returns the largest error of an entity in each bin, or null while it is unknown.
  errors(entity) {
    if (this.surveyed < 1) return null;
    const index = this.indexOf(entity);
    if (index < 0) return null;
    let bins = this.bins.get(entity);
    if (!bins) {
      bins = this.core.errors(index);
      this.bins.set(entity, bins);
    }
    return bins;
  }

  state(entity) {
    const index = this.indexOf(entity);
    return index < 0 ? {} : this.core.state(index);
  }
}
