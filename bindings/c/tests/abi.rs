//! The promises of the C functions, called as C calls them.

#![expect(unsafe_code, reason = "C functions take pointers")]

use std::{
    ffi::{CStr, CString, c_void},
    ptr::{null, null_mut},
};

use evenstride_ffi::*;
use evenstride_testkit::Actor;
use evenstride_types::update::Update;
use evenstride_wire::{Message, encode};

const WHO: u32 = 0x8000_0001;
const BLOCK: u32 = 0xA9B4;

/// A world that is released at the end of a test.
struct World(*mut EvWorld);

impl World {
    fn new(profile: &str) -> Self {
        let (mut config, mut world) = (null_mut(), null_mut());
        let profile = CString::new(profile).unwrap();
        // SAFETY: all pointers are those of live variables.
        unsafe {
            assert_eq!(ev_config_new(profile.as_ptr(), &raw mut config), EvStatus::Ok);
            assert_eq!(ev_world_new(config, 0.0, &raw mut world), EvStatus::Ok);
            assert_eq!(ev_config_free(config), EvStatus::Ok);
        }
        Self(world)
    }

    /// A world with one creature that walks north.
    fn walking() -> Self {
        let world = Self::new("SMOOTH");
        let mut actor = Actor::new(WHO);
        assert_eq!(world.handle(0.0, &actor.created(90.0, 90.0)).code, 5);
        assert_eq!(world.handle(0.0, &actor.runs(1.0)).code, 1);
        world
    }

    fn handle(&self, time: f64, update: &Update) -> EvDisposition {
        let bytes = bytes_of(update);
        let mut disposition = EvDisposition::default();
        // SAFETY: as above.
        let status =
            unsafe { ev_world_handle(self.0, time, bytes.as_ptr(), bytes.len(), &raw mut disposition) };
        assert_eq!(status, EvStatus::Ok, "{}", last_error());
        disposition
    }

    fn advance(&self, time: f64) -> EvStatus {
        // SAFETY: as above.
        unsafe { ev_world_advance(self.0, time, null_mut()) }
    }

    fn body(&self, time: f64) -> EvBody {
        let mut body = EvBody::default();
        // SAFETY: as above.
        assert_eq!(unsafe { ev_world_body(self.0, time, WHO, &raw mut body) }, EvStatus::Ok);
        body
    }

    fn surroundings(&self, user: *mut c_void, sweep: EvSweepCallback) {
        let of = EvSurroundings { user, sweep, place: Some(fits), lands_by_update: None };
        // SAFETY: as above.
        assert_eq!(unsafe { ev_world_set_surroundings(self.0, &raw const of) }, EvStatus::Ok);
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // SAFETY: the handle is live, and not used again.
        assert_eq!(unsafe { ev_world_free(self.0) }, EvStatus::Ok);
    }
}

fn bytes_of(update: &Update) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode(&Message::from(update.clone()), &mut bytes);
    bytes
}

fn last_error() -> String {
    let mut text = [0; 512];
    let mut length = 0;
    // SAFETY: the buffer has this capacity, and the function writes a NUL byte.
    unsafe {
        assert_eq!(ev_last_error(text.as_mut_ptr(), text.len(), &raw mut length), EvStatus::Ok);
        CStr::from_ptr(text.as_ptr()).to_str().unwrap().to_owned()
    }
}

unsafe extern "C-unwind" fn fits(_: *mut c_void, _: *const EvPlacing, _: *mut EvPlaced) -> u32 {
    EV_MOVED
}

unsafe extern "C-unwind" fn moves(_: *mut c_void, _: *const EvSweep, _: *mut EvSwept) -> u32 {
    EV_MOVED
}

unsafe extern "C-unwind" fn panics(_: *mut c_void, _: *const EvSweep, _: *mut EvSwept) -> u32 {
    panic!("the host's geometry is missing")
}

unsafe extern "C-unwind" fn answers_nan(_: *mut c_void, _: *const EvSweep, swept: *mut EvSwept) -> u32 {
    // SAFETY: the library passes a valid answer to be changed.
    unsafe { (*swept).at.origin.x = f32::NAN };
    EV_MOVED
}

unsafe extern "C-unwind" fn answers_7(_: *mut c_void, _: *const EvSweep, _: *mut EvSwept) -> u32 {
    7
}

