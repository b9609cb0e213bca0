//! Exit codes: what scripts and CI see of karat.

use karat_build::BuildError;
use karat_model::compare::{Behaviour, LogComparison};
use karat_model::evidence::Evidence;
use karat_model::gates::{Gate, GatesDocument};
use karat_model::verdict::Verdict;
use karat_run::RunError;
use karat_run::gates::GatesError;

/// GO or SAME, or a command that has no verdict and succeeded.
pub const GOOD: u8 = 0;
/// NO-GO.
pub const NO_GO: u8 = 1;
/// The command line or the study is wrong.
pub const USAGE: u8 = 2;
/// INCONCLUSIVE, or the verdict is withheld because the machine was disturbed.
pub const INCONCLUSIVE: u8 = 3;
/// Nothing was selected to run.
pub const NOTHING: u8 = 4;
/// karat itself failed.
pub const INTERNAL: u8 = 70;
/// A build failed.
pub const BUILD: u8 = 101;
/// A binary could not be audited.
pub const AUDIT: u8 = 102;
/// Behaviour is not the same.
pub const PARITY: u8 = 103;
/// A measured run failed.
pub const MEASURE: u8 = 104;
/// The user interrupted the run.
pub const INTERRUPTED: u8 = 130;

/// The codes of a study, with their meaning.
macro_rules! codes {
    () => {
        "  0    GO or SAME (or a smoke run that worked)
  1    NO-GO
  2    the command line or the study is wrong
  3    INCONCLUSIVE
  4    nothing to run
  70   karat itself failed
  101  a build failed
  102  a binary could not be audited
  103  behaviour is not the same
  104  a measured run failed
  130  interrupted"
    };
}

/// For `karat --help`.
pub const ALL_HELP: &str = concat!(
    "Exit codes of `karat run`; `ab`, `audit`, `compare`, `gates`, `scan` and `soak` tell theirs \
     in their own --help:
",
    codes!(),
    "\n\nStart with `karat doctor`, then `karat ab -- OLD -- NEW` or `karat init`."
);

/// For `karat ab --help`.
pub const AB_HELP: &str = "\
Exit codes; of several commands, that of the best one counts:
  0    FASTER or SAME
  1    SLOWER, by one of the metrics at least
  2    the command line is wrong, or a program cannot be executed
  3    not decided, or no verdict because the first command differed from itself
  70   karat itself failed
  104  a measured run failed
  130  interrupted

Examples:
  karat ab -- ./old input -- ./new input
  karat ab --metric wall --bin-a ./old --bin-b ./new -- --threads 2
  karat ab --shell -- 'sort words | uniq' -- 'sort -u words'
  karat ab --metric 'speed:(?<value>[0-9.]+) (?<unit>.B/s)' --better higher -- ./old -- ./new";

/// For `karat soak --help`.
pub const SOAK_HELP: &str = "\
Exit codes:
  0    all limits are held, or none were declared
  1    a limit is broken
  2    the command line is wrong, or there is nothing that can be watched
  3    a limit stays open, or the program ended by itself before its time was over
  70   karat itself failed
  104  the program ended at once or went wrong, or its load did
  130  interrupted; the samples are kept, and `--resume` goes on

Examples:
  karat soak --for 1h --budget rss-drift=5%/h -- ./server --port 7000
  karat soak --line 'done (?<total>[0-9]+)' --budget cv=2% -- ./worker
  karat soak --load 'redis-benchmark -q --csv -t set -n 100000' \\
             --line '^\"SET\",\"(?<rate>[0-9.]+)\"' -- redis-server --save ''
  karat soak --repeat --for 5min -- ./short-job
  karat soak --attach 4711 --every 5s --for 8h -o soak.html";

/// For `karat run --help`.
pub const HELP: &str = concat!("Exit codes:\n", codes!());

/// For `karat compare --help`.
pub const COMPARE_HELP: &str = "\
Exit codes:
  0    nothing differs in behaviour, and no judged figure speaks against it; figures
       that cannot be judged (one run a side) decide nothing, and tests that fail on
       both sides are told first
  1    behaviour is the same, and a figure is judged SLOWER
  2    the command line is wrong, or a log cannot be read
  3    inconclusive: figures were judged and a loss beyond the margin is not excluded, or
       no test was read on both sides, a build fails on both, a log is unknown or not
       whole, has outcomes of tests that no reader knows, or lines like errors that no
       reader knows and that differ, or the logs held more than could be kept (logs with figures and no test are judged by the figures)
  4    nothing readable in the logs of a side
  70   karat itself failed
  103  behaviour is not the same: tests missing, newly failing, flaky, skipped or passing,
       messages or crashes that are new, gone or of another number

