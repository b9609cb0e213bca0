//! Quantiles against numpy 2.4.6 `np.quantile` (type 7).

use karat_judge::{faster_half_mean, median, quantile};

#[test]
fn quantiles_equal_numpys() {
    let sorted = [1.5, 2.0, 4.0, 8.0, 16.0, 40.0];
    for (q, expected) in [
        (0.0, 1.5),
        (0.05, 1.625),
        (0.25, 2.5),
        (0.5, 6.0),
        (0.9, 28.0),
        (0.99, 38.8),
        (1.0, 40.0),
    ] {
        let found = quantile(&sorted, q).expect("not empty");
        assert!((found - expected).abs() < 1e-12, "{q}: {found}");
    }
    assert_eq!(quantile(&[], 0.5), None);
    assert_eq!(quantile(&sorted, 1.5), None);
    assert_eq!(quantile(&sorted, f64::NAN), None);
    assert_eq!(median(&[9.0, 1.0, 5.0]), Some(5.0));
    assert_eq!(median(&[]), None);
}

#[test]
fn faster_half_takes_the_smaller_half_rounded_up() {
    assert_eq!(faster_half_mean(&[4.0, 1.0, 100.0, 3.0]), 2.0);
    assert_eq!(faster_half_mean(&[9.0, 1.0, 2.0, 3.0, 50.0]), 2.0);
    assert_eq!(faster_half_mean(&[7.0]), 7.0);
    assert!(faster_half_mean(&[]).is_nan());
    assert_eq!(faster_half_mean(&[1e308; 6]), 1e308);
}
