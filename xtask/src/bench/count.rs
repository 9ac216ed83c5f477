//! Instructions and memory traffic, counted by callgrind. They do not depend on the machine's load.

use std::{path::PathBuf, process::Command};

use anyhow::{Context, Result, bail};

use crate::{
    command::{cargo, succeed},
    root,
};

/// An example program whose work is counted. It takes a name, a number of things and a number of
/// rounds. With `--names` it prints the names.
struct Program {
    package: &'static str,
    example: &'static str,
    things: &'static str,
    /// Number of things.
    count: u64,
    /// Rounds of two runs. Their difference excludes the start-up.
    rounds: [u64; 2],
    /// Whether the things are too many for the simulated cache, so that traffic with memory can be
    /// counted.
    has_traffic: bool,
}

const PROGRAMS: [Program; 4] = [
    Program {
        package: "evenstride",
        example: "workload",
        things: "body",
        count: 10_000,
        rounds: [4, 20],
        has_traffic: true,
    },
    Program {
        package: "evenstride_capture",
        example: "traffic",
        things: "message",
        count: 1_000,
        rounds: [20, 60],
        has_traffic: false,
    },
    Program {
        package: "evenstride_dat",
        example: "shelf",
        things: "record",
        count: 1_000,
        rounds: [20, 60],
        has_traffic: false,
    },
    Program {
        package: "evenstride_replay",
        example: "crowd",
        things: "runner",
        count: 1_000,
        rounds: [20, 60],
        has_traffic: false,
    },
];

/// Counts the work of every program, or only of the named scenes. A name means the first scene that has
/// it.
pub(crate) fn run(names: &[String]) -> Result<()> {
    let valgrind = Command::new("valgrind").arg("--version").output();
    if !valgrind.is_ok_and(|output| output.status.success()) {
        bail!("valgrind is needed to count instructions; install your system's package `valgrind`");
    }
    let mut known = Vec::new();
    for program in &PROGRAMS {
        // The other programs need not be built.
        if !names.is_empty() && names.iter().all(|name| known.contains(name)) {
            break;
        }
        let here = program.names()?;
        let wanted: Vec<_> =
            here.iter().filter(|name| names.is_empty() || names.contains(name)).cloned().collect();
        if !wanted.is_empty() {
            program.count(&wanted)?;
        }
        known.extend(here);
    }
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        bail!("{unknown} is not a scene; the scenes are {}", known.join(", "));
    }
    Ok(())
}

impl Program {
    /// Builds the program and asks it for the names of its scenes.
    fn names(&self) -> Result<Vec<String>> {
        let Self { package, example, .. } = self;
        succeed(&mut cargo(&["build", "--profile", "dist", "--quiet", "-p", package, "--example", example]))?;
        let output = Command::new(self.path()).arg("--names").output()?;
        Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
    }

    fn count(&self, names: &[String]) -> Result<()> {
        let Self { things, count, rounds, has_traffic, .. } = self;
        print!("\nInstructions per {things} and round");
        if *has_traffic {
            print!(", and bytes that it moves from and to memory in lines of 64");
        }
        println!(" ({count} of them, callgrind)");
        for name in names {
            let [short, long] = [self.run(name, rounds[0])?, self.run(name, rounds[1])?];
            let each = |of: fn(&Counted) -> u64| {
                of(&long).saturating_sub(of(&short)) as f64 / (count * (rounds[1] - rounds[0])) as f64
            };
            print!("{name:<20} {:>8.0}", each(|run| run.instructions));
            if *has_traffic {
                let [read, written] = [each(|run| run.lines_read), each(|run| run.lines_written)];
                print!(" {:>8.0} in {:>8.0} out", read * LINE_BYTES, written * LINE_BYTES);
            }
            println!();
        }
        Ok(())
    }

    fn run(&self, name: &str, rounds: u64) -> Result<Counted> {
        let mut command = Command::new("valgrind");
        command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
        if self.has_traffic {
            command.args(CACHES);
        }
        command.arg(self.path()).args([name, &self.count.to_string(), &rounds.to_string()]);
        let text = String::from_utf8_lossy(&command.output()?.stderr).into_owned();
        Counted::parse(&text).with_context(|| format!("callgrind did not count {name}:\n{text}"))
    }

    fn path(&self) -> PathBuf {
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
        target.join("dist/examples").join(self.example)
    }
}

/// The work of one run of a program.
#[derive(Debug, PartialEq)]
struct Counted {
    instructions: u64,
    /// Lines of data that the last-level cache lacked.
    lines_read: u64,
    /// Changed lines that made room for others.
    lines_written: u64,
}

impl Counted {
    /// Reads the two lines in which callgrind names the events and their numbers.
    fn parse(text: &str) -> Option<Self> {
        let line = |title: &str| text.lines().find_map(|line| Some(line.split_once(title)?.1.trim()));
        let names = line("Events    : ")?.split(' ');
        let numbers = line("Collected : ")?.split(' ').map(|number| number.parse::<u64>().ok());
        let events: Vec<_> = names.zip(numbers).collect();
        let sum = |wanted: &[&str]| -> Option<u64> {
            events.iter().filter(|(name, _)| wanted.contains(name)).map(|(_, number)| *number).sum()
        };
        Some(Self {
            instructions: sum(&["Ir"])?,
            lines_read: sum(&["DLmr", "DLmw"])?,
            lines_written: sum(&["ILdmr", "DLdmr", "DLdmw"])?,
        })
    }
}

const LINE_BYTES: f64 = 64.0;
/// A last-level cache that is far too small for 10,000 bodies, and large enough for the code and for
/// data that all bodies share. The state of one body in twenty does not fit either.
const CACHES: [&str; 5] =
    ["--cache-sim=yes", "--simulate-wb=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=131072,8,64"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_found_by_the_names_of_their_events() {
        let text = "==1== Events    : Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw ILdmr DLdmr DLdmw\n\
                    ==1== Collected : 100 9 9 9 9 9 9 20 3 1 4 5\n";
        let counted = Counted { instructions: 100, lines_read: 23, lines_written: 10 };
        assert_eq!(Counted::parse(text), Some(counted));
        let text = "==1== Events    : Ir\n==1== Collected : 100\n";
        let counted = Counted { instructions: 100, lines_read: 0, lines_written: 0 };
        assert_eq!(Counted::parse(text), Some(counted));
    }
}
