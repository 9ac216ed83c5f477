/* tslint:disable */
/* eslint-disable */

/** A happening. The fields besides these depend on its kind, see docs/codes.md. */
export interface Decision {
    /** Seconds. */
    time: number;
    kind: string;
    code: number;
    /** A sentence. */
    words: string;
    [field: string]: unknown;
}

/** A happening, and the entity that it happened to in hexadecimal. */
export interface WorldEvent extends Decision {
    entity: string;
}

/** What a person would notice. The fields are those of `evenstride moments --json`. */
export interface Moment {
    entity: string;
    name: string | null;
    kind: string;
    from: number;
    to: number;
    words: string;
    decisions: Decision[];
    [field: string]: unknown;
}

/** Hashes of a whole replay, in hexadecimal. */
export interface Fingerprints {
    frames: number;
    state: string;
    drawing: string;
    drawn: string;
}



/**
 * A recording as one method draws it.
 */
export class Drawing {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Returns the times of the beads behind the bodies in seconds, oldest first.
     */
    beadTimes(): Float64Array;
    /**
     * Returns the places of the beads, x, y and z of each body, oldest bead first.
     */
    beads(): Float32Array;
    /**
     * Returns the bodies of the present frame, by index: x, y, z, heading, ground, radius, height, flags.
     */
    bodies(): Float32Array;
    /**
     * Returns the times at which this method is farthest off, compared with another. Empty before both
     * surveys are done.
     */
    episodes(best: Drawing): Record<string, unknown>[];
    /**
     * Returns the largest error of an entity in each tenth of a second, without sign. Empty before
     * `survey` is done.
     */
    errors(index: number): Float32Array;
    /**
     * Returns the times between which an update of an entity is late here, as first and last time.
     */
    late(index: number): Float64Array;
    /**
     * Returns the times at which the messages about an entity arrive here, in the order of `Viewer.messages`.
     * NaN for one that does not arrive. Empty if all arrive when they did.
     */
    messageTimes(index: number): Float64Array;
    /**
     * Returns the overview, or null before `survey` is done. That of a growing recording is what is known
     * by now.
     */
    overview(): Record<string, unknown> | null;
    /**
     * Returns the positions of an entity with the times at which they arrive here, in the columns of
     * `Viewer.received`.
     */
    received(index: number): Float64Array;
    /**
     * Goes towards the frame at `time` by at most `frames` frames. Returns whether it is reached.
     */
    seek(time: number, frames: number): boolean;
    /**
     * Returns the hash of the world's state in hexadecimal, or nothing for a rival.
     */
    stateHash(): string | undefined;
    /**
     * Returns what a body is doing in the present frame, and where it is going.
     */
    state(index: number): Record<string, unknown>;
    /**
     * Works on the overview by at most `frames` frames. Returns the part that is done, 0 to 1. The overview
     * of a growing recording is done as far as errors are known by now.
     */
    survey(frames: number): number;
    /**
     * Begins the track of an entity between two times in seconds.
     */
    track(index: number, from: number, to: number): ViewTrack;
    /**
     * Length in seconds of the times of `errors`, or 0 before `survey` is done.
     */
    readonly binSecs: number;
    /**
     * Number of frames that were played so far, to measure work.
     */
    readonly framesPlayed: number;
    /**
     * Time of the present frame in seconds.
     */
    readonly time: number;
}

/**
 * A recording. `step` plays the next frame, and `seek` goes to any time. Frames are the same bit for bit
 * in both ways.
 */
