// The package in Node. The module is ready when the import is.
import { readFileSync } from "node:fs";
import { initSync } from "./evenstride.js";

initSync({ module: readFileSync(new URL("./evenstride_bg.wasm", import.meta.url)) });

export { Replay, RivalTrack, Track, World, version } from "./evenstride.js";
