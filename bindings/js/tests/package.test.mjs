// The npm package in Node. Prints a line for each check, and fails if one of them does.
import { readFileSync } from "node:fs";
import { Replay, World, version } from "evenstride";
import { ORIGIN, compare } from "./checks.mjs";

let failed = 0;
const check = (what, is) => {
    failed += !is;
    console.log(`${is ? "yes" : "NO"}: ${what}`);
};
const json = (name) => JSON.parse(readFileSync(name, "utf8"));
const bytes = (name) => new Uint8Array(readFileSync(name));

const script = bytes("script.bin");
compare({ Replay }, script, json("expected.json"), check);

// A world of a client's own, with single messages and with batches.
const messages = bytes("messages.bin");
const { ends, times, world: expected } = json("messages.json");
const play = (world, handle, from = 0, until = 121 * 60) => {
    let next = times.findIndex((time) => time > (from - 1) / 60);
    for (let frame = from; frame <= until; frame += 1) {
        const time = frame / 60;
        world.advance(time);
        const first = next;
        while (next < times.length && times[next] <= time) next += 1;
        if (next > first) handle(world, time, first, next);
    }
    return world;
};
const start = (index) => (index === 0 ? 0 : ends[index - 1]);
const singly = (world, time, first, next) => {
    for (let index = first; index < next; index += 1) {
        world.handle(time, messages.subarray(start(index), ends[index]));
    }
};
const together = (world, time, first, next) => {
    const part = messages.subarray(start(first), ends[next - 1]);
    const within = Uint32Array.from(ends.slice(first, next), (end) => end - start(first));
    if (world.handleMany(time, part, within) !== next - first) throw new Error("messages were left out");
};
const one = play(new World("GLIDE", 0), singly);
const other = play(new World("GLIDE", 0), together);
check("a world of single messages", one.stateHash() === expected);
check("a world of batches", other.stateHash() === expected);
check("both draw the same", one.drawingHash() === other.drawingHash());

const half = play(new World("GLIDE", 0), together, 0, 3000);
half.trace(0x50000002);
const restored = World.restore(half.save(), half.saveDrawing());
check("a restored world is the same", restored.stateHash() === half.stateHash() && restored.drawingHash() === half.drawingHash());
play(half, together, 3001);
play(restored, together, 3001);
check("it goes on the same", restored.stateHash() === expected && restored.drawingHash() === half.drawingHash());
const said = half.explain(0x50000002);
check("a traced entity is explained", said.length > 10 && said.every((of) => typeof of.words === "string"));
const events = half.events();
check("events have a kind and an entity", events.length > 3 && events.every((of) => of.kind && of.entity.startsWith("0x")));
check("events are removed", half.events().length === 0);

// Drawing.
const drawing = play(new World("SMOOTH", 0), together, 0, 1200);
const count = drawing.draw(20, ORIGIN);
check("ids, poses and flags fit together", drawing.ids().length === count && drawing.poses().length === 7 * count && drawing.hidden().length === count && count === 3);
drawing.drawChanged(20, ORIGIN);
drawing.drawChanged(20, ORIGIN);
check("bodies at rest are drawn once", drawing.ids().length < count);
const near = drawing.draw(20, ORIGIN) && drawing.poses().slice();
const far = drawing.draw(20, ORIGIN - 0x100) && drawing.poses().slice();
check("poses are measured from the origin", Math.abs(far[0] - near[0] - 192) < 1e-3 && far[1] === near[1]);
drawing.setHeightfield(ORIGIN, 24, 9, new Float32Array(81).fill(12));
drawing.setFlatGround(12);
drawing.setViewpoint(0xa9b40001, 96, 96, 12);
drawing.clearViewpoint();
drawing.setOpenField();
check("a heightfield lets bodies walk", play(drawing, together, 1201, 1300).time === 1300 / 60);

