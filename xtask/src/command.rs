//! Runs other programs, mostly cargo.

use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};

use crate::{report::Findings, root};

/// Returns cargo, to be run in the project's folder.
pub(crate) fn cargo(args: &[&str]) -> Command {
    // The cargo that runs this program, unless a toolchain is named.
    let program = match (args.first(), std::env::var_os("CARGO")) {
        (Some(first), _) if first.starts_with('+') => "cargo".into(),
        (_, Some(cargo)) => cargo,
        (_, None) => "cargo".into(),
    };
    let mut command = Command::new(program);
    command.current_dir(root()).args(args);
    command
}

/// Runs a command that passes or fails as a whole and prints its own output.
pub(crate) fn succeed(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| describe(command))?;
    if !status.success() {
        bail!("`{}` failed ({status})", describe(command));
    }
    Ok(())
}

/// Runs `cargo test` and counts the results in its closing lines.
pub(crate) fn count_tests(command: &mut Command) -> Findings {
    match stream_tests(command) {
        Ok(findings) => findings,
        Err(error) => Findings::one_failure(format!("{error:#}")),
    }
}

fn stream_tests(command: &mut Command) -> Result<Findings> {
    let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| describe(command))?;
    let mut findings = Findings::default();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines() {
            let line = line?;
            println!("{line}");
            if let Some((passed, failed)) = closing_counts(&line) {
                findings.passed += passed;
                findings.failures.extend((0..failed).map(|_| "a test, named above".to_owned()));
            }
        }
    }
    let status = child.wait()?;
    if !status.success() && findings.failures.is_empty() {
        findings.failures.push(format!("`{}` failed ({status})", describe(command)));
    }
    if status.success() && findings.passed == 0 {
        findings.failures.push(format!("`{}` ran no test", describe(command)));
    }
    Ok(findings)
}

/// Returns the counts in `test result: ok. 42 passed; 0 failed; …`.
fn closing_counts(line: &str) -> Option<(usize, usize)> {
    let counts = line.strip_prefix("test result: ")?.split_once(". ")?.1;
    let mut numbers = counts.split("; ").map(|part| part.split(' ').next().and_then(|n| n.parse().ok()));
    Some((numbers.next()??, numbers.next()??))
}

fn describe(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let args = command.get_args().map(|arg| arg.to_string_lossy());
    std::iter::once(program.to_string_lossy()).chain(args).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::closing_counts;

    #[test]
    fn closing_lines_are_counted_and_others_are_not() {
        let line = "test result: FAILED. 41 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.09s";
        assert_eq!(closing_counts(line), Some((41, 2)));
        assert_eq!(closing_counts("test result: ok. lots"), None);
        assert_eq!(closing_counts("running 3 tests"), None);
    }
}
