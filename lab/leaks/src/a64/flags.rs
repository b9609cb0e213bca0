//! The condition flags, by what set them, and what a condition on them tells.

use super::features::{ALL, Set};
use super::value::{Alt, Doubt, Logic, Val};
use std::rc::Rc;

/// What the flags were set by.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Flags {
    /// By something that is not followed.
    Lost { opaque: bool },
    /// By a subtraction of this width.
    Sub(Val, Val, u32),
    /// By a test of the bits of a value.
    Test(Val, u32),
    /// By a comparison where a condition holds on what was before, or set to these.
    Chain(Rc<Flags>, u32, Rc<Flags>, u32),
}

/// What is known where a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    /// All where it never does.
    pub has: Set,
    pub doubt: Doubt,
}

pub(super) const NE: u32 = 1;
pub(super) const EQ: u32 = 0;

/// Whether a condition holds of N, Z, C, V in bits 3 to 0.
fn holds(cond: u32, nzcv: u32) -> bool {
    let (n, z) = (nzcv >> 3 & 1 == 1, nzcv >> 2 & 1 == 1);
    let (c, v) = (nzcv >> 1 & 1 == 1, nzcv & 1 == 1);
    let base = match cond >> 1 {
        0 => z,
        1 => c,
        2 => n,
        3 => v,
        4 => c && !z,
        5 => n == v,
        6 => n == v && !z,
        _ => return true,
    };
    base != (cond & 1 == 1)
}

fn of_sub(a: u64, b: u64, width: u32) -> u32 {
    let mask = if width == 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    };
    let (a, b) = (a & mask, b & mask);
    let result = a.wrapping_sub(b) & mask;
    let sign = |x: u64| x >> (width - 1) & 1 == 1;
    let v = sign(a) != sign(b) && sign(result) != sign(a);
    u32::from(sign(result)) << 3
        | u32::from(result == 0) << 2
        | u32::from(a >= b) << 1
        | u32::from(v)
}

impl Flags {
    /// What is known where `cond` holds.
    pub fn assume(&self, cond: u32) -> Fact {
        match self {
            _ if cond >= 14 => Fact {
                has: 0,
                doubt: Doubt::None,
            },
            Self::Lost { opaque } => Fact {
                has: 0,
                doubt: opaque_if(*opaque),
            },
            Self::Test(value, width) => {
                let value = value.low(*width);
                match cond {
                    EQ => of(value.zero(), &value),
                    NE => of(value.nonzero(), &value),
                    // The sign is a bit.
                    4 | 5 => {
                        let sign = value.logic(&Val::constant(1 << (width - 1)), Logic::And);
                        match cond {
                            4 => of(sign.nonzero(), &sign),
                            _ => of(sign.zero(), &sign),
                        }
                    }
                    _ => Self::Sub(value, Val::constant(0), *width).assume(match cond {
                        // A test clears C and V.
                        8 => {
                            return Fact {
                                has: ALL,
                                doubt: Doubt::None,
                            };
                        }
                        9 => {
                            return Fact {
                                has: 0,
                                doubt: Doubt::None,
                            };
                        }
                        other => other,
                    }),
                }
            }
            Self::Sub(a, b, width) => compare(a, b, *width, cond),
            Self::Chain(before, first, then, nzcv) => {
                let yes = before.assume(*first);
                let inner = then.assume(cond);
                let mut out = Fact {
                    has: match yes.has == ALL || inner.has == ALL {
                        true => ALL,
                        false => yes.has | inner.has,
                    },
                    doubt: yes.doubt.max(inner.doubt),
                };
                if holds(cond, *nzcv) {
                    let no = before.assume(*first ^ 1);
                    out.has &= no.has;
                    out.doubt = out.doubt.max(no.doubt);
                }
                out
            }
        }
    }

    /// Of a value that they compare with a constant, those alternatives with which a
    /// condition holds.
    pub fn left(&self, value: &Val, cond: u32) -> Option<Val> {
        let Self::Sub(_, b, width) = self else {
            return None;
        };
        let b = b.as_constant()?;
        let keep = |alt: &&Alt| holds(cond, of_sub(alt.value, b, *width));
        let rest: Vec<Alt> = value.as_alts()?.iter().filter(keep).copied().collect();
        (!rest.is_empty()).then(|| Val::alts(rest))
    }

