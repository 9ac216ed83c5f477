//! Debian packages that a test needs and installs by itself.

use std::process::Command;

/// Installs packages with apt-get, unless `is_there` holds already.
///
/// Another installation may hold the lock, and a mirror may fail once, so there are three attempts.
///
/// # Errors
/// The names of the packages and the words of apt-get, if `is_there` never holds.
pub fn ensure_packages(packages: &[&str], is_there: impl Fn() -> bool) -> Result<(), String> {
    let mut said = String::new();
    for _ in 0..3 {
        if is_there() {
            return Ok(());
        }
        let install = [&["install", "-y", "-qq", "--no-install-recommends"], packages].concat();
        for arguments in [["update", "-qq"].as_slice(), &install] {
            let mut command = Command::new("apt-get");
            command.env("DEBIAN_FRONTEND", "noninteractive").args(["-o", "DPkg::Lock::Timeout=300"]);
            match command.args(arguments).output() {
                Ok(output) => said.push_str(&String::from_utf8_lossy(&output.stderr)),
                Err(error) => said.push_str(&format!("apt-get: {error}\n")),
            }
        }
    }
    if is_there() {
        return Ok(());
    }
    let packages = packages.join(" ");
    Err(format!("could not be installed; install the packages `{packages}` of your system\n{said}"))
}

/// Returns whether a program is in one of the folders of `PATH`.
pub fn has_program(name: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(name).is_file())
}
