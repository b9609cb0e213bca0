//! Work without any branch that depends on data: four chains of integer arithmetic, each step of
//! a chain waiting for the one before it.

/// Operations that take about 20 ms on a core of 4 GHz.
pub const OPERATIONS: u64 = 14_000_000;

/// Does `operations` from a state that follows from `seed`; a checksum of all of it.
///
/// One operation is one step of each chain. The chains differ, so that no compiler makes one
/// vector of them, and the longest (a multiplication, an addition, a rotation) decides the time.
pub fn run(operations: u64, seed: u64) -> u64 {
    let (mut a, mut b, mut c, mut d) = (seed | 1, seed ^ 0x55, !seed, seed.rotate_left(32));
    for step in 0..operations {
        a = a
            .wrapping_mul(0xd134_2543_de82_ef95)
            .wrapping_add(step)
            .rotate_left(23);
        b = (b ^ (b >> 29)).wrapping_add(0x9e37_79b9_7f4a_7c15);
        c = c.rotate_left(17).wrapping_sub(step) ^ 0xbf58_476d_1ce4_e5b9;
        d = d.wrapping_mul(5).wrapping_add(0x14057);
    }
    a ^ b.rotate_left(16) ^ c.rotate_left(32) ^ d.rotate_left(48)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_follows_from_both_arguments() {
        assert_eq!(run(100, 1), run(100, 1));
        assert_ne!(run(100, 1), run(101, 1));
        assert_ne!(run(100, 1), run(100, 2));
    }

    #[test]
    fn a_percent_of_the_operations_is_a_whole_number() {
        assert!(OPERATIONS.is_multiple_of(100));
    }
}
