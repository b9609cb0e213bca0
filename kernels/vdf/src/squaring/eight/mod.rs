//! Chains of squarings in lanes of AVX-512 IFMA, eight side by side.

mod divide;
mod euclid;
mod gauss;
mod matrix;
mod square;
#[cfg(test)]
mod tests;
mod vector;

use super::Chain;
use crate::form::Workspace;
use crate::{Discriminant, Form, Int};
use core::arch::x86_64::*;
use square::{Discriminants, Forms};
use vector::{Digits, Floats, Ints, MASK, Set};

/// How many chains go side by side.
const LANES: usize = 8;

/// Fewer chains are squared one after the other.
const FEWEST: usize = 3;

/// Squares each form so many times.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma,bmi1,bmi2")]
pub(super) fn square(chains: &mut [Chain<'_>], times: u64) {
    for chains in chains.chunks_mut(LANES) {
        let most = chains.iter().map(|chain| chain.discriminant.bits()).max();
        // Lengths in digits follow from that of a coefficient, see [`Forms::square`].
        match most.unwrap_or(0) {
            _ if chains.len() < FEWEST => each(chains, times),
            448..=608 => Group::<6>::new(chains).square::<4, 12, 13, 10, 11, 8>(times),
            864..=1024 => Group::<10>::new(chains).square::<6, 20, 21, 16, 17, 12>(times),
            1904..=2048 => Group::<20>::new(chains).square::<11, 40, 41, 31, 32, 22>(times),
            _ => each(chains, times),
        }
    }
}

/// One after the other.
#[target_feature(enable = "bmi1,bmi2")]
fn each(chains: &mut [Chain<'_>], times: u64) {
    let mut space = Workspace::new();
    for chain in chains {
        for _ in 0..times {
            chain.form.square_with(&mut space, chain.discriminant);
        }
    }
}

/// At most eight chains, of which those that can be are in lanes.
struct Group<'c, 'd, const N: usize> {
    chains: &'c mut [Chain<'d>],
    forms: Forms<N>,
    of: Discriminants,
    /// The lanes whose form is not in `chains`. All others hold copies of one of them, which
    /// nobody looks at.
    within: Set,
    space: Workspace,
}

impl<'c, 'd, const N: usize> Group<'c, 'd, N> {
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn new(chains: &'c mut [Chain<'d>]) -> Self {
        let of = discriminants(chains, [0; LANES]);
        let zeros = [_mm512_setzero_si512(); N];
        let forms = Forms {
            a: zeros,
            b: zeros,
            c: zeros,
        };
        let mut new = Self {
            chains,
            forms,
            of,
            within: 0,
            space: Workspace::new(),
        };
        new.enter(!0);
        new
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512ifma,bmi1,bmi2")]
    fn square<
        const H: usize,
        const W: usize,
        const X: usize,
        const S: usize,
        const T: usize,
        const P: usize,
    >(
        mut self,
        times: u64,
    ) {
        for _ in 0..times {
            let mut left = !self.within;
            if self.within != 0 {
                let before = self.forms.clone();
                let right = self.forms.square::<H, W, X, S, T, P>(&self.of);
                let wrong = self.within & !right;
                if wrong != 0 {
                    self.leave(wrong, &before);
                    left |= wrong;
                }
            }
            if left != 0 {
                self.square_others(left);
            }
        }
        let forms = self.forms.clone();
        self.leave(self.within, &forms);
    }

    /// Squares forms one after the other, and takes them into lanes when they can be.
    #[cold]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma,bmi1,bmi2")]
    fn square_others(&mut self, lanes: Set) {
        for (lane, chain) in self.chains.iter_mut().enumerate() {
            if lanes >> lane & 1 == 1 {
                chain.form.square_with(&mut self.space, chain.discriminant);
            }
        }
        self.enter(lanes);
    }

    /// Takes forms of some lanes out.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn leave(&mut self, lanes: Set, forms: &Forms<N>) {
        for (lane, chain) in self.chains.iter_mut().enumerate() {
            if lanes >> lane & 1 == 1 {
                chain.form = Form {
                    a: number(&forms.a, lane),
                    b: number(&forms.b, lane),
                    c: number(&forms.c, lane),
                };
            }
        }
        self.within &= !lanes;
    }

    /// Takes forms into some lanes, where they have the lengths that lanes are for.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn enter(&mut self, lanes: Set) {
        for (lane, chain) in self.chains.iter().enumerate() {
            let Form { a, b, c } = &chain.form;
            // Quotients by `a`, and products with it, come out only so.
            let apt = a.bits() > 52 * (N - 2) + 8 && a.bits() < 52 * N - 2 && c.bits() < 52 * N - 2;
            if lanes >> lane & 1 == 1 && apt {
                self.forms.put(lane, [a, b, c]);
                self.within |= 1 << lane;
            }
        }
        if self.within != 0 {
            let mut from = [self.within.trailing_zeros() as usize; LANES];
            for (lane, from) in from.iter_mut().enumerate() {
                if self.within >> lane & 1 == 1 {
                    *from = lane;
                } else {
                    self.forms.copy(lane, *from);
                }
            }
            self.of = discriminants(self.chains, from);
        }
    }
}

