// Evenstride for C++17: handles that release themselves, errors as exceptions, and surroundings as a class.
//
// Exceptions of your surroundings never cross the library. The call is finished first, with the answer
// "blocked", and then the first exception leaves the call of this header.
#ifndef EVENSTRIDE_HPP
#define EVENSTRIDE_HPP

#include "evenstride.h"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace evenstride {

// A call failed. `what()` is the library's sentence.
class Error : public std::runtime_error {
public:
    Error(EvStatus status, const std::string &what) : std::runtime_error(what), status_(status) {}
    EvStatus status() const noexcept { return status_; }

private:
    EvStatus status_;
};

// Writes a text or an array of any length: `write(data, capacity, count)` is called until it fits.
namespace detail {

inline std::string last_error() {
    std::size_t length = 0;
    (void)ev_last_error(nullptr, 0, &length);
    std::string text(length + 1, '\0');
    (void)ev_last_error(text.data(), text.size(), &length);
    text.resize(length);
    return text;
}

inline void must(EvStatus status) {
    if (status != EV_STATUS_OK) {
        throw Error(status, last_error());
    }
}

template <typename Write> std::string text(Write write) {
    std::string text(255, '\0');
    for (;;) {
        std::size_t length = 0;
        EvStatus status = write(text.data(), text.size(), &length);
        if (status != EV_STATUS_TOO_SHORT) {
            must(status);
            text.resize(length);
            return text;
        }
        text.resize(length + 1);
    }
}

// Keeps the vector's memory from call to call.
template <typename T, typename Write> void fill(std::vector<T> &out, Write write) {
    out.resize(out.capacity());
    for (;;) {
        std::size_t count = 0;
        EvStatus status = write(out.data(), out.size(), &count);
        if (status != EV_STATUS_TOO_SHORT) {
            must(status);
            out.resize(count);
            return;
        }
        out.resize(count);
    }
}

struct Release {
    void operator()(EvConfig *config) const noexcept { (void)ev_config_free(config); }
    void operator()(EvWorld *world) const noexcept { (void)ev_world_free(world); }
    void operator()(EvLibrary *library) const noexcept { (void)ev_library_free(library); }
    void operator()(EvPlainWorld *world) const noexcept { (void)ev_plain_free(world); }
};

} // namespace detail

// Settings of new worlds: RETAIL, ACDREAM, SMOOTH, GLIDE or SPECTATOR, and switches by name.
class Config {
public:
    explicit Config(const std::string &profile) {
        EvConfig *config = nullptr;
        detail::must(ev_config_new(profile.c_str(), &config));
        config_.reset(config);
    }
    Config &set(const std::string &name, const std::string &value) {
        detail::must(ev_config_set(config_.get(), name.c_str(), value.c_str()));
        return *this;
    }
    std::string value(const std::string &name) const {
        return detail::text([&](char *text, std::size_t capacity, std::size_t *length) {
            return ev_config_value(config_.get(), name.c_str(), text, capacity, length);
        });
    }
    const EvConfig *get() const noexcept { return config_.get(); }

private:
    std::unique_ptr<EvConfig, detail::Release> config_;
};

// Motion tables, which any number of worlds share.
class Library {
public:
    static Library open(const std::string &path, EvLoaded *loaded = nullptr) {
        EvLibrary *library = nullptr;
        detail::must(ev_library_open(path.c_str(), &library, loaded));
        return Library(library);
    }
    const EvLibrary *get() const noexcept { return library_.get(); }

private:
    explicit Library(EvLibrary *library) : library_(library) {}
    std::unique_ptr<EvLibrary, detail::Release> library_;
};

// The host's geometry. Return true for "moved" or "fits". The answer is filled in to begin with.
class Surroundings {
public:
    virtual ~Surroundings() = default;
    virtual bool sweep(const EvSweep &question, EvSwept &answer) = 0;
    virtual bool place(const EvPlacing &question, EvPlaced &answer) = 0;
    virtual bool lands_by_update(const EvPlace &) { return false; }
};

// All bodies of a world.
class World {
public:
    World(const Config &config, double seconds) {
        EvWorld *world = nullptr;
        detail::must(ev_world_new(config.get(), seconds, &world));
        world_.reset(world);
    }
    static World restore(const std::vector<std::uint8_t> &saved, const Library *library = nullptr) {
        EvWorld *world = nullptr;
        const EvLibrary *with = library ? library->get() : nullptr;
        detail::must(ev_world_restore(saved.data(), saved.size(), with, &world));
        return World(world);
    }
    World clone() const {
        EvWorld *copy = nullptr;
        detail::must(ev_world_clone(world_.get(), &copy));
        World world(copy);
        world.host_ = host_;
        return world;
    }
    std::vector<std::uint8_t> save() const {
        std::vector<std::uint8_t> saved;
        detail::fill(saved, [&](std::uint8_t *bytes, std::size_t capacity, std::size_t *length) {
            return ev_world_save(world_.get(), bytes, capacity, length);
        });
        return saved;
    }

