//! The player of motions, which turns commands into animations according to a motion table.
//!
//! It owns the sequence of a body, its stance and posture, and the queue of motions that wait for
//! animations to end. It does not know whether a body may do a motion. `interpreter/` decides that,
//! and keeps a parallel queue of its own. Commands come from the interpreter. Data comes from the
//! table and the library.

use evenstride_types::{EPSILON, update::MotionCommand};

use crate::{
    motion::{
        items::{Item, take_motion},
        library::MotionLibrary,
        sequence::{Node, Sequence},
        table::{Motion, MotionTable},
    },
    storage::{list::List, pool::Pool},
};

/// Largest depth at which motions restore other motions. This is a safety bound, because the client
/// recurses without end if two cycles restore each other.
const MAX_DEPTH: u32 = 8;

/// Largest number of motions that wait for their animations. This is a safety bound.
const MAX_PENDING: u32 = 256;

/// Largest number of actions in progress that are remembered. This is a safety bound.
const MAX_ACTIONS: u32 = 64;

/// The parts of a world that all animators share, as one argument.
pub struct Shared<'a> {
    /// Source of the animations that clips name.
    pub library: &'a MotionLibrary,
    /// Motion table of the body at work.
    pub table: &'a MotionTable,
    /// Pool of the animations of all sequences.
    pub nodes: &'a mut Pool<Node>,
    /// Pool of the entries of all queues.
    pub items: &'a mut Pool<Item>,
}

/// Stance, posture and modifiers of a body, as its motion table knows them.
///
/// Retail: `MotionState::MotionState` (11.4186 @ 0x00525FD0)
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionState {
    /// Stance. It is 0 until the default state is set. Every motion is refused until then.
    pub style: MotionCommand,
    /// The motion of the repeating cycle. It is 0 until the default state is set.
    pub substate: MotionCommand,
    /// Speed factor of that motion (default: 1).
    pub speed: f32,
    /// Motions on top of the cycle, newest first. They add velocity and spin but no animation.
    pub modifiers: List,
    /// Actions in progress, oldest first.
    pub actions: List,
}

/// The animations in progress, and the motions that wait for them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "MotionTableManager")]
#[repr(C)]
pub struct MotionPlayer {
    /// The animations, in order, and their constant velocity and spin.
    pub sequence: Sequence,
    /// Motions that are not done, oldest first. The number of an entry is the number of animations
    /// that must end first.
    pub pending: List,
    /// Number of ended animations that are not yet attributed to a motion.
    pub ended: i32,
    /// Stance, posture and modifiers at the end of all queued animations.
    pub posture: MotionState,
}

impl Default for MotionPlayer {
    fn default() -> Self {
        let none = MotionCommand(0);
        Self {
            sequence: Sequence::default(),
            posture: MotionState {
                style: none,
                substate: none,
                speed: 1.0,
                modifiers: List::default(),
                actions: List::default(),
            },
            pending: List::default(),
            ended: 0,
        }
    }
}

/// The table has no such motion in the present stance and posture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoMotion;

impl MotionPlayer {
    /// Begins a motion at a speed factor, and queues it as pending. A refused motion is not queued.
    ///
    /// Retail: `MotionTableManager::PerformMovement` (11.4186 @ 0x0051C0B0)
    pub fn begin(
        &mut self,
        shared: &mut Shared<'_>,
        motion: MotionCommand,
        speed: f32,
    ) -> Result<(), NoMotion> {
        let count = self.choose(shared, motion, speed, false, 0)?;
        self.wait_for(shared, motion, count);
        Ok(())
    }

    /// Ends a motion, and queues a pending return to ready. Returns an error if the motion is not
    /// being done.
    pub fn end(&mut self, shared: &mut Shared<'_>, motion: MotionCommand) -> Result<(), NoMotion> {
        let count = self.stop(shared, motion, 0)?;
        self.wait_for(shared, MotionCommand::READY, count);
        Ok(())
    }

    /// Ends all modifiers and the present motion. A pending return to ready is queued in any case.
    ///
    /// Retail: `CMotionTable::StopObjectCompletely` (11.4186 @ 0x00523ED0)
    pub fn end_all(&mut self, shared: &mut Shared<'_>) {
        let mut count = 0;
        // One attempt for each modifier. Otherwise a modifier without data would be tried forever.
        for _ in 0..self.posture.modifiers.len() {
            let Some(newest) = self.posture.modifiers.front(shared.items) else { break };
            if let Ok(stopped) = self.stop(shared, newest.motion, 0) {
                count = stopped;
            }
        }
        if let Ok(stopped) = self.stop(shared, self.posture.substate, 0) {
            count = stopped;
        }
        self.wait_for(shared, MotionCommand::READY, count);
    }

