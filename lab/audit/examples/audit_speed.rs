//! Prints how fast files are audited, against objdump, and in how much memory.
//!
//! `cargo run --release -p karat-audit --example audit_speed -- FILE...`
//!
//! For every file: bytes of code per second, counted with one thread and with two in
//! alternating runs; the whole audit with all threads (symbols, DWARF, count); the
//! peak of resident memory over the size of the file, which the bytes of the file
//! themselves are part of (give one file at a time: memory of the ones before stays
//! with the process); and the time of `objdump -d FILE | grep -c zmm`. Before
//! the files a line with the machine. Ratios are between best times.

use karat_audit::{Options, Phases, audit_timed};
use std::error::Error;
use std::num::NonZeroUsize;
use std::time::Instant;

/// Runs per file and number of threads; the fastest of each part counts.
const RUNS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find(|line| line.starts_with("model name"));
    println!("{}", model.unwrap_or("model name: not known"));
    for path in std::env::args().skip(1) {
        file(&path)?;
    }
    Ok(())
}

fn file(path: &str) -> Result<(), Box<dyn Error>> {
    reset_peak();
    let bytes = std::fs::read(path)?;
    let mut best = [None, None];
    let mut code = 0;
    let mut instructions = 0;
    let mut peak = None;
    for _ in 0..RUNS {
        for threads in [1, 2] {
            let options = Options {
                threads: NonZeroUsize::new(threads),
                ..Default::default()
            };
            let (audit, now) = audit_timed(&bytes, &options)?;
            (code, instructions) = (audit.code_bytes, audit.total.instructions);
            peak = peak.or_else(peak_bytes);
            let best = &mut best[threads - 1];
            *best = Some(best.map_or(now, |best| faster(best, now)));
        }
    }
    let [Some(one), Some(two)] = best else {
        return Err("no run".into());
    };
    let megabytes = code as f64 / 1e6;
    println!(
        "{path}: {:.1} MB, {megabytes:.1} MB of code, {instructions} instructions",
        bytes.len() as f64 / 1e6
    );
    println!(
        "  count: 1 thread {:.3} s, {:.0} MB/s; 2 threads {:.3} s, {:.0} MB/s, x{:.2}",
        one.census,
        megabytes / one.census,
        two.census,
        megabytes / two.census,
        one.census / two.census
    );
    for (name, of) in [("1 thread", one), ("2 threads", two)] {
        println!(
            "  all, {name}: {:.3} s (symbols {:.3}, DWARF {:.3}, matching {:.3}, count {:.3}, \
             catalogue {:.3}, report {:.3})",
            whole(of),
            of.symbols,
            of.dwarf,
            of.matching,
            of.census,
            of.catalogue,
            of.report
        );
    }
    if let Some(peak) = peak {
        println!(
            "  peak memory {:.1} MB (1 thread), {:.2} of the file",
            peak as f64 / 1e6,
            peak as f64 / bytes.len() as f64
        );
    }
    drop(bytes);
    match objdump(path) {
        Ok((seconds, lines)) => println!(
            "  objdump -d | grep -c zmm: {seconds:.2} s, {lines} lines; count {:.0} times as fast \
             with 1 thread, the whole audit {:.0} times",
            seconds / one.census,
            seconds / whole(one)
        ),
        Err(error) => println!("  SKIPPED: objdump: {error}"),
    }
    Ok(())
}

fn whole(of: Phases) -> f64 {
    of.symbols + of.dwarf + of.matching + of.census + of.catalogue + of.report
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

/// Sets the peak back to what is resident now (proc(5), `clear_refs`).
fn reset_peak() {
    // Where that is not allowed the peak of the largest file shows.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The peak of resident memory, as the kernel has it.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Seconds, and what grep counted.
fn objdump(path: &str) -> std::io::Result<(f64, String)> {
    use std::process::{Command, Stdio};
    let start = Instant::now();
    let mut disassembler = Command::new("objdump")
        .args(["-d", path])
        .stdout(Stdio::piped())
        .spawn()?;
    let input = disassembler
        .stdout
        .take()
        .map_or(Stdio::null(), Stdio::from);
    let counted = Command::new("grep")
        .args(["-c", "zmm"])
        .stdin(input)
        .output()?;
    disassembler.wait()?;
    let lines = String::from_utf8_lossy(&counted.stdout).trim().to_string();
    Ok((start.elapsed().as_secs_f64(), lines))
}