export class Replay {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Changes profile and frame rate, and stays at the same time.
     */
    configure(profile: string, fps: number): void;
    /**
     * Writes every body of the present frame into the arrays `ids`, `poses` and `hidden`, and returns
     * their number. Poses are in metres from the south-west corner of the landblock `origin`.
     */
    draw(origin: number): number;
    /**
     * Returns the hash of all poses of the profile `GLIDE`, in hexadecimal.
     */
    drawingHash(): string;
    /**
     * Returns the entities of the recording with their names.
     */
    entities(): { id: number; name: string }[];
    /**
     * Returns the decisions about an entity between two times in seconds, oldest first.
     */
    explain(entity: number, from: number, to: number): Decision[];
    /**
     * Replays everything and returns the hashes of the end. `drawn` covers every body in every frame.
     */
    fingerprints(): Fingerprints;
    /**
     * Returns the landblock of the first position in the recording, which is a good origin.
     */
    firstLandblock(): number;
    /**
     * Returns 1 for each entity that `draw` wrote and that is invisible, and 0 for the others. The array
     * is a view, which is valid until the next call of anything in this package.
     */
    hidden(): Uint8Array;
    /**
     * Returns the entities that `draw` wrote. The array is a view, which is valid until the next call of
     * anything in this package.
     */
    ids(): Uint32Array;
    /**
     * Times of the key frames so far, in seconds. Going there takes one frame.
     */
    keyFrames(): Float64Array;
    /**
     * Returns what a person would notice in the whole recording, worst first.
     */
    moments(): Moment[];
    /**
     * Reads a script and shows its first frame. `profile` is `RETAIL`, `ACDREAM`, `SMOOTH`, `GLIDE` or
     * `SPECTATOR`. `fps` is the number of frames per second, 1 to 1000.
     */
    constructor(script: Uint8Array, profile: string, fps: number);
    /**
     * Returns the poses that `draw` wrote, as x, y, z, qw, qx, qy and qz for each entity. The array is a
     * view, which is valid until the next call of anything in this package.
     */
    poses(): Float32Array;
    /**
     * Returns the recording as it would have arrived over another network. `link` is one of `perfect`,
     * `broadband` and the other presets, and `seed` chooses its random events.
     */
    relinked(link: string, seed: number): Replay;
    /**
     * Returns the paths that common methods would draw for an entity, in the frames of `track`.
     */
    rivals(entity: number, origin: number): RivalTrack[];
    /**
     * Goes to the last frame that is not later than `time` seconds. Times outside the recording mean its
     * first or last frame. Returns the time of the frame.
     */
    seek(time: number): number;
    /**
     * Returns the hash of everything that further motion depends on, in hexadecimal.
     */
    stateHash(): string;
    /**
     * Plays the next frame. Returns `false` at the end.
     */
    step(): boolean;
    /**
     * Returns the drawn path of an entity over the whole recording, and its errors. The positions are
     * in metres from the south-west corner of the landblock `origin`.
     */
    track(entity: number, origin: number): Track;
    /**
     * Time in seconds after which there is no frame.
     */
    readonly end: number;
    /**
     * Time of the first frame in seconds.
     */
    readonly start: number;
    /**
     * Time of the present frame in seconds.
     */
    readonly time: number;
}

/**
 * The path that a rival method draws.
 */
export class RivalTrack {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Name of the method.
     */
    readonly name: string;
    /**
     * Drawn place of each frame, as x, y and z in metres from the origin and the heading in degrees. NaN
     * means that the entity is not drawn.
     */
    readonly places: Float32Array;
}

/**
 * The drawn path of one entity. Every array has its values frame by frame. NaN means that the entity is
 * not drawn, or has no path.
 */
export class Track {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Error of each frame against the believed path in metres, as two values. The first is the distance
     * along the path, negative for a body that is behind. The second is the distance beside it.
     */
    readonly errors: Float32Array;
    /**
     * Drawn pose of each frame, as x, y, z, qw, qx, qy and qz in metres from the origin.
     */
    readonly poses: Float32Array;
    /**
     * Time of each frame in seconds.
     */
    readonly times: Float64Array;
}

/**
 * One entity over the whole recording, frame by frame.
 */
