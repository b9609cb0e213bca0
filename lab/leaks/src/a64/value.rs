//! What a register or a variable may hold, and what the CPU has when it holds that.

pub(super) use super::alts::Alt;
use super::alts::Alts;
pub(super) use super::bits::Bits;
use super::features::{ALL, Set, Told, implied};
use std::borrow::Cow;
use std::rc::Rc;

/// Alternatives of one value, at most.
const MOST: usize = 10;
/// Small numbers that one counts through, at most.
const FEW: usize = 2;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Val {
    /// Anything; opaque if it may be an answer of the CPU.
    Top {
        opaque: bool,
    },
    /// Anything from memory that is not followed, where no answer was seen to go.
    Vague,
    /// Anything between two addresses, the second left out: only where it is lost.
    Span(u64, u64),
    /// One of a few constants, sorted.
    Alts(Alts),
    Bits(Rc<Bits>),
    /// So far from where the stack pointer was when the routine began (0), or in what the
    /// argument with the number below this is the address of.
    Stack(u8, i64),
}

pub(super) const PLAIN: Val = Val::Top { opaque: false };
pub(super) const OPAQUE: Val = Val::Top { opaque: true };
pub(super) const VAGUE: Val = Val::Vague;

/// How far it is not known whether the CPU decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Doubt {
    None,
    /// Memory does, and no answer was seen to go there.
    Vague,
    Opaque,
}

/// The bitwise operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Logic {
    And,
    Or,
    Xor,
}

impl Val {
    pub fn constant(value: u64) -> Self {
        Self::Alts(Alts::One(Alt {
            value,
            has: 0,
            opaque: false,
        }))
    }

    /// A word that somebody tells.
    pub fn told(word: Told) -> Self {
        let mut bits = Bits::any(false);
        for bit in 0..64 {
            bits.set[bit] = implied(word.bit(bit as u32));
        }
        if word == Told::Hwcap {
            // Floating point and vectors: the ABI of Linux needs them.
            bits.clear[0] = ALL;
            bits.clear[1] = ALL;
        }
        if word == Told::HaveLse {
            bits = Bits::any(false);
            bits.set = [ALL; 64];
            bits.set[0] = implied(word.bit(0));
        }
        Self::Bits(Rc::new(bits))
    }

    /// One of several; too many give what nothing is known of.
    pub fn alts(mut list: Vec<Alt>) -> Self {
        list.retain(|alt| alt.has != ALL);
        list.sort_by_key(|alt| alt.value);
        let mut out: Vec<Alt> = Vec::new();
        for alt in list {
            match out.last_mut() {
                Some(last) if last.value == alt.value => {
                    let has = last.has & alt.has;
                    // It is understood where one that is tells no more.
                    last.opaque = [*last, alt].iter().all(|one| one.opaque || one.has != has);
                    last.has = has;
                }
                _ => out.push(alt),
            }
        }
        match out.len() {
            0 => PLAIN,
            1..=MOST => Self::Alts(out.into()),
            _ if out.iter().all(|alt| alt.has == 0) => Self::Top {
                opaque: out.iter().any(|alt| alt.opaque),
            },
            // What each bit tells stays.
            _ => Self::Bits(Rc::new(Bits::of(&out))),
        }
    }

    /// A word by its bits; of one open bit, as two constants.
    pub fn word(bits: Bits) -> Self {
        let open = (0..64).filter(|bit| bits.set[*bit] != ALL).count();
        let word = Self::Bits(Rc::new(bits));
        match word.expanded() {
            Some(list) if open <= 1 => Self::alts(list.into_owned()),
            _ => word,
        }
    }

