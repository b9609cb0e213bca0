//! Change points: where a series goes from one level to another.
//!
//! Test: the largest rank statistic over all places. R(t) is the sum of the first t ranks of n;
//! without a change it has mean t(n+1)/2 and variance t(n-t)/(n(n-1)) sum (r - mean r)^2, ties
//! included, and z(t) is its distance from that mean in standard deviations. Over the places
//! that leave 5 values on both sides, with e = 5/n and phi the normal density, the largest |z|
//! reaches b with a p of about 4 phi(b)/b + phi(b) (b - 1/b) 2 ln((1-e)/e).
//! Of more than one, binary segmentation: a series that has a change is cut there, and both
//! parts are looked at again. Afterwards each change is moved to the strongest place between its
//! neighbours and tested there, and the least certain that does not stand is taken back, until
//! all do.
//!
//! Values next in time resemble each other, which makes R wander further: z is divided by the
//! root of the inflation of that (`autocorrelation.rs`), estimated so that changes do not count as
//! resemblance.
//!
//! A slope is no change point, but looks like many. [`shape`] therefore holds four accounts of
//! a series against each other: levels, a line, a line with levels on it, and such a line with
//! the slope of near values, which a large step does not reach; the least of
//! 2 n ln(mean absolute residual) + parameters ln n (Schwarz's criterion, for residuals with
//! Laplace's distribution) is taken. The last one must halve the residual besides.
//!
//! Sources: B. Lausen and M. Schumacher, "Maximally Selected Rank Statistics", Biometrics 48(1),
//! 1992, pp. 73-85; R. Miller and D. Siegmund, "Maximally Selected Chi Square Statistics",
//! Biometrics 38(4), 1982, pp. 1011-1016 (p); A. Scott and M. Knott, "A Cluster
//! Analysis Method for Grouping Means in the Analysis of Variance", Biometrics 30(3), 1974,
//! pp. 507-512 (binary segmentation); G. Schwarz, "Estimating the Dimension of a Model", Annals
//! of Statistics 6(2), 1978, pp. 461-464.

use crate::autocorrelation::{inflation, lag_one_of_steps, ranks};
use crate::describe::median;
use std::f64::consts::PI;

/// Fewest values on a level.
const LEAST: usize = 5;
/// Residuals smaller than this share of the values are as good as none.
const NOTHING: f64 = 1e-6;

/// A change from one level to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangePoint {
    /// Place of the first value on the new level.
    pub at: usize,
    /// Median since the change before.
    pub before: f64,
    /// Median until the next change.
    pub after: f64,
    /// p of "no change between the neighbours", corrected for autocorrelation.
    pub p: f64,
}

/// What a series does over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Whether a line says more of it than levels alone.
    pub line: bool,
    /// The changes, on top of the line if there is one; medians are those of the values.
    pub changes: Vec<ChangePoint>,
}

/// The change points of a series, each with a p of at most `level`. None of fewer than 10 values
/// or where one is not finite.
#[must_use]
pub fn change_points(values: &[f64], level: f64) -> Vec<ChangePoint> {
    if values.iter().any(|v| !v.is_finite()) {
        return Vec::new();
    }
    let mut cuts = Vec::new();
    segment(values, 0, level, &mut cuts);
    cuts.sort_unstable();
    loop {
        settle(values, &mut cuts);
        let found = between(values, &cuts);
        let worst = (0..found.len()).max_by(|a, b| found[*a].p.total_cmp(&found[*b].p));
        match worst {
            Some(worst) if found[worst].p > level => drop(cuts.remove(worst)),
            _ => return found,
        }
    }
}

/// Whether a series lies on levels or on a line of this `slope`, and its changes of at most
/// this `level` of p.
#[must_use]
pub fn shape(times: &[f64], values: &[f64], slope: f64, level: f64) -> Shape {
    let plain = change_points(values, level);
    let without = |slope: f64| -> Vec<f64> {
        let pairs = values.iter().zip(times);
        pairs.map(|(v, t)| v - slope * t).collect()
    };
    let flat = without(slope);
    let on_line = change_points(&flat, level);
    // A large step is in the slope of the whole. That of neighbours has it not.
    let between_steps = without(slope_of_neighbours(times, values));
    let on_steep = change_points(&between_steps, level);
    let scale = values.iter().fold(0.0, |s: f64, v| s.max(v.abs())) * NOTHING;
    let cost = |values: &[f64], changes: &[ChangePoint], line: bool| {
        let n = values.len() as f64;
        let parameters = 1 + 2 * changes.len() + usize::from(line);
        2.0 * n * residual(values, changes).max(scale).ln() + parameters as f64 * n.ln()
    };
    // In this order: of equals the simpler one is taken.
    let accounts = [
        (cost(values, &plain, false), false, plain),
        (cost(&flat, &[], true), true, Vec::new()),
        (cost(&flat, &on_line, true), true, on_line),
        (
            // The slope of few pairs is less exact: it must halve what is left.
            cost(&between_steps, &on_steep, true) + 2.0 * values.len() as f64 * 2f64.ln(),
            true,
            on_steep,
        ),
    ];
    let best = accounts
        .into_iter()
        .reduce(|best, next| if next.0 < best.0 { next } else { best });
    let (_, line, changes) = best.unwrap_or_default();
    let cuts: Vec<usize> = changes.iter().map(|c| c.at).collect();
    let shown = levels(values, &cuts);
    let changes = changes
        .iter()
        .zip(shown.windows(2))
        .map(|(c, two)| ChangePoint {
            before: two[0],
            after: two[1],
            ..*c
        });
    Shape {
        line,
        changes: changes.collect(),
    }
}

