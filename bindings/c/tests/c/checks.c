// Tests of the header and the library in C11. Prints one line and returns 0 if all pass.
//
//   cargo xtask test --only native
#include "../../include/evenstride.h"
#include "../../include/evenstride_codes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HOME 0xA9B40001u
#define BLOCK 0xA9B4u
#define WHO 7u

static int failures = 0;
static int checks = 0;

#define CHECK(condition)                                                                \
    do {                                                                                \
        checks += 1;                                                                    \
        if (!(condition)) {                                                             \
            char why[256] = "";                                                         \
            (void)ev_last_error(why, sizeof why, NULL);                                 \
            failures += 1;                                                              \
            printf("FAIL %s:%d: %s (last error: %s)\n", __FILE__, __LINE__, #condition, why); \
        }                                                                               \
    } while (0)

// Offsets that other languages rely on. Sizes are asserted by the header.
_Static_assert(offsetof(EvDrawn, position) == 16, "EvDrawn.position");
_Static_assert(offsetof(EvDrawn, is_hidden) == 44, "EvDrawn.is_hidden");
_Static_assert(offsetof(EvAnimation, entity) == 16, "EvAnimation.entity");
_Static_assert(offsetof(EvEvent, reason) == 14, "EvEvent.reason");
_Static_assert(offsetof(EvBody, in_contact) == 104, "EvBody.in_contact");
_Static_assert(offsetof(EvMovement, forward_speed) == 24, "EvMovement.forward_speed");
_Static_assert(offsetof(EvCreate, stamps) == 108, "EvCreate.stamps");
_Static_assert(offsetof(EvSweep, state) == 72, "EvSweep.state");
_Static_assert(offsetof(EvPlainUpdate, order) == 64, "EvPlainUpdate.order");
_Static_assert(EV_STATUS_FULL == 15, "status numbers never change");
_Static_assert(EV_HAPPENING_LANDED == 27 && EV_DISPOSITION_REFUSED == 11, "codes never change");

static EvPlace at(float x, float y) {
    EvPlace place = {HOME, {x, y, 10.0f}, 1.0f, 0.0f, 0.0f, 0.0f};
    return place;
}

static EvWorld *world_of(const char *profile) {
    EvConfig *config = NULL;
    EvWorld *world = NULL;
    CHECK(ev_config_new(profile, &config) == EV_STATUS_OK);
    CHECK(ev_world_new(config, 0.0, &world) == EV_STATUS_OK);
    CHECK(ev_config_free(config) == EV_STATUS_OK);
    return world;
}

// Inserts a body that walks east.
static EvWorld *walking(void) {
    EvWorld *world = world_of("SMOOTH");
    EvPlace place = at(50.0f, 50.0f);
    EvSetup setup;
    CHECK(ev_setup_at(&place, &setup) == EV_STATUS_OK);
    CHECK(ev_world_insert(world, 0.0, WHO, &setup, NULL) == EV_STATUS_OK);
    EvMovement movement;
    memset(&movement, 0, sizeof movement);
    movement.entity = WHO;
    movement.movement = 1;
    movement.style = 0x3D;
    movement.present = EV_HAS_FORWARD;
    movement.forward = 0x05;
    EvDisposition disposition;
    CHECK(ev_world_apply_movement(world, 0.0, &movement, NULL, 0, &disposition) == EV_STATUS_OK);
    CHECK(disposition.code == EV_DISPOSITION_APPLIED);
    return world;
}

static EvBody body_of(EvWorld *world, double time) {
    EvBody body;
    memset(&body, 0, sizeof body);
    CHECK(ev_world_body(world, time, WHO, &body) == EV_STATUS_OK);
    return body;
}

typedef struct {
    EvWorld *world;
    unsigned sweeps;
    unsigned busy;
    float answer;
} Host;

static uint32_t sweep(void *user, const EvSweep *question, EvSwept *answer) {
    Host *host = user;
    size_t count;
    host->sweeps += 1;
    host->busy += ev_world_len(host->world, &count) == EV_STATUS_BUSY;
    host->busy += ev_world_free(host->world) == EV_STATUS_BUSY;
    answer->at.origin.z = host->answer;
    answer->contact = EV_CONTACT_ON;
    answer->normal.z = 1.0f;
    return question->entity == WHO ? EV_MOVED : EV_BLOCKED;
}

static uint32_t place(void *user, const EvPlacing *question, EvPlaced *answer) {
    (void)user;
    (void)answer;
    return question->radius >= 0.0f ? EV_MOVED : EV_BLOCKED;
}

static void a_world_lives(void) {
    EvWorld *world = walking();
    EvAdvanced advanced;
    CHECK(ev_world_advance(world, 1.0, &advanced) == EV_STATUS_OK);
    CHECK(advanced.code == EV_ADVANCED_STEPPED && advanced.rounds == 30);
    CHECK(body_of(world, 1.0).place.origin.y > 52.0f);

    size_t needed = 0;
    CHECK(ev_world_save(world, NULL, 0, &needed) == EV_STATUS_TOO_SHORT && needed > 0);
    uint8_t *saved = malloc(needed);
    CHECK(saved != NULL && ev_world_save(world, saved, needed, &needed) == EV_STATUS_OK);
    EvWorld *restored = NULL, *copy = NULL;
    CHECK(ev_world_restore(saved, needed, NULL, &restored) == EV_STATUS_OK);
    CHECK(ev_world_clone(world, &copy) == EV_STATUS_OK);
    saved[needed / 2] ^= 1;
    EvWorld *damaged = NULL;
    CHECK(ev_world_restore(saved, needed, NULL, &damaged) == EV_STATUS_BAD_SAVE && damaged == NULL);
    free(saved);

    uint64_t hashes[3];
    EvWorld *worlds[3] = {world, restored, copy};
    for (int index = 0; index < 3; index += 1) {
        CHECK(ev_world_advance(worlds[index], 2.0, NULL) == EV_STATUS_OK);
        CHECK(ev_world_state_hash(worlds[index], &hashes[index]) == EV_STATUS_OK);
        CHECK(hashes[index] == hashes[0]);
        CHECK(ev_world_free(worlds[index]) == EV_STATUS_OK);
    }
}

static void buffers_belong_to_the_caller(void) {
    EvWorld *world = walking();
    EvDrawn drawn[2];
    memset(drawn, 0xAB, sizeof drawn);
    size_t count = 99;
    CHECK(ev_world_drawn_into(world, 0.0, BLOCK, NULL, 0, &count) == EV_STATUS_TOO_SHORT && count == 1);
    CHECK(ev_world_drawn_into(world, 0.0, BLOCK, drawn, 1, &count) == EV_STATUS_OK && count == 1);
    CHECK(drawn[0].entity == WHO && drawn[0].position.x == 50.0f && drawn[0].qw == 1.0f);
    CHECK(drawn[1].entity == 0xABABABABu);
    EvAnimation animation;
    CHECK(ev_world_animations_into(world, 0.0, &animation, 1, &count) == EV_STATUS_OK && count == 1);
    CHECK((animation.forward & 0xFFFF) == 0x05 && animation.forward_speed == 1.0f);
    EvEvent event;
    CHECK(ev_world_events_into(world, &event, 1, &count) == EV_STATUS_OK && count == 1);
    CHECK(event.code == EV_HAPPENING_APPEARED && event.entity == WHO);
    CHECK(ev_world_events_into(world, &event, 1, &count) == EV_STATUS_OK && count == 0);
    char text[16];
    size_t length = 0;
    CHECK(ev_world_prometheus(world, text, sizeof text, &length) == EV_STATUS_TOO_SHORT);
    CHECK(text[0] == '\0' && length > sizeof text);
    CHECK(ev_world_free(world) == EV_STATUS_OK);
}

static void callbacks_answer_for_the_ground(void) {
    EvWorld *world = walking();
    Host host = {world, 0, 0, 12.5f};
    EvSurroundings surroundings = {&host, sweep, NULL, NULL};
    CHECK(ev_world_set_surroundings(world, &surroundings) == EV_STATUS_NULL);
    surroundings.place = place;
    CHECK(ev_world_set_surroundings(world, &surroundings) == EV_STATUS_OK);
    CHECK(ev_world_advance(world, 0.5, NULL) == EV_STATUS_OK);
    CHECK(host.sweeps == 15 && host.busy == 30);
    CHECK(body_of(world, 0.5).place.origin.z == 12.5f);

    float before = body_of(world, 0.5).place.origin.y;
    host.answer = NAN;
    CHECK(ev_world_advance(world, 0.6, NULL) == EV_STATUS_BAD_ANSWER);
    CHECK(body_of(world, 0.6).place.origin.y == before);
    host.answer = 11.0f;
    CHECK(ev_world_advance(world, 0.7, NULL) == EV_STATUS_OK);
    EvPlace there = at(80.0f, 80.0f);
    CHECK(ev_world_set_place(world, 0.7, WHO, &there) == EV_STATUS_OK);
    CHECK(body_of(world, 0.7).place.origin.x == 80.0f);
    CHECK(ev_world_free(world) == EV_STATUS_OK);
}

static void arguments_are_checked(void) {
    EvWorld *world = world_of("GLIDE");
    EvPlace nowhere = at(NAN, 0.0f);
    EvSetup setup;
    CHECK(ev_setup_at(&nowhere, &setup) == EV_STATUS_INVALID);
    CHECK(ev_world_set_viewpoint(world, &nowhere) == EV_STATUS_INVALID);
    CHECK(ev_world_set_viewpoint(world, NULL) == EV_STATUS_OK);
    CHECK(ev_world_advance(world, INFINITY, NULL) == EV_STATUS_INVALID);
    CHECK(ev_world_remove(world, 1) == EV_STATUS_UNKNOWN_BODY);
    CHECK(ev_world_set_flat_ground(world, NAN) == EV_STATUS_INVALID);
    float heights[4] = {1.0f, 2.0f, 3.0f, 4.0f};
    CHECK(ev_world_set_heightfield(world, BLOCK, 24.0f, 2, heights, 4) == EV_STATUS_OK);
    CHECK(ev_world_set_heightfield(world, BLOCK, 24.0f, 3, heights, 4) == EV_STATUS_INVALID);
    CHECK(ev_world_advance(NULL, 0.0, NULL) == EV_STATUS_NULL);
    const uint8_t opcode[4] = {0xE0, 0xF7, 0, 0};
    EvDisposition disposition;
    CHECK(ev_world_handle(world, 0.0, opcode, 4, &disposition) == EV_STATUS_OK && disposition.code == 0);
    CHECK(ev_world_handle(world, 0.0, opcode, 3, &disposition) == EV_STATUS_BAD_MESSAGE);
    CHECK(strcmp(ev_status_name(EV_STATUS_BUSY), "EV_STATUS_BUSY") == 0);
    CHECK(strlen(ev_version()) > 0);
    CHECK(ev_world_free(world) == EV_STATUS_OK);
    CHECK(ev_world_free(NULL) == EV_STATUS_OK);
}

static void another_game_has_its_own_axes(void) {
    EvPlainWorld *world = NULL;
    CHECK(ev_plain_new(NULL, EV_AXES_Z_UP_X_FORWARD, 100.0, 3.0, 0.0, &world) == EV_STATUS_OK);
    EvPlainUpdate update;
    memset(&update, 0, sizeof update);
    update.entity = 0xFEED000000000001u;
    update.pose.qw = 1.0f;
    update.pose.x = 250.0;
    size_t count = 0;
    CHECK(ev_plain_update(world, 0.0, &update, 1, &count) == EV_STATUS_OK && count == 1);
    EvPlainDrawn drawn;
    CHECK(ev_plain_drawn_into(world, 0.0, &drawn, 1, &count) == EV_STATUS_OK && count == 1);
    CHECK(drawn.entity == update.entity && fabs(drawn.pose.x - 250.0) < 0.01);
    update.pose.x = NAN;
    CHECK(ev_plain_update(world, 0.1, &update, 1, &count) == EV_STATUS_INVALID && count == 0);
    CHECK(ev_plain_free(world) == EV_STATUS_OK);
}

int main(void) {
    a_world_lives();
    buffers_belong_to_the_caller();
    callbacks_answer_for_the_ground();
    arguments_are_checked();
    another_game_has_its_own_axes();
    printf("C: %d checks, %d failed\n", checks, failures);
    return failures == 0 ? 0 : 1;
}
