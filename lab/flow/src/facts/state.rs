//! What is known at one place of a routine, and what a branch there decides.

use super::arithmetic::shifted;
use super::bits::constant_bit;
use super::bounds::Bounded;
use super::compare::{compare, is_zero_from, numbers_of};
use super::features::Facts;
use super::places::Places;
use super::shared::Shared;
use super::value::{Kind, Value};
use super::vectors::Lanes;
use crate::convention::Convention;
use crate::state::PASSED;
use iced_x86::ConditionCode;
use std::rc::Rc;

/// Stack slots and variables that are followed at most.
const SLOTS: usize = 128;

/// Where a value that was compared is kept, so that a branch tells more of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Register(u8),
    Slot(i64),
    Global(u64),
}

/// What the flags were set by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flags {
    Unknown,
    /// A comparison, or a logical result with zero.
    Compared {
        left: Value,
        right: Value,
        bytes: u8,
        place: Option<Place>,
        /// Carry and overflow are those of the comparison.
        is_whole: bool,
    },
    /// The carry: what it implies when it is one, and when it is zero.
    Carry(Facts, Facts),
}

/// How values are joined where paths meet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// All that each may be.
    Given,
    /// As words by their bits: a word of flags that many paths lead to with.
    Bits,
    /// What differs is not known: it went on for long.
    Nothing,
}

#[derive(Clone)]
pub struct State {
    pub registers: [Value; 16],
    /// Vector registers that are zero.
    pub zero: u32,
    /// What holds whatever the values are.
    pub facts: Facts,
    pub flags: Flags,
    /// By number of the vector register: what is known of it. Few hold answers.
    pub(super) vectors: Rc<Vec<(u8, Lanes)>>,
    // Most blocks change neither, and a state is copied at every edge.
    pub(super) slots: Rc<Places<i64>>,
    globals: Rc<Places<u64>>,
}

/// What holds on both sides of a condition; all facts where one cannot be.
pub struct Decided {
    pub yes: Facts,
    pub no: Facts,
    pub place: Option<(Place, Value, Value)>,
    /// How large a value is that is not followed.
    pub bounded: Option<Bounded>,
}

impl State {
    pub fn entry(convention: &Convention) -> Self {
        let mut state = Self::unknown();
        state.registers[4] = Value::of(Kind::Stack(0));
        for (number, register) in convention.registers.iter().enumerate() {
            state.registers[usize::from(*register)] = Value::of(Kind::Argument(number as u8, 0));
        }
        let first = convention.registers.len();
        for number in first..PASSED {
            let at = convention.stacked + (number - first) as i64 * 8;
            state.set_slot(at, 8, Value::of(Kind::Argument(number as u8, 0)));
        }
        state
    }

    /// Where a routine is entered that nothing is known of.
    pub fn unknown() -> Self {
        Self {
            registers: std::array::from_fn(|_| Value::any()),
            zero: 0,
            facts: Facts::NONE,
            flags: Flags::Unknown,
            vectors: Rc::default(),
            slots: Rc::default(),
            globals: Rc::default(),
        }
    }

