//! Bytes to values and back: motion messages, and the packets they travel in.
//!
//! ```text
//! datagram ─► packet.rs ─► fragment.rs ─► message/ ─► evenstride_types::update
//!             header,      several to      every field,
//!             sections     a message       used or not
//! ```
//!
//! Decoding is total: whatever the bytes are, the answer is a value or a [`DecodeError`] that names the field and the byte. Encoding is its
//! inverse, byte for byte, but for padding, which is written as zeros ([`Decoded::odd_padding`] tells where it was not).
//!
//! | file | what it holds |
//! |---|---|
//! | `reader.rs`, `writer.rs`, `error.rs` | bytes, one field after the other |
//! | `message/` | messages: positions, movements, descriptions, what a player's client says |
//! | `opcode.rs`, `pretty.rs` | names of messages, and messages as lines of text |
//! | `packet.rs` | a datagram: header, optional sections, fragments |
//! | `fragment.rs` | splitting messages and putting them together again |
//! | `checksum.rs`, `isaac.rs` | what guards a packet |

#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

extern crate alloc;

mod checksum;
mod error;
mod fragment;
mod isaac;
mod message;
mod opcode;
mod packet;
mod pretty;
mod reader;
mod writer;

pub use checksum::{HEADER_SEED, hash32};
pub use error::DecodeError;
pub use fragment::{
    FRAGMENT_BYTES, Fragment, FragmentHeader, Reassembled, Reassembler, ReassemblyLimits, split,
};
pub use isaac::KeyStream;
pub use message::{
    ActionMessage, AppearanceUpdate, Aside, CreateMessage, Decoded, Looks, Message, OtherAction, PackedId,
    PalettePatch, PartPatch, RestrictionList, Text, TexturePatch, WeenieDescription, WeenieField,
    WeenieValue, decode, decode_movement, encode,
};
pub use opcode::{ACTION_WRAPPER, action_name, opcode_name};
pub use packet::{
    ConnectRequest, Guard, HEADER_BYTES, MAX_PACKET_BYTES, Packet, PacketFlags, PacketHeader, Section,
    write_packet,
};
pub use pretty::Pretty;
