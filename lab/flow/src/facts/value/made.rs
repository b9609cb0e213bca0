//! How values are made: of alternatives, of which the same ones are one.

use super::{ANY, Kind, Value};
use crate::facts::bits::{Word, bits, split, whole};
use crate::facts::features::Facts;
use crate::facts::shared::Shared;
use std::cell::Cell;
use std::rc::Rc;

/// Alternatives of one value at most; more are one word by bits, or unknown.
pub(super) const MOST: usize = 16;

thread_local! {
    /// Room for alternatives of which a value is made.
    static ROOM: Cell<Vec<(Kind, Facts)>> = const { Cell::new(Vec::new()) };
}

impl Value {
    /// Anything.
    pub const fn any() -> Self {
        Self(None)
    }

    /// Anything, of which copies are told to be the same: a branch may tell how large it is.
    pub fn some() -> Self {
        Self(Some(Rc::from(ANY)))
    }

    /// One alternative.
    pub fn of(kind: Kind) -> Self {
        Self::single(kind, Facts::NONE)
    }

    pub(super) fn single(kind: Kind, facts: Facts) -> Self {
        match (&kind, facts) {
            (Kind::Any, Facts::NONE) => Self::any(),
            _ => Self(Some(Rc::new([(kind, facts)]))),
        }
    }

    /// One alternative; any where nothing gets there.
    pub(super) fn only(kind: Kind, facts: Facts) -> Self {
        match (facts == Facts::ALL, kind) {
            (true, _) => Self::any(),
            (false, Kind::Word(word)) => match whole(word) {
                Ok(kind) => Self::single(kind, facts),
                Err(word) => Self::from_alternatives(split(word, facts)),
            },
            (false, kind) => Self::single(kind, facts),
        }
    }

    /// A number.
    pub fn number(number: u64) -> Self {
        Self::of(Kind::Const(number))
    }

    /// A word by its bits.
    pub fn word(bit: impl Fn(u8) -> (Facts, Facts)) -> Self {
        let word = Shared::of(|at| bit(at as u8));
        Self::from_alternatives(split(word, Facts::NONE))
    }

    /// [`Self::from_alternatives`], of one.
    pub fn from_alternative(kind: Kind, facts: Facts) -> Self {
        match facts == Facts::ALL {
            true => Self::any(),
            false => Self::single(kind, facts),
        }
    }

    /// One of two, as [`Self::from_alternatives`].
    pub fn either(first: (Kind, Facts), second: (Kind, Facts)) -> Self {
        match (first.1 == Facts::ALL, second.1 == Facts::ALL) {
            (true, _) => Self::from_alternative(second.0, second.1),
            (_, true) => Self::single(first.0, first.1),
            _ if first.0 == second.0 => Self::single(first.0, first.1 & second.1),
            _ => Self::pair(first, second),
        }
    }

    /// From alternatives: the same ones are one, and too many a word.
    pub fn from_alternatives(mut all: Vec<(Kind, Facts)>) -> Self {
        Self::from_list(&mut all)
    }

    /// The same.
    pub fn from_each(each: impl IntoIterator<Item = (Kind, Facts)>) -> Self {
        Self::from_added(|all| all.extend(each))
    }

    /// The same, of what is added to a list, which uses room that is kept.
    pub(in crate::facts) fn from_added(add: impl FnOnce(&mut Vec<(Kind, Facts)>)) -> Self {
        // What else is made while it is added has a room of its own.
        let mut all = ROOM.take();
        add(&mut all);
        let value = Self::from_list(&mut all);
        all.clear();
        ROOM.set(all);
        value
    }

    fn from_list(all: &mut Vec<(Kind, Facts)>) -> Self {
        let mut kept = 0;
        for at in 0..all.len() {
            let facts = all[at].1;
            if facts == Facts::ALL {
                continue;
            }
            match all[..kept].iter().position(|(kind, _)| *kind == all[at].0) {
                Some(known) => all[known].1 = all[known].1 & facts,
                None => {
                    all.swap(kept, at);
                    kept += 1;
                }
            }
        }
        all.truncate(kept);
        if kept > MOST {
            return Self::merged(all);
        }
        // Where nothing gets, any value will do.
        if kept > 1 {
            all.sort_by_key(|(kind, _)| order(kind));
        } else {
            return (all.pop()).map_or(Self::any(), |(kind, facts)| Self::single(kind, facts));
        }
        Self(Some(all.drain(..).collect()))
    }

    pub(super) fn merged(all: &[(Kind, Facts)]) -> Self {
        let has_address = |(kind, _): &(Kind, Facts)| match kind {
            Kind::Stack(_) | Kind::Any => true,
            Kind::Argument(_, at) => *at != 0,
            _ => false,
        };
        if all.iter().any(has_address) {
            return Self::any();
        }
        let mut out: Word = [(Facts::ALL, Facts::ALL); 64];
        for (kind, facts) in all {
            let word = bits(kind).unwrap_or_else(Shared::nothing);
            for (mine, theirs) in out.iter_mut().zip(word.iter()) {
                mine.0 = mine.0 & (theirs.0 | *facts);
                mine.1 = mine.1 & (theirs.1 | *facts);
            }
        }
        match out.iter().all(|bit| *bit == (Facts::NONE, Facts::NONE)) {
            true => Self::any(),
            false => Self::of(Kind::Word(Shared::from(&out))),
        }
    }

    /// Two alternatives that differ.
    pub(super) fn pair(mine: (Kind, Facts), theirs: (Kind, Facts)) -> Self {
        Self(Some(match order(&theirs.0) < order(&mine.0) {
            true => Rc::new([theirs, mine]),
            false => Rc::new([mine, theirs]),
        }))
    }
}

fn order(kind: &Kind) -> (u8, u64) {
    match kind {
        Kind::Any => (0, 0),
        Kind::Const(number) => (1, *number),
        Kind::Stack(at) => (2, *at as u64),
        Kind::Argument(number, at) => (3, *at as u64 ^ u64::from(*number) << 60),
        // Words come in the order in which they were found.
        Kind::Word(_) => (4, 0),
        Kind::UpTo(most, _) => (5, *most as u64),
    }
}
