//! Arguments of `watch`.

use std::{ops::RangeInclusive, path::PathBuf};

use super::{DEFAULT_FPS, Profile, live::ThroughArgs, live::parse_duration, parse_fps, parse_ports};

/// Draw a session while it goes on, in a page, in numbers and as metrics.
///
/// With --server, clients connect through this program, as through `relay`. Without it, a capture is drawn
/// while another program writes it. A page on this machine shows what happens. One can scrub back while the
/// session goes on.
///
/// What is drawn equals a `replay` of the recording. At the end, the hashes of both can be compared.
///
/// The end is Ctrl-C, --seconds, or the end of the capture. After the end of a capture, the page is served
/// until Ctrl-C, unless --no-page is given.
///
/// The exit code is 0. It is 1 if a part could not be read or recorded, or was drawn late, and 2 if nothing
/// could be watched.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  evenstride watch --server play.example.org:9000 --record live.pcap --open\n  tcpdump -U -w - udp port 9000 | evenstride watch -\n  evenstride watch growing.pcap --follow\n  evenstride watch --server 127.0.0.1:9000 --listen 127.0.0.1:9100 --json | jq -r 'select(.event == \"moment\").words'"
)]
pub(crate) struct WatchArgs {
    /// Capture that another program writes: pcap, pcapng or JSON lines (`-` is standard input)
    #[arg(value_name = "CAPTURE", required_unless_present = "server", conflicts_with = "server")]
    pub(crate) capture: Option<PathBuf>,

    /// Wait for more at the end of the capture, because it is still growing
    #[arg(long, requires = "capture")]
    pub(crate) follow: bool,

    /// Server to forward to, with the lower of its two ports
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) server: Option<String>,

    #[command(flatten)]
    pub(crate) through: ThroughArgs,

    /// Port of the page and the metrics, on this machine alone (default: a free one)
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    pub(crate) page: u16,

    /// Serve no page and no metrics
    #[arg(long, conflicts_with_all = ["page", "open"])]
    pub(crate) no_page: bool,

    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,

    /// Profile, which decides how entities move and are drawn
    #[arg(long, value_enum, default_value_t = Profile::Glide, ignore_case = true)]
    pub(crate) profile: Profile,

    /// Frames per second, 1 to 1000
    #[arg(long, value_name = "N", default_value_t = DEFAULT_FPS, value_parser = parse_fps)]
    pub(crate) fps: f64,

    /// UDP ports that servers use in the capture, like 12000-12001 (default: 9000-10013)
    #[arg(long, value_name = "FIRST-LAST", value_parser = parse_ports, requires = "capture")]
    pub(crate) server_ports: Option<RangeInclusive<u16>>,

    /// End after this time (also 1:30 or PT90S)
    #[arg(long, value_name = "SECONDS", value_parser = parse_duration)]
    pub(crate) seconds: Option<f64>,

    /// Print events as JSON, one object per line
    #[arg(long)]
    pub(crate) json: bool,
}