/// The median slope between values a fifth of the series apart. Of these pairs, a single
/// step lies within a quarter.
fn slope_of_neighbours(times: &[f64], values: &[f64]) -> f64 {
    let apart = (values.len() / 5).max(1);
    let slopes: Vec<f64> = (apart..values.len())
        .map(|i| (values[i] - values[i - apart]) / (times[i] - times[i - apart]))
        .filter(|slope| slope.is_finite())
        .collect();
    median(&slopes).unwrap_or(0.0)
}

/// Mean absolute distance to the median of each level.
fn residual(values: &[f64], changes: &[ChangePoint]) -> f64 {
    let cuts: Vec<usize> = changes.iter().map(|c| c.at).collect();
    let sum: f64 = parts(values, &cuts)
        .map(|part| {
            let middle = median(part).unwrap_or(0.0);
            part.iter().map(|v| (v - middle).abs()).sum::<f64>()
        })
        .sum();
    sum / values.len().max(1) as f64
}

fn parts<'a>(values: &'a [f64], cuts: &'a [usize]) -> impl Iterator<Item = &'a [f64]> {
    let from = std::iter::once(0).chain(cuts.iter().copied());
    let to = cuts.iter().copied().chain([values.len()]);
    from.zip(to).map(|(from, to)| &values[from..to])
}

fn levels(values: &[f64], cuts: &[usize]) -> Vec<f64> {
    parts(values, cuts)
        .map(|part| median(part).unwrap_or(f64::NAN))
        .collect()
}

fn segment(values: &[f64], offset: usize, level: f64, cuts: &mut Vec<usize>) {
    let Some((at, p)) = strongest(values) else {
        return;
    };
    if p <= level {
        cuts.push(offset + at);
        let (left, right) = values.split_at(at);
        segment(left, offset, level, cuts);
        segment(right, offset + at, level, cuts);
    }
}

/// Moves each cut to the strongest place between its neighbours: where there are more than one,
/// the first may lie anywhere on the level between two others.
fn settle(values: &[f64], cuts: &mut [usize]) {
    for i in 0..cuts.len() {
        let from = if i == 0 { 0 } else { cuts[i - 1] };
        let to = cuts.get(i + 1).copied().unwrap_or(values.len());
        if let Some((at, _)) = strongest(&values[from..to]) {
            cuts[i] = from + at;
        }
    }
}

/// Each cut tested between its neighbours.
fn between(values: &[f64], cuts: &[usize]) -> Vec<ChangePoint> {
    let levels = levels(values, cuts);
    let one = |(i, at): (usize, &usize)| {
        let from = if i == 0 { 0 } else { cuts[i - 1] };
        let to = cuts.get(i + 1).copied().unwrap_or(values.len());
        ChangePoint {
            at: *at,
            before: levels[i],
            after: levels[i + 1],
            p: p_at(&values[from..to], at - from),
        }
    };
    cuts.iter().enumerate().map(one).collect()
}

/// The strongest cut of a series, and its p.
fn strongest(values: &[f64]) -> Option<(usize, f64)> {
    if values.len() < 2 * LEAST {
        return None;
    }
    let z = statistic(values);
    let best = (LEAST..=values.len() - LEAST).max_by(|a, b| z[*a].total_cmp(&z[*b]))?;
    Some((best, p_at(values, best)))
}

/// |z(t)| for t from 0; 0 at both ends, and throughout where all values are equal.
fn statistic(values: &[f64]) -> Vec<f64> {
    let n = values.len() as f64;
    let ranks = ranks(values);
    let middle = (n + 1.0) / 2.0;
    let spread: f64 = ranks.iter().map(|r| (r - middle).powi(2)).sum();
    let mut sum = 0.0;
    let mut out = vec![0.0];
    for (t, rank) in (1..).zip(ranks) {
        sum += rank;
        let t = f64::from(t);
        let variance = t * (n - t) / (n * (n - 1.0)) * spread;
        out.push(match variance > 0.0 {
            true => (sum - t * middle).abs() / variance.sqrt(),
            false => 0.0,
        });
    }
    out
}

/// p of "no change at this place".
fn p_at(values: &[f64], at: usize) -> f64 {
    let b = statistic(values)[at] / inflation(lag_one_of_steps(values)).sqrt();
    // The approximation is one of small p.
    if b <= 1.0 {
        return 1.0;
    }
    let density = (-b * b / 2.0).exp() / (2.0 * PI).sqrt();
    let e = LEAST as f64 / values.len() as f64;
    let p = density * (4.0 / b + (b - 1.0 / b) * 2.0 * ((1.0 - e) / e).ln());
    p.min(1.0)
}
