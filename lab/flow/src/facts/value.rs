//! Values as alternatives, each with what is known when the value is that one.

mod made;

use super::arithmetic::add;
use super::bits::split;
use super::features::Facts;
use super::shared::Shared;
use made::MOST;
use std::rc::Rc;

/// One alternative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Anything.
    Any,
    /// A number or an address of the file.
    Const(u64),
    /// The stack pointer at entry plus a distance.
    Stack(i64),
    /// An argument plus a distance.
    Argument(u8, i64),
    /// A word whose bits mean something.
    Word(Shared),
    /// A number that is no larger, as so many bytes with a sign or without.
    UpTo(i64, Bytes),
}

/// How a number is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes {
    /// How many.
    pub count: u8,
    /// The highest bit is a sign.
    pub is_signed: bool,
}

/// Its alternatives; none of them written down where it may be anything, as most are: that
/// is copied for nothing. `Eq`, so that copies are told to be the same by their address alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value(Option<Rc<[(Kind, Facts)]>>);

const ANY: &[(Kind, Facts)] = &[(Kind::Any, Facts::NONE)];

impl Value {
    /// What it may be.
    pub fn alternatives(&self) -> &[(Kind, Facts)] {
        self.0.as_deref().unwrap_or(ANY)
    }

    /// Whether it may be anything.
    pub fn is_any(&self) -> bool {
        self.0.as_deref().is_none_or(|all| *all == *ANY)
    }

    /// Whether it may be anything, and copies of it are not told.
    pub fn is_nothing(&self) -> bool {
        self.0.is_none()
    }

    /// The same for others, who have no copies of it.
    pub fn told(&self) -> Self {
        match self.is_any() {
            true => Self::any(),
            false => self.clone(),
        }
    }

