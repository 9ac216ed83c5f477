//! The state of one body's move-to, and its view for hosts.
//!
//! `MoveTo` lives in a pool, and only bodies with a goal have one. `moveto/start.rs` creates it,
//! and `moveto/end.rs` removes it.

use core::fmt;

use evenstride_types::{
    Cylinder, EntityId, Placement,
    update::{MotionCommand, MoveToFlags},
};

use crate::{
    motion::{
        InterpretedMotion,
        goal::{MoveToGoal, Progress},
        interpreted_motion::NONE,
        movement_params::MovementParams,
    },
    outcome::Steering,
};

/// A goal and the progress towards it.
///
/// Retail: `MoveToManager::InitializeLocalVariables` (11.4186 @ 0x00529250)
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "MoveToManager")]
pub struct MoveTo {
    /// The goal as it was set.
    pub goal: MoveToGoal,
    /// The parameters of the message. The hold key is replaced by the chosen one when the body sets
    /// out.
    pub params: MovementParams,
    /// The steps that are left. The first one is the present one.
    pub steps: Steps,
    /// Place where the target was last reported. `None` for a place, a heading, or an unreported
    /// target.
    pub heard: Option<Placement>,
    /// Predicted place of the target, as last reported. The first turn aims at it. After that
    /// nothing reads it, as in the client.
    pub expected: Option<Placement>,
    /// Place where the body set out. The fail distance is measured from here.
    pub start: Placement,
    /// The motion of the present step, as it was chosen. It is `NONE` while the body waits for
    /// pending motions.
    pub command: MotionCommand,
    /// The turn that corrects the course of a moving body, or `NONE` if it goes straight on.
    pub steering: MotionCommand,
    /// Whether the present motion leads away from the target.
    pub is_away: bool,
    /// Whether the target was reported at least once. It stays `false` for a place or a heading.
    pub is_begun: bool,
    /// Measurements of the headway. `None` until the body has set out.
    pub progress: Option<Progress>,
    /// Heading in degrees at the last step of a turn. At the beginning of a turn it holds the angle
    /// still to turn.
    ///
    /// The client mixes the two in the same way. Only the count in `stalled` depends on it.
    pub turned: f32,
    /// Number of steps since the last one with headway. It never ends the move-to, as in the
    /// client.
    pub stalled: u32,
}

/// One step of a move-to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Step {
    /// Turns to a heading, in degrees.
    Turn(f32),
    /// Goes to the goal.
    Go,
}

impl Step {
    /// Returns the heading to turn to, in degrees, or `None` for `Go`. This is the saved form of a
    /// step.
    pub const fn heading(self) -> Option<f32> {
        match self {
            Self::Turn(heading) => Some(heading),
            Self::Go => None,
        }
    }

    /// Converts the saved form of a step back.
    pub fn of(heading: Option<f32>) -> Self {
        heading.map_or(Self::Go, Self::Turn)
    }
}

/// The steps that are left. These are at most a turn, a walk or run, and another turn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Steps {
    /// The present step comes first. Entries after the first `None` are `None` too.
    steps: [Option<Step>; 3],
}

impl Steps {
    /// Adds a step at the end. A fourth step is a mistake of the caller and is dropped.
    pub fn push(&mut self, step: Step) {
        let free = self.steps.iter_mut().find(|step| step.is_none());
        debug_assert!(free.is_some());
        if let Some(free) = free {
            *free = Some(step);
        }
    }

    /// Returns the present step. `None` means that the move-to is complete.
    pub const fn first(&self) -> Option<Step> {
        self.steps[0]
    }

    /// Removes the present step, so that the next one can begin.
    pub const fn drop_first(&mut self) {
        self.steps = [self.steps[1], self.steps[2], None];
    }

    pub fn iter(&self) -> impl Iterator<Item = Step> {
        self.steps.into_iter().flatten()
    }
}

impl MoveTo {
    /// Creates a move-to that has no steps yet.
    pub const fn new(goal: MoveToGoal, params: MovementParams, start: Placement) -> Self {
        Self {
            goal,
            params,
            steps: Steps { steps: [None; 3] },
            heard: None,
            expected: None,
            start,
            command: NONE,
            steering: NONE,
            is_away: false,
            is_begun: false,
            progress: None,
            turned: 0.0,
            stalled: 0,
        }
    }

