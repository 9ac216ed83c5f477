//! `evenstride serve`: a server for tests of clients.

use std::{
    io::Write,
    net::SocketAddr,
    process::ExitCode,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::{Result, bail};
use evenstride_live::{
    Clock, Content, RecordedSession, ServeEvent, ServeHost, ServeOptions, recorded_session,
};
use evenstride_session::ServerConfig;

use crate::{
    args::ServeArgs,
    command::simulate::find,
    live::{ends_after, neighbours, stop_on_ctrl_c},
    output::{self, count, tell, thousands, warn},
    source::read_capture,
};

/// Letters of an account that are printed.
const MAX_ACCOUNT: usize = 64;

pub(crate) fn run(args: &ServeArgs) -> Result<ExitCode> {
    let stop = stop_on_ctrl_c()?;
    if !args.port.is_multiple_of(2) {
        // Captures tell connections by the even port of a pair.
        bail!("--port {}: servers have an even port and the one after it; use {}", args.port, args.port - 1);
    }
    let (content, name) = content(args)?;
    // Cookies and keys differ from run to run, so that captures can be told apart. They are no secret.
    let different = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u32);
    let options = ServeOptions {
        listen: SocketAddr::new(args.listen, args.port),
        content,
        name: name.clone(),
        network: args.link.seed(args.seed),
        server: ServerConfig::seeded(different),
    };
    let mut host = ServeHost::bind(options, Clock::start())?;
    let mut out = output::text();
    writeln!(out, "serving {name} at {}", neighbours(host.address()))?;
    out.flush()?;
    tell(&format!(
        "try it: evenstride join {}:{} --seconds 10; Ctrl-C ends the server",
        host.address().ip(),
        host.address().port()
    ));
    if !args.listen.is_loopback() {
        tell("other machines can connect, because --listen names no loopback address");
    }
    ends_after(args.seconds, &stop);
    host.run(&stop, |event| match event {
        ServeEvent::Connected { client, address, account } => {
            let account: String = account.chars().take(MAX_ACCOUNT).collect();
            tell(&format!("client {}: account {account} at {address}", client.0));
        }
        ServeEvent::Entered(client) => tell(&format!("client {}: in the world, {name} begins", client.0)),
        ServeEvent::Finished(client) => {
            tell(&format!("client {}: {name} is over; the session goes on", client.0))
        }
        ServeEvent::Ended(client, why) => tell(&format!("client {}: {why}", client.0)),
        _ => {}
    })?;
    let stats = host.stats();
    writeln!(
        out,
        "{}, {} sent",
        count(stats.sessions, "session", "sessions"),
        count(host.sent(), "datagram", "datagrams")
    )?;
    for (number, what) in [
        (stats.strangers, "belonged to no session"),
        (stats.turned_away, "were logins for which there was no room"),
        (host.unsent(), "could not be sent"),
    ] {
        if number > 0 {
            writeln!(out, "{} datagrams {what}", thousands(number))?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn content(args: &ServeArgs) -> Result<(Content, String)> {
    let Some(path) = &args.capture else {
        return Ok((Content::Scenario(Arc::new(find(&args.scenario)?), args.seed), args.scenario.clone()));
    };
    let session: RecordedSession = recorded_session(args.connection, |session| read_capture(path, session))?;
    if let Some(wanted) = args.connection.filter(|_| session.messages.is_empty() && session.connections > 0) {
        let found = count(session.connections as u64, "connection", "connections");
        bail!("{}: holds {found}, counted from 0, and {wanted} has no messages of a server", path.display());
    }
    if session.messages.is_empty() {
        bail!("{}: holds no messages of a server; `evenstride inspect` tells what it holds", path.display());
    }
    if session.left_out > 0 {
        warn(&format!(
            "{}: {} messages are left out, because they need too much memory",
            path.display(),
            session.left_out
        ));
    }
    let name =
        path.file_name().map_or_else(|| "capture".to_owned(), |name| name.to_string_lossy().into_owned());
    Ok((Content::Recording(Arc::new(session)), name))
}
