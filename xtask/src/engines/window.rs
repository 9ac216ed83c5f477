//! The examples of Bevy in a window, drawn without a display and without a graphics card.
//!
//! `Xvfb` is the display, and Mesa's `lavapipe` draws on the processor. Remotes beside the physics of avian
//! are tested with the same compiler, which avian needs too.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use anyhow::{Context, Result, ensure};

use super::{BEVY_WINDOW, target};
use crate::{
    command::{count_tests, succeed},
    report::Findings,
    root,
    tools::ensure_programs,
};

/// Files with the Debian packages that have them.
const NEEDED: [[&str; 2]; 6] = [
    ["Xvfb", "xvfb"],
    ["/usr/share/vulkan/icd.d/lvp_icd.x86_64.json", "mesa-vulkan-drivers"],
    ["/usr/lib/x86_64-linux-gnu/libXcursor.so.1", "libxcursor1"],
    ["/usr/lib/x86_64-linux-gnu/libXi.so.6", "libxi6"],
    ["/usr/lib/x86_64-linux-gnu/libXrandr.so.2", "libxrandr2"],
    ["/usr/lib/x86_64-linux-gnu/libxkbcommon-x11.so.0", "libxkbcommon-x11-0"],
];

/// The packages of this workspace.
const PACKAGES: [&str; 2] = ["bevy_evenstride_window", "bevy_evenstride_physics"];

/// The examples, each of which saves a picture of its window.
const EXAMPLES: [&str; 2] = ["three_d", "two_d"];

/// Size of a window, and the least size of a picture file with figures in it. A picture of one colour
/// has a twentieth of that.
const SIZE: [u32; 2] = [1280, 720];
const LEAST_BYTES: usize = 10_000;

/// Builds and lints the examples with their own compiler, runs their tests, and takes a picture of each.
pub(crate) fn run() -> Findings {
    let mut findings = Findings::from_result(build());
    if !findings.failures.is_empty() {
        return findings;
    }
    // One by one, because together they would build the engine with other features again.
    for package in PACKAGES {
        let at = ["-p", package, "--locked", "--quiet"];
        let lints = ["--all-targets", "--", "-D", "warnings"];
        findings.absorb(Findings::from_result(succeed(there("cargo").arg("clippy").args(at).args(lints))));
        findings.absorb(count_tests(there("cargo").arg("test").args(at).args(["--lib", "--tests"])));
    }
    match Display::start() {
        Ok(display) => {
            for example in EXAMPLES {
                findings.absorb(Findings::from_result(shoot(&display, example)));
            }
        }
        Err(error) => findings.failures.push(format!("{error:#}")),
    }
    findings
}

/// Returns a command in the folder of the examples, whose file names their compiler.
fn there(program: &str) -> Command {
    let mut command = Command::new(program);
    let folder = root().join(BEVY_WINDOW).parent().map(Path::to_path_buf).unwrap_or_default();
    command.current_dir(folder).env_remove("RUSTUP_TOOLCHAIN").env("CARGO_TARGET_DIR", target("bevy-window"));
    command
}

fn build() -> Result<()> {
    ensure_programs(&NEEDED)?;
    let file = root().join(BEVY_WINDOW).with_file_name("rust-toolchain.toml");
    let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let channel = text.lines().find_map(|line| line.strip_prefix("channel = \"")?.strip_suffix('"'));
    let channel = channel.with_context(|| format!("{}: no channel", file.display()))?;
    let install = [
        "toolchain",
        "install",
        channel,
        "--profile",
        "minimal",
        "--component",
        "clippy",
        "--no-self-update",
    ];
    succeed(there("rustup").args(install)).context("rustup is needed for a newer compiler")?;
    println!("The first build takes the whole of Bevy, which is several minutes.");
    succeed(there("cargo").args(["build", "--examples", "--locked", "--quiet"]))
}

/// Runs an example until it has saved a picture, and checks the picture.
fn shoot(display: &Display, example: &str) -> Result<()> {
    let picture: PathBuf = target("bevy-window").join(format!("{example}.png"));
    if picture.exists() {
        fs::remove_file(&picture)?;
    }
    let program = target("bevy-window").join("debug/examples").join(example);
    let mut command = there(&program.to_string_lossy());
    command.arg("--screenshot").arg(&picture);
    succeed(command.env("DISPLAY", &display.name).env("VK_ICD_FILENAMES", NEEDED[1][0]))?;
    let bytes = fs::read(&picture).with_context(|| picture.display().to_string())?;
    ensure!(size(&bytes) == Some(SIZE), "{example}: the picture is {:?}, not {SIZE:?}", size(&bytes));
    ensure!(bytes.len() > LEAST_BYTES, "{example}: the picture has {} bytes, so it is empty", bytes.len());
    println!("{}: {} bytes", picture.display(), bytes.len());
    Ok(())
}

/// Returns width and height of a PNG.
fn size(bytes: &[u8]) -> Option<[u32; 2]> {
    if !bytes.starts_with(b"\x89PNG") {
        return None;
    }
    let number = |at: usize| bytes.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
    Some([number(16)?, number(20)?])
}

/// A display that ends with this value.
struct Display {
    process: Child,
    name: String,
}

impl Display {
    fn start() -> Result<Self> {
        let arguments = ["-displayfd", "1", "-screen", "0", "1280x720x24", "-nolisten", "tcp"];
        let mut command = Command::new("Xvfb");
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().context("Xvfb")?;
        let mut number = String::new();
        if let Some(out) = process.stdout.take() {
            BufReader::new(out).read_line(&mut number)?;
        }
        let display = Self { process, name: format!(":{}", number.trim()) };
        ensure!(display.name.len() > 1, "Xvfb did not start");
        Ok(display)
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_the_documents_have_the_size_of_a_window() {
        for example in EXAMPLES {
            let path = root().join(BEVY_WINDOW).with_file_name(format!("{example}.png"));
            assert_eq!(size(&fs::read(path).unwrap()), Some(SIZE));
        }
        assert_eq!(size(b"\x89PNG"), None);
    }
}