export class ViewTrack {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Decisions about the entity, oldest first.
     */
    decisions(): Decision[];
    /**
     * Plays at most `frames` frames. Returns the part that is done, 0 to 1.
     */
    work(frames: number): number;
    /**
     * Distance of each frame beside the path in metres.
     */
    readonly asides: Float32Array;
    /**
     * Error of each frame along the path in metres, positive if ahead.
     */
    readonly errors: Float32Array;
    /**
     * Heading of each frame in degrees.
     */
    readonly headings: Float32Array;
    /**
     * Height of each frame above the ground in metres.
     */
    readonly heights: Float32Array;
    /**
     * 1 for each frame that is not connected with the one before.
     */
    readonly placed: Uint8Array;
    /**
     * Place of each frame in metres, as x, y and z.
     */
    readonly places: Float32Array;
    /**
     * Where the body was drawn as each position arrived, as time, x, y and z.
     */
    readonly receipts: Float64Array;
    /**
     * Speed of each frame in metres per second.
     */
    readonly speeds: Float32Array;
    /**
     * Time of each frame in seconds.
     */
    readonly times: Float64Array;
}

/**
 * A recording for a viewer. Entities have indices, in the order of `facts`.
 */
export class Viewer {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Adds what another program drew, in the bytes of `DrawnTrack`, before anything is drawn. Returns its
     * name, which `drawing` takes.
     */
    addDrawn(track: Uint8Array): string;
    /**
     * Adds the messages of a script that follow those of this recording. Everything up to the time `until`
     * in seconds has arrived then. Without bytes, only time has passed. Drawings and tracks go on with it.
     * Returns the indices of entities of which something new is known.
     */
    append(script: Uint8Array | null | undefined, until: number): Uint32Array;
    /**
     * Returns the recording as a method draws it, over a network that adds latency and jitter in seconds
     * and loss from 0 to 1. `dropped` has the numbers of messages that are left out.
     */
    drawing(method: string, fps: number, latency: number, jitter: number, loss: number, seed: number, dropped: Uint32Array | number[]): Drawing;
    /**
     * Returns what is known of an entity, as `facts` does.
     */
    entityFacts(index: number): Record<string, unknown>;
    /**
     * Returns the fixed facts of the recording.
     */
    facts(): Record<string, unknown>;
    /**
     * Begins a recording that grows by `append`.
     */
    static live(): Viewer;
    /**
     * Returns a message with its bytes and fields, or null.
     */
    message(number: number): Record<string, unknown> | null;
    /**
     * Returns the server's messages about an entity, without the first `from` messages of the recording
     * (default: 0).
     */
    messages(index: number, from?: number | null): Record<string, unknown>[];
    /**
     * Returns the names of all methods that `drawing` takes.
     */
    methods(): string[];
    /**
     * Reads a script, and limits what is shown to the times from `from` to `to` in seconds.
     */
    constructor(script: Uint8Array, from: number, to: number);
    /**
     * Reads a capture in any format that the program reads. An error is the decoder's own sentence.
     */
    static open(capture: Uint8Array, name: string): Viewer;
    /**
     * Returns the times of an entity's received positions, without the first `from` of them.
     */
    receivedTimes(index: number, from: number): Float64Array;
    /**
     * Returns the received positions of an entity, as time, x, y, z, heading and 1 if a path leads there
     * from the position before.
     */
    received(index: number): Float64Array;
    /**
     * Returns the true places of an entity as time, x, y and z. Empty if they are unknown.
     */
    truth(index: number): Float64Array;
    /**
     * Number of messages.
     */
    readonly messageCount: number;
    /**
     * Times in seconds between which the recording is known.
     */
    readonly span: Float64Array;
}

/**
 * All bodies of a world. Messages and time go in, and poses come out. In each frame call `advance`, then
 * `handle` for each message, then `draw`.
 */
