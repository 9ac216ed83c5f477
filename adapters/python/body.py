"""A remote body with its clock, its messages and its tether."""

from space import EPSILON, add, distance, is_newer, length, name, offset, place, scale, settled, times, to_global
from waypoints import NO_DISTANCE, RUN_FORWARD, Waypoints


class Unsupported(Exception):
    """The trace needs a part that this adapter lacks."""


class Body(Waypoints):
    def __init__(self, trace):
        s = trace["settings"]
        if s["contact"] != [1, 1] or s["anims"] or s["player"] or not s["has_cell"] or s["state"] & 0x1000000:
            raise Unsupported("flight, animations, a player, or a body that is frozen or outside the world")
        if any(s["velocity"]):
            raise Unsupported("velocity")
        self.s, self.driver = s, trace["driver"]
        self.cell, self.pos, self.quat = place(s["pos"])
        self.updated = self.gated = s["t0"]
        self.stamps = [s["stamps"][kind] for kind in ("instance", "position", "teleport", "vector")]
        self.forward = s["forward_command"], s["forward_speed"]
        self.run_rate = s["forward_speed"] if s["forward_command"] == RUN_FORWARD else s["my_run_rate"]
        self.player_distance = NO_DISTANCE if s["player_distance"] is None else s["player_distance"]
        self.kh, self.moving_to, self.share, self.refuses = 0, 0, 1.0, 0
        self.given_up, self.cvel = None, [0.0, 0.0, 0.0]
        self.tether, self.travelled, self.anchor, self.limits = 0, 0.0, None, (0.0, 0.0)
        self.stop()

    def place(self):
        return self.cell, self.pos, self.quat

    def outdoors(self):
        return self.cell & 0xFFFF < 0x100

    def put(self, to):
        if self.refuses:
            return False
        self.cell, self.pos, self.quat = to
        if self.outdoors():
            self.cell, self.pos = settled(self.cell, self.pos) or (self.cell, self.pos)
        return True

    def constrain(self, anchor, start, end):
        self.tether, self.anchor, self.limits = 1, anchor, (start, end)
        self.travelled = distance(anchor, self.place())

    def step(self, q):
        origin, turn = self.chase(q) or ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0])
        if self.tether:
            start, end = self.limits
            if self.travelled >= end:
                origin = [0.0, 0.0, 0.0]
            elif self.travelled > start:
                origin = scale(origin, (end - self.travelled) / (end - start))
            self.travelled += length(origin)
        before = self.place()
        moved = to_global(self.quat, origin)
        self.quat = times(self.quat, turn)
        self.cvel = [0.0, 0.0, 0.0]
        if any(abs(part) > EPSILON for part in moved) and self.share > 0:
            self.pos = add(self.pos, scale(moved, self.share))
            if self.outdoors():
                self.cell, self.pos = settled(self.cell, self.pos) or (self.cell, self.pos)
            self.cvel = scale(offset(before, self.place()), 1 / q)
        self.recover()

    def update(self, now):
        dt = now - self.updated
        if dt <= EPSILON or dt > self.s["huge_quantum"]:
            self.updated = now
            return
        while dt > self.s["max_quantum"]:
            self.step(self.s["max_quantum"])
            self.updated += self.s["max_quantum"]
            dt -= self.s["max_quantum"]
            if dt <= self.s["max_quantum"] and dt <= self.s["min_quantum"]:
                return
        self.step(dt)
        self.updated += dt

    def tick(self, tick):
        if self.driver == "internal":
            self.step(tick["dt"])
        elif self.driver == "update_object":
            self.update(tick["t"])
        elif not 0 <= tick["t"] - self.gated < 1 / 30:
            if tick["t"] > self.gated:
                self.update(tick["t"])
            self.gated = tick["t"]
        return self.state()

    def state(self):
        return {
            "cell": name(self.cell), "pos": self.pos, "quat": self.quat, "queue": len(self.queue), "fail": self.fail,
            "fc": self.fc, "pq": self.pq, "od": self.od, "kh": self.kh, "cvel": self.cvel,
            "constraint": [self.tether, self.travelled],
        }

    def event(self, event):
        kind = event["kind"]
        handler = getattr(self, "on_" + kind, None)
        if handler is None:
            raise Unsupported("event " + kind)
        route = handler(event)
        return {**self.state(), "route": route or kind, "stamps": self.stamps}

    def on_position(self, event):
        instance, position, teleport, _ = self.stamps
        to, new = place(event), event["teleport_ts"]
        if event["instance"] != instance:
            return "instance_newer" if is_newer(instance, event["instance"]) else "instance_stale"
        if not is_newer(position, event["position_ts"]):
            return "position_stale_teleport_newer" if is_newer(teleport, new) else "position_stale"
        if is_newer(new, teleport):
            return "teleport_stale"
        self.stamps[1] = event["position_ts"]
        if is_newer(teleport, new):
            self.stamps[2] = new
            self.moving_to, self.tether = 0, 0
            self.stop()
            self.put(to)
            route = "teleport"
        elif not event["has_contact"]:
            return "airborne_ignored"
        elif self.player_distance >= 96:
            self.stop()
            self.put(to)
            route = "slide_snap"
        else:
            route = self.interpolate(to, self.moving_to)
        self.constrain(self.place(), *((10.0, 50.0) if self.outdoors() else (5.0, 20.0)))
        return route

    def on_interpolate(self, event):
        return self.interpolate(place(event), event["keep_heading"])

    def on_stop_interp(self, _):
        self.stop()

    def on_moving_to(self, event):
        self.moving_to = event["value"]

    def on_motion(self, event):
        self.forward = event["forward_command"], event["forward_speed"]
        if event["forward_command"] == RUN_FORWARD:
            self.run_rate = event["forward_speed"]

    def on_block(self, event):
        self.share = event["value"]

    def on_setpos_result(self, event):
        self.refuses = event["value"]

    def on_player_distance(self, event):
        self.player_distance = event["value"]

    def on_constrain(self, event):
        self.constrain(place(event), event["start"], event["max"])

    def on_unconstrain(self, _):
        self.tether = 0