/// Calls the world that asks, which is `user`, and tries to release it.
unsafe extern "C-unwind" fn calls_back(user: *mut c_void, _: *const EvSweep, _: *mut EvSwept) -> u32 {
    let world = user.cast::<EvWorld>();
    let mut count = 0;
    // SAFETY: the world is live, and refuses these calls.
    unsafe {
        assert_eq!(ev_world_len(world, &raw mut count), EvStatus::Busy);
        assert_eq!(ev_world_free(world), EvStatus::Busy);
    }
    EV_MOVED
}

#[test]
fn a_world_moves_a_body_and_says_where_to_draw_it() {
    let world = World::walking();
    for frame in 1..=60 {
        assert_eq!(world.advance(f64::from(frame) / 60.0), EvStatus::Ok);
    }
    let mut drawn = [EvDrawn::default(); 4];
    let mut count = 0;
    // SAFETY: the buffer has this capacity.
    let status = unsafe { ev_world_drawn_into(world.0, 1.0, BLOCK, drawn.as_mut_ptr(), 4, &raw mut count) };
    assert_eq!((status, count, drawn[0].entity), (EvStatus::Ok, 1, WHO));
    assert!(drawn[0].position.y > 92.0, "{:?}", drawn[0]);
    assert_eq!(drawn[0].key, world.body(1.0).key);
}

#[test]
fn a_buffer_that_is_too_short_loses_nothing() {
    let world = World::walking();
    let (mut count, mut event) = (0, EvEvent::default());
    // SAFETY: null arrays have capacity 0.
    unsafe {
        let short = ev_world_changed_into(world.0, 0.0, BLOCK, null_mut(), 0, &raw mut count);
        assert_eq!((short, count), (EvStatus::TooShort, 1), "{}", last_error());
        let mut drawn = EvDrawn::default();
        let again = ev_world_changed_into(world.0, 0.0, BLOCK, &raw mut drawn, 1, &raw mut count);
        assert_eq!((again, count), (EvStatus::Ok, 1));
        assert_eq!(ev_world_save(world.0, null_mut(), 0, &raw mut count), EvStatus::TooShort);
        let mut saved = vec![0; count];
        assert_eq!(ev_world_save(world.0, saved.as_mut_ptr(), count, &raw mut count), EvStatus::Ok);
        let mut restored = null_mut();
        assert_eq!(ev_world_restore(saved.as_ptr(), count, null(), &raw mut restored), EvStatus::Ok);
        let restored = World(restored);
        assert_eq!(hash(&restored), hash(&world));
        assert_eq!(ev_world_events_into(world.0, null_mut(), 0, &raw mut count), EvStatus::Ok);
        assert_eq!(ev_world_events_into(world.0, &raw mut event, 1, &raw mut count), EvStatus::Ok);
    }
    assert_eq!((count, event.code, event.entity), (1, 8, WHO));
}

fn hash(world: &World) -> u64 {
    let mut hash = 0;
    // SAFETY: as above.
    assert_eq!(unsafe { ev_world_state_hash(world.0, &raw mut hash) }, EvStatus::Ok);
    hash
}

#[test]
fn a_text_that_is_too_long_reports_its_length() {
    let world = World::new("SMOOTH");
    let (mut length, mut text) = (0, [1; 4]);
    // SAFETY: the buffer has this capacity.
    let status = unsafe { ev_world_prometheus(world.0, text.as_mut_ptr(), 4, &raw mut length) };
    assert_eq!((status, text[0]), (EvStatus::TooShort, 0));
    let mut text = vec![0; length + 1];
    // SAFETY: as above.
    let (status, text) = unsafe {
        let status = ev_world_prometheus(world.0, text.as_mut_ptr(), length + 1, &raw mut length);
        (status, CStr::from_ptr(text.as_ptr()).to_str().unwrap())
    };
    assert_eq!(status, EvStatus::Ok);
    assert!(text.contains("evenstride_bodies 0\n") && text.len() == length, "{text}");
}

