//! Extracts UDP datagrams from captured frames.

use std::net::{IpAddr, SocketAddr};

use etherparse::{EtherType, LaxNetSlice, LaxSlicedPacket, TransportSlice};

/// The payload of a UDP datagram with the addresses of sender and receiver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UdpDatagram<'a> {
    pub(crate) from: SocketAddr,
    pub(crate) to: SocketAddr,
    pub(crate) payload: &'a [u8],
}

/// Extracts the UDP datagram of a frame. Returns `None` if it is not UDP, or a later fragment of an
/// IP packet. Returns `Err` if the frame is unreadable.
///
/// Some loggers write lengths of zero, so lengths in headers are read leniently.
pub(crate) fn udp_in(link_type: i32, frame: &[u8]) -> Result<Option<UdpDatagram<'_>>, String> {
    let sliced = slice(link_type, frame)?;
    if let (None, Some((error, layer))) = (&sliced.transport, &sliced.stop_err) {
        return Err(format!("{layer}: {error}"));
    }
    let (from, to): (IpAddr, IpAddr) = match &sliced.net {
        Some(LaxNetSlice::Ipv4(ip)) => {
            (ip.header().source_addr().into(), ip.header().destination_addr().into())
        }
        Some(LaxNetSlice::Ipv6(ip)) => {
            (ip.header().source_addr().into(), ip.header().destination_addr().into())
        }
        _ => return Ok(None),
    };
    match &sliced.transport {
        Some(TransportSlice::Udp(udp)) => Ok(Some(UdpDatagram {
            from: SocketAddr::new(from, udp.source_port()),
            to: SocketAddr::new(to, udp.destination_port()),
            payload: udp.payload(),
        })),
        _ => Ok(None),
    }
}

/// Returns the number of bytes after the IP packet in a frame, or `None` if there is none.
pub(crate) fn spare_bytes(link_type: i32, frame: &[u8]) -> Option<usize> {
    let payload = match slice(link_type, frame).ok()?.net? {
        LaxNetSlice::Ipv4(ip) => ip.payload().payload,
        LaxNetSlice::Ipv6(ip) => ip.payload().payload,
        LaxNetSlice::Arp(_) => return None,
    };
    let used = payload.as_ptr_range().end as usize - frame.as_ptr() as usize;
    Some(frame.len() - used)
}

fn slice(link_type: i32, frame: &[u8]) -> Result<LaxSlicedPacket<'_>, String> {
    Ok(match link_type {
        1 => LaxSlicedPacket::from_ethernet(frame).map_err(|error| error.to_string())?,
        // Loopback frames begin with four bytes of address family, in either byte order.
        0 | 108 => match frame.get(4..) {
            Some(rest) => from_ip(rest)?,
            None => return Err(format!("a loopback frame of {} bytes is too short", frame.len())),
        },
        12 | 14 | 101 | 228 | 229 => from_ip(frame)?,
        113 => cooked(frame, 14, 16)?,
        276 => cooked(frame, 0, 20)?,
        other => return Err(format!("unknown link type {other}")),
    })
}

fn from_ip(bytes: &[u8]) -> Result<LaxSlicedPacket<'_>, String> {
    LaxSlicedPacket::from_ip(bytes).map_err(|error| error.to_string())
}

/// Slices a Linux cooked capture, which has the ether type in a header of its own.
fn cooked(frame: &[u8], ether_type_at: usize, header: usize) -> Result<LaxSlicedPacket<'_>, String> {
    let (Some(ether_type), Some(rest)) = (frame.get(ether_type_at..ether_type_at + 2), frame.get(header..))
    else {
        return Err(format!("a cooked frame of {} bytes is too short", frame.len()));
    };
    let ether_type = EtherType(u16::from_be_bytes([ether_type[0], ether_type[1]]));
    Ok(LaxSlicedPacket::from_ether_type(ether_type, rest))
}
