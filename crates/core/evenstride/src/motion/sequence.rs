//! The sequence of animations that a body plays, and the root motion that results.
//!
//! Links come first and are played once. The last animation is the cycle, which repeats until it is
//! replaced. Root motion is added by whole keyframes, and nothing moves between two of them. Each
//! keyframe adds its root motion, and the constant velocity and spin for the duration of one
//! keyframe.
//!
//! `playing.rs` fills a sequence, and `body/animated.rs` plays it in a step. Ground, scale and
//! routes are not known here.

use evenstride_types::{EPSILON, Pose, Vec3};

use crate::{
    config::RootMotionMode,
    motion::{animation::Animation, library::MotionLibrary, table::Clip},
    storage::{
        list::{List, Neighbours, linked},
        pool::{Pool, PoolIndex},
    },
};

/// Largest number of animations in one sequence. This is a safety bound, because the client's list
/// grows with every request.
pub(crate) const MAX_NODES: u32 = 256;

/// Largest number of animations that are finished in one step. This is a safety bound against
/// cycles of almost no length.
const MAX_PASSES: u32 = 4_096;

/// Highest rate of an animation, in keyframes per second. This is a safety bound, about three
/// hundred times the usual rate.
pub(crate) const MAX_RATE: f32 = 1e4;

/// One animation that is played now or later.
///
/// Retail: `AnimSequenceNode::AnimSequenceNode` (11.4186 @ 0x00525D30)
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Position of the animation in the library, not its number.
    pub animation: u32,
    /// Keyframes per second, negative for backward.
    pub rate: f32,
    /// First keyframe. It stays the lower one when the animation is played backward.
    pub low: i32,
    /// Last keyframe, inclusive.
    pub high: i32,
    /// Neighbours in the sequence that the node is in.
    pub neighbours: Neighbours,
}

linked!(Node);

/// The animations of one body, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "CSequence")]
pub struct Sequence {
    /// All animations. Those before `first_cyclic` are links.
    pub list: List,
    /// First animation of the cycle, which is the last of the list.
    pub first_cyclic: PoolIndex,
    /// The animation in progress, none if the list is empty.
    pub current: PoolIndex,
    /// Progress in keyframes, fractions included. It has 64 bits, as in the client, so that
    /// rounding errors stay small.
    pub frame: f64,
    /// Constant velocity that is added to keyframes, in metres per second, own axes.
    pub velocity: Vec3,
    /// Constant spin that is added to keyframes, in radians per second, own axes.
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

/// An occurrence while a sequence was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    /// A keyframe was left. Its hooks fire.
    Keyframe {
        /// Position of the animation in the library.
        animation: u32,
        /// Number of the keyframe, from 0.
        frame: i32,
        /// Whether the animation was playing forward.
        is_forward: bool,
    },
    /// An animation ended while links were still left before the cycle. Pending motions count these
    /// ends.
    Animation,
}

impl Node {
    /// Returns the node of a clip at a speed factor, or `None` if the library lacks the animation.
    ///
    /// Limits outside the animation are moved to its last keyframe.
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
        // The client compares these as unsigned, so a negative number is beyond the end.
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

    /// Returns the frame at which the animation begins, which is its end if it is played backward.
    ///
    /// Retail: `AnimSequenceNode::get_starting_frame` (11.4186 @ 0x00525C80)
    pub fn starting_frame(&self) -> f64 {
        if self.rate < 0.0 { self.past_the_end() } else { f64::from(self.low) }
    }

    /// Returns the frame at which the animation ends.
    ///
    /// Retail: `AnimSequenceNode::get_ending_frame` (11.4186 @ 0x00525CB0)
    pub fn ending_frame(&self) -> f64 {
        if self.rate < 0.0 { f64::from(self.low) } else { self.past_the_end() }
    }

    /// Returns the greatest frame that still belongs to the last keyframe.
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

    /// Returns the animation in progress.
    pub fn current(&self, nodes: &Pool<Node>) -> Option<Node> {
        nodes.get(self.current).copied()
    }

    /// Adds an animation at the end, where it becomes the cycle. Earlier ones are played once.
    ///
    /// An unknown animation is left out, and so is one beyond `MAX_NODES`.
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

    /// Removes the cycle, so that other animations can follow the links. Links that are not
    /// finished stay.
    ///
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

    /// Removes up to `count` links before the cycle, the last ones first.
    ///
    /// If the animation in progress is among them, the cycle begins at once.
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

    /// Removes all links before the cycle.
    ///
    /// Retail: `CSequence::remove_all_link_animations` (11.4186 @ 0x00524CA0)
    pub fn remove_all_links(&mut self, nodes: &mut Pool<Node>) {
        self.remove_links(nodes, u32::MAX);
    }

    /// Removes all animations. Velocity and spin stay.
    pub fn clear_animations(&mut self, nodes: &mut Pool<Node>) {
        while self.list.head.is_some() {
            self.unlink(nodes, self.list.head);
        }
        *self = Self { velocity: self.velocity, omega: self.omega, ..Self::default() };
    }

