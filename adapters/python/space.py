"""Cells, frames and stamps. A place is a triple of cell, position and rotation."""

from math import asin, atan2, cos, degrees, fmod, floor, radians, sin, sqrt

EPSILON = 0.0002


def add(a, b):
    return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]


def sub(a, b):
    return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]


def scale(a, by):
    return [a[0] * by, a[1] * by, a[2] * by]


def length(a):
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


def times(a, b):
    """Returns the product of two rotations, normalized."""
    w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3]
    x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2]
    y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1]
    z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]
    size = sqrt(w * w + x * x + y * y + z * z)
    return [w / size, x / size, y / size, z / size]


def back(q):
    """Returns the opposite rotation."""
    return [q[0], -q[1], -q[2], -q[3]]


def axes(q):
    """Returns where a rotation takes the three axes."""
    w, x, y, z = q
    return (
        [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
        [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
        [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
    )


def to_global(q, v):
    x, y, z = axes(q)
    return [v[0] * x[i] + v[1] * y[i] + v[2] * z[i] for i in range(3)]


def to_local(q, v):
    return [sum(v[i] * axis[i] for i in range(3)) for axis in axes(q)]


def compass(x, y):
    """Returns the heading of a direction in degrees, clockwise from north."""
    return fmod(450 - degrees(atan2(y, x)), 360)


def heading_of(q):
    north = axes(q)[1]
    return compass(north[0], north[1])


def with_direction(q, v):
    """Returns a rotation without roll that looks along a vector."""
    size = length(v)
    if size < EPSILON:
        return q
    x, y, z = scale(v, 1 / size)
    turn, tilt = -radians(heading_of_vector(x, y)), asin(max(-1.0, min(1.0, z)))
    about_x = [cos(tilt / 2), sin(tilt / 2), 0, 0]
    return times([cos(turn / 2), 0, 0, sin(turn / 2)], about_x)


def heading_of_vector(x, y):
    size = sqrt(x * x + y * y)
    return 0.0 if size < EPSILON else compass(x, y)


def with_heading(q, deg):
    return with_direction(q, [sin(radians(deg)), cos(radians(deg)), axes(q)[1][2]])


def spun(q, v):
    """Returns a rotation that is turned about global axes."""
    angle = length(v)
    if angle < EPSILON:
        return q
    unit = scale(v, sin(angle / 2) / angle)
    return times([cos(angle / 2)] + unit, q)


def block_offset(a, b):
    """Returns what leads from the corner of one landblock to that of another."""
    east, north = (b >> 24) - (a >> 24), (b >> 16 & 255) - (a >> 16 & 255)
    return [east * 192.0, north * 192.0, 0.0]


def offset(a, b):
    """Returns the vector between two places."""
    return sub(add(block_offset(a[0], b[0]), b[1]), a[1])


def distance(a, b):
    return length(offset(a, b))


def local_point(a, b, v):
    """Returns a point of the second place in the axes of the first."""
    point = add(add(to_global(b[2], v), b[1]), block_offset(a[0], b[0]))
    return to_local(a[2], sub(point, a[1]))


def relative(a, b):
    """Returns the first place as seen from the second."""
    return local_point(b, a, [0, 0, 0]), times(back(b[2]), a[2])


def settled(cell, pos):
    """Returns the outdoor cell that a position lies in, and the position in its landblock."""
    low = cell & 0xFFFF
    if not (1 <= low <= 0x40 or 0x100 <= low <= 0xFFFD or low == 0xFFFF):
        return None
    x, y = (0.0 if abs(c) < EPSILON else c for c in pos[:2])
    east, north = (cell >> 24) * 8 + floor(x / 24), (cell >> 16 & 255) * 8 + floor(y / 24)
    if not (0 <= east < 2040 and 0 <= north < 2040):
        return None
    cell = east >> 3 << 24 | north >> 3 << 16 | 1 + 8 * (east & 7) + (north & 7)
    return cell, [x - floor(x / 192) * 192, y - floor(y / 192) * 192, pos[2]]


def is_newer(old, new):
    return new < old if abs(new - old) > 0x7FFF else old < new


def place(of):
    return int(of["cell"], 16), of["pos"], of["quat"]


def name(cell):
    return "0x%08X" % cell


def frame(pos, quat):
    return {"pos": pos, "quat": quat}


def settle(args):
    cell, pos, _ = place(args["a"])
    found = settled(cell, pos)
    cell, at = found or (0, pos)
    return {"ok": int(found is not None), "cell": name(cell), "vec": at}


def one(make):
    return lambda args: make(place(args["a"]), args)


def two(make):
    return lambda args: make(place(args["a"]), place(args["b"]), args)


def before(a, b):
    quat = times(a[2], back(b[2]))
    return frame(sub(a[1], to_global(quat, b[1])), quat)


CALLS = {
    "combine": two(lambda a, b, _: frame(add(a[1], to_global(a[2], b[1])), times(a[2], b[2]))),
    "subtract1": two(lambda a, b, _: before(a, b)),
    "subtract2": two(lambda a, b, _: frame(to_local(b[2], sub(a[1], b[1])), times(back(b[2]), a[2]))),
    "pos_subtract2": two(lambda a, b, _: frame(*relative(a, b))),
    "get_heading": one(lambda a, _: {"value": heading_of(a[2])}),
    "set_heading": one(lambda a, args: frame(a[1], with_heading(a[2], args["degrees"]))),
    "set_vector_heading": one(lambda a, args: frame(a[1], with_direction(a[2], args["v"]))),
    "rotate": one(lambda a, args: frame(a[1], spun(a[2], to_global(a[2], args["v"])))),
    "grotate": one(lambda a, args: frame(a[1], spun(a[2], args["v"]))),
    "globaltolocal": one(lambda a, args: {"vec": to_local(a[2], sub(args["v"], a[1]))}),
    "globaltolocalvec": one(lambda a, args: {"vec": to_local(a[2], args["v"])}),
    "localtoglobalvec": one(lambda a, args: {"vec": to_global(a[2], args["v"])}),
    "localtolocal": two(lambda a, b, args: {"vec": local_point(a, b, args["v"])}),
    "get_offset": two(lambda a, b, _: {"vec": offset(a, b)}),
    "distance": two(lambda a, b, _: {"value": distance(a, b)}),
    "heading": two(lambda a, b, _: {"value": heading_of_vector(*offset(a, b)[:2])}),
    "cylinder_distance_no_z": two(lambda a, b, args: {"value": distance(a, b) - args["r1"] - args["r2"]}),
    "adjust_to_outside": settle,
    "is_newer": lambda args: {"ok": int(is_newer(args["timestamp"], args["new_time"]))},
}
