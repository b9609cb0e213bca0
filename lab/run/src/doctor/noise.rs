//! How often the judge is wrong here, and what it finds: measured, not assumed.
//!
//! One program is run in rounds of four arms: as it is, once more as it is
//! (A/A), with 1 % and with 2 % more operations. The rounds are cut into blocks,
//! and each block is judged as a small study of its own. What the words ought to
//! be is known beforehand, so their rates can be counted.

use super::rates::{Detectable, Rate, detectable};
use crate::RunError;
use karat_host::neighbours::{Host, Neighbours, Repeats};
use karat_host::pin;
use karat_judge::{
    Judgement, Layout, Outcome, Pair, Rng, faster_half_mean, judge_family, log_margin, median,
};
use karat_process::{Command, Ending, Finished};
use serde::Serialize;
use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Rounds of one comparison.
pub const BLOCK: usize = 20;
/// Level of one comparison.
const ALPHA: f64 = 0.05;
/// Comparisons below which no rate is called good: when 20 of 20 are right, the
/// true rate may still be 84 %.
pub(super) const FEW: usize = 20;
/// What the operations of one run should take.
const WORK: Duration = Duration::from_millis(10);
/// Unmeasured runs of each arm before the first round.
const WARMUP: usize = 3;
/// A run of 10 ms that takes this long is stuck.
const STUCK: Duration = Duration::from_secs(60);
/// Numbers of rounds that the detectable effect is extrapolated to.
const MORE_ROUNDS: [usize; 2] = [40, 120];

/// An arm: what it does, and what is asked about it.
struct Arm {
    name: &'static str,
    /// Operations more than the baseline, in percent.
    percent: u64,
    /// Margin it is judged at; `None`: the one that was asked for.
    margin: Option<f64>,
}

const ARMS: [Arm; 4] = [
    Arm::new("base", 0, None),
    Arm::new("again", 0, None),
    Arm::new("+1 %", 1, Some(0.005)),
    Arm::new("+2 %", 2, Some(0.01)),
];

impl Arm {
    const fn new(name: &'static str, percent: u64, margin: Option<f64>) -> Self {
        Self {
            name,
            percent,
            margin,
        }
    }
}

/// What to measure, and for how long.
pub struct Request<'a> {
    /// A program that calls [`spin_if_asked`] first of all.
    pub program: &'a Path,
    /// When no further round begins.
    pub time: Duration,
    /// Margin of the A/A, as a ratio: 0.01 is 1 %.
    pub margin: f64,
    /// Seed of the orders and of the judge.
    pub seed: u64,
    /// Set when the user wants an end.
    pub interrupt: &'a AtomicBool,
}

/// Costs of the arms by round, complete rounds only.
#[derive(Clone, Debug, Default)]
struct Series {
    cpu: [Vec<f64>; ARMS.len()],
    wall: [Vec<f64>; ARMS.len()],
    /// Whether the core was karat's alone at both ends.
    quiet: [Vec<bool>; ARMS.len()],
    /// Places in the order of the round.
    places: [Vec<u32>; ARMS.len()],
}

/// What was measured, and what the judge made of it.
#[derive(Clone, Debug, Serialize)]
pub struct Noise {
    /// Complete rounds.
    pub rounds: usize,
    /// Rounds of one comparison.
    pub rounds_per_comparison: usize,
    /// Level of each comparison.
    pub alpha: f64,
    /// How the intervals of rates were made.
    pub interval: &'static str,
    /// Operations of the baseline.
    pub operations: u64,
    /// Seconds from the first round to the last.
    pub seconds: f64,
    /// Whether the user ended it.
    pub interrupted: bool,
    /// Seed of the orders and of the judge.
    pub seed: u64,
    /// CPU time and wall time.
    pub metrics: Vec<Metric>,
}

/// Everything about one metric.
#[derive(Clone, Debug, Serialize)]
pub struct Metric {
    /// `CPU` or `wall`.
    pub name: &'static str,
    /// Median seconds of one run of the baseline.
    pub run: Option<f64>,
    /// A/A, +1 % and +2 %.
    pub arms: Vec<Tally>,
    /// Smallest effect found four times in five, from the A/A comparisons.
    pub detectable: Detectable,
}

