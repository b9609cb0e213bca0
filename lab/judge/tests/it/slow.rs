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
    let mut all: Vec<Vec<f64>> = Vec::new();
    for q in [0.5, 0.25, 0.1, 0.05] {
        if q < 0.5 && q * (pooled.len() as f64) < 8.0 {
            continue;
        }
        let c = quantile(pooled.clone(), q);
        let share = pooled.iter().filter(|v| **v <= c).count() as f64 / pooled.len() as f64;
        let low = x.iter().zip(y).map(|(x, y)| (y.min(c) - x.min(c)) / share);
        all.push(low.collect());
    }
    let c = quantile(apart.iter().map(|d| d.abs()).collect(), 0.75);
    let share = apart.iter().filter(|d| d.abs() <= c).count() as f64 / x.len() as f64;
    all.push(apart.iter().map(|d| d.clamp(-c, c) / share).collect());

    let weight = |d: &Vec<f64>| d.iter().map(|d| d * d).sum::<f64>().powi(-4);
    let total: f64 = all.iter().map(weight).sum();
    (0..x.len())
        .map(|r| all.iter().map(|d| weight(d) / total * d[r]).sum())
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
