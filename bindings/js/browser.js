// The package in browsers. The module is ready when the import is.
import init from "./evenstride.js";

await init({ module_or_path: new URL("./evenstride_bg.wasm", import.meta.url) });

export { Replay, RivalTrack, Track, World, version } from "./evenstride.js";
