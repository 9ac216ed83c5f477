//! Reads and writes motion messages, and the packets that carry them.
//!
//! ```text
//! datagram ─► packet.rs ─► fragment.rs ─► message/ ─► evenstride_types::update
//!             header,      several to      every field,
//!             sections     a message       used or not
//! ```
//!
//! Decoding is total. Any input gives a value or a [`DecodeError`] that names the field and the
//! byte. Encoding is the inverse, byte for byte, except that padding is written as zeros.
//! [`Decoded::odd_padding`] tells where padding was not zero.
//!
//! This crate does not track connections. `evenstride_capture::Session` checks the datagrams of a
//! socket or a file, removes repetitions and joins fragments.
//!
//! ```
//! use evenstride::{Config, MotionWorld, OpenField, types::{EntityId, SimTime}};
//! use evenstride_capture::{CapturedMessage, Fault, Listener, Session};
//! use evenstride_wire::decode;
//! # use evenstride::types::{CellId, Placement, Pose, update::ServerEntity};
//! # use evenstride_wire::{Message, PacketHeader, encode, split, write_packet};
//!
//! /// Handles every message of a server in a world.
//! struct Live(MotionWorld);
//!
//! impl Listener for Live {
//!     fn message(&mut self, message: &CapturedMessage<'_>) {
//!         let Ok(now) = SimTime::from_secs(message.time) else { return };
//!         if let Some(update) = decode(message.bytes).ok().and_then(|decoded| decoded.message.into_update()) {
//!             let _ = self.0.handle(now, &update, &OpenField);
//!         }
//!     }
//!
//!     fn fault(&mut self, fault: Fault) {
//!         eprintln!("{fault}");
//!     }
//! }
//!
//! let mut session = Session::new(Live(MotionWorld::new(Config::SPECTATOR, SimTime::ZERO)));
//! # let drudge = ServerEntity::new(EntityId::new(0x8000_0001));
//! # let here = Placement::new(CellId::new(0xA9B4_0001)?, Pose::IDENTITY);
//! # let mut bytes = Vec::new();
//! # encode(&Message::from(drudge.create(drudge.description(&here))), &mut bytes);
//! # let (header, mut payload) = (PacketHeader { sequence: 1, ..PacketHeader::default() }, Vec::new());
//! # write_packet(&header, &[], &split(&bytes, 1, 0x8000_0000, 10), None, &mut payload);
//! // For each datagram of your socket, pass its time, both addresses and its bytes.
//! let (server, client) = ("127.0.0.1:9000".parse()?, "127.0.0.1:50000".parse()?);
//! session.datagram(0.5, server, client, &payload);
//! assert_eq!(session.listener.0.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | content |
//! |---|---|
//! | `reader.rs`, `writer.rs`, `error.rs` | fields in a byte buffer |
//! | `message/` | positions, movements, descriptions, actions of a player's client |
//! | `opcode.rs`, `pretty.rs`, `fields.rs` | names of messages, messages as lines of text, and their fields |
//! | `packet.rs` | datagrams with header, optional sections and fragments |
//! | `fragment.rs` | splitting and reassembly of messages |
//! | `checksum.rs`, `isaac.rs` | checksum and key stream of packets |

#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

extern crate alloc;

mod checksum;
mod error;
mod fields;
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
pub use fields::{Field, fields};
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
