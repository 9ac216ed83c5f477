//! One body's way to somewhere.

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

/// What a body is under way to, and how far it is.
///
/// Retail: `MoveToManager::InitializeLocalVariables` (11.4186 @ 0x00529250)
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "MoveToManager")]
pub struct MoveTo {
    pub goal: MoveToGoal,
    pub params: MovementParams,
    pub steps: Steps,
    /// Where the target was last heard of.
    pub heard: Option<Placement>,
    /// Where the target will be, as it last said. The first turn was aimed at it; after that nothing reads it, in the client either.
    pub expected: Option<Placement>,
    /// Where it started.
    pub start: Placement,
    /// The motion of the step it is at; none while it waits.
    pub command: MotionCommand,
    /// The turn that steers it meanwhile.
    pub steering: MotionCommand,
    pub is_away: bool,
    /// Whether the target was heard of.
    pub is_begun: bool,
    /// What the audit goes by, once there is anything to measure.
    pub progress: Option<Progress>,
    /// The last heading of a turn, or at its beginning the angle still to turn: what the client has here, and only a count looks at.
    pub turned: f32,
    /// Steps without headway. Nothing is done about it.
    pub stalled: u32,
}

/// One thing to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Turn to a heading, in degrees.
    Turn(f32),
    /// Go there.
    Go,
}

impl Step {
    /// The heading to turn to, in degrees; none for the way itself.
    pub const fn heading(self) -> Option<f32> {
        match self {
            Self::Turn(heading) => Some(heading),
            Self::Go => None,
        }
    }

    pub fn of(heading: Option<f32>) -> Self {
        heading.map_or(Self::Go, Self::Turn)
    }
}

/// What is left to do: a turn, the way, another turn. Never more than that.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steps {
    steps: [Option<Step>; 3],
}

impl Steps {
    /// Adds one at the end.
    pub fn push(&mut self, step: Step) {
        let free = self.steps.iter_mut().find(|step| step.is_none());
        debug_assert!(free.is_some());
        if let Some(free) = free {
            *free = Some(step);
        }
    }

    pub const fn first(&self) -> Option<Step> {
        self.steps[0]
    }

    pub const fn drop_first(&mut self) {
        self.steps = [self.steps[1], self.steps[2], None];
    }

    pub fn iter(&self) -> impl Iterator<Item = Step> {
        self.steps.into_iter().flatten()
    }
}

impl MoveTo {
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

    /// Returns where the body is going: the place, or where the target was last heard of.
    pub const fn towards(&self) -> Option<&Placement> {
        match &self.goal {
            MoveToGoal::Place(place) => Some(place),
            _ => self.heard.as_ref(),
        }
    }

    /// How far it is to the target from here: between surfaces or between origins, as was asked for.
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
    /// A look at it.
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

/// A look at a body that the server has sent somewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MoveToView {
    /// The target, if it is a body.
    pub target: Option<EntityId>,
    /// Where to, as far as is known; `None` if it only turns, or its target was not heard of yet.
    pub towards: Option<Placement>,
    /// Metres to the target, as it measures them: between surfaces or between origins. `None` where there is nothing to measure.
    pub metres: Option<f32>,
    /// Whether it keeps away instead of coming near.
    pub is_away: bool,
    /// Whether it goes, and does not only turn.
    pub is_going: bool,
    /// Whether it runs, once it goes.
    pub is_running: bool,
    /// How it steers.
    pub steering: Steering,
    /// Steps without headway, since the last step with some.
    pub stalled: u32,
}

/// A clause: `chasing 0x80000351: 4.2 m to go, turning right, running`.
impl fmt::Display for MoveToView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turning = match self.steering {
            Steering::Straight => "",
            Steering::Left => "turning left",
            Steering::Right => "turning right",
        };
        let Some(metres) = self.metres else {
            return match self.target {
                Some(target) if turning.is_empty() => write!(f, "waiting to hear of {target}"),
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
