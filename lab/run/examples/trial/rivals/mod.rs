//! The rules of other tools, written anew from their documentation and sources. Each file names
//! the version that was read.

pub mod benchstat;
pub mod criterion;
pub mod duet;
pub mod hyperfine;
pub mod tango;
pub mod welch;

/// Mean and variance (divisor n - 1) of two values or more.
fn mean_variance(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    (mean, squares / (n - 1.0))
}

/// Welch's t of two samples: the difference of the means over its standard error.
fn welch_t(a: &[f64], b: &[f64]) -> f64 {
    let ((a_mean, a_variance), (b_mean, b_variance)) = (mean_variance(a), mean_variance(b));
    (a_mean - b_mean) / (a_variance / a.len() as f64 + b_variance / b.len() as f64).sqrt()
}

#[cfg(test)]
pub mod samples {
    //! Two samples for tests; what they should give was computed by the tools named there.

    pub const X: [f64; 10] = [
        20.31, 19.87, 20.05, 21.44, 20.12, 19.95, 20.61, 20.08, 23.9, 20.27,
    ];
    pub const Y: [f64; 12] = [
        20.52, 20.71, 20.44, 20.93, 20.39, 22.87, 20.58, 20.66, 20.41, 20.85, 20.5, 20.33,
    ];
    /// With ties inside and across.
    pub const TIED_X: [f64; 6] = [1.0, 2.0, 2.0, 3.0, 4.0, 4.0];
    pub const TIED_Y: [f64; 6] = [2.0, 4.0, 5.0, 5.0, 6.0, 4.0];
}
