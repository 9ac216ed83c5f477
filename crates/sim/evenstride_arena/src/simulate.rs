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
    let mut server = SimulatedServer::new(scenario, seed);
    let mut again: Vec<(f64, Vec<u8>)> = Vec::new();
    while let Some(Tick { time: now, messages }) = server.tick() {
        if server.ticks().is_multiple_of(TOLD_EVERY) {
            tell(now / scenario.seconds);
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
    let names = server.names();
    Ok(Simulated { pcap: tape.finish()?, truth: server.truth, names, link: link.stats() })
}

/// The server of a scenario, tick by tick, without a network.
///
/// ```
/// use evenstride_arena::{SimulatedServer, scenario};
///
/// let scenario = scenario("walk").ok_or("unknown scenario")??;
/// let mut server = SimulatedServer::new(&scenario, 1);
/// let first = server.tick().ok_or("over")?;
/// assert_eq!(first.time, 0.0);
/// assert!(first.messages.len() > 1, "the viewer and the actors appear");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SimulatedServer {
    seconds: f64,
    world: ServerWorld,
    actors: Vec<Actor>,
    stand_in: Actor,
    truth: BTreeMap<EntityId, Vec<Truth>>,
    ticks: u32,
}

/// What a simulated server sends to its viewer at one time.
#[derive(Clone, Debug)]
pub struct Tick {
    /// Time in seconds since the start.
    pub time: f64,
    /// Messages, in order.
    pub messages: Vec<Message>,
}

impl SimulatedServer {
    /// Creates the server of a scenario. The same scenario and seed give the same messages.
    pub fn new(scenario: &Scenario, seed: u64) -> Self {
        let mut random = Random::seeded(seed ^ 0x0A6E_4A00);
        let library = Arc::new(MotionLibrary::built_in_with_ramps(scenario.ramps));
        let world = ServerWorld::new(scenario.ground, &library);
        let actors = cast(scenario, &library, &mut random);
        let stand_in = viewer(scenario, &library, &mut random);
        Self { seconds: scenario.seconds, world, actors, stand_in, truth: BTreeMap::new(), ticks: 0 }
    }

    /// Plays the next tick, 30 per second. Returns `None` after the end of the scenario.
    pub fn tick(&mut self) -> Option<Tick> {
        if self.ticks > (self.seconds * f64::from(RATE)) as u32 {
            return None;
        }
        let now = self.next_time();
        let is_first = self.ticks == 0;
        self.ticks += 1;
        // Rounding must not leave a tick to the next one.
        let time = SimTime::from_secs(now + 1e-6).unwrap_or(SimTime::ZERO);
        self.world.advance(time);
        self.actors.iter_mut().for_each(|actor| actor.advance(time, &mut self.world));
        let mut messages = Vec::new();
        if is_first {
            messages.push(Message::Update(Update::LocalPlayer(VIEWER)));
        }
        messages.extend(self.stand_in.tick(time, &[], &mut self.world));
        let others: Vec<(String, EntityId, Placement)> =
            self.actors.iter().map(|actor| (actor.name.clone(), actor.entity(), actor.place())).collect();
        for actor in &mut self.actors {
            messages.extend(actor.tick(time, &others, &mut self.world));
            if let Some(place) = actor.truth() {
                self.truth.entry(actor.entity()).or_default().push(Truth { time: now, place });
            }
        }
        Some(Tick { time: now, messages })
    }

    /// Returns the time of the next tick in seconds.
    pub fn next_time(&self) -> f64 {
        f64::from(self.ticks) / f64::from(RATE)
    }

    /// Returns the number of ticks played.
    pub const fn ticks(&self) -> u32 {
        self.ticks
    }

    /// Returns the names of the actors.
    pub fn names(&self) -> BTreeMap<EntityId, String> {
        self.actors.iter().map(|actor| (actor.entity(), actor.name.clone())).collect()
    }
}

impl std::fmt::Debug for SimulatedServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SimulatedServer")
            .field("seconds", &self.seconds)
            .field("actors", &self.actors.len())
            .field("ticks", &self.ticks)
            .finish_non_exhaustive()
    }
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
