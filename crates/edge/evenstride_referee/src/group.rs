//! The group of processes that a program leads, and its end.

use std::{
    io,
    process::{Child, Command, ExitStatus},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Ends the running program from another thread, for example when Ctrl-C is pressed.
///
/// The program leads a process group, so the terminal's signals do not reach it.
#[derive(Clone, Debug, Default)]
pub struct Stopper {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// Process id of the program that runs. It is not reaped, so its id is not given to another one.
    running: Option<u32>,
    is_stopped: bool,
}

impl Stopper {
    /// Ends the program with every program in its group. No program is started after that.
    pub fn stop(&self) {
        let mut state = self.lock();
        state.is_stopped = true;
        if let Some(id) = state.running {
            kill_group(id);
        }
    }

    /// Starts a program, unless all are to end.
    pub(crate) fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        let mut state = self.lock();
        if state.is_stopped {
            return Err(io::Error::other("the run was stopped"));
        }
        let child = command.spawn()?;
        state.running = Some(child.id());
        Ok(child)
    }

    /// Ends a program with every program in its group, also if the program itself has ended before.
    /// Returns its exit status.
    pub(crate) fn end(&self, child: &mut Child) -> Option<ExitStatus> {
        let mut state = self.lock();
        // The group is ended before its leader is reaped, because its id is free after that.
        if state.running.take_if(|id| *id == child.id()).is_some() {
            kill_group(child.id());
            let _ = child.kill();
        }
        child.wait().ok()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns a command of the system's shell. On Unix it leads a group of its own.
pub(crate) fn shell(command: &str) -> Command {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).process_group(0);
        shell
    }
    #[cfg(not(unix))]
    {
        let mut shell = Command::new("cmd");
        shell.args(["/C", command]);
        shell
    }
}

/// Returns whether a program has ended. On Unix, its group can still be ended after that.
#[cfg(unix)]
#[expect(clippy::needless_pass_by_ref_mut, reason = "other systems need it")]
pub(crate) fn has_exited(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let Some(id) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else { return true };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    // A program that was reaped is unknown.
    !matches!(waitid(WaitId::Pid(id), options), Ok(None))
}

#[cfg(not(unix))]
pub(crate) fn has_exited(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

#[cfg(unix)]
fn kill_group(id: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let id = i32::try_from(id).ok().and_then(Pid::from_raw);
    // A group that has ended needs no end.
    let _ = id.map(|id| kill_process_group(id, Signal::KILL));
}

#[cfg(not(unix))]
fn kill_group(id: u32) {
    let _ = Command::new("taskkill").args(["/T", "/F", "/PID", &id.to_string()]).output();
}