    /// Starts from the default stance and posture of the table. All earlier animations are dropped.
    ///
    /// Retail: `MotionTableManager::initialize_state` (11.4186 @ 0x0051C030)
    pub fn initialize(&mut self, shared: &mut Shared<'_>) {
        let count = self.set_default(shared).unwrap_or(0);
        self.wait_for(shared, MotionCommand::READY, count);
    }

    /// Sets the default state. Returns the number of animations to wait for, or `None` if the table
    /// has no such cycle.
    ///
    /// For a cycle without animations, that number is 0 minus 1, which wraps around as in the
    /// client.
    ///
    /// Retail: `CMotionTable::SetDefaultState` (11.4186 @ 0x005230A0)
    fn set_default(&mut self, shared: &mut Shared<'_>) -> Option<u32> {
        let style = shared.table.default_style();
        let substate = shared.table.style_default(style)?;
        self.posture.modifiers.clear(shared.items);
        self.posture.actions.clear(shared.items);
        let cycle = shared.table.cycle(style, substate)?;
        self.posture = MotionState { style, substate, speed: 1.0, ..self.posture };
        self.sequence.clear_physics();
        self.sequence.clear_animations(shared.nodes);
        self.add(shared, Some(cycle), 1.0);
        Some(clips(Some(cycle)).wrapping_sub(1))
    }

    /// Puts the animations of a motion into the sequence. Returns how many of them must end before
    /// the motion is done.
    ///
    /// The classes of the command are tried in order, as stance, cycle, action and modifier. A turn
    /// is both cycle and modifier. Where its cycle is restricted to the default posture, it becomes
    /// a modifier while the body moves. A plain return to ready does not end a turn on the spot,
    /// unless `is_stopping`.
    ///
    /// Retail: `CMotionTable::GetObjectSequence` (11.4186 @ 0x00522860)
    fn choose(
        &mut self,
        shared: &mut Shared<'_>,
        motion: MotionCommand,
        speed: f32,
        is_stopping: bool,
        depth: u32,
    ) -> Result<u32, NoMotion> {
        let MotionState { style, substate, .. } = self.posture;
        if style.0 == 0 || substate.0 == 0 || depth > MAX_DEPTH {
            return Err(NoMotion);
        }
        let default = shared.table.style_default(style);
        if Some(motion) == default && !is_stopping && substate.is_modifier() {
            return Ok(0);
        }
        let mut count = None;
        if motion.is_style() {
            count = self.choose_style(shared, motion, speed, depth);
        }
        if count.is_none() && motion.is_cycle() {
            count = self.choose_substate(shared, motion, speed, depth);
        }
        if count.is_none() && motion.is_action() {
            count = self.choose_action(shared, motion, speed, depth);
        }
        if count.is_none() && motion.is_modifier() {
            count = self.choose_modifier(shared, motion, speed, depth);
        }
        count.ok_or(NoMotion)
    }

    /// Changes the stance. Returns `None` if the table lacks the new stance.
    ///
    /// The links lead from the present posture to the default one, and then to the new stance.
    /// Without a direct link they lead through the table's default stance.
    fn choose_style(
        &mut self,
        shared: &mut Shared<'_>,
        motion: MotionCommand,
        speed: f32,
        depth: u32,
    ) -> Option<u32> {
        let table = shared.table;
        let MotionState { style, substate, speed: old, .. } = self.posture;
        if motion == style {
            return Some(0);
        }
        let default = table.style_default(style).unwrap_or(MotionCommand(0));
        let leave =
            if substate == default { None } else { table.link(style, (substate, old), (default, speed)) };
        let new_substate = table.style_default(motion)?;
        let cycle = table.cycle(motion, new_substate)?;
        if cycle.suffers_no_modifiers() {
            self.posture.modifiers.clear(shared.items);
        }
        let mut first = table.link(style, (default, old), (motion, speed));
        let mut second = None;
        if first.is_none() {
            // Through the table's default stance.
            let home = table.default_style();
            first = table.link(style, (default, 1.0), (home, 1.0));
            let home_default = table.style_default(home).unwrap_or(MotionCommand(0));
            second = table.link(home, (home_default, 1.0), (motion, 1.0));
        }
        self.sequence.clear_physics();
        self.sequence.remove_cyclic(shared.nodes);
        for link in [leave, first, second] {
            self.add(shared, link.map(|(_, motion)| motion), speed);
        }
        self.add(shared, Some(cycle), speed);
        self.posture = MotionState { style: motion, substate: new_substate, speed, ..self.posture };
        self.bring_back_modifiers(shared, depth);
        let links = [leave, first, second].into_iter().map(|link| clips(link.map(|(_, motion)| motion)));
        Some(links.sum::<u32>().wrapping_add(clips(Some(cycle))).wrapping_sub(1))
    }

