//! A small generator for input bytes: a Weyl sequence mixed by one 64 x 64 -> 128 bit multiply.
//!
//! It is fast enough to be a small part of a run, and the multiply has no vector form on x86, so
//! the cost of making inputs hardly depends on the flags of a build.

/// The generator. Not for secrets.
pub struct Prng {
    state: u64,
}

impl Prng {
    /// A generator whose whole output follows from `seed`.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.next_u128() as u64
    }

    fn next_u128(&mut self) -> u128 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let wide = u128::from(self.state) * u128::from(self.state ^ 0xd1b5_4a32_d192_ed03);
        wide ^ (wide >> 64)
    }

    /// Fills `out` with fresh bytes.
    pub fn fill(&mut self, out: &mut [u8]) {
        let (blocks, tail) = out.as_chunks_mut::<16>();
        for block in blocks {
            *block = self.next_u128().to_le_bytes();
        }
        let last = self.next_u128().to_le_bytes();
        tail.copy_from_slice(&last[..tail.len()]);
    }
}
