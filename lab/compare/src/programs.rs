//! Which files of a side are runs of one program.
//!
//! A side may be several runs of one test program, or one run of each of several,
//! or both. Files of which one shares at least half of its tests and figures with
//! the other are taken for runs of one program; files without any are taken
//! together. How often a message occurs is then compared by run of its program.

use super::collect::Side;
use super::seen::ByFile;
use karat_model::compare::Times;
use std::collections::HashMap;

/// The programs of a side.
pub(super) struct Programs {
    /// By file: which program it is a run of.
    of_file: Vec<usize>,
    /// By program: how many runs it has.
    runs: Vec<u64>,
}

impl Programs {
    /// How many there are.
    pub(super) fn count(&self) -> u32 {
        self.runs.len() as u32
    }

    /// Fewest and most occurrences in a run, the programs added up.
    pub(super) fn times(&self, by_file: &ByFile) -> Times {
        let mut found: HashMap<usize, (u64, Times)> = HashMap::new();
        for (file, times) in by_file {
            let program = self.of_file[*file as usize];
            let (runs, range) = found.entry(program).or_insert((
                0,
                Times {
                    low: u64::MAX,
                    high: 0,
                },
            ));
            *runs += 1;
            range.low = range.low.min(*times);
            range.high = range.high.max(*times);
        }
        let mut sum = Times::default();
        for (program, (runs, range)) in found {
            if runs == self.runs[program] {
                sum.low = sum.low.saturating_add(range.low);
            }
            sum.high = sum.high.saturating_add(range.high);
        }
        sum
    }
}

/// The programs of a side's files.
pub(super) fn of(side: &Side) -> Programs {
    let files = side.files().len();
    let mut sizes = vec![0u64; files];
    // Against the first file that has a thing: runs of one program share it with
    // their first, and nothing is quadratic.
    let mut shared: HashMap<(u32, u32), u64> = HashMap::new();
    let tests = side.tests.iter().map(|t| {
        let files = t.by_file.iter().map(|(file, _)| *file);
        files.collect::<Vec<u32>>()
    });
    let figures = side.figures.iter().map(|f| {
        let files = f.runs.iter().map(|(file, _)| *file);
        files.collect::<Vec<u32>>()
    });
    for found in tests.chain(figures) {
        for file in &found {
            sizes[*file as usize] += 1;
            if *file != found[0] {
                *shared.entry((found[0], *file)).or_default() += 1;
            }
        }
    }
    let mut of_file: Vec<usize> = (0..files).collect();
    let mut pairs: Vec<_> = shared.into_iter().collect();
    pairs.sort_unstable();
    for ((first, other), common) in pairs {
        let (first, other) = (first as usize, other as usize);
        if common * 2 >= sizes[first].min(sizes[other]) {
            let (from, to) = (of_file[other], of_file[first]);
            of_file
                .iter_mut()
                .filter(|p| **p == from)
                .for_each(|p| *p = to);
        }
    }
    if let Some(bare) = sizes.iter().position(|size| *size == 0) {
        for (program, size) in of_file.iter_mut().zip(&sizes) {
            if *size == 0 {
                *program = bare;
            }
        }
    }
    let mut numbers: Vec<usize> = of_file.clone();
    numbers.sort_unstable();
    numbers.dedup();
    let mut runs = vec![0; numbers.len()];
    for program in &mut of_file {
        // The list holds every value of `of_file`.
        *program = numbers.binary_search(program).unwrap_or_default();
        runs[*program] += 1;
    }
    Programs { of_file, runs }
}
