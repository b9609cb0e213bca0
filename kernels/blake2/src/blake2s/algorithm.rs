//! What BLAKE2s is made of: its constants, and the chosen implementations.

use super::kernel::{KERNEL, MANY};
use crate::Blake2s;
use crate::algorithm::{Algorithm, Construction};
use crate::job::Many;
use crate::single::One;

impl Algorithm for Blake2s {
    const NAME: &'static str = "BLAKE2s";
}

impl Construction for Blake2s {
    type Word = u32;
    const IV: &'static [u32; 8] = &[
        0x6a09_e667,
        0xbb67_ae85,
        0x3c6e_f372,
        0xa54f_f53a,
        0x510e_527f,
        0x9b05_688c,
        0x1f83_d9ab,
        0x5be0_cd19,
    ];
    const ROUNDS: usize = 10;
    const ROTATIONS: [u32; 4] = [16, 12, 8, 7];
    const LEAVES: usize = 8;

    #[inline]
    fn one(_: usize) -> &'static One<u32> {
        KERNEL.get()
    }
    #[inline]
    fn many() -> &'static Many<u32> {
        MANY.get()
    }
}
