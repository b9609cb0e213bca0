//! Words of flags of a library's own, such as x264's `X264_CPU_AVX2`: one routine asks the
//! CPU and sets bits, others are given the word and pick kernels by it.

use super::features::Facts;
use super::oracle::Oracle;
use super::routine::Told;
use super::state::{Flags, State};
use super::step::Arguments;
use super::value::{Kind, Value, coarse};
use crate::sweep::to;
use iced_x86::ConditionCode;
use std::rc::Rc;

/// Features that a word tells apart, at least: with fewer it may be anything.
const FEATURES: usize = 4;
/// Words of one file that are tried.
const WORDS: usize = 4;
/// Calls of a routine of which it is asked what they give, at most.
const CALLS: usize = 32;
/// Routines between one that is given a word and one that has it.
const DEEP: u8 = 4;

impl State {
    /// The arguments, as bits, that a condition asks for by bits which facts do not tell apart.
    pub(super) fn coarse(&self, condition: ConditionCode) -> u8 {
        let is_sign = matches!(condition, ConditionCode::s | ConditionCode::ns);
        match &self.flags {
            // The sign of a part is a bit: the highest of 16.
            Flags::Compared { left, bytes, .. } if is_sign && *bytes <= 2 => {
                let arguments = left.alternatives().iter().map(|(kind, _)| match kind {
                    Kind::Argument(number, 0) => 1u8.checked_shl((*number).into()).unwrap_or(0),
                    _ => 0,
                });
                arguments.fold(left.coarse(), |all, one| all | one)
            }
            Flags::Compared { left, .. } => left.coarse(),
            Flags::Carry(one, zero) => coarse(*one) | coarse(*zero),
            Flags::Unknown => 0,
        }
    }
}

impl Oracle<'_> {
    /// The words that routines of the file give which ask the CPU: by bit, what is there
    /// where it is one. What another routine asks of such a word may be of another one, so
    /// it rests on a word's name, as it were.
    #[must_use]
    pub fn words(&self) -> Vec<Value> {
        let mut routines: Vec<u32> = self.detection.answers.iter().copied().collect();
        routines.sort_unstable();
        let mut out: Vec<Value> = Vec::new();
        for routine in routines {
            let Some(told) = self.told(routine) else {
                continue;
            };
            let bit = |bit| match told.summary.result.when(Some(bit)) {
                Some(facts) if facts != Facts::ALL => facts.extensions(),
                _ => Facts::NONE,
            };
            let bits: [Facts; 64] = std::array::from_fn(|at| bit(at as u8));
            let mut says: Vec<Facts> = bits.to_vec();
            says.retain(|facts| facts.has_extension() && !facts.is_vague());
            says.sort_unstable();
            says.dedup();
            if says.len() < FEATURES {
                continue;
            }
            let word = Value::word(|at| match bits[usize::from(at)] {
                facts if facts.has_extension() => (facts | Facts::member(), Facts::NONE),
                _ => (Facts::NONE, Facts::NONE),
            });
            if !out.contains(&word) && out.len() < WORDS {
                out.push(word);
            }
        }
        out
    }

    /// What is known of a routine where its arguments are these.
    #[must_use]
    pub fn told_with(&self, routine: u32, given: &[(u8, Value)]) -> Option<Rc<Told>> {
        Told::of(self, routine, given).map(Rc::new)
    }

    /// What is known of a routine by what all who call it give, where it asks for bits of an
    /// argument that facts do not tell apart, and its callers are all seen.
    #[must_use]
    pub fn told_by_callers(&self, routine: u32) -> Option<Rc<Told>> {
        if let Some(known) = self.by_callers.borrow().get(&routine) {
            return known.clone();
        }
        self.by_callers.borrow_mut().insert(routine, None);
        let told = self.apart(|| self.find_by_callers(routine)).flatten();
        self.by_callers.borrow_mut().insert(routine, told.clone());
        told
    }

    fn find_by_callers(&self, routine: u32) -> Option<Rc<Told>> {
        let asked = self.told(routine)?.coarse();
        let given = self.given(routine, DEEP)?;
        let values = asked.map(|number| (number, given[usize::from(number)].clone()));
        let values: Vec<(u8, Value)> = values.filter(|(_, value)| !value.is_any()).collect();
        match values.is_empty() {
            true => None,
            false => self.told_with(routine, &values),
        }
    }

    /// What all who call a routine give it; none where others may.
    fn given(&self, routine: u32, deep: u8) -> Option<Arguments> {
        let program = self.program;
        let start = program.routines[routine as usize].start;
        let is_named = !to(&self.sweep.taken, start).is_empty()
            || !to(&program.pointers, start).is_empty()
            || program.entries.contains_key(&start);
        let calls = to(&self.sweep.edges, start);
        if is_named || calls.is_empty() || calls.len() > CALLS {
            return None;
        }
        let mut out: Option<Arguments> = None;
        for &(_, at) in calls {
            let caller = program.routine_at(at).filter(|caller| *caller != routine)?;
            let mut given = self.told(caller)?.calls.get(&at)?.clone();
            if given.iter().any(Value::is_of_arguments) {
                // What the caller was given itself, and what it made of it.
                let outer = deep
                    .checked_sub(1)
                    .and_then(|deep| self.given(caller, deep));
                let outer = outer.map(|outer| (0..).zip(outer).collect::<Vec<_>>());
                let told = outer.and_then(|outer| self.told_with(caller, &outer));
                if let Some(known) = told.and_then(|told| told.calls.get(&at).cloned()) {
                    given = known;
                }
            }
            // Places of the caller's frame, and what is not known of it, say nothing here.
            let given = given.map(|value| match value.is_of_caller() {
                true => Value::any(),
                false => value,
            });
            out = Some(match out {
                None => given,
                Some(known) => std::array::from_fn(|at| known[at].or(&given[at])),
            });
        }
        out
    }
}
