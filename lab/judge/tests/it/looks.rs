//! The schedule spends exactly what it may.

use karat_judge::{ALPHA, looks, schedule};

fn rounds(max: usize) -> Vec<usize> {
    schedule(max).iter().map(|look| look.rounds).collect()
}

#[test]
fn schedules_end_at_the_maximum_and_sum_to_alpha() {
    for max in 2..500 {
        let looks = schedule(max);
        let total: f64 = looks.iter().map(|look| look.alpha).sum();
        assert!((total - ALPHA).abs() < 1e-15, "{max}: {total}");
        assert!(looks.iter().all(|look| look.alpha > 0.0));
        assert_eq!(looks.last().map(|look| look.rounds), Some(max));
        assert!(looks.windows(2).all(|w| w[0].rounds < w[1].rounds), "{max}");
    }
}

#[test]
fn named_schedules() {
    assert_eq!(rounds(40), [10, 20, 40]);
    assert_eq!(rounds(80), [20, 40, 80]);
    assert_eq!(rounds(30), [10, 20, 30]);
    assert_eq!(rounds(20), [10, 20]);
    assert_eq!(rounds(12), [12]);
    assert_eq!(rounds(0), [2]);
    let alphas: Vec<f64> = schedule(20).iter().map(|look| look.alpha).collect();
    assert!((alphas[0] - 0.01).abs() < 1e-15 && (alphas[1] - 0.04).abs() < 1e-15);
}

#[test]
fn stretches_together_spend_alpha() {
    let mut total = 0.0;
    for stretch in 0..40 {
        let looks = looks(stretch);
        assert!(looks.iter().all(|l| l.alpha > 0.0));
        assert!(looks.windows(2).all(|w| w[0].share < w[1].share));
        assert_eq!(looks[looks.len() - 1].share, 1.0);
        total += looks.iter().map(|l| l.alpha).sum::<f64>();
        assert!(total <= ALPHA * (1.0 + 1e-12), "{stretch}: {total}");
    }
    let first: f64 = looks(0).iter().map(|l| l.alpha).sum();
    assert!((first - 0.04).abs() < 1e-15);
    assert!((total - ALPHA).abs() < 1e-12);
    assert!(looks(u32::MAX)[0].alpha >= 0.0);
}
