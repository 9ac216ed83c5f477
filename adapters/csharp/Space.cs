// Vectors, rotations (w, x, y, z) and places, which are a cell, a position in its landblock, and a rotation.
using System;

struct Place {
    public uint Cell;
    public double[] Pos, Quat;
    public Place(uint cell, double[] pos, double[] quat) { Cell = cell; Pos = pos; Quat = quat; }
    public bool IsOutdoors { get { return (Cell & 0xFFFF) < 0x100; } }
}

static class Space {
    public const double Epsilon = 0.0002;

    public static double[] Add(double[] a, double[] b) { return new[] { a[0] + b[0], a[1] + b[1], a[2] + b[2] }; }
    public static double[] Sub(double[] a, double[] b) { return new[] { a[0] - b[0], a[1] - b[1], a[2] - b[2] }; }
    public static double[] Scale(double[] a, double by) { return new[] { a[0] * by, a[1] * by, a[2] * by }; }
    public static double Length(double[] a) { return Math.Sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

    // The product of two rotations, normalized.
    public static double[] Times(double[] a, double[] b) {
        double w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
        double x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
        double y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
        double z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
        double size = Math.Sqrt(w * w + x * x + y * y + z * z);
        return new[] { w / size, x / size, y / size, z / size };
    }

    public static double[] Back(double[] q) { return new[] { q[0], -q[1], -q[2], -q[3] }; }

    // Where a rotation takes an axis: 0 is x, 1 is y, 2 is z.
    public static double[] Axis(double[] q, int axis) {
        double w = q[0], x = q[1], y = q[2], z = q[3];
        switch (axis) {
            case 0: return new[] { 1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y) };
            case 1: return new[] { 2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x) };
            default: return new[] { 2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y) };
        }
    }

    public static double[] ToGlobal(double[] q, double[] v) {
        return Add(Scale(Axis(q, 0), v[0]), Add(Scale(Axis(q, 1), v[1]), Scale(Axis(q, 2), v[2])));
    }

    public static double[] ToLocal(double[] q, double[] v) { return ToGlobal(Back(q), v); }

    // The heading of a direction in degrees, clockwise from north.
    public static double Compass(double x, double y) {
        return Math.Sqrt(x * x + y * y) < Epsilon ? 0 : (450 - Math.Atan2(y, x) * 180 / Math.PI) % 360;
    }

    public static double HeadingOf(double[] q) {
        var north = Axis(q, 1);
        return (450 - Math.Atan2(north[1], north[0]) * 180 / Math.PI) % 360;
    }

    // A rotation without roll that looks along a vector.
    public static double[] Along(double[] q, double[] v) {
        double size = Length(v);
        if (size < Epsilon) return q;
        double turn = -Compass(v[0] / size, v[1] / size) * Math.PI / 360;
        double tilt = Math.Asin(Math.Max(-1, Math.Min(1, v[2] / size))) / 2;
        return Times(new[] { Math.Cos(turn), 0, 0, Math.Sin(turn) }, new[] { Math.Cos(tilt), Math.Sin(tilt), 0, 0 });
    }

    public static double[] WithHeading(double[] q, double degrees) {
        double angle = degrees * Math.PI / 180;
        return Along(q, new[] { Math.Sin(angle), Math.Cos(angle), Axis(q, 1)[2] });
    }

    // A rotation that is turned about global axes.
    public static double[] Spun(double[] q, double[] v) {
        double angle = Length(v);
        if (angle < Epsilon) return q;
        var unit = Scale(v, Math.Sin(angle / 2) / angle);
        return Times(new[] { Math.Cos(angle / 2), unit[0], unit[1], unit[2] }, q);
    }

    // What leads from the corner of one landblock to that of another.
    static double[] BlockOffset(uint a, uint b) {
        int east = (int)(b >> 24) - (int)(a >> 24), north = (int)(b >> 16 & 255) - (int)(a >> 16 & 255);
        return new[] { east * 192.0, north * 192.0, 0 };
    }

    public static double[] Offset(Place a, Place b) { return Sub(Add(BlockOffset(a.Cell, b.Cell), b.Pos), a.Pos); }
    public static double Distance(Place a, Place b) { return Length(Offset(a, b)); }

    // A point of the second place in the axes of the first.
    public static double[] LocalPoint(Place a, Place b, double[] v) {
        var point = Add(Add(ToGlobal(b.Quat, v), b.Pos), BlockOffset(a.Cell, b.Cell));
        return ToLocal(a.Quat, Sub(point, a.Pos));
    }

    // The first place as seen from the second.
    public static Place Relative(Place a, Place b) {
        return new Place(0, LocalPoint(b, a, new double[3]), Times(Back(b.Quat), a.Quat));
    }

    // Moves a place into the outdoor cell that it lies in. Returns false outside the map.
    public static bool Settle(ref Place place) {
        uint low = place.Cell & 0xFFFF;
        bool isCell = (low >= 1 && low <= 0x40) || (low >= 0x100 && low <= 0xFFFD) || low == 0xFFFF;
        double x = Math.Abs(place.Pos[0]) < Epsilon ? 0 : place.Pos[0];
        double y = Math.Abs(place.Pos[1]) < Epsilon ? 0 : place.Pos[1];
        double east = (place.Cell >> 24) * 8 + Math.Floor(x / 24);
        double north = (place.Cell >> 16 & 255) * 8 + Math.Floor(y / 24);
        if (!isCell || !(east >= 0 && east < 2040 && north >= 0 && north < 2040)) return false;
        uint e = (uint)east, n = (uint)north;
        place.Cell = e >> 3 << 24 | n >> 3 << 16 | (1 + 8 * (e & 7) + (n & 7));
        place.Pos = new[] { x - Math.Floor(x / 192) * 192, y - Math.Floor(y / 192) * 192, place.Pos[2] };
        return true;
    }

    public static bool IsNewer(int old, int fresh) {
        return Math.Abs(fresh - old) > 0x7FFF ? fresh < old : old < fresh;
    }
}
