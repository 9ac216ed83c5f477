//! The wheel for Python, and the engines that call it.
//!
//! Python's packages are in an environment of their own, `target/python`, with pinned versions.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, ensure};
use evenstride_testkit::ensure_packages;

use crate::{
    archive,
    command::{cargo, succeed},
    report::Findings,
    root,
    tools::ensure_programs,
};

/// Manifest of the native part of the wheel.
pub(crate) const MANIFEST: &str = "bindings/python/Cargo.toml";

/// Packages for the tests, and for the engines.
const REQUIREMENTS: &str = "bindings/python/requirements.txt";
const ENGINES: &str = "bindings/python/engines/requirements.txt";

/// Number of captures over which the engines are asked.
const CAPTURES: u64 = 48;

/// Builds the wheel and runs its tests.
pub(crate) fn run() -> Findings {
    let mut findings = Findings::default();
    let mut check = |what: &str, result: Result<()>| {
        println!("-- {what}");
        findings.absorb(Findings::from_result(result.with_context(|| what.to_owned())));
    };
    check("lints", lints());
    check("wheel", environment(REQUIREMENTS).and_then(|python| install_wheel(&python)));
    check("tests", tests());
    findings
}

/// Asks the same question by each engine and compares the answers.
pub(crate) fn run_engines() -> Findings {
    let mut findings = Findings::default();
    let mut check = |what: &str, result: Result<()>| {
        println!("-- {what}");
        findings.absorb(Findings::from_result(result.with_context(|| what.to_owned())));
    };
    check("tools", ensure_programs(&[["java", "default-jre-headless"]]));
    let installed = environment(REQUIREMENTS).and_then(|python| {
        install(&python, ENGINES)?;
        install_wheel(&python)
    });
    check("wheel", installed);
    check("engines", engines());
    findings
}

fn lints() -> Result<()> {
    let lints = ["clippy", "--quiet", "--locked", "--manifest-path", MANIFEST, "--", "-D", "warnings"];
    succeed(&mut cargo(&lints))
}

/// Returns the Python of the environment, which is made if it is missing, with the packages of a file.
fn environment(requirements: &str) -> Result<PathBuf> {
    let has_venv = || {
        let output = Command::new("python3").args(["-c", "import ensurepip, venv"]).output();
        output.is_ok_and(|output| output.status.success())
    };
    ensure_packages(&["python3", "python3-venv"], has_venv)
        .map_err(|said| anyhow::anyhow!("Python {said}"))?;
    let folder = root().join("target/python");
    let python = folder.join("bin/python");
    if !python.exists() {
        succeed(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    }
    install(&python, requirements)?;
    Ok(python)
}

fn install(python: &Path, requirements: &str) -> Result<()> {
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"];
    succeed(Command::new(python).args(pip).arg(root().join(requirements)))
}

fn install_wheel(python: &Path) -> Result<()> {
    let wheels = root().join("target/wheels");
    if wheels.exists() {
        fs::remove_dir_all(&wheels)?;
    }
    let mut build = Command::new(python.with_file_name("maturin"));
    build.args(["build", "--release", "--locked", "--quiet", "-m"]).arg(root().join(MANIFEST));
    succeed(build.arg("-o").arg(&wheels))?;
    let wheel = fs::read_dir(&wheels)?.next().context("maturin built no wheel")??.path();
    let pip =
        ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--force-reinstall", "--no-deps"];
    succeed(Command::new(python).args(pip).arg(wheel))
}

fn tests() -> Result<()> {
    let program = program()?;
    let mut pytest = Command::new(root().join("target/python/bin/python"));
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).current_dir(root().join("bindings/python"));
    succeed(pytest.env("EVENSTRIDE_PROGRAM", program).env("PYTHONDONTWRITEBYTECODE", "1"))
}

fn engines() -> Result<()> {
    let [captures, tables] =
        ["target/engines/captures", "target/engines/tables"].map(|path| root().join(path));
    for folder in [&captures, &tables] {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
    }
    archive::make(CAPTURES, &captures)?;
    let program = program()?;
    succeed(Command::new(&program).arg("archive").arg(&captures).arg("-o").arg(&tables))?;
    let mut check = Command::new(root().join("target/python/bin/python"));
    check.arg(root().join("bindings/python/engines/check.py")).args([&captures, &tables, &program]);
    succeed(check.env("PYTHONDONTWRITEBYTECODE", "1"))
}

/// Builds the program, and returns its path.
fn program() -> Result<PathBuf> {
    succeed(&mut cargo(&["build", "--quiet", "--release", "-p", "evenstride_cli"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let program = target.join("release/evenstride");
    ensure!(program.exists(), "{} was not built", program.display());
    Ok(program)
}
