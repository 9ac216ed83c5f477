// Plays a script and prints where an entity is drawn, once per second:
//   cargo xtask web --unpack
//   cargo run -p evenstride_replay --example script -- testdata/captures/first-light.pcap first-light.script
//   node bindings/js/examples/replay.mjs first-light.script
import { readFileSync } from "node:fs";
import { Replay } from "../node.js";

const replay = new Replay(new Uint8Array(readFileSync(process.argv[2])), "GLIDE", 60);
const origin = replay.firstLandblock();
const names = new Map(replay.entities().map(({ id, name }) => [id, name]));
for (let time = replay.start; time < replay.end; time += 1) {
    replay.seek(time);
    const count = replay.draw(origin);
    const [ids, poses] = [replay.ids(), replay.poses()];
    const places = [];
    for (let index = 0; index < count; index += 1) {
        const [x, y, z] = poses.subarray(7 * index);
        places.push(`${names.get(ids[index])} ${x.toFixed(2)} ${y.toFixed(2)} ${z.toFixed(2)}`);
    }
    console.log(`${time.toFixed(1)} s  ${places.join("  ")}`);
}
for (const { from, words } of replay.moments().slice(0, 3)) console.log(`\n${from.toFixed(2)} s: ${words}`);
console.log(`\nstate ${replay.fingerprints().state}`);
