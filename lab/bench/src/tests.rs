//! The bench as its users see it. No test asserts a time; margins are wide.

use super::rounds::{Slot, TIMES, order};
use super::*;
use karat_judge::Rng;
use karat_model::verdict::Judgement;
use std::cell::RefCell;
use std::time::Duration;

/// Work in proportion to `times`, which no optimiser sees through.
fn work(input: u64, times: u64) -> u64 {
    let mut rng = Rng::new(input);
    (0..times).fold(0, |sum, _| sum ^ rng.next_u64())
}

fn draw(rng: &mut Rng) -> u64 {
    rng.next_u64()
}

#[test]
fn arms_may_time_themselves() {
    let batch = |times| {
        move |calls: u64| {
            let start = std::time::Instant::now();
            (0..calls).for_each(|x| {
                std::hint::black_box(work(x, times));
            });
            start.elapsed().as_nanos() as f64
        }
    };
    let report = Bench::new("elsewhere")
        .margin(0.5)
        .rounds(20)
        .timed_arm("once", batch(100))
        .timed_arm("ten times", batch(1000))
        .run(|_| ())
        .unwrap();
    let tenfold = report.arm("ten times").unwrap();
    assert!(
        tenfold.comparison.as_ref().unwrap().speed.estimate < 0.4,
        "{report}"
    );
}

#[test]
fn three_times_the_work_is_slower_and_the_same_work_is_not_different() {
    let report = Bench::new("work")
        .margin(0.5)
        .rounds(20)
        .bytes(8)
        .arm("once", |x: &u64| work(*x, 100))
        .arm("thrice", |x: &u64| work(*x, 300))
        .arm("again", |x: &u64| work(*x, 100))
        .run(draw)
        .unwrap();
    assert!(report.again_passed, "{report}");
    assert_eq!(
        report.judgement("thrice"),
        Some(Judgement::Slower),
        "{report}"
    );
    let same = report.judgement("again").unwrap();
    assert!(
        !matches!(same, Judgement::Faster | Judgement::Slower),
        "{report}"
    );
    assert_eq!(report.judgement("once"), None);

    let thrice = report.arm("thrice").unwrap();
    let speed = thrice.comparison.as_ref().unwrap().speed;
    assert!(speed.low.unwrap() <= speed.estimate && speed.estimate <= speed.high.unwrap());
    let once = report.arm("once").unwrap();
    assert!(once.bytes_per_second > thrice.bytes_per_second);
    assert!(once.cycles.faster_half < thrice.cycles.faster_half);
    for arm in &report.arms {
        assert_eq!(
            arm.histogram.batches,
            u64::from(report.rounds) * TIMES as u64
        );
        let sum: f64 = arm.histogram.shares.iter().map(|s| s.percent).sum();
        assert!((sum - 100.0).abs() < 1e-9);
    }

    let shown = report.to_string();
    for part in ["A/A passed", "SLOWER", "baseline", "GB/s", "█"] {
        assert!(shown.contains(part), "no {part} in:\n{shown}");
    }
    let json: serde_json::Value = serde_json::from_str(&report.to_json().unwrap()).unwrap();
    assert_eq!(json["arms"][1]["comparison"]["judgement"], "SLOWER");
    assert_eq!(json["batch"]["calls"], report.batch.calls);
}

#[test]
fn a_failed_control_withholds_all_words() {
    let mut report = Bench::new("b")
        .margin(0.5)
        .rounds(10)
        .arm("once", |x: &u64| work(*x, 100))
        .arm("thrice", |x: &u64| work(*x, 300))
        .run(draw)
        .unwrap();
    report.again_passed = false;
    assert_eq!(report.judgement("thrice"), None);
    let shown = report.to_string();
    assert!(
        shown.contains("withheld") && !shown.contains("SLOWER"),
        "{shown}"
    );
}

/// What happened, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Made(u64),
    Called(usize, u64),
}

