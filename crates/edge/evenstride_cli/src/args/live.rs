//! Arguments of the commands that use the network.

use std::{net::IpAddr, path::PathBuf};

use evenstride_link::LinkConfig;

use super::time::parse_seconds;

/// Forward the traffic of clients to a server without altering it, and record it.
///
/// Clients connect to the relay as if it were the server. Datagrams are forwarded before they are looked
/// at, and not a byte is changed. Ctrl-C ends the relay, and the recording is then complete. It can be
/// read at any moment before, too.
///
/// The exit code is 0. It is 1 if something was not recorded, because the disk was full or too slow, and 2
/// if the relay could not start.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  evenstride relay --server play.example.org:9000 --record session.pcap\n  evenstride relay --server 127.0.0.1:9000 --listen 127.0.0.1:9100 --record busy.pcap --ring 200M\n\nThen start the client with the relay's address, like -h 127.0.0.1 -p 9000."
)]
pub(crate) struct RelayArgs {
    /// Server to forward to, with the lower of its two ports
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) server: String,

    #[command(flatten)]
    pub(crate) through: ThroughArgs,

    /// End after this time (also 1:30 or PT90S)
    #[arg(long, value_name = "SECONDS", value_parser = parse_duration)]
    pub(crate) seconds: Option<f64>,
}

/// Where a relay listens, and what it records.
#[derive(Debug, clap::Args)]
pub(crate) struct ThroughArgs {
    /// Address for clients, with the lower of two ports. Only an address that is not of this machine
    /// alone lets others connect (default: 127.0.0.1:9000)
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) listen: Option<String>,

    /// Record the traffic in this file, which must not exist (pcap)
    #[arg(long, value_name = "FILE.pcap")]
    pub(crate) record: Option<PathBuf>,

    /// Keep at most this many bytes of the recording, the newest ones, like 200M (the part before the
    /// present one is in FILE.1.pcap)
    #[arg(long, value_name = "SIZE", value_parser = parse_size, requires = "record")]
    pub(crate) ring: Option<u64>,

    /// Record account and password of logins too, instead of blanks of the same length
    #[arg(long, requires = "record")]
    pub(crate) keep_login: bool,
}

/// Serve a scenario or a recording to clients of the game, over real sockets.
///
/// The server does the handshake, the key streams, acknowledgements, retransmission and login, and then
/// plays the scenario to each client from its start. Authors of clients can test their motion code with
/// it, without data of the game. Any account and password will do.
///
/// The exit code is 0, or 2 if the server could not start.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  evenstride serve chase-5hz\n  evenstride serve mine.toml --port 9100 --link cellular\n  evenstride serve --capture session.pcap\n  evenstride join 127.0.0.1:9000 --seconds 10    # a client, in another terminal"
)]
pub(crate) struct ServeArgs {
    /// Built-in scenario, or your own file (.toml)
    #[arg(value_name = "SCENARIO", default_value = evenstride_arena::DEFAULT_SCENARIO, conflicts_with = "capture")]
    pub(crate) scenario: String,

    /// Play the server's messages of this capture, with their timing, instead of a scenario
    #[arg(long, value_name = "FILE")]
    pub(crate) capture: Option<PathBuf>,

    /// Connection to take from a capture that has several, counted from 0 (default: the busiest one)
    #[arg(long, value_name = "NUMBER", requires = "capture")]
    pub(crate) connection: Option<u32>,

    /// Lower of the two ports, which is even
    #[arg(long, value_name = "PORT", default_value_t = 9_000)]
    pub(crate) port: u16,

    /// Address to listen on. Only an address that is not of this machine alone lets others connect
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub(crate) listen: IpAddr,

    /// Simulated network in each direction: perfect, broadband, wifi-busy, cellular, satellite,
    /// modem-1999 or awful
    #[arg(long, value_name = "NETWORK", default_value = "perfect", value_parser = parse_link)]
    pub(crate) link: LinkConfig,

    /// Seed of the random numbers of scenario and network
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// End after this time (also 1:30 or PT90S)
    #[arg(long, value_name = "SECONDS", value_parser = parse_duration)]
    pub(crate) seconds: Option<f64>,
}

/// Join a server as a client that draws nothing, and print what it heard.
///
/// Logs in, enters the world with the first character, acknowledges, and leaves after a while. It is made
/// for tests of servers and networks.
///
/// The exit code is 0. It is 1 if the server ended the session, fell silent, or let no character into the
/// world, and 2 if there was no answer.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  evenstride join 127.0.0.1:9000 --seconds 10\n  evenstride join 127.0.0.1:9100 --messages --seconds 2"
)]
pub(crate) struct JoinArgs {
    /// Server, with the lower of its two ports
    #[arg(value_name = "HOST:PORT")]
    pub(crate) server: String,

    /// Leave after this time (default: on Ctrl-C)
    #[arg(long, value_name = "SECONDS", value_parser = parse_duration)]
    pub(crate) seconds: Option<f64>,

    /// Account
    #[arg(long, value_name = "NAME", default_value = "evenstride")]
    pub(crate) account: String,

    /// Password
    #[arg(long, value_name = "WORD", default_value = "evenstride")]
    pub(crate) password: String,

    /// Speak to the upper port of the server from a second socket, as some clients do
    #[arg(long)]
    pub(crate) two_ports: bool,

    /// Print every message, one per line, before the summary
    #[arg(long)]
    pub(crate) messages: bool,
}

pub(super) fn parse_duration(text: &str) -> Result<f64, String> {
    match parse_seconds(text)? {
        seconds if seconds > 0.0 && seconds <= 1e8 => Ok(seconds),
        _ => Err(format!("`{text}` is not a time to run; use seconds, like 30")),
    }
}

/// Parses a number of bytes, like `5000k`, `200M` or `2G`.
fn parse_size(text: &str) -> Result<u64, String> {
    let problem = || format!("`{text}` is not a size from 1M to 1000G, like 200M");
    let (digits, factor) = match text.to_ascii_lowercase().trim_end_matches('b').char_indices().last() {
        Some((at, 'k')) => (&text[..at], 1_000),
        Some((at, 'm')) => (&text[..at], 1_000_000),
        Some((at, 'g')) => (&text[..at], 1_000_000_000),
        _ => (text, 1),
    };
    let size = digits.trim().parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
    size.filter(|size| (1_000_000..=1_000_000_000_000).contains(size)).ok_or_else(problem)
}

fn parse_link(text: &str) -> Result<LinkConfig, String> {
    let known = LinkConfig::PRESETS.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
    known.map(|(_, config)| *config).ok_or_else(|| {
        let names: Vec<&str> = LinkConfig::PRESETS.iter().map(|(name, _)| *name).collect();
        format!("`{text}` is not a network; use {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_networks_are_told_from_mistakes() {
        let sizes = ["1000k", "200M", "2G", "2gb", "1234567"].map(|text| parse_size(text).unwrap());
        assert_eq!(sizes, [1_000_000, 200_000_000, 2_000_000_000, 2_000_000_000, 1_234_567]);
        for text in ["", "M", "1", "64k", "-5M", "99999999G", "2T", "größe"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
        assert_eq!(parse_link("Awful"), Ok(LinkConfig::AWFUL));
        assert!(parse_link("fine").unwrap_err().contains("cellular"));
        assert!(parse_duration("0").is_err() && parse_duration("1:30") == Ok(90.0));
    }
}
