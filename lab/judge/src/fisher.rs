//! Tails and quantiles of chi-square and F, for whole degrees of freedom.

use crate::power::normal_p;

/// Steps of the continued fraction; it converges in about sqrt(freedom).
const MOST_STEPS: u32 = 10_000;

/// P(X >= x), X chi-square. Absolute error about 1e-10.
///
/// Source: M. Abramowitz and I. Stegun, *Handbook of Mathematical Functions*, 1964, formulas
/// 26.4.4 and 26.4.5 (finite sums).
pub(crate) fn chi_square_tail(x: f64, freedom: u64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let half = (-x / 2.0).exp();
    let odd = freedom % 2 == 1;
    let (mut term, mut sum) = if odd {
        // 2 phi(sqrt x) (sqrt x / 1 + ...).
        let root = x.sqrt();
        (
            2.0 * half / std::f64::consts::TAU.sqrt() * root,
            normal_p(root),
        )
    } else {
        (half, 0.0)
    };
    let mut divisor = if odd { 1.0 } else { 0.0 };
    for _ in 0..freedom / 2 {
        sum += term;
        divisor += 2.0;
        term *= x / divisor;
    }
    sum.clamp(0.0, 1.0)
}

/// The x with P(X <= x) = p, X chi-square.
pub(crate) fn chi_square_quantile(p: f64, freedom: u64) -> f64 {
    bisect(|x| 1.0 - chi_square_tail(x, freedom) < p)
}

/// P(X >= x), X of the F distribution with (`top`, `bottom`) degrees of freedom.
///
/// Source: Abramowitz and Stegun, formula 26.6.2 (by the incomplete beta function).
pub(crate) fn f_tail(x: f64, top: u64, bottom: u64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let (a, b) = (bottom as f64, top as f64);
    incomplete_beta(a / (a + b * x), bottom, top)
}

/// The x with P(X >= x) = p, X of the F distribution.
pub(crate) fn f_critical(p: f64, top: u64, bottom: u64) -> f64 {
    bisect(|x| f_tail(x, top, bottom) > p)
}

/// The regularised incomplete beta function of (`a`/2, `b`/2) at x.
///
/// Source: NIST Digital Library of Mathematical Functions, 8.17.22 (continued fraction, for x up
/// to (a+1)/(a+b+2), and 8.17.4 beyond), evaluated from the front: W. Lentz, Applied Optics
/// 15(3), 1976, pp. 668-671.
fn incomplete_beta(x: f64, a: u64, b: u64) -> f64 {
    let (p, q) = (a as f64 / 2.0, b as f64 / 2.0);
    if x > (p + 1.0) / (p + q + 2.0) {
        return 1.0 - incomplete_beta(1.0 - x, b, a);
    }
    let front = p * x.ln() + q * (1.0 - x).ln() + ln_gamma_of_half(a + b)
        - ln_gamma_of_half(a)
        - ln_gamma_of_half(b);
    const LEAST: f64 = 1e-300;
    let (mut c, mut d, mut fraction) = (1.0f64, 0.0f64, 1.0f64);
    for step in 0..MOST_STEPS {
        let m = f64::from(step / 2);
        let numerator = match step {
            0 => 1.0,
            _ if step % 2 == 0 => m * (q - m) * x / ((p + 2.0 * m - 1.0) * (p + 2.0 * m)),
            _ => -(p + m) * (p + q + m) * x / ((p + 2.0 * m) * (p + 2.0 * m + 1.0)),
        };
        d = 1.0 + numerator * d;
        d = 1.0 / if d.abs() < LEAST { LEAST } else { d };
        c = 1.0 + numerator / c;
        c = if c.abs() < LEAST { LEAST } else { c };
        fraction *= c * d;
        if (c * d - 1.0).abs() < 1e-14 {
            break;
        }
    }
    (front.exp() / p * (fraction - 1.0)).clamp(0.0, 1.0)
}

/// ln Gamma(n/2), by Gamma(x+1) = x Gamma(x) from Gamma(1/2) = sqrt(pi) or Gamma(1) = 1.
fn ln_gamma_of_half(n: u64) -> f64 {
    let odd = n % 2 == 1;
    let start = if odd {
        std::f64::consts::PI.ln() / 2.0
    } else {
        0.0
    };
    let first = if odd { 1 } else { 2 };
    start
        + (first..n)
            .step_by(2)
            .map(|k| (k as f64 / 2.0).ln())
            .sum::<f64>()
}

/// The positive x at which a condition that holds below it stops holding.
fn bisect(below: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (-700.0f64, 700.0f64);
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        *(if below(middle.exp()) {
            &mut low
        } else {
            &mut high
        }) = middle;
    }
    low.exp()
}

#[cfg(test)]
mod tests {
    use super::{chi_square_quantile, chi_square_tail, f_critical, f_tail};

    #[test]
    fn tables() {
        // Abramowitz and Stegun, tables 26.8 and 26.9.
        for (p, freedom, x) in [
            (0.05, 1, 3.84146),
            (0.05, 3, 7.81473),
            (0.95, 3, 0.351846),
            (0.95, 7, 2.16735),
            (0.05, 10, 18.3070),
            (0.95, 1, 3.93214e-3),
        ] {
            assert!((chi_square_tail(x, freedom) - p).abs() < 1e-5, "{freedom}");
            let found = chi_square_quantile(1.0 - p, freedom);
            assert!((found / x - 1.0).abs() < 1e-5, "{freedom}: {found}");
        }
        for (top, bottom, x) in [
            (3, 4, 6.59),
            (1, 1, 161.4),
            (7, 8, 3.50),
            (2, 30, 3.32),
            (3, 120, 2.68),
            (10, 10, 2.98),
        ] {
            let found = f_critical(0.05, top, bottom);
            assert!((found / x - 1.0).abs() < 2e-3, "{top} {bottom}: {found}");
            assert!((f_tail(found, top, bottom) - 0.05).abs() < 1e-9);
        }
        // F with many degrees of freedom below is chi-square over its own.
        let far = f_critical(0.05, 3, 1_000_000);
        assert!((far - 7.81473 / 3.0).abs() < 1e-4, "{far}");
    }
}
