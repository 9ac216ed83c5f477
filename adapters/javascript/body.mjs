// A remote body in a world of its own. It gets the game's messages, as a client would.
import { World } from "evenstride";
import { Message } from "./message.mjs";
import { hex, settled } from "./space.mjs";

export class Unsupported extends Error {}

const RUN_FORWARD = 0x44000007;
const [ENTITY, READY_SECS, STEP] = [0x80000001, 3, 1 / 30];
// The gate of 30 Hz lets this pass however times are rounded.
const SHORTEST = STEP + 1e-9;

export class Body {
    constructor({ driver, settings }) {
        const { contact, velocity, anims, pos, player, player_distance: distance } = settings;
        const isIndoors = (parseInt(pos.cell) & 0xffff) >= 0x100;
        if (contact.join() !== "1,1" || velocity.some((part) => part !== 0) || anims.length || isIndoors) {
            throw new Unsupported("flight, animations, or a body indoors");
        }
        if (player || !settings.has_cell || settings.state & 0x1000000 || settings.max_quantum !== 0.2) {
            throw new Unsupported("a player, a frozen body, a body outside the world, or other step sizes");
        }
        if (distance === null || distance >= 96) throw new Unsupported("a body far from the player");
        if (settings.friction !== null || settings.speed_factor !== 1) throw new Unsupported("friction or a speed factor");
        this.driver = driver;
        this.origin = parseInt(pos.cell) >>> 16;
        this.world = new World("RETAIL", settings.t0 - READY_SECS - STEP);
        this.enter(settings);
    }

    // The traces give a run rate, and messages tell of it by a run. So the body runs once and stands again. It has the
    // time to end that, and is then put where the trace begins.
    enter(settings) {
        const { pos, stamps, weenie, inq_run_rate: reported, my_run_rate: heard } = settings;
        const isRunning = settings.forward_command === RUN_FORWARD;
        if (isRunning && (!weenie || reported !== null)) throw new Unsupported("a run rate of the game object");
        const rate = isRunning ? settings.forward_speed : !weenie ? 1 : (reported ?? heard);
        const before = (stamp) => (stamp + 0xffff) & 0xffff;
        const start = settings.t0 - READY_SECS - STEP;
        const { cell, pos: at } = pos;
        this.world.setViewpoint(parseInt(cell), ...at);
        const earlier = { ...stamps, position: before(stamps.position), teleport: before(stamps.teleport) };
        this.world.handle(start, Message.create(ENTITY, settings.state, pos, settings.scale, rate, earlier));
        this.world.handle(start, Message.stands(ENTITY, stamps.instance));
        for (let time = start; time < settings.t0 - STEP; time += 1.01 * STEP) this.world.advance(time);
        const { position, teleport, instance } = stamps;
        const placed = { ...pos, has_contact: 1, velocity: [0, 0, 0], instance, force_position_ts: 0 };
        this.world.handle(settings.t0, Message.position(ENTITY, { ...placed, position_ts: position, teleport_ts: teleport }));
        this.world.advance(settings.t0);
        this.now = settings.t0;
    }

    event(event) {
        if (event.kind !== "position") throw new Unsupported(`event ${event.kind}`);
        this.now = event.t;
        this.world.handle(event.t, Message.position(ENTITY, event));
        return this.state();
    }

    tick({ t, dt }) {
        const isStep = { internal: dt >= SHORTEST && dt <= 0.2, update_object: dt >= SHORTEST, use_time: true };
        if (!isStep[this.driver]) throw new Unsupported("steps that the world's own gate of 30 Hz does not make");
        this.now = t;
        this.world.advance(t);
        return this.state();
    }

    state() {
        if (this.world.draw(this.now, this.origin) !== 1) throw new Error("the body is not drawn");
        const [x, y, z, ...quat] = this.world.poses().subarray(0, 7);
        const { cell, pos } = settled(((this.origin << 16) | 1) >>> 0, [x, y, z]);
        // The player stays with the body.
        this.world.setViewpoint(cell, ...pos);
        return { cell: hex(cell), pos, quat };
    }
}
