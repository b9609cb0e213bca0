//! What a package's initialiser makes of several answers: `x = a && b && c` leaves ways apart, one
//! for each answer that ended it, and what is set is neither of them. They are one way again where
//! the next initialiser starts, if each bit that differs is set exactly for CPUs that have some
//! features.

use crate::bits::{Bit, ONE, Word, ZERO, is_masked, symbol_of};
use crate::conditions::{Meaning, Symbols};
use crate::facts::Facts;
use crate::machine::{Machine, Waiting};
use crate::memory::Image;
use crate::state::State;

impl Machine<'_> {
    /// Both ways as one.
    pub fn conjoined(&mut self, one: Waiting, other: &State) -> Option<State> {
        let first = self.waiting.get(&one)?;
        let taken = |state: &State| state.conditions.taken(&self.symbols);
        if taken(first) != taken(other) {
            return None;
        }
        self.with_features(one, other, State::as_conjunctions)
    }
}

impl State {
    /// What CPUs have where a bit is set, if it may be; none if that is not known.
    fn set_for(&self, symbols: &Symbols, bit: Bit) -> Option<Option<Facts>> {
        match (bit, symbol_of(bit)) {
            (ZERO, _) => Some(None),
            (ONE, _) => Some(Some(self.conditions.has())),
            (_, Some((number, false))) if !is_masked(bit) => match symbols.meaning(number) {
                Meaning::Cpu(_) => {
                    let known = self.conditions.with(symbols, bit);
                    Some(known.map(|known| known.has()))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether CPUs on which a bit is not set lack one of these.
    fn lacks_unless(&self, symbols: &Symbols, bit: Bit, facts: Facts) -> bool {
        match (bit, symbol_of(bit)) {
            (ONE, _) => true,
            (ZERO, _) => self.conditions.lacks(symbols, facts),
            (_, Some((number, _))) => match symbols.meaning(number) {
                Meaning::Cpu(own) => own.without(facts).is_none(),
                _ => false,
            },
            _ => false,
        }
    }

    fn as_conjunctions(
        &self,
        other: &Self,
        image: &Image<'_>,
        symbols: &Symbols,
        bit_of: &dyn Fn(Facts) -> Option<Bit>,
    ) -> Option<Self> {
        let unknown = Facts::named("another extension");
        let one = |a: &Word, b: &Word| {
            let mut bits = [ZERO; 64];
            for (at, bit) in bits.iter_mut().enumerate() {
                let plain = |state: &Self, bit| state.truth(symbols, bit).unwrap_or(bit);
                let (mine, theirs) = (plain(self, a.bit(at)), plain(other, b.bit(at)));
                *bit = mine;
                if mine == theirs {
                    continue;
                }
                let facts = match (
                    self.set_for(symbols, mine)?,
                    other.set_for(symbols, theirs)?,
                ) {
                    (Some(mine), Some(theirs)) => mine & theirs,
                    (mine, theirs) => mine.or(theirs)?,
                };
                let is_exact = self.lacks_unless(symbols, mine, facts)
                    && other.lacks_unless(symbols, theirs, facts);
                let is_known = facts.has_extension() && facts & unknown == Facts::NONE;
                *bit = bit_of(facts).filter(|_| is_exact && is_known)?;
            }
            Some(Word::from_bits(bits))
        };
        let mut both = self.by(other, image, symbols, &one)?;
        both.conditions = self.conditions.shared(&other.conditions);
        Some(both)
    }
}
