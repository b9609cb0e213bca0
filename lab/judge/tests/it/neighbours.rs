//! A machine whose neighbours come and go: recorded runs, and a simulation of two levels.
//! The example `rules` uses this file too.

use karat_judge::{Arm, Layout, Pair, Rng, log_margin, normal_quantile};

/// One run, as far as a judge sees it.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub cost: f64,
    pub quiet: bool,
}

/// A width probe counts as quiet up to this multiple of the file's first percentile.
const QUIET: f64 = 1.05;

/// Recorded runs of one binary, in their order.
pub struct Recorded {
    pub name: &'static str,
    pub runs: Vec<Run>,
}

/// The recordings in `tests/data/neighbours`.
pub fn recorded() -> Vec<Recorded> {
    [
        ("memchr", include_str!("../data/neighbours/memchr.csv")),
        (
            "sr25519",
            include_str!("../data/neighbours/sr25519-verify.csv"),
        ),
        ("Keccak", include_str!("../data/neighbours/keccak-256.csv")),
        (
            "Zen 3, memchr",
            include_str!("../data/neighbours/zen3-memchr.csv"),
        ),
        (
            "Zen 3, BLAKE2b",
            include_str!("../data/neighbours/zen3-blake2b-many.csv"),
        ),
    ]
    .into_iter()
    .map(|(name, text)| Recorded {
        name,
        runs: runs(text),
    })
    .collect()
}

fn runs(text: &str) -> Vec<Run> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let column = |name: &str| {
        let at = header.iter().position(|h| *h == name);
        at.unwrap_or_else(|| panic!("no column {name}"))
    };
    let (cost, before, after) = (
        column("cost_s"),
        column("width_before"),
        column("width_after"),
    );
    let rows: Vec<[f64; 3]> = lines
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            [cost, before, after].map(|at| fields[at].parse().expect("a number"))
        })
        .collect();
    let mut widths: Vec<f64> = rows.iter().flat_map(|r| [r[1], r[2]]).collect();
    widths.sort_by(f64::total_cmp);
    let limit = QUIET * widths[widths.len() / 100];
    rows.iter()
        .map(|[cost, before, after]| Run {
            cost: *cost,
            quiet: *before <= limit && *after <= limit,
        })
        .collect()
}

/// Two levels that hold for a while, seen imperfectly by a probe before and after each run.
#[derive(Clone, Copy, Debug)]
pub struct TwoLevels {
    /// Share of the time on the slow level.
    pub share: f64,
    /// Cost on the slow level over that on the fast one.
    pub factor: f64,
    /// Mean time on the slow level, in runs.
    pub hold: f64,
    /// Whether a run waits for a quiet moment, for as long as a run at most.
    pub waits: bool,
}

/// Parts of a run: the level may change between them.
const PARTS: u32 = 8;
/// How often the probe is wrong.
const PROBE_ERRS: f64 = 0.04;
/// Scatter of a run's log cost that no neighbour makes.
const OWN_NOISE: f64 = 0.003;

/// Simulated runs.
pub struct Machine {
    levels: TwoLevels,
    slow: bool,
}

impl Machine {
    pub fn new(levels: TwoLevels, rng: &mut Rng) -> Self {
        Self {
            levels,
            slow: uniform(rng) < levels.share,
        }
    }

    fn pass(&mut self, rng: &mut Rng) {
        let TwoLevels { share, hold, .. } = self.levels;
        let mean = if self.slow {
            hold
        } else {
            hold * (1.0 - share) / share
        };
        if uniform(rng) < 1.0 / (mean * f64::from(PARTS)) {
            self.slow = !self.slow;
        }
    }

    fn probe(&self, rng: &mut Rng) -> bool {
        !self.slow ^ (uniform(rng) < PROBE_ERRS)
    }

    pub fn run(&mut self, rng: &mut Rng) -> Run {
        let mut before = self.probe(rng);
        for _ in 0..PARTS {
            if !self.levels.waits || before {
                break;
            }
            self.pass(rng);
            before = self.probe(rng);
        }
        let mut cost = 0.0;
        for _ in 0..PARTS {
            cost += if self.slow { self.levels.factor } else { 1.0 };
            self.pass(rng);
        }
        let after = self.probe(rng);
        Run {
            cost: 0.02 * cost / f64::from(PARTS) * (OWN_NOISE * normal(rng)).exp(),
            quiet: before && after,
        }
    }
}

/// Where runs come from.
pub enum Source<'a> {
    Recorded(&'a Recorded),
    Simulated(TwoLevels),
}

impl Source<'_> {
    /// The next runs, from a random place on; recordings begin again at their end.
    pub fn runs(&self, rng: &mut Rng, count: usize) -> Vec<Run> {
        match self {
            Self::Recorded(file) => {
                let from = rng.below(file.runs.len() as u64) as usize;
                let all = file.runs.iter().copied().cycle();
                all.skip(from).take(count).collect()
            }
            Self::Simulated(levels) => {
                let mut machine = Machine::new(*levels, rng);
                (0..count).map(|_| machine.run(rng)).collect()
            }
        }
    }
}

/// Arms in rounds, in random order within each.
pub struct Rounds {
    pub costs: Vec<Vec<f64>>,
    pub places: Vec<Vec<u32>>,
    pub quiet: Vec<Vec<bool>>,
}

impl Rounds {
    /// Consecutive runs as rounds of arms whose true log costs are `levels`.
    pub fn new(source: &Source<'_>, rng: &mut Rng, rounds: usize, levels: &[f64]) -> Self {
        let arms = levels.len();
        let runs = source.runs(rng, rounds * arms);
        let mut out = Self {
            costs: vec![vec![0.0; rounds]; arms],
            places: vec![vec![0; rounds]; arms],
            quiet: vec![vec![false; rounds]; arms],
        };
        for (round, runs) in runs.chunks(arms).enumerate() {
            let mut order: Vec<usize> = (0..arms).collect();
            rng.shuffle(&mut order);
            for ((place, arm), run) in (0..).zip(order).zip(runs) {
                out.costs[arm][round] = run.cost * levels[arm].exp();
                out.places[arm][round] = place;
                out.quiet[arm][round] = run.quiet;
            }
        }
        out
    }

    /// An arm's first rounds.
    pub fn arm(&self, arm: usize, rounds: usize) -> Arm<'_> {
        Arm {
            costs: &self.costs[arm][..rounds],
            places: Some(&self.places[arm][..rounds]),
            quiet: Some(&self.quiet[arm][..rounds]),
        }
    }

    /// Arm 0 against another, the rest beside them.
    pub fn layout(&self, variant: usize, rounds: usize) -> Layout<'_> {
        let rest = (1..self.costs.len()).filter(|arm| *arm != variant);
        Layout {
            baseline: self.arm(0, rounds),
            variant: self.arm(variant, rounds),
            again: None,
            others: rest.map(|arm| self.arm(arm, rounds)).collect(),
        }
    }

    pub fn pair(&self, variant: usize, rounds: usize, margin: f64) -> Pair<'_> {
        Pair {
            layouts: vec![self.layout(variant, rounds)],
            margin: log_margin(margin),
        }
    }
}

fn uniform(rng: &mut Rng) -> f64 {
    ((rng.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

fn normal(rng: &mut Rng) -> f64 {
    normal_quantile(uniform(rng))
}