export class World {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Moves time to `time` seconds and steps bodies.
     */
    advance(time: number): void;
    /**
     * Removes the viewpoint.
     */
    clearViewpoint(): void;
    /**
     * Does what `draw` does, only for bodies that may look different since the last call of it. Events
     * tell of bodies that left the world.
     */
    drawChanged(time: number, origin: number): number;
    /**
     * Writes every body to be drawn at `time` into the arrays `ids`, `poses` and `hidden`, and returns
     * their number. Poses are in metres from the south-west corner of the landblock `origin`, such as
     * 0xA9B4.
     */
    draw(time: number, origin: number): number;
    /**
     * Returns the hash of all poses of the profile `GLIDE`, in hexadecimal.
     */
    drawingHash(): string;
    /**
     * Removes and returns all events, oldest first.
     */
    events(): WorldEvent[];
    /**
     * Returns the decisions about a traced entity, oldest first.
     */
    explain(entity: number): Decision[];
    /**
     * Handles messages that lie one after the other in `messages`. `ends` has the offset at which each
     * one ends. Returns the number of those about motion. If one is damaged, none is handled.
     */
    handleMany(time: number, messages: Uint8Array, ends: Uint32Array): number;
    /**
     * Handles one message of the server, from its opcode to its last byte. Returns what became of it as
     * a sentence, or `undefined` for a message that is not about motion.
     */
    handle(time: number, message: Uint8Array): string | undefined;
    /**
     * Returns 1 for each entity that `draw` wrote and that is invisible, and 0 for the others. The array
     * is a view, which is valid until the next call of anything in this package.
     */
    hidden(): Uint8Array;
    /**
     * Returns the entities that `draw` wrote. The array is a view, which is valid until the next call of
     * anything in this package.
     */
    ids(): Uint32Array;
    /**
     * Makes an empty world whose time starts at `time`, in seconds. `profile` is `RETAIL`, `ACDREAM`,
     * `SMOOTH`, `GLIDE` or `SPECTATOR`.
     */
    constructor(profile: string, time: number);
    /**
     * Returns the poses that `draw` wrote, as x, y, z, qw, qx, qy and qz for each entity. The array is a
     * view, which is valid until the next call of anything in this package.
     */
    poses(): Float32Array;
    /**
     * Restores a world from the bytes of `save`, and its poses from those of `saveDrawing` if given.
     */
    static restore(saved: Uint8Array, drawing?: Uint8Array | null): World;
    /**
     * Returns the poses of the profile `GLIDE` as bytes.
     */
    saveDrawing(): Uint8Array;
    /**
     * Returns the world as bytes. Events, decisions, ground and poses are left out.
     */
    save(): Uint8Array;
    /**
     * Makes the ground flat, at a height of `z` metres.
     */
    setFlatGround(z: number): void;
    /**
     * Sets terrain. The first height lies on the south-west corner of `landblock`, rows run from west to
     * east with `columns` heights each, and the first row is the southernmost. `spacing` is in metres.
     */
    setHeightfield(landblock: number, spacing: number, columns: number, heights: Float32Array): void;
    /**
     * Removes the ground, so that only messages tell of it.
     */
    setOpenField(): void;
    /**
     * Sets the place from which distances are measured, such as the camera. Bodies more than 96 m away
     * are not stepped.
     */
    setViewpoint(cell: number, x: number, y: number, z: number): void;
    /**
     * Returns the hash of everything that further motion depends on, in hexadecimal.
     */
    stateHash(): string;
    /**
     * Starts to keep the decisions about an entity.
     */
    trace(entity: number): void;
    /**
     * Stops keeping the decisions about an entity.
     */
    untrace(entity: number): void;
    /**
     * Number of bodies, including those outside the world.
     */
    readonly length: number;
    /**
     * Latest time given to the world, in seconds.
     */
    readonly time: number;
}

/**
 * Returns the version of the package.
 */