    /// Returns the place that the body moves to or faces. It is the goal itself, or the last
    /// reported place of the target.
    pub const fn towards(&self) -> Option<&Placement> {
        match &self.goal {
            MoveToGoal::Place(place) => Some(place),
            _ => self.heard.as_ref(),
        }
    }

    /// Returns the distance from `here` to the target in metres, or `f32::MAX` if the target is
    /// unreported.
    ///
    /// It is measured between surfaces if the message asked for that, and otherwise between
    /// origins. `own` is the size of the body.
    ///
    /// Retail: `MoveToManager::GetCurrentDistance` (11.4186 @ 0x005291B0)
    pub fn distance(&self, here: &Placement, own: Cylinder) -> f32 {
        let Some(towards) = self.towards() else { return f32::MAX };
        if self.params.has(MoveToFlags::USE_SPHERES) {
            own.gap(here, self.goal.size(), towards) as f32
        } else {
            here.distance(towards) as f32
        }
    }
}

impl MoveTo {
    /// Returns the view for hosts. `here`, `own` and `motion` are the present place, size and
    /// motion of the body.
    pub fn view(&self, here: &Placement, own: Cylinder, motion: &InterpretedMotion) -> MoveToView {
        let goes = matches!(self.goal, MoveToGoal::Entity { .. } | MoveToGoal::Place(_));
        let goes = goes && self.towards().is_some();
        MoveToView {
            target: self.goal.entity(),
            towards: self.towards().copied(),
            metres: goes.then(|| self.distance(here, own)),
            is_away: self.is_away,
            is_going: matches!(self.steps.first(), Some(Step::Go)),
            is_running: motion.forward.command == MotionCommand::RUN_FORWARD,
            steering: Steering::of(if self.steering == NONE { self.command } else { self.steering }),
            stalled: self.stalled,
        }
    }
}

/// A view of a move-to in progress, in which the server has sent a body somewhere or told it to
/// turn.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MoveToView {
    /// The target, if it is a body.
    pub target: Option<EntityId>,
    /// The goal, or the last known place of the target. `None` for a turn to a heading, and while
    /// the place of the target is unknown.
    pub towards: Option<Placement>,
    /// Distance to the target in metres, between surfaces or between origins as the message asked.
    /// `None` for turns, and while the place of the target is unknown.
    pub metres: Option<f32>,
    /// Whether the body moves away from its target.
    pub is_away: bool,
    /// Whether the body is going to its goal at present, and not turning on the spot.
    pub is_going: bool,
    /// Whether the body runs at present.
    pub is_running: bool,
    /// The turn that the body is making, on the spot or while moving.
    pub steering: Steering,
    /// Number of steps since the last one with headway.
    pub stalled: u32,
}

/// Writes a clause such as `chasing 0x80000351: 4.2 m to go, turning right, running`.
impl fmt::Display for MoveToView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turning = match self.steering {
            Steering::Straight => "",
            Steering::Left => "turning left",
            Steering::Right => "turning right",
        };
        let Some(metres) = self.metres else {
            return match self.target {
                Some(target) if turning.is_empty() => write!(f, "waiting for a notice of {target}"),
                Some(target) => write!(f, "{turning} to {target}"),
                None if turning.is_empty() => f.write_str("about to turn"),
                None => f.write_str(turning),
            };
        };
        match (self.target, self.is_away) {
            (None, false) => f.write_str("on its way: ")?,
            (None, true) => f.write_str("keeping away: ")?,
            (Some(target), false) => write!(f, "chasing {target}: ")?,
            (Some(target), true) => write!(f, "fleeing {target}: ")?,
        }
        write!(f, "{metres:.1} m {}", if self.is_away { "away" } else { "to go" })?;
        if !turning.is_empty() {
            write!(f, ", {turning}")?;
        }
        match (self.is_going, self.is_running) {
            (false, _) => Ok(()),
            (true, true) => f.write_str(", running"),
            (true, false) => f.write_str(", walking"),
        }
    }
}
