//! What the commands that use the network have in common.

use std::{net::SocketAddr, process, thread, time::Duration};

use anyhow::{Context, Result};
use evenstride_live::Stop;

/// Returns a flag that Ctrl-C sets. A second Ctrl-C ends the program at once.
pub(crate) fn stop_on_ctrl_c() -> Result<Stop> {
    let stop = Stop::default();
    let flag = stop.clone();
    ctrlc::set_handler(move || {
        if flag.is_requested() {
            process::exit(130);
        }
        flag.request();
    })
    .context("Ctrl-C cannot be handled")?;
    Ok(stop)
}

/// Requests the end after this time.
pub(crate) fn ends_after(seconds: Option<f64>, stop: &Stop) {
    let Some(seconds) = seconds else { return };
    let stop = stop.clone();
    thread::spawn(move || {
        thread::sleep(Duration::from_secs_f64(seconds));
        stop.request();
    });
}

/// Returns two neighbouring ports in words.
pub(crate) fn neighbours(lower: SocketAddr) -> String {
    format!("{lower} and {}", lower.port().wrapping_add(1))
}
