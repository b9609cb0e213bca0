//! Normal probabilities, quantiles and the minimum detectable effect.

/// Quantile of the standard normal distribution; infinite at 0 and 1, NaN outside.
///
/// Relative error about 1e-16. Source: M. Wichura, "Algorithm AS 241: The Percentage Points
/// of the Normal Distribution", Applied Statistics 37(3), 1988, pp. 477-484, routine PPND16.
#[must_use]
pub fn normal_quantile(p: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180_625 - q * q;
        return q * horner(&CENTRE_TOP, r) / horner(&CENTRE_BOTTOM, r);
    }
    let tail = p.min(1.0 - p);
    if tail == 0.0 {
        return f64::INFINITY.copysign(q);
    }
    let r = (-tail.ln()).sqrt();
    let z = if r <= 5.0 {
        horner(&MIDDLE_TOP, r - 1.6) / horner(&MIDDLE_BOTTOM, r - 1.6)
    } else {
        horner(&TAIL_TOP, r - 5.0) / horner(&TAIL_BOTTOM, r - 5.0)
    };
    z.copysign(q)
}

/// Two-sided p of a standard normal z: P(|Z| >= |z|); NaN of NaN.
///
/// Relative error under 1e-10. Source: M. Abramowitz and I. Stegun, *Handbook of Mathematical
/// Functions*, 1964, formulas 26.2.11 (series) and 26.2.14 (continued fraction).
#[must_use]
pub fn normal_p(z: f64) -> f64 {
    let z = z.abs();
    let density = (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt();
    if z < 3.0 {
        let (mut term, mut sum) = (z, z);
        for k in 1..60 {
            term *= z * z / f64::from(2 * k + 1);
            sum += term;
        }
        1.0 - 2.0 * density * sum
    } else {
        let fraction = (1..100).rev().fold(z, |rest, k| z + f64::from(k) / rest);
        2.0 * density / fraction
    }
}

/// The smallest change that a two-sided test at `level` finds with 80 % power, as a relative
/// change: 0.01 is +1 % cost.
///
/// `sd` is the standard deviation of the log ratio
/// ([`permutation_sd`](crate::permutation_sd)), taken as normal:
/// exp((z(1-level/2) + z(0.8)) * sd) - 1. An approximation for reports; no verdict uses it.
#[must_use]
pub fn minimum_detectable_effect(sd: f64, level: f64) -> f64 {
    ((normal_quantile(1.0 - level / 2.0) + normal_quantile(0.8)) * sd).exp_m1()
}

fn horner(coefficients: &[f64; 8], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

// The digits are those of the paper.
const CENTRE_TOP: [f64; 8] = [
    3.387_132_872_796_366_5,
    1.331_416_678_917_843_8e2,
    1.971_590_950_306_551_3e3,
    1.373_169_376_550_946e4,
    4.592_195_393_154_987e4,
    6.726_577_092_700_87e4,
    3.343_057_558_358_813e4,
    2.509_080_928_730_122_7e3,
];
const CENTRE_BOTTOM: [f64; 8] = [
    1.0,
    4.231_333_070_160_091e1,
    6.871_870_074_920_579e2,
    5.394_196_021_424_751e3,
    2.121_379_430_158_659_7e4,
    3.930_789_580_009_271e4,
    2.872_908_573_572_194_3e4,
    5.226_495_278_852_545e3,
];
const MIDDLE_TOP: [f64; 8] = [
    1.423_437_110_749_683_5,
    4.630_337_846_156_546,
    5.769_497_221_460_691,
    3.647_848_324_763_204_5,
    1.270_458_252_452_368_4,
    2.417_807_251_774_506e-1,
    2.272_384_498_926_918_4e-2,
    7.745_450_142_783_414e-4,
];
const MIDDLE_BOTTOM: [f64; 8] = [
    1.0,
    2.053_191_626_637_759,
    1.676_384_830_183_803_8,
    6.897_673_349_851e-1,
    1.481_039_764_274_800_8e-1,
    1.519_866_656_361_645_7e-2,
    5.475_938_084_995_345e-4,
    1.050_750_071_644_416_9e-9,
];
const TAIL_TOP: [f64; 8] = [
    6.657_904_643_501_103,
    5.463_784_911_164_114,
    1.784_826_539_917_291_3,
    2.965_605_718_285_048_7e-1,
    2.653_218_952_657_612_4e-2,
    1.242_660_947_388_078_4e-3,
    2.711_555_568_743_487_6e-5,
    2.010_334_399_292_288_1e-7,
];
const TAIL_BOTTOM: [f64; 8] = [
    1.0,
    5.998_322_065_558_88e-1,
    1.369_298_809_227_358e-1,
    1.487_536_129_085_061_5e-2,
    7.868_691_311_456_133e-4,
    1.846_318_317_510_054_8e-5,
    1.421_511_758_316_446e-7,
    2.044_263_103_389_939_8e-15,
];