    /// Whether it came from the same instruction's run as another, and says something.
    pub fn is_copy_of(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(mine), Some(theirs)) => Rc::ptr_eq(mine, theirs),
            _ => false,
        }
    }

    /// The same alternatives, but no copy: what was read anew.
    pub fn anew(&self) -> Self {
        Self(self.0.as_deref().map(Rc::from))
    }

    /// So much more, where it is one number or place.
    pub fn plus(&self, by: u64) -> Self {
        match self.alternatives() {
            [(kind, facts)] => Self::only(add(kind, &Kind::Const(by)), *facts),
            _ => self.with(&Self::number(by), add),
        }
    }

    /// Makes it so much more: in place, if it is one on the stack that nothing else has.
    pub(super) fn advance(&mut self, by: u64) {
        match self.0.as_mut().and_then(Rc::get_mut) {
            Some([(Kind::Stack(at), facts)]) if *facts != Facts::ALL => {
                *at = at.wrapping_add(by as i64);
            }
            _ => *self = self.plus(by),
        }
    }

    /// Whether what it is tells something of the CPU: one alternative says what not all do.
    pub fn goes_by_answer(&self) -> bool {
        let alternatives = self.alternatives().iter();
        let all = (alternatives.clone()).fold(Facts::ALL, |all, (_, facts)| all & *facts);
        let says = |facts: Facts| facts != Facts::ALL && facts.features().says();
        alternatives.into_iter().any(|(kind, facts)| {
            let more = facts.features() != all.features() && says(*facts);
            let is_one = |bit: &(Facts, Facts)| says(bit.0) || says(bit.1);
            more || matches!(kind, Kind::Word(word) if word.iter().any(is_one))
        })
    }

    /// Whether it is one of several numbers that are all known, and answers made some of them.
    pub fn is_answered(&self) -> bool {
        let is_number = |(kind, _): &(Kind, Facts)| matches!(kind, Kind::Const(_));
        let by_answer = |(_, facts): &(Kind, Facts)| facts.has_extension();
        let all = self.alternatives();
        all.iter().all(is_number) && all.iter().any(by_answer)
    }

    /// The arguments, as bits, of which it is a bit that facts do not tell apart.
    pub(super) fn coarse(&self) -> u8 {
        let each = |(kind, facts): &(Kind, Facts)| match kind {
            Kind::Const(number) if *number != 0 => coarse(*facts),
            Kind::Word(word) => {
                let bits = word.iter();
                bits.fold(0, |all, (one, zero)| all | coarse(*one) | coarse(*zero))
            }
            _ => 0,
        };
        self.alternatives()
            .iter()
            .fold(0, |all, one| all | each(one))
    }

    /// Whether it is an argument, or its facts speak of one.
    pub fn is_of_arguments(&self) -> bool {
        let speaks = |facts: &Facts| *facts != Facts::ALL && !facts.of_arguments().is_none();
        let is_one = |(kind, facts): &(Kind, Facts)| match kind {
            Kind::Argument(..) => true,
            Kind::Word(word) => word.iter().any(|(one, zero)| speaks(one) || speaks(zero)),
            _ => speaks(facts),
        };
        self.alternatives().iter().any(is_one)
    }

    /// Whether it is a number, perhaps, with a bit that is one though what such a bit of a
    /// word says is not there.
    #[must_use]
    pub fn says_less_than(&self, word: &Self) -> bool {
        let lacks = |facts: Facts, bit: u8| {
            let said = word.when(Some(bit)).unwrap_or(Facts::NONE).extensions();
            !said.without(facts).is_none()
        };
        self.alternatives().iter().any(|(kind, facts)| match kind {
            Kind::Const(number) => (0..64).any(|bit| number >> bit & 1 == 1 && lacks(*facts, bit)),
            _ => false,
        })
    }

    /// Whether it rests on what a member of a structure holds.
    pub(super) fn is_member(&self) -> bool {
        self.alternatives()
            .iter()
            .any(|(_, facts)| facts.is_member())
    }

    /// Whether it goes by what only its routine knows: its arguments and its frame.
    pub fn is_of_caller(&self) -> bool {
        let is_frame = |(kind, _): &(Kind, Facts)| matches!(kind, Kind::Stack(_));
        self.is_of_arguments() || self.alternatives().iter().any(is_frame)
    }

    /// What others see of it, who know neither its routine's arguments nor its frame.
    #[must_use]
    pub fn outside(&self) -> Self {
        if !self.is_of_caller() {
            return self.clone();
        }
        let seen = |facts: Facts| match facts == Facts::ALL {
            true => facts,
            false => facts.features(),
        };
        let all = self.alternatives().iter().map(|(kind, facts)| {
            let kind = match kind {
                Kind::Argument(..) | Kind::Stack(_) => Kind::Any,
                Kind::Word(word) => {
                    Kind::Word(Shared::of(|at| (seen(word[at].0), seen(word[at].1))))
                }
                kind => kind.clone(),
            };
            (kind, seen(*facts))
        });
        Self::from_each(all)
    }

    /// Several alternatives as one word by its bits; what is no word stays what it is.
    pub fn by_bits(&self) -> Self {
        match self.alternatives() {
            [_] => self.clone(),
            all => Self::merged(all),
        }
    }

    /// The only alternative's constant.
    pub fn constant(&self) -> Option<u64> {
        match self.alternatives() {
            [(Kind::Const(number), _)] => Some(*number),
            _ => None,
        }
    }

    /// What must hold on a path is known of each alternative.
    pub fn under(&self, facts: Facts) -> Self {
        let alternatives = self.alternatives().iter();
        if facts.is_none() || (alternatives.clone()).all(|(_, known)| *known | facts == *known) {
            return self.clone();
        }
        let is_lost = |(_, known): &(Kind, Facts)| *known | facts == Facts::ALL;
        let all = alternatives
            .clone()
            .map(|(kind, known)| (kind.clone(), *known | facts));
        // Those of a value are sorted, and none is there twice.
        match alternatives.as_slice().iter().any(is_lost) {
            true => Self::from_each(all),
            false => Self(Some(all.collect())),
        }
    }

    /// What it is where paths meet, of which one knows `mine`, and another, where it is `other`,
    /// which differs, `theirs`: [`Self::under`] and [`Self::or`] in one. None where that is what it was.
    pub(super) fn joined(&self, mine: Facts, other: &Self, theirs: Facts) -> Option<Self> {
        if self.stays(mine, other, theirs) {
            return None;
        }
        let joined = match (self.alternatives(), other.alternatives()) {
            ([(kind, first)], [(than, second)])
                if *first | mine != Facts::ALL && *second | theirs != Facts::ALL =>
            {
                let (first, second) = (*first | mine, *second | theirs);
                match kind == than {
                    true => Self::single(kind.clone(), first & second),
                    false => Self::pair((kind.clone(), first), (than.clone(), second)),
                }
            }
            _ => self.under(mine).or_joined(&other.under(theirs)),
        };
        (joined != *self).then_some(joined)
    }

    /// Whether nothing is joined to it: it is not anything, each alternative is known to be there
    /// under what its path knows, and it has those of the other with no more known of them.
    fn stays(&self, mine: Facts, other: &Self, theirs: Facts) -> bool {
        let own = self.alternatives();
        let has = |(kind, facts): &(Kind, Facts)| {
            let facts = *facts | theirs;
            let known = own.iter().find(|(known, _)| known == kind);
            facts != Facts::ALL && known.is_some_and(|(_, known)| *known & facts == *known)
        };
        !self.is_any()
            && own.iter().all(|(_, known)| *known | mine == *known)
            && other.alternatives().iter().all(has)
    }

    /// The same as [`Self::or`], but for copies: where it has all alternatives of the other it
    /// may be a copy of itself.
    pub(super) fn or_joined(self, other: &Self) -> Self {
        match self.has_all_of(other) {
            true => self,
            false => self.or(other),
        }
    }

    /// Whether it has several alternatives, and all of another with no more known of them.
    fn has_all_of(&self, other: &Self) -> bool {
        let mine = self.alternatives();
        let has = |(kind, facts): &(Kind, Facts)| {
            let known = mine.iter().find(|(known, _)| known == kind);
            known.is_some_and(|(_, known)| *known & *facts == *known)
        };
        mine.len() > 1 && other.alternatives().iter().all(has)
    }

    /// What is either this or that.
    pub fn or(&self, other: &Self) -> Self {
        if self == other {
            return self.clone();
        }
        if let ([(mine, first)], [(theirs, second)]) = (self.alternatives(), other.alternatives())
            && mine != theirs
            && *first != Facts::ALL
            && *second != Facts::ALL
        {
            return Self::pair((mine.clone(), *first), (theirs.clone(), *second));
        }
        let both = self.alternatives().iter().chain(other.alternatives());
        Self::from_each(both.cloned())
    }

    /// Each alternative changed.
    pub fn map(&self, change: impl Fn(&Kind) -> Kind) -> Self {
        if self.is_any() {
            return Self::any();
        }
        if let [(kind, facts)] = self.alternatives() {
            return Self::only(change(kind), *facts);
        }
        Self::from_added(|all| {
            for (kind, facts) in self.alternatives() {
                match change(kind) {
                    Kind::Word(word) => all.extend(split(word, *facts)),
                    kind => all.push((kind, *facts)),
                }
            }
        })
    }

    /// Two values taken together.
    pub fn with(&self, other: &Self, both: impl Fn(&Kind, &Kind) -> Kind) -> Self {
        if self.is_any() && other.is_any() {
            return Self::any();
        }
        let (left, right) = (self.alternatives(), other.alternatives());
        if let ([(mine, first)], [(theirs, second)]) = (left, right) {
            return Self::only(both(mine, theirs), *first | *second);
        }
        if left.len() * right.len() > MOST * 4 {
            let (a, b) = (Self::merged(left), Self::merged(right));
            if a.alternatives().len() * b.alternatives().len() > 1 {
                return Self::any();
            }
            return a.with(&b, both);
        }
        Self::from_added(|all| {
            for (mine, first) in left {
                for (theirs, second) in right {
                    let facts = *first | *second;
                    match both(mine, theirs) {
                        Kind::Word(word) => all.extend(split(word, facts)),
                        kind => all.push((kind, facts)),
                    }
                }
            }
        })
    }

    /// What is known when a bit of it is one, or when any is; none if that says nothing
    /// because the value may be anything.
    pub fn when(&self, bit: Option<u8>) -> Option<Facts> {
        let mut all = Facts::ALL;
        for (kind, facts) in self.alternatives() {
            let own = match (kind, bit) {
                (Kind::Const(number), Some(bit)) if number >> bit & 1 == 0 => continue,
                (Kind::Const(0), None) => continue,
                (Kind::Const(_) | Kind::Stack(_), _) => Facts::NONE,
                (Kind::Any | Kind::UpTo(..), _) if facts.is_none() => return None,
                (Kind::Any | Kind::UpTo(..), _) => Facts::NONE,
                (Kind::Argument(number, 0), bit) => Facts::argument(*number, bit),
                (Kind::Argument(..), _) => return None,
                (Kind::Word(word), Some(bit)) => word[usize::from(bit)].0,
                (Kind::Word(word), None) => {
                    word.iter().fold(Facts::ALL, |all, (one, _)| all & *one)
                }
            };
            all = all & (own | *facts);
        }
        Some(all)
    }
}

/// The arguments in registers, as bits, of which facts say only that they are not zero.
pub(super) fn coarse(facts: Facts) -> u8 {
    if facts == Facts::ALL || facts.of_arguments().is_none() {
        return 0;
    }
    // The bits of an argument come before the whole of it.
    let mut bits = 0u8;
    let mut all = 0u8;
    for (number, bit) in facts.arguments() {
        let at = 1u8.checked_shl(number.into()).unwrap_or_default();
        match bit {
            Some(_) => bits |= at,
            None => all |= at & !bits,
        }
    }
    all
}

#[cfg(test)]
#[path = "value_tests.rs"]
mod tests;
