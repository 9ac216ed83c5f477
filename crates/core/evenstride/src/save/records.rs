//! All state of a world except messages, field by field.
//!
//! The lists below are the format. The order of fields is that of the bytes, and reordering them
//! requires a new version. Types of `motion/`, `body/` and `storage/` are saved here, so that those
//! folders do not depend on saving.
//!
//! Derived state is not saved if it can be rebuilt. `check.rs` rebuilds the table of slots, the
//! lists of observers, traced flags and speeds on routes.

use alloc::{sync::Arc, vec::Vec};

use evenstride_types::{
    CellId, Cylinder, EntityId, Placement, Pose, RawPlacement, Rotation, SimTime, Stamp, StampKind,
    StampTable, TIME_LIMIT_SECS, Vec3,
    update::{CommandIndex, CommandTable, ItemType, MotionCommand, PhysicsState},
};

use crate::{
    body::{
        changed::Changed,
        flags::Flags,
        hold_links::HoldLinks,
        local_player::{Autonomy, Controller, LocalPlayer, Reported},
        observers::{ListPosition, NoticeQueue, Observation, Target, Targets},
        rest::Rest,
        rows::{ColdRow, Dimensions, HotRow, MessageRow, MotionRow, ResourceIds},
        store::Store,
    },
    clock::Clock,
    config::{
        CatchUp, Config, DescribedGoals, DrawMode, EarlyUpdatePolicy, Gate, GlideParts, Landing, Limits,
        MissingTables, MissingViewpoint, Orientation, RootMotionMode, Takeoff, UnknownEntityPolicy,
    },
    glide::Glides,
    journal::{Counters, Stats},
    motion::{
        InterpretedMotion, MotionAxis, MotionLibrary,
        animator::{AnimationPools, Animator},
        borrowed_legs::{BorrowedLegs, News},
        controls::{Ahead, Input, Side},
        flight::{Flight, Missed},
        follow::Follow,
        goal::{MoveTo, MoveToGoal, Progress, Step, Steps},
        interpreter::Interpreter,
        items::Item,
        movement_params::MovementParams,
        playing::{MotionPlayer, MotionState},
        raw_motion::{RawMotion, RawMotionAxis},
        route::{LaterWaypoint, Route, Waypoint, WaypointKind, Waypoints},
        sequence::{Node, Sequence},
        skills::Skills,
        tether::Tether,
    },
    save::{
        RestoreError,
        bytes::{Saved, Sink, Source, saved_choice, saved_struct},
    },
    storage::{
        keys::{BodyKey, BodyKeys, KeyEntry},
        list::{List, Neighbours},
        pool::{Pool, PoolIndex},
        timeouts::Timeouts,
    },
    surroundings::GroundBelow,
};

saved_struct! {
    Config {
        gate, max_step_secs, orientation, landing, takeoff, described_goals, missing_tables, root_motion, drawing, player_drawing, player_catch_up, early_life, unknown, no_viewpoint, commands,
        world, limits,
    }
    Limits {
        bodies, events, actions, parked_per_entity, parked_bytes_per_entity, parked, parked_bytes, decision_bytes,
    }
    Clock { base, ticks, now }
    HotRow { place, updated, flight, animator, distance, state, id, flags }
    MotionRow { tether, chase_speed, last_velocity, normal, dimensions }
    Tether { travelled, start, max, is_on }
    Dimensions { scale, radius, height, friction, elasticity }
    InterpretedMotion { style, forward, sidestep, turn, run_rate, speed_factor }
    MotionAxis { command, speed }
    MessageRow { stamps, counters }
    Counters { fresh, stale, starved, parked, snapped }
    ColdRow { key, resources, hold, follow, move_to, observation, idle_since }
    ResourceIds { setup, motion_table, placement_frame }
    HoldLinks { holder, location, next, before, first }
    BodyKey { index, generation }
    KeyEntry { slot, generation }
    Route {
        goal, audit_distance, audit_secs, audit_steps, given_up, goal_kind, goal_velocity, later, last_given_up,
    }
    Waypoint { place, kind, velocity }
    LaterWaypoint { waypoint, neighbours }
    Neighbours { before, after }
    Waypoints { later, velocities }
    Flight { velocity, omega, ground, missed }
    Missed { secs, silent_secs }
    Follow { target, target_radius, heard, until }
    MoveTo {
        goal, params, steps, heard, expected, start, command, steering, is_away, is_begun, progress, turned, stalled,
    }
    MovementParams { flags, near, far, heading, speed, fail_distance, run_threshold, hold_key, context, stamp }
    Cylinder { radius, height }
    Progress { distance, at, first_distance, first_at }
    Animator { playing, interpreter, table, borrowed }
    BorrowedLegs { factor, seen, played, mark, way, was_going, pauses, said, news, is_doubted }
    MotionPlayer { sequence, posture, pending, ended }
    Sequence { list, first_cyclic, current, frame, velocity, omega }
    MotionState { style, substate, speed, modifiers, actions }
    Item { motion, speed, number, code, neighbours }
    Node { animation, rate, low, high, neighbours }
    Interpreter {
        is_ready, raw, actions, standing_long_jump, jump_extent, action_stamp, pending,
    }
    RawMotion { hold_key, style, forward, sidestep, turn, actions }
    RawMotionAxis { command, hold_key, speed }
    LocalPlayer {
        entity, input, autonomy, controller, charging_since, awaits_teleport, sent, reported, heard, previous,
    }
    Reported { place, normal }
    Input { ahead, aside, turn, run, style }
    Skills { run, jump, load }
    Stats {
        heard, refused_positions, refused_vectors, refused_movements, refused_creates, refused_holds, far_waypoints_dropped,
        steps_out_of_bounds, time_went_back, time_dropped, parked_replayed, parked_dropped, parked_expired, parked_lost, events_dropped,
        actions_dropped,
    }
    RawPlacement { cell, origin, wxyz }
}

