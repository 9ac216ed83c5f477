"""The queue of waypoints of a remote body, oldest first."""

from space import EPSILON, distance, heading_of, length, relative, scale, with_heading

RUN_FORWARD = 0x44000007
NO_DISTANCE = 999999.0


class Waypoints:
    """The part of a body that walks from waypoint to waypoint."""

    def stop(self):
        self.queue, self.fail, self.fc, self.pq, self.od = [], 0, 0, 0.0, NO_DISTANCE

    def interpolate(self, to, keep):
        own = (to[0], to[1], with_heading(to[2], heading_of(self.quat)))
        reference = self.queue[-1] if self.queue else self.place()
        if distance(reference, to) > (100.0 if self.outdoors() else 20.0):
            self.queue.append(own if self.kh else to)
            self.fail = 4
            return "interp_far_enqueue"
        if distance(self.place(), to) <= 0.05:
            if not keep:
                self.quat = with_heading(self.quat, heading_of(to[2]))
            self.stop()
            return "interp_close_snap"
        while self.queue and distance(self.queue[-1], to) < 0.05:
            self.queue.pop()
        while len(self.queue) >= 20:
            self.queue.pop(0)
        self.kh = keep
        self.queue.append(own if keep else to)
        return "interp_enqueue"

    def complete(self, success):
        self.fc, self.pq = 0, 0.0
        done = self.queue.pop(0) if self.queue else None
        if self.queue:
            self.od = distance(self.place(), self.queue[0])
        elif success:
            self.stop()
        else:
            self.od, self.given_up = NO_DISTANCE, done

    def chase(self, q):
        """Returns the step towards the oldest waypoint, or None."""
        if not self.queue:
            return None
        left = distance(self.place(), self.queue[0])
        if left < 0.05:
            return self.complete(True)
        command, speed = self.forward
        rate = self.s["inq_run_rate"] if self.s["inq_run_rate"] is not None else self.run_rate
        rate = rate if self.s["weenie"] else 1.0
        speed = 2 * 4.0 * (speed / self.s["speed_factor"] if command == RUN_FORWARD else rate)
        speed = 7.5 if speed < EPSILON else speed
        self.pq += q
        self.fc += 1
        if self.fc >= 5:
            progress = self.od - left
            if progress >= EPSILON and progress / self.pq / speed >= 0.3:
                self.fc, self.pq, self.od = 0, 0.0, left
            else:
                self.fail += left >= 0.2
                return self.complete(left < 0.2)
        origin, turn = relative(self.queue[0], self.place())
        size = length(origin)
        if size <= 0.05:
            self.complete(True)
        if size > speed * q:
            origin = scale(origin, speed * q / size)
        return origin, with_heading(turn, 0) if self.kh else turn

    def recover(self):
        if self.fail > 3 or (not self.queue and self.fail > 0):
            if self.put(self.queue[-1] if self.queue else self.given_up):
                self.stop()
