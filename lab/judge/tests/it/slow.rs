//! The scores once more, the plain way: from the formulas in the documentation of the crate.

fn quantile(mut values: Vec<f64>, q: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = q * (values.len() - 1) as f64;
    let (low, high) = (values[at.floor() as usize], values[at.ceil() as usize]);
    low + (at - at.floor()) * (high - low)
}

/// Scores of log costs in rounds whose order is not known.
pub fn scores(x: &[f64], y: &[f64]) -> Vec<f64> {
    let pooled: Vec<f64> = x.iter().chain(y).copied().collect();
    let apart: Vec<f64> = x.iter().zip(y).map(|(x, y)| y - x).collect();
    let c = quantile(pooled.clone(), 0.5);
    let faster = x.iter().zip(y).map(|(x, y)| y.min(c) - x.min(c));
    let faster_share = pooled.iter().filter(|v| **v <= c).count() as f64 / pooled.len() as f64;
    let c = quantile(apart.iter().map(|d| d.abs()).collect(), 0.75);
    let pair = apart.iter().map(|d| d.clamp(-c, c));
    let pair_share = apart.iter().filter(|d| d.abs() <= c).count() as f64 / x.len() as f64;

    let one: Vec<f64> = faster.map(|d| d / faster_share).collect();
    let two: Vec<f64> = pair.map(|d| d / pair_share).collect();
    let weight = |d: &[f64]| 1.0 / d.iter().map(|d| d * d).sum::<f64>();
    let (a, b) = (weight(&one), weight(&two));
    let both = one.iter().zip(&two);
    both.map(|(one, two)| (a * one + b * two) / (a + b))
        .collect()
}

/// |T| when the labels of some rounds are exchanged, everything computed afresh.
pub fn statistic(b: &[f64], v: &[f64], exchanged: impl Fn(usize) -> bool) -> f64 {
    let pick = |one: &[f64], two: &[f64]| -> Vec<f64> {
        (0..b.len())
            .map(|r| if exchanged(r) { two[r] } else { one[r] }.ln())
            .collect()
    };
    scores(&pick(b, v), &pick(v, b)).iter().sum::<f64>().abs()
}
