// Nanoseconds per entity in Node: `cargo xtask web --unpack && node bindings/js/tests/bench.mjs`.
import { World } from "../node.js";

const ENTITIES = 10_000;
const ROUNDS = 240;
const ORIGIN = 0xa9b4;

// A position message, whose entity, x and position stamp are replaced.
const POSITION = Uint8Array.from(
    "48f7000002000050340000002a00b4a98f49fd42d06414429002bc4299d08c3eaa2076bf5a0001000000000000000000".match(/../g).slice(0, 44),
    (digits) => parseInt(digits, 16),
);

/** Returns a position of every entity, walking east. */
function positions(round) {
    const messages = new Uint8Array(POSITION.length * ENTITIES);
    const view = new DataView(messages.buffer);
    for (let index = 0; index < ENTITIES; index += 1) {
        const at = index * POSITION.length;
        messages.set(POSITION, at);
        view.setUint32(at + 4, 0x80000000 + index, true);
        view.setFloat32(at + 16, 100 + (index % 50) + round * 0.8, true);
        view.setUint16(at + STAMP, round + 1, true);
    }
    return messages;
}
const STAMP = 38;
const ends = Uint32Array.from({ length: ENTITIES }, (_, index) => (index + 1) * POSITION.length);

/** Returns the time that a call takes per entity, in nanoseconds. */
function timed(run) {
    const before = process.hrtime.bigint();
    run();
    return Number(process.hrtime.bigint() - before) / ENTITIES;
}
const mean = (times) => (times.reduce((sum, time) => sum + time, 0) / times.length).toFixed(1);
const median = (times) => times.sort((one, other) => one - other)[times.length >> 1].toFixed(1);

// All entities walk, with five positions per second each, drawn in 60 frames per second.
const world = new World("SPECTATOR", 0);
const [handled, advanced, drawn, singly, seen] = [[], [], [], [], new Set()];
for (let frame = 0; frame < ROUNDS; frame += 1) {
    const time = frame / 60;
    advanced.push(timed(() => world.advance(time)));
    if (frame % 12 === 0) {
        const messages = positions(frame / 12);
        handled.push(timed(() => world.handleMany(time, messages, ends)));
        const single = messages.subarray(0, POSITION.length);
        singly.push(timed(() => {
            for (let call = 0; call < ENTITIES; call += 1) world.handle(time, single);
        }));
    }
    drawn.push(timed(() => {
        world.draw(time, ORIGIN);
        seen.add(world.poses()[0] + world.ids().length);
    }));
}
if (seen.size < ROUNDS / 4) throw new Error(`the entities stand: ${seen.size} places`);
console.log(`${world.length} walking entities, nanoseconds per entity (medians of ${ROUNDS} frames, for advance the mean)`);
console.log(`draw ${median(drawn)}, advance ${mean(advanced)}, handleMany ${median(handled)}; a single handle ${median(singly)}`);
