//! The library for C, C++ and C#: its header, its tests in these languages, and their speed.
//!
//! ```text
//! bindings/c ─► bindings/header ─► include/evenstride.h      kept, and compared
//!            └► libevenstride_ffi ─► C11, C++17, Valgrind
//!                                 └► bindings/csharp, by Mono
//! ```

mod build;
mod codes;

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use anyhow::{Context, Result, ensure};

use self::build::{Library, compile_c, compile_csharp, folder, run_mono};
pub(crate) use self::codes::{codes_for_c, codes_for_csharp};
use crate::{
    command::{cargo, succeed},
    report::Findings,
    root,
    tools::{ensure_nightly, ensure_programs},
};

/// Manifest of the program that makes the header.
pub(crate) const HEADER_MAKER: &str = "bindings/header/Cargo.toml";

const HEADER: &str = "bindings/c/include/evenstride.h";

/// Programs and files with the Debian packages that have them.
const PROGRAMS: [[&str; 2]; 6] = [
    ["gcc", "gcc"],
    ["g++", "g++"],
    ["valgrind", "valgrind"],
    ["mcs", "mono-mcs"],
    ["mono", "mono-runtime"],
    ["/usr/lib/mono/4.5/System.Core.dll", "libmono-system-core4.0-cil"],
];

/// The 32-bit Windows of most clients of Asheron's Call.
const WINDOWS: &str = "i686-pc-windows-gnu";

/// Flags of all C and C++ builds. The library must compile in strict projects.
const STRICT: [&str; 4] = ["-Wall", "-Wextra", "-Werror", "-pedantic"];

const C_CHECKS: &str = "bindings/c/tests/c/checks.c";

/// Runs everything that needs no nightly compiler.
pub(crate) fn run() -> Findings {
    let mut findings = Findings::default();
    let mut check = |what: &str, result: Result<()>| {
        println!("-- {what}");
        findings.absorb(Findings::from_result(result.with_context(|| what.to_owned())));
    };
    check("header", check_header());
    check("functions in C#", check_csharp_functions());
    check("optional fields in C#", check_csharp_fields());
    check("status in C#", check_csharp_status());
    check("tools", ensure_programs(&PROGRAMS));
    check("32-bit Windows", check_windows());
    let library = match Library::build("dev") {
        Ok(library) => library,
        Err(error) => {
            check("library", Err(error));
            return findings;
        }
    };
    check("C11", c(&library));
    check("C++17", cpp(&library));
    check("C#", csharp(&library));
    findings
}

/// Writes the header.
pub(crate) fn write_header() -> Result<()> {
    make_header(&root().join(HEADER))?;
    println!("wrote {HEADER}");
    Ok(())
}

fn check_header() -> Result<()> {
    let fresh = folder()?.join("evenstride.h");
    make_header(&fresh)?;
    let same = fs::read(&fresh)? == fs::read(root().join(HEADER)).unwrap_or_default();
    ensure!(same, "{HEADER} is not what the crate exports; run `cargo xtask header`");
    Ok(())
}

fn make_header(path: &Path) -> Result<()> {
    let maker = ["run", "--quiet", "--locked", "--manifest-path", HEADER_MAKER, "--", "bindings/c"];
    succeed(cargo(&maker).arg(path))
}

/// Checks that the C# package declares every function of the header. Their structs compare sizes when the
/// library is loaded.
fn check_csharp_functions() -> Result<()> {
    let header = fs::read_to_string(root().join(HEADER))?;
    let csharp = fs::read_to_string(root().join("bindings/csharp/Evenstride/Native.cs"))?;
    let names = |text: &str| -> BTreeSet<String> {
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let words = code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
        words.filter(|word| word.starts_with("ev_")).map(str::to_owned).collect()
    };
    let missing: Vec<String> = names(&header).difference(&names(&csharp)).cloned().collect();
    ensure!(missing.is_empty(), "Native.cs does not declare {}", missing.join(", "));
    Ok(())
}

/// Checks that the bits for optional fields in C# are those of the header.
fn check_csharp_fields() -> Result<()> {
    let bits = |line: &str| {
        let (name, bit) = line.strip_prefix("#define EV_HAS_")?.split_once(' ')?;
        Some((name.to_owned(), bit.to_owned()))
    };
    same_numbers("Fields.cs", bits, |number| number != "0")
}

/// Checks that the numbers of a status in C# are those of the header.
fn check_csharp_status() -> Result<()> {
    let numbers = |line: &str| {
        let (name, number) = line.trim().strip_prefix("EV_STATUS_")?.strip_suffix(',')?.split_once(" = ")?;
        Some((name.to_owned(), number.to_owned()))
    };
    same_numbers("Errors.cs", numbers, |number| number.parse::<u32>().is_ok())
}

/// Checks that a file of the C# package has the named numbers of the header, and no others of that kind.
fn same_numbers(
    file: &str,
    in_header: impl Fn(&str) -> Option<(String, String)>,
    is_one: impl Fn(&str) -> bool,
) -> Result<()> {
    let header = fs::read_to_string(root().join(HEADER))?;
    let csharp = fs::read_to_string(root().join("bindings/csharp/Evenstride").join(file))?;
    let theirs: BTreeSet<(String, String)> = header.lines().filter_map(in_header).collect();
    ensure!(!theirs.is_empty(), "{HEADER} has no numbers for {file}");
    let numbers = csharp.lines().filter_map(|line| line.trim().strip_suffix(',')?.split_once(" = "));
    let numbers = numbers.filter(|(_, number)| is_one(number));
    let ours = numbers.map(|(name, number)| (codes::screaming(name), number.to_owned())).collect();
    ensure!(theirs == ours, "{file} and {HEADER} differ: {:?}", theirs.symmetric_difference(&ours));
    Ok(())
}

