//! The local player: keys, jumps and a view.

use evenstride::player::{Ahead, Autonomy, Controller, Input, JumpError, NoPlayerError, Side, Skills};
use evenstride_types::{EntityId, update::MotionCommand};

use super::{EvWorld, with};
use crate::{
    place::{EvPlace, EvVec3, time},
    pointers::{In, Out, at},
    status::{EvStatus, Fault},
};

/// Keys that are down.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvInput {
    /// 1 forward, -1 back, 0 neither.
    pub ahead: i8,
    /// 1 right, -1 left, 0 neither.
    pub aside: i8,
    /// 1 right, -1 left, 0 neither.
    pub turn: i8,
    /// 1 if the run key is down.
    pub run: u8,
    /// Stance. 0 means the peace stance.
    pub style: u32,
}

/// State of the local player.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvPlayer {
    /// Entity of the player.
    pub entity: u32,
    /// 1 if the server moves the player, 0 if the keys do.
    pub is_moved_by_server: u32,
    /// Place after the last step. Cell 0 means outside the world.
    pub place: EvPlace,
    /// Last place that the server reported. Cell 0 means none.
    pub heard: EvPlace,
    /// 1 on walkable ground.
    pub is_grounded: u32,
    /// 1 during a teleport.
    pub is_teleporting: u32,
    /// Charge of a jump from 0.001 to 1, or 0.
    pub charge: f32,
    /// `EV_AUTONOMY_SERVER` and its neighbours.
    pub autonomy: u32,
    /// Used length of the tether in metres, negative while it is off.
    pub tether_used: f32,
    /// Total length of the tether in metres, negative while it is off.
    pub tether_length: f32,
}

/// The server decides where the player is.
pub const EV_AUTONOMY_SERVER: u32 = 0;
/// The server decides, but the player keeps its own heading.
pub const EV_AUTONOMY_SERVER_BUT_HEADING: u32 = 1;
/// The player decides, within its tether.
pub const EV_AUTONOMY_PLAYER: u32 = 2;

fn no_player(error: NoPlayerError) -> Fault {
    Fault::new(EvStatus::NoPlayer, error.to_string())
}

fn no_jump(error: JumpError) -> Fault {
    let status = if error == JumpError::NoLocalPlayer { EvStatus::NoPlayer } else { EvStatus::Refused };
    Fault::new(status, error.to_string())
}

/// Sets the local player. The entity may be created later. 0 removes the local player.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_set_local_player(
    world: *mut EvWorld,
    seconds: f64,
    entity: u32,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    with(unsafe { at(world) }, |world| {
        let player = (entity != 0).then(|| EntityId::new(entity));
        world.world.set_local_player(time(seconds)?, player);
        Ok(())
    })
}

/// Sets how well the local player runs and jumps. `load` is the carried weight as a fraction of the
/// capacity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_set_skills(
    world: *mut EvWorld,
    run: u32,
    jump: u32,
    load: f32,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    with(unsafe { at(world) }, |world| {
        if !load.is_finite() {
            return Err(Fault::invalid("load", format!("{load} is not a number")));
        }
        world.world.set_skills(Skills { run, jump, load }).map_err(no_player)
    })
}

/// Sets the run skill that comes closest to a run rate, as a server's messages show it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_set_run_rate(world: *mut EvWorld, rate: f32) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    with(unsafe { at(world) }, |world| {
        if !rate.is_finite() {
            return Err(Fault::invalid("rate", format!("{rate} is not a number")));
        }
        world.world.set_skills(Skills::running_at(rate)).map_err(no_player)
    })
}

/// Sets the side that decides where the player is: `EV_AUTONOMY_SERVER` and its neighbours.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_set_autonomy(world: *mut EvWorld, autonomy: u32) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    with(unsafe { at(world) }, |world| {
        let autonomy = match autonomy {
            EV_AUTONOMY_SERVER => Autonomy::Server,
            EV_AUTONOMY_SERVER_BUT_HEADING => Autonomy::ServerButHeading,
            EV_AUTONOMY_PLAYER => Autonomy::Player,
            other => return Err(Fault::invalid("autonomy", format!("{other} is not 0, 1 or 2"))),
        };
        world.world.set_autonomy(autonomy).map_err(no_player)
    })
}

/// Sets the keys that are down from `seconds` on. A change queues a message to the server.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_set_input(
    world: *mut EvWorld,
    seconds: f64,
    input: *const EvInput,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, input) = unsafe { (at(world), In::one(input)) };
    with(world, |world| {
        let (now, input) = (time(seconds)?, input.value("input")?.check()?);
        world.world.set_input(now, input, &world.ground).map_err(no_player)?;
        world.ground.faults()
    })
}

impl EvInput {
    fn check(&self) -> Result<Input, Fault> {
        let side = |name: &str, value: i8| match value {
            0 => Ok(None),
            1 => Ok(Some(Side::Right)),
            -1 => Ok(Some(Side::Left)),
            other => Err(Fault::invalid(name, format!("{other} is not 1, 0 or -1"))),
        };
        let ahead = match self.ahead {
            0 => None,
            1 => Some(Ahead::Forward),
            -1 => Some(Ahead::Back),
            other => return Err(Fault::invalid("ahead", format!("{other} is not 1, 0 or -1"))),
        };
        let style = if self.style == 0 { MotionCommand::NON_COMBAT } else { MotionCommand(self.style) };
        Ok(Input {
            ahead,
            aside: side("aside", self.aside)?,
            turn: side("turn", self.turn)?,
            run: self.run != 0,
            style,
        })
    }
}

/// Begins to charge a jump, when the jump key goes down.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_charge_jump(world: *mut EvWorld, seconds: f64) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    with(unsafe { at(world) }, |world| {
        world.world.charge_jump(time(seconds)?, &world.ground).map_err(no_jump)?;
        world.ground.faults()
    })
}

/// Jumps, when the jump key goes up. `velocity` gets the velocity in metres per second, and may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_jump(world: *mut EvWorld, seconds: f64, velocity: *mut EvVec3) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), Out::new(velocity)) };
    with(world, |world| {
        out.set(world.world.jump(time(seconds)?, &world.ground).map_err(no_jump)?.into());
        world.ground.faults()
    })
}

/// Writes the state of the local player.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_player(world: *const EvWorld, player: *mut EvPlayer) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), Out::new(player)) };
    with(world, |world| {
        out.check("player")?;
        let view = world.world.player().ok_or_else(|| no_player(NoPlayerError))?;
        let [tether_used, tether_length] = view.tether.unwrap_or([-1.0; 2]);
        out.set(EvPlayer {
            entity: view.entity.raw(),
            is_moved_by_server: (view.controller == Controller::Server).into(),
            place: view.place.map(EvPlace::from).unwrap_or_default(),
            heard: view.heard.map(EvPlace::from).unwrap_or_default(),
            is_grounded: view.is_grounded.into(),
            is_teleporting: view.is_teleporting.into(),
            charge: view.charge.unwrap_or(0.0),
            autonomy: match view.autonomy {
                Autonomy::Server => EV_AUTONOMY_SERVER,
                Autonomy::ServerButHeading => EV_AUTONOMY_SERVER_BUT_HEADING,
                Autonomy::Player => EV_AUTONOMY_PLAYER,
            },
            tether_used,
            tether_length,
        });
        Ok(())
    })
}
