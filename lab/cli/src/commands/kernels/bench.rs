//! `karat kernels bench`: how fast the kernels are on this machine.

use super::{failed_kernels, seed, sizes};
use crate::args::{KernelBench as Args, ListFormat};
use crate::commands::{catch_interrupts, failed};
use crate::{exit, say};
use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use karat_bench::kernels::{Options, Plan, Program, Wanted, bench};
use karat_kit::{Peer, Unit};
use karat_model::kernels::{Case, KernelBench};
use karat_model::units;
use karat_report::kernels as report;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Measures, and writes what was found.
pub fn run(args: &Args, quiet: bool) -> Result<u8> {
    let wanted = Wanted {
        kernels: args.kernels.clone(),
        sizes: sizes::parse(&args.sizes)?,
        threads: args.threads,
        quick: args.quick,
    };
    let plans = wanted.plans(karat_all::SUITES).map_err(failed_kernels)?;
    args.files.iter().try_for_each(|f| form(f).map(drop))?;
    let peers = peers(args.peers)?;
    let programs = programs(&args.programs)?;
    if args.threads && !cfg!(feature = "peers") {
        say::note("left out: one BLAKE3 message on all processors; build with `--features peers`");
    }
    let options = Options {
        seed: seed(args.seed),
        ..Options::default()
    };
    let options = if args.quick { options.quick() } else { options };
    let clock = Instant::now();
    let started = jiff::Timestamp::now();
    let cases = measure(&plans, &peers, programs, &options, quiet)?;
    let whole = cases.len() == plans.len();
    let bench = KernelBench {
        schema: 2,
        command: command(),
        started: started.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        karat: env!("CARGO_PKG_VERSION").to_owned(),
        seconds: clock.elapsed().as_secs_f64(),
        seed: options.seed,
        margin: options.margin,
        quick: args.quick,
        machine: karat_build::compilers::probe(),
        cases,
    };
    for path in &args.files {
        let text = rendered(&bench, form(path)?)?;
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    say::result(&match args.format {
        ListFormat::Json => report::json(&bench)?,
        ListFormat::Human => report::terminal(&bench, say::color_on_stdout(), say::width()),
    })?;
    Ok(if whole { exit::GOOD } else { exit::INTERRUPTED })
}

#[cfg(feature = "peers")]
#[expect(clippy::unnecessary_wraps, reason = "without the feature it can fail")]
fn peers(wanted: bool) -> Result<Vec<Peer>> {
    Ok(if wanted {
        karat_peers::peers()
    } else {
        Vec::new()
    })
}

#[cfg(not(feature = "peers"))]
fn peers(wanted: bool) -> Result<Vec<Peer>> {
    if wanted {
        let message = "--peers: this karat was built without other crates' hashes; in karat's \
                       repository: cargo run --release -p karat --features peers -- kernels \
                       bench --peers";
        return Err(failed(exit::USAGE, message));
    }
    Ok(Vec::new())
}

/// Starts the peers that are programs.
fn programs(commands: &[String]) -> Result<Vec<Program>> {
    let start =
        |command: &String| Program::start(command).map_err(|e| failed(exit::USAGE, e.to_string()));
    commands.iter().map(start).collect()
}

/// Measures all plans, or those before an interruption.
pub(super) fn measure(
    plans: &[Plan],
    peers: &[Peer],
    programs: Vec<Program>,
    options: &Options,
    quiet: bool,
) -> Result<Vec<Case>> {
    let interrupt = catch_interrupts()?;
    let progress = Progress::new(plans.len(), quiet);
    let begin = |index: usize, plan: &Plan| {
        let go_on = !interrupt.load(Ordering::Relaxed);
        if go_on {
            progress.begin(index, plan);
        }
        go_on
    };
    let cases = bench(plans, peers, programs, options, begin).map_err(failed_kernels)?;
    progress.bar.finish_and_clear();
    Ok(cases)
}

/// The command line, without the folder in which karat lies.
fn command() -> String {
    // What is no UTF-8 (a folder for `-o`) is shown as well as can be.
    let args = std::env::args_os().skip(1);
    std::iter::once("karat".to_owned())
        .chain(args.map(|a| a.to_string_lossy().into_owned()))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Forms of a file.
#[derive(Clone, Copy)]
enum Form {
    Csv,
    Json,
    Html,
    Text,
}

/// The form that a file's ending asks for.
fn form(path: &Path) -> Result<Form> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("csv") => Ok(Form::Csv),
        Some("json") => Ok(Form::Json),
        Some("html") => Ok(Form::Html),
        Some("txt") => Ok(Form::Text),
        _ => Err(failed(
            exit::USAGE,
            format!(
                "{}: cannot tell the form; end the name in .csv, .json, .html or .txt",
                path.display()
            ),
        )),
    }
}

fn rendered(bench: &KernelBench, form: Form) -> Result<String> {
    Ok(match form {
        Form::Csv => report::csv(bench),
        Form::Json => report::json(bench)?,
        Form::Html => report::html(bench),
        Form::Text => report::terminal(bench, false, 100),
    })
}

/// A bar on a terminal, a line for each case elsewhere; silent if `quiet`. It is drawn
/// between cases only: a ticking thread would run beside what is measured.
struct Progress {
    bar: ProgressBar,
    lines: bool,
}

impl Progress {
    fn new(cases: usize, quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = ProgressBar::new(cases as u64);
        bar.set_draw_target(if terminal && !quiet {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        });
        let style = "    bench {wide_bar:.cyan/dim} {pos}/{len} {msg} {elapsed} (left {eta})";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style.progress_chars("━━─"));
        }
        Self {
            bar,
            lines: !terminal && !quiet,
        }
    }

    fn begin(&self, index: usize, plan: &Plan) {
        let size = match plan.task.unit {
            Unit::Bytes => units::bytes(plan.size.size),
            Unit::Bits => format!("{} bits", plan.size.size),
            Unit::Count => plan.size.size.to_string(),
        };
        let what = match plan.size.items {
            1 => format!("{} {size}", plan.task.name),
            items => format!("{} {items} × {size}", plan.task.name),
        };
        if self.lines {
            say::note(&format!(
                "{}/{} {what}",
                index + 1,
                self.bar.length().unwrap_or(0)
            ));
        }
        self.bar.set_position(index as u64);
        self.bar.set_message(what);
        self.bar.tick();
    }
}