#[test]
fn null_is_an_error_and_never_a_crash() {
    let world = World::new("SMOOTH");
    // SAFETY: null is allowed everywhere.
    unsafe {
        assert_eq!(ev_world_advance(null_mut(), 0.0, null_mut()), EvStatus::Null);
        assert_eq!(last_error(), "handle: null");
        assert_eq!(ev_world_len(world.0, null_mut()), EvStatus::Null);
        assert_eq!(ev_world_handle(world.0, 0.0, null(), 4, null_mut()), EvStatus::Null);
        assert_eq!(ev_world_handle(world.0, 0.0, null(), 0, null_mut()), EvStatus::BadMessage);
        assert_eq!(ev_world_set_surroundings(world.0, null()), EvStatus::Null);
        assert_eq!(ev_config_new(null(), null_mut()), EvStatus::Null);
        assert_eq!(ev_world_free(null_mut()), EvStatus::Ok);
        let mut count = 0;
        assert_eq!(
            ev_world_drawn_into(world.0, 0.0, BLOCK, null_mut(), usize::MAX, &raw mut count),
            EvStatus::Null
        );
        let here = (&raw mut DRAWN).cast::<EvDrawn>();
        assert_eq!(
            ev_world_drawn_into(world.0, 0.0, BLOCK, here, usize::MAX, &raw mut count),
            EvStatus::Invalid
        );
        assert_eq!(ev_world_advance(world.0, f64::NAN, null_mut()), EvStatus::Invalid);
    }
    assert!(last_error().starts_with("time: "), "{}", last_error());
}

static mut DRAWN: [u64; 8] = [0; 8];

#[test]
fn a_damaged_message_changes_nothing_and_neither_do_its_neighbours() {
    let world = World::new("SMOOTH");
    let mut bytes = bytes_of(&Actor::new(WHO).created(90.0, 90.0));
    let first = bytes.len() as u32;
    bytes.extend([0x48, 0xF7, 0, 0, 1]);
    let ends = [first, first + 5];
    let mut handled = 9;
    // SAFETY: the arrays have these lengths.
    let status = unsafe {
        ev_world_handle_many(
            world.0,
            0.0,
            bytes.as_ptr(),
            bytes.len(),
            ends.as_ptr(),
            2,
            null_mut(),
            0,
            &raw mut handled,
        )
    };
    assert_eq!((status, handled), (EvStatus::BadMessage, 9));
    assert!(last_error().starts_with("message 1: "), "{}", last_error());
    let mut count = 9;
    // SAFETY: as above.
    assert_eq!(unsafe { ev_world_len(world.0, &raw mut count) }, EvStatus::Ok);
    assert_eq!(count, 0);
}

#[test]
fn each_message_of_many_has_a_disposition_whether_it_is_about_motion_or_not() {
    let world = World::new("SMOOTH");
    let mut actor = Actor::new(WHO);
    let mut bytes = bytes_of(&actor.created(90.0, 90.0));
    let mut ends = vec![bytes.len() as u32];
    bytes.extend([0xE0, 0xF7, 0, 0]);
    ends.push(bytes.len() as u32);
    bytes.extend(bytes_of(&actor.position(90.0, 91.0)));
    ends.push(bytes.len() as u32);
    let (mut dispositions, mut handled) = ([EvDisposition::default(); 3], 0);
    // SAFETY: the arrays have these lengths.
    let status = unsafe {
        ev_world_handle_many(
            world.0,
            0.0,
            bytes.as_ptr(),
            bytes.len(),
            ends.as_ptr(),
            3,
            dispositions.as_mut_ptr(),
            3,
            &raw mut handled,
        )
    };
    assert_eq!((status, handled), (EvStatus::Ok, 2), "{}", last_error());
    assert_eq!([dispositions[0].code, dispositions[1].code], [5, 0]);
    assert!(dispositions[2].code > 0 && dispositions[2].entity == WHO, "{dispositions:?}");
}

#[test]
fn callbacks_decide_how_far_a_body_gets() {
    let (open, blocked) = (World::walking(), World::walking());
    open.surroundings(null_mut(), Some(moves));
    blocked.surroundings(null_mut(), Some(stops));
    for world in [&open, &blocked] {
        for frame in 1..=60 {
            assert_eq!(world.advance(f64::from(frame) / 60.0), EvStatus::Ok, "{}", last_error());
        }
    }
    assert!(open.body(1.0).place.origin.y > 92.0);
    assert_eq!(blocked.body(1.0).place.origin.y, 90.0);
}

unsafe extern "C-unwind" fn stops(_: *mut c_void, _: *const EvSweep, _: *mut EvSwept) -> u32 {
    EV_BLOCKED
}

