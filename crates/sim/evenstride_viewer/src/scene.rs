//! All bodies at any time, with the beads of their paths.

use std::{collections::VecDeque, sync::Arc};

use evenstride::MovedBy;
use evenstride_replay::{Continued, ReplayObserver, ReplayOptions, Script, Scrubber};
use evenstride_types::{DVec3, EntityId};
use serde_json::{Value, json};

use crate::{method::Method, rival_playback::RivalPlayback, state, viewed_script::ViewedScript};

/// Number of values per body: x, y and z in metres, heading in degrees, height of the ground, radius and
/// height of the body in metres, and flags.
pub const BODY_VALUES: usize = 8;

/// The body is invisible.
pub const FLAG_HIDDEN: u8 = 1;

/// The body is in the air.
pub const FLAG_AIRBORNE: u8 = 2;

/// Seconds between two beads.
pub const BEAD_SECS: f64 = 0.1;

/// Largest number of beads.
const MAX_BEADS: usize = 41;

/// All bodies of one method at one time.
#[derive(Debug)]
pub struct Scene {
    viewed: Arc<ViewedScript>,
    player: Player,
    /// Values of each body, NaN for those that are not there.
    bodies: Vec<f32>,
    /// Time of each bead, and the place of each body then.
    beads: VecDeque<(f64, Vec<f32>)>,
    spare: Vec<Vec<f32>>,
    target: f64,
    /// Number of frames that were played.
    pub frames_played: u64,
    /// Whether it draws the recording itself and not a changed one.
    is_recorded: bool,
}

#[derive(Debug)]
enum Player {
    World(Box<Scrubber<Arc<Script>>>),
    Rival(Box<RivalPlayback>),
}

impl Scene {
    /// Prepares the bodies that a method draws of a script. The script is that of `viewed`, or a changed
    /// one. Returns `None` for a script without messages.
    pub fn new(viewed: Arc<ViewedScript>, script: Arc<Script>, method: &Method, fps: f64) -> Option<Self> {
        let is_recorded = Arc::ptr_eq(&script, &viewed.script);
        let player = match method {
            Method::Profile(_, config) => {
                let library = viewed.library.clone();
                let options = ReplayOptions { config: **config, fps, library, ..ReplayOptions::default() };
                Player::World(Box::new(Scrubber::new(script, options)?))
            }
            Method::Rival(_) | Method::Drawn(_) => {
                let entities = viewed.entities.iter().map(|of| of.entity).collect();
                Player::Rival(Box::new(RivalPlayback::new(script, method, fps, entities, false)?))
            }
        };
        let bodies = vec![f32::NAN; viewed.entities.len() * BODY_VALUES];
        let mut scene = Self {
            viewed,
            player,
            bodies,
            beads: VecDeque::new(),
            spare: Vec::new(),
            target: f64::NEG_INFINITY,
            frames_played: 0,
            is_recorded,
        };
        if scene.viewed.is_growing && is_recorded {
            let viewed = Arc::clone(&scene.viewed);
            scene.resume(viewed);
        }
        scene.begin();
        Some(scene)
    }

    fn begin(&mut self) {
        self.clear_beads();
        let _ = self.advance();
        self.add_bead();
        self.draw();
    }

    /// Lets go of the recording, so that it can be changed.
    pub fn release(&mut self) {
        self.viewed = Arc::new(ViewedScript::nothing());
        match &mut self.player {
            _ if !self.is_recorded => {}
            Player::World(scrubber) => scrubber.release_script(),
            Player::Rival(rival) => rival.release_script(),
        }
    }

    /// Takes the recording back after [`Self::release`], and goes on with what has come. A scene of a
    /// changed recording stays as it is.
    pub fn resume(&mut self, viewed: Arc<ViewedScript>) {
        let count = viewed.entities.len();
        self.viewed = viewed;
        self.bodies.resize(count * BODY_VALUES, f32::NAN);
        self.beads.iter_mut().for_each(|(_, places)| places.resize(count * 3, f32::NAN));
        if !self.is_recorded {
            return;
        }
        let (script, until) = (Arc::clone(&self.viewed.script), self.viewed.range.1);
        let continued = match &mut self.player {
            Player::World(scrubber) => scrubber.go_on_with(script, Some(until)),
            Player::Rival(rival) => {
                let entities = self.viewed.entities.iter().map(|of| of.entity).collect();
                rival.go_on_with(script, until, entities);
                Continued::GoesOn
            }
        };
        if continued == Continued::BeginsAgain {
            self.begin();
        }
    }

    /// Goes towards the last frame that is not later than `time`, by at most `max_frames` frames. Returns
    /// whether it is reached. The bodies are those of that frame then, and else those of before.
    pub fn seek(&mut self, time: f64, max_frames: u32) -> bool {
        let (start, end) = self.span();
        let time = if time.is_nan() { start } else { time.max(start).min(end) };
        let has_beads = self.beads.back().is_some_and(|(last, _)| *last <= time && time - last < 1.0);
        if !has_beads || time < self.time() {
            // Beads are made while frames are played, so it begins some seconds earlier.
            if self.target != time || time < self.time() {
                self.clear_beads();
                self.approach(time - BEAD_SECS * MAX_BEADS as f64);
                if time - self.time() <= BEAD_SECS * MAX_BEADS as f64 {
                    self.add_bead();
                }
            }
        }
        self.target = time;
        let mut left = max_frames;
        while self.next_time().is_some_and(|next| next <= time + 1e-9) {
            if left == 0 {
                return false;
            }
            left -= 1;
            if !self.advance() {
                break;
            }
            if time - self.time() <= BEAD_SECS * MAX_BEADS as f64 {
                self.add_bead();
            }
        }
        self.draw();
        true
    }