    /// Adds what another path knows, as carefully as it is told to. Returns whether anything
    /// changed.
    pub fn join(&mut self, other: &Self, how: Join) -> bool {
        let (mine, theirs) = (self.facts, other.facts);
        let (mut is_new, mut is_fewer) = (false, false);
        // What both are; none where that is what the first was.
        let mut both = |a: &Value, b: &Value| {
            if a == b {
                return None;
            }
            let is_other = |joined: &Value| joined != a;
            let joined = match how {
                Join::Given => a.joined(mine, b, theirs),
                Join::Bits => Some(a.under(mine).or(&b.under(theirs)).by_bits()).filter(is_other),
                Join::Nothing => Some(Value::any()).filter(is_other),
            };
            is_new |= joined.is_some();
            joined
        };
        for (a, b) in self.registers.iter_mut().zip(&other.registers) {
            if let Some(joined) = both(a, b) {
                *a = joined;
            }
        }
        if !Rc::ptr_eq(&self.slots, &other.slots) && self.slots != other.slots {
            let count = self.slots.len();
            let slots = Rc::make_mut(&mut self.slots);
            slots.retain(|at, bytes, value| match other.slots.get(at) {
                Some((size, theirs)) if size == bytes => {
                    if let Some(joined) = both(value, theirs) {
                        *value = joined;
                    }
                    !value.is_nothing()
                }
                _ => false,
            });
            is_fewer |= slots.len() != count;
        }
        if !Rc::ptr_eq(&self.globals, &other.globals) && self.globals != other.globals {
            let count = self.globals.len();
            let globals = Rc::make_mut(&mut self.globals);
            globals.retain(|at, bytes, value| match other.globals.get(at) {
                Some((size, theirs)) if size == bytes => {
                    if let Some(joined) = both(value, theirs) {
                        *value = joined;
                    }
                    !value.is_any()
                }
                _ => false,
            });
            is_fewer |= globals.len() != count;
        }
        if !Rc::ptr_eq(&self.vectors, &other.vectors) && self.vectors != other.vectors {
            let count = self.vectors.len();
            Rc::make_mut(&mut self.vectors).retain_mut(|(number, lanes)| {
                let theirs = other.vectors.iter().find(|(known, _)| known == number);
                let Some((_, theirs)) = theirs else {
                    return false;
                };
                for (lane, theirs) in lanes.iter_mut().zip(theirs) {
                    if let Some(joined) = both(lane, theirs) {
                        *lane = joined;
                    }
                }
                lanes.iter().any(|lane| !lane.is_any())
            });
            is_fewer |= self.vectors.len() != count;
        }
        is_new |= is_fewer || self.zero & other.zero != self.zero || mine & theirs != mine;
        self.zero &= other.zero;
        self.facts = mine & theirs;
        if self.flags != other.flags {
            is_new |= self.flags != Flags::Unknown;
            self.flags = Flags::Unknown;
        }
        is_new
    }

    pub fn slot(&self, at: i64, bytes: u8) -> Option<Value> {
        if let Some((start, size, value)) = self.slots.covering(at, bytes) {
            return Some(match (at.abs_diff(start) as u32, size == bytes) {
                (0, true) => value.clone(),
                (0, false) => truncated(value, bytes),
                // A byte of an answer is tested by itself.
                (by, _) => truncated(&value.map(|kind| shifted(kind, by * 8, false)), bytes),
            });
        }
        // What lies side by side is copied as one.
        match self.slots.has(at, bytes) {
            true => self.composed(at, bytes),
            false => None,
        }
    }

    pub fn set_slot(&mut self, at: i64, bytes: u8, value: Value) {
        if value.is_nothing() && !self.slots.has(at, bytes) {
            return;
        }
        let value = (!value.is_nothing()).then_some(value);
        Rc::make_mut(&mut self.slots).set(at, bytes, value, SLOTS);
    }

    /// Nothing is known any more of slots that others may write, from one on.
    pub fn forget_slots(&mut self, from: i64) {
        // What is below the return address ends there.
        let end = from.saturating_add(4096);
        let most = if from < 0 { end.min(0) } else { end };
        if self.slots.begins_in(from..most) {
            Rc::make_mut(&mut self.slots).retain(|at, _, _| at < from || at >= most);
        }
    }

    pub fn global(&self, at: u64, bytes: u8) -> Option<&Value> {
        let (size, value) = self.globals.get(at)?;
        (size == bytes).then_some(value)
    }

    pub fn set_global(&mut self, at: u64, bytes: u8, value: Value) {
        Rc::make_mut(&mut self.globals).set(at, bytes, Some(value), SLOTS);
    }

    pub fn forget_globals(&mut self) {
        if self.globals.len() > 0 {
            self.globals = Rc::default();
        }
    }

