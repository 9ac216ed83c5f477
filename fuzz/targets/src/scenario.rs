//! Any text as a scenario: an error with its line, or a scenario that can be written again and simulated.

use std::fmt::Write as _;

use evenstride_arena::{ActorKind, ActorSpec, Cue, Ground, Scenario, Verb, simulate};

/// Largest number of simulated seconds, all actors together.
const MAX_SECONDS: f64 = 4.0;

/// Parses any text as a scenario, and simulates it if it is short.
pub fn scenario(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let scenario = match Scenario::parse(text) {
        Ok(scenario) => scenario,
        Err(error) => {
            assert!((1..=text.split('\n').count()).contains(&error.line), "{error}");
            assert!(!error.what.trim().is_empty());
            return;
        }
    };
    let written = written(&scenario);
    assert_eq!(Scenario::parse(&written).as_ref(), Ok(&scenario), "written as\n{written}");
    let actors: u32 = scenario.actors.iter().map(|actor| actor.count).sum();
    if f64::from(actors + 1) * scenario.seconds <= MAX_SECONDS {
        let simulated = simulate(&scenario, 1).expect("a valid scenario can be simulated");
        assert_eq!(simulated.names.len(), actors as usize);
        let again = simulate(&scenario, 1).expect("a valid scenario can be simulated");
        assert!(simulated.pcap == again.pcap, "the same scenario gives the same capture");
    }
}

/// Writes a scenario as text.
fn written(scenario: &Scenario) -> String {
    let Scenario { title, seconds, viewer, fps, link, outages, ground, ramps, actors } = scenario;
    let mut text = format!("title = {}\nseconds = {seconds:?}\nfps = {fps:?}\n", quoted(title));
    text += &format!("viewer = {}\nramps = {:?}\n", pair(viewer), f64::from(*ramps));
    let outages: Vec<String> =
        outages.iter().map(|outage| format!("[{:?}, {:?}]", outage.from, outage.to)).collect();
    text += &format!("outages = [{}]\n", outages.join(", "));
    let ground = match ground {
        Ground::Flat => "flat".to_owned(),
        Ground::Slope(rise) => format!("slope {rise}"),
        Ground::Stairs => "stairs".to_owned(),
        Ground::Room => "room".to_owned(),
    };
    text += &format!("ground = {}\n", quoted(&ground));
    // Only a preset sets the length of the queue.
    let preset = if link.queue_bytes == 64 << 10 { "perfect" } else { "modem-1999" };
    text += &format!(
        "[link]\npreset = \"{preset}\"\nseed = {}\nlatency = {:?}\njitter = {:?}\nloss = {:?}\nreorder = [{:?}, {:?}]\nduplicate = {:?}\n",
        link.seed,
        link.latency_secs,
        link.jitter_secs,
        link.loss,
        link.reorder,
        link.reorder_secs,
        link.duplicate
    );
    if let Some(burst) = link.burst {
        text += &format!("burst = [{:?}, {:?}, {:?}]\n", burst.enter, burst.leave, burst.loss);
    }
    if let Some(bytes) = link.bytes_per_sec {
        text += &format!("bytes_per_sec = {bytes}\n");
    }
    actors.iter().for_each(|actor| text += &actor_text(actor));
    text
}

fn actor_text(actor: &ActorSpec) -> String {
    let kind = match actor.kind {
        ActorKind::Player => "player",
        ActorKind::Creature => "creature",
        ActorKind::Projectile => "projectile",
    };
    let cues: Vec<String> = actor.cues.iter().map(|cue| quoted(&cue_text(cue))).collect();
    format!(
        "[[actor]]\nname = {}\nkind = \"{kind}\"\ncount = {}\nat = {}\nfacing = {:?}\nrun_rate = {:?}\nscript = [{}]\n",
        quoted(&actor.name),
        actor.count,
        pair(&actor.at),
        f64::from(actor.facing),
        f64::from(actor.run_rate),
        cues.join(", ")
    )
}

fn cue_text(cue: &Cue) -> String {
    let point = |[x, y]: &[f32; 2]| format!("{x} {y}");
    let verb = match &cue.verb {
        Verb::Stand => "stand".to_owned(),
        Verb::Walk(speed) => format!("walk {speed}"),
        Verb::Run(speed) => format!("run {speed}"),
        Verb::Back => "back".to_owned(),
        Verb::Strafe(side) => format!("strafe {}", if *side < 0.0 { "left" } else { "right" }),
        Verb::Turn(speed) => format!("turn {speed}"),
        Verb::Jump(speed) => format!("jump {speed}"),
        Verb::Teleport(to) => format!("teleport {}", point(to)),
        Verb::Go(to) => format!("go {}", point(to)),
        Verb::Chase(whom) => format!("chase {whom}"),
        Verb::Flee(whom) => format!("flee {whom}"),
        Verb::Patrol(points) => format!("patrol {}", points.iter().map(point).collect::<Vec<_>>().join(" ")),
        Verb::Strike(whom) => format!("strike {whom}"),
        Verb::Wander => "wander".to_owned(),
        Verb::Die => "die".to_owned(),
        Verb::Vanish => "vanish".to_owned(),
    };
    format!("{:?} {verb}", cue.at)
}

fn pair(pair: &[f32; 2]) -> String {
    format!("[{:?}, {:?}]", f64::from(pair[0]), f64::from(pair[1]))
}

/// Returns text as a string of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            character if character.is_control() => _ = write!(quoted, "\\u{:04X}", u32::from(character)),
            character => quoted.push(character),
        }
    }
    quoted + "\""
}
