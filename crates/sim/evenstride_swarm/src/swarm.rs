//! Many runs on all cores.

use std::{
    cell::{Cell, RefCell},
    fmt::Debug,
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex, Once,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use crate::{
    coverage::Coverage,
    draw::Draw,
    play::{Played, Script, Subject, play_within},
    script::{any_plain, any_world, honest_world},
    shrink::shrink,
};

/// Number of plays that shrinking one script may take.
const SHRINKING_TRIES: usize = 3_000;

/// Longest time that one operation may take. A longer one counts as a hang.
const LONGEST_OPERATION: Duration = Duration::from_secs(2);

/// Findings after which a swarm ends early.
const MOST_FINDINGS: usize = 8;

/// The sum of many runs.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Number of runs.
    pub runs: u64,
    /// Steps of bodies that were awake. Those of twins are not counted.
    pub steps: u64,
    /// What the runs have covered.
    pub coverage: Coverage,
    /// Runs that broke a promise.
    pub findings: Vec<Finding>,
}

/// A run that broke a promise.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Seed of the run.
    pub seed: u64,
    /// What is wrong.
    pub what: String,
    /// The shortest script found that does the same.
    pub script: String,
}

/// Plays runs of successive seeds until bodies have made this many steps, or all seeds are used.
///
/// `progress` is called after each run with the steps so far.
pub fn swarm(seeds: Range<u64>, steps: u64, jobs: usize, progress: impl Fn(u64) + Sync) -> Tally {
    let (next, done, is_over) = (AtomicU64::new(seeds.start), AtomicU64::new(0), AtomicBool::new(false));
    let tally = Mutex::new(Tally::default());
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while !is_over.load(Relaxed) {
                    let seed = next.fetch_add(1, Relaxed);
                    if seed >= seeds.end {
                        break;
                    }
                    let run = run(seed);
                    let sum = done.fetch_add(run.steps, Relaxed) + run.steps;
                    progress(sum);
                    let Ok(mut tally) = tally.lock() else { break };
                    tally.runs += 1;
                    tally.steps += run.steps;
                    tally.coverage.absorb(run.coverage);
                    tally.findings.extend(run.findings);
                    if sum >= steps || tally.findings.len() >= MOST_FINDINGS {
                        is_over.store(true, Relaxed);
                    }
                }
            });
        }
    });
    tally.into_inner().unwrap_or_default()
}

/// Plays the run of one seed.
pub fn run(seed: u64) -> Tally {
    let mut draw = Draw::seeded(seed);
    match draw.below(8) {
        0 => {
            let script = any_plain(&mut draw);
            let mut tally = judged(seed, &script);
            tally.coverage.config(&script.config.motion);
            tally
        }
        1 | 2 => world_run(seed, &honest_world(&mut draw)),
        _ => world_run(seed, &any_world(&mut draw)),
    }
}

fn world_run(seed: u64, script: &Script<evenstride::MotionWorld>) -> Tally {
    let mut tally = judged(seed, script);
    tally.coverage.config(&script.config);
    tally
}

/// Plays a script, and shrinks it if it breaks a promise.
fn judged<S: Subject>(seed: u64, script: &Script<S>) -> Tally
where
    Script<S>: Clone + Debug,
{
    let Played { steps, coverage } = match verdict(script) {
        Ok(played) => played,
        Err(what) => {
            let is_needed = |op: &S::Op| script.ending.as_ref().is_some_and(|ending| (ending.needs)(op));
            let numbers: Vec<usize> = (0..script.ops.len()).collect();
            let with = |kept: &[usize]| {
                let is_kept =
                    |number: &usize| is_needed(&script.ops[*number]) || kept.binary_search(number).is_ok();
                let ops =
                    numbers.iter().filter(|number| is_kept(number)).map(|number| script.ops[*number].clone());
                Script { ops: ops.collect(), ..script.clone() }
            };
            let kept = shrink(&numbers, SHRINKING_TRIES, |kept| {
                verdict(&with(kept)).is_err_and(|other| is_alike(&what, &other))
            });
            let shorter = with(&kept);
            let what = verdict(&shorter).err().unwrap_or(what);
            let finding = Finding { seed, what, script: printed(&shorter) };
            return Tally { runs: 1, findings: vec![finding], ..Tally::default() };
        }
    };
    Tally { runs: 1, steps, coverage, findings: Vec::new() }
}