// Tracks, rivals and links.
const replay = new Replay(script, "glide", 60);
const track = replay.track(0x50000002, ORIGIN);
check("a track has a pose and an error per frame", track.poses.length === 7 * track.times.length && track.errors.length === 2 * track.times.length && track.times.length > 7000);
const errors = track.errors.filter(Number.isFinite);
check("errors are signed and small", errors.length > 5000 && errors.some((error) => error < 0) && errors.every((error) => Math.abs(error) < 60));
const rivals = replay.rivals(0x50000002, ORIGIN);
check("rivals draw the same frames", rivals.length === 6 && rivals.every((rival) => rival.name && rival.places.length === 4 * track.times.length));
const near_track = (places) => Math.hypot(places[4 * 1200] - track.poses[7 * 1200], places[4 * 1200 + 1] - track.poses[7 * 1200 + 1]) < 15;
check("rivals are in the same place", rivals.every((rival) => near_track(rival.places)));
const bad = replay.relinked("awful", 7);
check("a bad link changes what is drawn", bad.fingerprints().drawn !== replay.fingerprints().drawn);
check("a perfect link changes nothing", replay.relinked("perfect", 7).fingerprints().drawn === replay.fingerprints().drawn);
check("decisions of a span", replay.explain(0x50000002, 10, 20).every((of) => of.time >= 10 && of.time <= 20));
check("entities have names", replay.entities().some((of) => of.name === "Ilse" && of.id === 0x50000002));
replay.seek(50);
replay.configure("RETAIL", 30);
check("a configured replay stays where it was", Math.abs(replay.time - 50) < 0.04);

// Bad input throws errors with sentences, and everything still works afterwards.
const throws = (what, sentence, run) => {
    try {
        run();
        check(`${what}: nothing was thrown`, false);
    } catch (error) {
        const is = error instanceof Error && error.constructor === Error && error.message.includes(sentence);
        check(is ? what : `${what}: ${error}`, is);
    }
};
const world = new World("GLIDE", 0);
const damaged = (of, at) => {
    const copy = of.slice();
    copy[at] ^= 0x40;
    return copy;
};
throws("an unknown profile", "use one of RETAIL", () => new World("best", 0));
throws("a time that is no number", "time: ", () => world.advance(NaN));
throws("an endless time", "time: ", () => new World("GLIDE", Infinity));
throws("a message that is cut off", "needs", () => world.handle(0, messages.subarray(ends[0], ends[1] - 2)));
throws("a message of no bytes", "opcode", () => world.handle(0, new Uint8Array()));
throws("a message that is text", "not a Uint8Array", () => world.handle(0, "hello"));
throws("ends beyond the messages", "message 0 is from byte 0 to 9", () => world.handleMany(0, messages.subarray(0, 8), Uint32Array.of(9)));
throws("ends that go back", "message 1 is from byte", () => world.handleMany(0, messages.subarray(0, ends[0]), Uint32Array.of(ends[0], 0)));
throws("a batch with a rest", "after the last message", () => world.handleMany(0, messages, Uint32Array.of(ends[0])));
throws("a batch with damage", "message 1:", () => world.handleMany(0, messages.subarray(0, ends[1] - 1), Uint32Array.of(ends[0], ends[1] - 1)));
check("a batch with damage does nothing", world.length === 0);
throws("too many bytes", "more than 67108864", () => world.handle(0, new Uint8Array(67108865)));
throws("a damaged save", "fingerprint", () => World.restore(damaged(one.save(), 200)));
throws("a save of something else", "EVSTRIDE", () => World.restore(script));
throws("damaged poses", "fingerprint", () => World.restore(one.save(), damaged(one.saveDrawing(), 30)));
throws("a damaged script", "fingerprint", () => new Replay(damaged(script, 500), "GLIDE", 60));
throws("a script of something else", "EVSCRIPT", () => new Replay(messages, "GLIDE", 60));
throws("no frames per second", "fps: 0", () => new Replay(script, "GLIDE", 0));
throws("a landblock beyond the map", "landblock", () => world.draw(0, 0x10000));
throws("a seek to no time", "NaN", () => replay.seek(NaN));
throws("an unknown link", "use one of perfect", () => replay.relinked("string", 1));
throws("heights that are no grid", "height", () => world.setHeightfield(ORIGIN, 24, 9, new Float32Array(5)));
const gone = new World("GLIDE", 0);
gone.free();
throws("a call after free", "this object was freed; make a new one", () => gone.advance(1));
throws("a second call after free", "this object was freed", () => gone.stateHash());
check("the module works after all that", play(new World("GLIDE", 0), together).stateHash() === expected);
check("it has a version", /^\d+\.\d+\.\d+$/.test(version()));

process.exitCode = failed === 0 ? 0 : 1;