    /// Clears velocity and spin. The animations stay.
    pub const fn clear_physics(&mut self) {
        self.velocity = Vec3::ZERO;
        self.omega = Vec3::ZERO;
    }

    /// Multiplies the rate of the cycle. A negative factor also swaps its limits, but no caller
    /// passes one.
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

    /// Removes and frees one animation.
    fn unlink(&mut self, nodes: &mut Pool<Node>, link: PoolIndex) {
        self.list.remove(nodes, link);
    }

    /// Plays on for `secs` seconds, and adds the root motion to `way`. Negative seconds play
    /// backwards in time.
    ///
    /// `passed` receives every occurrence in order. A sequence without animations adds only
    /// velocity and spin. Links that are finished are removed at the end, so a long step may report
    /// more than one end.
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

    /// Returns the frame after `secs` more seconds and the root motion until then, without changing
    /// the sequence.
    ///
    /// Returns `None` unless the step is an ordinary one. The sequence is then a single cycle that is
    /// played forward. It may begin again once, and fires no hook. A sequence without animations only
    /// drifts, which is ordinary too unless it turns.
    #[inline(always)]
    pub fn stride(
        &self,
        nodes: &Pool<Node>,
        library: &MotionLibrary,
        secs: f32,
        mode: RootMotionMode,
    ) -> Option<(f64, Pose)> {
        let mut way = Pose::IDENTITY;
        if self.is_empty() {
            // In continuous mode, a turn is rounded once more.
            if self.omega != Vec3::ZERO {
                return None;
            }
            self.drift(&mut way, f64::from(secs), secs);
            return Some((self.frame, way));
        }
        let is_single = self.list.len == 1 && self.current == self.first_cyclic;
        let node = nodes.get(self.current).filter(|_| is_single)?;
        let animation = library.animation(node.animation)?;
        let rate = f64::from(node.rate);
        if !(node.rate > EPSILON && secs > 0.0) {
            return None;
        }
        let drifts = self.velocity != Vec3::ZERO || self.omega != Vec3::ZERO;
        let last = floor(self.frame);
        let mut frame = self.frame + rate * f64::from(secs);
        let ends = floor(frame) > node.high;
        let now = if ends { node.high } else { floor(frame) };
        if animation.fires_within(last..now) {
            return None;
        }
        for passed in last..now {
            match animation.root(passed) {
                // One keyframe per step is the rule, and needs no composition.
                Some(root) if passed == last && !drifts => way = *root,
                _ => self.step_over(node, library, passed, true, f64::from(secs), &mut way),
            }
        }
        if ends {
            frame = self.begin_again(node, animation, library, frame, f64::from(secs), &mut way)?;
        }
        if mode == RootMotionMode::Continuous {
            let after = self.under_way(nodes, library, frame);
            way = way.combine(&after).relative_to(&self.under_way(nodes, library, self.frame));
        }
        Some((frame, way))
    }

    /// Begins a single cycle again whose end an ordinary step has passed, and plays the rest of the
    /// step. Returns the frame after it, or `None` if the cycle would end once more.
    ///
    /// `frame` is where the step would have led without the end.
    #[inline(never)]
    fn begin_again(
        &self,
        node: &Node,
        animation: &Animation,
        library: &MotionLibrary,
        frame: f64,
        secs: f64,
        way: &mut Pose,
    ) -> Option<f64> {
        let rate = f64::from(node.rate);
        let left = (frame - f64::from(node.high) - 1.0).max(0.0) / rate;
        let start = node.starting_frame();
        self.step_over(node, library, floor(start), true, secs, way);
        let frame = start + rate * left;
        let again = floor(start)..floor(frame);
        if floor(frame) > node.high || animation.fires_within(again.clone()) {
            return None;
        }
        again.for_each(|passed| self.step_over(node, library, passed, true, left, way));
        Some(frame)
    }

    /// Advances a single cycle that moves nothing, by `secs` seconds at once.
    ///
    /// It does nothing if links are left. The result equals that of many small steps up to
    /// rounding.
    ///
    /// Retail: `CSequence::update_internal` (11.4186 @ 0x005255D0)
    pub fn idle(&mut self, nodes: &Pool<Node>, secs: f64) {
        let Some(node) = nodes.get(self.current).filter(|_| self.len() == 1 && secs > 0.0) else { return };
        let start = node.starting_frame();
        // Forward, a round ends after the last keyframe. Backward, it ends at the beginning of the
        // first.
        let length =
            if node.rate < 0.0 { start - f64::from(node.low) } else { f64::from(node.high) + 1.0 - start };
        if length <= 0.0 {
            return;
        }
        let played = (self.frame - start).abs() + f64::from(node.rate).abs() * secs;
        let part = libm::fmod(played, length);
        self.frame = if node.rate < 0.0 { start - part } else { start + part };
    }

    /// Plays the animation in progress. Returns the time in seconds that is left after its end, or
    /// `None` if the end is not reached.
    ///
    /// The direction is the sign of rate times seconds. An animation at rate 0 adds velocity and
    /// spin continuously. All others add them by whole keyframes.
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

