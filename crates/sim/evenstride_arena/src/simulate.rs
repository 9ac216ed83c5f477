//! Simulates a scenario: the actors, the server's messages, and the datagrams that arrive.

use std::{collections::BTreeMap, sync::Arc};

use evenstride::animation::MotionLibrary;
use evenstride_capture::{Session, Timeline, read};
use evenstride_link::{Link, LinkError, LinkStats, Random, Sent, Verdict};
use evenstride_replay::{Recorder, Script, Tape, Truth};
use evenstride_types::{EntityId, Placement, SimTime, update::Update};
use evenstride_wire::Message;

use crate::{
    actor::{Actor, RATE, ServerWorld},
    scenario::{ActorKind, ActorSpec, Scenario},
};

/// The viewer's entity.
pub const VIEWER: EntityId = EntityId::new(0x5000_0001);

/// First ids of players, and of creatures and projectiles.
const FIRST_PLAYER: u32 = 0x5000_0002;
const FIRST_CREATURE: u32 = 0x8000_0010;

/// Seconds between a loss and the retransmission, besides the round trip. The client has to notice
/// the loss first.
pub(crate) const NOTICED_SECS: f64 = 0.25;

/// Ticks between two reports of progress.
const TOLD_EVERY: u32 = 64;

/// The result of a simulation.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// The recording of the viewer's client, as a pcap.
    pub pcap: Vec<u8>,
    /// The true place of every actor at every server tick, while other clients could see it.
    pub truth: BTreeMap<EntityId, Vec<Truth>>,
    /// Names of the actors.
    pub names: BTreeMap<EntityId, String>,
    /// Statistics of the network.
    pub link: LinkStats,
}

impl Simulated {
    /// Returns the messages that reached the viewer's client, as a script.
    pub fn script(&self) -> Script {
        let mut session = Session::new(Recorder::new("simulated", Timeline::default()));
        // A capture written by this crate is readable.
        let _ = read(self.pcap.as_slice(), &mut session);
        Script::of(vec![(session.listener.finish(None), 0.0)], Some(VIEWER))
    }
}

/// The reason why a scenario cannot be simulated.
#[derive(Debug, thiserror::Error)]
pub enum SimulateError {
    /// The link is invalid.
    #[error("link: {0}")]
    Link(#[from] LinkError),
    /// A datagram could not be written.
    #[error("writing the capture: {0}")]
    Write(#[from] std::io::Error),
}

/// Simulates a scenario. The same scenario and seed give the same bytes.
///
/// # Errors
/// [`SimulateError`] if the link is invalid or the capture cannot be written.
pub fn simulate(scenario: &Scenario, seed: u64) -> Result<Simulated, SimulateError> {
    simulate_telling(scenario, seed, &mut |_| {})
}

/// Does what [`simulate`] does, and tells the done part of the work from 0 to 1.
///
/// # Errors
/// [`SimulateError`] if the link is invalid or the capture cannot be written.
pub fn simulate_telling(
    scenario: &Scenario,
    seed: u64,
    tell: &mut dyn FnMut(f64),
) -> Result<Simulated, SimulateError> {
    let mut random = Random::seeded(seed ^ 0x0A6E_4A00);
    let mut link = Link::new(scenario.link.seed(scenario.link.seed ^ seed))?;
    for outage in scenario.outages.clone() {
        let latency = scenario.link.latency_secs;
        link.add_rule(move |_: &[u8], now: f64| {
            if (outage.from..outage.to).contains(&now) {
                Verdict::Deliver { after_secs: outage.to - now + latency }
            } else {
                Verdict::Pass
            }
        });
    }
    let mut tape = Tape::new()?;
    let library = Arc::new(MotionLibrary::built_in_with_ramps(scenario.ramps));
    let mut world = ServerWorld::new(scenario.ground, &library);
    let mut actors = cast(scenario, &library, &mut random);
    let mut stand_in = viewer(scenario, &library, &mut random);
    let mut truth: BTreeMap<EntityId, Vec<Truth>> = BTreeMap::new();
    let mut again: Vec<(f64, Vec<u8>)> = Vec::new();
    for tick in 0..=(scenario.seconds * f64::from(RATE)) as u32 {
        let now = f64::from(tick) / f64::from(RATE);
        // Rounding must not leave a tick to the next one.
        let time = SimTime::from_secs(now + 1e-6).unwrap_or(SimTime::ZERO);
        if tick.is_multiple_of(TOLD_EVERY) {
            tell(now / scenario.seconds);
        }
        world.advance(time);
        actors.iter_mut().for_each(|actor| actor.advance(time, &mut world));
        let mut messages = Vec::new();
        if tick == 0 {
            messages.push(Message::Update(Update::LocalPlayer(VIEWER)));
        }
        messages.extend(stand_in.tick(time, &[], &mut world));
        let others: Vec<(String, EntityId, Placement)> =
            actors.iter().map(|actor| (actor.name.clone(), actor.entity(), actor.place())).collect();
        for actor in &mut actors {
            messages.extend(actor.tick(time, &others, &mut world));
            if let Some(place) = actor.truth() {
                truth.entry(actor.entity()).or_default().push(Truth { time: now, place });
            }
        }
        let mut datagrams = tape.server_datagrams(&messages);
        let due = again.iter().position(|(at, _)| *at > now).unwrap_or(again.len());
        datagrams.extend(again.drain(..due).map(|(_, payload)| payload));
        for payload in datagrams {
            // The protocol notices missing datagrams and requests them.
            if matches!(link.send(now, payload.clone()), Sent::Lost | Sent::QueueFull) {
                again.push((now + 2.0 * scenario.link.latency_secs + NOTICED_SECS, payload));
            }
        }
        while let Some(arrived) = link.receive(now) {
            tape.time = arrived.at;
            tape.arrived(&arrived.bytes)?;
        }
    }
    let names = actors.iter().map(|actor| (actor.entity(), actor.name.clone())).collect();
    Ok(Simulated { pcap: tape.finish()?, truth, names, link: link.stats() })
}

fn cast(scenario: &Scenario, library: &Arc<MotionLibrary>, random: &mut Random) -> Vec<Actor> {
    let (mut players, mut creatures) = (FIRST_PLAYER, FIRST_CREATURE);
    let mut actors = Vec::new();
    for spec in &scenario.actors {
        for number in 0..spec.count {
            let next = if spec.kind == ActorKind::Player { &mut players } else { &mut creatures };
            let entity = EntityId::new(*next);
            *next += 1;
            actors.push(Actor::new(spec, number, entity, scenario.ground, library, random));
        }
    }
    actors
}

/// Returns the viewer's actor. It stands still and is described like every other actor.
fn viewer(scenario: &Scenario, library: &Arc<MotionLibrary>, random: &mut Random) -> Actor {
    let spec = ActorSpec {
        name: "Viewer".to_owned(),
        kind: ActorKind::Player,
        count: 1,
        at: scenario.viewer,
        facing: 0.0,
        run_rate: 1.0,
        cues: Vec::new(),
    };
    Actor::new(&spec, 0, VIEWER, scenario.ground, library, random)
}