    /// Begins a cycle. Returns `None` if the table lacks the cycle, or if the present posture does
    /// not allow it.
    ///
    /// The same cycle in the same direction only changes its speed and does not start again. A
    /// change of direction goes through the default posture. A turn on the spot goes on as a
    /// modifier of the new cycle.
    fn choose_substate(
        &mut self,
        shared: &mut Shared<'_>,
        motion: MotionCommand,
        speed: f32,
        depth: u32,
    ) -> Option<u32> {
        let table = shared.table;
        let MotionState { style, substate, speed: old, .. } = self.posture;
        let default = table.style_default(style);
        let cycle = table.cycle(style, motion).or_else(|| table.cycle(table.default_style(), motion))?;
        // Retail: `CMotionTable::is_allowed` (11.4186 @ 0x005226C0)
        let is_restricted = cycle.bits & Motion::FROM_DEFAULT_ONLY != 0;
        if is_restricted && motion != substate && Some(substate) != default {
            return None;
        }
        if motion == substate && same_sign(speed, old) && !self.sequence.is_empty() {
            self.change_speed(shared, old, speed);
            self.combine(cycle, -old);
            self.combine(cycle, speed);
            self.posture.speed = speed;
            return Some(0);
        }
        if cycle.suffers_no_modifiers() {
            self.posture.modifiers.clear(shared.items);
        }
        let mut first = table.link(style, (substate, old), (motion, speed));
        let mut second = None;
        if first.is_none() || !same_sign(speed, old) {
            let default = default.unwrap_or(MotionCommand(0));
            first = table.link(style, (substate, old), (default, 1.0));
            second = table.link(style, (default, 1.0), (motion, speed));
        }
        let [first, second] = [first, second].map(|link| link.map(|(_, motion)| motion));
        self.sequence.clear_physics();
        self.sequence.remove_cyclic(shared.nodes);
        if second.is_some() {
            self.add(shared, first, old);
            self.add(shared, second, speed);
        } else {
            self.add(shared, first, if old < 0.0 && speed > 0.0 { -speed } else { speed });
        }
        self.add(shared, Some(cycle), speed);
        if substate != motion && substate.is_modifier() && Some(motion) != default {
            self.posture.modifiers.push_front(shared.items, Item::new(substate, old, 0, 0));
        }
        self.posture = MotionState { substate: motion, speed, ..self.posture };
        self.bring_back_modifiers(shared, depth);
        Some(clips(first).wrapping_add(clips(second)).wrapping_add(clips(Some(cycle))).wrapping_sub(1))
    }

    /// Plays an action once and returns to the present cycle. Returns `None` if no links lead to
    /// it.
    ///
    /// An action is itself a link. Without a direct link, the body goes through the default posture
    /// and back.
    fn choose_action(
        &mut self,
        shared: &mut Shared<'_>,
        motion: MotionCommand,
        speed: f32,
        depth: u32,
    ) -> Option<u32> {
        let table = shared.table;
        let MotionState { style, substate, speed: old, .. } = self.posture;
        let cycle = table.cycle(style, substate)?;
        let straight = table.link(style, (substate, old), (motion, speed)).map(|(_, motion)| motion);
        if let Some(link) = straight {
            self.add_action(shared, motion, speed);
            self.sequence.clear_physics();
            self.sequence.remove_cyclic(shared.nodes);
            self.add(shared, Some(link), speed);
            self.add(shared, Some(cycle), old);
            self.bring_back_modifiers(shared, depth);
            return Some(clips(Some(link)));
        }
        // Through the stance's default posture.
        let default = table.style_default(style)?;
        let there = table.link(style, (substate, old), (default, 1.0))?.1;
        let action = table.link(style, (default, 1.0), (motion, speed))?.1;
        let back = table.link(style, (default, 1.0), (substate, old)).map(|(_, motion)| motion);
        self.add_action(shared, motion, speed);
        self.sequence.clear_physics();
        self.sequence.remove_cyclic(shared.nodes);
        self.add(shared, Some(there), 1.0);
        self.add(shared, Some(action), speed);
        self.add(shared, back, 1.0);
        self.add(shared, Some(cycle), old);
        self.bring_back_modifiers(shared, depth);
        Some(clips(Some(there)).wrapping_add(clips(Some(action))).wrapping_add(clips(back)))
    }