saved_choice! {
    Gate { Shared = 0, PerBody = 1, Fixed = 2 }
    Orientation { OnTheWay = 0, OnReceipt = 1 }
    Landing { BySurroundings = 0, OnGroundedUpdate = 1 }
    Takeoff { GaitReplacesImpulse = 0, ImpulseKeepsItsRise = 1 }
    DescribedGoals { BeforePlacement = 0, AfterPlacement = 1 }
    News { Never = 0, None = 1, Going = 2, Standing = 3 }
    MissingTables { BuiltInSpeed = 0, HeardSpeed = 1 }
    RootMotionMode { PerKeyframe = 0, Continuous = 1 }
    CatchUp { AtOnce = 0, OneStepPerFrame = 1 }
    EarlyUpdatePolicy { Lost = 0, Kept = 1 }
    UnknownEntityPolicy { Park = 0, Adopt = 1 }
    MissingViewpoint { AllFar = 0, AllNear = 1 }
    CommandTable { Client2013 = 0, Final = 1 }
    WaypointKind { Reach = 1, Jump = 2, SetVelocity = 3 }
    Autonomy { Server = 0, ServerButHeading = 1, Player = 2 }
    Controller { Keys = 0, Server = 1 }
    Ahead { Forward = 0, Back = 1 }
    Side { Left = 0, Right = 1 }
}

/// Flags that are not saved, and that reading rejects.
///
/// `TRACED` concerns the host and not motion. `LINKED` is set again by the next round.
const NOT_SAVED: Flags = Flags::TRACED.union(Flags::LINKED);

/// Writes and reads a type by a number that stands for it. Reading rejects numbers without a value.
macro_rules! saved_as {
    ($($type:ty as $number:ty: |$value:ident| $to:expr, |$raw:ident| $from:expr;)*) => {$(
        impl Saved for $type {
            #[inline]
            fn write(&self, sink: &mut impl Sink) {
                let $value = self;
                let number: $number = $to;
                number.write(sink);
            }

            #[inline]
            fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
                let $raw = <$number>::read(source)?;
                let value: Option<Self> = $from;
                value.ok_or_else(|| source.bad_value())
            }
        }
    )*};
}

saved_as! {
    EntityId as u32: |id| id.raw(), |raw| Some(Self::new(raw));
    Stamp as u16: |stamp| stamp.raw(), |raw| Some(Self::new(raw));
    SimTime as f64: |time| time.as_secs(), |secs| Self::from_secs(secs).ok();
    CellId as u32: |cell| cell.raw(), |raw| Self::new(raw).ok();
    Rotation as [f32; 4]: |rotation| rotation.to_wxyz(), |wxyz| Self::new(wxyz).ok();
    Vec3 as [f32; 3]: |v| v.to_array(), |components| Some(Self::from_array(components));
    PoolIndex as u32: |link| link.raw(), |raw| Some(Self::to(raw));
    MotionCommand as u32: |command| command.0, |raw| Some(Self(raw));
    ItemType as u32: |item_type| item_type.0, |raw| Some(Self(raw));
    CommandIndex as u16: |index| index.0, |raw| Some(Self(raw));
    PhysicsState as u32: |state| state.bits(), |bits| Some(Self::from_bits_retain(bits));
    Flags as u32: |flags| flags.difference(NOT_SAVED).bits(), |bits| Self::from_bits(bits).filter(|flags| !flags.intersects(NOT_SAVED));
}

/// Cell, origin and rotation. Reading rejects an invalid cell and a pose that is out of bounds.
impl Saved for Placement {
    #[inline]
    fn write(&self, sink: &mut impl Sink) {
        self.cell.write(sink);
        self.pose.origin().write(sink);
        self.pose.rotation().write(sink);
    }

