//! Writes inputs with which fuzzing begins: saved worlds, plain worlds, scenarios, tables and sessions.
//!
//! `cargo run -p evenstride_fuzz_targets --example seeds` writes them into `fuzz/corpus`, from where
//! `cargo xtask keep-corpora` packs them. Run it after each change of the save format.

use std::{fs, io, path::Path, sync::Arc};

use evenstride::{Config, animation::MotionLibrary};
use evenstride_damage::{Choice, Dice};
use evenstride_fuzz_targets::own_library;
use evenstride_testkit::{busy_plain_world, busy_worlds};

/// Bytes before the contents of a save.
const HEADER_BYTES: usize = 20;

fn main() -> io::Result<()> {
    let mut count = 0;
    let mut add = |target: &str, name: &str, bytes: &[u8]| {
        count += 1;
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus").join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("seed-{name}")), bytes)
    };
    for (number, (profile, config)) in Config::PROFILES.into_iter().enumerate() {
        for choice in 0..2 {
            let library = Arc::new(if choice == 0 { MotionLibrary::built_in() } else { own_library() });
            for (moment, world) in busy_worlds(config, &library).iter().enumerate() {
                let (saved, drawing) = (world.save(), world.save_drawing());
                let name = format!("{profile}-{choice}-{moment}");
                add(
                    "restore",
                    &name,
                    &[&[choice], sized(&drawing).as_slice(), &saved[HEADER_BYTES..]].concat(),
                )?;
            }
            let world = busy_plain_world(config, &library);
            let (saved, drawing) = (world.save(), world.save_drawing());
            let motion = world.motion().save();
            let parts = saved.len() - motion.len();
            let (drawing, parts) = (sized(&drawing), sized(&saved[..parts]));
            let whole = [&[choice], drawing.as_slice(), &parts, &motion[HEADER_BYTES..]].concat();
            add("plain_restore", &format!("{number}-{choice}"), &whole)?;
        }
    }
    for entry in evenstride_arena::LIBRARY {
        add("scenario", entry.name, entry.text.as_bytes())?;
        // A short version is simulated too.
        let short: Vec<&str> = entry.text.lines().filter(|line| !line.starts_with("seconds")).collect();
        add(
            "scenario",
            &format!("{}-short", entry.name),
            format!("seconds = 1.0\n{}", short.join("\n")).as_bytes(),
        )?;
    }
    add("tables", "own-library", include_bytes!("../src/own_library.toml"))?;
    for number in 0..200 {
        let mut dice = Dice::new(77, number);
        let length = 40 + dice.below(900);
        let bytes: Vec<u8> = (0..length).map(|_| dice.garbage()).collect();
        add("session", &number.to_string(), &bytes)?;
        add("calls", &number.to_string(), &bytes)?;
    }
    println!("{count} inputs");
    Ok(())
}

/// Returns a part with its length before it, and without the header of a save.
fn sized(saved: &[u8]) -> Vec<u8> {
    let contents = &saved[HEADER_BYTES..];
    [&(contents.len() as u16).to_le_bytes(), contents].concat()
}
