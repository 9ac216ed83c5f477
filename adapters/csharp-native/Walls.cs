// The surroundings in which traces were recorded, and the words of the traces for answers.
using Evenstride;

// No geometry, with walls where a trace asks for them.
class Walls : ISurroundings {
    // Share of every movement that succeeds, 0 to 1.
    public float Freedom = 1;
    // Whether placements fail.
    public bool Refuses;
    // What a body touches where it is placed.
    public Contact Contact;

    public bool Sweep(ref Sweep question, ref Swept answer) {
        if (Freedom < 1) {
            Vec3 from = question.From.Origin, to = question.To.Origin;
            answer.At.Origin.X = from.X + (to.X - from.X) * Freedom;
            answer.At.Origin.Y = from.Y + (to.Y - from.Y) * Freedom;
            answer.At.Origin.Z = from.Z + (to.Z - from.Z) * Freedom;
        }
        return Freedom > 0;
    }

    public bool Place(ref Placing question, ref Placed answer) {
        answer.Contact = (uint)Contact;
        return !Refuses;
    }

    public bool LandsByUpdate(ref Evenstride.Place at) { return false; }

    // Returns the traces' word for how a position was handled.
    public static string Word(Disposition of) {
        switch ((DispositionCode)of.Code) {
            case DispositionCode.Parked:
            case DispositionCode.Dropped: return "instance_newer";
            case DispositionCode.Ignored: return Word((IgnoreReasonCode)of.Reason);
            case DispositionCode.Placed: return of.Reason == (ushort)PlaceReasonCode.Teleport ? "teleport" : "slide_snap";
            case DispositionCode.Queued: return Word((EnqueuedCode)of.Reason);
            default: return "other";
        }
    }

    static string Word(IgnoreReasonCode why) {
        switch (why) {
            case IgnoreReasonCode.OlderInstance: return "instance_stale";
            case IgnoreReasonCode.StalePosition: return "position_stale";
            case IgnoreReasonCode.StalePositionNewerTeleport: return "position_stale_teleport_newer";
            case IgnoreReasonCode.StaleTeleport: return "teleport_stale";
            case IgnoreReasonCode.Airborne: return "airborne_ignored";
            default: return "other";
        }
    }

    static string Word(EnqueuedCode how) {
        switch (how) {
            case EnqueuedCode.Near: return "interp_enqueue";
            case EnqueuedCode.AlreadyThere: return "interp_close_snap";
            case EnqueuedCode.Far: return "interp_far_enqueue";
            default: return "other";
        }
    }
}