/// Plays a script. A panic is a broken promise too.
fn verdict<S: Subject>(script: &Script<S>) -> Result<Played, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(keep_panics_of_runs);
    IS_RUNNING.set(true);
    let played = catch_unwind(AssertUnwindSafe(|| play_within(script, LONGEST_OPERATION)));
    IS_RUNNING.set(false);
    match played {
        Ok(Ok(played)) => Ok(played),
        Ok(Err(broken)) => Err(broken.what),
        Err(_) => Err(format!("panic {}", PANIC.take())),
    }
}

/// Returns whether two sentences tell of the same fault, as far as they differ only in numbers.
fn is_alike(one: &str, other: &str) -> bool {
    let words = |text: &str| {
        let letters: String = text.chars().map(|c| if c.is_alphabetic() { c } else { ' ' }).collect();
        letters.split_whitespace().take(5).map(str::to_owned).collect::<Vec<_>>()
    };
    words(one) == words(other)
}

fn printed<S: Subject>(script: &Script<S>) -> String {
    let mut text = format!("config: {:?}\nsurroundings: {:?}\n", script.config, script.ground);
    let end = script.ending.iter().flat_map(|ending| &ending.ops);
    for (number, op) in script.ops.iter().chain(end).enumerate() {
        text += &format!("{number:>4}: {op:?}\n");
    }
    text
}

thread_local! {
    /// Whether this thread plays a run.
    static IS_RUNNING: Cell<bool> = const { Cell::new(false) };
    /// Place and message of the last panic of this thread in a run.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps panics of runs instead of printing them, because shrinking causes thousands. Other panics are
/// printed as before.
fn keep_panics_of_runs() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if IS_RUNNING.get() {
            PANIC.set(info.to_string().replace('\n', " "));
        } else {
            print(info);
        }
    }));
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use evenstride::{BodySetup, MotionWorld};
    use evenstride_types::EntityId;

    use super::*;
    use crate::{
        play::{Ending, Host},
        world::Op,
    };

    #[test]
    fn a_seed_names_its_run() {
        let one = run(11);
        let other = run(11);
        assert_eq!((one.steps, one.coverage), (other.steps, other.coverage));
    }

    /// A swarm that cannot find a fault would find nothing at all.
    #[test]
    fn a_promise_that_is_broken_on_purpose_is_found_and_shrunk_to_what_breaks_it() {
        let mut script = any_world(&mut Draw::seeded(3));
        let (many, victim) = (script.ops.len(), EntityId::new(4_711));
        let insert = Op::Insert(victim, Box::new(BodySetup::at(evenstride_testkit::at(90.0, 90.0))));
        script.ops.insert(many / 2, insert);
        let check = Arc::new(move |world: &MotionWorld, _: &Host| match world.body(victim) {
            Some(_) => Err("it is there".to_owned()),
            None => Ok(()),
        });
        script.ending = Some(Ending { ops: Vec::new(), needs: |_| false, check });
        let tally = judged(3, &script);
        let [finding] = &tally.findings[..] else { panic!("{tally:?}") };
        assert_eq!((finding.seed, finding.what.as_str()), (3, "it is there"));
        let ops = finding.script.lines().filter(|line| line.contains("Insert")).count();
        assert!(many > 20 && ops == 1, "{many} operations became {}", finding.script);
    }

    #[test]
    fn a_panic_of_the_core_is_a_finding_with_its_message() {
        let mut script = any_world(&mut Draw::seeded(3));
        let check = Arc::new(|_: &MotionWorld, _: &Host| panic!("the sky falls"));
        script.ending = Some(Ending { ops: Vec::new(), needs: |_| false, check });
        let what = verdict(&script).unwrap_err();
        assert!(what.contains("the sky falls") && what.contains("swarm.rs"), "{what}");
    }

    #[test]
    fn sentences_that_differ_in_numbers_tell_of_the_same_fault() {
        assert!(is_alike("entity 0x3: velocity [NaN, 1] is", "entity 0x15: velocity [NaN, 22] is"));
        assert!(!is_alike("world and twin draw differently", "world and twin are in different states"));
    }
}
