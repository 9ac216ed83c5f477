//! The goals of the 104 move-to traces, driven through real animations.
//!
//! The traces prove move-to call by call, on bodies that start, stop and turn at once. Here the same goals reach a world as messages, and
//! built-in animations move the bodies: with links that take time, whole keyframes, and motions that are pending meanwhile. Wherever the
//! body of a trace came to its end undisturbed, the animated body must come to the same end.

use std::{collections::BTreeMap, path::Path};

use evenstride::{
    BodySetup, Config, Disposition, Happening, MotionWorld, OpenField,
    config::MissingViewpoint,
    outcome::MoveToEnd,
    types::{
        Cylinder, EntityId, Placement, SimTime, Stamp,
        update::{
            MotionCommand, MoveToFlags, MoveToParams, Movement, MovementBody, MovementKind, MovementUpdate,
            TurnToParams, Update,
        },
    },
};
use evenstride_trace::{Fields, Line, LineKind, Trace, find_traces};
use serde_json::Value;

/// Everything a trace says about a body that matters here.
#[derive(Clone, Copy)]
struct Body {
    place: Placement,
    size: Cylinder,
    run_rate: f32,
    is_held: bool,
    is_standing: bool,
}

/// A goal of a trace, with the bodies as they stood when it was given.
struct Goal {
    name: String,
    mover: EntityId,
    bodies: BTreeMap<EntityId, Body>,
    kind: MovementKind,
    /// Where the body of the trace ended undisturbed, if it did.
    ended_at: Option<Placement>,
}

/// How a goal ended with animations: why, where, and after how many seconds.
struct Ended {
    end: MoveToEnd,
    at: Placement,
    secs: f64,
}

#[test]
fn goals_end_with_animations_as_they_do_in_the_traces() {
    let goals = goals();
    assert!(goals.len() > 180, "{}", goals.len());
    let (mut compared, mut problems) = (0, Vec::new());
    for goal in &goals {
        let Some(expected) = goal.ended_at else { continue };
        compared += 1;
        match goal.pursued() {
            None => problems.push(format!("{}: never ends", goal.name)),
            Some(ended) => {
                let apart = ended.at.distance(&expected);
                let turned = ended.at.pose.heading().degrees() - expected.pose.heading().degrees();
                let turned = (turned + 540.0).rem_euclid(360.0) - 180.0;
                if let MoveToEnd::Refused(why) = ended.end {
                    problems.push(format!("{}: refused, {why}", goal.name));
                }
                if apart > MAX_APART_M || turned.abs() > MAX_TURNED_DEG {
                    problems.push(format!(
                        "{}: {:?} after {:.1} s, {apart:.2} m and {turned:.0} degrees from the trace",
                        goal.name, ended.end, ended.secs
                    ));
                }
            }
        }
    }
    assert!(compared > 60, "{compared} of {}", goals.len());
    assert!(problems.is_empty(), "{} of {compared}:\n{}", problems.len(), problems.join("\n"));
}

/// Every other goal too: what the trace disturbed runs undisturbed here.
#[test]
fn no_goal_of_a_trace_is_refused_by_animations_or_overshot() {
    let mut ended = 0;
    for goal in goals() {
        let Some(Ended { end, at, .. }) = goal.pursued() else { continue };
        assert!(!matches!(end, MoveToEnd::Refused(_)), "{}: {end:?}", goal.name);
        if end == MoveToEnd::Done
            && let Some((distance, near)) = goal.distance_left(&at)
        {
            assert!(distance <= near + MAX_OVERSHOT_M, "{}: {distance:.2} m, not {near}", goal.name);
        }
        ended += 1;
    }
    assert!(ended > 150, "{ended}");
}

/// A run begins with a link of 8 keyframes and ends with one of 12: a metre or so, at most.
const MAX_APART_M: f64 = 1.0;
/// A turn ends exactly; a body that stops on its way keeps the heading it had.
const MAX_TURNED_DEG: f32 = 12.0;
/// One step at the fastest speed in the traces, at the moment of arrival.
const MAX_OVERSHOT_M: f64 = 0.5;
const MAX_SECS: f64 = 60.0;

