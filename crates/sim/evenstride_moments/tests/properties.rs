//! What holds for the moments of any replay.

use std::collections::BTreeMap;

use evenstride::{
    Config, Event, Happening,
    explain::Explanation,
    outcome::{Outcome, PlaceReason},
};
use evenstride_arena::{LIBRARY, scenario, simulate};
use evenstride_moments::{CorrectionWay, MAX_MOMENT_SECS, Moment, MomentFinder, MomentKind, Moments};
use evenstride_replay::{
    ColumnRecorder, ReplayObserver, ReplayOptions, Said, Script, TimedMessage, TraceScope, TrackColumns,
    replay, sample,
};
use evenstride_types::{CellId, EntityId, Placement, Pose, Rotation, Vec3, update::ServerEntity};

const PROFILES: [(&str, Config); 4] = [
    ("retail", Config::RETAIL),
    ("acdream", Config::ACDREAM),
    ("smooth", Config::SMOOTH),
    ("glide", Config::GLIDE),
];

/// Everything that a replay shows.
struct Seen {
    moments: Moments,
    tracks: TrackColumns,
    log: Log,
}

/// All decisions and events of a replay.
#[derive(Default)]
struct Log {
    decisions: Vec<(EntityId, Explanation)>,
    snaps: Vec<(EntityId, f64, f64)>,
}

impl ReplayObserver for Log {
    fn decision(&mut self, entity: EntityId, decision: &Explanation) {
        self.decisions.push((entity, *decision));
    }

    fn event(&mut self, event: &Event) {
        if let Happening::Snapped { reason, metres } = event.kind
            && reason != PlaceReason::EntersWorld
        {
            self.snaps.push((event.entity, event.at.as_secs(), f64::from(metres)));
        }
    }
}

fn see(script: &Script, config: Config) -> Seen {
    let options = ReplayOptions { config, trace: TraceScope::All, ..ReplayOptions::default() };
    let mut finder = MomentFinder::new(script.player);
    let mut recorder = ColumnRecorder::new([]);
    let mut log = Log::default();
    let _ = replay(script, &options, &mut (&mut finder, (&mut recorder, &mut log)));
    Seen { moments: finder.finish(), tracks: recorder.finish(), log }
}

fn script_of(name: &str, seed: u64) -> Script {
    simulate(&scenario(name).unwrap().unwrap(), seed).unwrap().script()
}

/// Calls `check` for every scenario and the project's own capture, in all profiles.
fn for_each(mut check: impl FnMut(&str, &Seen)) {
    for entry in LIBRARY.iter().filter(|entry| entry.name != "crowd-200") {
        let (name, script) = (entry.name, script_of(entry.name, 3));
        for (profile, config) in PROFILES {
            check(&format!("{name}, {profile}"), &see(&script, config));
        }
    }
    let erratic = (1..=12).map(|seed| (format!("erratic {seed}"), erratic(seed)));
    for (name, script) in erratic.chain([("crowd".to_owned(), sample::crowd(5, 20))]) {
        for (profile, config) in PROFILES {
            check(&format!("{name}, {profile}"), &see(&script, config));
        }
    }
}

/// Makes a script whose entities run, leap, jump, teleport, fall silent and turn round at random.
fn erratic(seed: u64) -> Script {
    let mut state = seed;
    let mut dice = |sides: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % sides
    };
    let mut script = Script::default();
    for number in 0..3u32 {
        let mut server = ServerEntity::new(EntityId::new(0x8000_0001 + number));
        let (mut time, mut x, mut y) = (0.1, 80.0, 60.0 + 10.0 * number as f32);
        let place = |x: f32, y: f32| {
            let pose =
                Pose::new([x.clamp(1.0, 190.0), y.clamp(1.0, 190.0), 12.0], Rotation::IDENTITY).unwrap();
            Placement::new(CellId::new(0xA9B4_0001).unwrap(), pose).settled_outdoors().unwrap()
        };
        let mut say =
            |time: f64, update| script.messages.push(TimedMessage { time, said: Said::Server(update) });
        say(0.0, server.create(server.description(&place(x, y))));
        for _ in 0..150 {
            time += [0.05, 0.2, 0.2, 0.2, 0.4, 1.0, 2.6][dice(7) as usize];
            let way = [0.0, 0.4, 0.8, 0.8, -0.8, 3.0, 12.0, -30.0][dice(8) as usize];
            (x, y) = (x + way, y + [0.0, 0.0, 0.5, -0.5][dice(4) as usize]);
            let update = match dice(12) {
                0 => server.runs(1.0),
                1 => server.stands(),
                2 => server.teleport(&place(x, y)),
                3 => server.velocity(Vec3::new(0.0, 2.0, 4.0)),
                _ => server.position(&place(x, y)),
            };
            say(time, update);
        }
    }
    script.messages.sort_by(|one, other| one.time.total_cmp(&other.time));
    script
}

/// Returns whether a decision is a snap, a stall or a placement.
fn is_notable(decision: &Explanation) -> bool {
    match decision.decision {
        Happening::GivenUp { .. } => true,
        Happening::Snapped { reason, .. } => reason != PlaceReason::EntersWorld,
        Happening::Position { outcome: Outcome::Placed(reason), .. } => reason != PlaceReason::EntersWorld,
        _ => false,
    }
}