    /// The first of the two values that they compare where a condition holds, and the second
    /// where it does not, or the other way round: the smaller of a level that is wanted and one
    /// that there is.
    pub fn picked(&self, is_first: bool, cond: u32, width: u32) -> Option<Val> {
        let Self::Sub(a, b, compared) = self else {
            return None;
        };
        if *compared != width {
            return None;
        }
        let (a, b) = (a.as_alts()?, b.as_alts()?);
        let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x, y)));
        let one = |(x, y): (&Alt, &Alt)| {
            let is_yes = holds(cond, of_sub(x.value, y.value, width));
            Alt {
                value: if is_yes == is_first { x.value } else { y.value },
                has: x.has | y.has,
                opaque: x.opaque || y.opaque,
            }
        };
        Some(Val::alts(pairs.map(one).collect()))
    }

    /// Whether a condition on them may be a question to the CPU.
    pub fn is_doubtful(&self) -> bool {
        match self {
            Self::Lost { opaque } => *opaque,
            _ => self.says() || self.assume(EQ).doubt != Doubt::None,
        }
    }

    /// Whether they tell something of the CPU.
    pub fn says(&self) -> bool {
        match self {
            Self::Lost { .. } => false,
            Self::Sub(a, b, _) => a.says() || b.says(),
            Self::Test(value, _) => value.says(),
            Self::Chain(a, _, b, _) => a.says() || b.says(),
        }
    }
}

fn of(has: Set, value: &Val) -> Fact {
    Fact {
        has,
        doubt: value.doubt(),
    }
}

fn opaque_if(is_it: bool) -> Doubt {
    match is_it {
        true => Doubt::Opaque,
        false => Doubt::None,
    }
}

fn compare(a: &Val, b: &Val, width: u32, cond: u32) -> Fact {
    if let (Some(x), Some(y)) = (a.as_alts(), b.as_alts()) {
        let mut out = Fact {
            has: ALL,
            doubt: Doubt::None,
        };
        for (x, y) in x.iter().flat_map(|x| y.iter().map(move |y| (x, y))) {
            // Who decides for the others decides for this one too.
            out.doubt = out.doubt.max(opaque_if(x.opaque || y.opaque));
            if holds(cond, of_sub(x.value, y.value, width)) {
                out.has &= x.has | y.has;
            }
        }
        return out;
    }
    let doubt = a.doubt().max(b.doubt());
    let plain = Fact { has: 0, doubt };
    let Some(constant) = b.as_constant() else {
        return match (a.as_constant(), cond) {
            (Some(_), EQ | NE) => compare(b, a, width, cond),
            _ => Fact {
                has: 0,
                doubt: doubt.max(opaque_if(a.says() || b.says())),
            },
        };
    };
    let low = a.low(width);
    let has = match cond {
        EQ => low.equal(constant),
        NE if constant == 0 => low.nonzero(),
        // Of one bit only: it is the other value.
        NE => match one_bit(&low) {
            Some(bit) if constant == bit => low.zero(),
            _ => 0,
        },
        // HS, GE
        2 | 10 if constant > 0 && constant >> (width - 1) & 1 == 0 && is_low(&low, width) => {
            low.nonzero()
        }
        // HI; GT
        8 => low.nonzero(),
        12 if constant >> (width - 1) & 1 == 0 && is_low(&low, width) => low.nonzero(),
        // LS; LO, LT, LE of the smallest
        9 | 13 if constant == 0 && is_low(&low, width) => low.zero(),
        3 | 11 if constant == 1 && is_low(&low, width) => low.zero(),
        _ => 0,
    };
    Fact { has, ..plain }
}

/// Whether the sign is never set.
fn is_low(value: &Val, width: u32) -> bool {
    match value {
        Val::Bits(bits) => bits.set[width as usize - 1] == ALL,
        _ => false,
    }
}

/// The only bit that may be set.
fn one_bit(value: &Val) -> Option<u64> {
    let Val::Bits(bits) = value else {
        return None;
    };
    let mut open = (0..64).filter(|bit| bits.set[*bit] != ALL);
    let bit = open.next()?;
    open.next().is_none().then(|| 1 << bit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::a64::features::{DOTPROD, SVE};

    #[test]
    fn the_smaller_of_two_levels_is_no_more_than_there_is() {
        let level = |value, has| Alt {
            value,
            has,
            opaque: false,
        };
        let there = Val::alts(vec![
            level(0, 0),
            level(1, DOTPROD),
            level(2, DOTPROD | SVE),
        ]);
        let wanted = Val::alts(vec![level(1, 0), level(2, 0)]);
        let flags = Flags::Sub(wanted.clone(), there.clone(), 32);
        // Lower.
        let smaller = flags.picked(true, 3, 32).unwrap_or(wanted.clone());
        assert_eq!(smaller.equal(2), DOTPROD | SVE);
        assert_eq!(smaller.equal(0), 0);
        // The other way round it is what was wanted.
        let larger = flags.picked(true, 2, 32).unwrap_or(there);
        assert_eq!(larger.equal(2), 0);
    }
}
