//! Holm against statsmodels 0.15.0 `multipletests(p, 0.05, 'holm')`.

use karat_judge::holm;

fn check(p: &[f64], rejected: &[bool], adjusted: &[f64], levels: &[f64]) {
    let steps = holm(p, 0, 0.05);
    assert_eq!(steps.len(), p.len());
    for (i, step) in steps.iter().enumerate() {
        assert_eq!(step.rejected, rejected[i], "{i}");
        assert!((step.adjusted - adjusted[i]).abs() < 1e-12, "{i}: {step:?}");
        assert!((step.level - levels[i]).abs() < 1e-15, "{i}: {step:?}");
    }
}

#[test]
fn steps_equal_statsmodels() {
    // In order: .005 against .05/5, .01 against .05/4, .03 against .05/3 stops.
    let stop = 0.05 / 3.0;
    check(
        &[0.01, 0.04, 0.03, 0.005, 0.6],
        &[true, false, false, true, false],
        &[0.04, 0.09, 0.09, 0.025, 0.6],
        &[0.05 / 4.0, stop, stop, 0.05 / 5.0, stop],
    );
    // The third is below its own later level, and still stops with the second.
    let stop = 0.05 / 5.0;
    check(
        &[0.001, 0.012, 0.0126, 0.024, 0.03, 0.2],
        &[true, false, false, false, false, false],
        &[0.006, 0.06, 0.06, 0.072, 0.072, 0.2],
        &[0.05 / 6.0, stop, stop, stop, stop, stop],
    );
}

#[test]
fn small_families() {
    assert!(holm(&[], 0, 0.05).is_empty());
    check(&[0.05], &[true], &[0.05], &[0.05]);
    check(&[0.051], &[false], &[0.051], &[0.05]);
    check(&[1e-9, 1e-9], &[true, true], &[2e-9, 2e-9], &[0.025, 0.05]);
}

#[test]
fn missing_p_keeps_its_place() {
    // 0.03 alone would be rejected; beside a missing one it is tested at 0.025.
    check(
        &[f64::NAN, 0.03],
        &[false, false],
        &[1.0, 0.06],
        &[0.025, 0.025],
    );
}