impl Goal {
    /// Gives the goal to a body with animations, and waits until it ends.
    fn pursued(&self) -> Option<Ended> {
        let config = Config::RETAIL.with(|config| config.no_viewpoint = MissingViewpoint::AllNear);
        let mut world = MotionWorld::new(config, SimTime::ZERO);
        for (entity, body) in self.bodies.iter().filter(|(_, body)| !body.is_held) {
            let Cylinder { radius, height } = body.size;
            let setup = BodySetup { radius, height, ..BodySetup::at(body.place) };
            world.insert(SimTime::ZERO, *entity, &setup).unwrap();
        }
        let mut now = 0.0;
        let mut pass = |world: &mut MotionWorld| {
            now += 1.0 / 30.0 + 1e-9;
            let _ = world.advance(SimTime::from_secs(now).unwrap(), &OpenField);
            now
        };
        let began = pass(&mut world);
        let movement = Movement {
            stamp: Stamp::new(1),
            server_control: Stamp::new(1),
            autonomous: 0,
            body: MovementBody {
                style: MotionCommand::NON_COMBAT.index(),
                standing_long_jump: false,
                other_flags: 0,
                kind: self.kind.clone(),
            },
        };
        let update =
            Update::Movement(MovementUpdate { entity: self.mover, instance: Stamp::default(), movement });
        let answer = world.handle(SimTime::from_secs(began).unwrap(), &update, &OpenField);
        assert_eq!(answer, Disposition::Applied, "{}", self.name);
        loop {
            while let Some(event) = world.poll_event() {
                if let (true, Happening::MoveToEnded { end, .. }) = (event.entity == self.mover, event.kind) {
                    let at = world.body(self.mover).unwrap().place.unwrap();
                    return Some(Ended { end, at, secs: event.at.as_secs() - began });
                }
            }
            if pass(&mut world) - began > MAX_SECS {
                return None;
            }
        }
    }

    /// Returns how far it is to the target of a goal that comes near, and how near is there.
    fn distance_left(&self, at: &Placement) -> Option<(f64, f64)> {
        let (params, target, place) = match &self.kind {
            MovementKind::MoveToObject { target, params, .. } => (params, Some(target), None),
            MovementKind::MoveToPosition { cell, origin, params, .. } => {
                let raw = evenstride::types::RawPlacement {
                    cell: *cell,
                    origin: *origin,
                    wxyz: [1.0, 0.0, 0.0, 0.0],
                };
                (params, None, raw.check().ok())
            }
            _ => return None,
        };
        if params.flags.contains(MoveToFlags::MOVE_AWAY) {
            return None;
        }
        let own = self.bodies[&self.mover].size;
        let (to, size) = match (target, place) {
            (Some(target), _) => {
                let body = self.bodies.get(target).filter(|body| !body.is_held)?;
                (body.place, body.size)
            }
            (None, Some(place)) => (place, Cylinder { radius: 0.0, height: 0.0 }),
            (None, None) => return None,
        };
        let distance = if params.flags.contains(MoveToFlags::USE_SPHERES) {
            own.gap(at, size, &to)
        } else {
            at.distance(&to)
        };
        // A goal that was reached before it began is done where it stands.
        Some((distance, f64::from(params.distance_to_object)))
    }
}

/// Returns every goal of every move-to trace.
fn goals() -> Vec<Goal> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../testdata/golden");
    let mut goals = Vec::new();
    for path in find_traces(&folder).unwrap() {
        let trace = Trace::read(&path).unwrap();
        if trace.header.driver == "moveto" {
            goals_of(&trace, &mut goals);
        }
    }
    goals
}

fn goals_of(trace: &Trace, goals: &mut Vec<Goal>) {
    let Some(objects) = trace.header.settings.get("objects").and_then(Value::as_array) else { return };
    let mut bodies = BTreeMap::new();
    for object in objects {
        let fields = Fields::new(object.as_object().unwrap(), 1);
        let size = Cylinder { radius: fields.f32("radius").unwrap(), height: fields.f32("height").unwrap() };
        let body = Body {
            place: fields.placement().unwrap(),
            size,
            run_rate: fields.f32("my_run_rate").unwrap(),
            is_held: fields.u32("parent").unwrap() != 0,
            is_standing: true,
        };
        bodies.insert(EntityId::new(fields.u32("id").unwrap()), body);
    }
    for (index, line) in trace.lines.iter().enumerate() {
        // From here on the trace forbids motions.
        if matches!(&line.kind, LineKind::Event(kind) if kind == "motion_error") {
            return;
        }
        if let Some(goal) = goal_of(trace, index, line, &bodies) {
            goals.push(goal);
        }
        follow(line, &mut bodies);
    }
}