#[test]
fn every_snap_stall_and_placement_belongs_to_exactly_one_moment() {
    let mut notable = 0;
    for_each(|name, seen| {
        let mut wanted: Vec<String> = seen
            .log
            .decisions
            .iter()
            .filter(|(_, decision)| is_notable(decision))
            .map(|(entity, decision)| format!("{entity} {decision:?}"))
            .collect();
        let mut told: Vec<String> = seen
            .moments
            .iter()
            .flat_map(|moment| moment.decisions.iter().map(|of| format!("{} {of:?}", moment.entity)))
            .collect();
        notable += wanted.len();
        wanted.sort();
        told.sort();
        assert_eq!(told, wanted, "{name}");
        let placed = |moment: &&Moment| {
            moment.correction.is_some_and(|correction| correction.way == CorrectionWay::Placed)
        };
        assert_eq!(seen.moments.iter().filter(placed).count(), seen.log.snaps.len(), "{name}");
    });
    assert!(notable > 300, "only {notable} notable decisions were looked at");
}

#[test]
fn a_moment_lasts_at_most_three_seconds_unless_its_cause_does() {
    for_each(|name, seen| {
        for moment in seen.moments.iter() {
            let (length, cause) = (moment.to - moment.from, moment.cause.to - moment.cause.from);
            assert!(length >= 0.0 && cause >= 0.0, "{name}: {moment:?}");
            assert!(length <= MAX_MOMENT_SECS + 1e-6 || length <= cause + 1e-6, "{name}: {moment:?}");
        }
    });
}

#[test]
fn corrections_add_up_to_what_tracks_show() {
    let mut corrections = 0;
    for_each(|name, seen| {
        let rows = rows(&seen.tracks);
        let (mut told, mut shown) = (0.0, 0.0);
        for moment in seen.moments.iter() {
            let Some(correction) = moment.correction else { continue };
            if correction.way != CorrectionWay::Back {
                continue;
            }
            corrections += 1;
            let at = |time: f64| rows[&(moment.entity, micros(time))];
            shown += f64::from(at(correction.from).distance(at(correction.to)));
            told += correction.metres;
        }
        assert!((told - shown).abs() < 0.01, "{name}: moments say {told} m, tracks show {shown} m");
        // Placements are distances between simulated places, which events report.
        let snapped: f64 = seen.log.snaps.iter().map(|(.., metres)| metres).sum();
        let placed: f64 = seen
            .moments
            .iter()
            .filter_map(|moment| moment.correction)
            .filter(|correction| correction.way == CorrectionWay::Placed)
            .map(|correction| correction.metres)
            .sum();
        assert!((snapped - placed).abs() < 1e-6 * snapped.max(1.0), "{name}: {snapped} and {placed}");
    });
    assert!(corrections > 200, "only {corrections} corrections were looked at");
}

#[test]
fn scenarios_and_random_servers_show_nearly_every_kind() {
    let mut kinds = std::collections::BTreeSet::new();
    for_each(|_, seen| {
        for moment in seen.moments.iter() {
            kinds.insert(moment.kind);
            kinds.extend(&moment.also);
        }
    });
    let unseen: Vec<MomentKind> = MomentKind::ALL.into_iter().filter(|kind| !kinds.contains(kind)).collect();
    // `tests/kinds.rs` shows these.
    assert_eq!(unseen, [MomentKind::LostUpdates, MomentKind::LateCreation, MomentKind::MissingTable]);
}

#[test]
fn the_worst_comes_first_and_every_moment_has_a_paragraph() {
    for_each(|name, seen| {
        let ranks: Vec<f64> = seen.moments.iter().map(|moment| moment.severity.rank).collect();
        assert!(ranks.is_sorted_by(|one, other| one >= other), "{name}");
        for moment in seen.moments.iter() {
            let paragraph = evenstride_moments::sentence_of(moment, "It");
            assert!(paragraph.starts_with("It ") && paragraph.ends_with('.'), "{name}: {paragraph}");
            assert!(!paragraph.contains("NaN") && !paragraph.contains("inf"), "{name}: {paragraph}");
            // A position does not show how far the body has gone since.
            let goes_back = matches!(moment.kind, MomentKind::PullBack | MomentKind::Reversal);
            let shows = moment.cause.arrived.filter(|_| goes_back && paragraph.contains(" ahead."));
            assert!(shows.is_none_or(|arrived| moment.from - arrived < 1.01), "{name}: {paragraph}");
        }
    });
}

#[test]
fn looking_at_one_entity_finds_what_looking_at_all_finds() {
    let script = script_of("town-square", 3);
    let all = see(&script, Config::RETAIL).moments;
    let mut by_entity: BTreeMap<EntityId, Vec<&Moment>> = BTreeMap::new();
    all.iter().for_each(|moment| by_entity.entry(moment.entity).or_default().push(moment));
    assert!(by_entity.len() > 5);
    for (entity, moments) in by_entity {
        let options = ReplayOptions {
            config: Config::RETAIL,
            trace: TraceScope::One(entity),
            ..ReplayOptions::default()
        };
        let mut finder = MomentFinder::new(script.player).only(entity);
        let _ = replay(&script, &options, &mut finder);
        assert_eq!(finder.finish().iter().collect::<Vec<_>>(), moments);
    }
}

#[test]
fn a_standing_crowd_shows_nothing() {
    let script = script_of("stand", 1);
    let seen = see(&script, Config::GLIDE);
    let kinds: Vec<MomentKind> = seen.moments.iter().map(|moment| moment.kind).collect();
    assert_eq!(kinds, []);
}

/// Returns every drawn position by entity and time.
fn rows(tracks: &TrackColumns) -> BTreeMap<(EntityId, i64), Vec3> {
    let origin = tracks.drawn_cell.first().map(|cell| cell.landblock());
    (0..tracks.len())
        .map(|row| {
            let block = tracks.drawn_cell[row].landblock();
            let corner = origin.map_or(Vec3::ZERO, |origin| origin.offset_to(block));
            let at = corner + Vec3::from_array(tracks.drawn_position[row]);
            ((tracks.entity[row], micros(tracks.time[row])), at)
        })
        .collect()
}

fn micros(time: f64) -> i64 {
    (time * 1e6).round() as i64
}
