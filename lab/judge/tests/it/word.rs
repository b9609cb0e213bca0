//! The rules, case by case.

use karat_judge::{Interval, Judgement, judge, log_margin, more_rounds_needed};

const INF: f64 = f64::INFINITY;

fn interval(low: f64, high: f64) -> Interval {
    Interval { low, high }
}

#[test]
fn words() {
    use Judgement::{Faster, Inconclusive, Same, Slower};
    for (estimate, low, high, expected) in [
        (0.000, -0.005, 0.005, Same),
        (0.005, 0.001, 0.009, Same), // real, and too small to matter
        (-0.02, -0.03, -0.011, Faster),
        (-0.02, -0.04, -0.001, Faster), // excludes 0, not the margin
        (0.02, 0.001, 0.04, Slower),
        (0.02, 0.0, 0.04, Inconclusive), // 0 on the bound is inside
        (0.008, 0.001, 0.015, Inconclusive), // excludes 0, estimate under the margin
        (0.0, -0.01, 0.005, Inconclusive), // margin on the bound is not inside
        (0.0, -INF, INF, Inconclusive),
        (-0.5, -INF, INF, Inconclusive),
        (f64::NAN, f64::NAN, f64::NAN, Inconclusive),
    ] {
        let word = judge(estimate, interval(low, high), 0.01);
        assert_eq!(word, expected, "{estimate} [{low}, {high}]");
    }
    assert_eq!(judge(1e-9, interval(1e-10, 1e-8), 0.0), Slower);
    assert_eq!(judge(0.0, interval(0.0, 0.0), 0.0), Inconclusive);
    assert_eq!(log_margin(0.01), 0.01f64.ln_1p());
}

#[test]
fn bounds_belong_to_the_interval() {
    assert!(!interval(0.0, 1.0).excludes_zero() && !interval(-1.0, 0.0).excludes_zero());
    assert!(interval(1e-300, 1.0).excludes_zero() && interval(-1.0, -1e-300).excludes_zero());
    assert!(!interval(-0.01, 0.0).within(0.01) && !interval(0.0, 0.01).within(0.01));
    assert!(interval(-0.009, 0.009).within(0.01));
}

#[test]
fn rounds_for_a_difference() {
    // Half width 0.02 must shrink to the estimate 0.01: four times the rounds.
    let needed = |e, low, high| more_rounds_needed(e, interval(low, high), 0.005, 10);
    assert_eq!(needed(0.01, -0.01, 0.03), Some(40));
    assert_eq!(needed(-0.01, -0.03, 0.01), Some(40));
    // Only the side towards 0 matters.
    assert_eq!(needed(0.01, -0.01, 0.9), Some(40));
}

#[test]
fn rounds_for_sameness() {
    let needed = |e, low, high| more_rounds_needed(e, interval(low, high), 0.01, 10);
    assert_eq!(needed(0.0, -0.02, 0.02), Some(40));
    // 0.002 from the margin with half width 0.01: 25 times.
    assert_eq!(needed(0.008, -0.002, 0.018), Some(250));
    assert_eq!(needed(-0.008, -0.018, 0.002), Some(250));
    // The bound is just outside: at least one more round.
    assert_eq!(needed(0.0, -0.01, 0.01), Some(11));
}

#[test]
fn rounds_out_of_reach() {
    let needed = |e, low, high| more_rounds_needed(e, interval(low, high), 0.01, 10);
    assert_eq!(needed(0.0099, -0.01, 0.03), None);
    assert_eq!(needed(0.0, -INF, INF), None);
    assert_eq!(needed(0.02, -INF, INF), None);
    assert_eq!(needed(f64::NAN, f64::NAN, f64::NAN), None);
    // Decided already.
    assert_eq!(needed(0.0, -0.001, 0.001), Some(10));
    assert_eq!(needed(0.03, 0.02, 0.04), Some(10));
}
