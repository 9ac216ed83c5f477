//! Simulated archives for tests and benchmarks.
//!
//! The captures are scenarios of the arena with different seeds. Servers and dates vary, and nothing in them
//! was recorded from a real session.

mod beasts;

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use evenstride_arena::{Scenario, SimulateError, scenario, simulate};
use flate2::{Compression, write::GzEncoder};
use thiserror::Error;

pub use self::beasts::{BEASTS, BeastKind, beasts};

/// Scenarios of the archive, in turn. A capture has about 50,000 rows of tracks on average.
#[rustfmt::skip]
pub const SCENARIOS: [&str; 16] = [
    "town-square", "chase-5hz", "town-square", "patrol", "town-square", "melee-sticky", "town-square", "flee",
    "town-square", "circle", "town-square", "fast-mover", "town-square", "jump-running", "crowd-200", BEASTS_NAME,
];

/// Name of captures that [`beasts()`] makes.
const BEASTS_NAME: &str = "beasts";

/// Number of servers.
const SERVERS: u64 = 3;

/// Number of captures of a day.
const A_DAY: u64 = 10;

/// Date of the first capture, 2013-09-01, as a Unix time in seconds.
const FIRST_DAY: u64 = 1_377_993_600;

/// The reason why an archive cannot be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SampleError {
    /// A file cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A scenario cannot be simulated.
    #[error(transparent)]
    Simulate(#[from] SimulateError),
    /// A scenario cannot be read.
    #[error("{0}: no such scenario")]
    Scenario(String),
}

/// Writes a capture of the archive, and returns its path. The same number always gives the same bytes.
/// `scenarios` are taken in turn.
///
/// # Errors
/// If the capture cannot be simulated or written.
pub fn write_capture(folder: &Path, number: u64, scenarios: &[&str]) -> Result<PathBuf, SampleError> {
    let name = scenarios.get(number as usize % scenarios.len().max(1)).copied().unwrap_or_default();
    let missing = || SampleError::Scenario(name.to_owned());
    let mut pcap = if name == BEASTS_NAME {
        beasts(number).map_err(|_| missing())?
    } else {
        let scenario: Scenario = scenario(name).ok_or_else(missing)?.map_err(|_| missing())?;
        simulate(&scenario, number + 1)?.pcap
    };
    let server = number % SERVERS;
    let seconds = FIRST_DAY + number / A_DAY * 86_400 + number % A_DAY * 3_600;
    relabel(&mut pcap, [10, 0, 1, server as u8 + 1], seconds);
    let day = folder.join(format!("server-{server}"));
    fs::create_dir_all(&day)?;
    let path = day.join(format!("{name}-{number:05}.pcap.gz"));
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&pcap)?;
    fs::write(&path, packed.finish()?)?;
    Ok(path)
}

/// Bytes of the header of a pcap file, and of that of each packet.
const FILE_HEADER: usize = 24;
const PACKET_HEADER: usize = 16;

/// Sets the address of the server and the date of the first packet in a little-endian pcap of IPv4 packets on
/// Ethernet, as the arena writes it.
fn relabel(pcap: &mut [u8], server: [u8; 4], start: u64) {
    let mut at = FILE_HEADER;
    let mut first = None;
    while let Some(header) = pcap.get(at..at + PACKET_HEADER) {
        let word = |from: usize| {
            u32::from_le_bytes([header[from], header[from + 1], header[from + 2], header[from + 3]])
        };
        let (seconds, length) = (word(0), word(8) as usize);
        let since = seconds.wrapping_sub(*first.get_or_insert(seconds));
        let new = (start as u32).wrapping_add(since);
        pcap[at..at + 4].copy_from_slice(&new.to_le_bytes());
        let end = (at + PACKET_HEADER + length).min(pcap.len());
        set_server(&mut pcap[at + PACKET_HEADER..end], server);
        at = end;
    }
}

/// Address of the server in captures of the arena.
const ARENA_SERVER: [u8; 4] = [10, 0, 0, 2];

/// Bytes of the Ethernet header, and of the IPv4 header after it.
const ETHERNET: usize = 14;
const IPV4: usize = 20;

fn set_server(frame: &mut [u8], server: [u8; 4]) {
    let Some((header, udp)) = frame.get_mut(ETHERNET..).and_then(|ip| ip.split_at_mut_checked(IPV4)) else {
        return;
    };
    for from in [12, 16] {
        if header[from..from + 4] == ARENA_SERVER {
            header[from..from + 4].copy_from_slice(&server);
        }
    }
    header[10..12].fill(0);
    let pairs = header.chunks_exact(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]])));
    let sum: u32 = pairs.sum();
    let folded = (sum & 0xFFFF) + (sum >> 16);
    let folded = (folded & 0xFFFF) + (folded >> 16);
    header[10..12].copy_from_slice(&(!(folded as u16)).to_be_bytes());
    // A UDP checksum of 0 means that there is none.
    if let Some(checksum) = udp.get_mut(6..8) {
        checksum.fill(0);
    }
}
