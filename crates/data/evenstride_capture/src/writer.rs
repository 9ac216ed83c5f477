//! Writes captures that other programs can open, in pcap format. Each datagram is wrapped in
//! Ethernet, IPv4 or IPv6, and UDP.

use std::{
    io::{self, Write},
    net::{IpAddr, Ipv6Addr, SocketAddr},
};

use etherparse::{Ethernet2Header, PacketBuilder, PacketBuilderStep, UdpHeader};

/// Writes a pcap file.
#[derive(Debug)]
pub struct PcapWriter<W> {
    out: W,
}

/// A datagram for [`PcapWriter::write`].
#[derive(Clone, Copy, Debug)]
pub struct WrittenDatagram<'a> {
    /// Time in seconds, with microsecond precision. Negative times are written as 0.
    pub time: f64,
    /// Address and port of the sender.
    pub from: ([u8; 4], u16),
    /// Address and port of the receiver.
    pub to: ([u8; 4], u16),
    /// Content of the UDP datagram.
    pub payload: &'a [u8],
}

impl<W: Write> PcapWriter<W> {
    /// Starts a file.
    ///
    /// # Errors
    /// Errors of the underlying writer.
    pub fn new(mut out: W) -> io::Result<Self> {
        out.write_all(&0xA1B2_C3D4_u32.to_le_bytes())?;
        // Version 2.4, no time zone, no accuracy, snapshot length 65,535, Ethernet.
        out.write_all(&[2, 0, 4, 0])?;
        out.write_all(&[0; 8])?;
        out.write_all(&0xFFFF_u32.to_le_bytes())?;
        out.write_all(&1_u32.to_le_bytes())?;
        Ok(Self { out })
    }

    /// Adds a datagram.
    ///
    /// # Errors
    /// Errors of the underlying writer, and an error if the datagram is too long for UDP.
    pub fn write(&mut self, datagram: &WrittenDatagram<'_>) -> io::Result<()> {
        let WrittenDatagram { time, from, to, payload } = *datagram;
        let frame = link().ipv4(from.0, to.0, 64).udp(from.1, to.1);
        self.record(time, frame, payload)
    }

    /// Adds a datagram between two addresses of either kind. If only one of them is an IPv4 address,
    /// it is written as an IPv6 address that stands for it.
    ///
    /// # Errors
    /// Errors of the underlying writer, and an error if the datagram is too long for UDP.
    pub fn write_between(
        &mut self,
        time: f64,
        from: SocketAddr,
        to: SocketAddr,
        payload: &[u8],
    ) -> io::Result<()> {
        let network = match (from.ip().to_canonical(), to.ip().to_canonical()) {
            (IpAddr::V4(from), IpAddr::V4(to)) => link().ipv4(from.octets(), to.octets(), 64),
            (from, to) => link().ipv6(as_v6(from).octets(), as_v6(to).octets(), 64),
        };
        self.record(time, network.udp(from.port(), to.port()), payload)
    }

    fn record(&mut self, time: f64, builder: PacketBuilderStep<UdpHeader>, payload: &[u8]) -> io::Result<()> {
        let mut frame = Vec::with_capacity(builder.size(payload.len()));
        builder.write(&mut frame, payload).map_err(io::Error::other)?;
        let micros = micros(time);
        let length = (frame.len() as u32).to_le_bytes();
        self.out.write_all(&((micros / 1_000_000) as u32).to_le_bytes())?;
        self.out.write_all(&((micros % 1_000_000) as u32).to_le_bytes())?;
        self.out.write_all(&length)?;
        self.out.write_all(&length)?;
        self.out.write_all(&frame)
    }

    /// Returns the underlying writer, which holds whole records between two calls.
    pub const fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Ends the file and returns the underlying writer.
    ///
    /// # Errors
    /// Errors of the underlying writer.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Returns a time in seconds as it is read from a recording that [`PcapWriter`] wrote.
pub fn recorded_time(time: f64) -> f64 {
    let micros = micros(time);
    (micros / 1_000_000) as f64 + (micros % 1_000_000) as f64 / 1e6
}

fn micros(time: f64) -> u64 {
    (time.max(0.0) * 1e6).round() as u64
}

fn link() -> PacketBuilderStep<Ethernet2Header> {
    PacketBuilder::ethernet2([2, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 2])
}

const fn as_v6(address: IpAddr) -> Ipv6Addr {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped(),
        IpAddr::V6(address) => address,
    }
}
