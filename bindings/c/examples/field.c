// A creature walks over a height field, drawn once per second.
//
//   cargo build -p evenstride_ffi
//   cc -Ibindings/c/include bindings/c/examples/field.c target/debug/libevenstride_ffi.a -lpthread -ldl -lm -o field
//   ./field
#include "evenstride.h"

#include <stdio.h>
#include <string.h>

#define COLUMNS 9
#define LANDBLOCK 0xA9B4u

// Ends the program with the library's sentence if a call fails.
static void must(EvStatus status) {
    if (status == EV_STATUS_OK) {
        return;
    }
    char why[256];
    (void)ev_last_error(why, sizeof why, NULL);
    fprintf(stderr, "%s: %s\n", ev_status_name(status), why);
    exit(1);
}

int main(void) {
    EvConfig *config = NULL;
    EvWorld *world = NULL;
    must(ev_config_new("GLIDE", &config));
    must(ev_world_new(config, 0.0, &world));
    must(ev_config_free(config));

    // A slope that rises one metre in 24 to the north.
    float heights[COLUMNS * COLUMNS];
    for (int row = 0; row < COLUMNS; row += 1) {
        for (int column = 0; column < COLUMNS; column += 1) {
            heights[row * COLUMNS + column] = 10.0f + (float)row;
        }
    }
    must(ev_world_set_heightfield(world, LANDBLOCK, 24.0f, COLUMNS, heights, COLUMNS * COLUMNS));

    EvPlace start = {LANDBLOCK << 16 | 1, {90.0f, 20.0f, 11.0f}, 1.0f, 0.0f, 0.0f, 0.0f};
    EvSetup setup;
    must(ev_setup_at(&start, &setup));
    must(ev_world_insert(world, 0.0, 1, &setup, NULL));

    // The server lets it run north. A client passes the bytes to ev_world_handle instead.
    EvMovement run;
    memset(&run, 0, sizeof run);
    run.entity = 1;
    run.movement = 1;
    run.style = 0x3D;
    run.present = EV_HAS_FORWARD | EV_HAS_FORWARD_SPEED;
    run.forward = 0x07;
    run.forward_speed = 1.5f;
    EvDisposition disposition;
    must(ev_world_apply_movement(world, 0.0, &run, NULL, 0, &disposition));

    for (int frame = 0; frame <= 300; frame += 1) {
        double time = frame / 60.0;
        must(ev_world_advance(world, time, NULL));
        EvDrawn drawn[16];
        size_t count = 0;
        must(ev_world_drawn_into(world, time, LANDBLOCK, drawn, 16, &count));
        for (size_t body = 0; body < count && frame % 60 == 0; body += 1) {
            EvVec3 at = drawn[body].position;
            printf("%.0f s  entity %u at %.2f %.2f %.2f\n", time, drawn[body].entity, at.x, at.y, at.z);
        }
    }
    must(ev_world_free(world));
    return 0;
}
