//! Normal quantiles against `scipy.stats.norm.ppf` (scipy 1.17.1).

use karat_judge::{minimum_detectable_effect, normal_quantile};

#[test]
fn quantiles_equal_scipys() {
    for (p, expected) in [
        (0.5, 0.0),
        (0.6, 0.2533471031357997),
        (0.8, 0.8416212335729143),
        (0.9, 1.2815515655446004),
        (0.95, 1.6448536269514722),
        (0.975, 1.959963984540054),
        (0.99, 2.3263478740408408),
        (0.995, 2.5758293035489004),
        (0.9998, 3.540083799206175),
        (1e-4, -3.7190164854556804),
        (1e-6, -4.753424308822899),
        (1e-12, -7.034483825301131),
        (1e-30, -11.464024688443613),
        (1e-300, -37.0470962993612),
        // Either side of the seams between the three approximations.
        (0.075, -1.4395314709384563),
        (0.0749, -1.4402382675279635),
        (0.92500001, 1.4395315415821681),
    ] {
        let z = normal_quantile(p);
        assert!(
            (z - expected).abs() <= 2e-14 * (1.0 + expected.abs()),
            "{p}: {z}"
        );
    }
    assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
    assert_eq!(normal_quantile(1.0), f64::INFINITY);
    for p in [-0.1, 1.1, f64::NAN] {
        assert!(normal_quantile(p).is_nan());
    }
}

#[test]
fn the_detectable_effect_is_the_textbook_sum() {
    // 1.959964 + 0.841621 = 2.801585 standard deviations.
    let mde = minimum_detectable_effect(0.001, 0.05);
    assert!((mde.ln_1p() - 0.002_801_585).abs() < 1e-9, "{mde}");
    assert_eq!(minimum_detectable_effect(0.0, 0.05), 0.0);
}
