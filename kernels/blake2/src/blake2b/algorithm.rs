//! What BLAKE2b is made of: its constants, and the chosen implementations.

use super::kernel::{KERNEL, MANY};
use crate::Blake2b;
use crate::algorithm::{Algorithm, Construction};
use crate::job::Many;
use crate::single::One;

impl Algorithm for Blake2b {
    const NAME: &'static str = "BLAKE2b";
}

impl Construction for Blake2b {
    type Word = u64;
    const IV: &'static [u64; 8] = &[
        0x6a09_e667_f3bc_c908,
        0xbb67_ae85_84ca_a73b,
        0x3c6e_f372_fe94_f82b,
        0xa54f_f53a_5f1d_36f1,
        0x510e_527f_ade6_82d1,
        0x9b05_688c_2b3e_6c1f,
        0x1f83_d9ab_fb41_bd6b,
        0x5be0_cd19_137e_2179,
    ];
    const ROUNDS: usize = 12;
    const ROTATIONS: [u32; 4] = [32, 24, 16, 63];
    const LEAVES: usize = 4;

    #[inline]
    fn one(bytes: usize) -> &'static One<u64> {
        KERNEL.get_for(bytes)
    }
    #[inline]
    fn many() -> &'static Many<u64> {
        MANY.get()
    }
}