export function version(): string;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_drawing_free: (a: number, b: number) => void;
    readonly __wbg_replay_free: (a: number, b: number) => void;
    readonly __wbg_rivaltrack_free: (a: number, b: number) => void;
    readonly __wbg_track_free: (a: number, b: number) => void;
    readonly __wbg_viewer_free: (a: number, b: number) => void;
    readonly __wbg_viewtrack_free: (a: number, b: number) => void;
    readonly __wbg_world_free: (a: number, b: number) => void;
    readonly drawing_beadTimes: (a: number) => [number, number, number];
    readonly drawing_beads: (a: number) => [number, number, number];
    readonly drawing_binSecs: (a: number) => [number, number, number];
    readonly drawing_bodies: (a: number) => [number, number, number];
    readonly drawing_episodes: (a: number, b: number) => [number, number, number];
    readonly drawing_errors: (a: number, b: number) => [number, number, number];
    readonly drawing_framesPlayed: (a: number) => [number, number, number];
    readonly drawing_late: (a: number, b: number) => [number, number, number];
    readonly drawing_messageTimes: (a: number, b: number) => [number, number, number];
    readonly drawing_overview: (a: number) => [number, number, number];
    readonly drawing_received: (a: number, b: number) => [number, number, number];
    readonly drawing_seek: (a: number, b: number, c: number) => [number, number, number];
    readonly drawing_state: (a: number, b: number) => [number, number, number];
    readonly drawing_stateHash: (a: number) => [number, number, number, number];
    readonly drawing_survey: (a: number, b: number) => [number, number, number];
    readonly drawing_time: (a: number) => [number, number, number];
    readonly drawing_track: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly replay_configure: (a: number, b: number, c: number, d: number) => [number, number];
    readonly replay_draw: (a: number, b: number) => [number, number, number];
    readonly replay_drawingHash: (a: number) => [number, number, number, number];
    readonly replay_end: (a: number) => [number, number, number];
    readonly replay_entities: (a: number) => [number, number, number];
    readonly replay_explain: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly replay_fingerprints: (a: number) => [number, number, number];
    readonly replay_firstLandblock: (a: number) => [number, number, number];
    readonly replay_hidden: (a: number) => [number, number, number];
    readonly replay_ids: (a: number) => [number, number, number];
    readonly replay_keyFrames: (a: number) => [number, number, number];
    readonly replay_moments: (a: number) => [number, number, number];
    readonly replay_new: (a: any, b: number, c: number, d: number) => [number, number, number];
    readonly replay_poses: (a: number) => [number, number, number];
    readonly replay_relinked: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly replay_rivals: (a: number, b: number, c: number) => [number, number, number, number];
    readonly replay_seek: (a: number, b: number) => [number, number, number];
    readonly replay_start: (a: number) => [number, number, number];
    readonly replay_stateHash: (a: number) => [number, number, number, number];
    readonly replay_step: (a: number) => [number, number, number];
    readonly replay_time: (a: number) => [number, number, number];
    readonly replay_track: (a: number, b: number, c: number) => [number, number, number];
    readonly rivaltrack_name: (a: number) => [number, number];
    readonly rivaltrack_places: (a: number) => any;
    readonly track_errors: (a: number) => any;
    readonly track_poses: (a: number) => any;
    readonly track_times: (a: number) => any;
    readonly version: () => [number, number];
    readonly viewer_addDrawn: (a: number, b: any) => [number, number, number, number];
    readonly viewer_append: (a: number, b: number, c: number) => [number, number, number];
    readonly viewer_drawing: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number) => [number, number, number];
    readonly viewer_entityFacts: (a: number, b: number) => [number, number, number];
    readonly viewer_facts: (a: number) => [number, number, number];
    readonly viewer_live: () => [number, number, number];
    readonly viewer_message: (a: number, b: number) => [number, number, number];
    readonly viewer_messageCount: (a: number) => [number, number, number];
    readonly viewer_messages: (a: number, b: number, c: number) => [number, number, number];
    readonly viewer_methods: (a: number) => [number, number, number, number];
    readonly viewer_new: (a: any, b: number, c: number) => [number, number, number];
    readonly viewer_open: (a: any, b: number, c: number) => [number, number, number];
    readonly viewer_received: (a: number, b: number) => [number, number, number];
    readonly viewer_receivedTimes: (a: number, b: number, c: number) => [number, number, number];
    readonly viewer_span: (a: number) => [number, number, number];
    readonly viewer_truth: (a: number, b: number) => [number, number, number];
    readonly viewtrack_asides: (a: number) => [number, number, number];
    readonly viewtrack_decisions: (a: number) => [number, number, number];
    readonly viewtrack_errors: (a: number) => [number, number, number];
    readonly viewtrack_headings: (a: number) => [number, number, number];
    readonly viewtrack_heights: (a: number) => [number, number, number];
    readonly viewtrack_placed: (a: number) => [number, number, number];
    readonly viewtrack_places: (a: number) => [number, number, number];
    readonly viewtrack_receipts: (a: number) => [number, number, number];
    readonly viewtrack_speeds: (a: number) => [number, number, number];
    readonly viewtrack_times: (a: number) => [number, number, number];
    readonly viewtrack_work: (a: number, b: number) => [number, number, number];
    readonly world_advance: (a: number, b: number) => [number, number];
    readonly world_clearViewpoint: (a: number) => [number, number];
    readonly world_draw: (a: number, b: number, c: number) => [number, number, number];
    readonly world_drawChanged: (a: number, b: number, c: number) => [number, number, number];
    readonly world_drawingHash: (a: number) => [number, number, number, number];
    readonly world_events: (a: number) => [number, number, number];
    readonly world_explain: (a: number, b: number) => [number, number, number];
    readonly world_handle: (a: number, b: number, c: any) => [number, number, number, number];
    readonly world_handleMany: (a: number, b: number, c: any, d: any) => [number, number, number];
    readonly world_hidden: (a: number) => [number, number, number];
    readonly world_ids: (a: number) => [number, number, number];
    readonly world_length: (a: number) => [number, number, number];
    readonly world_new: (a: number, b: number, c: number) => [number, number, number];
    readonly world_poses: (a: number) => [number, number, number];
    readonly world_restore: (a: any, b: number) => [number, number, number];
    readonly world_save: (a: number) => [number, number, number];
    readonly world_saveDrawing: (a: number) => [number, number, number];
    readonly world_setFlatGround: (a: number, b: number) => [number, number];
    readonly world_setHeightfield: (a: number, b: number, c: number, d: number, e: any) => [number, number];
    readonly world_setOpenField: (a: number) => [number, number];
    readonly world_setViewpoint: (a: number, b: number, c: number, d: number, e: number) => [number, number];
    readonly world_stateHash: (a: number) => [number, number, number, number];
    readonly world_time: (a: number) => [number, number, number];
    readonly world_trace: (a: number, b: number) => [number, number];
    readonly world_untrace: (a: number, b: number) => [number, number];
    readonly __wbindgen_exn_store: (a: number) => void;
    readonly __externref_table_alloc: () => number;
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __externref_table_dealloc: (a: number) => void;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __externref_drop_slice: (a: number, b: number) => void;
    readonly __wbindgen_start: () => void;
}

export type SyncInitInput = BufferSource | WebAssembly.Module;

/**
 * Instantiates the given `module`, which can either be bytes or
 * a precompiled `WebAssembly.Module`.
 *
 * @param {{ module: SyncInitInput }} module - Passing `SyncInitInput` directly is deprecated.
 *
 * @returns {InitOutput}
 */
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;

/**
 * If `module_or_path` is {RequestInfo} or {URL}, makes a request and
 * for everything else, calls `WebAssembly.instantiate` directly.
 *
 * @param {{ module_or_path: InitInput | Promise<InitInput> }} module_or_path - Passing `InitInput` directly is deprecated.
 *
 * @returns {Promise<InitOutput>}
 */
export default function __wbg_init (module_or_path: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>): Promise<InitOutput>;
