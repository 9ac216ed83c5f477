//! A warm world allocates nothing in a call.
//!
//! A test binary of its own: the counting allocator counts everything in the process, so only one test may
//! run in it.

#![expect(unsafe_code, reason = "C functions take pointers")]

use std::{alloc::System, ptr::null_mut};

use evenstride_ffi::*;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const BODIES: u32 = 100;

/// Buffers of a host, made once.
struct Host {
    world: *mut EvWorld,
    positions: Vec<EvPosition>,
    dispositions: Vec<EvDisposition>,
    drawn: Vec<EvDrawn>,
    animations: Vec<EvAnimation>,
    events: Vec<EvEvent>,
    saved: Vec<u8>,
    text: Vec<std::ffi::c_char>,
}

#[test]
fn a_warm_world_allocates_nothing_in_a_call() {
    let mut host = Host::new();
    for frame in 0..1_400 {
        host.frame(frame);
    }
    let region = Region::new(ALLOCATOR);
    for frame in 1_400..1_550 {
        host.frame(frame);
    }
    let change = region.change();
    assert_eq!((change.allocations, change.reallocations), (0, 0), "{change:?}");
    // SAFETY: the handle is not used again.
    assert_eq!(unsafe { ev_world_free(host.world) }, EvStatus::Ok);
}

impl Host {
    fn new() -> Self {
        let (mut config, mut world) = (null_mut(), null_mut());
        // SAFETY: all pointers are those of live variables, here and below.
        unsafe {
            assert_eq!(ev_config_new(c"SPECTATOR".as_ptr(), &raw mut config), EvStatus::Ok);
            // A short ring of decisions is full when the world is warm.
            let ring = ev_config_set(config, c"limits.decision_bytes".as_ptr(), c"4096".as_ptr());
            assert_eq!(ring, EvStatus::Ok);
            assert_eq!(ev_world_new(config, 0.0, &raw mut world), EvStatus::Ok);
            assert_eq!(ev_config_free(config), EvStatus::Ok);
            assert_eq!(ev_world_trace(world, 1), EvStatus::Ok);
        }
        let count = BODIES as usize;
        Self {
            world,
            positions: vec![EvPosition::default(); count],
            dispositions: vec![EvDisposition::default(); count],
            drawn: vec![EvDrawn::default(); count],
            animations: vec![EvAnimation::default(); count],
            events: vec![EvEvent::default(); 64],
            saved: vec![0; 1 << 20],
            text: vec![0; 1 << 22],
        }
    }

    fn frame(&mut self, frame: u32) {
        let (now, mut count) = (f64::from(frame) / 60.0, 0);
        // SAFETY: as above.
        unsafe {
            assert_eq!(ev_world_advance(self.world, now, null_mut()), EvStatus::Ok);
            if frame.is_multiple_of(12) {
                self.hear(frame / 12, now);
            }
            let room = self.drawn.len();
            let drawn =
                ev_world_drawn_into(self.world, now, 0xA9B4, self.drawn.as_mut_ptr(), room, &raw mut count);
            assert_eq!((drawn, count), (EvStatus::Ok, room));
            let changed =
                ev_world_changed_into(self.world, now, 0xA9B4, self.drawn.as_mut_ptr(), room, &raw mut count);
            assert_eq!(changed, EvStatus::Ok);
            let animated =
                ev_world_animations_into(self.world, now, self.animations.as_mut_ptr(), room, &raw mut count);
            assert_eq!(animated, EvStatus::Ok);
            let events = ev_world_events_into(self.world, self.events.as_mut_ptr(), 64, &raw mut count);
            assert_eq!(events, EvStatus::Ok);
            let mut body = EvBody::default();
            assert_eq!(ev_world_body(self.world, now, 1, &raw mut body), EvStatus::Ok);
            let saved = ev_world_save(self.world, self.saved.as_mut_ptr(), self.saved.len(), &raw mut count);
            assert_eq!(saved, EvStatus::Ok);
            let text = self.text.as_mut_ptr();
            assert_eq!(ev_world_prometheus(self.world, text, self.text.len(), &raw mut count), EvStatus::Ok);
            assert_eq!(
                ev_world_explain(self.world, 1, 5, text, self.text.len(), &raw mut count),
                EvStatus::Ok
            );
        }
    }

    /// Bodies walk east and back, half of them told of by bytes.
    fn hear(&mut self, round: u32, now: f64) {
        for (index, position) in self.positions.iter_mut().enumerate() {
            let x = (round % 40).min(40 - round % 40) as f32;
            let origin = EvVec3 { x: 20.0 + x, y: 1.0 + index as f32, z: 10.0 };
            *position = EvPosition {
                entity: 1 + index as u32,
                place: EvPlace { cell: 0xA9B4_0001, origin, qw: 1.0, ..EvPlace::default() },
                has_contact: 1,
                position: round as u16 + 1,
                ..EvPosition::default()
            };
        }
        let half = self.positions.len() / 2;
        // SAFETY: as above.
        unsafe {
            let (positions, dispositions) = (self.positions.as_ptr(), self.dispositions.as_mut_ptr());
            let applied = ev_world_apply_positions(self.world, now, positions, half, dispositions, half);
            assert_eq!(applied, EvStatus::Ok);
            for position in &self.positions[half..] {
                let message = bytes_of(position);
                let handled = ev_world_handle(
                    self.world,
                    now,
                    message.as_ptr(),
                    message.len(),
                    &raw mut self.dispositions[0],
                );
                assert_eq!(handled, EvStatus::Ok);
            }
        }
        assert_eq!(self.dispositions[0].is_accepted, 1, "{:?}", self.dispositions[0]);
    }
}

/// Returns a position as bytes, without memory of its own.
fn bytes_of(position: &EvPosition) -> [u8; 40] {
    let EvPosition { entity, place, .. } = *position;
    let mut bytes = [0; 40];
    let words = [
        0xF748,
        entity,
        // Contact, and all but the real part left out.
        0x04 | 0x70,
        place.cell,
        place.origin.x.to_bits(),
        place.origin.y.to_bits(),
        place.origin.z.to_bits(),
        1.0_f32.to_bits(),
        u32::from(position.instance) | u32::from(position.position) << 16,
        0,
    ];
    for (to, word) in bytes.chunks_exact_mut(4).zip(words) {
        to.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}