    /// Adds velocity and spin on top of the cycle. Returns `None` if the cycle excludes modifiers,
    /// or if the table lacks this modifier.
    ///
    /// A modifier that is already active is ended first. Its speed changes in this way.
    fn choose_modifier(
        &mut self,
        shared: &mut Shared<'_>,
        motion: MotionCommand,
        speed: f32,
        depth: u32,
    ) -> Option<u32> {
        let table = shared.table;
        let MotionState { style, substate, .. } = self.posture;
        if table.cycle(style, substate)?.suffers_no_modifiers() {
            return None;
        }
        let modifier = table.modifier(style, motion)?;
        if !self.add_modifier(shared, motion, speed) {
            let _ = self.stop(shared, motion, depth + 1);
            if !self.add_modifier(shared, motion, speed) {
                return None;
            }
        }
        self.combine(modifier, speed);
        Some(0)
    }

    /// Remembers an action in progress. A full list drops its oldest entry first.
    fn add_action(&mut self, shared: &mut Shared<'_>, motion: MotionCommand, speed: f32) {
        if self.posture.actions.len() >= MAX_ACTIONS {
            let _ = self.posture.actions.pop_front(shared.items);
        }
        self.posture.actions.push_back(shared.items, Item::new(motion, speed, 0, 0));
    }

    /// Remembers a modifier. Returns `false` if the modifier is already active, or is the present
    /// motion.
    fn add_modifier(&mut self, shared: &mut Shared<'_>, motion: MotionCommand, speed: f32) -> bool {
        let is_there = self.posture.modifiers.iter(shared.items).any(|item| item.motion == motion);
        if is_there || motion == self.posture.substate {
            return false;
        }
        self.posture.modifiers.push_front(shared.items, Item::new(motion, speed, 0, 0));
        true
    }

    /// Ends a motion, regardless of its speed. Returns how many animations must end before the
    /// motion is over.
    ///
    /// The present cycle returns to the default posture. A modifier loses its velocity and spin.
    /// Any other motion is an error.
    ///
    /// Retail: `CMotionTable::StopSequenceMotion` (11.4186 @ 0x00522FC0)
    fn stop(&mut self, shared: &mut Shared<'_>, motion: MotionCommand, depth: u32) -> Result<u32, NoMotion> {
        let MotionState { style, substate, .. } = self.posture;
        if motion.is_cycle() && motion == substate {
            let default = shared.table.style_default(style).unwrap_or(MotionCommand(0));
            return Ok(self.choose(shared, default, 1.0, true, depth + 1).unwrap_or(0));
        }
        if motion.is_modifier() {
            let stored = self.posture.modifiers.iter(shared.items).find(|item| item.motion == motion);
            if let (Some(stored), Some(modifier)) = (stored, shared.table.modifier(style, motion)) {
                self.combine(modifier, -stored.speed);
                let _ = take_motion(&mut self.posture.modifiers, shared.items, motion);
                return Ok(0);
            }
        }
        Err(NoMotion)
    }

    /// Begins the modifiers again after their cycle has changed.
    ///
    /// With several modifiers, the newest is begun again each time, and the others are never begun.
    /// This is a mistake of the client that is kept. On the default posture, a turn becomes the
    /// cycle instead.
    ///
    /// Retail: `CMotionTable::re_modify` (11.4186 @ 0x005222E0)
    fn bring_back_modifiers(&mut self, shared: &mut Shared<'_>, depth: u32) {
        for _ in 0..self.posture.modifiers.len() {
            // The client has no such check and crashes on an empty list.
            let Some(item) = self.posture.modifiers.pop_front(shared.items) else { return };
            let _ = self.choose(shared, item.motion, item.speed, false, depth + 1);
        }
    }

