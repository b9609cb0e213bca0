//! Prints what audits cost, as a table in Markdown: user time without and with a baseline, the
//! peak of resident memory over the size of the file, and the time of `objdump -d`.
//!
//! `cargo run --release -p karat-audit-files --example audit_cost -- x86-64-v2 FILE...`
//!
//! Each audit is a process of its own that does what `karat audit FILE --format json --exit-zero`
//! does: it starts this program again, with `document` before the file. Five of each in turns,
//! the least counts; a goal of `karat audit` is for one thread, so call it with `taskset -c 1`.
//! objdump writes to /dev/null, once. `document FILE` and `document FILE ISA` print the document,
//! to compare that of two builds.

use karat_audit::{Baseline, Vouched};
use karat_audit_files::{Request, document};
use karat_host::memory;
use karat_model::catalogue::Expected;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::error::Error;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Runs of each.
const RUNS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [first, file] if first == "document" => print_document(file, None),
        [first, file, isa] if first == "document" => print_document(file, Some(isa)),
        [isa, files @ ..] if !files.is_empty() => table(isa, files),
        _ => Err("usage: audit_cost ISA FILE..., audit_cost document FILE [ISA]".into()),
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
    println!("| file | MB | without | with {isa} | ratio | peak without | with | objdump -d |");
    println!("|---|---|---|---|---|---|---|---|");
    for file in files {
        let bytes = std::fs::metadata(file)?.len() as f64;
        let (mut plain, mut leaks) = (Cost::MOST, Cost::MOST);
        for _ in 0..RUNS {
            plain = plain.least(audit(file, None)?);
            leaks = leaks.least(audit(file, Some(isa))?);
        }
        let mut objdump = Command::new("objdump");
        let objdump = match user(objdump.arg("-d").arg(file).stdout(Stdio::null())) {
            Ok((seconds, _)) => format!("{seconds:.2} s, {:.1} times", seconds / plain.user),
            Err(why) => format!("none: {why}"),
        };
        let name = file.rsplit('/').next().unwrap_or(file);
        println!(
            "| {name} | {:.1} | {:.3} s | {:.3} s | {:.1} | {:.2} | {:.2} | {objdump} |",
            bytes / 1e6,
            plain.user,
            leaks.user,
            leaks.user / plain.user,
            plain.peak / bytes,
            leaks.peak / bytes,
        );
    }
    Ok(())
}

/// What an audit took: seconds of user time, and bytes.
#[derive(Clone, Copy)]
struct Cost {
    user: f64,
    peak: f64,
}

impl Cost {
    const MOST: Self = Self {
        user: f64::INFINITY,
        peak: f64::INFINITY,
    };

    fn least(self, other: Self) -> Self {
        Self {
            user: self.user.min(other.user),
            peak: self.peak.min(other.peak),
        }
    }
}

/// Audits a file in a process of its own.
fn audit(file: &str, isa: Option<&str>) -> Result<Cost, Box<dyn Error>> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("document").arg(file).args(isa);
    let (user, said) = user(command.stdout(Stdio::null()))?;
    let kilobytes = said.split_whitespace().nth(1).ok_or(said.clone())?;
    let kilobytes: f64 = kilobytes.parse().map_err(|_| said.clone())?;
    Ok(Cost {
        user,
        peak: kilobytes * 1024.0,
    })
}

/// Seconds of user time of a command, and what it wrote to stderr.
fn user(command: &mut Command) -> Result<(f64, String), Box<dyn Error>> {
    let now = || getrusage(UsageWho::RUSAGE_CHILDREN).map(|usage| usage.user_time());
    let before = now()?;
    let done = command.stderr(Stdio::piped()).spawn()?.wait_with_output()?;
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    if !done.status.success() {
        return Err(said.into());
    }
    let microseconds = (now()? - before).num_microseconds();
    Ok((microseconds as f64 / 1e6, said))
}
