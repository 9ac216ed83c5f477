//! `evenstride join`: a client that draws nothing.

use std::{io::Write, process::ExitCode};

use anyhow::Result;
use evenstride_live::{Heard, JoinOptions, join, resolve_server};
use evenstride_session::ClientConfig;
use evenstride_wire::{Pretty, decode, opcode_name};

use crate::{
    args::JoinArgs,
    live::stop_on_ctrl_c,
    output::{self, TextOut, Tone, one_line, thousands, warn},
};

pub(crate) fn run(args: &JoinArgs) -> Result<ExitCode> {
    let stop = stop_on_ctrl_c()?;
    let options = JoinOptions {
        server: resolve_server(&args.server)?,
        client: ClientConfig::new(&args.account, &args.password),
        seconds: args.seconds,
        has_two_sockets: args.two_ports,
    };
    let mut out = output::text();
    let mut written = Ok(());
    let heard = join(&options, &stop, |time, bytes| {
        if args.messages && written.is_ok() {
            written = line(&mut out, time, bytes);
            if written.is_err() {
                stop.request();
            }
        }
    })?;
    written?;
    summary(&mut out, &heard)?;
    out.flush()?;
    if let Some(why) = heard.ended {
        warn(&format!("the session ended early: {why}"));
    }
    if let Some(secs) = heard.silent_secs {
        warn(&format!("nothing arrived for the last {secs:.0} s; the server may be gone"));
    }
    if heard.is_referred {
        warn("the server referred the client to another host; this client stayed");
    }
    if heard.stats.received.datagrams == 0 {
        warn(&format!("{}: no answer; is a server running there?", args.server));
    } else if !heard.is_in_world {
        warn("the server let no character into the world; it may have no characters for this account");
    }
    let is_well = heard.ended.is_none() && heard.silent_secs.is_none() && heard.is_in_world;
    Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn line(out: &mut TextOut, time: f64, bytes: &[u8]) -> std::io::Result<()> {
    match decode(bytes) {
        Ok(decoded) => writeln!(out, "{time:9.3} {}", one_line(&Pretty::new(&decoded.message).to_string()))?,
        Err(error) => writeln!(out, "{time:9.3} cannot be decoded: {error}")?,
    }
    out.flush()
}

fn summary(out: &mut TextOut, heard: &Heard) -> Result<()> {
    let (stats, received) = (&heard.stats, &heard.stats.received);
    let unknown = || "unknown".to_owned();
    let millis = |secs: Option<f64>| secs.map_or_else(unknown, |secs| format!("{:.1} ms", secs * 1e3));
    writeln!(
        out,
        "server              {}",
        heard.server.as_deref().map_or_else(unknown, |name| one_line(name).into_owned())
    )?;
    writeln!(
        out,
        "character           {}",
        heard.character.as_deref().map_or_else(unknown, |name| one_line(name).into_owned())
    )?;
    writeln!(out, "duration            {:.3} s", heard.seconds)?;
    writeln!(out, "handshake           {}", millis(stats.handshake_secs))?;
    writeln!(out, "round trip          {}", millis(stats.round_trip))?;
    writeln!(
        out,
        "datagrams           {} received, {} sent",
        thousands(received.datagrams),
        thousands(stats.sent)
    )?;
    writeln!(
        out,
        "late or missing     {}, of which {} never came",
        thousands(received.missed + received.lost),
        thousands(received.lost)
    )?;
    writeln!(out, "repeated            {}", thousands(received.repeated))?;
    writeln!(out, "refused             {}", thousands(received.refused))?;
    writeln!(out, "messages            {}", thousands(received.messages))?;
    writeln!(out, "decode errors       {}", thousands(heard.undecoded))?;
    writeln!(out, "entities            {}", thousands(heard.entities.len() as u64))?;
    writeln!(out)?;
    out.paint(Tone::Heading, "messages by opcode\n")?;
    for (opcode, count) in &heard.by_opcode {
        writeln!(out, "  {opcode:04X} {:<24} {:>8}", opcode_name(*opcode).unwrap_or(""), thousands(*count))?;
    }
    if heard.other_opcodes > 0 {
        writeln!(out, "  other opcodes                 {:>8}", thousands(heard.other_opcodes))?;
    }
    Ok(())
}
