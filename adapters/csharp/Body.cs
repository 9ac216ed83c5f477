// A remote body with its clock, its messages and its tether.
using System;
using System.Collections.Generic;
using System.Linq;
using Members = System.Collections.Generic.Dictionary<string, object>;

class Body {
    public const string Name = "evenstride example, C#";
    public static readonly string[] Fields = { "cell", "pos", "quat", "queue", "fail", "fc", "pq", "od", "kh", "cvel", "constraint", "route", "stamps" };

    const int RunForward = 0x44000007;

    readonly Members settings;
    readonly string driver;
    readonly Waypoints route = new Waypoints();
    readonly int[] stamps;
    Place place;
    double updated, gated, playerDistance, runRate, forwardSpeed, share = 1, travelled, start, end;
    int forward;
    bool movesTo, refuses, isTethered;
    double[] velocity = new double[3];

    public Body(Members trace) {
        settings = trace.Object("settings");
        driver = trace.Text("driver");
        bool isGrounded = settings.Numbers("contact").All(bit => bit == 1), isFrozen = (settings.Int("state") & 0x1000000) != 0;
        bool isAnimated = ((List<object>)settings["anims"]).Count > 0;
        if (!isGrounded || isAnimated || settings["player"] != null || !settings.Flag("has_cell") || isFrozen)
            throw new Unsupported("flight, animations, a player, or a body that is frozen or outside the world");
        if (settings.Numbers("velocity").Any(part => part != 0)) throw new Unsupported("velocity");
        place = settings.Object("pos").Place();
        updated = gated = settings.Number("t0");
        stamps = new[] { "instance", "position", "teleport", "vector" }.Select(settings.Object("stamps").Int).ToArray();
        runRate = settings.Number("my_run_rate");
        Forward(settings);
        playerDistance = settings["player_distance"] == null ? double.MaxValue : settings.Number("player_distance");
    }

    void Forward(Members of) {
        forward = of.Int("forward_command");
        forwardSpeed = of.Number("forward_speed");
        if (forward == RunForward) runRate = forwardSpeed;
    }

    double ChaseSpeed() {
        double rate = !settings.Flag("weenie") ? 1 : settings["inq_run_rate"] == null ? runRate : settings.Number("inq_run_rate");
        return 2 * 4.0 * (forward == RunForward ? forwardSpeed / settings.Number("speed_factor") : rate);
    }

    bool Put(Place to) {
        if (refuses) return false;
        place = to;
        if (place.IsOutdoors) Space.Settle(ref place);
        return true;
    }

    void Constrain(Place anchor, double from, double to) {
        isTethered = true;
        start = from;
        end = to;
        travelled = Space.Distance(anchor, place);
    }

    void Step(double q) {
        Place way = route.Chase(place, ChaseSpeed(), q) ?? new Place(0, new double[3], new double[] { 1, 0, 0, 0 });
        if (isTethered) {
            // The tether adds up every step since the last accepted position.
            if (travelled >= end) way.Pos = new double[3];
            else if (travelled > start) way.Pos = Space.Scale(way.Pos, (end - travelled) / (end - start));
            travelled += Space.Length(way.Pos);
        }
        Place before = place;
        var moved = Space.ToGlobal(place.Quat, way.Pos);
        place.Quat = Space.Times(place.Quat, way.Quat);
        velocity = new double[3];
        if (moved.Any(part => Math.Abs(part) > Space.Epsilon) && share > 0) {
            place.Pos = Space.Add(place.Pos, Space.Scale(moved, share));
            if (place.IsOutdoors) Space.Settle(ref place);
            velocity = Space.Scale(Space.Offset(before, place), 1 / q);
        }
        Place? snap = route.Snap();
        if (snap.HasValue && Put(snap.Value)) route.Stop();
    }

    void Update(double now) {
        double dt = now - updated, longest = settings.Number("max_quantum");
        if (dt <= Space.Epsilon || dt > settings.Number("huge_quantum")) {
            updated = now;
            return;
        }
        for (bool isSliced = false; ; isSliced = true) {
            if (isSliced && dt <= settings.Number("min_quantum")) return;
            double q = Math.Min(dt, longest);
            Step(q);
            updated += q;
            dt -= q;
            if (dt <= 0) return;
        }
    }

    public Members Tick(Members tick) {
        double now = tick.ContainsKey("t") ? tick.Number("t") : 0;
        if (driver == "internal") {
            Step(tick.Number("dt"));
        } else if (driver == "update_object") {
            Update(now);
        } else if (now < gated || now - gated >= 1 / 30.0) {
            if (now > gated) Update(now);
            gated = now;
        }
        return State();
    }

    Members State() {
        return new Members {
            { "cell", "0x" + place.Cell.ToString("X8") }, { "pos", place.Pos }, { "quat", place.Quat },
            { "queue", route.Queue.Count }, { "fail", route.Fail }, { "fc", route.Steps }, { "pq", route.Secs },
            { "od", route.Headway }, { "kh", route.KeepsHeading ? 1 : 0 }, { "cvel", velocity },
            { "constraint", new[] { isTethered ? 1 : 0, travelled } },
        };
    }

    public Members Event(Members of) {
        string kind = of.Text("kind"), word = kind;
        switch (kind) {
            case "position": word = Position(of); break;
            case "interpolate": word = route.Add(ref place, of.Place(), of.Flag("keep_heading")); break;
            case "stop_interp": route.Stop(); break;
            case "moving_to": movesTo = of.Flag("value"); break;
            case "motion": Forward(of); break;
            case "block": share = of.Number("value"); break;
            case "setpos_result": refuses = of.Flag("value"); break;
            case "player_distance": playerDistance = of.Number("value"); break;
            case "constrain": Constrain(of.Place(), of.Number("start"), of.Number("max")); break;
            case "unconstrain": isTethered = false; break;
            default: throw new Unsupported("event " + kind);
        }
        var state = State();
        state["route"] = word;
        state["stamps"] = stamps;
        return state;
    }

    string Position(Members of) {
        int instance = of.Int("instance"), position = of.Int("position_ts"), teleport = of.Int("teleport_ts");
        bool teleports = Space.IsNewer(stamps[2], teleport);
        if (instance != stamps[0]) return Space.IsNewer(stamps[0], instance) ? "instance_newer" : "instance_stale";
        if (!Space.IsNewer(stamps[1], position)) return teleports ? "position_stale_teleport_newer" : "position_stale";
        if (Space.IsNewer(teleport, stamps[2])) return "teleport_stale";
        stamps[1] = position;
        string word;
        if (teleports) {
            stamps[2] = teleport;
            movesTo = isTethered = false;
            route.Stop();
            Put(of.Place());
            word = "teleport";
        } else if (!of.Flag("has_contact")) {
            return "airborne_ignored";
        } else if (playerDistance >= 96) {
            route.Stop();
            Put(of.Place());
            word = "slide_snap";
        } else {
            word = route.Add(ref place, of.Place(), movesTo);
        }
        Constrain(place, place.IsOutdoors ? 10 : 5, place.IsOutdoors ? 50 : 20);
        return word;
    }
}
