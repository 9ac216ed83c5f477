//! The body of the fuzz target `calls`: sequences of calls with hostile arguments.
//!
//! It is here and not with the other targets, because calling C functions is unsafe. Pointers are null, or
//! valid for exactly the length that is passed, so that the address sanitiser sees each byte too many.

use std::{
    ffi::{CString, c_void},
    ptr::{null, null_mut},
};

use crate::*;

/// Most calls of one input.
const MAX_CALLS: usize = 200;

/// Takes any bytes as a sequence of calls on a world and a plain world. Panics if a promise is broken.
pub fn calls(data: &[u8]) {
    let mut bytes = Bytes { rest: data };
    let profile = ["RETAIL", "ACDREAM", "SMOOTH", "GLIDE", "SPECTATOR"][usize::from(bytes.byte()) % 5];
    let profile = CString::new(profile).unwrap_or_default();
    let (mut config, mut world, mut plain) = (null_mut(), null_mut(), null_mut());
    // SAFETY: all pointers are those of live variables.
    unsafe {
        must(ev_config_new(profile.as_ptr(), &raw mut config));
        let (name, value) = (bytes.text(), bytes.text());
        let _ = ev_config_set(config, name.as_ptr(), value.as_ptr());
        must(ev_world_new(config, 0.0, &raw mut world));
        must(ev_plain_new(config, bytes.word() % 5, 1.0, 3.0, 0.0, &raw mut plain));
        must(ev_config_free(config));
    }
    let mut host = Host { world, answers: data.to_vec(), next: 0 };
    let mut caller = Caller { bytes, world, plain, host: (&raw mut host).cast(), time: 0.0 };
    for _ in 0..MAX_CALLS {
        if caller.bytes.rest.is_empty() {
            break;
        }
        caller.call();
        caller.check();
    }
    // SAFETY: the handles are not used again.
    unsafe {
        must(ev_world_free(caller.world));
        must(ev_plain_free(caller.plain));
    }
}

/// Bytes that become arguments.
struct Bytes<'a> {
    rest: &'a [u8],
}

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.rest.split_first() else { return 0 };
        self.rest = rest;
        *first
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()])
    }

    fn long(&mut self) -> u64 {
        u64::from(self.word()) << 32 | u64::from(self.word())
    }

    /// Mostly a moderate number, sometimes any.
    fn float(&mut self) -> f32 {
        match self.byte() {
            255 => f32::from_bits(self.word()),
            small => f32::from(small) - 40.0,
        }
    }

    fn vector(&mut self) -> EvVec3 {
        EvVec3 { x: self.float(), y: self.float(), z: self.float() }
    }

    fn place(&mut self) -> EvPlace {
        let cell = if self.byte() < 240 { 0xA9B4_0001 } else { self.word() };
        let qw = if self.byte() < 240 { 1.0 } else { self.float() };
        EvPlace { cell, origin: self.vector(), qw, ..EvPlace::default() }
    }

    /// One of a few entities, so that calls meet.
    fn entity(&mut self) -> u32 {
        u32::from(self.byte() % 6)
    }

    fn text(&mut self) -> CString {
        let length = usize::from(self.byte() % 24).min(self.rest.len());
        let (text, rest) = self.rest.split_at(length);
        self.rest = rest;
        CString::new(text.iter().copied().filter(|byte| *byte != 0).collect::<Vec<u8>>()).unwrap_or_default()
    }

    /// Any bytes on a heap of their own.
    fn many(&mut self) -> Vec<u8> {
        let length = usize::from(self.byte()).min(self.rest.len());
        let (many, rest) = self.rest.split_at(length);
        self.rest = rest;
        many.to_vec()
    }
}

/// Geometry that answers with any bytes, and calls back.
struct Host {
    world: *mut EvWorld,
    answers: Vec<u8>,
    next: usize,
}

impl Host {
    fn byte(&mut self) -> u8 {
        self.next += 1;
        self.answers.get(self.next % self.answers.len().max(1)).copied().unwrap_or(0)
    }
}

unsafe extern "C-unwind" fn sweep(user: *mut c_void, _: *const EvSweep, swept: *mut EvSwept) -> u32 {
    // SAFETY: `calls` passes a live host, and the library a valid answer.
    let (host, swept) = unsafe { (&mut *user.cast::<Host>(), &mut *swept) };
    let mut count = 0;
    // SAFETY: the world is live, and refuses these calls.
    unsafe {
        assert_eq!(ev_world_len(host.world, &raw mut count), EvStatus::Busy);
        assert_eq!(ev_world_free(host.world), EvStatus::Busy);
    }
    let number = f32::from_bits(u32::from_le_bytes([host.byte(), host.byte(), host.byte(), host.byte()]));
    match host.byte() % 8 {
        0 => swept.at.origin.z = number,
        1 => swept.at.qx = number,
        2 => swept.contact = u32::from(host.byte()),
        3 => swept.normal.z = number,
        4 => swept.has_obstacle = u32::from(host.byte()),
        5 => swept.at.cell = number.to_bits(),
        _ => {}
    }
    u32::from(host.byte() % 3)
}