    #[inline]
    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        let (cell, origin, rotation) = (CellId::read(source)?, Vec3::read(source)?, Rotation::read(source)?);
        let pose = Pose::new(origin, rotation).map_err(|_| source.bad_value())?;
        Ok(Self::new(cell, pose))
    }
}

/// All stamps, then one bit for each kind that was heard.
///
/// A stamp of an unheard kind is read and ignored.
impl Saved for StampTable {
    #[inline]
    fn write(&self, sink: &mut impl Sink) {
        self.to_array().write(sink);
        let heard = |bits: u16, kind: StampKind| bits | u16::from(self.is_heard(kind)) << kind as u16;
        StampKind::ALL.into_iter().fold(0, heard).write(sink);
    }

    #[inline]
    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        let stamps: [Stamp; StampKind::COUNT] = Saved::read(source)?;
        let heard = u16::read(source)?;
        if heard == (1 << StampKind::COUNT) - 1 {
            return Ok(Self::new(stamps));
        }
        let mut table = Self::unheard();
        for kind in StampKind::ALL {
            if heard & 1 << kind as u16 != 0 {
                table.set(kind, stamps[kind as usize]);
            }
        }
        Ok(table)
    }
}

/// A number for the variant, then the height in metres.
impl Saved for GroundBelow {
    fn write(&self, sink: &mut impl Sink) {
        match self {
            Self::Unknown => 0u8.write(sink),
            Self::TookOff(z) => (1u8, *z).write(sink),
            Self::Heard(z) => (2u8, *z).write(sink),
        }
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        Ok(match u8::read(source)? {
            0 => Self::Unknown,
            1 => Self::TookOff(f32::read(source)?),
            2 => Self::Heard(f32::read(source)?),
            _ => return Err(source.bad_value()),
        })
    }
}

/// The client's number of the movement type, then the fields.
impl Saved for MoveToGoal {
    fn write(&self, sink: &mut impl Sink) {
        self.number().write(sink);
        match self {
            Self::Entity { target, size } => (*target, *size).write(sink),
            Self::Place(place) => place.write(sink),
            Self::FaceEntity(target) => target.write(sink),
            Self::Face => {}
        }
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        Ok(match u8::read(source)? {
            6 => Self::Entity { target: EntityId::read(source)?, size: Cylinder::read(source)? },
            7 => Self::Place(Placement::read(source)?),
            8 => Self::FaceEntity(EntityId::read(source)?),
            9 => Self::Face,
            _ => return Err(source.bad_value()),
        })
    }
}

/// Up to three steps, each as an optional heading.
///
/// A step with a heading is a turn, and one without is the way itself.
impl Saved for Steps {
    fn write(&self, sink: &mut impl Sink) {
        let mut headings = [None; 3];
        for (heading, step) in headings.iter_mut().zip(self.iter()) {
            *heading = Some(step.heading());
        }
        headings.write(sink);
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        let headings: [Option<Option<f32>>; 3] = Saved::read(source)?;
        let mut steps = Self::default();
        headings.into_iter().flatten().for_each(|heading| steps.push(Step::of(heading)));
        Ok(steps)
    }
}

/// A number from 0 on, and for gliding 2 and the parts that are left out.
impl Saved for DrawMode {
    fn write(&self, sink: &mut impl Sink) {
        let number = match self {
            Self::AsSimulated => 0,
            Self::Interpolated => 1,
            Self::Gliding(parts) => 2 + parts.complement().bits(),
        };
        number.write(sink);
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        match u8::read(source)? {
            0 => Ok(Self::AsSimulated),
            1 => Ok(Self::Interpolated),
            number => match GlideParts::from_bits(number - 2) {
                Some(left_out) => Ok(Self::Gliding(left_out.complement())),
                None => Err(source.bad_value()),
            },
        }
    }
}

/// Entries and free indices. The number of the world is in the configuration.
impl Saved for BodyKeys {
    fn write(&self, sink: &mut impl Sink) {
        self.entries.write(sink);
        self.free.write(sink);
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        let (entries, free) = (source.read("BodyKeys.entries")?, source.read("BodyKeys.free")?);
        Ok(Self { entries, free, ..Self::default() })
    }
}

/// Ends and length. The links are saved with the entries.
impl Saved for List {
    fn write(&self, sink: &mut impl Sink) {
        self.head.write(sink);
        self.tail.write(sink);
        self.len.write(sink);
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        let (head, tail) = (source.read("List.head")?, source.read("List.tail")?);
        Ok(Self::with_ends(head, tail, source.read("List.len")?))
    }
}