impl<const N: usize> Forms<N> {
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn put(&mut self, lane: usize, [a, b, c]: [&Int; 3]) {
        put(&mut self.a, lane, a);
        put(&mut self.b, lane, b);
        put(&mut self.c, lane, c);
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn copy(&mut self, to: usize, from: usize) {
        for digits in [&mut self.a, &mut self.b, &mut self.c] {
            for digit in digits {
                let mut lanes = lanes(*digit);
                lanes[to] = lanes[from];
                *digit = ints(lanes);
            }
        }
    }
}

/// Those of these chains, lane by lane.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn discriminants(chains: &[Chain<'_>], from: [usize; LANES]) -> Discriminants {
    let of = from.map(|lane| chains[lane].discriminant);
    let bits = of.iter().map(|of| of.root().bits()).max();
    let lowest = of.map(|of| of.magnitude().low().wrapping_neg() as i64 & MASK);
    Discriminants {
        root: floats(of.map(approximate)),
        root_bits: bits.unwrap_or(0) as i32,
        lowest: ints(lowest),
    }
}

/// The fourth root in floating point.
fn approximate(discriminant: &Discriminant) -> f64 {
    const LIMB: f64 = (1u128 << 64) as f64;
    let limbs = discriminant.root().limbs();
    let add = |sum, limb: &u64| sum * LIMB + *limb as f64;
    limbs.iter().rev().fold(0.0, add)
}

/// Puts a number that fits into a lane.
#[target_feature(enable = "avx512f")]
fn put<const N: usize>(digits: &mut Digits<N>, lane: usize, number: &Int) {
    let limbs = number.magnitude().limbs();
    let limb = |i: usize| limbs.get(i).copied().unwrap_or(0);
    // Two's complement: all digits are turned round, and one is added.
    let (turn, mut carry) = if number.is_negative() {
        (MASK, 1)
    } else {
        (0, 0)
    };
    for (i, digit) in digits.iter_mut().enumerate() {
        let (place, bit) = (52 * i / 64, 52 * i % 64);
        let two = u128::from(limb(place)) | u128::from(limb(place + 1)) << 64;
        let sum = ((two >> bit) as i64 & MASK ^ turn) + carry;
        carry = sum >> 52;
        let mut lanes = lanes(*digit);
        lanes[lane] = sum & MASK;
        *digit = ints(lanes);
    }
}

/// The number of a lane.
#[target_feature(enable = "avx512f")]
fn number<const N: usize>(digits: &Digits<N>, lane: usize) -> Int {
    let negative = lanes(digits[N - 1])[lane] >> 51 & 1 == 1;
    let (turn, mut carry) = if negative { (MASK, 1) } else { (0, 0) };
    let mut limbs = [0u64; crate::LIMBS];
    for (i, digit) in digits.iter().enumerate() {
        let (place, bit) = (52 * i / 64, 52 * i % 64);
        let sum = (lanes(*digit)[lane] ^ turn) + carry;
        carry = sum >> 52;
        let two = u128::from((sum & MASK) as u64) << bit;
        limbs[place] |= two as u64;
        limbs[place + 1] |= (two >> 64) as u64;
    }
    let number = Int::from_limbs(negative, &limbs);
    let Ok(number) = number else {
        unreachable!("there are as many limbs as a number has")
    };
    number
}

#[inline]
#[target_feature(enable = "avx512f")]
fn lanes(vector: Ints) -> [i64; LANES] {
    let mut out = [0; LANES];
    // SAFETY: there is room for 64 bytes.
    unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), vector) };
    out
}

#[inline]
#[target_feature(enable = "avx512f")]
fn ints(lanes: [i64; LANES]) -> Ints {
    // SAFETY: 64 bytes are there.
    unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn floats(lanes: [f64; LANES]) -> Floats {
    // SAFETY: 64 bytes are there.
    unsafe { _mm512_loadu_pd(lanes.as_ptr()) }
}
