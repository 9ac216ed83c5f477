//! A queue of waypoints per object, laid out as a client in C++ would have it: an object per entity, managers behind virtual calls, and a
//! heap-allocated node per waypoint. It takes the same decisions about a route as the client of 2013.

use std::collections::HashMap;

use crate::{
    contestant::{Contestant, Facts, Ingests},
    traffic::{Heard, ROUND_SECS, first_wxyz, id, start},
};

/// All objects of a client, found by id.
pub struct Objects {
    numbers: HashMap<u32, usize>,
    #[expect(clippy::vec_box, reason = "each object of such a client is allocated by itself")]
    objects: Vec<Box<Object>>,
    inbox: Vec<(u32, u16, Place)>,
}

struct Object {
    place: Place,
    stamp: u16,
    /// Each may change the movement of a tick, in this order.
    managers: [Box<dyn Manager>; 2],
}

/// A cell and a frame. Places are copied as a whole, as structs of C++ are.
#[derive(Clone, Copy)]
struct Place {
    cell: u32,
    frame: Frame,
}

/// A position and a rotation, with the matrix that the rotation stands for.
#[derive(Clone, Copy)]
struct Frame {
    origin: [f32; 3],
    wxyz: [f32; 4],
    matrix: [[f32; 3]; 3],
}

/// A part of an object that may change its movement.
trait Manager {
    /// Hears of a new place.
    fn receive(&mut self, here: &Place, place: &Place);
    /// Changes the movement of a tick, which is in the axes of the object.
    fn adjust(&mut self, here: &Place, movement: &mut Frame, secs: f32);
    /// Returns a place to jump to at the end of a tick.
    fn end_tick(&mut self) -> Option<Place>;
}

impl Objects {
    pub const NAME: &'static str = "objects";

    pub fn new(entities: u32) -> Self {
        let object = |number| {
            let place = Place { cell: 0xA9B4_001C, frame: Frame::new(start(number), first_wxyz(number)) };
            let managers: [Box<dyn Manager>; 2] = [Box::new(Route::default()), Box::new(Tether::default())];
            Box::new(Object { place, stamp: 0, managers })
        };
        Self {
            numbers: (0..entities).map(|number| (id(number), number as usize)).collect(),
            objects: (0..entities).map(object).collect(),
            inbox: Vec::new(),
        }
    }
}

impl Contestant for Objects {
    fn facts(&self) -> Facts {
        Facts {
            name: Self::NAME,
            does: "Written here: the client's queue with audits and snaps, and its tether, by object, list node and virtual call.",
            does_not: "No viewpoint, animation, contact, sweep, events or list of changes, and cells are never looked at.",
            ingests: Ingests::ById,
            follows_truth: true,
        }
    }

    fn prepare(&mut self, heard: &[Heard]) {
        self.inbox.clear();
        self.inbox.extend(heard.iter().map(|heard| {
            let frame = Frame::new(heard.position, heard.wxyz);
            (heard.id, heard.nth as u16, Place { cell: 0xA9B4_001C, frame })
        }));
    }

    fn ingest(&mut self) {
        for (id, stamp, place) in &self.inbox {
            let Some(&number) = self.numbers.get(id) else { continue };
            let object = &mut self.objects[number];
            if stamp.wrapping_sub(object.stamp).cast_signed() <= 0 {
                continue;
            }
            object.stamp = *stamp;
            for manager in &mut object.managers {
                manager.receive(&object.place, place);
            }
        }
    }

    fn advance(&mut self, _: u32) {
        for object in &mut self.objects {
            object.tick(ROUND_SECS as f32);
        }
    }

    fn place(&self, number: u32) -> [f32; 3] {
        self.objects[number as usize].place.frame.origin
    }
}

impl Object {
    fn tick(&mut self, secs: f32) {
        let mut movement = Frame::new([0.0; 3], self.place.frame.wxyz);
        for manager in &mut self.managers {
            manager.adjust(&self.place, &mut movement, secs);
        }
        let origin = add(self.place.frame.origin, self.place.frame.to_global(movement.origin));
        let moved = Place { cell: self.place.cell, frame: Frame::new(origin, movement.wxyz) };
        self.place = moved;
        for manager in &mut self.managers {
            if let Some(place) = manager.end_tick() {
                self.place = place;
            }
        }
    }
}

/// Waypoints that the object has not reached, and its headway towards the oldest.
struct Route {
    head: Option<Box<Node>>,
    length: u32,
    given_up: u32,
    audit_ticks: u32,
    audit_secs: f32,
    audit_distance: f32,
}

struct Node {
    place: Place,
    next: Option<Box<Self>>,
}

