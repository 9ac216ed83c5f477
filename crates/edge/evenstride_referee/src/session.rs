//! Questions to a program and its answers, with a new start after every fault.

use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use crate::{
    fault::Fault,
    group::Stopper,
    program::{Line, MAX_LINE_BYTES, Program, Silence},
    protocol::{self, Answer, Claims, ClaimsError},
};

/// How a program is run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The command, for the system's shell.
    pub command: String,
    /// The time that a trace may take, and the handshake.
    pub timeout: Duration,
    /// When questions are asked.
    pub mode: Mode,
}

/// When questions are asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// One program runs all traces. Each question waits for the answer to the one before.
    #[default]
    Dialogue,
    /// A program is started for each trace. It gets all questions at once, and the end of its input.
    Batch,
}

/// A program that answers questions.
#[derive(Debug)]
pub struct Session {
    pub(crate) settings: Settings,
    program: Option<Program>,
    stopper: Stopper,
    claims: Option<Claims>,
    next_id: u64,
    /// Failed starts, and traces that hung, each in a row.
    failed_starts: u32,
    hung_traces: u32,
    starts: u32,
}

/// Number of failed starts in a row after which the program is not started again.
const MAX_FAILED_STARTS: u32 = 3;

/// Number of hanging traces in a row after which no more traces are run.
const MAX_HUNG_TRACES: u32 = 5;

impl Session {
    /// Creates a session. The program starts with the first trace.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            program: None,
            stopper: Stopper::default(),
            claims: None,
            next_id: 0,
            failed_starts: 0,
            hung_traces: 0,
            starts: 0,
        }
    }

    /// Returns what ends the running program from another thread.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// Returns what the program said about itself in its first handshake.
    pub const fn claims(&self) -> Option<&Claims> {
        self.claims.as_ref()
    }

    /// Returns how often the program was started.
    pub const fn starts(&self) -> u32 {
        self.starts
    }

    /// Starts the program if it does not run, and shakes hands. With [`Mode::Batch`], the questions
    /// of a trace follow at once.
    pub(crate) fn begin(&mut self, questions: &[Map<String, Value>]) -> Result<(), Fault> {
        if self.failed_starts >= MAX_FAILED_STARTS {
            return Err(Fault::GivenUp(MAX_FAILED_STARTS, "failed to start"));
        }
        if self.hung_traces >= MAX_HUNG_TRACES {
            return Err(Fault::GivenUp(MAX_HUNG_TRACES, "did not answer in time"));
        }
        if self.settings.mode == Mode::Batch {
            self.program = None;
        }
        if self.program.is_some() {
            return Ok(());
        }
        self.starts += 1;
        let started = self.start(questions);
        match &started {
            Ok(()) => self.failed_starts = 0,
            Err(_) => self.failed_starts += 1,
        }
        started
    }

    fn start(&mut self, questions: &[Map<String, Value>]) -> Result<(), Fault> {
        let program = Program::start(&self.settings.command, &self.stopper);
        let program = self.program.insert(program.map_err(|why| Fault::NotStarted(why.to_string()))?);
        program.write(format!("{}\n", protocol::hello()));
        let first = self.next_id;
        if self.settings.mode == Mode::Batch {
            questions.iter().zip(first..).for_each(|(question, id)| program.write(numbered(question, id)));
            program.close_input();
        }
        let (hello, _) = self.read("the handshake", Instant::now() + self.settings.timeout)?;
        let claims = Claims::parse(&hello).and_then(|claims| match &self.claims {
            // With other claims for each trace, a program would choose what it is compared by.
            Some(first) if *first != claims => Err(ClaimsError::Changed),
            _ => Ok(claims),
        });
        match claims {
            Ok(claims) => self.claims = Some(claims),
            Err(why) => return Err(self.fail(Fault::Claims(why))),
        }
        Ok(())
    }

    /// Asks a question, which was handed over before in [`Mode::Batch`], and returns its answer.
    pub(crate) fn ask(
        &mut self,
        question: &Map<String, Value>,
        to: &str,
        until: Instant,
    ) -> Result<Answer, Fault> {
        let id = self.next_id;
        self.next_id += 1;
        if self.settings.mode == Mode::Dialogue
            && let Some(program) = &self.program
        {
            program.write(numbered(question, id));
        }
        let (found, line) = self.read(to, until)?;
        protocol::answer(id, found).map_err(|reason| {
            let line = excerpt(&String::from_utf8_lossy(&line));
            self.fail(Fault::Rubbish { to: to.to_owned(), reason, line })
        })
    }

    /// Notes the end of a trace.
    pub(crate) fn finish(&mut self, fault: Option<&Fault>) {
        match fault {
            Some(Fault::Hung { .. }) => self.hung_traces += 1,
            Some(Fault::GivenUp(..)) => {}
            _ => self.hung_traces = 0,
        }
    }

    /// Returns the next answer, and the line that it was.
    fn read(&mut self, to: &str, until: Instant) -> Result<(Map<String, Value>, Vec<u8>), Fault> {
        let to = to.to_owned();
        let Some(program) = &mut self.program else {
            return Err(Fault::Ended { to, how: "ended".to_owned(), said: String::new() });
        };
        let fault = match program.read(until) {
            Ok(Line::Text(line)) => match parse(&line) {
                Ok(answer) => return Ok((answer, line)),
                Err(reason) => Fault::Rubbish { to, reason, line: excerpt(&String::from_utf8_lossy(&line)) },
            },
            Ok(Line::TooLong) => Fault::Flooded { to, limit: MAX_LINE_BYTES },
            Err(Silence::Hung) => Fault::Hung { to, limit: self.settings.timeout },
            Err(Silence::Ended) => {
                let (how, said) = program.end();
                Fault::Ended { to, how, said }
            }
        };
        Err(self.fail(fault))
    }

    /// Ends the program. The next trace starts a new one.
    fn fail(&mut self, fault: Fault) -> Fault {
        if let Some(mut program) = self.program.take() {
            program.kill();
        }
        fault
    }
}

fn numbered(question: &Map<String, Value>, id: u64) -> String {
    let mut question = question.clone();
    question.insert("id".into(), id.into());
    format!("{}\n", Value::Object(question))
}

fn parse(line: &[u8]) -> Result<Map<String, Value>, String> {
    match serde_json::from_slice(line) {
        Ok(Value::Object(answer)) => Ok(answer),
        Ok(_) => Err("not a JSON object".to_owned()),
        Err(why) => Err(format!("not JSON at column {}", why.column())),
    }
}

/// Returns the beginning of a line in quotation marks, with control characters spelled out.
fn excerpt(line: &str) -> String {
    let start: String = line.chars().take(60).collect();
    format!("{start:?}{}", if line.chars().nth(60).is_some() { "…" } else { "" })
}