unsafe extern "C-unwind" fn place(user: *mut c_void, _: *const EvPlacing, placed: *mut EvPlaced) -> u32 {
    // SAFETY: as in `sweep`.
    let (host, placed) = unsafe { (&mut *user.cast::<Host>(), &mut *placed) };
    placed.contact = u32::from(host.byte() % 4);
    u32::from(host.byte() % 3)
}

unsafe extern "C-unwind" fn lands(user: *mut c_void, _: *const EvPlace) -> u32 {
    // SAFETY: as in `sweep`.
    u32::from(unsafe { &mut *user.cast::<Host>() }.byte() % 3)
}

/// The worlds of an input.
struct Caller<'a> {
    bytes: Bytes<'a>,
    world: *mut EvWorld,
    plain: *mut EvPlainWorld,
    host: *mut c_void,
    time: f64,
}

impl Caller<'_> {
    /// Makes one call. No call may panic or leave a poisoned handle.
    fn call(&mut self) {
        let status = match self.bytes.byte() % 4 {
            0 => self.feed(),
            1 => self.command(),
            2 => self.read(),
            _ => self.play(),
        };
        assert!(!matches!(status, EvStatus::Panicked | EvStatus::Poisoned | EvStatus::Busy), "{status:?}");
    }

    /// Messages and time.
    fn feed(&mut self) -> EvStatus {
        let Self { bytes, world, time, .. } = self;
        let mut disposition = EvDisposition::default();
        // SAFETY: each pointer is null, or that of a live variable of this length.
        unsafe {
            match bytes.byte() % 8 {
                0 | 1 => {
                    *time = if bytes.byte() == 255 { f64::from(bytes.float()) } else { *time + 1.0 / 60.0 };
                    ev_world_advance(*world, *time, null_mut())
                }
                2 => {
                    let many = bytes.many();
                    ev_world_handle(*world, *time, many.as_ptr(), many.len(), &raw mut disposition)
                }
                3 => {
                    let many = bytes.many();
                    let ends = [u32::from(bytes.byte()), many.len() as u32].map(|end| end.min(bytes.word()));
                    let (mut out, room) = ([disposition; 2], usize::from(bytes.byte() % 3));
                    let (first, length) = (many.as_ptr(), many.len());
                    let (ends, out) = (ends.as_ptr(), out.as_mut_ptr());
                    ev_world_handle_many(*world, *time, first, length, ends, 2, out, room, null_mut())
                }
                4 => {
                    let position = EvPosition {
                        entity: bytes.entity(),
                        place: bytes.place(),
                        has_contact: u32::from(bytes.byte() % 2),
                        position: u16::from(bytes.byte()),
                        teleport: u16::from(bytes.byte() / 64),
                        ..EvPosition::default()
                    };
                    ev_world_apply_positions(*world, *time, &raw const position, 1, &raw mut disposition, 1)
                }
                5 => {
                    let (movement, actions) = (movement(bytes), [EvAction::default(); 3]);
                    let count = usize::from(bytes.byte() % 4);
                    ev_world_apply_movement(
                        *world,
                        *time,
                        &raw const movement,
                        actions.as_ptr(),
                        count,
                        &raw mut disposition,
                    )
                }
                6 => {
                    let vector = EvVector {
                        entity: bytes.entity(),
                        velocity: bytes.vector(),
                        omega: bytes.vector(),
                        instance: 0,
                        stamp: u16::from(bytes.byte()),
                    };
                    ev_world_apply_vector(*world, *time, &raw const vector, null_mut())
                }
                _ => {
                    let create = EvCreate {
                        entity: bytes.entity(),
                        is_recreated: u32::from(bytes.byte() / 200),
                        item_type: 0x10,
                        state: bytes.word(),
                        present: bytes.word(),
                        place: bytes.place(),
                        holder: bytes.entity(),
                        scale: bytes.float(),
                        stamps: [u16::from(bytes.byte()); 9],
                        ..EvCreate::default()
                    };
                    ev_world_apply_create(
                        *world,
                        *time,
                        &raw const create,
                        null(),
                        null(),
                        0,
                        &raw mut disposition,
                    )
                }
            }
        }
    }

    /// Commands of the host.
    fn command(&mut self) -> EvStatus {
        let Self { bytes, world, time, host, .. } = self;
        let entity = bytes.entity();
        // SAFETY: as in `feed`.
        unsafe {
            match bytes.byte() % 13 {
                0 => {
                    let (place, mut setup) = (bytes.place(), EvSetup::default());
                    let _ = ev_setup_at(&raw const place, &raw mut setup);
                    setup.radius = bytes.float();
                    ev_world_insert(*world, *time, entity, &raw const setup, null_mut())
                }
                1 => ev_world_remove(*world, entity),
                2 => {
                    let place = bytes.place();
                    ev_world_set_place(*world, *time, entity, &raw const place)
                }
                3 => ev_world_suspend(*world, *time, entity),
                4 => ev_world_resume(*world, *time, entity),
                5 => {
                    let place = bytes.place();
                    ev_world_set_viewpoint(*world, if entity == 0 { null() } else { &raw const place })
                }
                6 => {
                    let of = EvSurroundings {
                        user: *host,
                        sweep: (entity > 0).then_some(sweep),
                        place: Some(place),
                        lands_by_update: (entity > 2).then_some(lands),
                    };
                    ev_world_set_surroundings(*world, &raw const of)
                }
                7 => ev_world_set_flat_ground(*world, bytes.float()),
                8 => {
                    let heights: Vec<f32> = (0..bytes.byte() % 20).map(|_| bytes.float()).collect();
                    let (spacing, columns) = (bytes.float(), u32::from(bytes.byte() % 8));
                    let (first, count) = (heights.as_ptr(), heights.len());
                    ev_world_set_heightfield(*world, 0xA9B4, spacing, columns, first, count)
                }
                9 => ev_world_set_local_player(*world, *time, entity),
                10 => {
                    let input = EvInput {
                        ahead: bytes.byte() as i8,
                        aside: (bytes.byte() % 3) as i8 - 1,
                        turn: (bytes.byte() % 3) as i8 - 1,
                        run: bytes.byte(),
                        style: 0,
                    };
                    ev_world_set_input(*world, *time, &raw const input)
                }
                11 => match entity {
                    0 => ev_world_charge_jump(*world, *time),
                    1 => ev_world_jump(*world, *time, null_mut()),
                    2 => ev_world_set_skills(*world, bytes.word(), bytes.word(), bytes.float()),
                    3 => ev_world_set_autonomy(*world, u32::from(bytes.byte() % 4)),
                    _ => ev_world_set_run_rate(*world, bytes.float()),
                },
                _ => ev_world_trace(*world, entity),
            }
        }
    }

    /// Reading, with buffers of any length.
    fn read(&mut self) -> EvStatus {
        let Self { bytes, world, time, .. } = self;
        let room = usize::from(bytes.byte() % 8);
        let (mut count, mut other) = (usize::MAX, usize::MAX);
        // SAFETY: as in `feed`.
        unsafe {
            match bytes.byte() % 11 {
                0 => {
                    let mut out = vec![EvDrawn::default(); room];
                    ev_world_drawn_into(*world, *time, bytes.word(), out.as_mut_ptr(), room, &raw mut count)
                }
                1 => {
                    let mut out = vec![EvDrawn::default(); room];
                    ev_world_changed_into(*world, *time, 0xA9B4, out.as_mut_ptr(), room, &raw mut count)
                }
                2 => {
                    let mut out = vec![EvAnimation::default(); room];
                    ev_world_animations_into(*world, *time, out.as_mut_ptr(), room, &raw mut count)
                }
                3 => {
                    let mut out = vec![EvEvent::default(); room];
                    ev_world_events_into(*world, out.as_mut_ptr(), room, &raw mut count)
                }
                4 => {
                    let (mut out, mut ends) = (vec![0; room * 16], vec![0; room]);
                    let (first, length) = (out.as_mut_ptr(), out.len());
                    let last = ends.as_mut_ptr();
                    ev_world_actions_into(*world, first, length, &raw mut count, last, room, &raw mut other)
                }
                5 => {
                    let mut text = vec![0; room * 40];
                    ev_world_explain(*world, 1, room, text.as_mut_ptr(), text.len(), &raw mut count)
                }
                6 => {
                    let mut text = vec![0; room * 400];
                    ev_world_prometheus(*world, text.as_mut_ptr(), text.len(), &raw mut count)
                }
                7 => self.save_and_restore(),
                8 => ev_world_drawn_into(*world, *time, 0xA9B4, null_mut(), usize::MAX, &raw mut count),
                9 => ev_world_handle(*world, *time, null(), usize::MAX, null_mut()),
                _ => ev_world_advance(null_mut(), *time, null_mut()),
            }
        }
    }

    /// The generic world.
    fn play(&mut self) -> EvStatus {
        let Self { bytes, plain, time, .. } = self;
        let mut count = 0;
        // SAFETY: as in `feed`.
        unsafe {
            match bytes.byte() % 8 {
                0 => ev_plain_advance(*plain, *time, null_mut()),
                1 | 2 => {
                    let update = EvPlainUpdate {
                        entity: bytes.entity().into(),
                        pose: EvPlainPose {
                            x: f64::from(bytes.float()),
                            y: 1.0,
                            qw: bytes.float(),
                            ..EvPlainPose::default()
                        },
                        velocity: [bytes.float(), 0.0, 0.0],
                        has_velocity: u32::from(bytes.byte() % 2),
                        order: bytes.long() % 64,
                        order_kind: u32::from(bytes.byte() % 4),
                        ..EvPlainUpdate::default()
                    };
                    ev_plain_update(*plain, *time, &raw const update, 1, &raw mut count)
                }
                3 => {
                    let mut out = vec![EvPlainDrawn::default(); usize::from(bytes.byte() % 8)];
                    let (first, room) = (out.as_mut_ptr(), out.len());
                    let status = ev_plain_drawn_into(*plain, *time, first, room, &raw mut count);
                    for drawn in out.iter().take(count) {
                        assert!(drawn.pose.x.is_finite() && drawn.pose.qw.is_finite(), "{drawn:?}");
                    }
                    status
                }
                4 => ev_plain_remove(*plain, bytes.entity().into()),
                5 => {
                    let limits = [bytes.float(), bytes.float(), bytes.float()];
                    let entity = bytes.entity().into();
                    ev_plain_set_limits(*plain, entity, limits[0], limits[1], limits[2])
                }
                6 => ev_plain_set_sender_clock(*plain, bytes.word() % 4, bytes.float().into()),
                _ => {
                    let velocity = [bytes.float(); 3];
                    ev_plain_throw(*plain, *time, bytes.entity().into(), velocity.as_ptr())
                }
            }
        }
    }

    /// Replaces the world by its own save, which must be accepted and go on alike.
    fn save_and_restore(&mut self) -> EvStatus {
        let (mut length, mut restored, mut hashes) = (0, null_mut(), [0_u64; 2]);
        // SAFETY: as in `feed`. The world before is released and not used again.
        unsafe {
            assert_eq!(ev_world_save(self.world, null_mut(), 0, &raw mut length), EvStatus::TooShort);
            let mut saved = vec![0; length];
            must(ev_world_save(self.world, saved.as_mut_ptr(), length, &raw mut length));
            must(ev_world_restore(saved.as_ptr(), length, null(), &raw mut restored));
            must(ev_world_state_hash(self.world, &raw mut hashes[0]));
            must(ev_world_state_hash(restored, &raw mut hashes[1]));
            assert_eq!(hashes[0], hashes[1], "a restored world has another hash");
            must(ev_world_free(restored));
        }
        EvStatus::Ok
    }

    /// Checks that every drawn pose is a number.
    fn check(&self) {
        let mut drawn = [EvDrawn::default(); 16];
        let mut count = 0;
        // SAFETY: the buffer has this length.
        let _ = unsafe {
            ev_world_drawn_into(self.world, self.time, 0xA9B4, drawn.as_mut_ptr(), 16, &raw mut count)
        };
        for body in drawn.iter().take(count) {
            let EvVec3 { x, y, z } = body.position;
            assert!(x.is_finite() && y.is_finite() && z.is_finite() && body.qw.is_finite(), "{body:?}");
        }
    }
}

