// The queue of waypoints of a remote body, oldest first.
using System.Collections.Generic;
using System.Linq;

class Waypoints {
    const double NoDistance = 999999;

    public readonly List<Place> Queue = new List<Place>();
    public int Fail, Steps;
    public double Secs, Headway;
    public bool KeepsHeading;
    public Place GivenUp;

    public Waypoints() { Stop(); }

    public void Stop() {
        Queue.Clear();
        Fail = Steps = 0;
        Secs = 0;
        Headway = NoDistance;
    }

    public string Add(ref Place body, Place to, bool keep) {
        var own = new Place(to.Cell, to.Pos, Space.WithHeading(to.Quat, Space.HeadingOf(body.Quat)));
        var reference = Queue.Count > 0 ? Queue.Last() : body;
        if (Space.Distance(reference, to) > (body.IsOutdoors ? 100 : 20)) {
            Queue.Add(KeepsHeading ? own : to);
            Fail = 4;
            return "interp_far_enqueue";
        }
        if (Space.Distance(body, to) <= 0.05) {
            if (!keep) body.Quat = Space.WithHeading(body.Quat, Space.HeadingOf(to.Quat));
            Stop();
            return "interp_close_snap";
        }
        while (Queue.Count > 0 && Space.Distance(Queue.Last(), to) < 0.05) Queue.RemoveAt(Queue.Count - 1);
        while (Queue.Count >= 20) Queue.RemoveAt(0);
        KeepsHeading = keep;
        Queue.Add(keep ? own : to);
        return "interp_enqueue";
    }

    void Complete(Place body, bool success) {
        Steps = 0;
        Secs = 0;
        bool hadOne = Queue.Count > 0;
        Place done = hadOne ? Queue[0] : body;
        if (hadOne) Queue.RemoveAt(0);
        if (Queue.Count > 0) {
            Headway = Space.Distance(body, Queue[0]);
        } else if (success) {
            Stop();
        } else {
            Headway = NoDistance;
            GivenUp = done;
        }
    }

    // The step towards the oldest waypoint in the body's own axes, or null.
    public Place? Chase(Place body, double speed, double q) {
        if (Queue.Count == 0) return null;
        double left = Space.Distance(body, Queue[0]);
        if (left < 0.05) {
            Complete(body, true);
            return null;
        }
        if (speed < Space.Epsilon) speed = 7.5;
        Secs += q;
        Steps++;
        if (Steps >= 5) {
            double progress = Headway - left;
            if (progress >= Space.Epsilon && progress / Secs / speed >= 0.3) {
                Steps = 0;
                Secs = 0;
                Headway = left;
            } else {
                // Within 0.2 m, a body that makes no progress has arrived.
                if (left >= 0.2) Fail++;
                Complete(body, left < 0.2);
                return null;
            }
        }
        var way = Space.Relative(Queue[0], body);
        double size = Space.Length(way.Pos);
        if (size <= 0.05) Complete(body, true);
        if (size > speed * q) way.Pos = Space.Scale(way.Pos, speed * q / size);
        if (KeepsHeading) way.Quat = Space.WithHeading(way.Quat, 0);
        return way;
    }

    // The place to snap to at the end of a step, or null.
    public Place? Snap() {
        if (Fail <= 3 && (Queue.Count > 0 || Fail == 0)) return null;
        return Queue.Count > 0 ? Queue.Last() : GivenUp;
    }
}
