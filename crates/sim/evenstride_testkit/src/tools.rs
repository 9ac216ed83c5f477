//! Programs that tests need, which are installed where they are missing.

use std::process::{Command, Output};

/// Returns the output of a program. If it is missing, Debian packages are installed first.
///
/// # Panics
///
/// If the program is still missing. A test that cannot run has failed.
pub fn output_of(make: impl Fn() -> Command, packages: &[&str]) -> Output {
    if let Ok(output) = make().output() {
        return output;
    }
    let said = install(packages);
    let program = make().get_program().to_string_lossy().into_owned();
    make().output().unwrap_or_else(|error| {
        panic!("{program} is missing; install your system's {}: {error}\n{said}", packages.join(", "))
    })
}

/// Installs Debian packages with apt-get, and returns what it complained about. Another installation
/// may hold its lock, so this waits.
pub fn install(packages: &[&str]) -> String {
    let mut said = String::new();
    let install = ["install", "-y", "-qq", "--no-install-recommends"];
    for arguments in [&["update", "-qq"][..], &[&install[..], packages].concat()] {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive").args(["-o", "DPkg::Lock::Timeout=300"]);
        match command.args(arguments).output() {
            Ok(output) => said.push_str(&String::from_utf8_lossy(&output.stderr)),
            Err(error) => said.push_str(&format!("apt-get: {error}\n")),
        }
    }
    said
}
