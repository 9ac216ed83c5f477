// Tests of the C++17 header. Prints one line and returns 0 if all pass.
#include "../../include/evenstride.hpp"

#include <cstdio>
#include <cstring>

namespace {

int failures = 0;
int checks = 0;

void check(bool holds, const char *what, int line) {
    checks += 1;
    if (!holds) {
        failures += 1;
        std::printf("FAIL line %d: %s\n", line, what);
    }
}
#define CHECK(condition) check(condition, #condition, __LINE__)

constexpr std::uint32_t WHO = 7;

struct Throws final : evenstride::Surroundings {
    bool throws = true;
    bool sweep(const EvSweep &, EvSwept &) override {
        if (throws) {
            throw std::logic_error("no geometry here");
        }
        return true;
    }
    bool place(const EvPlacing &, EvPlaced &) override { return true; }
};

evenstride::World walking() {
    evenstride::World world(evenstride::Config("SMOOTH"), 0.0);
    EvPlace place{0xA9B40001, {50.0f, 50.0f, 10.0f}, 1.0f, 0.0f, 0.0f, 0.0f};
    EvSetup setup{};
    CHECK(ev_setup_at(&place, &setup) == EV_STATUS_OK);
    world.insert(0.0, WHO, setup);
    EvMovement movement{};
    movement.entity = WHO;
    movement.movement = 1;
    movement.style = 0x3D;
    movement.present = EV_HAS_FORWARD;
    movement.forward = 0x05;
    CHECK(world.apply(0.0, movement).is_accepted == 1);
    return world;
}

void exceptions_leave_the_call_and_the_world_goes_on() {
    auto world = walking();
    auto surroundings = std::make_shared<Throws>();
    world.set_surroundings(surroundings);
    std::string said;
    try {
        world.advance(0.5);
    } catch (const std::logic_error &error) {
        said = error.what();
    }
    CHECK(said == "no geometry here");
    CHECK(world.body(0.5, WHO).place.origin.y == 50.0f);
    surroundings->throws = false;
    world.advance(1.0);
    CHECK(world.body(1.0, WHO).place.origin.y > 51.0f);
}

void errors_are_exceptions_with_the_library_s_sentence() {
    evenstride::Config config("retail");
    CHECK(config.set("gate", "fixed").value("gate") == "fixed");
    try {
        config.set("gate", "open");
        CHECK(false);
    } catch (const evenstride::Error &error) {
        CHECK(error.status() == EV_STATUS_INVALID);
        CHECK(std::string_view(error.what()) == "gate: `open` is not one of shared, per-body, fixed");
    }
}

void worlds_are_copied_saved_and_drawn() {
    auto world = walking();
    world.trace(WHO);
    auto moved = std::move(world);
    auto copy = moved.clone();
    auto restored = evenstride::World::restore(moved.save());
    std::vector<EvDrawn> drawn;
    for (auto *of : {&moved, &copy, &restored}) {
        of->advance(1.0);
        of->drawn(1.0, 0xA9B4, drawn);
        CHECK(drawn.size() == 1 && drawn[0].position.y > 52.0f);
    }
    CHECK(moved.state_hash() == copy.state_hash() && copy.state_hash() == restored.state_hash());
    CHECK(moved.prometheus().find("evenstride_bodies 1\n") != std::string::npos);
    std::vector<EvEvent> events;
    moved.events(events);
    CHECK(!events.empty() && events[0].entity == WHO);
}

} // namespace

int main() {
    exceptions_leave_the_call_and_the_world_goes_on();
    errors_are_exceptions_with_the_library_s_sentence();
    worlds_are_copied_saved_and_drawn();
    std::printf("C++: %d checks, %d failed\n", checks, failures);
    return failures == 0 ? 0 : 1;
}
