// Sentences about the present state. Numbers come from the core, and every part of the page shows the same.

import { fixed, lastUpTo, metres, seconds, signed, speed, whole } from "./format.js";
import { drawingLabel } from "./drawing.js";

const SENTENCE_OFF = 0.6;

// Returns the one sentence of the page, in parts.
export function sentenceOpening(model) {
  if (model.emptiness) return [{ text: model.emptiness.words }];
  if (model.panes.length > 1 && model.compare) return model.compare.isCurrent === false ? sentenceStrays(model) : sentenceCompared(model);
  if (model.kind === "live") return sentenceLive(model);
  const [pane] = model.panes;
  const count = model.entities.filter((of) => Number.isFinite(of.worst)).length;
  const who = count === 1 ? "the entity stays" : `all ${whole(count)} entities stay`;
  const within = Number.isFinite(model.within) ? `, ${who} within ${metres(model.within)} of ${count === 1 ? "its path" : "their paths"}` : "";
  const parts = [{ text: "Drawn with " }, { text: pane.name, strong: true, hue: pane.hue }, { text: ` at ${Number(model.whatIf.fps.toFixed(2))} fps${within}. ` }];
  return [...parts, ...sentenceStandsOut(model)];
}

// Returns what stands out most.
function sentenceStandsOut(model) {
  const worst = model.moments.find((of) => of.level !== "note");
  if (!worst) return [{ text: "Nothing stands out." }];
  const told = `${worst.name} ${worst.short} at ${fixed(worst.at, 1)}\u2009s`;
  return [{ text: "The worst moment: " }, { text: told, moment: worst.index }, { text: "." }];
}

// Milliseconds for which the sentence about a live session stays, and the seconds that it is about.
const SENTENCE_LIVE_MS = 500;
const SENTENCE_LIVE_SECS = 10;

// Returns what goes on in a live session.
function sentenceLive(model) {
  const { live } = model;
  if (live.ended) {
    const { length } = model.entities;
    const told = `: ${whole(length)} ${length === 1 ? "entity" : "entities"}, ${whole(model.updateCount)} updates. `;
    return [{ text: "Ended", strong: true }, { text: told }, ...sentenceStandsOut(model)];
  }
  if (live.lostAt) return [{ text: "Lost", strong: true }, { text: ": what came before can still be played." }];
  const silent = live.now === null ? 0 : live.now - model.end;
  const now = performance.now();
  if (live.sentence && live.sentenceOf === model.moments && now - live.sentenceAt < SENTENCE_LIVE_MS) return live.sentence;
  Object.assign(live, { sentenceAt: now, sentenceOf: model.moments });
  const from = model.end - SENTENCE_LIVE_SECS;
  const { bodies } = model.panes[0];
  let [drawn, updates] = [0, 0];
  const late = [];
  for (const entity of model.entities) {
    if (Number.isFinite(bodies[entity.index * 8])) drawn += 1;
    updates += entity.updates.length - 1 - lastUpTo(entity.updates, from);
    if (entity.late[entity.late.length - 1]?.[1] > from || sentenceIsLate(model, entity)) late.push(entity);
  }
  const rate = updates / Math.max(Math.min(SENTENCE_LIVE_SECS, model.end - model.start), 1);
  const parts = [{ text: "Live", strong: true }, { text: `: ${whole(drawn)} ${drawn === 1 ? "entity" : "entities"}, ${whole(rate)} ${Math.round(rate) === 1 ? "update" : "updates"} a second. ` }];
  if (silent > 1) {
    live.sentence = [parts[0], { text: `: no message for ${whole(silent + 3)}\u2009s. Its client is silent, or has left.` }];
    return live.sentence;
  }
  const recent = model.moments.filter((of) => of.level !== "note" && of.at > from).sort((one, other) => other.at - one.at)[0];
  if (recent) parts.push({ text: `${recent.name} ${recent.short} at ${fixed(recent.at, 1)}\u2009s`, moment: recent.index }, { text: "." });
  else if (late.length === 0) parts.push({ text: `Nothing was late in the last ${SENTENCE_LIVE_SECS}\u2009s.` });
  else parts.push({ text: `${late.length === 1 ? late[0].name : `${whole(late.length)} entities`} ${late.length === 1 ? "was" : "were"} late in the last ${SENTENCE_LIVE_SECS}\u2009s.` });
  live.sentence = parts;
  return parts;
}

