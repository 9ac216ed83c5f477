// What Node and a browser both check: the core computes what the program computes.

export const ORIGIN = 0xa9b4;

/** Returns the FNV-1a hash of arrays, as the program computes it. */
export class Fnv {
    #high = 0xcbf29ce4;
    #low = 0x84222325;

    add(array) {
        for (const byte of new Uint8Array(array.buffer, array.byteOffset, array.byteLength)) {
            // Times 0x100000001b3, modulo 2 to the 64th.
            const low = (this.#low ^ byte) >>> 0;
            const product = low * 0x1b3;
            this.#high = (Math.imul(this.#high, 0x1b3) + Math.floor(product / 2 ** 32) + (low << 8)) >>> 0;
            this.#low = product % 2 ** 32;
        }
    }

    hex() {
        return [this.#high, this.#low].map((half) => half.toString(16).padStart(8, "0")).join("");
    }
}

/** Compares whole replays and scrubbing with the program's numbers. */
export function compare({ Replay }, script, expected, check) {
    for (const of of expected) {
        const replay = new Replay(script, of.profile, 60);
        const { frames, state, drawing, drawn } = replay.fingerprints();
        check(`${of.profile}: as many frames`, frames === of.frames);
        check(`${of.profile}: the same state`, state === of.state);
        check(`${of.profile}: the same poses at the end`, drawing === of.drawing);
        check(`${of.profile}: the same drawn track`, drawn === of.drawn);
        check(`${of.profile}: the same moments`, JSON.stringify(replay.moments()) === JSON.stringify(of.moments));
        const [arrays, frame] = [new Fnv(), []];
        do {
            replay.draw(ORIGIN);
            arrays.add(replay.ids());
            arrays.add(replay.poses());
            frame.push([replay.time, replay.stateHash(), replay.drawingHash()].join());
        } while (replay.step());
        check(`${of.profile}: the same arrays frame by frame`, arrays.hex() === of.arrays && frame.length === of.frames);
        let scrubbed = 0;
        for (const time of replay.keyFrames().reverse()) {
            replay.seek(time);
            const first = frame.findIndex((words) => words.startsWith(`${replay.time},`));
            let same = first >= 0;
            for (let number = first; same && number < Math.min(first + 30, frame.length); number += 1) {
                same = frame[number] === [replay.time, replay.stateHash(), replay.drawingHash()].join();
                replay.step();
            }
            scrubbed += same;
        }
        check(`${of.profile}: scrubbing to each of ${scrubbed} key frames`, scrubbed === replay.keyFrames().length && scrubbed > 50);
        replay.free();
    }
}
