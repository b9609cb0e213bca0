//! Whether an arm lowers the core's clock where it runs alone for milliseconds.
//!
//! In rounds an arm has the core for a part of a millisecond, and the clock is read around that.
//! A clock that dense code lowers is so only after a while, and is back some microseconds behind
//! it. So no ratio of interleaved batches shows it, nor do their cycles.

use super::arm::Arm;
use super::timer::Timer;
use super::{Batch, BenchError};
use karat_host::clock;
use karat_judge::median;
use std::time::{Duration, Instant};

/// How long an arm runs before its clock is read: that of Granite Rapids is lowered by then.
const STRETCH: Duration = Duration::from_millis(4);

/// How long the core rests before: dense code keeps the lower clock that the arm before it had
/// for more than 4 ms there, and has its own after a rest of 1 ms.
const REST: Duration = Duration::from_millis(1);

/// Turns of each arm, after which it is known that most do not differ.
const FIRST: usize = 3;

/// Turns where one seems to. Readings that differ by chance alone come out as told here once in
/// 4,862 times.
const ALL: usize = 9;

/// A lower clock is told when it is lower by more. Clocks move in steps of a fortieth and more.
const LEAST: f64 = 0.02;

/// Lets the core forget what ran before.
fn rest() {
    let start = Instant::now();
    while start.elapsed() < REST {
        let _ = clock::ghz();
    }
}

/// By how much each arm lowers the clock below what the others leave it at, 0.15 for 15 %;
/// `None` where that is not sure, and for arms that work elsewhere.
pub(super) fn clock_drops<I>(
    arms: &mut [Arm<'_, I>],
    timer: Timer,
    inputs: &[I],
    batch: &Batch,
) -> Result<Vec<Option<f64>>, BenchError> {
    let mut clocks = vec![Vec::new(); arms.len()];
    for turn in 0..ALL {
        if turn == FIRST && !seems(&clocks) {
            break;
        }
        for (arm, clocks) in arms.iter_mut().zip(&mut clocks) {
            if !arm.work.is_here() {
                continue;
            }
            arm.work.prepare(inputs, &[])?;
            rest();
            let start = Instant::now();
            while start.elapsed() < STRETCH {
                arm.work.time(timer, inputs, batch.passes)?;
            }
            clocks.push(clock::ghz_behind());
        }
    }
    Ok(drops(&clocks))
}

/// Whether an arm has a lower clock, by what is typical.
fn seems(clocks: &[Vec<f64>]) -> bool {
    let typical = clocks.iter().filter_map(|c| median(c));
    let (low, high) = typical.fold((f64::INFINITY, 0.0_f64), |(l, h), c| (l.min(c), h.max(c)));
    low < high * (1.0 - LEAST)
}

/// Drops by the clocks read, in GHz, by arm and turn. An arm's highest reading must lie below
/// all but one of those of the arm with the highest clock: that one may have been interrupted.
fn drops(clocks: &[Vec<f64>]) -> Vec<Option<f64>> {
    let typical = |clocks: &Vec<f64>| median(clocks).unwrap_or(0.0);
    let order = |a: &&Vec<f64>, b: &&Vec<f64>| typical(a).total_cmp(&typical(b));
    let Some(best) = clocks.iter().max_by(order).filter(|c| c.len() > 1) else {
        return vec![None; clocks.len()];
    };
    let mut sorted = best.clone();
    sorted.sort_by(f64::total_cmp);
    let drop = |clocks: &Vec<f64>| {
        let highest = clocks.iter().copied().fold(0.0, f64::max);
        let apart = highest > 0.0 && highest < sorted[1] * (1.0 - LEAST);
        apart.then(|| 1.0 - typical(clocks) / typical(best))
    };
    clocks.iter().map(drop).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_lower_at_every_turn_is_told() {
        // The best arm was interrupted once, the lower one too.
        let clocks = [
            vec![4.0, 4.02, 2.3],
            vec![3.4, 2.5, 3.36],
            vec![3.99, 4.0, 4.03],
        ];
        assert!(seems(&clocks));
        let found = drops(&clocks);
        assert_eq!((found[0], found[2]), (None, None));
        assert!((found[1].unwrap() - (1.0 - 3.36 / 4.0)).abs() < 1e-12);
    }

    #[test]
    fn what_chance_or_a_hundredth_makes_is_not() {
        // Arms at another clock in some turns, and one that works elsewhere, without a clock.
        let some = [
            vec![4.0, 3.4, 4.0],
            vec![3.4, 3.4, 4.0],
            vec![4.0, 4.0, 4.0],
            vec![],
        ];
        assert!(seems(&some));
        assert_eq!(drops(&some), [None; 4]);
        // A difference that timing alone makes.
        let close = [vec![4.0, 4.0], vec![3.95, 3.95]];
        assert!(!seems(&close));
        assert_eq!(drops(&close), [None; 2]);
        assert!(!seems(&[vec![], vec![]]));
        assert_eq!(drops(&[vec![], vec![]]), [None; 2]);
        assert_eq!(drops(&[]), []);
    }
}