// Returns whether the next update of a moving entity is overdue.
function sentenceIsLate(model, entity) {
  const last = entity.updates.length - 1;
  if (last < 1 || !(model.end - entity.updates[last] > 3 * entity.usual)) return false;
  return model.received(entity.index).speed[last] > 0.1 && Number.isFinite(model.panes[0].bodies[entity.index * 8]);
}

function sentenceCompared(model) {
  const told = model.panes.map((pane, index) => {
    const row = model.compare.rows.find((of) => of.name === pane.method);
    if (!row) return [{ text: pane.name, strong: true, hue: pane.hue }];
    const leaps = index === 0 ? `leaps ${whole(row.leaps)} ${row.leaps === 1 ? "time" : "times"}` : `${whole(row.leaps)} ${row.leaps === 1 ? "time" : "times"}`;
    const strays = Number.isFinite(row.strays) ? (index === 0 ? ` and strays ${fixed(row.strays, 1)}\u2009m at most` : ` and ${fixed(row.strays, 1)}\u2009m`) : "";
    return [{ text: pane.name, strong: true, hue: pane.hue }, { text: ` ${leaps}${strays}` }];
  });
  const twice = model.panes.length === 2 ? "twice" : "three times";
  const parts = [{ text: `The same packets, drawn ${twice}: ` }];
  told.forEach((of, index) => parts.push(...(index ? [{ text: ", " }] : []), ...of));
  return [...parts, { text: "." }];
}

// Returns the comparison of a what-if, for which there is no scorecard.
function sentenceStrays(model) {
  const parts = [{ text: `The same packets, drawn ${model.panes.length === 2 ? "twice" : "three times"}: ` }];
  model.panes.forEach((pane, index) => {
    const within = pane.overview?.within;
    const strays = Number.isFinite(within) ? `${index === 0 ? " strays" : ""} ${fixed(within, 1)}\u2009m${index === 0 ? " at most" : ""}` : " is being computed";
    parts.push(...(index ? [{ text: ", " }] : []), { text: pane.name, strong: true, hue: pane.hue }, { text: strays });
  });
  return [...parts, { text: "." }];
}

// Returns title, facts and what-if of the line above the sentence.
export function sentenceCaption(model) {
  const { facts } = model;
  const count = (number, one, many) => `${whole(number)} ${number === 1 ? one : many}`;
  const player = model.entities[model.player];
  if (model.kind === "live" && model.emptiness) return { title: model.about.title, facts: [], whatIf: "", lost: sentenceLost(model) };
  const told = [`${fixed(model.end - model.start, 1)}\u2009s`, count(model.entities.length + facts.left_out, "entity", "entities"), ...(model.about.facts ?? [count(model.updateCount, "update", "updates")])];
  if (player) told.push(`seen by ${player.name}`);
  if (facts.left_out) told.push(`${whole(facts.left_out)} entities are not shown`);
  return { title: model.about.title, facts: told, whatIf: sentenceWhatIf(model), lost: sentenceLost(model) };
}

// Returns what is wrong with the connection of a live page.
function sentenceLost(model) {
  const { lostAt, ended, refusal } = model.live;
  if (ended) return ended;
  if (!lostAt) return "";
  const minutes = (model.end - model.start) / 60;
  const span = minutes < 1.5 ? `${whole(60 * minutes)}\u2009s` : `${whole(minutes)} minutes`;
  return `Connection lost at ${lostAt.toTimeString().slice(0, 8)}${refusal ? `: ${refusal}` : ""}. Showing the last ${span}.`;
}

function sentenceWhatIf(model) {
  if (!model.isChanged) return "";
  const { whatIf, baseline } = model;
  const told = [];
  const name = model.wantedNames()[0];
  if (name !== model.about.panes[0]) told.push(drawingLabel(name));
  if (whatIf.fps !== baseline.fps) told.push(`${whatIf.fps} fps`);
  if (whatIf.latency) told.push(`${whatIf.latency} ms latency`);
  if (whatIf.jitter) told.push(`${whatIf.jitter} ms jitter`);
  if (whatIf.loss) told.push(`${whatIf.loss} % loss`);
  if (whatIf.dropped.length) told.push(`${whatIf.dropped.length} dropped ${whatIf.dropped.length === 1 ? "message" : "messages"}`);
  return `What if: ${told.join(", ")}`;
}

// Returns the values of the selected entity at a time.
function sentenceNow(model) {
  const { entity, time } = model;
  const row = model.rowAt(model.panes[0], time);
  const track = model.panes[0]?.track;
  const at = lastUpTo(entity.updates, time);
  const received = model.received(model.selected);
  const value = (name) => (row >= 0 ? track[name][row] : NaN);
  return {
    x: value("x"), y: value("y"), z: value("z"), heading: value("heading"), speed: value("speed"), error: value("error"), aside: value("aside"), height: value("height"),
    since: at >= 0 ? time - entity.updates[at] : NaN,
    told: at >= 0 && at + 1 < entity.updates.length ? received.speed[at + 1] : at >= 0 ? received.speed[at] : NaN,
  };
}