    /// Scales the rates of the cycle from the old speed factor to the new one.
    ///
    /// A cycle that once had speed 0 stays frozen when it speeds up again, as in the client.
    ///
    /// Retail: `CMotionTable::change_cycle_speed` (11.4186 @ 0x00522290)
    fn change_speed(&self, shared: &mut Shared<'_>, old: f32, new: f32) {
        if old.abs() > EPSILON {
            self.sequence.multiply_cyclic(shared.nodes, new / old);
        } else if new.abs() < EPSILON {
            self.sequence.multiply_cyclic(shared.nodes, 0.0);
        }
    }

    /// Appends the animations of a motion, and replaces velocity and spin, even by zero.
    ///
    /// The cycle is added last, so its velocity holds from the first moment, even while links are
    /// played.
    ///
    /// Retail: `add_motion` (11.4186 @ 0x005224B0)
    fn add(&mut self, shared: &mut Shared<'_>, motion: Option<&Motion>, speed: f32) {
        let Some(motion) = motion else { return };
        self.sequence.velocity = finite(motion.velocity * speed);
        self.sequence.omega = finite(motion.omega * speed);
        for clip in &motion.clips {
            self.sequence.append(shared.nodes, shared.library, clip, speed);
        }
    }

    /// Adds velocity and spin to the present ones. A negative speed factor subtracts them.
    ///
    /// Retail: `combine_motion` (11.4186 @ 0x00522580)
    /// Retail: `subtract_motion` (11.4186 @ 0x00522600)
    fn combine(&mut self, motion: &Motion, speed: f32) {
        self.sequence.velocity = finite(self.sequence.velocity + motion.velocity * speed);
        self.sequence.omega = finite(self.sequence.omega + motion.omega * speed);
    }

    /// Queues a motion as pending until `count` animations have ended, and removes links that it
    /// makes redundant.
    fn wait_for(&mut self, shared: &mut Shared<'_>, motion: MotionCommand, count: u32) {
        if self.pending.len() >= MAX_PENDING {
            let _ = self.pending.pop_front(shared.items);
        }
        self.pending.push_back(shared.items, Item::new(motion, 0.0, count, 0));
        self.remove_redundant_links(shared);
    }

    /// Removes links that lead away from a motion and back to it.
    ///
    /// The last pending motion that waits for animations is compared with earlier ones. For
    /// example, a short stop between two runs is skipped. Pending motions of other classes in
    /// between prevent the removal.
    ///
    /// Retail: `MotionTableManager::remove_redundant_links` (11.4186 @ 0x0051BF20)
    fn remove_redundant_links(&mut self, shared: &mut Shared<'_>) {
        // Queues are short and iterated from the front only, so the last entries are found by a
        // walk through all of them.
        let mut last = None;
        for (place, item) in self.pending.iter(shared.items).enumerate() {
            if item.number != 0 {
                last = Some((place, item.motion));
            }
        }
        let Some((end, motion)) = last else { return };
        let is_substate = motion.is_cycle() && !motion.is_modifier();
        if !is_substate && !motion.is_style() {
            return;
        }
        // An entry of these classes in between ends the search.
        let others = if is_substate { 0xB000_0000 } else { 0x7000_0000 };
        let mut found = None;
        for (place, item) in self.pending.iter(shared.items).enumerate().take(end) {
            if item.motion == motion && (item.number != 0 || !is_substate) {
                found = Some(place);
            } else if item.number != 0 && item.motion.0 & others != 0 {
                found = None;
            }
        }
        if let Some(place) = found {
            self.truncate(shared, place);
        }
    }

    /// Makes all entries after position `after` wait for nothing, and removes as many links as they
    /// waited for.
    ///
    /// Retail: `MotionTableManager::truncate_animation_list` (11.4186 @ 0x0051BCA0)
    fn truncate(&mut self, shared: &mut Shared<'_>, after: usize) {
        let mut sum = 0u32;
        self.pending.for_each_mut(shared.items, |place, item| {
            if place > after {
                sum = sum.wrapping_add(core::mem::take(&mut item.number));
            }
        });
        self.sequence.remove_links(shared.nodes, sum);
    }

