//! Rounds of one workload, as karat measures them: all arms in random order, each run begun in a
//! quiet moment, and made again when it was not quiet at both ends.

use crate::options::Request;
use crate::samples::Sample;
use crate::series::ARMS;
use crate::subject;
use karat_host::clock;
use karat_host::neighbours::{Neighbours, Repeats};
use karat_judge::Rng;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Unmeasured rounds before the first.
const WARM_UP: u32 = 3;

/// The rounds of a workload.
pub struct Rounds<'a> {
    request: &'a Request,
    workload: &'a str,
    operations: u64,
    neighbours: &'a mut Neighbours,
    made: u32,
    repeats: Repeats,
}

impl<'a> Rounds<'a> {
    pub fn new(
        request: &'a Request,
        workload: &'a str,
        operations: u64,
        neighbours: &'a mut Neighbours,
    ) -> Self {
        Self {
            request,
            workload,
            operations,
            neighbours,
            made: 0,
            repeats: Repeats::default(),
        }
    }

    /// How many there were.
    pub fn made(&self) -> u32 {
        self.made
    }

    pub fn warm_up(&mut self, rng: &mut Rng) -> Result<(), String> {
        for _ in 0..WARM_UP {
            self.one(rng)?;
        }
        (self.made, self.repeats) = (0, Repeats::default());
        Ok(())
    }

    /// Measures one round on the processor this thread is on; its lines.
    pub fn one(&mut self, rng: &mut Rng) -> Result<String, String> {
        let mut lines = String::new();
        let mut next: Vec<usize> = (0..ARMS.len()).collect();
        for attempt in 0.. {
            rng.shuffle(&mut next);
            let places = attempt * ARMS.len() as u32;
            let mut unquiet = Vec::new();
            for (position, arm) in (places..).zip(next) {
                let sample = self.sample(attempt, position, arm)?;
                lines += &sample.line();
                if !sample.quiet {
                    unquiet.push(arm);
                }
                self.repeats.count(1, attempt);
            }
            next = unquiet;
            if next.is_empty() || !self.repeats.allow(attempt) {
                break;
            }
        }
        self.made += 1;
        Ok(lines)
    }

    fn sample(&mut self, attempt: u32, position: u32, arm: usize) -> Result<Sample, String> {
        let start = Instant::now();
        let wait = self.neighbours.wait(&AtomicBool::new(false));
        let run = subject::run(self.request, self.workload, self.operations, arm, self.made)?;
        let width = [wait.width, self.neighbours.look()];
        let took = start.elapsed().as_secs_f64();
        let threshold = self.neighbours.threshold();
        Ok(Sample {
            workload: self.workload.to_owned(),
            round: self.made,
            attempt,
            position,
            arm,
            wall: run.wall,
            cpu: run.cpu,
            width,
            quiet: width.iter().all(|w| *w >= threshold),
            waited: wait.seconds,
            took,
            clock: clock::ghz(),
            switches: run.switches,
        })
    }
}
