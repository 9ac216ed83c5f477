// Nanoseconds per entity in C. `cargo xtask native-bench` runs it together with Rust and C#.
#define _POSIX_C_SOURCE 199309L
#include "../../include/evenstride.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define ENTITIES 10000
#define FRAMES 240
#define PASSES 11

static double now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void must(EvStatus status) {
    if (status != EV_STATUS_OK) {
        fprintf(stderr, "%s\n", ev_status_name(status));
        exit(1);
    }
}

static int compare(const void *one, const void *other) {
    double difference = *(const double *)one - *(const double *)other;
    return difference < 0 ? -1 : difference > 0;
}

static double median(double *times, size_t count) {
    qsort(times, count, sizeof *times, compare);
    return times[count / 2];
}

// Only every second frame is a step, so the median of frames would mean little.
static double mean(const double *times, size_t count) {
    double sum = 0.0;
    for (size_t index = 0; index < count; index += 1) {
        sum += times[index];
    }
    return sum / (double)count;
}

static EvPosition positions[ENTITIES];
static EvDrawn drawn[ENTITIES];

int main(void) {
    EvConfig *config = NULL;
    EvWorld *world = NULL;
    must(ev_config_new("SPECTATOR", &config));
    must(ev_world_new(config, 0.0, &world));
    must(ev_config_free(config));
    double advance[FRAMES], draw[FRAMES], handle[FRAMES / 12], moved = 0.0;
    size_t count = 0;
    for (int frame = 0; frame < FRAMES; frame += 1) {
        double time = frame / 60.0, start = now_ns();
        must(ev_world_advance(world, time, NULL));
        advance[frame] = (now_ns() - start) / ENTITIES;
        if (frame % 12 == 0) {
            for (uint32_t index = 0; index < ENTITIES; index += 1) {
                EvPosition *position = &positions[index];
                memset(position, 0, sizeof *position);
                position->entity = 0x80000000u + index;
                position->place.cell = 0xA9B40001u;
                position->place.origin.x = (float)(index % 50) + (float)(frame / 12) * 0.8f;
                position->place.origin.y = (float)(index / 60);
                position->place.origin.z = 10.0f;
                position->place.qw = 1.0f;
                position->has_contact = 1;
                position->position = (uint16_t)(frame / 12 + 1);
            }
            start = now_ns();
            must(ev_world_apply_positions(world, time, positions, ENTITIES, NULL, 0));
            handle[frame / 12] = (now_ns() - start) / ENTITIES;
        }
        start = now_ns();
        must(ev_world_drawn_into(world, time, 0xA9B4, drawn, ENTITIES, &count));
        draw[frame] = (now_ns() - start) / ENTITIES;
        moved += (double)drawn[0].position.x;
    }
    EvBody body;
    double single[PASSES];
    for (int pass = 0; pass < PASSES; pass += 1) {
        double start = now_ns();
        for (uint32_t index = 0; index < ENTITIES; index += 1) {
            must(ev_world_body(world, 4.0, 0x80000000u + index, &body));
        }
        single[pass] = (now_ns() - start) / ENTITIES;
    }
    if (count != ENTITIES || moved <= 0.0) {
        fprintf(stderr, "nothing was drawn\n");
        return 1;
    }
    printf("C     advance %5.1f  handle %5.1f  draw, batch %5.1f  body, single %5.1f\n", mean(advance, FRAMES),
           median(handle, FRAMES / 12), median(draw, FRAMES), median(single, PASSES));
    must(ev_world_free(world));
    return 0;
}