    EvAdvanced advance(double seconds) {
        EvAdvanced advanced{};
        must(ev_world_advance(world_.get(), seconds, &advanced));
        return advanced;
    }
    EvDisposition handle(double seconds, const std::uint8_t *bytes, std::size_t length) {
        EvDisposition disposition{};
        must(ev_world_handle(world_.get(), seconds, bytes, length, &disposition));
        return disposition;
    }
    EvDisposition apply(double seconds, const EvMovement &movement) {
        EvDisposition disposition{};
        must(ev_world_apply_movement(world_.get(), seconds, &movement, nullptr, 0, &disposition));
        return disposition;
    }
    EvDisposition apply(double seconds, const EvPosition &position) {
        EvDisposition disposition{};
        must(ev_world_apply_positions(world_.get(), seconds, &position, 1, &disposition, 1));
        return disposition;
    }
    std::uint64_t insert(double seconds, std::uint32_t entity, const EvSetup &setup) {
        std::uint64_t key = 0;
        must(ev_world_insert(world_.get(), seconds, entity, &setup, &key));
        return key;
    }
    void remove(std::uint32_t entity) { must(ev_world_remove(world_.get(), entity)); }
    void set_place(double seconds, std::uint32_t entity, const EvPlace &place) {
        must(ev_world_set_place(world_.get(), seconds, entity, &place));
    }
    void set_viewpoint(const EvPlace *viewpoint) { must(ev_world_set_viewpoint(world_.get(), viewpoint)); }
    void set_flat_ground(float z) { must(ev_world_set_flat_ground(world_.get(), z)); }
    void set_library(const Library &library) { must(ev_world_set_library(world_.get(), library.get())); }

    // The surroundings are shared with the world, and with its clones.
    void set_surroundings(std::shared_ptr<Surroundings> surroundings) {
        auto host = std::make_shared<Host>();
        host->surroundings = std::move(surroundings);
        EvSurroundings of{host.get(), &Host::sweep, &Host::place, &Host::lands_by_update};
        must(ev_world_set_surroundings(world_.get(), &of));
        host_ = std::move(host);
    }

    // Bodies in metres from the south-west corner of the landblock `origin`.
    void drawn(double seconds, std::uint32_t origin, std::vector<EvDrawn> &out) const {
        detail::fill(out, [&](EvDrawn *bodies, std::size_t capacity, std::size_t *count) {
            return ev_world_drawn_into(world_.get(), seconds, origin, bodies, capacity, count);
        });
    }
    void changed(double seconds, std::uint32_t origin, std::vector<EvDrawn> &out) {
        detail::fill(out, [&](EvDrawn *bodies, std::size_t capacity, std::size_t *count) {
            return ev_world_changed_into(world_.get(), seconds, origin, bodies, capacity, count);
        });
    }
    // Takes up to 256 events. Call it until the result is empty.
    void events(std::vector<EvEvent> &out) {
        out.resize(256);
        std::size_t count = 0;
        must(ev_world_events_into(world_.get(), out.data(), out.size(), &count));
        out.resize(count);
    }
    EvBody body(double seconds, std::uint32_t entity) const {
        EvBody body{};
        detail::must(ev_world_body(world_.get(), seconds, entity, &body));
        return body;
    }
    void trace(std::uint32_t entity) { must(ev_world_trace(world_.get(), entity)); }
    std::string explain(std::uint32_t entity, std::size_t lines = 0) const {
        return detail::text([&](char *text, std::size_t capacity, std::size_t *length) {
            return ev_world_explain(world_.get(), entity, lines, text, capacity, length);
        });
    }
    std::string prometheus() const {
        return detail::text([&](char *text, std::size_t capacity, std::size_t *length) {
            return ev_world_prometheus(world_.get(), text, capacity, length);
        });
    }
    std::uint64_t state_hash() const {
        std::uint64_t hash = 0;
        detail::must(ev_world_state_hash(world_.get(), &hash));
        return hash;
    }
    std::size_t size() const {
        std::size_t count = 0;
        detail::must(ev_world_len(world_.get(), &count));
        return count;
    }
    // For functions that this header does not wrap.
    EvWorld *get() noexcept { return world_.get(); }

private:
    // The C functions that ask the surroundings, and the first exception of one.
    struct Host {
        std::shared_ptr<Surroundings> surroundings;
        std::exception_ptr thrown;

        template <typename Ask> std::uint32_t ask(Ask question) noexcept {
            try {
                return question(*surroundings) ? EV_MOVED : EV_BLOCKED;
            } catch (...) {
                if (!thrown) {
                    thrown = std::current_exception();
                }
                return EV_BLOCKED;
            }
        }
        static std::uint32_t sweep(void *user, const EvSweep *question, EvSwept *answer) {
            return static_cast<Host *>(user)->ask([&](Surroundings &of) { return of.sweep(*question, *answer); });
        }
        static std::uint32_t place(void *user, const EvPlacing *question, EvPlaced *answer) {
            return static_cast<Host *>(user)->ask([&](Surroundings &of) { return of.place(*question, *answer); });
        }
        static std::uint32_t lands_by_update(void *user, const EvPlace *at) {
            return static_cast<Host *>(user)->ask([&](Surroundings &of) { return of.lands_by_update(*at); });
        }
    };

    explicit World(EvWorld *world) : world_(world) {}

    // An exception of the host comes first, because a failure of the call may be its consequence.
    void must(EvStatus status) {
        if (host_ && host_->thrown) {
            std::rethrow_exception(std::exchange(host_->thrown, nullptr));
        }
        detail::must(status);
    }

    // Declared first, so that it outlives the world that points to it.
    std::shared_ptr<Host> host_;
    std::unique_ptr<EvWorld, detail::Release> world_;
};

} // namespace evenstride

#endif
