//! Student's t against scipy 1.17.1: `2 * stats.t.sf(t, n)` and `stats.t.isf(level / 2, n)`.

use karat_judge::{student_critical, student_p};

#[test]
fn p_values() {
    for (t, freedom, expected) in [
        (12.7, 1, 0.050024327689344165),
        (2.5, 1, 0.24223788318168682),
        (1.0, 2, 0.4226497308103742),
        (3.2, 3, 0.0493318429626962),
        (2.0, 7, 0.08561932856297605),
        (4.4, 14, 0.0006048141218068303),
        (2.1, 30, 0.04424247126232353),
        (-3.0, 101, 0.003400481600681083),
    ] {
        let p = student_p(t, freedom);
        assert!((p - expected).abs() < 1e-13, "{t} {freedom}: {p}");
    }
    assert_eq!(student_p(0.0, 5), 1.0);
    assert!(student_p(f64::INFINITY, 5) < 1e-15);
    assert!(student_p(1.0, 0).is_nan() && student_p(f64::NAN, 3).is_nan());
}

#[test]
fn critical_values() {
    for (level, freedom, expected) in [
        (0.05, 1, 12.706204736174705),
        (0.05, 2, 4.302652729749464),
        (0.05, 3, 3.1824463052837086),
        (0.01, 7, 3.4994832973504932),
        (0.001, 15, 4.072765195903791),
        (0.05, 100, 1.983971518523552),
    ] {
        let t = student_critical(level, freedom);
        assert!((t / expected - 1.0).abs() < 1e-10, "{level} {freedom}: {t}");
    }
    assert_eq!(student_critical(0.0, 3), f64::INFINITY);
    assert!(student_critical(1.0, 3).abs() < 1e-12);
    assert!(student_critical(0.05, 0).is_nan() && student_critical(1.5, 2).is_nan());
}
