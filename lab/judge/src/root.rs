//! Where a falling function crosses 0.

/// The bracket shrinks to this share of itself.
const TOLERANCE: f64 = 1e-12;
/// Evaluations after which the search stops wherever it is.
const MOST_STEPS: u32 = 120;

/// Where a function that falls from `low` to `high` crosses 0.
///
/// Secant in a bracket, halved where three steps did not shrink it to a quarter: the function may
/// jump. `low` and `high` are taken to lie on both sides; where they do not, the end that is
/// nearer to it is found.
pub(crate) fn root(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let tolerance = TOLERANCE * (high - low);
    let (mut at_low, mut at_high) = (f(low), f(high));
    let mut width_before = f64::INFINITY;
    for step in 1..=MOST_STEPS {
        let width = high - low;
        let middle = f64::midpoint(low, high);
        if !(width > tolerance && middle > low && middle < high) {
            break;
        }
        let stalled = step % 3 == 0 && {
            let stalled = width > width_before / 4.0;
            width_before = width;
            stalled
        };
        // A little past the crossing, towards the farther end, so that the bracket closes from
        // both sides.
        let share = at_low / (at_low - at_high);
        let guess = if stalled || !(0.0..=1.0).contains(&share) {
            middle
        } else {
            let past = (0.01 * width * share.min(1.0 - share)).max(0.4 * tolerance);
            let crossing = low + share * width;
            let guess = if share < 0.5 {
                crossing + past
            } else {
                crossing - past
            };
            guess.clamp(low + 0.4 * tolerance, high - 0.4 * tolerance)
        };
        let value = f(guess);
        if value == 0.0 {
            return guess;
        }
        if value > 0.0 {
            (low, at_low) = (guess, value);
        } else {
            (high, at_high) = (guess, value);
        }
    }
    f64::midpoint(low, high)
}
