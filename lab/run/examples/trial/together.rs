//! Duet's runs: two arms at the same moment, each on a processor of its own.

use crate::options::Request;
use crate::samples::Pair;
use crate::series::ARMS;
use crate::subject;
use karat_host::pin;
use karat_judge::Rng;
use karat_process::Finished;
use std::sync::Barrier;
use std::time::Instant;

/// One round: each arm against the baseline, in random order, twice with the processors swapped;
/// its lines. The thread must not be pinned.
pub fn round(
    request: &Request,
    workload: &str,
    operations: u64,
    processors: [u32; 2],
    round: u32,
    rng: &mut Rng,
) -> Result<String, String> {
    let mut arms: Vec<usize> = (1..ARMS.len()).collect();
    rng.shuffle(&mut arms);
    let mut lines = String::new();
    for arm in arms {
        let mut swaps = [0, 1];
        rng.shuffle(&mut swaps);
        for swap in swaps {
            let run = |arm| subject::run(request, workload, operations, arm, round);
            let mut halves = [0, arm];
            halves.rotate_left(swap);
            let start = Instant::now();
            let mut both = at_once(processors, halves, &run)?;
            let took = start.elapsed().as_secs_f64();
            both.rotate_left(swap);
            let [base, times] = both.map(|r| [r.wall, r.cpu]);
            let pair = Pair {
                workload: workload.to_owned(),
                round,
                arm,
                swap,
                took,
                times,
                base,
            };
            lines += &pair.line();
        }
    }
    Ok(lines)
}

/// Runs the first arm on the first processor and the second on the second. The starts are one
/// after the other by less than a millisecond: they take a lock in turn.
fn at_once(
    processors: [u32; 2],
    arms: [usize; 2],
    run: &(dyn Fn(usize) -> Result<Finished, String> + Sync),
) -> Result<[Finished; 2], String> {
    let barrier = Barrier::new(2);
    let half = |i: usize| {
        let _pinned = pin::Pinned::to(processors[i]);
        barrier.wait();
        run(arms[i])
    };
    let [one, other] = std::thread::scope(|scope| {
        let threads = [0, 1].map(|i| scope.spawn(move || half(i)));
        threads.map(|t| t.join().expect("a run panicked"))
    });
    Ok([one?, other?])
}
