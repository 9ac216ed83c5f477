//! Everything that monitoring systems read.

use evenstride_capture::Totals;
use evenstride_live::HostCounts;
use evenstride_watch::{MetricsText, Watch};

/// What is measured.
pub(super) struct Measured<'a> {
    pub(super) watch: &'a Watch,
    pub(super) totals: &'a Totals,
    /// Counts of the relay, if there is one.
    pub(super) host: Option<&'a HostCounts>,
    /// Datagrams that were forwarded and not watched.
    pub(super) missed: u64,
}

/// Returns the metrics as text.
pub(super) fn text(of: &Measured<'_>) -> String {
    let mut text = MetricsText::default();
    let Measured { watch, totals, host, missed } = of;
    text.gauge("evenstride_connections", "Connections that are drawn.", &[], watch.views().count() as f64);
    watch.write_metrics(&mut text);
    for (name, help, count) in [
        ("evenstride_datagrams_total", "Datagrams from or to the server.", totals.datagrams),
        ("evenstride_messages_total", "Complete messages, about motion or not.", totals.messages),
        ("evenstride_retransmissions_total", "Packets that came again.", totals.retransmissions),
        ("evenstride_checksum_failures_total", "Packets with a wrong checksum.", totals.checksum_failures),
        ("evenstride_faults_total", "Unreadable parts.", totals.faults),
        ("evenstride_not_watched_total", "Datagrams that were forwarded and not watched.", *missed),
    ] {
        text.counter(name, help, &[], count as f64);
    }
    let help = "Sequence numbers that have not arrived, or not yet.";
    text.gauge("evenstride_missing_packets", help, &[], totals.gaps as f64);
    if let Some(host) = host {
        relay(&mut text, host);
    }
    text.finish()
}

fn relay(text: &mut MetricsText, host: &HostCounts) {
    let relay = &host.relay;
    text.gauge("evenstride_relay_clients", "Addresses of clients at this moment.", &[], host.clients as f64);
    for (direction, datagrams, bytes) in [
        ("to_server", relay.to_server.datagrams, relay.to_server.bytes),
        ("to_clients", relay.to_clients.datagrams, relay.to_clients.bytes),
    ] {
        let label = [("direction", direction)];
        text.counter("evenstride_relay_datagrams_total", "Forwarded datagrams.", &label, datagrams as f64);
        text.counter("evenstride_relay_bytes_total", "Bytes of forwarded datagrams.", &label, bytes as f64);
    }
    for (reason, count) in [
        ("stranger", relay.not_a_client),
        ("no_room", relay.too_many_clients),
        ("not_the_server", relay.not_the_server),
        ("closed", relay.closed),
        ("unsent", host.unsent),
    ] {
        let help = "Datagrams that were not forwarded, by reason.";
        text.counter("evenstride_relay_dropped_total", help, &[("reason", reason)], count as f64);
    }
    let delays = &host.delays;
    let help = "Seconds from reading a datagram to having sent it.";
    let sum = (delays.sum_secs(), delays.count());
    text.histogram("evenstride_relay_delay_seconds", help, delays.cumulative(), sum);
}
