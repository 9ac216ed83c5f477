//! Each kind of moment, from the smallest story that shows it.

use evenstride::Config;
use evenstride_moments::{Moment, MomentFinder, MomentKind, Moments, Reason, Remedy, sentence_of};
use evenstride_replay::{ReplayOptions, Said, Script, TimedMessage, TraceScope, replay};
use evenstride_types::{
    CellId, EntityId, Heading, Placement, Pose, Rotation, Stamp,
    update::{DeleteUpdate, ServerEntity, Update},
};

const DRUDGE: EntityId = EntityId::new(0x8000_0001);

/// A drudge and what its server says about it.
struct Told {
    server: ServerEntity,
    script: Script,
    time: f64,
    facing: f32,
}

impl Told {
    /// A drudge stands 60 m east of the corner of its landblock.
    fn drudge() -> Self {
        let mut told = Self::unseen();
        let place = told.place(60.0);
        let create = told.server.create(told.server.description(&place));
        told.say(create);
        told.after(1.0)
    }

    fn unseen() -> Self {
        Self { server: ServerEntity::new(DRUDGE), script: Script::default(), time: 0.0, facing: 90.0 }
    }

    fn place(&self, x: f32) -> Placement {
        let rotation = Rotation::facing(Heading::from_degrees(self.facing).unwrap());
        let pose = Pose::new([x, 60.0, 12.0], rotation).unwrap();
        Placement::new(CellId::new(0xA9B4_0001).unwrap(), pose).settled_outdoors().unwrap()
    }

    fn say(&mut self, update: Update) {
        self.script.messages.push(TimedMessage { time: self.time, said: Said::Server(update) });
    }

    fn after(mut self, secs: f64) -> Self {
        self.time += secs;
        self
    }

    fn at(mut self, x: f32) -> Self {
        let place = self.place(x);
        let update = self.server.position(&place);
        self.say(update);
        self
    }

    fn runs(mut self) -> Self {
        let update = self.server.runs(1.0);
        self.say(update);
        self
    }

    fn stands(mut self) -> Self {
        let update = self.server.stands();
        self.say(update);
        self
    }

    fn facing(mut self, degrees: f32) -> Self {
        self.facing = degrees;
        self
    }

    /// Runs at 4 m/s with five positions per second, as its animation does.
    fn runs_on(mut self, from: f32, positions: u32) -> Self {
        for number in 1..=positions {
            self = self.after(0.2).at(from + 0.8 * number as f32);
        }
        self
    }

    fn seen(&self, config: Config) -> Moments {
        let options = ReplayOptions { config, trace: TraceScope::All, ..ReplayOptions::default() };
        let mut finder = MomentFinder::new(None);
        let _ = replay(&self.script, &options, &mut finder);
        finder.finish()
    }

    /// Returns the worst moment, which must be of this kind.
    fn shows(&self, kind: MomentKind, config: Config) -> Moment {
        let moments = self.seen(config);
        let worst = moments.iter().next().unwrap_or_else(|| panic!("no {kind}")).clone();
        assert_eq!(worst.kind, kind, "{}", sentence_of(&worst, "The drudge"));
        worst
    }
}

#[test]
fn even_running_shows_nothing() {
    for config in [Config::SMOOTH, Config::GLIDE] {
        let told = Told::drudge().runs().runs_on(60.0, 40);
        let end = told.time;
        let seen = told.stands().after(0.2).at(92.0).seen(config);
        let before: Vec<&Moment> = seen.iter().filter(|moment| moment.from < end).collect();
        assert!(before.is_empty(), "{before:#?}");
    }
}

#[test]
fn silence_while_the_legs_run_on_is_a_pull_back() {
    // It stops right after the last of ten positions, and is not heard of for 1.2 s.
    let told = Told::drudge().runs().runs_on(60.0, 10).after(1.2).at(68.4).after(0.2).at(68.4);
    let moment = told.shows(MomentKind::PullBack, Config::RETAIL);
    assert_eq!(moment.cause.reason, Reason::UpdateGap);
    let off = |one: Option<f64>, other: f64| (one.unwrap() - other).abs();
    assert!(off(moment.cause.gap, 1.2) < 0.03 && off(moment.cause.usual_gap, 0.2) < 0.03, "{moment:?}");
    assert!(off(moment.cause.due, 3.2) < 0.03 && off(moment.cause.arrived, 4.2) < 0.03, "{moment:?}");
    let meanwhile = moment.cause.meanwhile.unwrap();
    assert_eq!(meanwhile.moved_by, "legs");
    assert!((meanwhile.body_metres - 4.8).abs() < 0.3 && (meanwhile.entity_metres - 0.4).abs() < 0.01);
    assert!((moment.severity.metres - 4.3).abs() < 0.4, "{moment:?}");
    assert!(moment.cause.remedies.contains(&Remedy::Glide));
    assert!(moment.also.contains(&MomentKind::Overshoot), "{:?}", moment.also);
    let words = sentence_of(&moment, "The drudge");
    assert!(words.starts_with("The drudge was pulled back 4."), "{words}");
    assert!(words.contains("No position arrived for 1.20 s"), "{words}");
    // Glide waits instead.
    told.shows(MomentKind::Overshoot, Config::GLIDE);
}