/// The words of one arm's comparisons with the baseline.
#[derive(Clone, Debug, Serialize)]
pub struct Tally {
    /// The arm.
    pub arm: &'static str,
    /// Operations more than the baseline's, as a ratio.
    pub injected: f64,
    /// Change of the metric over all rounds, as a ratio. A run's start, which
    /// every arm has, is in it.
    pub realised: Option<f64>,
    /// Margin of the comparisons, as a ratio.
    pub margin: f64,
    /// Comparisons made.
    pub comparisons: usize,
    /// How many said so.
    pub faster: usize,
    /// How many said so.
    pub slower: usize,
    /// How many said so.
    pub inconclusive: usize,
    /// Those that said SAME.
    pub same: Rate,
    /// Of the A/A: FASTER or SLOWER.
    pub false_alarm: Option<Rate>,
    /// Of an injected effect: SLOWER, which it is.
    pub power: Option<Rate>,
}

/// The work of every arm: a chain of dependent operations, with a branch that is
/// taken one time in eight and cannot be foreseen.
///
/// Source of the step: G. Marsaglia, "Xorshift RNGs", Journal of Statistical
/// Software 8(14), 2003, triple (13, 7, 17).
#[must_use]
pub fn spin(operations: u64) -> u64 {
    let mut x = 88_172_645_463_325_252_u64;
    let mut taken = 0_u64;
    for _ in 0..operations {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        if x & 7 == 0 {
            // Keeps it a branch: a conditional move has nothing to foresee.
            taken = black_box(taken.wrapping_add(x));
        }
    }
    black_box(x ^ taken)
}

/// What asks a program to spin; no command's name begins so.
const SPIN_ARGUMENT: &str = "__spin";

/// Spins if this process was started to: whether it was.
#[must_use]
pub fn spin_if_asked() -> bool {
    // Not `args`, which panics at what is no UTF-8.
    let mut args = std::env::args_os().skip(1);
    if args.next().is_none_or(|first| first != SPIN_ARGUMENT) {
        return false;
    }
    let operations = args.next().and_then(|n| n.to_str()?.parse().ok());
    operations.map(|n| black_box(spin(n))).is_some()
}

/// Measures and judges. `progress` is told the rounds so far and the time since
/// the first one, between rounds.
///
/// # Errors
/// [`RunError::Measure`] when a run cannot be started or fails.
pub fn measure(
    request: &Request<'_>,
    progress: &mut dyn FnMut(usize, Duration),
) -> Result<Noise, RunError> {
    let mut series = Series::default();
    let Host {
        processor,
        neighbours,
    } = Host::choose(true);
    let mut neighbours = neighbours.unwrap_or_default();
    let mut repeats = Repeats::default();
    // The judge's threads would inherit the pin, so it ends before they start.
    let pinned = processor.map(pin::Pinned::to);
    let operations = calibrate();
    let mut rng = Rng::new(request.seed);
    let ready = warm_up(request, operations)?;
    let start = Instant::now();
    while ready && start.elapsed() < request.time {
        let around = (&mut neighbours, &mut repeats);
        if !round(request, operations, &mut rng, around, &mut series)? {
            break;
        }
        progress(series.cpu[0].len(), start.elapsed());
    }
    let seconds = start.elapsed().as_secs_f64();
    drop(pinned);
    Ok(Noise {
        rounds: series.cpu[0].len(),
        rounds_per_comparison: BLOCK,
        alpha: ALPHA,
        interval: "Wilson, 95 %",
        operations,
        seconds,
        interrupted: request.interrupt.load(Ordering::Relaxed),
        seed: request.seed,
        metrics: vec![
            metric("CPU", &series.cpu, &series, request),
            metric("wall", &series.wall, &series, request),
        ],
    })
}

/// Operations that take about [`WORK`] here: a multiple of 100, so that a percent
/// of them is a whole number.
fn calibrate() -> u64 {
    let mut operations = 100_000;
    loop {
        // The fastest of three: a preempted one only looks slow.
        let took = (0..3)
            .map(|_| {
                let start = Instant::now();
                black_box(spin(operations));
                start.elapsed()
            })
            .min()
            .unwrap_or(WORK);
        if took * 4 >= WORK {
            let scale = WORK.as_secs_f64() / took.as_secs_f64();
            return ((operations as f64 * scale / 100.0).round() as u64).max(1) * 100;
        }
        operations *= 2;
    }
}