fn check_windows() -> Result<()> {
    let missing = "rustup is needed to add a target; install it, then run this again";
    succeed(Command::new("rustup").args(["target", "add", WINDOWS])).context(missing)?;
    succeed(&mut cargo(&["check", "--quiet", "-p", "evenstride_ffi", "--target", WINDOWS]))
}

fn c(library: &Library) -> Result<()> {
    let checks = compile_c("gcc", "c11", &STRICT, C_CHECKS, library, "checks_c")?;
    succeed(&mut Command::new(&checks))?;
    let valgrind =
        ["--quiet", "--leak-check=full", "--show-leak-kinds=definite,indirect", "--error-exitcode=9"];
    succeed(Command::new("valgrind").args(valgrind).arg(&checks))?;
    let example = compile_c("gcc", "c11", &STRICT, "bindings/c/examples/field.c", library, "field")?;
    let said = Command::new(example).output()?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    print!("{said}");
    ensure!(
        said.lines().count() == 6,
        "the example drew {} times, not once per second",
        said.lines().count()
    );
    Ok(())
}

fn cpp(library: &Library) -> Result<()> {
    let checks = compile_c("g++", "c++17", &STRICT, "bindings/c/tests/c/checks.cpp", library, "checks_cpp")?;
    succeed(&mut Command::new(checks))
}

/// Runs the tests of the C# package, and compares its console client with the program.
fn csharp(library: &Library) -> Result<()> {
    let package = "bindings/csharp/Evenstride/*.cs";
    let checks = compile_csharp(&[package, "bindings/csharp/tests/*.cs"], "checks.exe")?;
    run_mono(library, &checks, &[])?;

    let lines = folder()?.join("first-light.jsonl");
    let capture = ["testdata/captures/first-light.pcap"];
    succeed(
        cargo(&["run", "--quiet", "-p", "evenstride_ffi", "--example", "lines", "--"])
            .args(capture)
            .arg(&lines),
    )?;
    let client = compile_csharp(&[package, "bindings/csharp/examples/console/*.cs"], "console.exe")?;
    let ours = run_mono(library, &client, &[lines.as_os_str()])?;
    let replay = ["run", "--quiet", "-p", "evenstride_cli", "--", "replay", "--json"];
    let theirs = cargo(&replay).arg(&lines).output()?;
    let theirs: serde_json::Value =
        serde_json::from_slice(&theirs.stdout).context("evenstride replay --json")?;
    let hash = theirs["state_hash"].as_str().context("no state_hash in the answer of evenstride replay")?;
    ensure!(
        ours.lines().any(|line| line == format!("state {hash}")),
        "the console client does not print `state {hash}`, as `evenstride replay` does, but {ours}"
    );
    println!("the console client and `evenstride replay` agree on {hash}");
    Ok(())
}

/// Runs the tests of the C functions with the address sanitiser, in Rust and in C.
pub(crate) fn run_with_address_sanitizer() -> Findings {
    let mut findings = Findings::from_result(ensure_nightly(&[]).and_then(|()| ensure_programs(&PROGRAMS)));
    if findings.failures.is_empty() {
        findings.absorb(crate::command::count_tests(&mut sanitized(&["test", "--test", "abi"])));
        findings.absorb(Findings::from_result(sanitized_c()));
    }
    findings
}

fn sanitized(args: &[&str]) -> Command {
    let mut command = cargo(&["+nightly"]);
    command.args(args).args(["-p", "evenstride_ffi", "--target", HOST, "--target-dir", "target/asan"]);
    command.env("RUSTFLAGS", "-Zsanitizer=address").env_remove("RUSTUP_TOOLCHAIN");
    command
}

fn sanitized_c() -> Result<()> {
    succeed(&mut sanitized(&["build"]))?;
    let library = Library { folder: root().join("target/asan").join(HOST).join("debug") };
    let flags = [STRICT.as_slice(), &["-fsanitize=address", "-g"]].concat();
    let checks = compile_c("gcc", "c11", &flags, C_CHECKS, &library, "checks_c_asan")?;
    succeed(&mut Command::new(checks))
}

/// The target of sanitised builds, which must be named.
const HOST: &str = "x86_64-unknown-linux-gnu";

/// Measures nanoseconds per entity in Rust, C and C#, in one run.
pub(crate) fn bench() -> Result<()> {
    ensure_programs(&PROGRAMS)?;
    let library = Library::build("release")?;
    let fast = [STRICT.as_slice(), &["-O2"]].concat();
    let c = compile_c("gcc", "c11", &fast, "bindings/c/tests/c/bench.c", &library, "bench_c")?;
    let package = "bindings/csharp/Evenstride/*.cs";
    let csharp = compile_csharp(&[package, "bindings/csharp/bench/*.cs"], "bench.exe")?;
    println!("10,000 walking entities, nanoseconds per entity");
    succeed(&mut cargo(&["run", "--release", "--quiet", "-p", "evenstride_ffi", "--example", "bench"]))?;
    succeed(&mut Command::new(c))?;
    run_mono(&library, &csharp, &[]).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_c_and_csharp_agree() {
        check_csharp_fields().unwrap();
        check_csharp_status().unwrap();
        let other = |_: &str| Some(("OK".to_owned(), "1".to_owned()));
        assert!(same_numbers("Errors.cs", other, |_| true).is_err(), "a difference is found");
    }
}