#[test]
fn an_entity_that_turns_round_itself_is_not_pulled_back() {
    let mut told = Told::drudge().runs().runs_on(60.0, 10).facing(270.0).runs();
    for number in 1..=10 {
        told = told.after(0.2).at(68.0 - 0.8 * number as f32);
    }
    let seen = told.seen(Config::SMOOTH);
    let backward = |moment: &&Moment| matches!(moment.kind, MomentKind::PullBack | MomentKind::Reversal);
    let back: f64 = seen.iter().filter(backward).map(|moment| moment.severity.metres).sum();
    assert!(back < 1.0, "only the way that it went too far, not {back} m");
}

#[test]
fn positions_without_a_movement_message_make_it_stop_and_go() {
    let moment = Told::drudge().runs_on(60.0, 30).shows(MomentKind::StopAndGo, Config::RETAIL);
    assert_eq!(moment.cause.reason, Reason::WaitedForPositions);
    assert!(moment.to - moment.from > 4.0 && moment.severity.seconds > 1.0, "{moment:?}");
}

#[test]
fn a_standing_animation_under_a_moving_body_is_a_slide() {
    let told = (1..=6).fold(Told::drudge(), |told, number| told.after(1.0).at(60.0 + 7.0 * number as f32));
    let seen = told.seen(Config::RETAIL);
    let is_slide =
        |moment: &Moment| moment.kind == MomentKind::Slide || moment.also.contains(&MomentKind::Slide);
    assert!(seen.iter().any(is_slide), "{seen:#?}");
}

#[test]
fn a_body_without_steps_freezes_in_a_gap() {
    let told = Told::drudge().runs_on(60.0, 3).after(2.0).at(70.4).runs_on(70.4, 2);
    let moment = told.shows(MomentKind::Frozen, Config::RETAIL);
    assert!(moment.severity.seconds > 1.0, "{moment:?}");
    assert!(sentence_of(&moment, "The drudge").starts_with("The drudge stood still for 1."), "{moment:?}");
}

#[test]
fn a_position_far_away_is_a_snap_and_a_teleport_is_a_teleport() {
    let moment =
        Told::drudge().at(61.0).after(1.0).at(185.0).after(1.0).shows(MomentKind::Snap, Config::RETAIL);
    assert_eq!(moment.cause.reason, Reason::TooFar);
    assert!((moment.severity.metres - 124.0).abs() < 1.0, "{moment:?}");
    let mut told = Told::drudge();
    let place = told.place(120.0);
    let update = told.server.teleport(&place);
    told.say(update);
    let moment = told.shows(MomentKind::Teleport, Config::GLIDE);
    assert!((moment.severity.metres - 60.0).abs() < 0.1 && moment.decisions.len() == 1, "{moment:?}");
}

#[test]
fn an_abrupt_heading_is_a_flick() {
    let moment =
        Told::drudge().at(60.5).after(0.5).facing(250.0).at(61.0).shows(MomentKind::Flick, Config::RETAIL);
    assert!(moment.severity.degrees > 100.0, "{moment:?}");
}

#[test]
fn a_hole_in_movement_stamps_is_a_loss() {
    let mut told = Told::drudge().runs();
    let _ = (told.server.stands(), told.server.runs(1.0));
    let moment = told.after(1.0).stands().seen(Config::GLIDE);
    let lost = moment.iter().find(|moment| moment.kind == MomentKind::LostUpdates).unwrap();
    assert_eq!(lost.cause.reason, Reason::MissingStamps { count: 2 });
}

#[test]
fn a_position_before_the_description_is_a_late_creation() {
    let mut told = Told::unseen().at(60.0).after(2.0);
    let create = told.server.create(told.server.description(&told.place(60.0)));
    told.say(create);
    let moment = told.after(1.0).at(60.0).shows(MomentKind::LateCreation, Config::GLIDE);
    assert!((moment.severity.seconds - 2.0).abs() < 0.05, "{moment:?}");
    assert_eq!(moment.cause.reason, Reason::LateDescription { count: 1 });
}