/// `false` when it was interrupted.
fn warm_up(request: &Request<'_>, operations: u64) -> Result<bool, RunError> {
    for arm in ARMS.iter().cycle().take(WARMUP * ARMS.len()) {
        if once(request, arm, operations)?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// One run of every arm, in random order. `false` when it was interrupted: then
/// none of it counts.
fn round(
    request: &Request<'_>,
    operations: u64,
    rng: &mut Rng,
    (neighbours, repeats): (&mut Neighbours, &mut Repeats),
    series: &mut Series,
) -> Result<bool, RunError> {
    let mut order: [usize; ARMS.len()] = std::array::from_fn(|arm| arm);
    rng.shuffle(&mut order);
    let mut costs = [(0.0, 0.0, false); ARMS.len()];
    let mut places = [0; ARMS.len()];
    // As a study's round: in quiet moments, and what was not quiet once more.
    let mut place = 0;
    let mut next: Vec<usize> = order.to_vec();
    for attempt in 0.. {
        repeats.count(next.len(), attempt);
        for arm in std::mem::take(&mut next) {
            places[arm] = place;
            place += 1;
            let wait = neighbours.wait(request.interrupt);
            let Some(run) = once(request, &ARMS[arm], operations)? else {
                return Ok(false);
            };
            let quiet = wait.width.min(neighbours.look()) >= neighbours.threshold();
            costs[arm] = (run.cpu, run.wall, quiet);
            if !quiet {
                next.push(arm);
            }
        }
        if next.is_empty() || !repeats.allow(attempt) {
            break;
        }
    }
    for (arm, (cpu, wall, quiet)) in costs.into_iter().enumerate() {
        series.cpu[arm].push(cpu);
        series.wall[arm].push(wall);
        series.quiet[arm].push(quiet);
        series.places[arm].push(places[arm]);
    }
    Ok(true)
}

/// One run; `None` when it was interrupted.
fn once(request: &Request<'_>, arm: &Arm, operations: u64) -> Result<Option<Finished>, RunError> {
    // One length for all: a longer argument would shift the stack.
    let count = format!("{:020}", operations / 100 * (100 + arm.percent));
    let mut command = Command::new(request.program);
    command.args([SPIN_ARGUMENT, &count]);
    let fail = |what: String| RunError::Measure {
        variant: arm.name.to_owned(),
        workload: "noise".to_owned(),
        command: format!("{} {SPIN_ARGUMENT} {count}", request.program.display()),
        what,
    };
    let run = karat_process::run(&mut command, STUCK, request.interrupt)
        .map_err(|e| fail(format!("cannot be started: {e}")))?;
    match run.ending {
        Ending::Exit(0) => Ok(Some(run)),
        Ending::Interrupted => Ok(None),
        ending => Err(fail(format!("{ending}\n{}", run.last_lines(10)))),
    }
}

fn metric(
    name: &'static str,
    costs: &[Vec<f64>; ARMS.len()],
    series: &Series,
    request: &Request<'_>,
) -> Metric {
    let mut effects = Vec::new();
    let mut arms = Vec::new();
    for (index, arm) in ARMS.iter().enumerate().skip(1) {
        let blocks = (0..costs[0].len() / BLOCK).map(|i| {
            let block = i * BLOCK..(i + 1) * BLOCK;
            let part = |arm: usize| karat_judge::Arm {
                costs: &costs[arm][block.clone()],
                places: Some(&series.places[arm][block.clone()]),
                quiet: Some(&series.quiet[arm][block.clone()]),
            };
            let others = (1..ARMS.len()).filter(|other| *other != index);
            Layout {
                baseline: part(0),
                variant: part(index),
                again: None,
                others: others.map(part).collect(),
            }
        });
        let margin = arm.margin.unwrap_or(request.margin);
        let outcomes = judge_blocks(blocks, margin);
        if arm.percent == 0 {
            effects = outcomes.iter().flatten().map(|o| o.mde).collect();
        }
        arms.push(tally(arm, &costs[0], &costs[index], margin, &outcomes));
    }
    Metric {
        name,
        run: median(&costs[0]),
        arms,
        detectable: detectable(effects, BLOCK, &MORE_ROUNDS),
    }
}

/// Judges every block. One that the judge refuses (a run of no CPU time) decides nothing.
fn judge_blocks<'a>(blocks: impl Iterator<Item = Layout<'a>>, margin: f64) -> Vec<Option<Outcome>> {
    let judge = |layout| {
        let pair = Pair {
            layouts: vec![layout],
            margin: log_margin(margin),
        };
        // One comparison at a time: together they would be one Holm family.
        let outcome = judge_family(&[pair], 0, ALPHA).pop();
        outcome.and_then(Result::ok)
    };
    blocks.map(judge).collect()
}

/// Counts the words about an arm.
fn tally(
    arm: &Arm,
    base: &[f64],
    variant: &[f64],
    margin: f64,
    outcomes: &[Option<Outcome>],
) -> Tally {
    let word = |o: &Option<Outcome>| o.as_ref().map_or(Judgement::Inconclusive, |o| o.judgement);
    let words: Vec<Judgement> = outcomes.iter().map(word).collect();
    let of = words.len();
    let count = |word| words.iter().filter(|w| **w == word).count();
    let (faster, slower) = (count(Judgement::Faster), count(Judgement::Slower));
    let control = arm.percent == 0;
    let realised = faster_half_mean(variant) / faster_half_mean(base);
    Tally {
        arm: arm.name,
        injected: arm.percent as f64 / 100.0,
        realised: Some(realised - 1.0).filter(|r| r.is_finite()),
        margin,
        comparisons: of,
        faster,
        slower,
        inconclusive: count(Judgement::Inconclusive),
        same: Rate::new(count(Judgement::Same), of),
        false_alarm: control.then(|| Rate::new(faster + slower, of)),
        power: (!control).then(|| Rate::new(slower, of)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACES: [u32; ARMS.len()] = [2, 0, 3, 1];

    fn measured(costs: &[Vec<f64>; ARMS.len()], margin: f64) -> Metric {
        let series = Series {
            places: PLACES.map(|place| vec![place; costs[0].len()]),
            quiet: PLACES.map(|_| vec![true; costs[0].len()]),
            ..Series::default()
        };
        let request = Request {
            program: Path::new(""),
            time: Duration::ZERO,
            margin,
            seed: 1,
            interrupt: &AtomicBool::new(false),
        };
        metric("CPU", costs, &series, &request)
    }

    /// Rounds of costs within 0.1 % of `level`, other ones for each `seed`.
    fn costs(level: f64, rounds: usize, seed: u64) -> Vec<f64> {
        let mut rng = Rng::new(seed);
        let noise = (0..rounds).map(|_| 1.0 + rng.below(1000) as f64 * 1e-6);
        noise.map(|n| level * n).collect()
    }

    #[test]
    fn words_are_counted_block_by_block() {
        let rounds = 3 * BLOCK + 7;
        let mut arms = std::array::from_fn(|arm| costs(1.0, rounds, 1 + arm as u64));
        // The middle block is slower in every arm but the baseline.
        for arm in &mut arms[1..] {
            arm[BLOCK..2 * BLOCK].iter_mut().for_each(|c| *c *= 1.02);
        }
        let [again, one, two]: [Tally; 3] = measured(&arms, 0.01).arms.try_into().unwrap();
        assert_eq!(again.comparisons, 3);
        assert_eq!(again.false_alarm, Some(Rate::new(1, 3)));
        assert_eq!(again.same, Rate::new(2, 3));
        assert_eq!(again.power, None);
        assert_eq!((one.margin, two.margin), (0.005, 0.01), "their own margins");
        assert_eq!(one.power, Some(Rate::new(1, 3)));
        assert_eq!(one.false_alarm, None);

        // The other way round it is found, but as what it is not.
        arms.swap(0, 2);
        let turned = &measured(&arms, 0.01).arms[1];
        assert_eq!((turned.faster, turned.power), (1, Some(Rate::new(0, 3))));
    }

    #[test]
    fn without_a_block_nothing_is_claimed() {
        let few = std::array::from_fn(|arm| costs(1.0, BLOCK - 1, arm as u64));
        let metric = measured(&few, 0.01);
        for tally in &metric.arms {
            assert_eq!((tally.comparisons, tally.same.rate), (0, None));
            assert!(tally.realised.is_some());
        }
        assert_eq!(metric.detectable.median, None);
        let none: [Vec<f64>; 4] = Default::default();
        assert_eq!(measured(&none, 0.01).arms[0].realised, None);
    }

    #[test]
    fn a_percent_of_the_operations_is_a_whole_number() {
        let operations = calibrate();
        assert!(operations > 0 && operations.is_multiple_of(100));
        assert_ne!(spin(1000), spin(1010));
    }
}
