//! What karat itself costs a process: `true` started by karat and by the standard library, in
//! turns: `cargo run --release -p karat-run --example spawn_cost [-- COUNT]`.

use karat_host::pin;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count: u32 = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => 2000,
    };
    let _pinned = pin::choose().map(pin::Pinned::to);
    let never = AtomicBool::new(false);
    let (mut plain, mut ours, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..count {
        let start = Instant::now();
        Command::new("true").output()?;
        plain.push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let run = karat_process::run(&mut Command::new("true"), Duration::from_secs(10), &never)?;
        let total = start.elapsed().as_secs_f64();
        ours.push(total);
        rest.push(total - run.wall);
    }
    let micros = |times: &[f64]| karat_judge::median(times).unwrap_or(f64::NAN) * 1e6;
    println!(
        "medians of {count} runs of `true`: std {:.0} µs, karat {:.0} µs, of these {:.0} µs outside \
         of the wall time it reports",
        micros(&plain),
        micros(&ours),
        micros(&rest),
    );
    Ok(())
}
