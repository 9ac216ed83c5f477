//! The animations a body plays one after the other, and the way its root makes meanwhile.
//!
//! Motion comes in lumps: nothing between two keyframes, and at each of them where the animation carries the root, and the constant
//! velocity and spin for as long as a keyframe lasts.

use evenstride_types::{EPSILON, Pose, Vec3};

use crate::{
    motion::{library::MotionLibrary, table::Clip},
    storage::{
        list::{List, Neighbours, linked},
        pool::{Pool, PoolIndex},
    },
};

/// Most animations in one sequence. A safety bound: the client's list grows with every request.
pub(crate) const MAX_NODES: u32 = 256;

/// Most animations that are finished in one step. A safety bound.
const MAX_PASSES: u32 = 4_096;

/// Fastest an animation is played, in keyframes a second: three hundred times the usual. A safety bound.
pub(crate) const MAX_RATE: f32 = 1e4;

/// One animation that is played, or will be.
///
/// Retail: `AnimSequenceNode::AnimSequenceNode` (11.4186 @ 0x00525D30)
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Where it lies in the library.
    pub animation: u32,
    /// Keyframes a second; backward if negative.
    pub rate: f32,
    pub low: i32,
    pub high: i32,
    pub neighbours: Neighbours,
}

linked!(Node);

/// What is played.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "CSequence")]
pub struct Sequence {
    pub list: List,
    /// From here on it goes round.
    pub first_cyclic: PoolIndex,
    pub current: PoolIndex,
    pub frame: f64,
    pub velocity: Vec3,
    pub omega: Vec3,
}

impl Default for Sequence {
    fn default() -> Self {
        Self {
            list: List::default(),
            first_cyclic: PoolIndex::NONE,
            current: PoolIndex::NONE,
            frame: 0.0,
            velocity: Vec3::ZERO,
            omega: Vec3::ZERO,
        }
    }
}

/// Something that came by while a sequence was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    /// A keyframe was left.
    Keyframe {
        /// Where the animation lies in the library.
        animation: u32,
        frame: i32,
        is_forward: bool,
    },
    /// An animation before the one that goes round was finished.
    Animation,
}

impl Node {
    /// The stretch of an animation that a clip names, as far as there is one.
    ///
    /// Retail: `AnimSequenceNode::set_animation_id` (11.4186 @ 0x00525D60)
    fn of(clip: &Clip, speed: f32, library: &MotionLibrary) -> Option<Self> {
        let animation = library.find(clip.animation)?;
        let frames = library.animation(animation)?.frames();
        let last = frames as i32 - 1;
        let (mut low, mut high) = (clip.low, clip.high);
        if high < 0 {
            high = last;
        }
        // The client compares these as unsigned: whatever is negative is beyond the end.
        if low as u32 >= frames {
            low = last;
        }
        if high as u32 >= frames {
            high = last;
        }
        if low > high {
            high = low;
        }
        let rate = clip.rate * speed;
        let rate = if rate.is_nan() { 0.0 } else { rate.clamp(-MAX_RATE, MAX_RATE) };
        Some(Self { animation, rate, low, high, neighbours: Neighbours::NONE })
    }

    /// Retail: `AnimSequenceNode::get_starting_frame` (11.4186 @ 0x00525C80)
    pub fn starting_frame(&self) -> f64 {
        if self.rate < 0.0 { self.past_the_end() } else { f64::from(self.low) }
    }

    /// Retail: `AnimSequenceNode::get_ending_frame` (11.4186 @ 0x00525CB0)
    pub fn ending_frame(&self) -> f64 {
        if self.rate < 0.0 { f64::from(self.low) } else { self.past_the_end() }
    }

    fn past_the_end(&self) -> f64 {
        f64::from(self.high) + 1.0 - f64::from(EPSILON)
    }
}

impl Sequence {
    pub const fn len(&self) -> u32 {
        self.list.len()
    }

    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// What is being played.
    pub fn current(&self, nodes: &Pool<Node>) -> Option<Node> {
        nodes.get(self.current).copied()
    }