#[test]
fn inputs_are_fresh_in_each_round_and_shared_by_its_arms() {
    const ROUNDS: usize = 6;
    let steps = RefCell::new(Vec::new());
    let mut made = 0;
    let kernel = |arm: usize| {
        let steps = &steps;
        move |x: &u64| {
            steps.borrow_mut().push(Step::Called(arm, *x));
            work(*x, 10_000)
        }
    };
    let report = Bench::new("draw")
        .margin(0.0)
        .rounds(ROUNDS as u32)
        .arm("a", kernel(0))
        .arm("b", kernel(1))
        .run(|_| {
            made += 1;
            steps.borrow_mut().push(Step::Made(made));
            made
        })
        .unwrap();
    assert_eq!(report.rounds as usize, ROUNDS);

    // A phase begins with its inputs: the last ones are the rounds, those before calibration.
    let steps = steps.into_inner();
    let mut phases: Vec<(Vec<u64>, [Vec<u64>; 2])> = Vec::new();
    let mut calling = true;
    for step in steps {
        match step {
            Step::Made(x) => {
                if calling {
                    phases.push(Default::default());
                }
                calling = false;
                phases.last_mut().unwrap().0.push(x);
            }
            Step::Called(arm, x) => {
                calling = true;
                phases.last_mut().unwrap().1[arm].push(x);
            }
        }
    }
    // What comes behind them is arms alone, on inputs of their own.
    let end = phases.len() - usize::from(report.processor.is_some());
    let rounds = &phases[end - ROUNDS..end];
    let batch = report.batch;
    for (made, called) in rounds {
        let (timed, warm) = made.split_at(batch.inputs as usize);
        assert_eq!(warm.len() as u64, batch.warm_up);
        let mut once: Vec<u64> = warm.to_vec();
        for _ in 0..batch.passes {
            once.extend(timed);
        }
        let expected = [once.clone(), once].concat();
        assert_eq!(called[0], expected);
        assert_eq!(called[1], expected);
    }
    let mut all: Vec<u64> = rounds.iter().flat_map(|(made, _)| made.clone()).collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count, "an input came twice");
}

#[test]
fn the_order_is_random_and_follows_from_the_seed() {
    let run = |seed| -> Vec<Vec<Slot>> { (0..50).map(|r| order(seed, r, 3)).collect() };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
    // Each run of each arm comes first sometimes.
    let first: Vec<Slot> = run(1).iter().map(|o| o[0]).collect();
    for arm in 0..3 {
        for time in 0..TIMES {
            assert!(first.contains(&Slot { arm, time }), "{arm} {time}");
        }
    }
}

#[test]
fn memory_bounds_the_inputs_and_passes_make_up_for_it() {
    let report = Bench::new("small")
        .memory(1024)
        .bytes(100)
        .rounds(2)
        .arm("only", |x: &u64| work(*x, 50))
        .run(draw)
        .unwrap();
    let batch = report.batch;
    assert_eq!(batch.inputs, 10);
    assert!(batch.passes > 1);
    assert_eq!(batch.calls, batch.inputs * batch.passes);
    // Two rounds bound nothing, and the text says so.
    assert_eq!(report.noise_floor, None);
    assert!(report.to_string().contains("not bounded"));
}

#[test]
fn by_the_wall_clock_nothing_is_pinned_and_waiting_counts() {
    let nap = |x: &u64| {
        std::thread::sleep(Duration::from_millis(1));
        work(*x, 10)
    };
    let report = Bench::new("threads")
        .wall_time()
        .rounds(2)
        .arm("nap", nap)
        .run(draw)
        .unwrap();
    assert_eq!(report.processor, None);
    assert!(report.arms[0].ns.faster_half >= 1e6, "{report}");
}

#[test]
fn when_time_is_over_what_there_is_is_judged() {
    let report = Bench::new("late")
        .max_time(Duration::ZERO)
        .arm("a", |x: &u64| work(*x, 100))
        .arm("b", |x: &u64| work(*x, 100))
        .run(draw)
        .unwrap();
    assert_eq!((report.rounds, report.out_of_time), (2, true));
    assert_eq!(report.judgement("b"), Some(Judgement::Inconclusive));
}

#[test]
fn what_cannot_be_measured_is_an_error() {
    let none = Bench::<u64>::new("b").run(draw);
    assert!(matches!(none, Err(BenchError::NoArms { .. })));

    let arm = |bench: Bench<'static, u64>, name| bench.arm(name, |x: &u64| work(*x, 100));
    let twice = arm(arm(Bench::new("b"), "x"), "x").run(draw);
    assert!(matches!(twice, Err(BenchError::DuplicateArm { arm, .. }) if arm == "x"));

    for margin in [f64::NAN, f64::INFINITY, -0.01] {
        let bad = arm(Bench::new("b"), "x").margin(margin).run(draw);
        assert!(matches!(bad, Err(BenchError::BadMargin { .. })), "{margin}");
    }
}

#[test]
fn work_that_is_none_is_an_error_that_names_the_arm() {
    let error = Bench::new("b")
        .arm("real", |x: &u64| work(*x, 100))
        .arm("nothing", |_: &u64| ())
        .run(draw)
        .unwrap_err();
    assert!(matches!(&error, BenchError::NoWork { arm, .. } if arm == "nothing"));
    assert!(
        error
            .to_string()
            .contains("return what the kernel computes")
    );
}
