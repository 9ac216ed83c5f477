//! Datagrams, which have a header, optional sections in the order of their flag bits, and
//! fragments.

use alloc::{boxed::Box, vec::Vec};

use bitflags::bitflags;

use crate::{
    DecodeError, HEADER_SEED,
    checksum::{halves, hash_words},
    fragment::{FRAGMENT_BYTES, Fragment, FragmentHeader},
    hash32,
    reader::{Read, Reader},
    writer::Writer,
};

/// Length of a header in bytes.
pub const HEADER_BYTES: usize = 20;

/// Largest number of bytes after the header that the client and servers send.
pub const MAX_PACKET_BYTES: usize = 464;

bitflags! {
    /// The flags of a packet, which announce its content.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct PacketFlags: u32 {
        /// The packet was sent before.
        const RETRANSMISSION = 0x1;
        /// The checksum is mixed with a word of the key stream.
        const ENCRYPTED = 0x2;
        /// Fragments follow the sections.
        const FRAGMENTS = 0x4;
        /// The client must switch to another server.
        const SERVER_SWITCH = 0x100;
        /// Address of a logon server.
        const LOGON_SERVER = 0x200;
        /// The packet carries nothing.
        const EMPTY = 0x400;
        /// Address and cookie of another server.
        const REFERRAL = 0x800;
        /// Numbers of missing packets that the sender requests again.
        const REQUEST_RETRANSMIT = 0x1000;
        /// Numbers of packets that the sender can no longer send again.
        const REJECT_RETRANSMIT = 0x2000;
        /// Number of the last packet received without a gap.
        const ACK = 0x4000;
        /// The connection ends.
        const DISCONNECT = 0x8000;
        /// The connection begins. The client sends its login.
        const LOGIN_REQUEST = 0x1_0000;
        /// The client logs in at another server.
        const WORLD_LOGIN_REQUEST = 0x2_0000;
        /// The server's reply to a login, with cookie, client number and seeds.
        const CONNECT_REQUEST = 0x4_0000;
        /// The client's reply to the connect request, with the cookie.
        const CONNECT_RESPONSE = 0x8_0000;
        /// An error that does not end the connection.
        const NET_ERROR = 0x10_0000;
        /// An error that ends the connection.
        const NET_ERROR_DISCONNECT = 0x20_0000;
        /// A command to the peer's network code.
        const COMMAND = 0x40_0000;
        /// The sender's time.
        const TIME_SYNC = 0x100_0000;
        /// A time that the peer must send back.
        const ECHO_REQUEST = 0x200_0000;
        /// The time of an echo request, sent back.
        const ECHO_RESPONSE = 0x400_0000;
        /// Number of bytes received.
        const FLOW = 0x800_0000;
        /// Bits without a name.
        const _ = !0;
    }
}

/// The first 20 bytes of a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PacketHeader {
    /// Number of the packet in one direction, or 0 before numbering begins.
    pub sequence: u32,
    /// Flags, which announce the content of the packet.
    pub flags: PacketFlags,
    /// Checksum of the packet.
    pub checksum: u32,
    /// The number that the receiver gave this connection.
    pub recipient: u16,
    /// Time of the sender. Its unit varies (half seconds, seconds and others), so it is not usable
    /// as a clock.
    pub interval: u16,
    /// Number of bytes after the header.
    pub size: u16,
    /// Generation of the connection.
    pub iteration: u16,
}

impl PacketHeader {
    fn read(reader: &mut Reader<'_>) -> Read<Self> {
        Ok(Self {
            sequence: reader.u32("packet sequence")?,
            flags: PacketFlags::from_bits_retain(reader.u32("packet flags")?),
            checksum: reader.u32("packet checksum")?,
            recipient: reader.u16("packet recipient")?,
            interval: reader.u16("packet interval")?,
            size: reader.u16("packet size")?,
            iteration: reader.u16("packet iteration")?,
        })
    }

    fn write(&self, checksum: u32, writer: &mut Writer<'_>) {
        writer.u32(self.sequence);
        writer.u32(self.flags.bits());
        writer.u32(checksum);
        writer.u16(self.recipient);
        writer.u16(self.interval);
        writer.u16(self.size);
        writer.u16(self.iteration);
    }

    /// Returns the header's part of the checksum.
    pub fn hash(&self) -> u32 {
        hash_words([
            self.sequence,
            self.flags.bits(),
            HEADER_SEED,
            halves(self.recipient, self.interval),
            halves(self.size, self.iteration),
        ])
    }
}

