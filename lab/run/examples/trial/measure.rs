//! The rounds.

use crate::blocks::{ARMS, ROUNDS};
use crate::options::Request;
use crate::samples::{COLUMNS, Sample};
use karat_judge::Rng;
use karat_run::process::{self, Finished};
use karat_run::{clock, machine, pin};
use std::error::Error;
use std::fs::File;
use std::io::Write as _;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The subject's workloads.
const WORKLOADS: [&str; 2] = ["branchy", "straight"];
/// Unmeasured rounds before the first.
const WARMUP: u32 = 3;
/// A run of 20 ms that takes this long is stuck.
const STUCK: Duration = Duration::from_secs(60);

/// Measures all rounds and writes their samples as they come.
pub fn measure(request: &Request, args: &str) -> Result<(), Box<dyn Error>> {
    let [branchy, straight] = WORKLOADS.map(|workload| defaults(request, workload));
    let operations = [branchy?, straight?];
    let name = request.samples.display();
    let mut file = File::create_new(&request.samples)
        .map_err(|e| format!("{name}: {e}; judge it with --from, or delete it"))?;
    file.write_all(heading(request, args, operations).as_bytes())?;

    let pinned = pin::choose().map(pin::Pinned::to);
    let mut rng = Rng::new(request.seed);
    let rounds = request.blocks * ROUNDS as u32;
    for _ in 0..WARMUP {
        round(request, operations, 0, &mut rng, &mut |_| ())?;
    }
    let start = Instant::now();
    for number in 0..rounds {
        let mut lines = String::new();
        round(request, operations, number, &mut rng, &mut |sample| {
            lines += &sample.line();
        })?;
        file.write_all(lines.as_bytes())?;
        if (number + 1).is_multiple_of(ROUNDS as u32) {
            let seconds = start.elapsed().as_secs_f64();
            let left = seconds * f64::from(rounds) / f64::from(number + 1) - seconds;
            eprint!("\r{} of {rounds} rounds, {left:.0} s to go  ", number + 1);
        }
    }
    eprintln!();
    drop(pinned);
    let seconds = start.elapsed().as_secs_f64();
    writeln!(file, "# measured: {rounds} rounds in {seconds:.0} s")?;
    Ok(())
}

/// One round: all workloads, all arms, in random order by workload. All arms of a round have the
/// same input, other rounds have others.
fn round(
    request: &Request,
    operations: [u64; WORKLOADS.len()],
    number: u32,
    rng: &mut Rng,
    keep: &mut dyn FnMut(Sample),
) -> Result<(), Box<dyn Error>> {
    for (workload, operations) in WORKLOADS.into_iter().zip(operations) {
        let mut order: [usize; ARMS.len()] = std::array::from_fn(|arm| arm);
        rng.shuffle(&mut order);
        for (position, arm) in (0..).zip(order) {
            let count = operations / 100 * (100 + ARMS[arm].percent);
            // One length for all: a longer argument would shift the stack.
            let args = [format!("{count:020}"), format!("{number:020}")];
            let run = once(request, workload, &args)?;
            keep(Sample {
                workload: workload.to_owned(),
                round: number,
                position,
                arm,
                wall: run.wall,
                cpu: run.cpu,
                clock: clock::ghz(),
                switches: run.switches,
            });
        }
    }
    Ok(())
}

fn once(request: &Request, workload: &str, args: &[String]) -> Result<Finished, Box<dyn Error>> {
    let subject = request.subject.display();
    let never = AtomicBool::new(false);
    let mut command = Command::new(&request.subject);
    let run = process::run(command.arg(workload).args(args), STUCK, &never).map_err(|e| {
        format!("{subject} cannot be started: {e}; build it as studies/judge-trial/README.md says")
    })?;
    if !run.success() {
        let said = run.last_lines(10);
        return Err(format!("{subject} {workload}: {}\n{said}", run.ending).into());
    }
    Ok(run)
}

/// The subject's own number of operations: the second word it prints.
fn defaults(request: &Request, workload: &str) -> Result<u64, Box<dyn Error>> {
    let run = once(request, workload, &[])?;
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    let number = text.split_whitespace().nth(1).and_then(|n| n.parse().ok());
    // A percent of it must be a whole number.
    let whole = number.filter(|n: &u64| *n > 0 && n.is_multiple_of(100));
    whole.ok_or_else(|| format!("no multiple of 100 as second word of `{text}`").into())
}

fn heading(request: &Request, args: &str, operations: [u64; WORKLOADS.len()]) -> String {
    let m = machine::probe_with_compilers();
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "none".into());
    let args = match args.contains("--seed") {
        true => args.to_owned(),
        false => format!("{args} --seed {}", request.seed),
    };
    format!(
        "# command: cargo run --release -p karat-run --example trial -- {args}\n\
         # run: {}, karat {}\n\
         # machine: {} ({}), {} processors, {}, hypervisor {}\n\
         # compilers: {}; {}\n\
         # operations: {} {}, {} {}; in the other arms 0 %, 1 % and 2 % more\n\
         {COLUMNS}\n",
        jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ"),
        env!("CARGO_PKG_VERSION"),
        m.cpu,
        m.cpu_id,
        m.processors,
        m.kernel,
        or_none(m.hypervisor),
        or_none(m.rustc),
        or_none(m.cc),
        WORKLOADS[0],
        operations[0],
        WORKLOADS[1],
        operations[1],
    )
}
