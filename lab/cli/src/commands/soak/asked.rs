//! What was asked for: from the command line to a plan.

use super::{budgets, line};
use crate::args;
use crate::commands::failed;
use crate::exit;
use anyhow::Result;
use karat_host::watched::{Watched, command_line};
use karat_model::soak::{Budget, SoakMode, SoakPlan};
use karat_model::study::quantity;
use karat_process::quote;
use karat_soak::pattern::LinePattern;
use karat_store::SoakState;
use std::ffi::OsString;

/// The time, unless it is asked for.
const TIME: &str = "10 min";
/// Between two samples, unless it is asked for.
const EVERY: &str = "1 s";
/// Samples of an epoch at least.
const SAMPLES: f64 = 5.0;
/// Epochs of the whole time, unless their length is asked for: enough for slopes and
/// change points, and each long enough to be an average.
const EPOCHS: f64 = 60.0;
/// Share of the time that is warm-up, unless it is asked for.
const WARM: f64 = 0.1;
/// Least time between samples in seconds: below it looking would cost too much.
const OFTEN: f64 = 0.02;

/// What of a plan is text, read.
pub(super) struct Wanted {
    pub(super) budgets: Vec<Budget>,
    pub(super) pattern: Option<LinePattern>,
}

impl Wanted {
    pub(super) fn of(plan: &SoakPlan) -> Result<Self> {
        Ok(Self {
            budgets: budgets(&plan.budgets)?,
            pattern: line(plan.line.as_deref())?,
        })
    }
}

/// The plan of a new soak.
pub(super) fn state(args: &args::Soak) -> Result<SoakState> {
    let words = words(&args.command)?;
    let (program, mode) = match args.attach {
        Some(pid) => (attached(pid)?, SoakMode::Attach),
        None if words.is_empty() => {
            return Err(usage(
                "nothing to watch: karat soak -- COMMAND…, or --attach PID".into(),
            ));
        }
        None if args.repeat => (shown(&words), SoakMode::Repeat),
        None => (shown(&words), SoakMode::Once),
    };
    let state = SoakState {
        plan: plan(&args.watching, program, mode)?,
        words,
        process: args.attach,
        started: started(),
        resumed: 0,
    };
    if let Some(text) = &args.system_calls {
        let window = time("--system-calls", text)?;
        return Ok(SoakState {
            plan: SoakPlan {
                window: Some(window),
                ..state.plan
            },
            ..state
        });
    }
    Ok(state)
}

/// The soak of one of several commands.
pub(super) fn of_command(
    watching: &args::Watching,
    words: Vec<String>,
    repeat: bool,
) -> Result<SoakState> {
    let mode = match repeat {
        true => SoakMode::Repeat,
        false => SoakMode::Once,
    };
    Ok(SoakState {
        plan: plan(watching, shown(&words), mode)?,
        words,
        process: None,
        started: started(),
        resumed: 0,
    })
}

fn started() -> String {
    let now = jiff::Timestamp::now();
    now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Words as they would be typed for a shell.
fn shown(words: &[String]) -> String {
    words.iter().map(|w| quote(w)).collect::<Vec<_>>().join(" ")
}

fn plan(watching: &args::Watching, program: String, mode: SoakMode) -> Result<SoakPlan> {
    let progress = watching.progress.as_ref();
    let plan = SoakPlan {
        program,
        mode,
        load: watching.load.clone(),
        line: watching.line.clone(),
        progress: progress.map(|p| p.to_string_lossy().into_owned()),
        budgets: watching.budgets.clone(),
        ..times(watching)?
    };
    // What is wrong in them is told before anything is started.
    let wanted = Wanted::of(&plan)?;
    let told = |p: &LinePattern| p.tells_throughput();
    if wanted.pattern.as_ref().is_some_and(told) && plan.progress.is_some() {
        return Err(usage(
            "--line and --progress both tell the throughput: give one of them".into(),
        ));
    }
    Ok(plan)
}

/// The times of a plan, the rest of which is empty.
fn times(args: &args::Watching) -> Result<SoakPlan> {
    let seconds = time("--for", args.time.as_deref().unwrap_or(TIME))?;
    let every = time("--every", args.every.as_deref().unwrap_or(EVERY))?;
    if every < OFTEN {
        return Err(usage(format!(
            "--every: {every} s is too often, {OFTEN} s is the least: looking itself would cost \
             too much"
        )));
    }
    let epoch = match &args.epoch {
        Some(text) => time("--epoch", text)?,
        None => (seconds / EPOCHS).max(SAMPLES * every),
    };
    if epoch > seconds && args.epoch.is_none() {
        return Err(usage(format!(
            "--for: {seconds} s are too short for an epoch of {SAMPLES} samples, which is {epoch} s; \
             watch longer, or look more often (--every), or give the length of an epoch (--epoch)"
        )));
    }
    if epoch < 2.0 * every || epoch > seconds {
        return Err(usage(format!(
            "--epoch: an epoch of {epoch} s must hold two samples at least ({} s) and end within \
             the time ({seconds} s)",
            2.0 * every
        )));
    }
    let warm = match &args.warm {
        Some(text) if is_nothing(text) => 0.0,
        Some(text) => time("--warm", text)?,
        None => (WARM * seconds).max(epoch),
    };
    if warm + epoch > seconds * (1.0 + 1e-9) && args.warm.is_some() {
        return Err(usage(format!(
            "--warm: {warm} s of {seconds} s leave no epoch of {epoch} s to judge"
        )));
    }
    Ok(SoakPlan {
        program: String::new(),
        mode: SoakMode::Once,
        load: None,
        line: None,
        progress: None,
        seconds,
        every,
        epoch,
        warm,
        window: None,
        budgets: Vec::new(),
    })
}

/// `0`, `0 s`, `0min`: no warm-up at all.
fn is_nothing(text: &str) -> bool {
    let amount = text
        .trim()
        .trim_end_matches(|c: char| c.is_ascii_alphabetic());
    amount.trim().parse::<f64>() == Ok(0.0)
}

fn time(option: &str, text: &str) -> Result<f64> {
    quantity::duration(text).ok_or_else(|| {
        usage(format!(
            "{option}: `{text}` is no duration such as \"10 s\", \"10 min\" or \"8 h\""
        ))
    })
}

/// What the process was started as; fails where karat may not look into it.
fn attached(pid: u32) -> Result<String> {
    Watched::new(pid).map_err(|e| usage(format!("--attach {pid}: {e}")))?;
    Ok(shown(&command_line(pid)))
}

/// The words as text, which is all that the record of a soak can hold.
pub(super) fn words(command: &[OsString]) -> Result<Vec<String>> {
    let text = |word: &OsString| {
        word.to_str().map(str::to_owned).ok_or_else(|| {
            usage(format!(
                "`{}` is not UTF-8, and a soak keeps its command as text; put the command into a \
                 script",
                word.display()
            ))
        })
    };
    command.iter().map(text).collect()
}

fn usage(message: String) -> anyhow::Error {
    failed(exit::USAGE, message)
}