// Returns the rows of the inspector.
export function sentenceState(model) {
  if (!model.entity) return [];
  const now = sentenceNow(model);
  const state = model.now();
  const off = Math.abs(now.error);
  const level = off > 1.5 ? "bad" : off > SENTENCE_OFF ? "watch" : "";
  const side = now.error > 0.005 ? " ahead" : now.error < -0.005 ? " behind" : "";
  const isLate = now.since > 3 * model.entity.usual && now.told > 0.1;
  const places = state.waypoints?.length ?? 0;
  const rows = [
    { label: "Position", value: Number.isFinite(now.x) ? `${fixed(now.x, 2)}, ${fixed(now.y, 2)}, ${fixed(now.z, 2)}` : "not in the world" },
    { label: "Heading", value: Number.isFinite(now.heading) ? `${fixed(now.heading, 0)}°` : "–" },
    { label: "Speed drawn", value: speed(now.speed) },
    { label: "Speed of updates", value: speed(now.told) },
    { label: "Error along the path", value: Number.isFinite(now.error) ? `${signed(now.error)}\u2009m${side}` : "–", level },
    { label: "Last update", value: Number.isFinite(now.since) ? `${seconds(now.since)} ago` : "–", level: isLate ? "watch" : "" },
    { label: "Usual interval", value: seconds(model.entity.usual) },
  ];
  if (state.moved_by) {
    const moved = { route: "its route", follow: "following", legs: "its animation", flight: "flight", holder: "its holder", nothing: "nothing" };
    rows.push({ label: "Moved by", value: moved[state.moved_by] ?? state.moved_by });
    rows.push({ label: "Animation", value: state.animation?.replace(/-(?=\d)/g, "−") || "–" });
    rows.push({ label: "Route", value: places ? `${places} ${places === 1 ? "waypoint" : "waypoints"}` : "empty" });
  }
  if (state.move_to) rows.push({ label: "Goal", value: state.move_to });
  if (state.cell) rows.push({ label: "Cell", value: state.cell });
  return rows;
}

// Returns the other drawing that is farthest off now, or null.
function sentenceWorst(model) {
  let worst = null;
  for (const pane of model.panes.slice(1)) {
    const row = model.rowAt(pane, model.time);
    const error = row >= 0 ? pane.track.error[row] : NaN;
    if (Math.abs(error) > (worst?.off ?? 0)) worst = { name: pane.name, error, off: Math.abs(error) };
  }
  return worst;
}

// Returns one sentence about what happens now.
export function sentenceVerdict(model) {
  if (!model.entity) return { words: "", level: "calm" };
  const now = sentenceNow(model);
  const name = model.entity.name;
  if (!Number.isFinite(now.x)) return { words: `${name} is not drawn at this time.`, level: "calm" };
  const off = Math.abs(now.error);
  const usual = model.entity.usual;
  const isSilent = now.since > 2 * usual && now.told > 0.1;
  const silence = isSilent ? ` No update for ${seconds(now.since)}.` : "";
  const worst = sentenceWorst(model);
  if (worst && worst.off > SENTENCE_OFF && worst.off > off) {
    const ours = Number.isFinite(off) ? `, ${metres(off)} with ${model.panes[0].name}` : "";
    return { words: `${metres(worst.off)} ${worst.error < 0 ? "behind" : "ahead"} with ${worst.name}${ours}.${silence}`, level: worst.off > 1.5 ? "bad" : "watch" };
  }
  if (off > SENTENCE_OFF) return { words: `Drawn ${metres(off)} ${now.error < 0 ? "behind" : "ahead of"} its path.${silence}`, level: off > 1.5 ? "bad" : "watch" };
  if (now.height > 0.05) return { words: `In the air, ${metres(now.height)} above the ground.`, level: "calm" };
  if (!Number.isFinite(now.error) && model.kind === "live" && now.since >= 0) return { words: "How far it is off shows as soon as the next positions have arrived.", level: "calm" };
  if (!Number.isFinite(now.error)) return { words: "No position has arrived yet.", level: "calm" };
  if (isSilent) return { words: `On its path, within ${metres(off)}.${silence}`, level: "watch" };
  return { words: `On its path, within ${metres(off)}.`, level: "calm" };
}