    /// Counts an animation that has ended. Motions that waited for it are done, and `done` is
    /// called for each.
    ///
    /// Retail: `MotionTableManager::AnimationDone` (11.4186 @ 0x0051BCE0)
    pub fn animation_ended(
        &mut self,
        items: &mut Pool<Item>,
        done: &mut impl FnMut(&mut Pool<Item>, MotionCommand),
    ) {
        if self.pending.is_empty() {
            return;
        }
        self.ended = self.ended.wrapping_add(1);
        while let Some(head) = self.pending.front(items) {
            if head.number > self.ended as u32 {
                break;
            }
            self.ended = self.ended.wrapping_sub(head.number as i32);
            self.finish(items, done);
        }
        if self.pending.is_empty() {
            self.ended = 0;
        }
    }

    /// Completes motions that wait for no animation. This happens at the end of each step and after
    /// each key.
    ///
    /// Retail: `MotionTableManager::CheckForCompletedMotions` (11.4186 @ 0x0051BE00)
    pub fn check_done(
        &mut self,
        items: &mut Pool<Item>,
        done: &mut impl FnMut(&mut Pool<Item>, MotionCommand),
    ) {
        while self.pending.front(items).is_some_and(|head| head.number == 0) {
            self.finish(items, done);
        }
    }

    /// Removes all links from the sequence, and completes every pending motion.
    ///
    /// This happens on landing, take-off and death, when a body enters the world, is hidden or is
    /// shown, and for bodies outside the world.
    pub fn skip_to_cycle(
        &mut self,
        nodes: &mut Pool<Node>,
        items: &mut Pool<Item>,
        done: &mut impl FnMut(&mut Pool<Item>, MotionCommand),
    ) {
        self.sequence.remove_all_links(nodes);
        self.abandon(items, done);
    }

    /// Completes every pending motion. The sequence stays.
    pub fn abandon(&mut self, items: &mut Pool<Item>, done: &mut impl FnMut(&mut Pool<Item>, MotionCommand)) {
        // The client counts down animations until the queue is empty. After a cycle without
        // animations that takes about four billion counts.
        while !self.pending.is_empty() {
            self.finish(items, done);
        }
        self.ended = 0;
    }

    /// Completes the oldest pending motion. If that motion is an action, the oldest remembered
    /// action is removed too.
    fn finish(&mut self, items: &mut Pool<Item>, done: &mut impl FnMut(&mut Pool<Item>, MotionCommand)) {
        let Some(head) = self.pending.pop_front(items) else { return };
        if head.motion.is_action() {
            let _ = self.posture.actions.pop_front(items);
        }
        done(items, head.motion);
    }

    /// Returns a view of the animation in progress, or `None` if there is none. `table` is copied
    /// into the view.
    pub fn view(&self, table: u32, nodes: &Pool<Node>, library: &MotionLibrary) -> Option<PlayingView> {
        let node = self.sequence.current(nodes)?;
        let (animation, frame) = (library.number(node.animation), self.sequence.frame);
        Some(PlayingView { table, animation, frame, rate: node.rate })
    }

    /// Frees all entries of its lists, and returns to the initial state.
    pub fn release(&mut self, nodes: &mut Pool<Node>, items: &mut Pool<Item>) {
        self.sequence.clear_animations(nodes);
        for list in [&mut self.posture.modifiers, &mut self.posture.actions, &mut self.pending] {
            list.clear(items);
        }
        *self = Self::default();
    }
}

/// Returns whether both speeds have the same direction. Zero counts as forward.
///
/// Retail: `same_sign` (11.4186 @ 0x00522260)
fn same_sign(one: f32, other: f32) -> bool {
    (one < 0.0) == (other < 0.0)
}

/// Returns the number of animations of a motion, 0 for a missing one.
fn clips(motion: Option<&Motion>) -> u32 {
    motion.map_or(0, |motion| motion.clips.len() as u32)
}

/// Returns a vector, or zero in place of one that is not finite.
///
/// A safety bound, because speeds are checked but a table may contain any number.
fn finite(vector: evenstride_types::Vec3) -> evenstride_types::Vec3 {
    if vector.is_finite() { vector } else { evenstride_types::Vec3::ZERO }
}

/// A view of the animation that a body plays.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[doc(alias = "CSequence")]
pub struct PlayingView {
    /// Number of the motion table that chose the animation, or 0 for none.
    pub table: u32,
    /// Number of the animation in the library.
    pub animation: u32,
    /// Progress in keyframes, fractions included, as of the body's last step or tick.
    pub frame: f64,
    /// Keyframes per second at which a host should play it, negative for backward.
    ///
    /// Strides of a built-in table that stands in for a missing one are played at the entity's speed
    /// (D20). `frame` does not follow that.
    pub rate: f32,
}