/// Moves the bodies to where a line says they are.
fn follow(line: &Line, bodies: &mut BTreeMap<EntityId, Body>) {
    if matches!(&line.kind, LineKind::Event(kind) if kind == "delete") {
        bodies.remove(&EntityId::new(Fields::new(&line.fields, line.number).u32("object").unwrap()));
    }
    let objects = line.expected().ok().and_then(|out| out.get("objs")).and_then(Value::as_array);
    for object in objects.into_iter().flatten() {
        let fields = Fields::new(object.as_object().unwrap(), line.number);
        let Some(body) = bodies.get_mut(&EntityId::new(fields.u32("id").unwrap())) else { continue };
        body.place = place_of(&fields);
        let command = |axis: &str| object[axis][0].as_str().map(str::to_owned);
        body.is_standing = command("fwd").is_none_or(|forward| forward == "0x41000003")
            && command("turn").is_none_or(|turn| turn == "0x00000000");
    }
}

/// A place as the answers of traces write it: cell, origin and heading.
fn place_of(fields: &Fields<'_>) -> Placement {
    let raw = evenstride::types::RawPlacement {
        cell: fields.hex("cell").unwrap(),
        origin: fields.vector("pos").unwrap(),
        wxyz: [1.0, 0.0, 0.0, 0.0],
    };
    let mut place = raw.check().unwrap();
    let heading = evenstride::types::Heading::from_degrees(fields.f32("h").unwrap()).unwrap();
    place.pose = place.pose.with_heading(heading);
    place
}

fn goal_of(trace: &Trace, index: usize, line: &Line, bodies: &BTreeMap<EntityId, Body>) -> Option<Goal> {
    let LineKind::Event(event_kind) = &line.kind else { return None };
    if event_kind != "perform" && event_kind != "net" {
        return None;
    }
    let event = Fields::new(&line.fields, line.number);
    let mover = EntityId::new(event.u32("object").unwrap());
    let target = EntityId::new(event.u32("object_id").unwrap());
    let number = event.u32("movement_type").unwrap();
    // Calls without a message can send a body to an entity that is not there. Held targets have scenarios of their own.
    let is_said = match bodies.get(&target) {
        Some(body) => !body.is_held,
        None => event_kind == "net",
    };
    if matches!(number, 6 | 8) && !is_said {
        return None;
    }
    let params = event.object("params").unwrap();
    let flags = MoveToFlags::from_bits_retain(params.hex("flags").unwrap());
    let (speed, heading) = (params.f32("speed").unwrap(), params.f32("desired_heading").unwrap());
    let turning = TurnToParams { flags, speed, desired_heading_deg: heading };
    let params = MoveToParams {
        flags,
        distance_to_object: params.f32("distance_to_object").unwrap(),
        min_distance: params.f32("min_distance").unwrap(),
        fail_distance: params.f32("fail_distance").unwrap(),
        speed,
        walk_run_threshold: params.f32("walk_run_threshhold").unwrap(),
        desired_heading_deg: heading,
    };
    let run_rate = event.f32("run_rate").unwrap_or(bodies[&mover].run_rate);
    let (cell, origin) = (event.hex("cell").unwrap(), event.vector("pos").unwrap());
    let kind = match number {
        6 => MovementKind::MoveToObject { target, cell, origin, params, run_rate },
        7 => MovementKind::MoveToPosition { cell, origin, params, run_rate },
        8 => {
            let heading_deg = event.f32("heading").unwrap_or(0.0);
            MovementKind::TurnToObject { target, heading_deg, params: turning }
        }
        _ => MovementKind::TurnToHeading(turning),
    };
    // Every body stands here when its goal is given.
    let ended_at =
        bodies[&mover].is_standing.then(|| ended_undisturbed(&trace.lines[index..], mover)).flatten();
    let name = format!("{} line {}", trace.header.name, line.number);
    Some(Goal { name, mover, bodies: bodies.clone(), kind, ended_at })
}

/// Returns where the body of the trace was when its goal was over, if nothing else happened until then.
fn ended_undisturbed(lines: &[Line], mover: EntityId) -> Option<Placement> {
    let (given, after) = lines.split_first()?;
    std::iter::once(given).chain(after.iter().take_while(|line| line.kind == LineKind::Tick)).find_map(
        |line| {
            let objects = line.expected().ok()?.get("objs")?.as_array()?;
            objects.iter().find_map(|object| {
                let fields = Fields::new(object.as_object()?, line.number);
                let is_over = fields.u32("id").ok()? == mover.raw() && fields.u32("mt").ok()? == 0;
                is_over.then(|| place_of(&fields))
            })
        },
    )
}
