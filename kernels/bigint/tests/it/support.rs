//! Numbers to try, and the same numbers for num-bigint.

use karat_bigint::{Int, Uint};
use num_bigint::{BigInt, BigUint, Sign};

/// A capacity with room for products of 2048 bits.
pub const N: usize = 66;

pub type U = Uint<N>;
pub type I = Int<N>;

/// Rounds of random numbers.
pub const ROUNDS: usize = if cfg!(miri) { 8 } else { 3000 };

pub fn big(number: &U) -> BigUint {
    let digits = number.limbs().iter();
    BigUint::new(
        digits
            .flat_map(|l| [*l as u32, (*l >> 32) as u32])
            .collect(),
    )
}

pub fn big_int(number: &I) -> BigInt {
    let sign = if number.is_negative() {
        Sign::Minus
    } else {
        Sign::Plus
    };
    BigInt::from_biguint(sign, big(number.magnitude()))
}

pub fn number(big: &BigUint) -> U {
    U::from_limbs(&big.to_u64_digits()).expect("a number of the test fits")
}

/// splitmix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A number of at most so many limbs. Half of them have limbs of zeros and ones, where
    /// carries run far.
    pub fn number(&mut self, limbs: usize) -> U {
        let count = self.below(limbs + 1);
        let plain = self.below(2) == 0;
        let mut limb = || match (plain, self.below(4)) {
            (false, 0) => 0,
            (false, 1) => u64::MAX,
            (false, 2) => 1 << self.below(64),
            _ => self.next() >> [0, 0, 0, 33][self.below(4)],
        };
        let limbs: Vec<u64> = (0..count).map(|_| limb()).collect();
        U::from_limbs(&limbs).expect("a number of the test fits")
    }

    pub fn signed(&mut self, limbs: usize) -> I {
        I::new(self.below(2) == 0, self.number(limbs))
    }

    /// A number that is not zero.
    pub fn positive(&mut self, limbs: usize) -> U {
        let number = self.number(limbs);
        if number.is_zero() { U::ONE } else { number }
    }
}

/// Numbers at edges: around powers of two, all ones.
pub fn edges() -> Vec<U> {
    let mut all = vec![U::ZERO];
    for bits in [
        0, 1, 2, 32, 63, 64, 65, 127, 128, 129, 192, 256, 511, 512, 1024,
    ] {
        let power = &U::ONE << bits;
        all.extend([power, &power - &U::ONE, &power + &U::ONE]);
    }
    all
}
