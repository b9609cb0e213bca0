//! The watched program, and the load that works it.

use super::{SoakError, Stopped, Target};
use karat_host::watched::{WatchError, Watched};
use karat_model::soak::{Rates, Reading, SoakPlan};
use karat_process::executable::refused;
use karat_process::{Command, Ended, Ending, Live};
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// What a program gets between the request to end and its death.
const GRACE: Duration = Duration::from_secs(10);

/// Between two starts of a load that ends at once.
const PAUSE: Duration = Duration::from_millis(200);

/// A load that fails is tried again for so many seconds at least: a server does not listen
/// at once.
const PATIENCE: f64 = 5.0;

/// What is watched.
pub(super) struct Program {
    /// What starts it; nothing of one that ran already.
    command: Option<Command>,
    name: String,
    live: Option<Live>,
    watched: Option<Watched>,
    /// How it ended.
    end: Option<Ended>,
    /// What the runs before this one used, with `--repeat`: /proc tells of none that ended.
    past: Rates,
}

/// Why a command cannot be started.
fn why_not(command: &Command, error: &io::Error) -> String {
    match command.get_program() {
        program if program.is_empty() => "the first word of its command is empty".to_owned(),
        program => refused(Path::new(program), error).unwrap_or_else(|| error.to_string()),
    }
}

/// What the kernel counted of a run that has ended.
pub(super) fn rates(end: &Ended) -> Rates {
    Rates {
        cpu: end.cpu,
        minor_faults: end.faults.0 as f64,
        major_faults: end.faults.1 as f64,
        waits: end.switches.0 as f64,
        switches: end.switches.1 as f64,
        transfers: 0.0,
    }
}

impl Program {
    pub(super) fn begin(target: &Target, plan: &SoakPlan) -> Result<Self, SoakError> {
        let mut new = Self {
            command: None,
            name: plan.program.clone(),
            live: None,
            watched: None,
            end: None,
            past: Rates::default(),
        };
        match target {
            Target::Process(pid) => new.watched = Some(Watched::new(*pid)?),
            Target::Command(words) => {
                let (program, arguments) = match words.split_first() {
                    Some((program, arguments)) => (program.as_os_str(), arguments),
                    // Of no words; it cannot be started.
                    None => (OsStr::new(""), &[][..]),
                };
                let mut command = Command::new(program);
                command.args(arguments);
                new.command = Some(command);
                new.start()?;
            }
        }
        Ok(new)
    }

    fn start(&mut self) -> Result<(), SoakError> {
        let Some(command) = &mut self.command else {
            return Ok(());
        };
        let live = Live::start(command).map_err(|error| SoakError::Start {
            program: self.name.clone(),
            why: why_not(command, &error),
        })?;
        // One that has ended already is told by its end.
        self.watched = Watched::new(live.pid()).ok();
        self.live = Some(live);
        self.end = None;
        Ok(())
    }

    /// What can be waited for.
    pub(super) fn live(&mut self) -> Option<&mut Live> {
        self.live.as_mut()
    }

    /// Looks whether it has ended.
    pub(super) fn note_end(&mut self) -> io::Result<()> {
        if let Some(live) = &self.live
            && live.exited()?
            && let Some(live) = self.live.take()
        {
            self.end = Some(live.end(GRACE, &mut |_| {})?);
        }
        Ok(())
    }

    /// Whether it has ended by itself.
    pub(super) fn ended(&self) -> bool {
        match (&self.command, &self.watched) {
            (Some(_), _) => self.end.is_some(),
            (None, Some(watched)) => !watched.runs(),
            (None, None) => true,
        }
    }

    /// Starts it once more.
    pub(super) fn again(&mut self) -> Result<(), SoakError> {
        if let Some(end) = self.end.take() {
            if end.ending != Ending::Exit(0) {
                return Err(SoakError::Failed {
                    what: self.name.clone(),
                    ending: end.ending.to_string(),
                    last: end.last_lines,
                });
            }
            self.past = self.past.plus(&rates(&end), 1.0);
        }
        self.start()
    }

    /// What the kernel says of it; nothing in the moment of its end.
    pub(super) fn read(&mut self, every: Duration) -> Result<Option<Reading>, SoakError> {
        let Some(watched) = &mut self.watched else {
            return Ok(None);
        };
        match watched.read(every) {
            Ok(mut reading) => {
                let past = &self.past;
                reading.cpu += past.cpu;
                reading.minor_faults += past.minor_faults as u64;
                reading.major_faults += past.major_faults as u64;
                reading.waits += past.waits as u64;
                reading.switches += past.switches as u64;
                Ok(Some(reading))
            }
            Err(WatchError::Gone) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn group_memory(&self) -> Option<u64> {
        self.watched.as_ref()?.group_memory()
    }

    /// It and all that descend from it.
    pub(super) fn processes(&self) -> Vec<u32> {
        let watched = self.watched.as_ref();
        watched.map_or(Vec::new(), Watched::processes)
    }

    /// How the watching stopped, of one that has ended by itself.
    pub(super) fn stopped(&self, seconds: f64) -> Stopped {
        let (how, failed, last_lines) = match &self.end {
            Some(end) => {
                let good = end.ending == Ending::Exit(0);
                (end.ending.to_string(), !good, end.last_lines.clone())
            }
            None => ("nobody tells how".to_owned(), false, Vec::new()),
        };
        Stopped {
            failed,
            last_lines,
            ..Stopped::by_karat(
                &format!("the program ended by itself: {how}"),
                false,
                seconds,
            )
        }
    }

    /// Ends it, if karat started it and it still runs.
    pub(super) fn end(&mut self) -> Result<(), SoakError> {
        if let Some(live) = self.live.take() {
            live.end(GRACE, &mut |_| {})?;
        }
        Ok(())
    }
}

/// A shell command that is run again and again beside the program.
pub(super) struct Load {
    text: String,
    live: Option<Live>,
    begun: Instant,
}

impl Load {
    pub(super) fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            live: None,
            // Long ago: it may start at once.
            begun: Instant::now()
                .checked_sub(PAUSE)
                .unwrap_or_else(Instant::now),
        }
    }

    pub(super) fn live(&mut self) -> Option<&mut Live> {
        self.live.as_mut()
    }

    /// Starts it where it does not run, `seconds` after the program's start.
    pub(super) fn keep_going(&mut self, warm: f64, seconds: f64) -> Result<(), SoakError> {
        if let Some(live) = &self.live {
            if !live.exited()? {
                return Ok(());
            }
            let end = self
                .live
                .take()
                .map(|live| live.end(GRACE, &mut |_| {}))
                .transpose()?;
            if let Some(end) = end
                && end.ending != Ending::Exit(0)
                && seconds > warm.max(PATIENCE)
            {
                return Err(SoakError::Failed {
                    what: format!("the load `{}`", self.text),
                    ending: end.ending.to_string(),
                    last: end.last_lines,
                });
            }
        }
        if self.begun.elapsed() < PAUSE {
            return Ok(());
        }
        self.begun = Instant::now();
        let mut command = Command::new("sh");
        command.args(["-c", &self.text]);
        let live = Live::start(&mut command).map_err(|error| SoakError::Start {
            program: self.text.clone(),
            why: why_not(&command, &error),
        })?;
        self.live = Some(live);
        Ok(())
    }

    pub(super) fn end(self) -> Result<(), SoakError> {
        if let Some(live) = self.live {
            live.end(Duration::from_secs(1), &mut |_| {})?;
        }
        Ok(())
    }
}
