//! How a proof is made, decided before the first squaring.

use super::kept;

/// Most bits of a block: a bucket for each value is in memory.
const MOST_BITS: u32 = 14;

/// Most bytes of kept forms.
const MOST_BYTES: u64 = 128 << 20;

/// The exponent `2^iterations / B` is cut into blocks of `bits` bits. A form is kept every
/// `bits * every` squarings, and a kept form serves for `every` blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) bits: u32,
    pub(super) every: u64,
}

impl Plan {
    /// The plan with the fewest products, of those whose kept forms fit into memory.
    pub(super) fn of(iterations: u64, discriminant_bits: usize) -> Self {
        let forms = MOST_BYTES / (8 * kept::words(discriminant_bits) as u64);
        let plan = |bits: u32| Self {
            bits,
            every: (iterations / u64::from(bits)).div_ceil(forms).max(1),
        };
        let plans = (1..=MOST_BITS).map(plan);
        plans
            .min_by_key(|p| p.products(iterations))
            .unwrap_or(plan(1))
    }

    /// One product a block, and twice as many as there are buckets for each round.
    fn products(self, iterations: u64) -> u64 {
        iterations / u64::from(self.bits) + self.every * (2 << self.bits)
    }

    /// Squarings between kept forms.
    pub(super) const fn spacing(self) -> u64 {
        self.bits as u64 * self.every
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_fits_into_memory_and_grows_with_the_work() {
        for bits in [512, 1024, 2048] {
            let mut before = 0;
            for exponent in 0..40 {
                let iterations = 1 << exponent;
                let plan = Plan::of(iterations, bits);
                let forms = iterations.div_ceil(plan.spacing());
                assert!(
                    8 * forms * kept::words(bits) as u64 <= MOST_BYTES + 4096,
                    "{plan:?}"
                );
                assert!(plan.bits >= before || plan.every > 1, "{plan:?}");
                before = plan.bits;
            }
        }
        assert_eq!(Plan::of(0, 1024), Plan { bits: 1, every: 1 });
    }
}