    /// Adds an animation at the end, which is the cycle from then on. An unknown animation is left out.
    ///
    /// Retail: `CSequence::append_animation` (11.4186 @ 0x00525510)
    pub fn append(&mut self, nodes: &mut Pool<Node>, library: &MotionLibrary, clip: &Clip, speed: f32) {
        let Some(node) = Node::of(clip, speed, library) else { return };
        if self.len() >= MAX_NODES {
            return;
        }
        self.first_cyclic = self.list.push_back(nodes, node);
        if !self.current.is_some() {
            self.current = self.list.head;
            self.frame = nodes.get(self.list.head).map_or(0.0, Node::starting_frame);
        }
    }

    /// Retail: `CSequence::remove_cyclic_anims` (11.4186 @ 0x00524E40)
    pub fn remove_cyclic(&mut self, nodes: &mut Pool<Node>) {
        let mut link = self.first_cyclic;
        while let Some(node) = nodes.get(link).copied() {
            let Neighbours { before, after } = node.neighbours;
            if link == self.current {
                self.current = before;
                self.frame = nodes.get(before).map_or(0.0, Node::ending_frame);
            }
            self.unlink(nodes, link);
            link = after;
        }
        self.first_cyclic = self.list.tail;
    }

    /// Takes out up to so many animations before the one that goes round.
    ///
    /// Retail: `CSequence::remove_link_animations` (11.4186 @ 0x00524BE0)
    pub fn remove_links(&mut self, nodes: &mut Pool<Node>, count: u32) {
        for _ in 0..count {
            let Some(first) = nodes.get(self.first_cyclic).copied() else { return };
            if !first.neighbours.before.is_some() {
                return;
            }
            if first.neighbours.before == self.current {
                self.current = self.first_cyclic;
                self.frame = first.starting_frame();
            }
            self.unlink(nodes, first.neighbours.before);
        }
    }

    /// Retail: `CSequence::remove_all_link_animations` (11.4186 @ 0x00524CA0)
    pub fn remove_all_links(&mut self, nodes: &mut Pool<Node>) {
        self.remove_links(nodes, u32::MAX);
    }

    /// Plays nothing. Velocity and spin stay.
    pub fn clear_animations(&mut self, nodes: &mut Pool<Node>) {
        while self.list.head.is_some() {
            self.unlink(nodes, self.list.head);
        }
        *self = Self { velocity: self.velocity, omega: self.omega, ..Self::default() };
    }

    pub const fn clear_physics(&mut self) {
        self.velocity = Vec3::ZERO;
        self.omega = Vec3::ZERO;
    }

    /// Plays what goes round so many times as fast.
    ///
    /// Retail: `AnimSequenceNode::multiply_framerate` (11.4186 @ 0x00525BE0)
    pub fn multiply_cyclic(&self, nodes: &mut Pool<Node>, by: f32) {
        let mut link = self.first_cyclic;
        while let Some(node) = nodes.get_mut(link) {
            if by < 0.0 {
                core::mem::swap(&mut node.low, &mut node.high);
            }
            let rate = node.rate * by;
            node.rate = if rate.is_nan() { 0.0 } else { rate.clamp(-MAX_RATE, MAX_RATE) };
            link = node.neighbours.after;
        }
    }

    fn unlink(&mut self, nodes: &mut Pool<Node>, link: PoolIndex) {
        self.list.remove(nodes, link);
    }

    /// Plays on, and adds to `way` where that carries the root. Negative seconds play backwards in time.
    ///
    /// Retail: `CSequence::update` (11.4186 @ 0x00525B80)
    pub fn play(
        &mut self,
        nodes: &mut Pool<Node>,
        library: &MotionLibrary,
        secs: f32,
        way: &mut Pose,
        passed: &mut impl FnMut(Passed),
    ) {
        if self.is_empty() {
            self.drift(way, f64::from(secs), secs);
            return;
        }
        let mut left = f64::from(secs);
        for _ in 0..MAX_PASSES {
            match self.pass(nodes, library, left, way, passed) {
                Some(after) => left = after,
                None => break,
            }
        }
        self.drop_played(nodes);
    }