/// A target with its observation, and without its position in the lists.
impl Saved for Target {
    fn write(&self, sink: &mut impl Sink) {
        // The other fields of `listed` follow from the bodies, once it is known whether the
        // observed body knows of the observer.
        let Self { entity, quantum, is_heard, since, said, listed } = self;
        entity.write(sink);
        quantum.write(sink);
        is_heard.write(sink);
        since.write(sink);
        said.write(sink);
        listed.observation.write(sink);
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        Ok(Self {
            entity: source.read("Target.entity")?,
            quantum: source.read("Target.quantum")?,
            is_heard: source.read("Target.is_heard")?,
            since: source.read("Target.since")?,
            said: source.read("Target.said")?,
            listed: ListPosition::known_to(source.read("Target.observation")?),
        })
    }
}

/// An observation without its list of observers, which the targets determine.
impl Saved for Observation {
    fn write(&self, sink: &mut impl Sink) {
        self.checked.write(sink);
        self.target.write(sink);
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        Ok(Self::unlisted(source.read("Observation.checked")?, source.read("Observation.target")?))
    }
}

/// All entries and the free list.
///
/// Free entries are written too, because their order decides where the next entry goes.
impl<T: Saved + Copy> Saved for Pool<T> {
    fn write(&self, sink: &mut impl Sink) {
        let (items, free) = self.parts();
        (items.len() as u32).write(sink);
        items.iter().for_each(|item| item.write(sink));
        (free.len() as u32).write(sink);
        free.iter().for_each(|index| index.write(sink));
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        let (items, free) = (Vec::read(source)?, Vec::read(source)?);
        Ok(Self::from_parts(items, free))
    }
}

/// Valid deadlines in order. Serial numbers start again when they are read.
///
/// A deadline may lie beyond the last possible time, and is then never due. Reading therefore
/// allows twice the range of a time, which no deadline of a world exceeds.
impl Saved for Timeouts {
    fn write(&self, sink: &mut impl Sink) {
        (self.len() as u32).write(sink);
        for deadline in self.iter() {
            deadline.write(sink);
        }
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        let mut timeouts = Self::default();
        for (entity, at) in Vec::<(EntityId, f64)>::read(source)? {
            let is_possible = at.abs() <= 2.0 * TIME_LIMIT_SECS;
            if !is_possible {
                return Err(source.bad_value());
            }
            timeouts.set(entity, at);
        }
        Ok(timeouts)
    }
}

impl Store {
    /// Writes every column and pool, then skills and the fingerprint of the library.
    ///
    /// Notices are not written, because none exist between calls. Counters follow in `mod.rs`.
    pub(crate) fn write(&self, sink: &mut impl Sink) {
        (self.hot.len() as u32).write(sink);
        (0..self.hot.len()).for_each(|slot| self.row(slot).write(sink));
        self.moving.write(sink);
        self.routes.write(sink);
        self.motions.write(sink);
        self.previous.write(sink);
        self.messages.write(sink);
        self.cold.write(sink);
        self.waypoints.write(sink);
        self.follows.write(sink);
        self.flights.write(sink);
        self.moves.write(sink);
        self.targets.pool.write(sink);
        self.targets.observations.write(sink);
        self.locomotion.animators.write(sink);
        self.locomotion.nodes.write(sink);
        self.locomotion.items.write(sink);
        self.skills.write(sink);
        self.library_mark.write(sink);
    }

    /// Reads a store in the order of [`write`](Self::write).
    ///
    /// `drawing` comes from the configuration that was read before. The library comes from the host,
    /// and `check.rs` compares its fingerprint. Poses are not saved, and begin where the bodies are.
    pub(crate) fn read(
        source: &mut Source<'_>,
        drawing: DrawMode,
        library: Arc<MotionLibrary>,
    ) -> Result<Self, RestoreError> {
        let hot: Vec<_> = source.read("hot rows")?;
        let mut glides = Glides::new(drawing.glide_parts());
        hot.iter().for_each(|_| glides.push());
        Ok(Self {
            rest: Rest::of(hot.len()),
            changed: Changed::of(hot.len()),
            hot,
            moving: source.read("motion rows")?,
            routes: source.read("routes")?,
            motions: source.read("motions")?,
            previous: source.read("previous")?,
            keeps_previous: drawing == DrawMode::Interpolated,
            glides,
            messages: source.read("message rows")?,
            cold: source.read("cold rows")?,
            waypoints: source.read("waypoints")?,
            follows: source.read("follows")?,
            flights: source.read("flights")?,
            moves: source.read("moves")?,
            targets: Targets::restored(source.read("targets")?, source.read("observations")?),
            notices: NoticeQueue::default(),
            locomotion: AnimationPools {
                animators: source.read("animators")?,
                nodes: source.read("animations")?,
                items: source.read("pending motions")?,
            },
            progress: Vec::new(),
            skills: source.read("skills")?,
            library_mark: source.read("library")?,
            library,
            stats: Stats::NONE,
        })
    }
}
