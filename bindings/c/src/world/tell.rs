//! Explanations, counts and metrics.

use std::{ffi::c_char, fmt::Write};

use evenstride::{
    MotionWorld,
    explain::{Counters, Stats},
    outcome::PlaceReason,
};
use evenstride_types::EntityId;

use super::{EvWorld, fact, with};
use crate::{
    pointers::{Out, TextOut, at},
    status::{EvStatus, Fault},
};

/// Counts of a world since it was made.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvStats {
    /// Bodies, including those outside the world.
    pub bodies: u64,
    /// Messages that wait for their entity.
    pub parked: u64,
    /// Updates that took effect.
    pub fresh: u64,
    /// Updates that were late or repeated.
    pub stale: u64,
    /// Times that a route ran dry while its body went on.
    pub starved: u64,
    /// Bodies placed instead of walking.
    pub snaps: u64,
    /// Messages refused because a value is invalid or a limit is reached.
    pub refused: u64,
    /// Parked updates that were handled later.
    pub parked_replayed: u64,
    /// Early updates that were lost, for any reason.
    pub parked_lost: u64,
    /// Calls with a time before that of the last call.
    pub time_went_back: u64,
    /// Gaps of more than two seconds that were not caught up with.
    pub time_dropped: u64,
    /// Events that were not taken in time.
    pub events_dropped: u64,
    /// Messages of the local player that were not taken in time.
    pub actions_dropped: u64,
}

impl EvStats {
    fn of(world: &MotionWorld) -> Self {
        let stats = world.stats();
        let Counters { fresh, stale, starved, .. } = stats.heard;
        Self {
            bodies: world.len() as u64,
            parked: world.parked() as u64,
            fresh: fresh.into(),
            stale: stale.into(),
            starved: starved.into(),
            snaps: stats.heard.snaps().into(),
            refused: refused(&stats).iter().map(|(_, count)| count).sum(),
            parked_replayed: stats.parked_replayed,
            parked_lost: stats.parked_dropped + stats.parked_expired + stats.parked_lost,
            time_went_back: stats.time_went_back,
            time_dropped: stats.time_dropped,
            events_dropped: stats.events_dropped,
            actions_dropped: stats.actions_dropped,
        }
    }
}

const fn refused(stats: &Stats) -> [(&'static str, u64); 5] {
    [
        ("position", stats.refused_positions),
        ("vector", stats.refused_vectors),
        ("movement", stats.refused_movements),
        ("create", stats.refused_creates),
        ("hold", stats.refused_holds),
    ]
}

/// Writes the counts of a world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_stats(world: *const EvWorld, stats: *mut EvStats) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), Out::new(stats)) };
    fact(world, &out, "stats", |world| EvStats::of(&world.world))
}

/// Writes the counts as text in the format of Prometheus.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_prometheus(
    world: *const EvWorld,
    text: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), TextOut::new(text, capacity, length)) };
    with(world, |world| {
        world.text.clear();
        write_prometheus(&world.world, &mut world.text).map_err(|error| Fault::invalid("text", error))?;
        out.write(&world.text)
    })
}

fn write_prometheus(world: &MotionWorld, out: &mut String) -> std::fmt::Result {
    let (stats, counts) = (world.stats(), EvStats::of(world));
    let mut gauge = |name: &str, help: &str, value: u64| {
        writeln!(
            out,
            "# HELP evenstride_{name} {help}\n# TYPE evenstride_{name} gauge\nevenstride_{name} {value}"
        )
    };
    gauge("bodies", "Bodies, including those outside the world.", counts.bodies)?;
    gauge("parked", "Messages that wait for their entity.", counts.parked)?;
    let mut counter = |name: &str, help: &str, rows: &[(&str, u64)], label: &str| -> std::fmt::Result {
        writeln!(out, "# HELP evenstride_{name}_total {help}\n# TYPE evenstride_{name}_total counter")?;
        rows.iter().try_for_each(|(value, count)| {
            writeln!(out, "evenstride_{name}_total{{{label}=\"{value}\"}} {count}")
        })
    };
    let fates = [("fresh", counts.fresh), ("stale", counts.stale)];
    counter("updates", "Updates by their fate.", &fates, "fate")?;
    counter("refused", "Messages refused, by kind.", &refused(&stats), "kind")?;
    let mut snaps = [("", 0); PlaceReason::ALL.len()];
    for (row, reason) in snaps.iter_mut().zip(PlaceReason::ALL) {
        *row = (reason.name(), stats.heard.snapped_by(reason).into());
    }
    counter("snaps", "Bodies placed instead of walking, by reason.", &snaps, "reason")?;
    let parked = [
        ("replayed", stats.parked_replayed),
        ("dropped", stats.parked_dropped),
        ("expired", stats.parked_expired),
        ("lost", stats.parked_lost),
    ];
    counter("parked_updates", "Early updates by their fate.", &parked, "fate")?;
    let faults = [
        ("starved", counts.starved),
        ("far_waypoint_dropped", stats.far_waypoints_dropped),
        ("step_out_of_bounds", stats.steps_out_of_bounds),
        ("time_went_back", stats.time_went_back),
        ("time_dropped", stats.time_dropped),
        ("event_dropped", stats.events_dropped),
        ("action_dropped", stats.actions_dropped),
    ];
    counter("incidents", "Rare happenings that a host may want to know of.", &faults, "kind")
}

/// Starts to keep the decisions about an entity. 0 means all entities.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_trace(world: *mut EvWorld, entity: u32) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    with(unsafe { at(world) }, |world| {
        match entity {
            0 => world.world.trace_all(),
            entity => world.world.trace(EntityId::new(entity)),
        }
        Ok(())
    })
}

/// Stops keeping the decisions about an entity. 0 ends the tracing of all.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_untrace(world: *mut EvWorld, entity: u32) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    with(unsafe { at(world) }, |world| {
        match entity {
            0 => world.world.untrace_all(),
            entity => world.world.untrace(EntityId::new(entity)),
        }
        Ok(())
    })
}

/// Writes the decisions about a traced entity, one line each, oldest first. Only the last `lines` are
/// written, or all for 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_explain(
    world: *const EvWorld,
    entity: u32,
    lines: usize,
    text: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), TextOut::new(text, capacity, length)) };
    with(world, |world| {
        let all = || world.world.explain(EntityId::new(entity));
        write_lines(&mut world.text, all().count(), all(), lines)?;
        out.write(&world.text)
    })
}

/// Writes one line for each item, without the first ones if there are more than `lines`. 0 means all.
pub(crate) fn write_lines(
    text: &mut String,
    total: usize,
    all: impl Iterator<Item = impl std::fmt::Display>,
    lines: usize,
) -> crate::status::Done {
    text.clear();
    let left_out = if lines == 0 { 0 } else { total.saturating_sub(lines) };
    for line in all.skip(left_out) {
        writeln!(text, "{line}").map_err(|error| Fault::invalid("text", error))?;
    }
    Ok(())
}