    /// Returns the values of all bodies, [`BODY_VALUES`] each.
    pub fn bodies(&self) -> &[f32] {
        &self.bodies
    }

    /// Returns the times of the beads in seconds, and the places of all bodies then, oldest first.
    pub fn beads(&self) -> impl ExactSizeIterator<Item = (f64, &[f32])> {
        self.beads.iter().map(|(time, places)| (*time, places.as_slice()))
    }

    /// Returns the time of the present frame in seconds.
    pub fn time(&self) -> f64 {
        match &self.player {
            Player::World(scrubber) => scrubber.playback().time(),
            Player::Rival(rival) => rival.time(),
        }
    }

    /// Returns the times in seconds between which frames lie.
    pub fn span(&self) -> (f64, f64) {
        match &self.player {
            Player::World(scrubber) => scrubber.playback().span(),
            Player::Rival(rival) => rival.span(),
        }
    }

    /// Returns what a body is doing and where it is going, as JSON. Rivals tell nothing of it.
    pub fn state(&self, entity: EntityId) -> Value {
        match &self.player {
            Player::World(scrubber) => state::of(&scrubber.playback().frame(), entity, &self.viewed),
            Player::Rival(_) => json!({}),
        }
    }

    /// Returns the hash of the world's state, or `None` for a rival.
    pub fn state_hash(&self) -> Option<u64> {
        match &self.player {
            Player::World(scrubber) => Some(scrubber.playback().world().state_hash()),
            Player::Rival(_) => None,
        }
    }

    fn next_time(&self) -> Option<f64> {
        match &self.player {
            Player::World(scrubber) => scrubber.playback().next_time(),
            Player::Rival(rival) => rival.next_time(),
        }
    }

    fn advance(&mut self) -> bool {
        self.frames_played += 1;
        match &mut self.player {
            Player::World(scrubber) => scrubber.advance_frame(&mut no_observer()),
            Player::Rival(rival) => rival.advance(),
        }
    }

    /// Goes to the key frame before a time, unless playing on from the present frame is shorter.
    fn approach(&mut self, time: f64) {
        match &mut self.player {
            Player::World(scrubber) => {
                let nearest = scrubber.key_frames().take_while(|of| *of <= time).last();
                let nearest = nearest.unwrap_or_else(|| scrubber.playback().span().0);
                let now = scrubber.playback().time();
                if now > time || now < nearest {
                    scrubber.seek(nearest, &mut no_observer());
                }
            }
            Player::Rival(rival) => rival.approach(time),
        }
    }

    fn clear_beads(&mut self) {
        self.spare.extend(self.beads.drain(..).map(|(_, places)| places));
    }

    /// Adds a bead if one is due.
    fn add_bead(&mut self) {
        let (time, start) = (self.time(), self.span().0);
        let number = |time: f64| ((time - start) / BEAD_SECS + 1e-6).floor();
        if self.beads.back().is_some_and(|(last, _)| number(*last) >= number(time)) {
            return;
        }
        if self.beads.len() == MAX_BEADS
            && let Some((_, oldest)) = self.beads.pop_front()
        {
            self.spare.push(oldest);
        }
        let mut places = self.spare.pop().unwrap_or_default();
        places.clear();
        places.resize(self.viewed.entities.len() * 3, f32::NAN);
        self.each_drawn(|index, at, _, _| {
            places[3 * index..][..3].copy_from_slice(&at.as_vec3().to_array());
        });
        self.beads.push_back((time, places));
    }

    fn draw(&mut self) {
        let mut bodies = std::mem::take(&mut self.bodies);
        bodies.fill(f32::NAN);
        let time = self.time();
        self.each_drawn(|index, at, heading, is_hidden| {
            let of = &self.viewed.entities[index];
            let [mut radius, mut height] = [0.0; 2];
            let mut is_airborne = of.flies(time);
            if let Player::World(scrubber) = &self.player
                && let Some(body) = scrubber.playback().world().get(of.entity)
            {
                let view = body.view();
                (radius, height) = (view.radius, view.height);
                is_airborne = !view.in_contact && view.moved_by == MovedBy::Flight;
            }
            let ground = of.ground(time).filter(|_| is_airborne).map_or(at.z, |ground| ground.min(at.z));
            let flags = if is_hidden { FLAG_HIDDEN } else { 0 } | if is_airborne { FLAG_AIRBORNE } else { 0 };
            let [x, y, z] = at.as_vec3().to_array();
            let values = [x, y, z, heading, ground as f32, radius, height, f32::from(flags)];
            bodies[BODY_VALUES * index..][..BODY_VALUES].copy_from_slice(&values);
        });
        self.bodies = bodies;
    }

    /// Calls `each` with index, place, heading and whether it is hidden, for every body that is drawn.
    fn each_drawn(&self, mut each: impl FnMut(usize, DVec3, f32, bool)) {
        match &self.player {
            Player::World(scrubber) => {
                let frame = scrubber.playback().frame();
                frame.world.drawn_each(frame.now, |body| {
                    if let Some(index) = self.viewed.index(body.entity) {
                        let heading = body.place.pose.heading().degrees();
                        each(index, self.viewed.metres(&body.place), heading, body.is_hidden);
                    }
                });
            }
            Player::Rival(rival) => {
                for (index, drawn) in rival.drawn(self.viewed.origin).enumerate() {
                    if let Some((at, heading)) = drawn {
                        each(index, at, heading, false);
                    }
                }
            }
        }
    }
}

/// Returns an observer of nothing. All replays of this crate share the type of their observer, so that the
/// replay loop is compiled once. An observer without fields takes no memory, so this allocates nothing.
fn no_observer() -> &'static mut dyn ReplayObserver {
    Box::leak(Box::new(()))
}
