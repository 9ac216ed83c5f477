//! Datagrams that a user of a relay should know of.

use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};

use evenstride_wire::{Packet, Section};

/// Something that a datagram of the server says about the connection itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// The client is sent to another server. What it says there does not pass the relay.
    Referral(SocketAddr),
    /// The client is told to use the server that it was referred to.
    ServerSwitch,
    /// The client is told that its session is over.
    Disconnect,
}

impl std::fmt::Display for Notice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Referral(to) => write!(
                f,
                "the server refers the client to {to}, which this relay does not see; start another relay for it"
            ),
            Self::ServerSwitch => f.write_str("the server tells the client to switch to another server"),
            Self::Disconnect => f.write_str("the server ends the session"),
        }
    }
}

/// Returns the notices in a datagram of the server. Datagrams that are not readable have none.
pub fn notices(bytes: &[u8]) -> Vec<Notice> {
    let Ok(packet) = Packet::read(bytes) else { return Vec::new() };
    let mut found: Vec<Notice> = packet.sections.iter().filter_map(notice).collect();
    if packet.fault.is_none() && packet.header.flags.contains(evenstride_wire::PacketFlags::DISCONNECT) {
        found.push(Notice::Disconnect);
    }
    found
}

fn notice(section: &Section) -> Option<Notice> {
    match section {
        // A cookie of eight bytes, then family, port and address. The port's bytes are in network order.
        Section::Referral([_, _, _, _, _, _, _, _, _, _, high, low, a, b, c, d, ..]) => {
            let port = u16::from_be_bytes([*high, *low]);
            Some(Notice::Referral(SocketAddrV4::new(Ipv4Addr::new(*a, *b, *c, *d), port).into()))
        }
        Section::ServerSwitch { .. } => Some(Notice::ServerSwitch),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use evenstride_wire::{PacketHeader, write_packet};

    use super::*;

    #[test]
    fn a_referral_is_named_by_its_address() {
        let mut section = [0; 32];
        section[8..16].copy_from_slice(&[2, 0, 0x23, 0x29, 192, 0, 2, 7]);
        let header = PacketHeader { sequence: 9, ..PacketHeader::default() };
        let mut bytes = Vec::new();
        write_packet(&header, &[Section::Referral(section)], &[], Some(7), &mut bytes);
        let found = notices(&bytes);
        assert_eq!(found, [Notice::Referral("192.0.2.7:9001".parse().unwrap())]);
        assert!(found[0].to_string().contains("192.0.2.7:9001"));
        assert!(notices(&bytes[..19]).is_empty());
    }
}
