/* @ts-self-types="./evenstride.d.ts" */

/**
 * A recording as one method draws it.
 */
export class Drawing {
    static __wrap(ptr) {
        const obj = Object.create(Drawing.prototype);
        obj.__wbg_ptr = ptr;
        DrawingFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        DrawingFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_drawing_free(ptr, 0);
    }
    /**
     * Returns the times of the beads behind the bodies in seconds, oldest first.
     * @returns {Float64Array}
     */
    beadTimes() {
        const ret = wasm.drawing_beadTimes(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Returns the places of the beads, x, y and z of each body, oldest bead first.
     * @returns {Float32Array}
     */
    beads() {
        const ret = wasm.drawing_beads(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Length in seconds of the times of `errors`, or 0 before `survey` is done.
     * @returns {number}
     */
    get binSecs() {
        const ret = wasm.drawing_binSecs(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0];
    }
    /**
     * Returns the bodies of the present frame, by index: x, y, z, heading, ground, radius, height, flags.
     * @returns {Float32Array}
     */
    bodies() {
        const ret = wasm.drawing_bodies(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Returns the times at which this method is farthest off, compared with another. Empty before both
     * surveys are done.
     * @param {Drawing} best
     * @returns {Record<string, unknown>[]}
     */
    episodes(best) {
        _assertClass(best, Drawing);
        const ret = wasm.drawing_episodes(this.__wbg_ptr, best.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Returns the largest error of an entity in each tenth of a second, without sign. Empty before
     * `survey` is done.
     * @param {number} index
     * @returns {Float32Array}
     */
    errors(index) {
        const ret = wasm.drawing_errors(this.__wbg_ptr, index);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Number of frames that were played so far, to measure work.
     * @returns {number}
     */
    get framesPlayed() {
        const ret = wasm.drawing_framesPlayed(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0];
    }
    /**
     * Returns the times between which an update of an entity is late here, as first and last time.
     * @param {number} index
     * @returns {Float64Array}
     */
    late(index) {
        const ret = wasm.drawing_late(this.__wbg_ptr, index);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Returns the times at which the messages about an entity arrive here, in the order of `Viewer.messages`.
     * NaN for one that does not arrive. Empty if all arrive when they did.
     * @param {number} index
     * @returns {Float64Array}
     */
    messageTimes(index) {
        const ret = wasm.drawing_messageTimes(this.__wbg_ptr, index);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Returns the overview, or null before `survey` is done. That of a growing recording is what is known
     * by now.
     * @returns {Record<string, unknown> | null}
     */
    overview() {
        const ret = wasm.drawing_overview(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Returns the positions of an entity with the times at which they arrive here, in the columns of
     * `Viewer.received`.
     * @param {number} index
     * @returns {Float64Array}
     */
    received(index) {
        const ret = wasm.drawing_received(this.__wbg_ptr, index);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Goes towards the frame at `time` by at most `frames` frames. Returns whether it is reached.
     * @param {number} time
     * @param {number} frames
     * @returns {boolean}
     */
    seek(time, frames) {
        const ret = wasm.drawing_seek(this.__wbg_ptr, time, frames);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
    /**
     * Returns the hash of the world's state in hexadecimal, or nothing for a rival.
     * @returns {string | undefined}
     */
    stateHash() {
        const ret = wasm.drawing_stateHash(this.__wbg_ptr);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        let v1;
        if (ret[0] !== 0) {
            v1 = getStringFromWasm0(ret[0], ret[1]);
            wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
        }
        return v1;
    }
    /**
     * Returns what a body is doing in the present frame, and where it is going.
     * @param {number} index
     * @returns {Record<string, unknown>}
     */
    state(index) {
        const ret = wasm.drawing_state(this.__wbg_ptr, index);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Works on the overview by at most `frames` frames. Returns the part that is done, 0 to 1. The overview
     * of a growing recording is done as far as errors are known by now.
     * @param {number} frames
     * @returns {number}
     */
    survey(frames) {
        const ret = wasm.drawing_survey(this.__wbg_ptr, frames);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0];
    }
    /**
     * Time of the present frame in seconds.
     * @returns {number}
     */
    get time() {
        const ret = wasm.drawing_time(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0];
    }
    /**
     * Begins the track of an entity between two times in seconds.
     * @param {number} index
     * @param {number} from
     * @param {number} to
     * @returns {ViewTrack}
     */
    track(index, from, to) {
        const ret = wasm.drawing_track(this.__wbg_ptr, index, from, to);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ViewTrack.__wrap(ret[0]);
    }
}
if (Symbol.dispose) Drawing.prototype[Symbol.dispose] = Drawing.prototype.free;

/**
 * A recording. `step` plays the next frame, and `seek` goes to any time. Frames are the same bit for bit
 * in both ways.
 */
export class Replay {
    static __wrap(ptr) {
        const obj = Object.create(Replay.prototype);
        obj.__wbg_ptr = ptr;
        ReplayFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        ReplayFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_replay_free(ptr, 0);
    }
    /**
     * Changes profile and frame rate, and stays at the same time.
     * @param {string} profile
     * @param {number} fps
     */
    configure(profile, fps) {
        const val2 = +fps;
        const ptr0 = passStringToWasm0(profile, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.replay_configure(this.__wbg_ptr, ptr0, len0, val2);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
    /**
     * Writes every body of the present frame into the arrays `ids`, `poses` and `hidden`, and returns
     * their number. Poses are in metres from the south-west corner of the landblock `origin`.
     * @param {number} origin
     * @returns {number}
     */
    draw(origin) {
        const ret = wasm.replay_draw(this.__wbg_ptr, origin);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] >>> 0;
    }
    /**
     * Returns the hash of all poses of the profile `GLIDE`, in hexadecimal.
     * @returns {string}
     */
    drawingHash() {
        let deferred2_0;
        let deferred2_1;
        try {
            const ret = wasm.replay_drawingHash(this.__wbg_ptr);
            var ptr1 = ret[0];
            var len1 = ret[1];
            if (ret[3]) {
                ptr1 = 0; len1 = 0;
                throw takeFromExternrefTable0(ret[2]);
            }
            deferred2_0 = ptr1;
            deferred2_1 = len1;
            return getStringFromWasm0(ptr1, len1);
        } finally {
            wasm.__wbindgen_free(deferred2_0, deferred2_1, 1);
        }
    }
    /**
     * Time in seconds after which there is no frame.
     * @returns {number}
     */
    get end() {
        const ret = wasm.replay_end(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0];
    }
    /**
     * Returns the entities of the recording with their names.
     * @returns {{ id: number; name: string }[]}
     */
    entities() {
        const ret = wasm.replay_entities(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Returns the decisions about an entity between two times in seconds, oldest first.
     * @param {number} entity
     * @param {number} from
     * @param {number} to
     * @returns {Decision[]}
     */
    explain(entity, from, to) {
        const ret = wasm.replay_explain(this.__wbg_ptr, entity, from, to);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Replays everything and returns the hashes of the end. `drawn` covers every body in every frame.
     * @returns {Fingerprints}
     */
    fingerprints() {
        const ret = wasm.replay_fingerprints(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Returns the landblock of the first position in the recording, which is a good origin.
     * @returns {number}
     */
    firstLandblock() {
        const ret = wasm.replay_firstLandblock(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] >>> 0;
    }
    /**
     * Returns 1 for each entity that `draw` wrote and that is invisible, and 0 for the others. The array
     * is a view, which is valid until the next call of anything in this package.
     * @returns {Uint8Array}
     */
    hidden() {
        const ret = wasm.replay_hidden(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Returns the entities that `draw` wrote. The array is a view, which is valid until the next call of
     * anything in this package.
     * @returns {Uint32Array}
     */
    ids() {
        const ret = wasm.replay_ids(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Times of the key frames so far, in seconds. Going there takes one frame.
     * @returns {Float64Array}
     */
    keyFrames() {
        const ret = wasm.replay_keyFrames(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Returns what a person would notice in the whole recording, worst first.
     * @returns {Moment[]}
     */
    moments() {
        const ret = wasm.replay_moments(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Reads a script and shows its first frame. `profile` is `RETAIL`, `ACDREAM`, `SMOOTH`, `GLIDE` or
     * `SPECTATOR`. `fps` is the number of frames per second, 1 to 1000.
     * @param {Uint8Array} script
     * @param {string} profile
     * @param {number} fps
     */
    constructor(script, profile, fps) {
        const val2 = +fps;
        const ptr0 = passStringToWasm0(profile, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.replay_new(script, ptr0, len0, val2);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        ReplayFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Returns the poses that `draw` wrote, as x, y, z, qw, qx, qy and qz for each entity. The array is a
     * view, which is valid until the next call of anything in this package.
     * @returns {Float32Array}
     */
    poses() {
        const ret = wasm.replay_poses(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Returns the recording as it would have arrived over another network. `link` is one of `perfect`,
     * `broadband` and the other presets, and `seed` chooses its random events.
     * @param {string} link
     * @param {number} seed
     * @returns {Replay}
     */
    relinked(link, seed) {
        const val2 = +seed;
        const ptr0 = passStringToWasm0(link, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.replay_relinked(this.__wbg_ptr, ptr0, len0, val2);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Replay.__wrap(ret[0]);
    }
    /**
     * Returns the paths that common methods would draw for an entity, in the frames of `track`.
     * @param {number} entity
     * @param {number} origin
     * @returns {RivalTrack[]}
     */
    rivals(entity, origin) {
        const ret = wasm.replay_rivals(this.__wbg_ptr, entity, origin);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        var v1 = getArrayJsValueFromWasm0(ret[0], ret[1]);
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v1;
    }
    /**
     * Goes to the last frame that is not later than `time` seconds. Times outside the recording mean its
     * first or last frame. Returns the time of the frame.
     * @param {number} time
     * @returns {number}
     */
    seek(time) {
        const ret = wasm.replay_seek(this.__wbg_ptr, time);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0];
    }
    /**
     * Time of the first frame in seconds.
     * @returns {number}
     */
    get start() {
        const ret = wasm.replay_start(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0];
    }
    /**
     * Returns the hash of everything that further motion depends on, in hexadecimal.
     * @returns {string}
     */
    stateHash() {
        let deferred2_0;
        let deferred2_1;
        try {
            const ret = wasm.replay_stateHash(this.__wbg_ptr);
            var ptr1 = ret[0];
            var len1 = ret[1];
            if (ret[3]) {
                ptr1 = 0; len1 = 0;
                throw takeFromExternrefTable0(ret[2]);
            }
            deferred2_0 = ptr1;
            deferred2_1 = len1;
            return getStringFromWasm0(ptr1, len1);
        } finally {
            wasm.__wbindgen_free(deferred2_0, deferred2_1, 1);
        }
    }
    /**
     * Plays the next frame. Returns `false` at the end.
     * @returns {boolean}
     */
    step() {
        const ret = wasm.replay_step(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] !== 0;
    }
    /**
     * Time of the present frame in seconds.
     * @returns {number}
     */
    get time() {
        const ret = wasm.replay_time(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0];
    }
    /**
     * Returns the drawn path of an entity over the whole recording, and its errors. The positions are
     * in metres from the south-west corner of the landblock `origin`.
     * @param {number} entity
     * @param {number} origin
     * @returns {Track}
     */
    track(entity, origin) {
        const ret = wasm.replay_track(this.__wbg_ptr, entity, origin);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Track.__wrap(ret[0]);
    }
}
if (Symbol.dispose) Replay.prototype[Symbol.dispose] = Replay.prototype.free;

/**
 * The path that a rival method draws.
 */
export class RivalTrack {
    static __wrap(ptr) {
        const obj = Object.create(RivalTrack.prototype);
        obj.__wbg_ptr = ptr;
        RivalTrackFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        RivalTrackFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_rivaltrack_free(ptr, 0);
    }
    /**
     * Name of the method.
     * @returns {string}
     */
    get name() {
        let deferred1_0;
        let deferred1_1;
        try {
            const ret = wasm.rivaltrack_name(this.__wbg_ptr);
            deferred1_0 = ret[0];
            deferred1_1 = ret[1];
            return getStringFromWasm0(ret[0], ret[1]);
        } finally {
            wasm.__wbindgen_free(deferred1_0, deferred1_1, 1);
        }
    }
    /**
     * Drawn place of each frame, as x, y and z in metres from the origin and the heading in degrees. NaN
     * means that the entity is not drawn.
     * @returns {Float32Array}
     */
    get places() {
        const ret = wasm.rivaltrack_places(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) RivalTrack.prototype[Symbol.dispose] = RivalTrack.prototype.free;

/**
 * The drawn path of one entity. Every array has its values frame by frame. NaN means that the entity is
 * not drawn, or has no path.
 */
export class Track {
    static __wrap(ptr) {
        const obj = Object.create(Track.prototype);
        obj.__wbg_ptr = ptr;
        TrackFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        TrackFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_track_free(ptr, 0);
    }
    /**
     * Error of each frame against the believed path in metres, as two values. The first is the distance
     * along the path, negative for a body that is behind. The second is the distance beside it.
     * @returns {Float32Array}
     */
    get errors() {
        const ret = wasm.track_errors(this.__wbg_ptr);
        return ret;
    }
    /**
     * Drawn pose of each frame, as x, y, z, qw, qx, qy and qz in metres from the origin.
     * @returns {Float32Array}
     */
    get poses() {
        const ret = wasm.track_poses(this.__wbg_ptr);
        return ret;
    }
    /**
     * Time of each frame in seconds.
     * @returns {Float64Array}
     */
    get times() {
        const ret = wasm.track_times(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) Track.prototype[Symbol.dispose] = Track.prototype.free;

/**
 * One entity over the whole recording, frame by frame.
 */
export class ViewTrack {
    static __wrap(ptr) {
        const obj = Object.create(ViewTrack.prototype);
        obj.__wbg_ptr = ptr;
        ViewTrackFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        ViewTrackFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_viewtrack_free(ptr, 0);
    }
    /**
     * Distance of each frame beside the path in metres.
     * @returns {Float32Array}
     */
    get asides() {
        const ret = wasm.viewtrack_asides(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Decisions about the entity, oldest first.
     * @returns {Decision[]}
     */
    decisions() {
        const ret = wasm.viewtrack_decisions(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Error of each frame along the path in metres, positive if ahead.
     * @returns {Float32Array}
     */
    get errors() {
        const ret = wasm.viewtrack_errors(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Heading of each frame in degrees.
     * @returns {Float32Array}
     */
    get headings() {
        const ret = wasm.viewtrack_headings(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Height of each frame above the ground in metres.
     * @returns {Float32Array}
     */
    get heights() {
        const ret = wasm.viewtrack_heights(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * 1 for each frame that is not connected with the one before.
     * @returns {Uint8Array}
     */
    get placed() {
        const ret = wasm.viewtrack_placed(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Place of each frame in metres, as x, y and z.
     * @returns {Float32Array}
     */
    get places() {
        const ret = wasm.viewtrack_places(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Where the body was drawn as each position arrived, as time, x, y and z.
     * @returns {Float64Array}
     */
    get receipts() {
        const ret = wasm.viewtrack_receipts(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Speed of each frame in metres per second.
     * @returns {Float32Array}
     */
    get speeds() {
        const ret = wasm.viewtrack_speeds(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Time of each frame in seconds.
     * @returns {Float64Array}
     */
    get times() {
        const ret = wasm.viewtrack_times(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Plays at most `frames` frames. Returns the part that is done, 0 to 1.
     * @param {number} frames
     * @returns {number}
     */
    work(frames) {
        const ret = wasm.viewtrack_work(this.__wbg_ptr, frames);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0];
    }
}
if (Symbol.dispose) ViewTrack.prototype[Symbol.dispose] = ViewTrack.prototype.free;

/**
 * A recording for a viewer. Entities have indices, in the order of `facts`.
 */
export class Viewer {
    static __wrap(ptr) {
        const obj = Object.create(Viewer.prototype);
        obj.__wbg_ptr = ptr;
        ViewerFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        ViewerFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_viewer_free(ptr, 0);
    }
    /**
     * Adds what another program drew, in the bytes of `DrawnTrack`, before anything is drawn. Returns its
     * name, which `drawing` takes.
     * @param {Uint8Array} track
     * @returns {string}
     */
    addDrawn(track) {
        let deferred2_0;
        let deferred2_1;
        try {
            const ret = wasm.viewer_addDrawn(this.__wbg_ptr, track);
            var ptr1 = ret[0];
            var len1 = ret[1];
            if (ret[3]) {
                ptr1 = 0; len1 = 0;
                throw takeFromExternrefTable0(ret[2]);
            }
            deferred2_0 = ptr1;
            deferred2_1 = len1;
            return getStringFromWasm0(ptr1, len1);
        } finally {
            wasm.__wbindgen_free(deferred2_0, deferred2_1, 1);
        }
    }
    /**
     * Adds the messages of a script that follow those of this recording. Everything up to the time `until`
     * in seconds has arrived then. Without bytes, only time has passed. Drawings and tracks go on with it.
     * Returns the indices of entities of which something new is known.
     * @param {Uint8Array | null | undefined} script
     * @param {number} until
     * @returns {Uint32Array}
     */
    append(script, until) {
        const val1 = +until;
        const ret = wasm.viewer_append(this.__wbg_ptr, isLikeNone(script) ? 0 : addToExternrefTable0(script), val1);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Returns the recording as a method draws it, over a network that adds latency and jitter in seconds
     * and loss from 0 to 1. `dropped` has the numbers of messages that are left out.
     * @param {string} method
     * @param {number} fps
     * @param {number} latency
     * @param {number} jitter
     * @param {number} loss
     * @param {number} seed
     * @param {Uint32Array | number[]} dropped
     * @returns {Drawing}
     */
    drawing(method, fps, latency, jitter, loss, seed, dropped) {
        const val3 = +fps;
        const val4 = +latency;
        const val5 = +jitter;
        const val6 = +loss;
        const val7 = +seed;
        let ptr0, len0, ptr1, len1;
        try {
            ptr0 = passStringToWasm0(method, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArray32ToWasm0(dropped, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 4, 4); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.viewer_drawing(this.__wbg_ptr, ptr0, len0, val3, val4, val5, val6, val7, ptr1, len1);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Drawing.__wrap(ret[0]);
    }
    /**
     * Returns what is known of an entity, as `facts` does.
     * @param {number} index
     * @returns {Record<string, unknown>}
     */
    entityFacts(index) {
        const ret = wasm.viewer_entityFacts(this.__wbg_ptr, index);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Returns the fixed facts of the recording.
     * @returns {Record<string, unknown>}
     */
    facts() {
        const ret = wasm.viewer_facts(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Begins a recording that grows by `append`.
     * @returns {Viewer}
     */
    static live() {
        const ret = wasm.viewer_live();
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Viewer.__wrap(ret[0]);
    }
    /**
     * Number of messages.
     * @returns {number}
     */
    get messageCount() {
        const ret = wasm.viewer_messageCount(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0];
    }
    /**
     * Returns a message with its bytes and fields, or null.
     * @param {number} number
     * @returns {Record<string, unknown> | null}
     */
    message(number) {
        const ret = wasm.viewer_message(this.__wbg_ptr, number);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Returns the server's messages about an entity, without the first `from` messages of the recording
     * (default: 0).
     * @param {number} index
     * @param {number | null} [from]
     * @returns {Record<string, unknown>[]}
     */
    messages(index, from) {
        const ret = wasm.viewer_messages(this.__wbg_ptr, index, isLikeNone(from) ? Number.MAX_SAFE_INTEGER : (from) >>> 0);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Returns the names of all methods that `drawing` takes.
     * @returns {string[]}
     */
    methods() {
        const ret = wasm.viewer_methods(this.__wbg_ptr);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        var v1 = getArrayJsValueFromWasm0(ret[0], ret[1]);
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v1;
    }
    /**
     * Reads a script, and limits what is shown to the times from `from` to `to` in seconds.
     * @param {Uint8Array} script
     * @param {number} from
     * @param {number} to
     */
    constructor(script, from, to) {
        const ret = wasm.viewer_new(script, from, to);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        ViewerFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Reads a capture in any format that the program reads. An error is the decoder's own sentence.
     * @param {Uint8Array} capture
     * @param {string} name
     * @returns {Viewer}
     */
    static open(capture, name) {
        const ptr0 = passStringToWasm0(name, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.viewer_open(capture, ptr0, len0);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return Viewer.__wrap(ret[0]);
    }
    /**
     * Returns the times of an entity's received positions, without the first `from` of them.
     * @param {number} index
     * @param {number} from
     * @returns {Float64Array}
     */
    receivedTimes(index, from) {
        const ret = wasm.viewer_receivedTimes(this.__wbg_ptr, index, from);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Returns the received positions of an entity, as time, x, y, z, heading and 1 if a path leads there
     * from the position before.
     * @param {number} index
     * @returns {Float64Array}
     */
    received(index) {
        const ret = wasm.viewer_received(this.__wbg_ptr, index);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Times in seconds between which the recording is known.
     * @returns {Float64Array}
     */
    get span() {
        const ret = wasm.viewer_span(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Returns the true places of an entity as time, x, y and z. Empty if they are unknown.
     * @param {number} index
     * @returns {Float64Array}
     */
    truth(index) {
        const ret = wasm.viewer_truth(this.__wbg_ptr, index);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
}
if (Symbol.dispose) Viewer.prototype[Symbol.dispose] = Viewer.prototype.free;

/**
 * All bodies of a world. Messages and time go in, and poses come out. In each frame call `advance`, then
 * `handle` for each message, then `draw`.
 */
export class World {
    static __wrap(ptr) {
        const obj = Object.create(World.prototype);
        obj.__wbg_ptr = ptr;
        WorldFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        WorldFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_world_free(ptr, 0);
    }
    /**
     * Moves time to `time` seconds and steps bodies.
     * @param {number} time
     */
    advance(time) {
        const ret = wasm.world_advance(this.__wbg_ptr, time);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
    /**
     * Removes the viewpoint.
     */
    clearViewpoint() {
        const ret = wasm.world_clearViewpoint(this.__wbg_ptr);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
    /**
     * Does what `draw` does, only for bodies that may look different since the last call of it. Events
     * tell of bodies that left the world.
     * @param {number} time
     * @param {number} origin
     * @returns {number}
     */
    drawChanged(time, origin) {
        const ret = wasm.world_drawChanged(this.__wbg_ptr, time, origin);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] >>> 0;
    }
    /**
     * Writes every body to be drawn at `time` into the arrays `ids`, `poses` and `hidden`, and returns
     * their number. Poses are in metres from the south-west corner of the landblock `origin`, such as
     * 0xA9B4.
     * @param {number} time
     * @param {number} origin
     * @returns {number}
     */
    draw(time, origin) {
        const ret = wasm.world_draw(this.__wbg_ptr, time, origin);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] >>> 0;
    }
    /**
     * Returns the hash of all poses of the profile `GLIDE`, in hexadecimal.
     * @returns {string}
     */
    drawingHash() {
        let deferred2_0;
        let deferred2_1;
        try {
            const ret = wasm.world_drawingHash(this.__wbg_ptr);
            var ptr1 = ret[0];
            var len1 = ret[1];
            if (ret[3]) {
                ptr1 = 0; len1 = 0;
                throw takeFromExternrefTable0(ret[2]);
            }
            deferred2_0 = ptr1;
            deferred2_1 = len1;
            return getStringFromWasm0(ptr1, len1);
        } finally {
            wasm.__wbindgen_free(deferred2_0, deferred2_1, 1);
        }
    }
    /**
     * Removes and returns all events, oldest first.
     * @returns {WorldEvent[]}
     */
    events() {
        const ret = wasm.world_events(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Returns the decisions about a traced entity, oldest first.
     * @param {number} entity
     * @returns {Decision[]}
     */
    explain(entity) {
        const ret = wasm.world_explain(this.__wbg_ptr, entity);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Handles messages that lie one after the other in `messages`. `ends` has the offset at which each
     * one ends. Returns the number of those about motion. If one is damaged, none is handled.
     * @param {number} time
     * @param {Uint8Array} messages
     * @param {Uint32Array} ends
     * @returns {number}
     */
    handleMany(time, messages, ends) {
        const ret = wasm.world_handleMany(this.__wbg_ptr, time, messages, ends);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] >>> 0;
    }
    /**
     * Handles one message of the server, from its opcode to its last byte. Returns what became of it as
     * a sentence, or `undefined` for a message that is not about motion.
     * @param {number} time
     * @param {Uint8Array} message
     * @returns {string | undefined}
     */
    handle(time, message) {
        const ret = wasm.world_handle(this.__wbg_ptr, time, message);
        if (ret[3]) {
            throw takeFromExternrefTable0(ret[2]);
        }
        let v1;
        if (ret[0] !== 0) {
            v1 = getStringFromWasm0(ret[0], ret[1]);
            wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
        }
        return v1;
    }
    /**
     * Returns 1 for each entity that `draw` wrote and that is invisible, and 0 for the others. The array
     * is a view, which is valid until the next call of anything in this package.
     * @returns {Uint8Array}
     */
    hidden() {
        const ret = wasm.world_hidden(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Returns the entities that `draw` wrote. The array is a view, which is valid until the next call of
     * anything in this package.
     * @returns {Uint32Array}
     */
    ids() {
        const ret = wasm.world_ids(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Number of bodies, including those outside the world.
     * @returns {number}
     */
    get length() {
        const ret = wasm.world_length(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0] >>> 0;
    }
    /**
     * Makes an empty world whose time starts at `time`, in seconds. `profile` is `RETAIL`, `ACDREAM`,
     * `SMOOTH`, `GLIDE` or `SPECTATOR`.
     * @param {string} profile
     * @param {number} time
     */
    constructor(profile, time) {
        const val2 = +time;
        const ptr0 = passStringToWasm0(profile, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.world_new(ptr0, len0, val2);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        this.__wbg_ptr = ret[0];
        WorldFinalization.register(this, this.__wbg_ptr, this);
        return this;
    }
    /**
     * Returns the poses that `draw` wrote, as x, y, z, qw, qx, qy and qz for each entity. The array is a
     * view, which is valid until the next call of anything in this package.
     * @returns {Float32Array}
     */
    poses() {
        const ret = wasm.world_poses(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Restores a world from the bytes of `save`, and its poses from those of `saveDrawing` if given.
     * @param {Uint8Array} saved
     * @param {Uint8Array | null} [drawing]
     * @returns {World}
     */
    static restore(saved, drawing) {
        const ret = wasm.world_restore(saved, isLikeNone(drawing) ? 0 : addToExternrefTable0(drawing));
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return World.__wrap(ret[0]);
    }
    /**
     * Returns the poses of the profile `GLIDE` as bytes.
     * @returns {Uint8Array}
     */
    saveDrawing() {
        const ret = wasm.world_saveDrawing(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Returns the world as bytes. Events, decisions, ground and poses are left out.
     * @returns {Uint8Array}
     */
    save() {
        const ret = wasm.world_save(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return takeFromExternrefTable0(ret[0]);
    }
    /**
     * Makes the ground flat, at a height of `z` metres.
     * @param {number} z
     */
    setFlatGround(z) {
        const ret = wasm.world_setFlatGround(this.__wbg_ptr, z);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
    /**
     * Sets terrain. The first height lies on the south-west corner of `landblock`, rows run from west to
     * east with `columns` heights each, and the first row is the southernmost. `spacing` is in metres.
     * @param {number} landblock
     * @param {number} spacing
     * @param {number} columns
     * @param {Float32Array} heights
     */
    setHeightfield(landblock, spacing, columns, heights) {
        const ret = wasm.world_setHeightfield(this.__wbg_ptr, landblock, spacing, columns, heights);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
    /**
     * Removes the ground, so that only messages tell of it.
     */
    setOpenField() {
        const ret = wasm.world_setOpenField(this.__wbg_ptr);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
    /**
     * Sets the place from which distances are measured, such as the camera. Bodies more than 96 m away
     * are not stepped.
     * @param {number} cell
     * @param {number} x
     * @param {number} y
     * @param {number} z
     */
    setViewpoint(cell, x, y, z) {
        const ret = wasm.world_setViewpoint(this.__wbg_ptr, cell, x, y, z);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
    /**
     * Returns the hash of everything that further motion depends on, in hexadecimal.
     * @returns {string}
     */
    stateHash() {
        let deferred2_0;
        let deferred2_1;
        try {
            const ret = wasm.world_stateHash(this.__wbg_ptr);
            var ptr1 = ret[0];
            var len1 = ret[1];
            if (ret[3]) {
                ptr1 = 0; len1 = 0;
                throw takeFromExternrefTable0(ret[2]);
            }
            deferred2_0 = ptr1;
            deferred2_1 = len1;
            return getStringFromWasm0(ptr1, len1);
        } finally {
            wasm.__wbindgen_free(deferred2_0, deferred2_1, 1);
        }
    }
    /**
     * Latest time given to the world, in seconds.
     * @returns {number}
     */
    get time() {
        const ret = wasm.world_time(this.__wbg_ptr);
        if (ret[2]) {
            throw takeFromExternrefTable0(ret[1]);
        }
        return ret[0];
    }
    /**
     * Starts to keep the decisions about an entity.
     * @param {number} entity
     */
    trace(entity) {
        const ret = wasm.world_trace(this.__wbg_ptr, entity);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
    /**
     * Stops keeping the decisions about an entity.
     * @param {number} entity
     */
    untrace(entity) {
        const ret = wasm.world_untrace(this.__wbg_ptr, entity);
        if (ret[1]) {
            throw takeFromExternrefTable0(ret[0]);
        }
    }
}
if (Symbol.dispose) World.prototype[Symbol.dispose] = World.prototype.free;

/**
 * Returns the version of the package.
 * @returns {string}
 */
export function version() {
    let deferred1_0;
    let deferred1_1;
    try {
        const ret = wasm.version();
        deferred1_0 = ret[0];
        deferred1_1 = ret[1];
        return getStringFromWasm0(ret[0], ret[1]);
    } finally {
        wasm.__wbindgen_free(deferred1_0, deferred1_1, 1);
    }
}
function __wbg_get_imports() {
    const import0 = {
        __proto__: null,
        __wbg_Error_208446807d0d1e30: function(arg0, arg1) {
            const ret = Error(getStringFromWasm0(arg0, arg1));
            return ret;
        },
        __wbg___wbindgen_throw_4c88d8bf264fd984: function(arg0, arg1) {
            throw new Error(sentence(getStringFromWasm0(arg0, arg1)));
        },
        __wbg_instanceof_Float32Array_94718abab7dc1d7f: function(arg0) {
            let result;
            try {
                result = arg0 instanceof Float32Array;
            } catch (_) {
                result = false;
            }
            const ret = result;
            return ret;
        },
        __wbg_instanceof_Uint32Array_ba721c3060d01f9a: function(arg0) {
            let result;
            try {
                result = arg0 instanceof Uint32Array;
            } catch (_) {
                result = false;
            }
            const ret = result;
            return ret;
        },
        __wbg_instanceof_Uint8Array_d7aeb0dcb3108fea: function(arg0) {
            let result;
            try {
                result = arg0 instanceof Uint8Array;
            } catch (_) {
                result = false;
            }
            const ret = result;
            return ret;
        },
        __wbg_length_186163212ffe79c3: function(arg0) {
            const ret = arg0.length;
            return ret;
        },
        __wbg_length_6e9d2869242cabf3: function(arg0) {
            const ret = arg0.length;
            return ret;
        },
        __wbg_length_c702d06d28b96b72: function(arg0) {
            const ret = arg0.length;
            return ret;
        },
        __wbg_new_from_slice_3512352010266e02: function(arg0, arg1) {
            const ret = new Uint32Array(getArrayU32FromWasm0(arg0, arg1));
            return ret;
        },
        __wbg_new_from_slice_355c10c5d8f2addb: function(arg0, arg1) {
            const ret = new Float32Array(getArrayF32FromWasm0(arg0, arg1));
            return ret;
        },
        __wbg_new_from_slice_aaf85a9746711968: function(arg0, arg1) {
            const ret = new Float64Array(getArrayF64FromWasm0(arg0, arg1));
            return ret;
        },
        __wbg_new_from_slice_b8daf545a41c6aa0: function(arg0, arg1) {
            const ret = new Uint8Array(getArrayU8FromWasm0(arg0, arg1));
            return ret;
        },
        __wbg_new_with_length_07edd8a7019b8c30: function(arg0) {
            const ret = new Float64Array(arg0 >>> 0);
            return ret;
        },
        __wbg_parse_c3f72b5a24f83c01: function() { return handleError(function (arg0, arg1) {
            const ret = JSON.parse(getStringFromWasm0(arg0, arg1));
            return ret;
        }, arguments); },
        __wbg_prototypesetcall_13162965d1fe7aa3: function(arg0, arg1, arg2) {
            Uint8Array.prototype.set.call(getArrayU8FromWasm0(arg0, arg1), arg2);
        },
        __wbg_prototypesetcall_22b1bb88c4ec5c5a: function(arg0, arg1, arg2) {
            Float32Array.prototype.set.call(getArrayF32FromWasm0(arg0, arg1), arg2);
        },
        __wbg_prototypesetcall_4aea6470234c8414: function(arg0, arg1, arg2) {
            Uint32Array.prototype.set.call(getArrayU32FromWasm0(arg0, arg1), arg2);
        },
        __wbg_rivaltrack_new: function(arg0) {
            const ret = RivalTrack.__wrap(arg0);
            return ret;
        },
        __wbindgen_generic_0000000000000001: function(arg0, arg1) {
            // Cast intrinsic for `Ref(Slice(F32)) -> NamedExternref("Float32Array")`.
            const ret = getArrayF32FromWasm0(arg0, arg1);
            return ret;
        },
        __wbindgen_generic_0000000000000002: function(arg0, arg1) {
            // Cast intrinsic for `Ref(Slice(U32)) -> NamedExternref("Uint32Array")`.
            const ret = getArrayU32FromWasm0(arg0, arg1);
            return ret;
        },
        __wbindgen_generic_0000000000000003: function(arg0, arg1) {
            // Cast intrinsic for `Ref(Slice(U8)) -> NamedExternref("Uint8Array")`.
            const ret = getArrayU8FromWasm0(arg0, arg1);
            return ret;
        },
        __wbindgen_generic_0000000000000004: function(arg0, arg1) {
            // Cast intrinsic for `Ref(String) -> Externref`.
            const ret = getStringFromWasm0(arg0, arg1);
            return ret;
        },
        __wbindgen_init_externref_table: function() {
            const table = wasm.__wbindgen_externrefs;
            table.set(0, undefined);
            table.set(1024, undefined);
            table.set(1025, null);
            table.set(1026, true);
            table.set(1027, false);
        },
    };
    return {
        __proto__: null,
        "./evenstride_bg.js": import0,
    };
}

const DrawingFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_drawing_free(ptr, 1));
const ReplayFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_replay_free(ptr, 1));
const RivalTrackFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_rivaltrack_free(ptr, 1));
const TrackFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_track_free(ptr, 1));
const ViewTrackFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_viewtrack_free(ptr, 1));
const ViewerFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_viewer_free(ptr, 1));
const WorldFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_world_free(ptr, 1));

function addToExternrefTable0(obj) {
    const idx = wasm.__externref_table_alloc();
    wasm.__wbindgen_externrefs.set(idx, obj);
    return idx;
}

function _assertClass(instance, klass) {
    if (!(instance instanceof klass)) {
        throw new Error(`expected instance of ${klass.name}`);
    }
}

function getArrayF32FromWasm0(ptr, len) {
    ptr = ptr >>> 0;
    return getFloat32ArrayMemory0().subarray(ptr / 4, ptr / 4 + len);
}

function getArrayF64FromWasm0(ptr, len) {
    ptr = ptr >>> 0;
    return getFloat64ArrayMemory0().subarray(ptr / 8, ptr / 8 + len);
}

function getArrayJsValueFromWasm0(ptr, len) {
    ptr = ptr >>> 0;
    const mem = getDataViewMemory0();
    const result = [];
    for (let i = ptr; i < ptr + 4 * len; i += 4) {
        result.push(wasm.__wbindgen_externrefs.get(mem.getUint32(i, true)));
    }
    wasm.__externref_drop_slice(ptr, len);
    return result;
}

function getArrayU32FromWasm0(ptr, len) {
    ptr = ptr >>> 0;
    return getUint32ArrayMemory0().subarray(ptr / 4, ptr / 4 + len);
}

function getArrayU8FromWasm0(ptr, len) {
    ptr = ptr >>> 0;
    return getUint8ArrayMemory0().subarray(ptr / 1, ptr / 1 + len);
}

let cachedDataViewMemory0 = null;
function getDataViewMemory0() {
    if (cachedDataViewMemory0 === null || cachedDataViewMemory0.buffer.detached === true || (cachedDataViewMemory0.buffer.detached === undefined && cachedDataViewMemory0.buffer !== wasm.memory.buffer)) {
        cachedDataViewMemory0 = new DataView(wasm.memory.buffer);
    }
    return cachedDataViewMemory0;
}

let cachedFloat32ArrayMemory0 = null;
function getFloat32ArrayMemory0() {
    if (cachedFloat32ArrayMemory0 === null || cachedFloat32ArrayMemory0.byteLength === 0) {
        cachedFloat32ArrayMemory0 = new Float32Array(wasm.memory.buffer);
    }
    return cachedFloat32ArrayMemory0;
}

let cachedFloat64ArrayMemory0 = null;
function getFloat64ArrayMemory0() {
    if (cachedFloat64ArrayMemory0 === null || cachedFloat64ArrayMemory0.byteLength === 0) {
        cachedFloat64ArrayMemory0 = new Float64Array(wasm.memory.buffer);
    }
    return cachedFloat64ArrayMemory0;
}

function getStringFromWasm0(ptr, len) {
    ptr = ptr >>> 0;
    return decodeText(getUint8ArrayMemory0().subarray(ptr, ptr + len));
}

let cachedUint32ArrayMemory0 = null;
function getUint32ArrayMemory0() {
    if (cachedUint32ArrayMemory0 === null || cachedUint32ArrayMemory0.byteLength === 0) {
        cachedUint32ArrayMemory0 = new Uint32Array(wasm.memory.buffer);
    }
    return cachedUint32ArrayMemory0;
}

let cachedUint8ArrayMemory0 = null;
function getUint8ArrayMemory0() {
    if (cachedUint8ArrayMemory0 === null || cachedUint8ArrayMemory0.byteLength === 0) {
        cachedUint8ArrayMemory0 = new Uint8Array(wasm.memory.buffer);
    }
    return cachedUint8ArrayMemory0;
}

function handleError(f, args) {
    try {
        return f.apply(this, args);
    } catch (e) {
        const idx = addToExternrefTable0(e);
        wasm.__wbindgen_exn_store(idx);
    }
}

function isLikeNone(x) {
    return x === undefined || x === null;
}

function passArray32ToWasm0(arg, malloc) {
    const ptr = malloc(arg.length * 4, 4) >>> 0;
    getUint32ArrayMemory0().set(arg, ptr / 4);
    WASM_VECTOR_LEN = arg.length;
    return ptr;
}

function passStringToWasm0(arg, malloc, realloc) {
    if (realloc === undefined) {
        const buf = cachedTextEncoder.encode(arg);
        const ptr = malloc(buf.length, 1) >>> 0;
        getUint8ArrayMemory0().subarray(ptr, ptr + buf.length).set(buf);
        WASM_VECTOR_LEN = buf.length;
        return ptr;
    }

    let len = arg.length;
    let ptr = malloc(len, 1) >>> 0;

    const mem = getUint8ArrayMemory0();

    let offset = 0;

    for (; offset < len; offset++) {
        const code = arg.charCodeAt(offset);
        if (code > 0x7F) break;
        mem[ptr + offset] = code;
    }
    if (offset !== len) {
        if (offset !== 0) {
            arg = arg.slice(offset);
        }
        ptr = realloc(ptr, len, len = offset + arg.length * 3, 1) >>> 0;
        const view = getUint8ArrayMemory0().subarray(ptr + offset, ptr + len);
        const ret = cachedTextEncoder.encodeInto(arg, view);

        offset += ret.written;
        ptr = realloc(ptr, len, offset, 1) >>> 0;
    }

    WASM_VECTOR_LEN = offset;
    return ptr;
}

function takeFromExternrefTable0(idx) {
    const value = wasm.__wbindgen_externrefs.get(idx);
    wasm.__externref_table_dealloc(idx);
    return value;
}

let cachedTextDecoder = new TextDecoder('utf-8', { ignoreBOM: true });
cachedTextDecoder.decode();
const MAX_SAFARI_DECODE_BYTES = 2146435072;
let numBytesDecoded = 0;
function decodeText(bytes) {
    numBytesDecoded += bytes.length;
    if (numBytesDecoded >= MAX_SAFARI_DECODE_BYTES) {
        cachedTextDecoder = new TextDecoder('utf-8', { ignoreBOM: true });
        cachedTextDecoder.decode();
        numBytesDecoded = bytes.length;
    }
    return cachedTextDecoder.decode(bytes);
}

const cachedTextEncoder = new TextEncoder();

if (!('encodeInto' in cachedTextEncoder)) {
    cachedTextEncoder.encodeInto = function (arg, view) {
        const buf = cachedTextEncoder.encode(arg);
        view.set(buf);
        return {
            read: arg.length,
            written: buf.length
        };
    };
}

let WASM_VECTOR_LEN = 0;

let wasmModule, wasmInstance, wasm;
function __wbg_finalize_init(instance, module) {
    wasmInstance = instance;
    wasm = instance.exports;
    wasmModule = module;
    cachedDataViewMemory0 = null;
    cachedFloat32ArrayMemory0 = null;
    cachedFloat64ArrayMemory0 = null;
    cachedUint32ArrayMemory0 = null;
    cachedUint8ArrayMemory0 = null;
    wasm.__wbindgen_start();
    return wasm;
}

async function __wbg_load(module, imports) {
    if (typeof Response === 'function' && module instanceof Response) {
        if (!module.ok) {
            throw new Error(`failed to fetch Wasm: ${module.status} ${module.statusText} fetching '${module.url}'`);
        }

        if (typeof WebAssembly.instantiateStreaming === 'function') {
            try {
                return await WebAssembly.instantiateStreaming(module, imports);
            } catch (e) {
                const validResponse = expectedResponseType(module.type);

                if (validResponse && module.headers.get('Content-Type') !== 'application/wasm') {
                    console.warn("`WebAssembly.instantiateStreaming` failed because your server does not serve Wasm with `application/wasm` MIME type. Falling back to `WebAssembly.instantiate` which is slower. Original error:\n", e);

                } else { throw e; }
            }
        }

        const bytes = await module.arrayBuffer();
        return await WebAssembly.instantiate(bytes, imports);
    } else {
        const instance = await WebAssembly.instantiate(module, imports);

        if (instance instanceof WebAssembly.Instance) {
            return { instance, module };
        } else {
            return instance;
        }
    }

    function expectedResponseType(type) {
        switch (type) {
            case 'basic': case 'cors': case 'default': return true;
        }
        return false;
    }
}

function initSync(module) {
    if (wasm !== undefined) return wasm;


    if (module !== undefined) {
        if (Object.getPrototypeOf(module) === Object.prototype) {
            ({module} = module)
        } else {
            console.warn('using deprecated parameters for `initSync()`; pass a single object instead')
        }
    }

    const imports = __wbg_get_imports();
    if (!(module instanceof WebAssembly.Module)) {
        module = new WebAssembly.Module(module);
    }
    const instance = new WebAssembly.Instance(module, imports);
    return __wbg_finalize_init(instance, module);
}

let __wbg_init_promise;
async function __wbg_init(module_or_path) {
    if (wasm !== undefined) return wasm;
    if (__wbg_init_promise === undefined) {
        __wbg_init_promise = __wbg_init_once(module_or_path);
        __wbg_init_promise.catch(() => { __wbg_init_promise = undefined; });
    }
    return __wbg_init_promise;
}

async function __wbg_init_once(module_or_path) {

    if (module_or_path !== undefined) {
        if (Object.getPrototypeOf(module_or_path) === Object.prototype) {
            ({module_or_path} = module_or_path)
        } else {
            console.warn('using deprecated parameters for the initialization function; pass a single object instead')
        }
    }


    const imports = __wbg_get_imports();

    if (typeof module_or_path === 'string' || (typeof Request === 'function' && module_or_path instanceof Request) || (typeof URL === 'function' && module_or_path instanceof URL)) {
        module_or_path = fetch(module_or_path);
    }

    const { instance, module } = await __wbg_load(await module_or_path, imports);

    return __wbg_finalize_init(instance, module);
}

export { initSync, __wbg_init as default };

/** Returns the sentence for an error of the glue code. Other errors are sentences already. */
function sentence(error) {
    if (error.startsWith("null pointer passed to rust")) {
        return "this object was freed; make a new one";
    }
    if (error.startsWith("recursive use of an object")) {
        return "poisoned: an earlier call on this object did not return; load the module again";
    }
    return error;
}
