//! Writes captures that other programs can open, in pcap format. Each datagram is wrapped in
//! Ethernet, IPv4 and UDP.

use std::io::{self, Write};

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
        let builder = etherparse::PacketBuilder::ethernet2([2, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 2])
            .ipv4(datagram.from.0, datagram.to.0, 64)
            .udp(datagram.from.1, datagram.to.1);
        let mut frame = Vec::with_capacity(builder.size(datagram.payload.len()));
        builder.write(&mut frame, datagram.payload).map_err(io::Error::other)?;
        let micros = (datagram.time.max(0.0) * 1e6).round() as u64;
        let length = (frame.len() as u32).to_le_bytes();
        self.out.write_all(&((micros / 1_000_000) as u32).to_le_bytes())?;
        self.out.write_all(&((micros % 1_000_000) as u32).to_le_bytes())?;
        self.out.write_all(&length)?;
        self.out.write_all(&length)?;
        self.out.write_all(&frame)
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
