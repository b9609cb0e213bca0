//! Whole courses of measuring beside neighbours and faults that a script makes up.

use super::{Course, Limits};
use crate::RunError;
use crate::events::{Event, Sink};
use crate::executor::Executor;
use crate::executor::scripted::{Fault, Scripted};
use crate::measure::{Bench, Program};
use karat_model::measure::{Arm, Role, Sample};
use karat_model::study::metric::of_word;
use karat_model::study::{Surroundings, Workload};
use karat_model::verdict::Judgement;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

static NEVER: AtomicBool = AtomicBool::new(false);

/// A run of the baseline.
const RUN: f64 = 0.02;

/// Arms: the baseline twice, the same program once more, and one that takes 5 % longer.
fn arms() -> Vec<Arm> {
    let arm = |variant: &str, role| Arm {
        variant: variant.into(),
        role,
        layout: 0,
    };
    vec![
        arm("base", Role::Baseline),
        arm("base", Role::Again),
        arm("same", Role::Variant),
        arm("slow", Role::Variant),
    ]
}

fn programs(arms: &[Arm]) -> Vec<Program> {
    let program = |arm: &Arm| Program {
        binary: PathBuf::from(&arm.variant),
        args: Vec::new(),
        run: Surroundings::default(),
        environment: None,
    };
    arms.iter().map(program).collect()
}

fn workload() -> Workload {
    Workload {
        name: "w".into(),
        why: String::new(),
        args: Vec::new(),
        run: Surroundings::default(),
        null_stdout: false,
        metrics: vec![of_word("cpu").unwrap()],
        margin: 0.01,
        timeout: 10.0,
    }
}

fn seconds(program: &Path) -> f64 {
    if program == Path::new("slow") {
        1.05 * RUN
    } else {
        RUN
    }
}

/// Shared in spells whose lengths repeat only after long, for `share` of the time.
fn now_and_then(share: f64) -> impl Fn(f64) -> bool {
    move |at| {
        let spell = (at / 0.11) as u64;
        let mixed = spell.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        (mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40) as f64 / (1u64 << 24) as f64 <= share
    }
}

/// Hears nothing.
struct Deaf;

impl Sink for Deaf {
    fn event(&mut self, _: &Event<'_>) -> std::io::Result<()> {
        Ok(())
    }
}

/// What came of a course.
#[derive(Debug)]
struct Came {
    /// Words of the A/A, of `same` and of `slow`.
    words: [Judgement; 3],
    samples: Vec<Sample>,
    /// Looks of each stretch.
    looks: Vec<usize>,
    /// By the machine's time.
    seconds: f64,
}

impl Came {
    /// Share of the runs that were repetitions.
    fn repeated(&self) -> f64 {
        let again = self.samples.iter().filter(|s| s.attempt > 0).count();
        again as f64 / self.samples.len() as f64
    }
}

/// Measures for the promised seconds, one stretch after the other.
fn course(machine: &Scripted<'_>, promised: &[f64]) -> Result<Came, RunError> {
    let (arms, workloads) = (arms(), [workload()]);
    let programs = programs(&arms);
    let bench = Bench {
        arms: &arms,
        programs: &programs,
        workloads: &workloads,
        base: Path::new("/"),
        executor: machine,
        end: Cell::new(None),
        seed: 3,
        interrupt: &NEVER,
        metrics: vec![Default::default()],
        cachegrind: Default::default(),
        counters: None,
    };
    // The first run tells which metrics there are.
    bench.unmeasured(0, 0)?;
    let start = machine.now();
    let (mut left, mut looks, mut ended) = (None, Vec::new(), None);
    for (number, promised) in promised.iter().enumerate() {
        let mut course = Course::new(bench.claims(&[], &[1]), 1);
        if let Some((samples, stretch)) = left.take() {
            course.take_up(samples, stretch);
        }
        let end = machine.now() + Duration::from_secs_f64(1.25 * promised);
        bench.end.set(Some(end));
        let limits = Limits {
            seconds: *promised,
            rounds: 5000,
            looks: karat_judge::looks(number as u32).to_vec(),
            fewest: super::FEWEST_ROUNDS,
        };
        course.go(&bench, &limits, &mut Deaf)?;
        looks.push(course.stretch.own_looks().count());
        let next = course.stretch.clone().next(&course.samples);
        left = Some((course.samples.clone(), next));
        ended = Some(course);
    }
    let Course {
        sequence,
        samples,
        rounds,
        ..
    } = ended.expect("at least one stretch");
    let judged = sequence.finish(&samples, &rounds).remove(0);
    let word = |variant: &str| {
        let own = judged.comparisons.iter().find(|c| c.variant == variant);
        own.map(|c| c.judgement).unwrap()
    };
    Ok(Came {
        words: [
            judged.again.as_ref().unwrap().judgement,
            word("same"),
            word("slow"),
        ],
        samples,
        looks,
        seconds: (machine.now() - start).as_secs_f64(),
    })
}

const DECIDED: [Judgement; 3] = [Judgement::Same, Judgement::Same, Judgement::Slower];