/// One optional section. Addresses and the login stay raw bytes, because motion does not need them.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "each is named for its flag")]
pub enum Section {
    ServerSwitch { sequence: u32, kind: u32 },
    LogonServer([u8; 16]),
    Referral([u8; 32]),
    RequestRetransmit(Vec<u32>),
    RejectRetransmit(Vec<u32>),
    Ack(u32),
    LoginRequest(Vec<u8>),
    WorldLoginRequest(u64),
    ConnectRequest(ConnectRequest),
    ConnectResponse(u64),
    NetError { string: u32, table: u32 },
    NetErrorDisconnect { string: u32, table: u32 },
    Command { command: u32, parameter: u32 },
    TimeSync(f64),
    EchoRequest(f32),
    EchoResponse { echoed: f32, second: f32 },
    Flow { bytes: u32, interval: u16 },
}

/// The server's part of the handshake.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConnectRequest {
    /// The server's time in seconds.
    pub time: f64,
    /// Cookie that the client sends back.
    pub cookie: u64,
    /// The number that the client must use.
    pub net_id: u32,
    /// Seed of the key stream for the server's packets.
    pub server_seed: u32,
    /// Seed of the key stream for the client's packets.
    pub client_seed: u32,
    /// Always zero.
    pub unused: u32,
}

/// A packet, as far as it is readable. Content before a fault is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Packet<'a> {
    /// The header.
    pub header: PacketHeader,
    /// Sections, in wire order.
    pub sections: Vec<Section>,
    /// The bytes of all sections, in wire order. They are empty if a section is unreadable.
    pub section_bytes: &'a [u8],
    /// Fragments, in wire order.
    pub fragments: Vec<Fragment<'a>>,
    /// The fault in the rest of the packet, if there is one.
    pub fault: Option<DecodeError>,
}

/// The result of a checksum test without the key stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// The plain checksum is correct.
    Fits,
    /// The plain checksum is wrong.
    Broken,
    /// The checksum is encrypted. It is correct if this word is the key stream's word for the
    /// packet.
    Key(u32),
}

impl<'a> Packet<'a> {
    /// Reads a datagram.
    ///
    /// # Errors
    /// [`DecodeError`] if the header is incomplete. Later faults are in [`Packet::fault`].
    pub fn read(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        let header = PacketHeader::read(&mut reader).map_err(|error| *error)?;
        // Loggers pad and truncate, so neither the datagram's length nor the header's size is
        // reliable alone.
        reader.end_after(usize::from(header.size));
        let left = reader.left();
        let mut packet =
            Self { header, sections: Vec::new(), section_bytes: &[], fragments: Vec::new(), fault: None };
        packet.fault = packet.read_rest(&mut reader, bytes).err().map(|error| *error);
        let needs = usize::from(header.size);
        if packet.fault.is_none() && left < needs {
            let (field, offset) = ("packet", HEADER_BYTES);
            packet.fault = Some(DecodeError::Truncated { field, offset, needs, left });
        }
        Ok(packet)
    }

    fn read_rest(&mut self, reader: &mut Reader<'a>, bytes: &'a [u8]) -> Read<()> {
        let start = reader.offset();
        let unknown = self.header.flags.bits() & !KNOWN_FLAGS;
        if unknown != 0 {
            let (field, offset) = ("packet flags", 4);
            return Err(Box::new(DecodeError::Value { field, offset, value: unknown }));
        }
        for flag in (8..28).map(|bit| PacketFlags::from_bits_retain(1 << bit)) {
            if self.header.flags.contains(flag)
                && let Some(section) = read_section(reader, flag)?
            {
                self.sections.push(section);
            }
        }
        self.section_bytes = &bytes[start..reader.offset()];
        if self.header.flags.contains(PacketFlags::FRAGMENTS) {
            while reader.left() > 0 {
                self.fragments.push(read_fragment(reader)?);
            }
        }
        reader.finish("packet")
    }

    /// Tests the checksum, as far as possible without the key stream.
    pub fn guard(&self) -> Guard {
        let rest = self.header.checksum.wrapping_sub(self.header.hash());
        let payload = self.payload_hash();
        if self.header.flags.contains(PacketFlags::ENCRYPTED) {
            Guard::Key(rest ^ payload)
        } else if rest == payload {
            Guard::Fits
        } else {
            Guard::Broken
        }
    }

    /// Returns the part of the checksum that does not come from the header.
    pub fn payload_hash(&self) -> u32 {
        self.fragments.iter().fold(hash32(self.section_bytes), |sum, fragment| {
            sum.wrapping_add(fragment.header.hash()).wrapping_add(hash32(fragment.payload))
        })
    }
}