    /// Says what a branch told of a value, in all copies of it.
    pub fn refine_copies(&mut self, of: &Value, value: &Value) {
        let is_copy = |known: &Value| known.is_copy_of(of);
        for known in self.registers.iter_mut().filter(|known| is_copy(known)) {
            *known = value.clone();
        }
        if self.slots.values().any(is_copy) {
            let slots = Rc::make_mut(&mut self.slots).values_mut();
            for known in slots.filter(|known| is_copy(known)) {
                *known = value.clone();
            }
        }
        if self.globals.values().any(is_copy) {
            let globals = Rc::make_mut(&mut self.globals).values_mut();
            for known in globals.filter(|known| is_copy(known)) {
                *known = value.clone();
            }
        }
    }

    /// Says what a branch told of a compared value, in its place and in copies of it.
    pub fn refine(&mut self, place: Place, value: Value) {
        if let Flags::Compared { left, .. } = &self.flags {
            let left = left.clone();
            self.refine_copies(&left, &value);
        }
        match place {
            Place::Register(register) => self.registers[usize::from(register)] = value,
            Place::Slot(at) => {
                if let Some(known) = Rc::make_mut(&mut self.slots).value_mut(at) {
                    *known = value;
                }
            }
            Place::Global(at) => {
                if let Some(known) = Rc::make_mut(&mut self.globals).value_mut(at) {
                    *known = value;
                }
            }
        }
    }

    /// Whether all values are followed that the flags go by: such a branch is no question
    /// to the CPU that is not understood.
    pub fn is_followed(&self) -> bool {
        let is_number = |(kind, _): &(Kind, Facts)| matches!(kind, Kind::Const(_));
        let are = |value: &Value| value.alternatives().iter().all(is_number);
        match &self.flags {
            // Of a register whose low part is compared only that counts.
            Flags::Compared {
                left, right, bytes, ..
            } => are(right) && (are(left) || are(&truncated(left, *bytes))),
            _ => false,
        }
    }

    /// Whether all values are followed that the flags go by, and some by an answer: such a
    /// branch is understood also where it implies nothing.
    pub fn is_answered(&self) -> bool {
        let by_answer = |(_, facts): &(Kind, Facts)| facts.has_extension();
        let is_one = |value: &Value| value.alternatives().iter().any(by_answer);
        match &self.flags {
            Flags::Compared { left, right, .. } => {
                self.is_followed() && (is_one(left) || is_one(right))
            }
            _ => false,
        }
    }

    /// What holds on both sides of a condition, and no more.
    pub(super) fn sides(&self, condition: ConditionCode) -> Decided {
        self.decide_with(condition, false, false)
    }

    /// What a condition decides.
    pub fn decide(&self, condition: ConditionCode) -> Decided {
        self.decide_with(condition, false, true)
    }

    /// The same, with what the compared value is on both sides, where it is kept.
    pub(super) fn decide_at(&self, condition: ConditionCode) -> Decided {
        self.decide_with(condition, true, true)
    }