    /// Plays a single animation round and round that moves nothing, for this many seconds at once.
    ///
    /// Retail: `CSequence::update_internal` (11.4186 @ 0x005255D0)
    pub fn idle(&mut self, nodes: &Pool<Node>, secs: f64) {
        let Some(node) = nodes.get(self.current).filter(|_| self.len() == 1 && secs > 0.0) else { return };
        let start = node.starting_frame();
        // Forwards it is over with the end of the last keyframe, backwards with the beginning of the first.
        let length =
            if node.rate < 0.0 { start - f64::from(node.low) } else { f64::from(node.high) + 1.0 - start };
        if length <= 0.0 {
            return;
        }
        let played = (self.frame - start).abs() + f64::from(node.rate).abs() * secs;
        let part = libm::fmod(played, length);
        self.frame = if node.rate < 0.0 { start - part } else { start + part };
    }

    /// Plays the current animation on; if it comes to its end, answers the time that is left.
    ///
    /// Retail: `CSequence::update_internal` (11.4186 @ 0x005255D0)
    fn pass(
        &mut self,
        nodes: &Pool<Node>,
        library: &MotionLibrary,
        secs: f64,
        way: &mut Pose,
        passed: &mut impl FnMut(Passed),
    ) -> Option<f64> {
        let node = *nodes.get(self.current)?;
        let rate = f64::from(node.rate);
        let advance = rate * secs;
        let mut last = floor(self.frame);
        self.frame += advance;
        let mut after = None;
        let is_moving = rate.abs() > f64::from(EPSILON);
        if advance > 0.0 {
            let high = f64::from(node.high);
            if floor(self.frame) > node.high {
                let excess = (self.frame - high - 1.0).max(0.0);
                after = Some(if is_moving { excess / rate } else { 0.0 });
                self.frame = high;
            }
            let now = floor(self.frame);
            while now > last {
                self.step_over(&node, library, last, true, secs, way);
                passed(Passed::Keyframe { animation: node.animation, frame: last, is_forward: true });
                last += 1;
            }
        } else if advance < 0.0 {
            let low = f64::from(node.low);
            if floor(self.frame) < node.low {
                let deficit = (self.frame - low).min(0.0);
                after = Some(if is_moving { deficit / rate } else { 0.0 });
                self.frame = low;
            }
            let now = floor(self.frame);
            while now < last {
                self.step_over(&node, library, last, false, secs, way);
                passed(Passed::Keyframe { animation: node.animation, frame: last, is_forward: false });
                last -= 1;
            }
        } else {
            if secs.abs() > f64::from(EPSILON) {
                self.drift(way, secs, secs as f32);
            }
            return None;
        }
        if after.is_some() {
            if self.list.head != self.first_cyclic {
                passed(Passed::Animation);
            }
            if secs < 0.0 {
                self.go_back(nodes, library, &node, secs, way);
            } else {
                self.go_on(nodes, library, &node, secs, way);
            }
        }
        after
    }

    /// To the next animation, or round again.
    ///
    /// Retail: `CSequence::advance_to_next_animation` (11.4186 @ 0x005252B0)
    fn go_on(&mut self, nodes: &Pool<Node>, library: &MotionLibrary, node: &Node, secs: f64, way: &mut Pose) {
        if node.rate < 0.0 {
            self.step_over(node, library, floor(self.frame), false, secs, way);
        }
        self.current =
            if node.neighbours.after.is_some() { node.neighbours.after } else { self.first_cyclic };
        let Some(next) = nodes.get(self.current).copied() else { return };
        self.frame = next.starting_frame();
        if next.rate > 0.0 {
            self.step_over(&next, library, floor(self.frame), true, secs, way);
        }
    }

    /// To the animation before, or to the last one: time runs backwards. The game never does that, but the client can.
    ///
    /// Retail: `CSequence::advance_to_next_animation` (11.4186 @ 0x005252B0)
    #[cold]
    fn go_back(
        &mut self,
        nodes: &Pool<Node>,
        library: &MotionLibrary,
        node: &Node,
        secs: f64,
        way: &mut Pose,
    ) {
        if node.rate >= 0.0 {
            self.step_over(node, library, floor(self.frame), false, secs, way);
        }
        self.current = if node.neighbours.before.is_some() { node.neighbours.before } else { self.list.tail };
        let Some(before) = nodes.get(self.current).copied() else { return };
        self.frame = before.ending_frame();
        if before.rate < 0.0 {
            self.step_over(&before, library, floor(self.frame), true, secs, way);
        }
    }

