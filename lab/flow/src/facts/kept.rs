//! Words of flags that are kept where they are not followed: a routine asks the CPU, and its
//! word is stored in a member of a structure that lies anywhere, where a text of the user's
//! may replace it.
//!
//! What is read at that distance behind any pointer may be the word. That is a guess: nothing
//! is refuted by it, and what it says is never sure.

use super::features::Facts;
use super::members::{distance, stores};
use super::oracle::Oracle;
use super::routine::Told;
use super::state::truncated;
use super::suppose::Suppose;
use super::value::Value;
use crate::sweep::to;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What is nearer to the start of a structure has its distance in common with too many others.
const FROM: u64 = 64;
/// Callers of a routine that gives a word which are looked at, at most.
const CALLERS: usize = 64;
/// Members with words in one file, at most.
const MEMBERS: usize = 16;

/// A member that a word of flags is stored in.
#[derive(Clone, Debug)]
pub struct Kept {
    /// From the pointer.
    pub distance: u64,
    /// How many it has.
    pub bytes: u8,
    /// By bit, what is there where it is one.
    word: Value,
}

impl Oracle<'_> {
    /// The members in which words are stored that routines of the file make of CPUID's answers.
    #[must_use]
    pub fn kept(&self) -> Vec<Kept> {
        let found = self.within(&self.for_kept, || self.find_kept());
        found.unwrap_or_default()
    }

    fn find_kept(&self) -> Vec<Kept> {
        let mut routines = BTreeSet::new();
        for routine in self.detection.answering() {
            let told = self.told(routine);
            if told.is_some_and(|told| told.summary.result.flags().is_some()) {
                routines.insert(routine);
                let start = self.program.routines[routine as usize].start;
                let callers = to(&self.sweep.edges, start).iter().take(CALLERS);
                routines.extend(callers.filter_map(|(_, at)| self.program.routine_at(at)));
            }
        }
        let mut out: Vec<Kept> = Vec::new();
        for routine in routines {
            let Some(told) = self.told(routine) else {
                continue;
            };
            let mut stores: Vec<(&u64, &Value)> = told.members.iter().collect();
            stores.sort_unstable_by_key(|(at, _)| **at);
            for (at, value) in stores {
                let word = self.stored_by(routine, value).flags();
                let place = word.and_then(|word| {
                    let instruction = self.instruction(*at)?;
                    let bytes = instruction.memory_size().size();
                    let distance = distance(&instruction)?;
                    let is_one = matches!(bytes, 4 | 8) && distance >= FROM;
                    is_one.then_some((distance, bytes as u8, word))
                });
                let Some((distance, bytes, word)) = place else {
                    continue;
                };
                let word = truncated(&word, bytes);
                if self.holds_others(distance, bytes, value) {
                    continue;
                }
                let is_same = |known: &Kept| (known.distance, known.bytes) == (distance, bytes);
                match out.iter().position(is_same) {
                    Some(same) => out[same].word = out[same].word.or(&word).by_bits(),
                    None if out.len() < MEMBERS => out.push(Kept {
                        distance,
                        bytes,
                        word,
                    }),
                    None => {}
                }
            }
        }
        out
    }

    /// Whether a number is stored in a member that has bits which are never ones in a word: all
    /// ones, whatever the CPU has.
    fn holds_others(&self, distance: u64, bytes: u8, word: &Value) -> bool {
        let never = |bit: &u8| word.when(Some(*bit)) == Some(Facts::ALL);
        let never = (0..bytes * 8).filter(never);
        let never = never.fold(0u64, |all, bit| all | 1 << bit);
        let same = stores(&self.sweep.members, distance).iter();
        let mut numbers = same.filter(|store| store.is_immediate && store.bytes == bytes.into());
        numbers.any(|store| {
            let number = self.instruction(store.at).map(|it| it.immediate(1));
            number.is_none_or(|number| number & never != 0)
        })
    }

    /// What is known of a routine where members hold these words.
    #[must_use]
    pub fn told_keeping(&self, routine: u32, kept: &[Kept]) -> Option<Rc<Told>> {
        let suppose = Suppose {
            kept,
            ..Suppose::default()
        };
        let look = || Told::of(self, routine, &suppose).map(Rc::new);
        self.within(&self.for_kept, look).flatten()
    }
}

/// The word that a member holds, if it is one of these.
pub(super) fn held(kept: &[Kept], distance: u64, bytes: u8) -> Option<Value> {
    let mut all = kept.iter();
    let found = all.find(|known| (known.distance, known.bytes) == (distance, bytes));
    found.map(|known| known.word.anew())
}

impl Value {
    /// By bit, what is there where it is one, if that tells enough features apart: with fewer
    /// it may be anything.
    #[must_use]
    pub(super) fn flags(&self) -> Option<Self> {
        const FEATURES: usize = 4;
        if self.is_any() {
            return None;
        }
        let bit = |bit| match self.when(Some(bit)) {
            Some(facts) if facts != Facts::ALL => facts.extensions(),
            _ => Facts::NONE,
        };
        let bits: [Facts; 64] = std::array::from_fn(|at| bit(at as u8));
        let mut says: Vec<Facts> = bits.to_vec();
        says.retain(|facts| facts.has_extension() && !facts.is_vague());
        says.sort_unstable();
        says.dedup();
        (says.len() >= FEATURES).then(|| {
            Self::word(|at| match bits[usize::from(at)] {
                facts if facts.has_extension() => (facts | Facts::member(), Facts::NONE),
                _ => (Facts::NONE, Facts::NONE),
            })
        })
    }
}
