//! Hartigan's dip: how far an empirical distribution is from the nearest unimodal one.
//!
//! The dip is the smallest possible largest difference between the empirical distribution
//! function and any distribution function that is convex up to a mode and concave after it.
//! One-sided tails, however long, are unimodal and do not raise it.
//!
//! Source: J. Hartigan and P. Hartigan, "The Dip Test of Unimodality", Annals of Statistics
//! 13(1), 1985, pp. 70-84, algorithm of section 4: greatest convex minorant and least concave
//! majorant on a shrinking modal interval.

/// A value with the counts of values below it and up to it.
#[derive(Clone, Copy)]
struct Step {
    x: f64,
    below: f64,
    upto: f64,
}

/// Corner of a hull: index into the steps and height.
type Corner = (usize, f64);

/// The dip of values in ascending order, at least 1/(2n); 0 of no values.
pub(crate) fn dip(sorted: &[f64]) -> f64 {
    if sorted.is_empty() {
        return 0.0;
    }
    let steps = steps(sorted);
    let (mut low, mut high) = (0, steps.len() - 1);
    let mut found = 1.0f64;
    loop {
        let part = &steps[low..=high];
        let minorant = hull(part, |s| s.below, 1.0);
        let majorant = hull(part, |s| s.upto, -1.0);
        let (apart, new_low, new_high) = modal(part, &minorant, &majorant);
        if apart <= found {
            break;
        }
        for (i, step) in part.iter().enumerate() {
            // A modal interval may hold an atom at its ends.
            if i < new_low {
                found = found.max(step.upto - at(part, &minorant, i));
            }
            if i > new_high {
                found = found.max(at(part, &majorant, i) - step.below);
            }
        }
        if (new_low, new_high) == (0, part.len() - 1) {
            break;
        }
        (low, high) = (low + new_low, low + new_high);
    }
    found / (2.0 * sorted.len() as f64)
}

fn steps(sorted: &[f64]) -> Vec<Step> {
    let mut below = 0;
    sorted
        .chunk_by(|a, b| a == b)
        .map(|equal| {
            let step = Step {
                x: equal[0],
                below: below as f64,
                upto: (below + equal.len()) as f64,
            };
            below += equal.len();
            step
        })
        .collect()
}

/// The corners of the lower hull (`sign` 1) or the upper one (-1) of the steps' heights.
fn hull(steps: &[Step], height: impl Fn(&Step) -> f64, sign: f64) -> Vec<Corner> {
    let mut corners: Vec<Corner> = Vec::new();
    for (i, step) in steps.iter().enumerate() {
        let y = height(step);
        while let [.., (a, ya), (b, yb)] = corners[..] {
            let (xa, xb) = (steps[a].x, steps[b].x);
            if sign * ((xb - xa) * (y - ya) - (step.x - xa) * (yb - ya)) > 0.0 {
                break;
            }
            corners.pop();
        }
        corners.push((i, y));
    }
    corners
}

/// Height of a hull above step `i`.
fn at(steps: &[Step], corners: &[Corner], i: usize) -> f64 {
    let after = corners.partition_point(|c| c.0 < i);
    let (b, yb) = corners[after];
    if b == i {
        return yb;
    }
    let (a, ya) = corners[after - 1];
    let share = (steps[i].x - steps[a].x) / (steps[b].x - steps[a].x);
    ya + share * (yb - ya)
}

/// The largest distance of the hulls at a corner of either, and the next modal interval: from
/// the minorant's corner to the majorant's around the place where it is attained.
fn modal(steps: &[Step], minorant: &[Corner], majorant: &[Corner]) -> (f64, usize, usize) {
    let mut best = (0.0, 0, steps.len() - 1);
    for &(g, y) in minorant {
        let apart = at(steps, majorant, g) - y;
        if apart > best.0 {
            let next = majorant[majorant.partition_point(|c| c.0 < g)].0;
            best = (apart, g, next);
        }
    }
    for &(l, y) in majorant {
        let apart = y - at(steps, minorant, l);
        // On a tie the majorant's corner counts, as in the paper.
        if apart > best.0 {
            let after = minorant.partition_point(|c| c.0 <= l);
            best = (apart, minorant[after - 1].0, l);
        }
    }
    best
}