#[test]
fn an_invalid_answer_counts_as_blocked_and_the_world_goes_on() {
    for bad in [answers_nan as unsafe extern "C-unwind" fn(_, _, _) -> _, answers_7] {
        let world = World::walking();
        world.surroundings(null_mut(), Some(bad));
        assert_eq!(world.advance(0.1), EvStatus::BadAnswer);
        assert!(last_error().contains("answers of callbacks were invalid"), "{}", last_error());
        assert_eq!(world.body(0.1).place.origin.y, 90.0);
        world.surroundings(null_mut(), Some(moves));
        assert_eq!(world.advance(1.0), EvStatus::Ok);
        assert!(world.body(1.0).place.origin.y > 91.0);
    }
}

#[test]
fn a_callback_that_calls_its_own_world_is_refused() {
    let world = World::walking();
    world.surroundings(world.0.cast(), Some(calls_back));
    assert_eq!(world.advance(1.0), EvStatus::Ok);
    assert!(world.body(1.0).place.origin.y > 91.0);
}

#[test]
fn a_callback_that_panics_poisons_its_world_and_no_other() {
    let (world, other) = (World::walking(), World::walking());
    world.surroundings(null_mut(), Some(panics));
    assert_eq!(world.advance(1.0), EvStatus::Panicked);
    assert!(last_error().contains("the host's geometry is missing"));
    assert_eq!(world.advance(1.1), EvStatus::Poisoned);
    assert!(last_error().contains("release this handle"));
    let mut count = 0;
    // SAFETY: as above.
    assert_eq!(unsafe { ev_world_len(world.0, &raw mut count) }, EvStatus::Poisoned);
    assert_eq!(other.advance(1.0), EvStatus::Ok);
}

#[test]
fn typed_updates_do_what_their_bytes_do() {
    let (bytes, typed) = (World::walking(), World::walking());
    let mut actor = Actor::new(WHO);
    let _ = (actor.created(90.0, 90.0), actor.runs(1.0));
    let update = actor.position(90.0, 95.0);
    let Update::Position(position) = &update else { panic!("not a position") };
    let pack = &position.pack;
    let [qw, qx, qy, qz] = pack.rotation.to_wxyz();
    let position = EvPosition {
        entity: WHO,
        place: EvPlace { cell: pack.cell, origin: pack.origin.into(), qw, qx, qy, qz },
        has_contact: pack.has_contact.into(),
        instance: pack.instance.raw(),
        position: pack.position.raw(),
        teleport: pack.teleport.raw(),
        force_position: pack.force_position.raw(),
    };
    let mut disposition = EvDisposition::default();
    for world in [&bytes, &typed] {
        assert_eq!(world.advance(0.5), EvStatus::Ok);
    }
    // SAFETY: as above.
    let status =
        unsafe { ev_world_apply_positions(typed.0, 0.5, &raw const position, 1, &raw mut disposition, 1) };
    assert_eq!(status, EvStatus::Ok);
    assert_eq!(bytes.handle(0.5, &update), disposition);
    for world in [&bytes, &typed] {
        assert_eq!(world.advance(1.5), EvStatus::Ok);
    }
    assert_eq!(hash(&bytes), hash(&typed));
}

#[test]
fn the_player_s_keys_become_messages() {
    let world = World::new("RETAIL");
    let actor = Actor::new(0x5000_0001);
    let _ = world.handle(0.0, &actor.created(90.0, 90.0));
    let input = EvInput { ahead: 1, run: 1, ..EvInput::default() };
    let (mut length, mut count, mut player) = (0, 0, EvPlayer::default());
    // SAFETY: as above.
    unsafe {
        assert_eq!(ev_world_set_input(world.0, 0.0, &raw const input), EvStatus::NoPlayer);
        assert_eq!(ev_world_set_local_player(world.0, 0.0, 0x5000_0001), EvStatus::Ok);
        assert_eq!(ev_world_set_input(world.0, 0.0, &raw const input), EvStatus::Ok);
        let wrong = EvInput { turn: 5, ..input };
        assert_eq!(ev_world_set_input(world.0, 0.0, &raw const wrong), EvStatus::Invalid);
        assert_eq!(world.advance(1.0), EvStatus::Ok);
        assert_eq!(ev_world_player(world.0, &raw mut player), EvStatus::Ok);
        let short =
            ev_world_actions_into(world.0, null_mut(), 0, &raw mut length, null_mut(), 0, &raw mut count);
        assert_eq!(short, EvStatus::TooShort);
        let (mut bytes, mut ends) = (vec![0; length], vec![0; count]);
        let taken = ev_world_actions_into(
            world.0,
            bytes.as_mut_ptr(),
            length,
            &raw mut length,
            ends.as_mut_ptr(),
            count,
            &raw mut count,
        );
        assert_eq!((taken, ends.last().copied()), (EvStatus::Ok, Some(length as u32)));
        assert_eq!(bytes[..4], [0xB1, 0xF7, 0, 0]);
        let none =
            ev_world_actions_into(world.0, null_mut(), 0, &raw mut length, null_mut(), 0, &raw mut count);
        assert_eq!((none, length, count), (EvStatus::Ok, 0, 0));
    }
    assert!(player.place.origin.y > 91.0 && player.is_grounded == 1, "{player:?}");
}

