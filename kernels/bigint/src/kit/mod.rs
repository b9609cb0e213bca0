//! What is checked and measured: this crate's [`Suite`].

mod checks;
mod digits;
mod tasks;

use karat_kit::Suite;

/// This crate's kernels, with what is checked and what is measured.
pub static SUITE: Suite = Suite {
    name: "bigint",
    kernels: || crate::KERNELS.to_vec(),
    uses: alloc::vec::Vec::new,
    checks: checks::CHECKS,
    tasks: tasks::TASKS,
};

/// Capacity of the numbers here: products of 2048 bits.
const LIMBS: usize = 64;

type Uint = crate::Uint<LIMBS>;

/// The numbers of an input: equal shares of its bytes, the most significant first. None is
/// longer than half the capacity.
fn numbers<const N: usize>(input: &karat_kit::Input) -> alloc::vec::Vec<crate::Uint<N>> {
    let number = |bytes: &[u8]| crate::Uint::from_be_bytes(bytes).unwrap_or_default();
    input.each_item().map(number).collect()
}

/// All numbers, end to end, in equal shares of the bytes.
fn write<const N: usize>(numbers: &[crate::Uint<N>], out: &mut [u8]) {
    let share = out.len() / numbers.len();
    for (number, out) in numbers.iter().zip(out.chunks_mut(share)) {
        let fits = number.to_be_bytes(out);
        debug_assert!(fits.is_ok(), "a result fits into its share");
    }
}

/// What is timed of products in digits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Numbers in limbs become digits.
    ToDigits,
    /// Products of digits, not carried.
    Sums,
    /// Products of digits, carried.
    Product,
    /// Products become numbers in limbs.
    FromDigits,
    /// All of it, from limbs to limbs.
    Whole,
}

impl Part {
    /// Whether a step is in it.
    fn has(self, step: Self) -> bool {
        self == step || self == Self::Whole
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_kernel_is_checked_and_measured() {
        assert_eq!(super::SUITE.mistakes(), []);
    }
}