/// Metres per second on a route.
const CHASE_SPEED: f32 = 8.0;
/// Metres from a waypoint at which it is reached.
const ARRIVAL: f32 = 0.05;
/// Metres from a waypoint at which a stalled object counts as arrived.
const STALLED_ARRIVAL: f32 = 0.2;
const AUDIT_TICKS: u32 = 5;
/// Part of the possible headway that an audit asks for.
const AUDIT_RATIO: f32 = 0.3;
const MAX_GIVEN_UP: u32 = 3;
const MAX_WAYPOINTS: u32 = 20;
/// An audit without an earlier distance always passes.
const FAR: f32 = 999_999.0;

impl Default for Route {
    fn default() -> Self {
        Self { head: None, length: 0, given_up: 0, audit_ticks: 0, audit_secs: 0.0, audit_distance: FAR }
    }
}

impl Route {
    fn drop_oldest(&mut self) {
        if let Some(node) = self.head.take() {
            self.head = node.next;
            self.length -= 1;
        }
        self.audit_ticks = 0;
        self.audit_secs = 0.0;
        self.audit_distance = FAR;
    }
}

impl Manager for Route {
    fn receive(&mut self, here: &Place, place: &Place) {
        if distance(here.frame.origin, place.frame.origin) <= ARRIVAL {
            while self.head.is_some() {
                self.drop_oldest();
            }
            return;
        }
        if self.length == MAX_WAYPOINTS {
            self.drop_oldest();
        }
        let mut end = &mut self.head;
        while let Some(node) = end {
            end = &mut node.next;
        }
        *end = Some(Box::new(Node { place: *place, next: None }));
        self.length += 1;
    }

    fn adjust(&mut self, here: &Place, movement: &mut Frame, secs: f32) {
        let Some(goal) = &self.head else { return };
        let to_goal = subtract(goal.place.frame.origin, here.frame.origin);
        let (left, wxyz) = (length(to_goal), goal.place.frame.wxyz);
        if left < ARRIVAL {
            self.drop_oldest();
            return;
        }
        self.audit_secs += secs;
        self.audit_ticks += 1;
        if self.audit_ticks >= AUDIT_TICKS {
            let headway = self.audit_distance - left;
            if headway >= AUDIT_RATIO * CHASE_SPEED * self.audit_secs {
                (self.audit_ticks, self.audit_secs, self.audit_distance) = (0, 0.0, left);
            } else {
                self.given_up += u32::from(left >= STALLED_ARRIVAL);
                self.drop_oldest();
                return;
            }
        }
        let reach = CHASE_SPEED * secs;
        let part = if left > reach { reach / left } else { 1.0 };
        *movement = Frame::new(here.frame.to_local(to_goal.map(|along| along * part)), wxyz);
    }

    fn end_tick(&mut self) -> Option<Place> {
        if self.given_up <= MAX_GIVEN_UP {
            return None;
        }
        self.given_up = 0;
        let mut newest = None;
        while let Some(node) = &self.head {
            newest = Some(node.place);
            self.drop_oldest();
        }
        newest
    }
}

/// The leash to the place that was heard last. It slows an object that has gone far.
#[derive(Default)]
struct Tether {
    is_armed: bool,
    gone: f32,
}

/// Metres after which a tethered object is slowed, and after which it stands.
const LEEWAY: [f32; 2] = [10.0, 50.0];

impl Manager for Tether {
    fn receive(&mut self, _: &Place, _: &Place) {
        self.is_armed = true;
        self.gone = 0.0;
    }

    fn adjust(&mut self, _: &Place, movement: &mut Frame, _: f32) {
        if !self.is_armed {
            return;
        }
        let [slow, stop] = LEEWAY;
        if self.gone > slow {
            let part = ((stop - self.gone) / (stop - slow)).max(0.0);
            movement.origin = movement.origin.map(|along| along * part);
        }
        self.gone += length(movement.origin);
    }

    fn end_tick(&mut self) -> Option<Place> {
        None
    }
}

impl Frame {
    fn new(origin: [f32; 3], wxyz: [f32; 4]) -> Self {
        let [w, x, y, z] = wxyz;
        let matrix = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ];
        Self { origin, wxyz, matrix }
    }

    fn to_global(self, v: [f32; 3]) -> [f32; 3] {
        self.matrix.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
    }

    fn to_local(self, v: [f32; 3]) -> [f32; 3] {
        let m = &self.matrix;
        [0, 1, 2].map(|column| m[0][column] * v[0] + m[1][column] * v[1] + m[2][column] * v[2])
    }
}

fn add(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn subtract(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn length(v: [f32; 3]) -> f32 {
    (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt()
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    length(subtract(a, b))
}