#[test]
fn decisions_of_a_traced_entity_are_sentences() {
    let world = World::walking();
    let mut actor = Actor::new(WHO);
    let _ = (actor.created(90.0, 90.0), actor.runs(1.0));
    let mut text = [0; 4096];
    let mut length = 0;
    // SAFETY: as above.
    unsafe {
        assert_eq!(ev_world_trace(world.0, WHO), EvStatus::Ok);
        let _ = world.handle(0.0, &actor.position(90.0, 95.0));
        let told = ev_world_explain(world.0, WHO, 1, text.as_mut_ptr(), text.len(), &raw mut length);
        assert_eq!(told, EvStatus::Ok);
        let text = CStr::from_ptr(text.as_ptr()).to_str().unwrap();
        assert!(text.contains("position") && text.lines().count() == 1, "{text}");
    }
}

#[test]
fn another_game_moves_its_own_entities() {
    let mut world = null_mut();
    let mut drawn = EvPlainDrawn::default();
    let mut count = 0;
    // SAFETY: as above.
    unsafe {
        let made = ev_plain_new(null(), EV_AXES_Y_UP_Z_FORWARD, 1.0, 3.0, 0.0, &raw mut world);
        assert_eq!(made, EvStatus::Ok);
        for tick in 0..=120_u32 {
            let now = f64::from(tick) / 60.0;
            assert_eq!(ev_plain_advance(world, now, null_mut()), EvStatus::Ok);
            if tick.is_multiple_of(30) {
                let update = EvPlainUpdate {
                    entity: 7,
                    pose: EvPlainPose { x: 3.0 * now, qw: 1.0, ..EvPlainPose::default() },
                    velocity: [3.0, 0.0, 0.0],
                    has_velocity: 1,
                    order: u64::from(tick) + 1,
                    order_kind: EV_ORDER_SEQUENCE,
                    ..EvPlainUpdate::default()
                };
                assert_eq!(ev_plain_update(world, now, &raw const update, 1, &raw mut count), EvStatus::Ok);
            }
        }
        assert_eq!(ev_plain_drawn_into(world, 2.0, &raw mut drawn, 1, &raw mut count), EvStatus::Ok);
        assert_eq!(ev_plain_remove(world, 8), EvStatus::UnknownBody);
        assert_eq!(ev_plain_free(world), EvStatus::Ok);
    }
    assert!((drawn.pose.x - 6.0).abs() < 0.2, "{drawn:?}");
}

