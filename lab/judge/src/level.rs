//! What the machine cost at the time of each sample, as its neighbours in time saw it.
//!
//! A clock that moves by several percent within seconds is the largest part of a cost's
//! scatter, and the samples measured just before and after see it too, whatever arm they
//! belong to. The level of a sample is the mean of the lower half of its (up to) four
//! neighbours' log costs, two on each side, itself left out; each other arm is first brought
//! to its own lower-half mean, and the pair under test to one common mean. A sample that is
//! missing leaves its place to the next one.
//!
//! Nothing here knows which label a sample of the pair has, so a level may be subtracted and
//! the label-swap test stays exact. A sample's own clock is not used: a variant that throttles
//! its core while it runs keeps its cost.

/// Neighbours on each side.
const REACH: usize = 2;

/// A sample's log cost, if it was measured, and its place in the round's order.
pub(crate) type Placed = (Option<f64>, u32);

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
    /// `columns[arm][round]`; the first two are the pair, and whole. The others may be shorter.
    /// `None` when two samples of a round claim one place.
    pub(crate) fn new(columns: &[Vec<Placed>]) -> Option<Self> {
        let rounds = columns.first()?.len();
        let levels: Vec<f64> = columns
            .iter()
            .map(|column| {
                lower_half_mean(&mut column.iter().filter_map(|c| c.0).collect::<Vec<_>>())
            })
            .collect();
        let mut pair = vec![[0; 2]; rounds];
        let mut run = Vec::with_capacity(rounds * columns.len());
        let mut order: Vec<(u32, usize, f64)> = Vec::with_capacity(columns.len());
        for (round, places) in pair.iter_mut().enumerate() {
            order.clear();
            for (arm, column) in columns.iter().enumerate() {
                if let Some(&(Some(cost), place)) = column.get(round) {
                    order.push((place, arm, cost));
                }
            }
            order.sort_unstable_by_key(|o| o.0);
            if order.windows(2).any(|w| w[0].0 == w[1].0) {
                return None;
            }
            for &(_, arm, cost) in &order {
                if let Some(place) = places.get_mut(arm) {
                    *place = run.len();
                }
                run.push(cost - levels[arm]);
            }
        }
        Some(Self { pair, run })
    }

    /// The levels of both samples of each round, for the pair's log costs (first, second).
    pub(crate) fn levels(&self, pair: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let common = lower_half_mean(&mut pair.iter().flatten().copied().collect::<Vec<_>>());
        let mut run = self.run.clone();
        for (places, costs) in self.pair.iter().zip(pair) {
            for (&place, cost) in places.iter().zip(costs) {
                run[place] = cost - common;
            }
        }
        let level = |at: usize| {
            let mut near = [0.0; 2 * REACH];
            let before = &run[at.saturating_sub(REACH)..at];
            let after = &run[at + 1..(at + 1 + REACH).min(run.len())];
            let count = before.len() + after.len();
            near[..before.len()].copy_from_slice(before);
            near[before.len()..count].copy_from_slice(after);
            lower_half_mean(&mut near[..count])
        };
        self.pair.iter().map(|places| places.map(level)).collect()
    }
}

/// Mean of the smallest ceil(n/2) values.
pub(crate) fn lower_half_mean(values: &mut [f64]) -> f64 {
    let half = values.len().div_ceil(2);
    values.sort_unstable_by(f64::total_cmp);
    values[..half].iter().sum::<f64>() / half as f64
}
