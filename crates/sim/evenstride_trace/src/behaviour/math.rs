//! Pure functions of space and stamps.

use super::Behaviour;

pub(super) const MATH: &[Behaviour] = &[
    Behaviour {
        id: "combine-frames",
        name: "combining and subtracting frames",
        client: &["Frame::combine", "Frame::subtract1", "Frame::subtract2", "Position::subtract2"],
        says: "One frame is applied inside another, or taken back out of it. The rotation of a result has unit length, and landblocks 192 m apart count.",
        in_game: "Everything that is attached, offset or moved relative to a body appears at a wrong place or turned.",
        traces: &["r_math"],
        shown_by: &["combine", "subtract1", "subtract2", "pos_subtract2"],
    },
    Behaviour {
        id: "headings",
        name: "headings",
        client: &[
            "Frame::get_heading",
            "Frame::set_heading",
            "Frame::set_vector_heading",
            "Position::heading",
        ],
        says: "A heading is in degrees, clockwise from north. A new heading keeps the pitch approximately and discards the roll.",
        in_game: "Bodies face a wrong way, or stand upright on slopes where they should lean.",
        traces: &["r_math"],
        shown_by: &["get_heading", "set_heading", "set_vector_heading", "heading"],
    },
    Behaviour {
        id: "spin",
        name: "spinning a frame",
        client: &["Frame::rotate", "Frame::grotate"],
        says: "A rotation vector turns a frame about its own axes, or about those of the world. A tiny vector changes nothing.",
        in_game: "Thrown bodies tumble about a wrong axis.",
        traces: &["r_math"],
        shown_by: &["rotate", "grotate"],
    },
    Behaviour {
        id: "axes",
        name: "local and global vectors",
        client: &["Position::localtolocal", "Position::globaltolocalvec", "Position::localtoglobalvec"],
        says: "A point is converted between frames with their origins, and a direction without them. A pair of positions also converts between landblocks.",
        in_game: "Velocities of animations point in a wrong direction, most visibly for bodies that face east or west.",
        traces: &["r_math"],
        shown_by: &["globaltolocal", "globaltolocalvec", "localtoglobalvec", "localtolocal"],
    },
    Behaviour {
        id: "distances",
        name: "offsets and distances",
        client: &["Position::get_offset", "Position::distance", "Position::cylinder_distance_no_z"],
        says: "Distances are three-dimensional, and add 192 m for each landblock between two positions. Radii are subtracted without regard to height.",
        in_game: "Bodies at the border of a landblock snap or stop, because they seem far away.",
        traces: &["r_math"],
        shown_by: &["get_offset", "distance", "cylinder_distance_no_z"],
    },
    Behaviour {
        id: "outdoor-cells",
        name: "outdoor cells",
        client: &["LandDefs::adjust_to_outside", "LandDefs::lcoord_to_gid", "LandDefs::gid_to_lcoord"],
        says: "A place outdoors moves into the cell and the landblock that its coordinates lie in. Coordinates outside the map are refused.",
        in_game: "A body vanishes or jumps by 192 m when it crosses a border.",
        traces: &["r_math"],
        shown_by: &["adjust_to_outside"],
    },
    Behaviour {
        id: "stamp-halves",
        name: "stamps in half a circle",
        client: &["CPhysicsObj::is_newer"],
        says: "Of two stamps of 16 bits, the one that is ahead by less than half of all values is newer. At exactly half, the smaller value is newer.",
        in_game: "After 65,536 updates, a body stops for good or obeys old messages.",
        traces: &["r_math", "h08"],
        shown_by: &["is_newer", "stamps", "route"],
    },
];
