//! The values within one run: how they spread, and what they would decide if each were a
//! run of its own.

use super::seen::{FigureSeen, RunSeen};
use karat_model::compare::Spread;
use karat_model::units::convert;

/// Values of a side that are judged; of more, as many at even distances.
const MOST: usize = 400;

fn values(run: &RunSeen) -> &[f64] {
    match run.samples.is_empty() {
        true => &run.values,
        false => &run.samples,
    }
}

/// All values within the runs of a side, in `unit`.
pub(super) fn samples(seen: Option<&FigureSeen>, unit: &str) -> Vec<f64> {
    let Some(seen) = seen else { return Vec::new() };
    let all = seen.runs.iter().flat_map(|(_, run)| values(run));
    let all: Vec<f64> = all
        .map(|v| convert(*v, &seen.unit, unit).unwrap_or(*v))
        .collect();
    let kept = all.len().min(MOST);
    (0..kept).map(|i| all[i * all.len() / kept]).collect()
}

/// How the values within the runs of a side spread.
pub(super) fn spread(seen: Option<&FigureSeen>) -> Option<Spread> {
    let runs = seen?.runs.iter().map(|(_, run)| values(run));
    let several: Vec<&[f64]> = runs.filter(|values| values.len() > 1).collect();
    let relative = several.iter().map(|values| {
        let [low, middle, high] = [0.25, 0.5, 0.75].map(|q| quantile(values, q));
        (high - low) / middle
    });
    let relative: Vec<f64> = relative.filter(|r| r.is_finite()).collect();
    (!relative.is_empty()).then(|| Spread {
        values: several.iter().map(|values| values.len() as u64).sum(),
        relative: quantile(&relative, 0.5),
    })
}

/// A quantile with linear interpolation: Hyndman and Fan (1996), definition 7.
pub(super) fn quantile(values: &[f64], q: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else {
        return f64::NAN;
    };
    let place = q * last as f64;
    let low = place.floor() as usize;
    let high = (low + 1).min(last);
    sorted[low] + (sorted[high] - sorted[low]) * (place - low as f64)
}

#[cfg(test)]
mod tests {
    use super::quantile;

    #[test]
    fn quantiles_are_those_of_r() {
        // R: quantile(c(3, 1, 4, 1, 5, 9, 2, 6), c(.25, .5, .75))
        let values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0];
        assert_eq!(quantile(&values, 0.25), 1.75);
        assert_eq!(quantile(&values, 0.5), 3.5);
        assert_eq!(quantile(&values, 0.75), 5.25);
        assert_eq!(quantile(&[7.0], 0.25), 7.0);
    }
}