    /// Changes to the next animation, or to the cycle after the last one.
    ///
    /// A forward animation adds the root motion of its first keyframe as it is entered. That
    /// keyframe thus counts twice in a round, and the last one never.
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

    /// Changes to the animation before, or to the last one, for time that runs backwards.
    ///
    /// The game never does that, but the client can.
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

    /// Returns the share of the next keyframe's root motion that belongs to the time already spent
    /// on that keyframe, at `frame` of the animation in progress.
    ///
    /// In continuous mode, a step adds the difference between this value after and before the step
    /// to the root motion of whole keyframes. The sum is the root motion of exactly the time of the
    /// step.
    pub fn under_way(&self, nodes: &Pool<Node>, library: &MotionLibrary, frame: f64) -> Pose {
        let Some(node) = nodes.get(self.current).filter(|node| node.rate.abs() > EPSILON) else {
            return Pose::IDENTITY;
        };
        let done = (frame - f64::from(floor(frame))) as f32;
        let is_forward = node.rate > 0.0;
        let part = if is_forward { done } else { 1.0 - done };
        let whole = self.keyframe_at(nodes, library, node, frame).copied().unwrap_or(Pose::IDENTITY);
        let scaled = Pose::IDENTITY
            .with_origin(whole.origin() * part)
            .unwrap_or(Pose::IDENTITY)
            .with_rotation(evenstride_types::Rotation::IDENTITY.blended(whole.rotation(), part));
        let mut way = if is_forward { scaled } else { Pose::IDENTITY.before(&scaled) };
        self.drift(&mut way, f64::from(part) / f64::from(node.rate), 1.0);
        way
    }

    /// Returns the velocity at this moment in metres per second, own axes.
    ///
    /// It is the sum of the present keyframe's velocity and the constant velocity. Rotation within
    /// the keyframe is ignored.
    pub fn velocity_now(&self, nodes: &Pool<Node>, library: &MotionLibrary) -> Vec3 {
        self.velocity_at(nodes, library, 0.0)
    }

    /// Returns the velocity that the sequence will have after `secs` more seconds, in metres per
    /// second, own axes. Only the next animation is looked at.
    #[inline]
    pub fn velocity_at(&self, nodes: &Pool<Node>, library: &MotionLibrary, secs: f64) -> Vec3 {
        let Some(node) = nodes.get(self.current).filter(|node| node.rate.abs() > EPSILON) else {
            return self.velocity;
        };
        let frame = self.frame + f64::from(node.rate) * secs;
        let way = self.keyframe_at(nodes, library, node, frame).map_or(Vec3::ZERO, Pose::origin);
        way * node.rate + self.velocity
    }

    /// Returns the root motion of the present keyframe.
    ///
    /// The last keyframe of an animation has no root motion of its own, because the first keyframe
    /// of the next animation follows.
    #[inline]
    fn keyframe_at<'a>(
        &self,
        nodes: &Pool<Node>,
        library: &'a MotionLibrary,
        node: &Node,
        frame: f64,
    ) -> Option<&'a Pose> {
        let frame = floor(frame);
        if node.rate < 0.0 || frame < node.high {
            return library.animation(node.animation)?.root(frame);
        }
        let next = if node.neighbours.after.is_some() { node.neighbours.after } else { self.first_cyclic };
        let next = nodes.get(next).filter(|next| next.rate > 0.0)?;
        library.animation(next.animation)?.root(floor(next.starting_frame()))
    }

    /// Adds the root motion of one keyframe, with velocity and spin for its duration.
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
                // One keyframe in a step is the rule, and needs no composition.
                true if *way == Pose::IDENTITY => *root,
                true => way.combine(root),
                false => way.before(root),
            };
        }
        if node.rate.abs() > EPSILON {
            self.drift(way, 1.0 / f64::from(node.rate), time as f32);
        }
    }

    /// Adds velocity and spin for `secs` seconds, regardless of the sign of `secs`. They are
    /// subtracted if `time` is negative.
    ///
    /// Velocity is not rotated by the spin that `way` already has, as in the client.
    ///
    /// Retail: `CSequence::apply_physics` (11.4186 @ 0x00524AB0)
    fn drift(&self, way: &mut Pose, secs: f64, time: f32) {
        let secs = if time < 0.0 { -secs.abs() } else { secs.abs() };
        if self.velocity != Vec3::ZERO {
            let moved = (way.origin().as_dvec3() + self.velocity.as_dvec3() * secs).as_vec3();
            // An offset that is out of bounds is ignored.
            *way = way.with_origin(moved).unwrap_or(*way);
        }
        if self.omega != Vec3::ZERO {
            *way = way.spun_locally((self.omega.as_dvec3() * secs).as_vec3());
        }
    }

    /// Removes links that are finished from the front.
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

/// Returns the keyframe that a frame belongs to.
#[inline]
fn floor(frame: f64) -> i32 {
    let whole = frame as i32;
    // A frame below the range of `i32` stays at its lowest value.
    if f64::from(whole) > frame { whole.saturating_sub(1) } else { whole }
}
