// The pure functions of the kit.
using System.Collections.Generic;
using Members = System.Collections.Generic.Dictionary<string, object>;

static class Calls {
    public static Members Call(string op, Members args) {
        switch (op) {
            case "is_newer":
                return One("ok", Space.IsNewer(args.Int("timestamp"), args.Int("new_time")) ? 1 : 0);
            case "adjust_to_outside": {
                Place at = args.Object("a").Place();
                bool isValid = Space.Settle(ref at);
                var answer = One("ok", isValid ? 1 : 0);
                answer["cell"] = "0x" + (isValid ? at.Cell : 0).ToString("X8");
                answer["vec"] = at.Pos;
                return answer;
            }
        }
        Place a = args.Object("a").Place();
        Place b = args.ContainsKey("b") ? args.Object("b").Place() : a;
        double[] v = args.ContainsKey("v") ? args.Numbers("v") : null;
        switch (op) {
            case "combine":
                return Frame(Space.Add(a.Pos, Space.ToGlobal(a.Quat, b.Pos)), Space.Times(a.Quat, b.Quat));
            case "subtract1": {
                var turn = Space.Times(a.Quat, Space.Back(b.Quat));
                return Frame(Space.Sub(a.Pos, Space.ToGlobal(turn, b.Pos)), turn);
            }
            case "subtract2":
                return Frame(Space.ToLocal(b.Quat, Space.Sub(a.Pos, b.Pos)), Space.Times(Space.Back(b.Quat), a.Quat));
            case "pos_subtract2": {
                var seen = Space.Relative(a, b);
                return Frame(seen.Pos, seen.Quat);
            }
            case "get_heading": return One("value", Space.HeadingOf(a.Quat));
            case "set_heading": return Frame(a.Pos, Space.WithHeading(a.Quat, args.Number("degrees")));
            case "set_vector_heading": return Frame(a.Pos, Space.Along(a.Quat, v));
            case "rotate": return Frame(a.Pos, Space.Spun(a.Quat, Space.ToGlobal(a.Quat, v)));
            case "grotate": return Frame(a.Pos, Space.Spun(a.Quat, v));
            case "globaltolocal": return One("vec", Space.ToLocal(a.Quat, Space.Sub(v, a.Pos)));
            case "globaltolocalvec": return One("vec", Space.ToLocal(a.Quat, v));
            case "localtoglobalvec": return One("vec", Space.ToGlobal(a.Quat, v));
            case "localtolocal": return One("vec", Space.LocalPoint(a, b, v));
            case "get_offset": return One("vec", Space.Offset(a, b));
            case "distance": return One("value", Space.Distance(a, b));
            case "heading": {
                var way = Space.Offset(a, b);
                return One("value", Space.Compass(way[0], way[1]));
            }
            case "cylinder_distance_no_z":
                return One("value", Space.Distance(a, b) - args.Number("r1") - args.Number("r2"));
            default: throw new Unsupported("function " + op);
        }
    }

    static Members One(string name, object value) { return new Members { { name, value } }; }
    static Members Frame(double[] pos, double[] quat) { return new Members { { "pos", pos }, { "quat", quat } }; }
}