    /// As a few constants, where few bits are open.
    fn expanded(&self) -> Option<Cow<'_, [Alt]>> {
        match self {
            Self::Alts(list) => Some(Cow::Borrowed(list)),
            Self::Bits(bits) => {
                let is_open = |bit: &usize| bits.set[*bit] != ALL && bits.clear[*bit] != ALL;
                if (0..64).filter(is_open).count() > 3 {
                    return None;
                }
                let mut out = vec![Alt {
                    value: 0,
                    has: 0,
                    opaque: bits.opaque(),
                }];
                for bit in 0..64 {
                    let (set, clear) = (bits.set[bit], bits.clear[bit]);
                    let mut next = Vec::new();
                    for alt in out {
                        if set != ALL {
                            let (value, has) = (alt.value | 1 << bit, alt.has | set);
                            next.push(Alt { value, has, ..alt });
                        }
                        if clear != ALL {
                            let has = alt.has | clear;
                            next.push(Alt { has, ..alt });
                        }
                    }
                    out = next;
                }
                out.retain(|alt| alt.has != ALL);
                Some(Cow::Owned(out))
            }
            _ => None,
        }
    }

    /// Bits that may be set.
    pub fn open(&self) -> u64 {
        match self {
            Self::Alts(list) => list.iter().fold(0, |all, alt| all | alt.value),
            Self::Bits(bits) => (0..64)
                .filter(|bit| bits.set[*bit] != ALL)
                .fold(0, |all, bit| all | 1 << bit),
            _ => u64::MAX,
        }
    }

    pub fn as_alts(&self) -> Option<&[Alt]> {
        match self {
            Self::Alts(list) => Some(list),
            _ => None,
        }
    }

    /// The constant that it is.
    pub fn as_constant(&self) -> Option<u64> {
        match self.as_alts()? {
            [one] => Some(one.value),
            _ => None,
        }
    }

    pub fn doubt(&self) -> Doubt {
        match self {
            Self::Vague => Doubt::Vague,
            other if other.is_opaque() => Doubt::Opaque,
            _ => Doubt::None,
        }
    }

    /// Nothing but what two values leave, where they are not followed any more.
    fn mixed(&self, other: &Self) -> Self {
        match (self, other) {
            _ if self.says() || other.says() => OPAQUE,
            _ => match self.doubt().max(other.doubt()) {
                Doubt::None => PLAIN,
                Doubt::Vague => VAGUE,
                Doubt::Opaque => OPAQUE,
            },
        }
    }

    /// Whether it is one of more than a few small numbers, none of which tells anything: no
    /// addresses.
    pub fn counts(&self) -> bool {
        let is_small = |alt: &Alt| alt.has == 0 && (alt.value as i32).unsigned_abs() < 0x1000;
        self.as_alts()
            .is_some_and(|list| list.len() > FEW && list.iter().all(is_small))
    }

    /// Whether what is known beside it changes it.
    pub fn says_or_leads(&self) -> bool {
        matches!(self, Self::Alts(_) | Self::Bits(_))
    }

    /// Whether it may be an address that is of matter where it is not followed any more.
    pub fn leads(&self) -> bool {
        matches!(self, Self::Alts(_) | Self::Span(..))
    }

    /// Whether something that is not understood may have decided what it is.
    pub fn is_opaque(&self) -> bool {
        match self {
            Self::Vague => true,
            Self::Top { opaque } => *opaque,
            Self::Alts(list) => list.iter().any(|alt| alt.opaque),
            Self::Bits(bits) => bits.opaque(),
            Self::Stack(..) | Self::Span(..) => false,
        }
    }

    /// Whether it tells something of the CPU.
    pub fn says(&self) -> bool {
        match self {
            Self::Alts(list) => list.iter().any(|alt| alt.has != 0),
            Self::Bits(bits) => {
                (bits.set.iter().chain(&bits.clear)).any(|has| !matches!(*has, 0 | ALL))
            }
            _ => false,
        }
    }

    /// Nothing but that, where it is not followed any more.
    pub fn lost(&self) -> bool {
        self.is_opaque() || self.says()
    }

    pub fn bits(&self) -> Bits {
        match self {
            Self::Vague => Bits::any(true),
            Self::Top { opaque } => Bits::any(*opaque),
            Self::Alts(list) => Bits::of(list),
            Self::Bits(bits) => (**bits).clone(),
            Self::Stack(..) | Self::Span(..) => Bits::any(false),
        }
    }

    /// What holds as well where this value is known to be had.
    pub fn under(&self, has: Set, opaque: bool) -> Self {
        match self {
            Self::Alts(list) if has != 0 || opaque => Self::Alts(list.each(|alt| Alt {
                value: alt.value,
                has: alt.has | has,
                opaque: alt.opaque || opaque,
            })),
            Self::Bits(bits) if has != 0 || opaque => {
                let mut bits = (**bits).clone();
                bits.set.iter_mut().for_each(|set| *set |= has);
                bits.clear.iter_mut().for_each(|clear| *clear |= has);
                if opaque {
                    bits.opaque = u64::MAX;
                }
                Self::Bits(Rc::new(bits))
            }
            Self::Top { opaque: before } => Self::Top {
                opaque: *before || opaque,
            },
            Self::Vague if opaque => OPAQUE,
            _ => self.clone(),
        }
    }

    /// One or the other.
    pub fn join(&self, other: &Self) -> Self {
        if self == other {
            return self.clone();
        }
        match (self, other) {
            (Self::Alts(a), Self::Alts(b)) => Self::alts(a.iter().chain(&**b).copied().collect()),
            (Self::Top { .. }, Self::Top { .. }) => OPAQUE,
            (Self::Bits(_), Self::Bits(_) | Self::Alts(_)) | (Self::Alts(_), Self::Bits(_)) => {
                let (a, b) = (self.bits(), other.bits());
                let mut out = a.clone();
                for bit in 0..64 {
                    out.set[bit] &= b.set[bit];
                    out.clear[bit] &= b.clear[bit];
                }
                out.opaque |= b.opaque;
                Self::Bits(Rc::new(out))
            }
            _ => self.mixed(other),
        }
    }

    /// What `op` makes of all pairs.
    pub fn combine(&self, other: &Self, op: impl Fn(u64, u64) -> u64) -> Self {
        if let (Self::Alts(Alts::One(a)), Self::Alts(Alts::One(b))) = (self, other)
            && a.has | b.has != ALL
        {
            return Self::Alts(Alts::One(Alt {
                value: op(a.value, b.value),
                has: a.has | b.has,
                opaque: a.opaque || b.opaque,
            }));
        }
        if let (Some(a), Some(b)) = (self.expanded(), other.expanded())
            && a.len() * b.len() <= 64
        {
            let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x, y)));
            return Self::alts(
                pairs
                    .map(|(x, y)| Alt {
                        value: op(x.value, y.value),
                        has: x.has | y.has,
                        opaque: x.opaque || y.opaque,
                    })
                    .collect(),
            );
        }
        self.mixed(other)
    }

    /// What `op` makes of each.
    pub fn map(&self, op: impl Fn(u64) -> u64) -> Self {
        self.combine(&Self::constant(0), |a, _| op(a))
    }

    pub fn logic(&self, other: &Self, op: Logic) -> Self {
        if let (Some(_), Some(_)) = (self.as_alts(), other.as_alts()) {
            return self.combine(other, |a, b| match op {
                Logic::And => a & b,
                Logic::Or => a | b,
                Logic::Xor => a ^ b,
            });
        }
        let is_word = matches!(self, Self::Bits(_)) || matches!(other, Self::Bits(_));
        // A mask of few bits tells which bits of a plain value are there.
        let is_mask = op == Logic::And
            && [self, other].iter().any(|v| v.as_constant().is_some())
            && [self, other].iter().any(|v| v.doubt() == Doubt::Opaque);
        if !is_word && !is_mask {
            return self.mixed(other);
        }
        let (a, b) = (self.bits(), other.bits());
        let mut out = a.clone();
        out.opaque |= b.opaque;
        for bit in 0..64 {
            match op {
                Logic::And => {
                    out.set[bit] = a.set[bit] | b.set[bit];
                    out.clear[bit] = a.clear[bit] & b.clear[bit];
                }
                Logic::Or => {
                    out.set[bit] = a.set[bit] & b.set[bit];
                    out.clear[bit] = a.clear[bit] | b.clear[bit];
                }
                Logic::Xor => {
                    let same = (a.clear[bit] | b.clear[bit]) & (a.set[bit] | b.set[bit]);
                    let other = (a.set[bit] | b.clear[bit]) & (a.clear[bit] | b.set[bit]);
                    (out.set[bit], out.clear[bit]) = (other, same);
                }
            }
        }
        Self::word(out)
    }

    /// Shifted up, or down without the sign.
    pub fn shift(&self, by: i32) -> Self {
        match self {
            Self::Bits(bits) => Self::word(bits.shifted(by)),
            _ => self.map(|a| match by >= 0 {
                true => a.checked_shl(by.unsigned_abs()).unwrap_or(0),
                false => a.checked_shr(by.unsigned_abs()).unwrap_or(0),
            }),
        }
    }

    /// Its low bits.
    pub fn low(&self, bits: u32) -> Self {
        match self {
            _ if bits >= 64 || *self == VAGUE => self.clone(),
            Self::Top { .. } | Self::Stack(..) => Self::Top {
                opaque: self.is_opaque(),
            },
            _ => self.logic(&Self::constant((1 << bits) - 1), Logic::And),
        }
    }

    /// What the CPU has where it is not zero.
    pub fn nonzero(&self) -> Set {
        match self {
            Self::Alts(list) => {
                (list.iter().filter(|alt| alt.value != 0)).fold(ALL, |all, alt| all & alt.has)
            }
            Self::Bits(bits) => bits.set.iter().fold(ALL, |all, set| all & set),
            _ => 0,
        }
    }

    /// What it has where it is zero.
    pub fn zero(&self) -> Set {
        match self {
            Self::Alts(list) => {
                (list.iter().filter(|alt| alt.value == 0)).fold(ALL, |all, alt| all & alt.has)
            }
            Self::Bits(bits) if bits.is_never_set() => 0,
            Self::Bits(bits) => bits.clear.iter().fold(0, |all, clear| all | clear),
            _ => 0,
        }
    }

    /// What it has where the value is a constant.
    pub fn equal(&self, value: u64) -> Set {
        match self {
            Self::Bits(bits) => (0..64).fold(0, |all, bit| {
                all | match value >> bit & 1 {
                    1 => bits.set[bit],
                    _ => bits.clear[bit],
                }
            }),
            Self::Alts(list) => {
                (list.iter().filter(|alt| alt.value == value)).fold(ALL, |all, alt| all & alt.has)
            }
            _ => 0,
        }
    }
}

impl Val {
    /// Its low bits; an address of the stack stays one.
    pub fn low_or_same(&self, bits: u32) -> Self {
        match self {
            Self::Stack(..) if bits >= 64 => self.clone(),
            _ => self.low(bits),
        }
    }
}
