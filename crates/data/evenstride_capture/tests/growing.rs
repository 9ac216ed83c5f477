//! Captures that are read while they are still being written.

use std::io::{self, ErrorKind, Read};

use evenstride_capture::{CapturedMessage, Fault, Listener, PcapWriter, Session, WrittenDatagram, read};

/// Counts what is delivered, and what had been delivered each time the source had nothing for now.
#[derive(Default)]
struct Heard {
    packets: usize,
    at_waits: Vec<usize>,
    faults: Vec<String>,
}

impl Listener for Heard {
    fn packet(&mut self, _: f64) {
        self.packets += 1;
    }

    fn message(&mut self, _: &CapturedMessage<'_>) {}

    fn fault(&mut self, fault: Fault) {
        self.faults.push(fault.to_string());
    }

    fn waits(&mut self, _: &evenstride_capture::Totals) {
        self.at_waits.push(self.packets);
    }
}

/// A source that delivers one part at a time, and has nothing for a while after each.
struct Parts {
    parts: Vec<Vec<u8>>,
    pauses: u32,
}

impl Parts {
    fn new(mut parts: Vec<Vec<u8>>) -> Self {
        parts.reverse();
        Self { parts, pauses: 0 }
    }
}

impl Read for Parts {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.pauses > 0 && !self.parts.is_empty() {
            self.pauses -= 1;
            return Err(ErrorKind::WouldBlock.into());
        }
        let Some(part) = self.parts.last_mut() else { return Ok(0) };
        let length = part.len().min(buffer.len());
        buffer[..length].copy_from_slice(&part[..length]);
        part.drain(..length);
        if part.is_empty() {
            self.parts.pop();
            self.pauses = 6;
        }
        Ok(length)
    }
}

/// Returns the header of a pcap file, and records of datagrams that are no packets.
fn recorded(count: usize) -> Vec<Vec<u8>> {
    let mut file = PcapWriter::new(Vec::new()).unwrap();
    let mut parts = vec![std::mem::take(file.get_mut())];
    for number in 0..count {
        let [from, to] = [([10, 0, 0, 2], 9_000), ([10, 0, 0, 1], 50_000)];
        let payload = vec![number as u8; 40 + number];
        file.write(&WrittenDatagram { time: number as f64, from, to, payload: &payload }).unwrap();
        parts.push(std::mem::take(file.get_mut()));
    }
    parts
}

fn heard(parts: Vec<Vec<u8>>) -> Heard {
    let mut session = Session::new(Heard::default());
    read(Parts::new(parts), &mut session).unwrap();
    session.listener
}

#[test]
fn a_packet_is_delivered_before_the_next_one_is_written() {
    let heard = heard(recorded(5));
    assert_eq!(heard.packets, 5);
    assert!((1..5).all(|number| heard.at_waits.contains(&number)), "{:?}", heard.at_waits);
}

#[test]
fn parts_that_end_within_a_record_lose_nothing() {
    let bytes = recorded(20).concat();
    for length in [1, 3, 7, 16, 50, 61] {
        let heard = heard(bytes.chunks(length).map(<[u8]>::to_vec).collect());
        let damaged: Vec<&String> = heard.faults.iter().filter(|of| of.contains("damaged")).collect();
        assert_eq!((heard.packets, damaged.len()), (20, 0), "{length}: {damaged:?}");
    }
}

#[test]
fn a_growing_capture_goes_on_after_damage() {
    let mut parts = recorded(6);
    parts.insert(3, vec![0xEE; 100]);
    assert_eq!(heard(parts).packets, 6);
}

#[test]
fn lines_are_delivered_when_they_are_complete() {
    let line = |number: u8| {
        let data = format!("{number:02x}").repeat(20);
        format!("{{\"t\":{number},\"dir\":\"s2c\",\"data\":\"{data}\"}}\n").into_bytes()
    };
    let bytes: Vec<u8> = (0..8).flat_map(line).collect();
    for length in [1, 5, 40, 70] {
        let heard = heard(bytes.chunks(length).map(<[u8]>::to_vec).collect());
        assert_eq!(heard.packets, 8, "{length}");
        assert!(heard.at_waits.iter().any(|packets| (1..8).contains(packets)), "{:?}", heard.at_waits);
    }
}
