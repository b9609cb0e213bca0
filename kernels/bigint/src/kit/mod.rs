//! What is checked and measured: this crate's [`Suite`].

mod checks;
mod tasks;

use karat_kit::Suite;

/// This crate's kernels, with what is checked and what is measured.
pub static SUITE: Suite = Suite {
    name: "bigint",
    kernels: || crate::KERNELS.to_vec(),
    checks: checks::CHECKS,
    tasks: tasks::TASKS,
};

/// Capacity of the numbers here: products of 2048 bits.
const LIMBS: usize = 64;

type Uint = crate::Uint<LIMBS>;

/// The numbers of an input: equal shares of its bytes, the most significant first. None is
/// longer than 2048 bits.
fn numbers(input: &karat_kit::Input) -> alloc::vec::Vec<Uint> {
    let number = |bytes: &[u8]| Uint::from_be_bytes(bytes).unwrap_or_default();
    input.each_item().map(number).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_kernel_is_checked_and_measured() {
        assert_eq!(super::SUITE.mistakes(), []);
    }
}
