//! `karat kernels bench`: how fast the kernels are on this machine.

use super::{failed_kernels, seed, sizes};
use crate::args::KernelBench as Args;
use crate::commands::{catch_interrupts, failed, outputs};
use crate::{exit, say};
use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use karat_bench::kernels::{KernelError, Options, Plan, Program, Setting, Wanted, document};
use karat_kit::{Peer, Unit};
use karat_model::kernels::KernelBench;
use karat_model::units;
use std::io::IsTerminal;
use std::sync::atomic::Ordering;

/// Measures, and writes what was found.
pub fn run(args: &Args, quiet: bool) -> Result<u8> {
    let wanted = Wanted {
        kernels: args.kernels.clone(),
        tasks: args.tasks.clone(),
        sizes: sizes::parse(&args.sizes)?,
        threads: args.threads,
        quick: args.quick,
    };
    let plans = wanted.plans(karat_all::SUITES).map_err(failed_kernels)?;
    folders(args)?;
    outputs::check::<KernelBench>(&args.output)?;
    let peers = peers(args.peers)?;
    let programs = programs(&args.programs)?;
    if args.threads && !cfg!(feature = "peers") {
        say::note("left out: one BLAKE3 message on all processors; build with `--features peers`");
    }
    let options = Options {
        seed: seed(args.seed),
        cycles: args.cycles,
        ..Options::default()
    };
    let options = if args.quick { options.quick() } else { options };
    let setting = setting(args.quick);
    let bench = watched(plans.len(), quiet, |begin| {
        document(&plans, &peers, programs, &options, setting, begin)
    })?;
    outputs::write(&args.output, &bench, &[])?;
    let whole = bench.cases.len() == plans.len();
    Ok(if whole { exit::GOOD } else { exit::INTERRUPTED })
}

/// This command, now and here.
pub(super) fn setting(quick: bool) -> Setting {
    Setting {
        command: command(),
        started: jiff::Timestamp::now()
            .strftime("%Y-%m-%dT%H:%M:%SZ")
            .to_string(),
        machine: karat_build::compilers::probe(),
        quick,
    }
}

/// Makes the folders of the `-o` files.
fn folders(args: &Args) -> Result<()> {
    for path in &args.output.outputs {
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
    }
    Ok(())
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

/// Measures plans, all or those before an interruption, and shows how far it is.
pub(super) fn watched<T>(
    plans: usize,
    quiet: bool,
    measure: impl FnOnce(&mut dyn FnMut(usize, &Plan) -> bool) -> Result<T, KernelError>,
) -> Result<T> {
    let interrupt = catch_interrupts()?;
    let progress = Progress::new(plans, quiet);
    let mut begin = |index: usize, plan: &Plan| {
        let go_on = !interrupt.load(Ordering::Relaxed);
        if go_on {
            progress.begin(index, plan);
        }
        go_on
    };
    let measured = measure(&mut begin).map_err(failed_kernels)?;
    progress.bar.finish_and_clear();
    Ok(measured)
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
