//! Words of flags of a library's own, such as x264's `X264_CPU_AVX2`: one routine asks the
//! CPU and sets bits, others are given the word and pick kernels by it.

use super::calls::translated;
use super::features::Facts;
use super::objects::{Part, entered, entered_part};
use super::oracle::Oracle;
use super::routine::Told;
use super::state::{Flags, State};
use super::step::Arguments;
use super::suppose::{Element, Picks, Suppose};
use super::value::{Kind, Value, coarse};
use crate::sweep::to;
use iced_x86::ConditionCode;
use karat_binary::numbers::NumberMap;
use std::collections::BTreeSet;
use std::rc::Rc;

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
        let mut out: Vec<Value> = Vec::new();
        for routine in self.detection.answering() {
            let Some(told) = self.told(routine) else {
                continue;
            };
            let Some(word) = told.summary.result.flags() else {
                continue;
            };
            if !out.contains(&word) && out.len() < WORDS {
                out.push(word);
            }
        }
        out
    }

    /// Words of flags that routines make of answers and store in variables.
    #[must_use]
    pub fn stored_words(&self, routines: &[u32]) -> Vec<Value> {
        let mut out: Vec<Value> = Vec::new();
        for told in routines.iter().filter_map(|routine| self.told(*routine)) {
            let stored = told.stores.iter().filter(|(_, bytes, _)| *bytes >= 4);
            for word in stored.filter_map(|(.., value)| value.flags()) {
                if !out.contains(&word) && out.len() < WORDS {
                    out.push(word);
                }
            }
        }
        out
    }

    /// What is known of a routine where its arguments are these.
    #[must_use]
    pub fn told_with(&self, routine: u32, given: &[(u8, Value)]) -> Option<Rc<Told>> {
        Told::of(self, routine, &Suppose::given(given)).map(Rc::new)
    }

    /// What is known of a routine where one of several elements of a table is this one.
    #[must_use]
    pub fn picks(&self, routine: u32, element: Element) -> Picks {
        let look = |loads: &[u64]| {
            let suppose = Suppose {
                element: Some((element, loads)),
                ..Suppose::default()
            };
            Told::of(self, routine, &suppose).map(Rc::new)
        };
        // First where it loads one of several, then what follows where it is this one: in the
        // first round of a loop it seems to be the first.
        let find = || {
            let first = look(&[])?;
            let Some((_, places)) = first.loads.first() else {
                return Some(Picks::Told(first));
            };
            // What is asked of one and picked is another's where the index differs.
            let is_same = first.loads.iter().all(|(_, others)| others == places);
            if !is_same || places.is_empty() && first.loads.len() > 1 {
                return Some(Picks::Unclear);
            }
            let loads: Vec<u64> = first.loads.iter().map(|(at, _)| *at).collect();
            look(&loads).map(Picks::Told)
        };
        let found = self.within(&self.for_memory, find).flatten();
        found.unwrap_or(Picks::Nothing)
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
        let asked: Vec<u8> = self.told(routine)?.coarse().collect();
        let given = self.given(routine, Some(&asked), DEEP)?.arguments;
        let values = asked
            .into_iter()
            .map(|number| (number, given[usize::from(number)].clone()));
        let values: Vec<(u8, Value)> = values
            .filter(|(_, value)| !value.is_any() && !value.is_of_caller())
            .collect();
        match values.is_empty() {
            true => None,
            false => self.told_with(routine, &values),
        }
    }

    /// What a routine stores, as others read it: its arguments are what its callers give.
    pub(super) fn stored_by(&self, routine: u32, value: &Value) -> Value {
        if !value.is_of_arguments() {
            return value.outside();
        }
        let wanted = mentioned(value);
        let ask = || self.given(routine, Some(&wanted), DEEP);
        let given = self.within(&self.for_stored, ask).flatten();
        given.map_or(value.outside(), |given| {
            translated(value, &given.arguments).outside()
        })
    }

    /// What all who call a routine give it; none where others may. `wanted` are the arguments
    /// that are asked for; without them all are, and what memory holds.
    fn given(&self, routine: u32, wanted: Option<&[u8]>, deep: u8) -> Option<Entered> {
        let program = self.program;
        let start = program.routines[routine as usize].start;
        let is_named = !to(&self.sweep.taken, start).is_empty()
            || !to(&program.pointers, start).is_empty()
            || program.entries.contains_key(&start);
        let calls = to(&self.sweep.edges, start);
        if is_named || calls.is_empty() || calls.len() > CALLS {
            return None;
        }
        let mut out: Option<Entered> = None;
        for (_, at) in calls {
            let caller = program.routine_at(at).filter(|caller| *caller != routine)?;
            let told = self.told(caller)?;
            let given = told.calls.get(&at).cloned();
            let given = given.unwrap_or_else(|| Rc::new(nothing()));
            let is_one = |value: &Value| match wanted {
                None => value.is_of_caller(),
                // It may be in memory that the caller's callers filled.
                Some(_) => value.is_of_arguments() || value.is_any() || value.is_member(),
            };
            let is_asked = |number: u8| wanted.is_none_or(|wanted| wanted.contains(&number));
            let asked: Vec<&Value> = (0..)
                .zip(given.iter())
                .filter_map(|(number, value)| is_asked(number).then_some(value))
                .collect();
            let inner = match asked.iter().any(|value| is_one(value)) {
                // What the caller was given itself, and what it made of it.
                true => {
                    let is_direct = wanted.is_some() && !asked.iter().any(|value| value.is_any());
                    let numbers: BTreeSet<u8> =
                        asked.iter().flat_map(|value| mentioned(value)).collect();
                    let numbers = is_direct.then(|| numbers.into_iter().collect());
                    let ask = || self.given_inside(caller, at, numbers, deep);
                    match wanted.is_some() && is_direct {
                        true => ask(),
                        false => self.within(&self.for_memory, ask).flatten(),
                    }
                }
                false => None,
            };
            let entered = inner.unwrap_or_else(|| Entered::of(&given, &[]));
            out = Some(match out {
                None => entered,
                Some(known) => known.or(&entered),
            });
        }
        out
    }

    /// What the call at a place gives, where its routine is given what its own callers give.
    fn given_inside(
        &self,
        caller: u32,
        at: u64,
        wanted: Option<Vec<u8>>,
        deep: u8,
    ) -> Option<Entered> {
        let inside = self.inside((caller, wanted, deep))?;
        let given = inside.calls.get(&at).cloned();
        let given = given.unwrap_or_else(|| Rc::new(nothing()));
        let memory = inside.memory.get(&at).map_or(&[][..], Vec::as_slice);
        Some(Entered::of(&given, memory))
    }

    /// What all calls of a routine give then. Callers of callers meet again and again: what was
    /// found is kept, once what variables hold is known.
    fn inside(&self, key: Outer) -> Option<Rc<Inside>> {
        if let Some(known) = self.calls_inside.borrow().get(&key) {
            return Some(known.clone());
        }
        let (caller, wanted, deep) = &key;
        let outer = deep
            .checked_sub(1)
            .and_then(|deep| self.given(*caller, wanted.as_deref(), deep));
        let outer = outer.unwrap_or_default();
        let arguments: Vec<(u8, Value)> = (0..).zip(outer.arguments).collect();
        let known = arguments.iter().filter(|(_, value)| !value.is_any());
        let arguments: Vec<(u8, Value)> = known.cloned().collect();
        let suppose = Suppose {
            arguments: &arguments,
            memory: &outer.memory,
            is_deep: true,
            ..Suppose::default()
        };
        let Told { calls, memory, .. } = Told::of(self, *caller, &suppose)?;
        let inside = Rc::new(Inside { calls, memory });
        // Where no more may be followed, less was found than there is.
        if self.is_settled && !self.is_spent() {
            self.calls_inside.borrow_mut().insert(key, inside.clone());
        }
        Some(inside)
    }
}