fn movement(bytes: &mut Bytes<'_>) -> EvMovement {
    EvMovement {
        entity: bytes.entity(),
        movement: u16::from(bytes.byte()),
        kind: [0, 0, 0, 6, 7, 8, 9, 77][usize::from(bytes.byte() % 8)],
        style: 0x3D,
        present: u16::from(bytes.byte()),
        forward: u16::from(bytes.byte() % 16),
        sidestep: u16::from(bytes.byte() % 16),
        turn: u16::from(bytes.byte() % 16),
        forward_speed: bytes.float(),
        turn_speed: bytes.float(),
        target: bytes.entity(),
        cell: 0xA9B4_0001,
        origin: bytes.vector(),
        flags: bytes.word(),
        distance_to_object: bytes.float(),
        fail_distance: bytes.float(),
        speed: bytes.float(),
        run_rate: bytes.float(),
        heading: bytes.float(),
        ..EvMovement::default()
    }
}

fn must(status: EvStatus) {
    assert_eq!(status, EvStatus::Ok);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kept corpus has more. This runs without the other targets.
    #[test]
    fn random_calls_break_no_promise() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        for _ in 0..500 {
            let input: Vec<u8> = (0..600)
                .map(|_| {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    (state >> 32) as u8
                })
                .collect();
            calls(&input);
        }
    }
}
