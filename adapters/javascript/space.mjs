// Pure functions of cells, frames and stamps. Rotations are w, x, y, z.

const EPSILON = 0.0002;
const DEGREES = 180 / Math.PI;

const add = (a, b) => a.map((part, index) => part + b[index]);
const sub = (a, b) => a.map((part, index) => part - b[index]);
const scale = (a, by) => a.map((part) => part * by);
const length = (a) => Math.hypot(...a);
const back = ([w, x, y, z]) => [w, -x, -y, -z];

// The product of two rotations, normalized.
function times([aw, ax, ay, az], [bw, bx, by, bz]) {
    const product = [
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    ];
    return scale(product, 1 / length(product));
}

// Where a rotation takes the three axes.
const axes = ([w, x, y, z]) => [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
];

const toGlobal = (q, v) => axes(q).reduce((sum, axis, index) => add(sum, scale(axis, v[index])), [0, 0, 0]);
const toLocal = (q, v) => toGlobal(back(q), v);

// The heading of a direction in degrees, clockwise from north.
const compass = (x, y) => (Math.hypot(x, y) < EPSILON ? 0 : (450 - Math.atan2(y, x) * DEGREES) % 360);

// A rotation without roll that looks along a vector.
function along(q, v) {
    const size = length(v);
    if (size < EPSILON) return q;
    const turn = -compass(v[0] / size, v[1] / size) / DEGREES / 2;
    const tilt = Math.asin(Math.max(-1, Math.min(1, v[2] / size))) / 2;
    return times([Math.cos(turn), 0, 0, Math.sin(turn)], [Math.cos(tilt), Math.sin(tilt), 0, 0]);
}

const withHeading = (q, degrees) =>
    along(q, [Math.sin(degrees / DEGREES), Math.cos(degrees / DEGREES), axes(q)[1][2]]);

// A rotation that is turned about global axes.
function spun(q, v) {
    const angle = length(v);
    return angle < EPSILON ? q : times([Math.cos(angle / 2), ...scale(v, Math.sin(angle / 2) / angle)], q);
}

const block = (cell, shift) => (cell >>> shift) & 255;
const blockOffset = (a, b) => [192 * (block(b, 24) - block(a, 24)), 192 * (block(b, 16) - block(a, 16)), 0];
const offset = (a, b) => sub(add(blockOffset(a.cell, b.cell), b.pos), a.pos);
const distance = (a, b) => length(offset(a, b));

// A point of the second place in the axes of the first.
const localPoint = (a, b, v) =>
    toLocal(a.quat, sub(add(add(toGlobal(b.quat, v), b.pos), blockOffset(a.cell, b.cell)), a.pos));

// The outdoor cell that a position lies in, and the position in its landblock. `null` outside the map.
export function settled(cell, [x, y, z]) {
    const low = cell & 0xffff;
    if (!((low >= 1 && low <= 0x40) || (low >= 0x100 && low !== 0xfffe))) return null;
    [x, y] = [x, y].map((part) => (Math.abs(part) < EPSILON ? 0 : part));
    const [east, north] = [8 * block(cell, 24) + Math.floor(x / 24), 8 * block(cell, 16) + Math.floor(y / 24)];
    if (![east, north].every((part) => part >= 0 && part < 2040)) return null;
    const number = 1 + 8 * (east & 7) + (north & 7);
    const pos = [x - Math.floor(x / 192) * 192, y - Math.floor(y / 192) * 192, z];
    return { cell: (((east >> 3) << 24) | ((north >> 3) << 16) | number) >>> 0, pos };
}

export const hex = (cell) => `0x${cell.toString(16).toUpperCase().padStart(8, "0")}`;

const isNewer = (old, fresh) => (Math.abs(fresh - old) > 0x7fff ? fresh < old : old < fresh);

const places = (call) => (args) => {
    const place = (of) => of && { ...of, cell: parseInt(of.cell) };
    return call(place(args.a), args.b ? place(args.b) : args.v, args);
};
const vec = (call) => places((a, b, args) => ({ vec: call(a, b, args.v) }));
const value = (call) => places((a, b, args) => ({ value: call(a, b, args) }));
const frame = (call) =>
    places((a, b, args) => {
        const [pos, quat] = call(a, b, args);
        return { pos, quat };
    });

export const calls = {
    combine: frame((a, b) => [add(a.pos, toGlobal(a.quat, b.pos)), times(a.quat, b.quat)]),
    subtract1: frame((a, b) => {
        const quat = times(a.quat, back(b.quat));
        return [sub(a.pos, toGlobal(quat, b.pos)), quat];
    }),
    subtract2: frame((a, b) => [toLocal(b.quat, sub(a.pos, b.pos)), times(back(b.quat), a.quat)]),
    pos_subtract2: frame((a, b) => [localPoint(b, a, [0, 0, 0]), times(back(b.quat), a.quat)]),
    get_heading: value((a) => compass(...axes(a.quat)[1].slice(0, 2))),
    set_heading: frame((a, _, { degrees }) => [a.pos, withHeading(a.quat, degrees)]),
    set_vector_heading: frame((a, _, { v }) => [a.pos, along(a.quat, v)]),
    rotate: frame((a, _, { v }) => [a.pos, spun(a.quat, toGlobal(a.quat, v))]),
    grotate: frame((a, _, { v }) => [a.pos, spun(a.quat, v)]),
    globaltolocal: vec((a, _, v) => toLocal(a.quat, sub(v, a.pos))),
    globaltolocalvec: vec((a, _, v) => toLocal(a.quat, v)),
    localtoglobalvec: vec((a, _, v) => toGlobal(a.quat, v)),
    localtolocal: vec((a, b, v) => localPoint(a, b, v)),
    get_offset: vec((a, b) => offset(a, b)),
    distance: value((a, b) => distance(a, b)),
    heading: value((a, b) => compass(...offset(a, b).slice(0, 2))),
    cylinder_distance_no_z: value((a, b, { r1, r2 }) => distance(a, b) - r1 - r2),
    adjust_to_outside: places((a) => {
        const found = settled(a.cell, a.pos);
        return { ok: Number(found !== null), cell: hex(found?.cell ?? 0), vec: found?.pos ?? a.pos };
    }),
    is_newer: ({ timestamp, new_time: fresh }) => ({ ok: Number(isNewer(timestamp, fresh)) }),
};