/// Appends a datagram to a buffer.
///
/// The size and checksum of the header are computed, and the flags of the sections are added.
/// [`PacketFlags::FRAGMENTS`] and [`PacketFlags::ENCRYPTED`] follow from `fragments` and `key`.
/// `key` is the key stream's word for the packet, or `None` if it is not encrypted.
pub fn write_packet(
    header: &PacketHeader,
    sections: &[Section],
    fragments: &[Fragment<'_>],
    key: Option<u32>,
    bytes: &mut Vec<u8>,
) {
    let mut flags = header.flags;
    sections.iter().for_each(|section| flags |= section.flag());
    flags.set(PacketFlags::FRAGMENTS, !fragments.is_empty());
    flags.set(PacketFlags::ENCRYPTED, key.is_some());
    let mut ordered: Vec<&Section> = sections.iter().collect();
    ordered.sort_by_key(|section| section.flag().bits());
    let mut rest = Vec::new();
    let mut writer = Writer::new(&mut rest);
    ordered.iter().for_each(|section| section.write(&mut writer));
    let mut hash = hash32(&rest);
    for fragment in fragments {
        write_fragment_header(&fragment.header, &mut Writer::new(&mut rest));
        hash = hash.wrapping_add(fragment.header.hash()).wrapping_add(hash32(fragment.payload));
        rest.extend_from_slice(fragment.payload);
    }
    let header = PacketHeader { flags, size: rest.len() as u16, ..*header };
    let checksum = header.hash().wrapping_add(hash ^ key.unwrap_or(0));
    header.write(checksum, &mut Writer::new(bytes));
    bytes.extend_from_slice(&rest);
}

/// Every flag with a meaning, and five low flags without one, which are harmless.
const KNOWN_FLAGS: u32 = 0x0F7F_FFFF;

/// Reads the section of a flag. Returns `None` if the flag has no bytes of its own.
fn read_section(reader: &mut Reader<'_>, flag: PacketFlags) -> Read<Option<Section>> {
    Ok(Some(match flag {
        PacketFlags::SERVER_SWITCH => Section::ServerSwitch {
            sequence: reader.u32("server switch sequence")?,
            kind: reader.u32("server switch kind")?,
        },
        PacketFlags::LOGON_SERVER => Section::LogonServer(reader.take("logon server")?),
        PacketFlags::REFERRAL => Section::Referral(reader.take("referral")?),
        PacketFlags::REQUEST_RETRANSMIT => Section::RequestRetransmit(read_list(reader)?),
        PacketFlags::REJECT_RETRANSMIT => Section::RejectRetransmit(read_list(reader)?),
        PacketFlags::ACK => Section::Ack(reader.u32("acknowledged sequence")?),
        PacketFlags::LOGIN_REQUEST => Section::LoginRequest(reader.rest().to_vec()),
        PacketFlags::WORLD_LOGIN_REQUEST => {
            Section::WorldLoginRequest(u64::from_le_bytes(reader.take("world login cookie")?))
        }
        PacketFlags::CONNECT_REQUEST => Section::ConnectRequest(ConnectRequest {
            time: reader.f64("server time")?,
            cookie: u64::from_le_bytes(reader.take("cookie")?),
            net_id: reader.u32("net id")?,
            server_seed: reader.u32("server seed")?,
            client_seed: reader.u32("client seed")?,
            unused: reader.u32("end of connect request")?,
        }),
        PacketFlags::CONNECT_RESPONSE => Section::ConnectResponse(u64::from_le_bytes(reader.take("cookie")?)),
        PacketFlags::NET_ERROR => {
            Section::NetError { string: reader.u32("error string")?, table: reader.u32("error table")? }
        }
        PacketFlags::NET_ERROR_DISCONNECT => Section::NetErrorDisconnect {
            string: reader.u32("error string")?,
            table: reader.u32("error table")?,
        },
        PacketFlags::COMMAND => {
            Section::Command { command: reader.u32("command")?, parameter: reader.u32("parameter")? }
        }
        PacketFlags::TIME_SYNC => Section::TimeSync(reader.f64("time")?),
        PacketFlags::ECHO_REQUEST => Section::EchoRequest(reader.f32("echo time")?),
        PacketFlags::ECHO_RESPONSE => {
            Section::EchoResponse { echoed: reader.f32("echoed time")?, second: reader.f32("holding time")? }
        }
        PacketFlags::FLOW => {
            Section::Flow { bytes: reader.u32("bytes received")?, interval: reader.u16("peer interval")? }
        }
        _ => return Ok(None),
    }))
}

fn read_list(reader: &mut Reader<'_>) -> Read<Vec<u32>> {
    let count = reader.u32("number of sequences")? as usize;
    let words = reader.slice("sequences", count.saturating_mul(4))?;
    Ok(words.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
}

impl Section {
    /// Returns the flag that announces the section.
    pub const fn flag(&self) -> PacketFlags {
        match self {
            Self::ServerSwitch { .. } => PacketFlags::SERVER_SWITCH,
            Self::LogonServer(_) => PacketFlags::LOGON_SERVER,
            Self::Referral(_) => PacketFlags::REFERRAL,
            Self::RequestRetransmit(_) => PacketFlags::REQUEST_RETRANSMIT,
            Self::RejectRetransmit(_) => PacketFlags::REJECT_RETRANSMIT,
            Self::Ack(_) => PacketFlags::ACK,
            Self::LoginRequest(_) => PacketFlags::LOGIN_REQUEST,
            Self::WorldLoginRequest(_) => PacketFlags::WORLD_LOGIN_REQUEST,
            Self::ConnectRequest(_) => PacketFlags::CONNECT_REQUEST,
            Self::ConnectResponse(_) => PacketFlags::CONNECT_RESPONSE,
            Self::NetError { .. } => PacketFlags::NET_ERROR,
            Self::NetErrorDisconnect { .. } => PacketFlags::NET_ERROR_DISCONNECT,
            Self::Command { .. } => PacketFlags::COMMAND,
            Self::TimeSync(_) => PacketFlags::TIME_SYNC,
            Self::EchoRequest(_) => PacketFlags::ECHO_REQUEST,
            Self::EchoResponse { .. } => PacketFlags::ECHO_RESPONSE,
            Self::Flow { .. } => PacketFlags::FLOW,
        }
    }

    fn write(&self, writer: &mut Writer<'_>) {
        match self {
            Self::ServerSwitch { sequence: a, kind: b }
            | Self::NetError { string: a, table: b }
            | Self::NetErrorDisconnect { string: a, table: b }
            | Self::Command { command: a, parameter: b } => {
                writer.u32(*a);
                writer.u32(*b);
            }
            Self::LogonServer(bytes) => writer.slice(bytes),
            Self::Referral(bytes) => writer.slice(bytes),
            Self::RequestRetransmit(list) | Self::RejectRetransmit(list) => {
                writer.u32(list.len() as u32);
                list.iter().for_each(|sequence| writer.u32(*sequence));
            }
            Self::Ack(sequence) => writer.u32(*sequence),
            Self::LoginRequest(bytes) => writer.slice(bytes),
            Self::WorldLoginRequest(cookie) | Self::ConnectResponse(cookie) => {
                writer.slice(&cookie.to_le_bytes());
            }
            Self::ConnectRequest(request) => {
                writer.f64(request.time);
                writer.slice(&request.cookie.to_le_bytes());
                [request.net_id, request.server_seed, request.client_seed, request.unused]
                    .into_iter()
                    .for_each(|word| writer.u32(word));
            }
            Self::TimeSync(time) => writer.f64(*time),
            Self::EchoRequest(time) => writer.f32(*time),
            Self::EchoResponse { echoed, second } => {
                writer.f32(*echoed);
                writer.f32(*second);
            }
            Self::Flow { bytes, interval } => {
                writer.u32(*bytes);
                writer.u16(*interval);
            }
        }
    }
}

fn read_fragment<'a>(reader: &mut Reader<'a>) -> Read<Fragment<'a>> {
    let header = FragmentHeader {
        sequence: reader.u32("fragment sequence")?,
        id: reader.u32("fragment id")?,
        count: reader.u16("fragment count")?,
        size: reader.u16("fragment size")?,
        index: reader.u16("fragment index")?,
        queue: reader.u16("fragment queue")?,
    };
    let length = usize::from(header.size).checked_sub(FragmentHeader::BYTES);
    let Some(length) = length.filter(|length| *length <= FRAGMENT_BYTES) else {
        let (field, offset) = ("fragment size", reader.offset());
        return Err(Box::new(DecodeError::Value { field, offset, value: u32::from(header.size) }));
    };
    Ok(Fragment { header, payload: reader.slice("fragment", length)? })
}

fn write_fragment_header(header: &FragmentHeader, writer: &mut Writer<'_>) {
    writer.u32(header.sequence);
    writer.u32(header.id);
    [header.count, header.size, header.index, header.queue].into_iter().for_each(|word| writer.u16(word));
}
