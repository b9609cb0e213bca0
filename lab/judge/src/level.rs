//! What the machine cost at the time of each sample, as its neighbours in time saw it.
//!
//! A clock that moves by several percent within seconds is the largest part of a cost's
//! scatter, and the samples measured just before and after see it too, whatever arm they
//! belong to. The level of a sample is the mean of the lower half of its (up to) four
//! neighbours' log costs, two on each side, itself left out; each other arm is first brought
//! to its own lower-half mean, and the pair under test to one common mean.
//!
//! Nothing here knows which label a sample of the pair has, so a level may be subtracted and
//! the label-swap test stays exact. A sample's own clock is not used: a variant that throttles
//! its core while it runs keeps its cost.

/// Neighbours on each side.
const REACH: usize = 2;

/// Where samples stand in time.
#[derive(Clone, Debug)]
pub(crate) struct Sequence {
    /// Place in the run of the two samples of each round.
    pair: Vec<[usize; 2]>,
    /// Log costs of the other arms, each less its own level, at their places; the places of
    /// the pair are filled for each shift.
    run: Vec<f64>,
}

impl Sequence {
    /// `columns[arm][round]` are (log cost, place in the round's order); the first two are the
    /// pair. `None` when two samples of a round claim one place.
    pub(crate) fn new(columns: &[Vec<(f64, u32)>]) -> Option<Self> {
        let rounds = columns.first()?.len();
        let levels: Vec<f64> = columns
            .iter()
            .map(|column| lower_half_mean(column.iter().map(|c| c.0).collect()))
            .collect();
        let mut pair = vec![[0; 2]; rounds];
        let mut run = Vec::with_capacity(rounds * columns.len());
        let mut order: Vec<usize> = (0..columns.len()).collect();
        for (round, places) in pair.iter_mut().enumerate() {
            order.sort_by_key(|&arm| columns[arm][round].1);
            let doubled = |w: &[usize]| columns[w[0]][round].1 == columns[w[1]][round].1;
            if order.windows(2).any(doubled) {
                return None;
            }
            for &arm in &order {
                if let Some(place) = places.get_mut(arm) {
                    *place = run.len();
                }
                run.push(columns[arm][round].0 - levels[arm]);
            }
        }
        Some(Self { pair, run })
    }

    /// The levels of both samples of each round, for the pair's log costs (first, second).
    pub(crate) fn levels(&self, pair: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let common = lower_half_mean(pair.iter().flatten().copied().collect());
        let mut run = self.run.clone();
        for (places, costs) in self.pair.iter().zip(pair) {
            for (&place, cost) in places.iter().zip(costs) {
                run[place] = cost - common;
            }
        }
        let level = |at: usize| {
            let before = &run[at.saturating_sub(REACH)..at];
            let after = &run[at + 1..(at + 1 + REACH).min(run.len())];
            lower_half_mean([before, after].concat())
        };
        self.pair.iter().map(|places| places.map(level)).collect()
    }
}

/// Mean of the smallest ceil(n/2) values.
fn lower_half_mean(mut values: Vec<f64>) -> f64 {
    let half = values.len().div_ceil(2);
    values.sort_unstable_by(f64::total_cmp);
    values[..half].iter().sum::<f64>() / half as f64
}
