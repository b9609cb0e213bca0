//! `karat kernels bench`: how fast the kernels are on this machine.

mod case;
mod sizes;
mod task;

use super::{named, seed};
use crate::args::{KernelBench as Args, ListFormat};
use crate::commands::{catch_interrupts, failed};
use crate::{exit, say};
use anyhow::{Context, Result};
use case::{Options, Peer, Plan};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use karat_model::kernels::KernelBench;
use karat_model::units;
use karat_report::kernels as report;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use task::{TASKS, Task, Threads};

/// Time for the rounds of one case. Most are decided in two seconds; slow hashes of 16 MiB
/// need it for the ten rounds without which nothing is bounded.
const MAX_TIME: Duration = Duration::from_secs(20);

/// Smallest relative change that matters.
const MARGIN: f64 = 0.01;

/// Measures, and writes what was found.
pub fn run(args: &Args, quiet: bool) -> Result<u8> {
    let kernels = named(&args.kernels)?;
    let sizes = sizes::parse(&args.sizes)?;
    args.files.iter().try_for_each(|f| form(f).map(drop))?;
    let peers = all_peers(args.peers)?;
    let wanted = |task: &&Task| kernels.iter().any(|k| k.name() == task.kernel);
    let threads = |task: &&Task| args.threads || task.threads == Threads::One;
    let tasks: Vec<Task> = TASKS
        .iter()
        .filter(wanted)
        .filter(threads)
        .copied()
        .collect();
    let plans: Vec<Plan> = tasks
        .iter()
        .flat_map(|t| plans(*t, &sizes, args.quick))
        .collect();
    if plans.is_empty() {
        let message = "no task is left: the kernels named are for shorter messages than --sizes";
        return Err(failed(exit::NOTHING, message));
    }
    if args.threads && !cfg!(feature = "peers") {
        say::note("left out: one BLAKE3 message on all processors; build with `--features peers`");
    }
    let options = Options {
        rounds: if args.quick { 6 } else { 200 },
        max_time: if args.quick {
            Duration::from_millis(300)
        } else {
            MAX_TIME
        },
        seed: seed(args.seed),
        margin: MARGIN,
        processors: std::thread::available_parallelism().map_or(1, usize::from),
    };
    let (bench, whole) = measure(&plans, &peers, options, args.quick, quiet)?;
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

/// Peers by the name of their task.
type Peers = Vec<(&'static str, Peer)>;

#[cfg(feature = "peers")]
#[expect(clippy::unnecessary_wraps, reason = "without the feature it can fail")]
fn all_peers(wanted: bool) -> Result<Peers> {
    let peer = |p: karat_peers::Peer| {
        let peer = Peer {
            name: p.name,
            note: p.note(),
            body: p.body,
        };
        (p.task, peer)
    };
    let all = karat_peers::peers().into_iter().map(peer);
    Ok(all.filter(|_| wanted).collect())
}

#[cfg(not(feature = "peers"))]
fn all_peers(wanted: bool) -> Result<Peers> {
    if wanted {
        let message = "--peers: this karat was built without other crates' hashes; in karat's \
                       repository: cargo run --release -p karat --features peers -- kernels \
                       bench --peers";
        return Err(failed(exit::USAGE, message));
    }
    Ok(Vec::new())
}

/// Sizes of a quick run.
const QUICK: &[u64] = &[64, 1 << 10, 64 << 10];

/// A task at all its sizes.
fn plans(task: Task, asked: &[u64], quick: bool) -> Vec<Plan> {
    let sizes = match asked {
        [] => task.sizes,
        asked => asked,
    };
    let left =
        |size: &&u64| **size <= task.most && (!quick || !asked.is_empty() || QUICK.contains(size));
    let sizes: Vec<u64> = sizes.iter().filter(left).copied().collect();
    let plan = |messages: &usize| {
        let messages = *messages;
        sizes
            .iter()
            .map(move |size| Plan {
                task,
                messages,
                size: *size,
            })
            .collect::<Vec<_>>()
    };
    task.messages.iter().flat_map(plan).collect()
}

/// Measures all plans, or those before an interruption; whether it was all.
fn measure(
    plans: &[Plan],
    peers: &Peers,
    options: Options,
    quick: bool,
    quiet: bool,
) -> Result<(KernelBench, bool)> {
    let interrupt = catch_interrupts()?;
    let started = jiff::Timestamp::now();
    let clock = Instant::now();
    let progress = Progress::new(plans.len(), quiet);
    let mut cases = Vec::new();
    for (index, plan) in plans.iter().enumerate() {
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
        progress.begin(index, plan);
        let rivals = peers.iter().filter(|(task, _)| *task == plan.task.peers);
        let rivals: Vec<Peer> = rivals.map(|(_, peer)| *peer).collect();
        cases.push(case::run(*plan, &rivals, options)?);
    }
    progress.bar.finish_and_clear();
    let whole = cases.len() == plans.len();
    let bench = KernelBench {
        schema: 1,
        command: command(),
        started: started.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        karat: env!("CARGO_PKG_VERSION").to_owned(),
        seconds: clock.elapsed().as_secs_f64(),
        seed: options.seed,
        margin: options.margin,
        quick,
        machine: karat_run::compilers::probe(),
        cases,
    };
    Ok((bench, whole))
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
        let size = units::bytes(plan.size);
        let what = match plan.messages {
            1 => format!("{} {size}", plan.task.name),
            messages => format!("{} {messages} × {size}", plan.task.name),
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
