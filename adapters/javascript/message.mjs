// Messages of the server, byte by byte.

export class Message {
    constructor() {
        this.view = new DataView(new ArrayBuffer(256));
        this.end = 0;
    }

    put(kind, size, values) {
        for (const value of values) {
            this.view[`set${kind}`](this.end, value, true);
            this.end += size;
        }
        return this;
    }

    u8(...values) {
        return this.put("Uint8", 1, values);
    }

    u16(...values) {
        return this.put("Uint16", 2, values);
    }

    u32(...values) {
        return this.put("Uint32", 4, values);
    }

    f32(...values) {
        return this.put("Float32", 4, values);
    }

    align() {
        this.end = (this.end + 3) & ~3;
        return this;
    }

    done() {
        return new Uint8Array(this.view.buffer, 0, this.end);
    }

    // F745: a creature that runs.
    static create(entity, state, { cell, pos, quat }, scale, speed, stamps) {
        const message = new Message().u32(0xf745, entity).u8(0x11, 0, 0, 0);
        message.u32(0x10000 | 0x8000 | 0x80, state);
        // Movement: an interpreted state with a forward command and its speed.
        message.u32(16).u8(0, 0).u16(0x3d).u32(0x02 | 0x04).u16(7).f32(speed).align().u32(0);
        message.u32(parseInt(cell)).f32(...pos, ...quat).f32(scale);
        const { position, vector, teleport, instance } = stamps;
        message.u16(position, 0, 0, vector, teleport, 0, 0, 0, instance).align();
        // Game data: no name, no icon, a creature.
        return message.u32(0).u16(0, 0).u16(0, 0).u32(0x10, 0x10).align().done();
    }

    // F74C: it stands.
    static stands(entity, instance) {
        return new Message().u32(0xf74c, entity).u16(instance, 1, 1).u8(0, 0).u8(0, 0).u16(0x3d).u32(0).done();
    }

    // F748: it is there.
    static position(entity, { cell, pos, quat, has_contact: hasContact, velocity, ...stamps }) {
        const message = new Message().u32(0xf748, entity, hasContact ? 0x05 : 0x01, parseInt(cell));
        message.f32(...pos, ...quat, ...velocity);
        message.u16(stamps.instance, stamps.position_ts, stamps.teleport_ts, stamps.force_position_ts);
        return message.done();
    }
}
