//! The npm package in Node computes what the program computes, to the last bit, and survives bad input.
//!
//! Needs Node 18 or newer. Where it is missing and this is a Debian with root rights, it is installed.

mod native;

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
    process::Command,
};

use evenstride::{Config, MotionWorld, OpenField};
use evenstride_replay::{Said, Script};
use evenstride_testkit::{ensure_packages, has_program};
use evenstride_types::SimTime;
use evenstride_wire::{Message, encode};
use native::{expected, first_light, hex};
use serde_json::{Value, json};

#[test]
fn the_npm_package_computes_the_same_bits_in_node() {
    let folder = tempfile::tempdir().unwrap();
    let package = folder.path().join("node_modules/evenstride");
    fs::create_dir_all(&package).unwrap();
    install(&package);
    let script = first_light();
    let (bytes, of_messages) = messages(&script);
    fs::write(folder.path().join("script.bin"), script.to_bytes().unwrap()).unwrap();
    fs::write(folder.path().join("messages.bin"), bytes).unwrap();
    fs::write(folder.path().join("messages.json"), of_messages.to_string()).unwrap();
    fs::write(folder.path().join("expected.json"), expected(&script).to_string()).unwrap();
    for name in ["checks.mjs", "package.test.mjs"] {
        fs::copy(source().join("tests").join(name), folder.path().join(name)).unwrap();
    }
    let output = node(&["package.test.mjs"], folder.path());
    let said = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{complained}");
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines.len() >= 30 && lines.iter().all(|line| line.starts_with("yes: ")), "{said}{complained}");
}

#[test]
fn the_example_for_node_prints_places_and_the_programs_state() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("examples")).unwrap();
    install(folder.path());
    let example = source().join("examples/replay.mjs");
    fs::copy(example, folder.path().join("examples/replay.mjs")).unwrap();
    let script = first_light();
    fs::write(folder.path().join("script.bin"), script.to_bytes().unwrap()).unwrap();
    let output = node(&["examples/replay.mjs", "script.bin"], folder.path());
    let said = String::from_utf8_lossy(&output.stdout);
    let state = expected(&script)[2]["state"].as_str().unwrap().to_owned();
    assert!(said.ends_with(&format!("state {state}\n")), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.lines().any(|line| line.starts_with("100.0 s  Vesper ")), "{said}");
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../bindings/js")
}

/// Completes the npm package in a folder.
fn install(package: &Path) {
    for name in ["package.json", "node.js", "browser.js", "evenstride.d.ts"] {
        fs::copy(source().join(name), package.join(name)).unwrap();
    }
    fs::write(package.join("evenstride.js"), evenstride_report::core_script()).unwrap();
    fs::write(package.join("evenstride_bg.wasm"), core_wasm()).unwrap();
}

/// Returns the WebAssembly module that the program embeds.
fn core_wasm() -> Vec<u8> {
    let mut wasm = Vec::new();
    flate2::read::GzDecoder::new(evenstride_report::core_wasm_gz()).read_to_end(&mut wasm).unwrap();
    wasm
}

/// Returns the server's messages one after the other, with the end and the time of each.
fn messages(script: &Script) -> (Vec<u8>, Value) {
    let (mut bytes, mut ends, mut times) = (Vec::new(), Vec::new(), Vec::new());
    for message in &script.messages {
        if let Said::Server(update) = &message.said {
            encode(&Message::from(update.clone()), &mut bytes);
            ends.push(bytes.len());
            times.push(message.time);
        }
    }
    (bytes, json!({ "ends": ends, "times": times, "world": hex(world_hash(script)) }))
}

/// Returns the state of a world that got the server's messages, in 60 frames per second for 121 seconds.
fn world_hash(script: &Script) -> u64 {
    let mut world = MotionWorld::new(Config::GLIDE, SimTime::ZERO);
    let mut rest = script.messages.as_slice();
    for frame in 0..=121 * 60 {
        let time = f64::from(frame) / 60.0;
        let now = SimTime::from_secs(time).unwrap();
        world.advance(now, &OpenField);
        let (present, later) = rest.split_at(rest.partition_point(|message| message.time <= time));
        for message in present {
            if let Said::Server(update) = &message.said {
                let _ = world.handle(now, update, &OpenField);
            }
        }
        rest = later;
    }
    world.state_hash()
}

/// Runs Node, and installs it if it is missing.
fn node(arguments: &[&str], folder: &Path) -> std::process::Output {
    let is_there = || has_program("node");
    ensure_packages(&["nodejs"], is_there).unwrap_or_else(|said| panic!("Node is missing and {said}"));
    Command::new("node").args(arguments).current_dir(folder).output().unwrap()
}