#[test]
fn a_quiet_machine_repeats_nothing_and_ends_when_all_is_decided() {
    let came = course(&Scripted::new(&seconds), &[120.0]).unwrap();
    assert_eq!(came.words, DECIDED);
    assert_eq!(came.repeated(), 0.0);
    assert!(came.seconds < 60.0, "{}", came.seconds);
}

#[test]
fn beside_neighbours_runs_are_made_again_within_limits() {
    for share in [0.3, 0.6, 0.85] {
        let shared = now_and_then(share);
        let mut machine = Scripted::new(&seconds);
        machine.shared = &shared;
        let came = course(&machine, &[120.0]).unwrap();
        assert_eq!(came.words, DECIDED, "shared {share}");
        assert!(
            came.repeated() > 0.01,
            "shared {share}: {}",
            came.repeated()
        );
        // A group of four may still be made when the limit is near.
        assert!(
            came.repeated() < 0.32,
            "shared {share}: {}",
            came.repeated()
        );
        assert!(came.samples.iter().all(|s| s.attempt <= 2));
        assert!(came.seconds <= 1.25 * 120.0);
        // Blind: what was kept last counts, whatever it cost.
        for again in came.samples.iter().filter(|s| s.attempt > 0) {
            let before = came.samples.iter().find(|s| {
                (s.round, s.arm, s.attempt) == (again.round, again.arm, again.attempt - 1)
            });
            assert!(before.is_some_and(|b| !b.quiet), "only what was not quiet");
        }
    }
}

#[test]
fn a_core_that_is_never_quiet_is_measured_all_the_same() {
    let mut machine = Scripted::new(&seconds);
    machine.shared = &|_| true;
    let came = course(&machine, &[60.0]).unwrap();
    assert_eq!(came.words, DECIDED, "all runs are slow alike");
    assert!(
        came.samples
            .iter()
            .all(|s| !s.quiet && s.width == Some([3.5, 3.5]))
    );
    assert!(came.seconds <= 1.25 * 60.0);
}

#[test]
fn a_run_that_hangs_ends_with_the_promise() {
    let mut machine = Scripted::new(&|_| RUN);
    // Twelve runs at a time until then; the workload's own limit is 10 s.
    machine.fault = &|number| (number == 40).then_some(Fault::Hangs);
    let came = course(&machine, &[2.0]).unwrap();
    assert!(came.seconds < 2.51, "{}", came.seconds);
    assert!(came.samples.len() >= 30, "what was measured before is kept");
}

#[test]
fn a_run_that_hangs_longer_than_its_own_limit_is_an_error() {
    let mut machine = Scripted::new(&seconds);
    machine.fault = &|number| (number == 40).then_some(Fault::Hangs);
    let error = course(&machine, &[120.0]).unwrap_err().to_string();
    assert!(error.contains("still running after 10 s"), "{error}");
}

#[test]
fn a_program_that_fails_and_a_processor_that_is_gone_are_errors() {
    let mut machine = Scripted::new(&seconds);
    machine.fault = &|number| (number == 9).then_some(Fault::Exits(3));
    let error = course(&machine, &[60.0]).unwrap_err().to_string();
    assert!(error.contains("exit code 3"), "{error}");
    machine.fault = &|number| (number > 9).then_some(Fault::Gone);
    let error = course(&machine, &[60.0]).unwrap_err();
    assert!(matches!(error, RunError::ProcessorGone { .. }), "{error}");
}

#[test]
fn what_is_stolen_or_slept_through_is_made_again_by_all_arms() {
    for fault in [Fault::Stolen(0.02), Fault::Sleeps(3.0)] {
        let mut machine = Scripted::new(&seconds);
        let once = |number| (number == 22).then_some(fault);
        machine.fault = &once;
        let came = course(&machine, &[120.0]).unwrap();
        assert_eq!(came.words, DECIDED);
        let bad: Vec<_> = came.samples.iter().filter(|s| s.disturbed).collect();
        let [bad] = bad[..] else {
            panic!("{} runs were disturbed", bad.len())
        };
        let again = came.samples.iter();
        let again = again.filter(|s| (s.round, s.attempt) == (bad.round, bad.attempt + 1));
        assert_eq!(again.count(), 4, "{fault:?}");
    }
}

#[test]
fn a_finished_run_that_is_taken_up_is_looked_at_again() {
    // Noise for which the first time is too short.
    let shared = now_and_then(0.7);
    let mut machine = Scripted::new(&seconds);
    machine.shared = &shared;
    let short = course(&machine, &[0.5]).unwrap();
    assert!(
        short.words.contains(&Judgement::Inconclusive),
        "{:?}",
        short.words
    );
    let mut machine = Scripted::new(&seconds);
    machine.shared = &shared;
    let came = course(&machine, &[0.5, 90.0]).unwrap();
    assert!(
        came.looks.iter().all(|looks| *looks > 0),
        "{:?}",
        came.looks
    );
    assert_eq!(came.words, DECIDED);
}
