//! Input: a small generator without branches.

/// SplitMix64: a Weyl sequence and a finaliser. Not for secrets.
///
/// Source: G. Steele, D. Lea and C. Flood, "Fast Splittable Pseudorandom Number Generators",
/// OOPSLA 2014, figure 17.
pub struct Prng(u64);

impl Prng {
    /// A generator whose whole output follows from `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::Prng;

    #[test]
    fn the_numbers_are_the_published_ones() {
        // `splitmix64.c` at <https://prng.di.unimi.it>, seed 1234567.
        let mut prng = Prng::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| prng.next_u64()).collect();
        let known = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(first, known);
    }
}
