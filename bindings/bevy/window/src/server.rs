//! A server that sends where its actors are, and the bad link behind it.

use std::collections::VecDeque;

use bevy::prelude::*;

/// Half the width of the floor in metres.
pub const FLOOR: f32 = 10.0;

/// Highest turn rate of an actor in radians per second.
const TURN: f32 = 1.8;

/// Something that walks from one random place to the next.
#[derive(Clone, Copy, Debug)]
pub struct Actor {
    /// Place on the floor in metres, x right and y ahead.
    pub place: Vec2,
    /// Radians, counter-clockwise from x.
    pub heading: f32,
    /// Metres per second.
    pub speed: f32,
    goal: Vec2,
}

/// The link, in seconds and updates per second.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// Updates per second.
    pub rate: f32,
    /// Shortest latency.
    pub latency: f32,
    /// Largest addition to it.
    pub jitter: f32,
    /// Part of the updates that are lost.
    pub loss: f32,
}

impl Line {
    /// Returns the time in seconds at which an update was sent. The first one has number 1, and is sent
    /// at 0.
    pub fn sent_secs(&self, number: u64) -> f32 {
        number.saturating_sub(1) as f32 / self.rate
    }
}

/// The server with all its actors.
#[derive(Resource)]
pub struct Server {
    /// The truth.
    pub actors: Vec<Actor>,
    /// The link.
    pub line: Line,
    seed: u64,
    now: f32,
    next: f32,
    number: u64,
    /// Updates under way: when they arrive, their number, and the actors at the time of sending.
    under_way: VecDeque<(f32, u64, Vec<Actor>)>,
}

impl Server {
    /// Starts a server with some actors.
    pub fn new(count: u8, line: Line) -> Self {
        let under_way = VecDeque::new();
        let mut server =
            Self { actors: Vec::new(), line, seed: 20_130_918, now: 0.0, next: 0.0, number: 0, under_way };
        for index in 0..count {
            let place = server.somewhere();
            let actor = Actor { place, heading: 0.0, speed: 1.5 + f32::from(index), goal: Vec2::ZERO };
            server.actors.push(actor);
        }
        server
    }

    /// Moves time on. Returns what arrived, with the number of each update.
    pub fn advance(&mut self, secs: f32) -> Vec<(u64, Vec<Actor>)> {
        self.now += secs;
        for index in 0..self.actors.len() {
            let fresh = self.somewhere();
            let actor = &mut self.actors[index];
            if actor.place.distance(actor.goal) < 2.0 {
                actor.goal = fresh;
            }
            let wish = (actor.goal - actor.place).to_angle();
            let turn = (wish - actor.heading + std::f32::consts::PI).rem_euclid(std::f32::consts::TAU);
            actor.heading += (turn - std::f32::consts::PI).clamp(-TURN * secs, TURN * secs);
            actor.place += Vec2::from_angle(actor.heading) * actor.speed * secs;
        }
        if self.now >= self.next {
            self.next += 1.0 / self.line.rate;
            self.number += 1;
            if self.unit() >= self.line.loss {
                let arrives = self.now + self.line.latency + self.line.jitter * self.unit();
                self.under_way.push_back((arrives, self.number, self.actors.clone()));
            }
        }
        let now = self.now;
        let (arrived, late): (Vec<_>, Vec<_>) = self.under_way.drain(..).partition(|(at, ..)| *at <= now);
        self.under_way = late.into();
        arrived.into_iter().map(|(_, number, actors)| (number, actors)).collect()
    }

    fn somewhere(&mut self) -> Vec2 {
        Vec2::new(self.unit() - 0.5, self.unit() - 0.5) * 1.6 * FLOOR
    }

    /// Returns a number from 0 to 1.
    fn unit(&mut self) -> f32 {
        // Xorshift, so that every run shows the same.
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 40) as f32 / (1u64 << 24) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn updates_bear_the_time_at_which_they_were_sent() {
        let line = Line { rate: 2.0, latency: 0.25, jitter: 0.0, loss: 0.0 };
        let mut server = Server::new(1, line);
        let frame = 1.0 / 64.0;
        let mut arrived = Vec::new();
        for number in 1..=128u8 {
            let now = f32::from(number) * frame;
            arrived.extend(server.advance(frame).into_iter().map(|(number, _)| (number, now)));
        }
        assert!(arrived.len() >= 3);
        for (number, now) in arrived {
            let way = now - line.sent_secs(number);
            assert!((way - line.latency).abs() < 3.0 * frame, "update {number} took {way} s");
        }
    }
}
