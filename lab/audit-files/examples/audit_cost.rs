//! Prints what audits cost, as a table in Markdown: time without and with a baseline, the peak
//! of resident memory over the size of the file, and the time of `objdump -d`.
//!
//! `cargo run --release -p karat-audit-files --example audit_cost -- x86-64-v2 FILE...`
//!
//! Each audit is a process of its own that does what `karat audit FILE --format json --exit-zero`
//! does: it starts this program again, with `document` before the file. Five of each in turns,
//! the least counts. Times are seconds of user time; in brackets with the system's, and what
//! passed. A goal of `karat audit` is for one thread, so call it with `taskset -c 1`. objdump
//! writes to /dev/null, once; how many times as fast the audit is, is told of all three.
//!
//! `document FILE` and `document FILE ISA` print the document, to compare that of two builds.
//! `parts FILE...` prints what each part of an audit without a baseline takes in a process that
//! has read the file, with one thread and with two, the least of five in turns.

use karat_audit::{Baseline, Options, Phases, Vouched, audit_timed};
use karat_audit_files::{Request, document};
use karat_host::memory;
use karat_model::catalogue::Expected;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike};
use std::error::Error;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Runs of each.
const RUNS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [first, file] if first == "document" => print_document(file, None),
        [first, file, isa] if first == "document" => print_document(file, Some(isa)),
        [first, files @ ..] if first == "parts" => files.iter().try_for_each(|file| parts(file)),
        [isa, files @ ..] if !files.is_empty() => table(isa, files),
        _ => Err("usage: audit_cost ISA FILE..., document FILE [ISA], parts FILE...".into()),
    }
}

/// Prints what `karat audit` does, and to stderr the peak of memory.
fn print_document(file: &str, isa: Option<&String>) -> Result<(), Box<dyn Error>> {
    let isa = isa.map(|isa| Baseline::parse(isa)).transpose()?;
    let request = Request {
        files: &[PathBuf::from(file)],
        baseline: None,
        isa: isa.as_ref(),
        vouched: &Vouched::default(),
        catalogues: &[],
        expected: &Expected::default(),
        top: 10,
        debug_dirs: &[],
        karat: "0",
    };
    memory::map_large();
    let document = document(&request, &mut |_| ())?;
    serde_json::to_writer_pretty(std::io::stdout().lock(), &document)?;
    let status = std::fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find(|line| line.starts_with("VmHWM:"));
    eprintln!("{}", peak.ok_or("no peak of memory in /proc/self/status")?);
    Ok(())
}

fn table(isa: &str, files: &[String]) -> Result<(), Box<dyn Error>> {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find(|line| line.starts_with("model name"));
    println!("{}\n", model.unwrap_or("model name: not known"));
    println!(
        "| file | MB | without | with {isa} | ratio | peak without | with | objdump -d | times |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for file in files {
        let bytes = std::fs::metadata(file)?.len() as f64;
        let (mut plain, mut leaks) = (Cost::MOST, Cost::MOST);
        for _ in 0..RUNS {
            plain = plain.least(audit(file, None)?);
            leaks = leaks.least(audit(file, Some(isa))?);
        }
        let mut objdump = Command::new("objdump");
        let objdump = match time(objdump.arg("-d").arg(file).stdout(Stdio::null())) {
            Ok((cost, _)) => format!(
                "{} | {:.1} ({:.1}, {:.1})",
                cost.seconds(),
                cost.user / plain.user,
                cost.busy / plain.busy,
                cost.passed / plain.passed
            ),
            Err(why) => format!("none: {why} |"),
        };
        let name = file.rsplit('/').next().unwrap_or(file);
        println!(
            "| {name} | {:.1} | {} | {} | {:.1} | {:.2} | {:.2} | {objdump} |",
            bytes / 1e6,
            plain.seconds(),
            leaks.seconds(),
            leaks.user / plain.user,
            plain.peak / bytes,
            leaks.peak / bytes,
        );
    }
    Ok(())
}

/// What a command took: seconds of user time, with the system's, and that passed; and bytes.
#[derive(Clone, Copy)]
struct Cost {
    user: f64,
    busy: f64,
    passed: f64,
    peak: f64,
}

impl Cost {
    const MOST: Self = Self {
        user: f64::INFINITY,
        busy: f64::INFINITY,
        passed: f64::INFINITY,
        peak: f64::INFINITY,
    };

    fn least(self, other: Self) -> Self {
        Self {
            user: self.user.min(other.user),
            busy: self.busy.min(other.busy),
            passed: self.passed.min(other.passed),
            peak: self.peak.min(other.peak),
        }
    }

    fn seconds(self) -> String {
        format!("{:.3} ({:.2}, {:.2})", self.user, self.busy, self.passed)
    }
}

/// Audits a file in a process of its own.
fn audit(file: &str, isa: Option<&str>) -> Result<Cost, Box<dyn Error>> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("document").arg(file).args(isa);
    let (cost, said) = time(command.stdout(Stdio::null()))?;
    let kilobytes = said.split_whitespace().nth(1).ok_or(said.clone())?;
    let kilobytes: f64 = kilobytes.parse().map_err(|_| said.clone())?;
    let peak = kilobytes * 1024.0;
    Ok(Cost { peak, ..cost })
}

/// What a command takes, and what it writes to stderr.
fn time(command: &mut Command) -> Result<(Cost, String), Box<dyn Error>> {
    let now = || {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
        let (user, system) = (usage.user_time(), usage.system_time());
        let seconds = |of: TimeVal| of.num_microseconds() as f64 / 1e6;
        Ok::<_, nix::Error>((seconds(user), seconds(user + system)))
    };
    let (before, start) = (now()?, Instant::now());
    let done = command.stderr(Stdio::piped()).spawn()?.wait_with_output()?;
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    if !done.status.success() {
        return Err(said.into());
    }
    let passed = start.elapsed().as_secs_f64();
    let after = now()?;
    let cost = Cost {
        user: after.0 - before.0,
        busy: after.1 - before.1,
        passed,
        ..Cost::MOST
    };
    Ok((cost, said))
}

/// Prints what the parts of an audit take.
fn parts(file: &str) -> Result<(), Box<dyn Error>> {
    let bytes = std::fs::read(file)?;
    let mut best: [Option<Phases>; 2] = [None, None];
    let mut code = 0;
    for _ in 0..RUNS {
        for (best, threads) in best.iter_mut().zip([1, 2]) {
            let options = Options {
                threads: NonZeroUsize::new(threads),
                ..Default::default()
            };
            let (audit, now) = audit_timed(&bytes, &options)?;
            code = audit.code_bytes;
            *best = Some(best.map_or(now, |best| faster(best, now)));
        }
    }
    println!("{file}: {:.1} MB of code", code as f64 / 1e6);
    for (of, threads) in best.into_iter().flatten().zip([1, 2]) {
        println!(
            "  threads {threads}: {:.3} s (symbols {:.3}, DWARF {:.3}, matching {:.3}, count {:.3}, \
             catalogue {:.3}, report {:.3})",
            of.symbols + of.dwarf + of.matching + of.census + of.catalogue + of.report,
            of.symbols,
            of.dwarf,
            of.matching,
            of.census,
            of.catalogue,
            of.report
        );
    }
    Ok(())
}

fn faster(best: Phases, now: Phases) -> Phases {
    Phases {
        symbols: best.symbols.min(now.symbols),
        dwarf: best.dwarf.min(now.dwarf),
        matching: best.matching.min(now.matching),
        census: best.census.min(now.census),
        catalogue: best.catalogue.min(now.catalogue),
        report: best.report.min(now.report),
    }
}