    fn decide_with(&self, condition: ConditionCode, is_placed: bool, is_bounded: bool) -> Decided {
        let open = Decided {
            yes: Facts::NONE,
            no: Facts::NONE,
            place: None,
            bounded: None,
        };
        match &self.flags {
            Flags::Unknown => open,
            Flags::Carry(one, zero) => match condition {
                ConditionCode::b => Decided {
                    yes: *one,
                    no: *zero,
                    ..open
                },
                ConditionCode::ae => Decided {
                    yes: *zero,
                    no: *one,
                    ..open
                },
                _ => open,
            },
            Flags::Compared {
                left,
                right,
                bytes,
                place,
                is_whole,
            } => {
                let simple = matches!(
                    condition,
                    ConditionCode::e | ConditionCode::ne | ConditionCode::s | ConditionCode::ns
                );
                if !is_whole && !simple {
                    return open;
                }
                let is_told = right.alternatives().len() == 1 && !left.is_any();
                let place = place.filter(|_| is_placed && is_told);
                let (mut yes, mut no) = (Facts::ALL, Facts::ALL);
                let (mut fits, mut others) = (Vec::new(), Vec::new());
                let mut add = |mine: &Kind, part: &Kind, first: Facts| {
                    for (theirs, second) in right.alternatives() {
                        let facts = first | *second;
                        let (on_yes, on_no) = compare(part, theirs, *bytes, condition);
                        if on_yes != Facts::ALL {
                            yes = yes & (facts | on_yes);
                        }
                        if on_no != Facts::ALL {
                            no = no & (facts | on_no);
                        }
                        // Most are kept nowhere.
                        if place.is_none() {
                            continue;
                        }
                        // What is equal to a number is that number.
                        let on_side = |is_equal: bool| match (mine, theirs) {
                            (Kind::Word(word), Kind::Const(number))
                                if is_equal && is_zero_from(word, *bytes) =>
                            {
                                Kind::Const(*number)
                            }
                            _ => mine.clone(),
                        };
                        if on_yes != Facts::ALL {
                            fits.push((on_side(condition == ConditionCode::e), facts | on_yes));
                        }
                        if on_no != Facts::ALL {
                            others.push((on_side(condition == ConditionCode::ne), facts | on_no));
                        }
                    }
                };
                for (whole, first) in left.alternatives() {
                    match numbers_of(whole, *bytes) {
                        None => add(whole, whole, *first),
                        Some(parts) => {
                            for (part, more) in parts.alternatives() {
                                add(whole, part, *first | *more);
                            }
                        }
                    }
                }
                let bounded = match *is_whole && is_bounded {
                    true => Bounded::of(left, right, *bytes, condition),
                    false => None,
                };
                let place = place.map(|place| {
                    (
                        place,
                        Value::from_alternatives(fits),
                        Value::from_alternatives(others),
                    )
                });
                Decided {
                    yes,
                    no,
                    place,
                    bounded,
                }
            }
        }
    }
}

/// The low bytes, the rest zero.
pub fn truncated(value: &Value, bytes: u8) -> Value {
    if bytes >= 8 {
        return value.clone();
    }
    let bits = u32::from(bytes) * 8;
    let mask = (1u64 << bits) - 1;
    let is_short = |(kind, _): &(Kind, Facts)| match kind {
        Kind::Const(number) => *number <= mask,
        Kind::Argument(_, at) => *at == 0,
        Kind::Word(word) => word[bits as usize..]
            .iter()
            .all(|bit| *bit == constant_bit(false)),
        Kind::Any => true,
        Kind::UpTo(_, read) => read.count <= bytes,
        Kind::Stack(_) => false,
    };
    // The same value stays the same one, for what a branch tells of it.
    if value.alternatives().iter().all(is_short) {
        return value.clone();
    }
    value.map(|kind| match kind {
        Kind::Const(number) => Kind::Const(number & mask),
        Kind::Word(word) => Kind::Word(Shared::of(|at| match at < bits as usize {
            true => word[at],
            false => constant_bit(false),
        })),
        // Its low bits are not zero only if it is not.
        Kind::Argument(number, 0) => Kind::Argument(*number, 0),
        _ => Kind::Any,
    })
}

/// The low bytes with their sign.
pub fn extended(value: &Value, bytes: u8) -> Value {
    let shift = 64 - u32::from(bytes.clamp(1, 8)) * 8;
    value.map(|kind| match kind {
        Kind::Const(number) => Kind::Const(((number << shift) as i64 >> shift) as u64),
        Kind::Word(word) if shift > 0 => {
            let sign = 63 - shift as usize;
            Kind::Word(Shared::of(|at| word[at.min(sign)]))
        }
        kind => kind.clone(),
    })
}