    /// How far it is on its way to the next keyframe: the part of that keyframe's way that its part of the time makes. Whatever is played, the way
    /// of whole keyframes and the difference of this before and after is the way of the time between.
    pub fn under_way(&self, nodes: &Pool<Node>, library: &MotionLibrary) -> Pose {
        let Some(node) = nodes.get(self.current).filter(|node| node.rate.abs() > EPSILON) else {
            return Pose::IDENTITY;
        };
        let root = |node: &Node, frame: i32| {
            library.animation(node.animation).and_then(|animation| animation.root(frame)).copied()
        };
        let frame = floor(self.frame);
        let done = (self.frame - f64::from(frame)) as f32;
        let is_forward = node.rate > 0.0;
        let part = if is_forward { done } else { 1.0 - done };
        // The last keyframe of an animation has no way of its own: after it comes the first of the next one.
        let whole = if is_forward && frame >= node.high {
            let next = nodes.get(if node.neighbours.after.is_some() {
                node.neighbours.after
            } else {
                self.first_cyclic
            });
            next.filter(|next| next.rate > 0.0).and_then(|next| root(next, floor(next.starting_frame())))
        } else {
            root(node, frame)
        };
        let whole = whole.unwrap_or(Pose::IDENTITY);
        let scaled = Pose::IDENTITY
            .with_origin(whole.origin() * part)
            .unwrap_or(Pose::IDENTITY)
            .with_rotation(evenstride_types::Rotation::IDENTITY.blended(whole.rotation(), part));
        let mut way = if is_forward { scaled } else { Pose::IDENTITY.before(&scaled) };
        self.drift(&mut way, f64::from(part) / f64::from(node.rate), 1.0);
        way
    }

    /// Adds what lies between a keyframe and the next.
    fn step_over(
        &self,
        node: &Node,
        library: &MotionLibrary,
        frame: i32,
        is_forward: bool,
        time: f64,
        way: &mut Pose,
    ) {
        if let Some(root) = library.animation(node.animation).and_then(|animation| animation.root(frame)) {
            *way = match is_forward {
                // One keyframe in a step is the rule: there is nothing to combine it with.
                true if *way == Pose::IDENTITY => *root,
                true => way.combine(root),
                false => way.before(root),
            };
        }
        if node.rate.abs() > EPSILON {
            self.drift(way, 1.0 / f64::from(node.rate), time as f32);
        }
    }

    /// Adds velocity and spin for this many seconds, whatever their sign; backwards if `time` runs backwards.
    ///
    /// Retail: `CSequence::apply_physics` (11.4186 @ 0x00524AB0)
    fn drift(&self, way: &mut Pose, secs: f64, time: f32) {
        let secs = if time < 0.0 { -secs.abs() } else { secs.abs() };
        if self.velocity != Vec3::ZERO {
            let moved = (way.origin().as_dvec3() + self.velocity.as_dvec3() * secs).as_vec3();
            // A way that leaves all bounds is none.
            *way = way.with_origin(moved).unwrap_or(*way);
        }
        if self.omega != Vec3::ZERO {
            *way = way.spun_locally((self.omega.as_dvec3() * secs).as_vec3());
        }
    }

    /// Forgets what was played and does not come round again.
    ///
    /// Retail: `CSequence::apricot` (11.4186 @ 0x00524B40)
    fn drop_played(&mut self, nodes: &mut Pool<Node>) {
        while self.list.head.is_some()
            && self.list.head != self.current
            && self.list.head != self.first_cyclic
        {
            self.unlink(nodes, self.list.head);
        }
    }
}

/// The keyframe that a frame number belongs to.
#[inline]
fn floor(frame: f64) -> i32 {
    let whole = frame as i32;
    // A frame beyond all numbers of frames is below the lowest of them.
    if f64::from(whole) > frame { whole.saturating_sub(1) } else { whole }
}