#[test]
fn another_game_tells_when_updates_were_sent_and_how_fast_entities_are() {
    let mut world = null_mut();
    let (mut drawn, mut count) = ([EvPlainDrawn::default(); 2], 0);
    // SAFETY: as above.
    unsafe {
        assert_eq!(ev_plain_new(null(), EV_AXES_Y_UP_Z_FORWARD, 1.0, 3.0, 0.0, &raw mut world), EvStatus::Ok);
        assert_eq!(ev_plain_set_sender_clock(world, 9, 0.25), EvStatus::Invalid);
        assert_eq!(last_error(), "clock: 9 is not a number from 0 to 2");
        assert_eq!(ev_plain_set_sender_clock(world, EV_SENDER_CLOCK_SHARED, 0.25), EvStatus::Ok);
        assert_eq!(ev_plain_set_limits(world, 8, 2.0, f32::NAN, f32::INFINITY), EvStatus::Ok);
        let updates = [7, 8].map(|entity| EvPlainUpdate {
            entity,
            pose: EvPlainPose { qw: 1.0, ..EvPlainPose::default() },
            velocity: [10.0, 0.0, 0.0],
            has_velocity: 1,
            sent_at: 0.9,
            order_kind: EV_ORDER_TIME,
            ..EvPlainUpdate::default()
        });
        assert_eq!(ev_plain_update(world, 1.0, updates.as_ptr(), 2, &raw mut count), EvStatus::Ok);
        let all = drawn.as_mut_ptr();
        assert_eq!(ev_plain_drawn_into(world, 1.0, all, 2, &raw mut count), EvStatus::Ok);
        assert_eq!(ev_plain_free(world), EvStatus::Ok);
    }
    drawn.sort_by_key(|drawn| drawn.entity);
    // Sent 0.1 s ago, at 10 and at 2 units per second.
    assert!(drawn.iter().zip([1.0, 0.2]).all(|(drawn, x)| (drawn.pose.x - x).abs() < 1e-3), "{drawn:?}");
}

#[test]
fn settings_are_set_by_name_and_value() {
    let (mut config, mut length, mut value) = (null_mut(), 0, [0; 32]);
    // SAFETY: as above.
    unsafe {
        assert_eq!(ev_config_new(c"retail".as_ptr(), &raw mut config), EvStatus::Ok);
        assert_eq!(ev_config_set(config, c"gate".as_ptr(), c"fixed".as_ptr()), EvStatus::Ok);
        assert_eq!(ev_config_set(config, c"gate".as_ptr(), c"open".as_ptr()), EvStatus::Invalid);
        assert_eq!(last_error(), "gate: `open` is not one of shared, per-body, fixed");
        let read = ev_config_value(config, c"gate".as_ptr(), value.as_mut_ptr(), 32, &raw mut length);
        assert_eq!((read, CStr::from_ptr(value.as_ptr())), (EvStatus::Ok, c"fixed"));
        let mut none = null_mut();
        assert_eq!(ev_config_new(c"best".as_ptr(), &raw mut none), EvStatus::Invalid);
        assert_eq!(ev_config_free(config), EvStatus::Ok);
    }
    assert!(last_error().starts_with("profile: \"best\" is unknown"));
}

#[test]
fn a_library_comes_from_an_archive_or_from_records_of_the_host() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/archives/synthetic_portal.dat");
    let (path, mut library, mut loaded) = (CString::new(root).unwrap(), null_mut(), EvLoaded::default());
    let world = World::walking();
    // SAFETY: as above.
    unsafe {
        let status = ev_library_open(path.as_ptr(), &raw mut library, &raw mut loaded);
        assert_eq!(status, EvStatus::Ok, "{}", last_error());
        assert!(loaded.tables > 0 && loaded.animations > 0, "{loaded:?}");
        assert_eq!(ev_world_set_library(world.0, library), EvStatus::Ok);
        assert_eq!(ev_library_free(library), EvStatus::Ok);
        let ids = [0x0900_0001, 0x0900_0002];
        let mut asked = 0_u32;
        let from = ev_library_from_records(
            ids.as_ptr(),
            2,
            Some(has_nothing),
            (&raw mut asked).cast(),
            &raw mut library,
            &raw mut loaded,
        );
        assert_eq!((from, loaded.missing, loaded.tables, asked), (EvStatus::Ok, 2, 0, 2));
        assert_eq!(ev_library_free(library), EvStatus::Ok);
        assert_eq!(
            ev_library_open(c"missing.dat".as_ptr(), &raw mut library, null_mut()),
            EvStatus::BadLibrary
        );
    }
    assert_eq!(world.advance(1.0), EvStatus::Ok);
}

unsafe extern "C-unwind" fn has_nothing(user: *mut c_void, _: u32, _: *mut u8, _: usize) -> i64 {
    // SAFETY: the test passes a counter.
    unsafe { *user.cast::<u32>() += 1 };
    0
}

#[test]
fn sizes_are_told_to_other_languages() {
    let (mut sizes, mut count) = ([0_u32; 64], 0);
    // SAFETY: as above.
    assert_eq!(unsafe { ev_sizes(sizes.as_mut_ptr(), 64, &raw mut count) }, EvStatus::Ok);
    assert_eq!((count, sizes[0], sizes[4]), (26, 12, size_of::<EvDrawn>() as u32));
}