/// Whose calls are asked about: a routine, the arguments that are asked for, and how many callers
/// are gone up from it.
pub(super) type Outer = (u32, Option<Vec<u8>>, u8);

/// By place: what calls are given, and what memory holds there.
pub(super) struct Inside {
    calls: NumberMap<u64, Rc<Arguments>>,
    memory: NumberMap<u64, Vec<Part>>,
}

/// The arguments that a value is, or speaks of.
fn mentioned(value: &Value) -> Vec<u8> {
    let of = |facts: &Facts| -> Vec<u8> {
        match *facts == Facts::ALL {
            true => Vec::new(),
            false => facts.arguments().map(|(number, _)| number).collect(),
        }
    };
    let each = |(kind, facts): &(Kind, Facts)| {
        let mut out = of(facts);
        match kind {
            Kind::Argument(number, _) => out.push(*number),
            Kind::Word(word) => {
                out.extend(
                    word.iter()
                        .flat_map(|(one, zero)| [of(one), of(zero)].concat()),
                );
            }
            _ => {}
        }
        out
    };
    let mut out: Vec<u8> = value.alternatives().iter().flat_map(each).collect();
    out.sort_unstable();
    out.dedup();
    out
}

fn nothing() -> Arguments {
    std::array::from_fn(|_| Value::any())
}

/// What is known where a routine is entered.
struct Entered {
    arguments: Arguments,
    memory: Vec<Part>,
}

impl Default for Entered {
    fn default() -> Self {
        Self {
            arguments: nothing(),
            memory: Vec::new(),
        }
    }
}

impl Entered {
    /// By what a call gives. Where memory is not known, places in it say nothing.
    fn of(given: &Arguments, memory: &[Part]) -> Self {
        let value = |value: &Value| match memory.is_empty() && value.is_of_caller() {
            true => Value::any(),
            false => entered(value),
        };
        let parts = memory.iter().map(entered_part);
        Self {
            arguments: std::array::from_fn(|at| value(&given[at])),
            memory: parts.filter(|(_, _, value)| !value.is_any()).collect(),
        }
    }

    /// What holds by either of two calls.
    fn or(self, other: &Self) -> Self {
        // Frames of two callers lie at different places.
        let both = |a: &Value, b: &Value| match a.or(b) {
            both if both.alternatives().len() > 1 && both.is_of_caller() => Value::any(),
            both => both,
        };
        let in_both = |(at, bytes, value): &Part| {
            let mut others = other.memory.iter();
            let theirs = others.find(|part| part.0 == *at && part.1 == *bytes)?;
            let value = both(value, &theirs.2);
            (!value.is_any()).then_some((*at, *bytes, value))
        };
        Self {
            arguments: std::array::from_fn(|at| both(&self.arguments[at], &other.arguments[at])),
            memory: self.memory.iter().filter_map(in_both).collect(),
        }
    }
}
