//! The whole recording: each workload in turn, its rounds first and Duet's after them.

use crate::options::Request;
use crate::rounds::Rounds;
use crate::samples::{COLUMNS, PAIR_COLUMNS};
use crate::{subject, together};
use karat_build::compilers;
use karat_host::neighbours::{Neighbours, quietest, survey};
use karat_host::pin;
use karat_judge::Rng;
use std::error::Error;
use std::fs::File;
use std::io::IsTerminal;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// The subject's workloads.
pub const WORKLOADS: [&str; 3] = ["branchy", "straight", "wide"];

/// Duet's share of the time.
const DUET: f64 = 0.2;

/// How long to look at the processors before one is chosen, as karat does.
const SURVEY: Duration = Duration::from_millis(400);

/// Between two lines of progress.
const PROGRESS: Duration = Duration::from_secs(1);

/// Measures all workloads and writes their samples as they come.
pub fn measure(request: &Request, args: &str) -> Result<(), Box<dyn Error>> {
    let workloads = &request.workloads;
    let operations = workloads.iter().map(|w| subject::defaults(request, w));
    let operations: Vec<u64> = operations.collect::<Result<_, _>>()?;
    let name = request.samples.display();
    let mut file = File::create_new(&request.samples)
        .map_err(|e| format!("{name}: {e}; judge it with --from, or delete it"))?;
    file.write_all(heading(request, args, &operations).as_bytes())?;

    let allowed = pin::allowed();
    let surveys = survey(&allowed, SURVEY);
    let mut neighbours = Neighbours::default();
    for (_, width) in surveys.iter().flat_map(|s| &s.looks) {
        neighbours.remember(*width);
    }
    let processor = quietest(&surveys).filter(|_| allowed.len() > 1);
    let two = match allowed[..] {
        [one, other, ..] => Some([one, other]),
        _ => None,
    };
    if two.is_none() {
        let why = "SKIPPED: Duet, which needs two processors and has one";
        eprintln!("{why}");
        writeln!(file, "# {why}")?;
    }
    writeln!(file, "{COLUMNS}\n{PAIR_COLUMNS}")?;

    let mut rng = Rng::new(request.seed);
    let mut clock = Clock::new(request.seconds);
    for (i, (workload, operations)) in workloads.iter().zip(operations).enumerate() {
        let own = request.seconds / workloads.len() as f64;
        let end = own * (i + 1) as f64;
        let duet = if two.is_some() { DUET * own } else { 0.0 };
        {
            let _pinned = processor.map(pin::Pinned::to);
            let mut rounds = Rounds::new(request, workload, operations, &mut neighbours);
            rounds.warm_up(&mut rng)?;
            while clock.is_before(end - duet, workload, rounds.made()) {
                file.write_all(rounds.one(&mut rng)?.as_bytes())?;
            }
        }
        let mut round = 0;
        while let Some(processors) = two
            && clock.is_before(end, "Duet", round)
        {
            let lines = together::round(request, workload, operations, processors, round, &mut rng);
            file.write_all(lines?.as_bytes())?;
            round += 1;
        }
    }
    eprintln!();
    let (free, threshold) = (neighbours.free(), neighbours.threshold());
    writeln!(
        file,
        "# measured: {:.0} s on processor {}; {free:.2} additions a cycle on a free core, quiet \
         from {threshold:.2}; waited {:.0} s",
        clock.start.elapsed().as_secs_f64(),
        processor.map_or("any".into(), |p| p.to_string()),
        neighbours.waited(),
    )?;
    Ok(())
}

/// The time of all, and what is told of it.
struct Clock {
    start: Instant,
    seconds: f64,
    told: Instant,
}

impl Clock {
    fn new(seconds: f64) -> Self {
        let start = Instant::now();
        Self {
            start,
            seconds,
            told: start,
        }
    }

    /// Whether fewer than so many seconds have passed.
    fn is_before(&mut self, end: f64, what: &str, rounds: u32) -> bool {
        let passed = self.start.elapsed().as_secs_f64();
        if self.told.elapsed() >= PROGRESS && std::io::stderr().is_terminal() {
            self.told = Instant::now();
            let left = self.seconds - passed;
            eprint!("\r{what}: {rounds} rounds; {left:.0} s of measuring to go    ");
        }
        passed < end
    }
}

fn heading(request: &Request, args: &str, operations: &[u64]) -> String {
    let m = compilers::probe();
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "none".into());
    let args = match args.contains("--seed") {
        true => args.to_owned(),
        false => format!("{args} --seed {}", request.seed),
    };
    let operations = request.workloads.iter().zip(operations);
    let operations: Vec<String> = operations.map(|(w, n)| format!("{w} {n}")).collect();
    format!(
        "# command: cargo run --release -p karat-run --example trial -- {args}\n\
         # run: {}, karat {}\n\
         # machine: {} ({}), {} processors, {}, hypervisor {}\n\
         # compilers: {}; {}\n\
         # operations: {}; in the other arms 0 %, 1 % and 2 % more\n",
        jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ"),
        env!("CARGO_PKG_VERSION"),
        m.cpu,
        m.cpu_id,
        m.processors,
        m.kernel,
        or_none(m.hypervisor),
        or_none(m.rustc),
        or_none(m.cc),
        operations.join(", "),
    )
}
