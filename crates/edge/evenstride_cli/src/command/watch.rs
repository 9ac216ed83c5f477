//! `evenstride watch`: a session in, a page, events and metrics out, while it goes on.

mod captured;
mod metrics;
mod printer;
mod watching;

use std::{
    path::Path,
    process::ExitCode,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Result, bail};
use evenstride_live::Stop;
use evenstride_replay::ReplayOptions;
use evenstride_report::{About, live_page};
use evenstride_watch::{Hub, PageServer, WatchOptions};

pub(crate) use self::watching::{Ended, Watching};
use crate::{
    args::WatchArgs,
    command::relay::Relayed,
    live::{ends_after, stop_on_ctrl_c},
    output::{self, one_line, tell, warn},
};

pub(crate) fn run(args: &WatchArgs) -> Result<ExitCode> {
    let stop = stop_on_ctrl_c()?;
    match (&args.server, &args.capture) {
        (Some(server), _) => relayed(args, server, &stop),
        (None, Some(capture)) => captured(args, capture, &stop),
        (None, None) => unreachable!("the arguments require one of them"),
    }
}

fn relayed(args: &WatchArgs, server: &str, stop: &Stop) -> Result<ExitCode> {
    let relayed = Relayed::bind(server, &args.through)?;
    let page = Page::open(args, &one_line(server), &relayed.how_to_connect())?;
    let relayed = relayed.record(&args.through)?;
    tell("Ctrl-C ends it");
    let port = relayed.server().port();
    let ports = port..=port.saturating_add(1);
    let watching = Watching::new(server, options(args, false), ports, page.hub.clone(), args.json, stop);
    ends_after(args.seconds, stop);
    let (relay, ended) = relayed.run(stop, Some(watching))?;
    page.end("The watch has ended.");
    page.take_leave();
    let mut is_whole = relay.is_complete();
    if !args.json {
        relay.print(&mut output::text())?;
    }
    if let Some(ended) = ended {
        ended.print(args.json)?;
        is_whole &= ended.is_whole();
    }
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn captured(args: &WatchArgs, capture: &Path, stop: &Stop) -> Result<ExitCode> {
    let name =
        if output::is_dash(capture) { "standard input".to_owned() } else { capture.display().to_string() };
    if args.through.listen.is_some() || args.through.record.is_some() {
        bail!(
            "--listen and --record are for clients that connect through this program; use them with --server"
        );
    }
    // A wrong name is the likeliest mistake, so it comes before the page.
    let source = captured::open(capture, args.follow, stop)?;
    let page = Page::open(args, &one_line(&name), "The page draws what the capture has as soon as it can.")?;
    let ports = args.server_ports.clone().unwrap_or(evenstride_capture::SERVER_PORTS);
    let watching = Watching::new(&name, options(args, true), ports, page.hub.clone(), args.json, stop);
    ends_after(args.seconds, stop);
    let ended = captured::watch(source, &name, watching);
    if let Err(error) = &ended {
        page.end(&format!("The capture cannot be read: {error:#}."));
        page.take_leave();
    }
    let ended = ended?;
    page.end("The capture has ended.");
    if let Some(words) = ended.nothing().filter(|_| !stop.is_requested()) {
        page.take_leave();
        bail!("{name}: {words}");
    }
    ended.print(args.json)?;
    page.serve_on(stop);
    page.take_leave();
    Ok(if ended.is_whole() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn options(args: &WatchArgs, is_capture: bool) -> WatchOptions {
    let replay = ReplayOptions { config: args.profile.config(), fps: args.fps, ..ReplayOptions::default() };
    WatchOptions { replay, is_capture }
}

/// Time between two looks at what is waited for.
const LOOK: Duration = Duration::from_millis(100);

/// Longest time for which pages may read what is left.
const FAREWELL: Duration = Duration::from_secs(2);

/// The page and what it reads, if one is wanted.
struct Page {
    hub: Option<Arc<Hub>>,
    server: Option<PageServer>,
}

impl Page {
    fn open(args: &WatchArgs, name: &str, hint: &str) -> Result<Self> {
        if args.no_page {
            return Ok(Self { hub: None, server: None });
        }
        let about = About {
            title: name.to_owned(),
            profile: args.profile.name().to_owned(),
            fps: args.fps,
            notes: Vec::new(),
        };
        let hub = Arc::new(Hub::default());
        let server = PageServer::start(args.page, live_page(&about, hint), Arc::clone(&hub))?;
        let address = server.address();
        tell(&format!("page at {address}"));
        tell(&format!("metrics at http://127.0.0.1:{}/metrics", server.site().port));
        if args.open
            && let Err(error) = open::that_detached(&address)
        {
            warn(&format!("the browser cannot be started: {error}; open {address}"));
        }
        Ok(Self { hub: Some(hub), server: Some(server) })
    }

    /// Tells pages that nothing more will come.
    fn end(&self, words: &str) {
        if let Some(hub) = &self.hub {
            hub.end(words);
        }
    }

    /// Waits until pages have read what is left, but not for long.
    fn take_leave(&self) {
        let Some(server) = &self.server else { return };
        let began = Instant::now();
        while server.pages() > 0 && began.elapsed() < FAREWELL {
            thread::sleep(LOOK);
        }
    }

    /// Serves the page of a capture that has ended.
    fn serve_on(&self, stop: &Stop) {
        if self.server.is_none() || stop.is_requested() {
            return;
        }
        tell("the capture has ended; the page is served until Ctrl-C");
        while !stop.is_requested() {
            thread::sleep(LOOK);
        }
    }
}