#[test]
fn an_unknown_motion_table_is_named() {
    let mut told = Told::unseen();
    let mut physics = told.server.description(&told.place(60.0));
    physics.resources.motion_table = Some(0x0900_0777);
    let create = told.server.create(physics);
    told.say(create);
    let told = told.after(0.5).runs().runs_on(60.0, 5);
    let seen = told.seen(Config::GLIDE);
    let missing = seen.iter().find(|moment| moment.kind == MomentKind::MissingTable).unwrap();
    assert_eq!(missing.cause.reason, Reason::TableNotLoaded { table: 0x0900_0777 });
    let words = sentence_of(missing, "The drudge");
    assert!(words.contains("0x09000777") && words.contains("--dat client_portal.dat"), "{words}");
}

#[test]
fn an_entity_that_stood_for_a_minute_has_no_gap() {
    let told = Told::drudge().at(61.0).after(60.0).runs().after(0.2).at(61.4).runs_on(61.4, 5);
    let seen = told.seen(Config::GLIDE);
    let gaps = seen.iter().filter(|moment| moment.kind == MomentKind::Gap).count();
    assert_eq!(gaps, 0, "servers send nothing about an entity that stands");
}

#[test]
fn a_body_that_stood_before_its_entity_set_out_is_not_frozen_since_then() {
    // It stands for a minute, then a position repeats, and the next one is 4 m away.
    let told = Told::drudge()
        .at(60.0)
        .after(60.0)
        .runs()
        .after(0.5)
        .at(60.0)
        .after(2.0)
        .at(64.0)
        .after(0.2)
        .at(64.8);
    for config in [Config::RETAIL, Config::SMOOTH, Config::GLIDE] {
        for moment in told.seen(config).iter() {
            assert!(moment.severity.seconds < 4.0 && moment.from > 60.0, "{moment:?}");
        }
    }
}

#[test]
fn silence_after_a_stop_message_is_no_gap() {
    let told =
        Told::drudge().runs().runs_on(60.0, 10).after(0.1).stands().after(60.0).at(69.0).after(0.2).at(69.0);
    let seen = told.seen(Config::GLIDE);
    assert!(seen.iter().all(|moment| moment.kind != MomentKind::Gap), "{seen:#?}");
}

#[test]
fn all_updates_before_the_description_are_counted() {
    let mut told = Told::unseen().at(60.0).runs_on(60.0, 9).after(1.0);
    let create = told.server.create(told.server.description(&told.place(67.2)));
    told.say(create);
    let seen = told.after(1.0).at(67.2).seen(Config::GLIDE);
    let late = seen.iter().find(|moment| moment.kind == MomentKind::LateCreation).unwrap();
    assert_eq!(late.cause.reason, Reason::LateDescription { count: 10 });
}

#[test]
fn a_movement_of_an_earlier_life_is_no_loss() {
    let mut told = Told::drudge().runs().after(0.5);
    let mut late = told.server.clone().stands();
    if let Update::Movement(update) = &mut late {
        update.instance = Stamp::new(update.instance.raw().wrapping_sub(1));
        update.movement.stamp = Stamp::new(500);
    }
    told.say(late);
    let told = told.after(0.5).stands();
    let seen = told.seen(Config::GLIDE);
    assert!(seen.iter().all(|moment| moment.kind != MomentKind::LostUpdates), "{seen:#?}");
}

#[test]
fn a_missing_table_lasts_as_long_as_its_entity() {
    let mut told = Told::unseen();
    let mut physics = told.server.description(&told.place(60.0));
    physics.resources.motion_table = Some(0x0900_0777);
    let create = told.server.create(physics);
    told.say(create);
    let mut told = told.after(0.5).runs().runs_on(60.0, 5).after(1.0);
    let end = told.time;
    let instance = told.script.messages.iter().find_map(|message| match &message.said {
        Said::Server(Update::Movement(update)) => Some(update.instance),
        _ => None,
    });
    told.say(Update::Delete(DeleteUpdate { entity: DRUDGE, instance: instance.unwrap() }));
    let mut other = ServerEntity::new(EntityId::new(0x8000_0002));
    let (later, place) = (end + 30.0, told.place(90.0));
    let update = other.position(&place);
    told.script.messages.push(TimedMessage { time: later, said: Said::Server(update) });
    let seen = told.seen(Config::GLIDE);
    let missing = seen.iter().find(|moment| moment.kind == MomentKind::MissingTable).unwrap();
    assert!((missing.to - end).abs() < 0.1, "{missing:?}");
}

#[test]
fn the_document_lists_every_kind_with_its_meaning() {
    let page = include_str!("../../../../docs/moments.md");
    for kind in MomentKind::ALL {
        let row = format!("| `{}` | {} |", kind.name(), kind.meaning());
        assert!(page.contains(&row), "docs/moments.md lacks: {row}");
    }
}