New tests that pass, other line numbers and another order are no difference.";

/// For `karat gates --help`.
pub const GATES_HELP: &str = "\
The command has karat's standard streams and its place in the terminal. karat's report
follows on stderr when the command has ended, or goes to the files of -o alone; without
a command it goes to stdout as well.

Exit codes:
  0    the answer is there, and the command, if any, ended with 0
  1    the same, and a gate that --gate names is absent: the file has neither its function,
       nor an inlined copy, nor code of its line; or its name is not as the file spells it
  2    the command line is wrong, or a file or the command is not there
  4    the command never loaded the file, so nothing is known of what it executes
  70   karat itself failed
  102  the file cannot be searched
  104  the command ended with another code or by a signal (the report tells which), or
       the system does not allow karat to trace it
  130  the command ended by Ctrl-C

Examples:
  karat gates ./server --gate debug_enabled --gate src/log.c:120
  karat gates ./server --gate debug_enabled --count -- ./server --self-test
  karat gates ./libcodec.so --kernels -- python3 convert.py
  karat gates ./server --all -o tests.json -- make check
  karat gates ./server --all --against tests.json -- ./server --replay traffic";

/// The code for a traced run.
#[must_use]
pub fn of_gates(document: &GatesDocument) -> u8 {
    let absent = document.gates.iter().any(Gate::is_absent);
    match &document.run {
        Some(run) if run.signal == Some(nix::sys::signal::Signal::SIGINT as i32) => INTERRUPTED,
        Some(run) if !run.succeeded() => MEASURE,
        Some(run) if run.loaded == 0 => NOTHING,
        _ if absent => NO_GO,
        _ => GOOD,
    }
}

/// The code where there is no answer.
#[must_use]
pub fn of_gates_error(error: &GatesError) -> u8 {
    match error {
        GatesError::Read { .. } | GatesError::NotExecutable { .. } => USAGE,
        GatesError::Audit { .. } => AUDIT,
        GatesError::Forbidden(_) => MEASURE,
        GatesError::Trace(_) => INTERNAL,
    }
}

/// The code for a comparison of logs.
#[must_use]
pub fn of_comparison(found: &LogComparison) -> u8 {
    match (found.verdict.behaviour, found.verdict.speed) {
        (Behaviour::Differs, _) => PARITY,
        (_, Some(Verdict::NoGo)) => NO_GO,
        (_, Some(Verdict::Inconclusive)) => INCONCLUSIVE,
        // Logs of benchmarks alone are asked for their speed; of any other, tests were
        // wanted and none or not all were read.
        (Behaviour::Unknown, _) if !found.tests.is_empty() || found.figures.is_empty() => {
            INCONCLUSIVE
        }
        (_, Some(Verdict::Go | Verdict::Same) | None) => GOOD,
    }
}

/// The code for a finished run.
#[must_use]
pub fn of_evidence(evidence: &Evidence) -> u8 {
    if evidence.parity.iter().any(|p| !p.passed) {
        return PARITY;
    }
    match evidence.verdict.verdict {
        Some(Verdict::Go | Verdict::Same) => GOOD,
        Some(Verdict::NoGo) => NO_GO,
        Some(Verdict::Inconclusive) => INCONCLUSIVE,
        None if evidence.run.smoke => GOOD,
        None => INCONCLUSIVE,
    }
}

/// The code for a run that ended early.
#[must_use]
pub fn of_error(error: &RunError) -> u8 {
    match error {
        // Nothing was to be built: the study names no program.
        RunError::Build(errors)
            if errors
                .iter()
                .all(|e| matches!(e, BuildError::Program { .. })) =>
        {
            USAGE
        }
        RunError::Build(_) | RunError::Layout(_) => BUILD,
        RunError::Audit { .. } => AUDIT,
        RunError::Parity { .. } => PARITY,
        RunError::Measure { .. } | RunError::ProcessorGone { .. } => MEASURE,
        RunError::Stale | RunError::Execute { .. } => USAGE,
        RunError::Interrupted => INTERRUPTED,
        RunError::Copy { .. } | RunError::Sink(_) => INTERNAL,
    }
}
