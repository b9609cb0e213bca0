//! What is known of registers and stack at one point of a routine.

use super::convention::Convention;
use iced_x86::Register;
use std::rc::Rc;

/// Where an answer came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// `cpuid` or `xgetbv` here.
    Cpu,
    /// A variable at an address.
    Cell(u64),
    /// An imported variable or function that holds the answer; its slot.
    Import(u64),
    /// The result of a routine.
    Call(u32),
    /// Chosen by answers in a way that is not followed, such as the index that a
    /// loop over a table ends with; the variable, or the code, it comes from.
    Picked(u64),
    /// A member of a structure that is not followed, at this distance, where the file keeps
    /// what the CPU answered.
    Member(u64),
    /// A small value from memory or an argument that may be an answer.
    Flag,
}

impl Source {
    /// Whether the answer itself is there.
    pub fn is_strong(self) -> bool {
        self.rank() == 2
    }

    /// What says more when two meet.
    fn rank(self) -> u8 {
        match self {
            Self::Flag => 0,
            Self::Picked(_) => 1,
            _ => 2,
        }
    }

    /// Of two, what says more.
    pub fn more(self, other: Option<Self>) -> Self {
        other
            .filter(|other| other.rank() > self.rank())
            .unwrap_or(self)
    }
}

/// A value that is followed exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing is known.
    Unknown,
    /// An address of the file.
    Address(u64),
    /// The stack pointer at entry plus a distance.
    Stack(i64),
    /// An argument, by its number, plus a distance.
    Argument(u8, i64),
}

/// Arguments that are known by their bits: as many as any convention has in registers.
pub const IN_REGISTERS: usize = 6;
/// What assembly hands flags in besides: r10 and r11, which a call may change anyway.
const HANDED: [u8; 2] = [10, 11];
/// Arguments that are followed: those in registers, then those on the stack.
pub const PASSED: usize = 12;
/// Bits of a register set: 16 general, 32 vector, 8 mask registers, the flags.
pub const FLAGS: u8 = 56;
/// Stack slots that are followed at most; more belong to no detection.
const SLOTS: usize = 64;

/// The place of a register in a set.
pub fn bit(register: Register) -> Option<u8> {
    let full = register.full_register();
    if full.is_gpr() {
        Some(full.number() as u8)
    } else if register.is_vector_register() {
        Some(16 + register.number() as u8)
    } else if register.is_k() {
        Some(48 + register.number() as u8)
    } else {
        None
    }
}

/// Bytes of the stack that hold an answer or a flag.
#[derive(Clone, Copy, PartialEq)]
struct Slot {
    at: i64,
    bytes: u8,
    source: Source,
}

impl Slot {
    fn end(&self) -> i64 {
        self.at.saturating_add(self.bytes.into())
    }
}

/// The state. It only grows when paths meet, so that the analysis ends.
#[derive(Clone, PartialEq)]
pub struct State {
    /// Registers whose value is made from an answer.
    strong: u64,
    /// Registers whose value may be a flag that holds one.
    weak: u64,
    /// Registers whose value was picked.
    picked: u64,
    // Most places change none, and a state is copied at every edge.
    sources: Rc<[Source; 57]>,
    /// By number of the general register.
    pub values: [Value; 16],
    /// Parts of the stack with answers, and those with flags: sorted, non-overlapping.
    slots: Rc<Vec<Slot>>,
}

impl State {
    /// At the entry: the stack pointer is known, arguments may be flags.
    pub fn entry(convention: &Convention) -> Self {
        let mut values = [Value::Unknown; 16];
        values[4] = Value::Stack(0);
        for (number, register) in convention.registers.iter().enumerate() {
            values[usize::from(*register)] = Value::Argument(number as u8, 0);
        }
        let mut state = Self {
            strong: 0,
            weak: 0,
            picked: 0,
            sources: Rc::new([Source::Flag; 57]),
            values,
            slots: Rc::default(),
        };
        for &register in convention.registers.iter().chain(&HANDED) {
            state.weak |= 1 << register;
        }
        state
    }

    /// The answer in a register, if there is one.
    pub fn strong(&self, bit: u8) -> Option<Source> {
        (self.strong >> bit & 1 == 1).then(|| self.sources[usize::from(bit)])
    }

    /// Whether a vector register or a mask holds anything.
    pub fn has_vectors(&self) -> bool {
        (self.strong | self.weak | self.picked) & ((1 << FLAGS) - (1 << 16)) != 0
    }

    /// Whether a register may hold an answer.
    pub fn is_weak(&self, bit: u8) -> bool {
        self.weak >> bit & 1 == 1
    }

    /// What a register's value was chosen by, followed or not.
    pub fn chosen(&self, bit: u8) -> Option<Source> {
        ((self.strong | self.picked) >> bit & 1 == 1).then(|| self.sources[usize::from(bit)])
    }

    /// Sets or clears a register.
    pub fn set(&mut self, bit: u8, source: Option<Source>) {
        let mask = 1 << bit;
        self.strong &= !mask;
        self.weak &= !mask;
        self.picked &= !mask;
        match source {
            Some(Source::Flag) => self.weak |= mask,
            Some(source @ Source::Picked(_)) => {
                self.picked |= mask;
                self.comes_from(bit, source);
            }
            Some(source) => {
                self.strong |= mask;
                self.comes_from(bit, source);
            }
            None => {}
        }
    }

    fn comes_from(&mut self, bit: u8, source: Source) {
        if self.sources[usize::from(bit)] != source {
            Rc::make_mut(&mut self.sources)[usize::from(bit)] = source;
        }
    }

    /// The source of a register of either kind.
    pub fn source(&self, bit: u8) -> Option<Source> {
        self.chosen(bit)
            .or_else(|| self.is_weak(bit).then_some(Source::Flag))
    }

    /// What so many bytes of the stack hold, by their distance from the stack pointer at
    /// entry: of what lies there, what says most.
    pub fn slot(&self, at: i64, bytes: u8) -> Option<Source> {
        let there = self.over(at, bytes).iter();
        there.fold(None, |best, slot| Some(slot.source.more(best)))
    }

    /// The parts that have some of these bytes.
    fn over(&self, at: i64, bytes: u8) -> &[Slot] {
        let end = at.saturating_add(bytes.into());
        let first = self.slots.partition_point(|slot| slot.end() <= at);
        let length = self.slots[first..].partition_point(|slot| slot.at < end);
        &self.slots[first..first + length]
    }

    /// Says what bytes of the stack hold. Of what lay there the rest stays: compilers put
    /// flags side by side.
    pub fn set_slot(&mut self, at: i64, bytes: u8, source: Option<Source>) {
        let end = at.saturating_add(bytes.into());
        // Mostly what lay there is replaced.
        if let &[
            Slot {
                at: start,
                bytes: size,
                source: known,
            },
        ] = self.over(at, bytes)
            && (start, size) == (at, bytes)
        {
            let place = self.slots.partition_point(|slot| slot.at < at);
            match source {
                Some(source) if source == known => {}
                Some(source) => Rc::make_mut(&mut self.slots)[place].source = source,
                None => drop(Rc::make_mut(&mut self.slots).remove(place)),
            }
            return;
        }
        if !self.over(at, bytes).is_empty() {
            let mut rest = Vec::with_capacity(self.slots.len() + 1);
            for slot in &*self.slots {
                if slot.end() <= at || end <= slot.at {
                    rest.push(*slot);
                    continue;
                }
                if slot.at < at {
                    let bytes = (at - slot.at) as u8;
                    rest.push(Slot { bytes, ..*slot });
                }
                if end < slot.end() {
                    let bytes = (slot.end() - end) as u8;
                    rest.push(Slot {
                        at: end,
                        bytes,
                        ..*slot
                    });
                }
            }
            self.slots = Rc::new(rest);
        }
        if let Some(source) = source
            && self.slots.len() < SLOTS
        {
            let place = self.slots.partition_point(|slot| slot.at <= at);
            Rc::make_mut(&mut self.slots).insert(place, Slot { at, bytes, source });
        }
    }

    /// Adds what another path knows; returns whether that was new.
    pub fn join(&mut self, other: &Self) -> bool {
        let mut new = false;
        let learnt = other.strong & !self.strong;
        // What was picked must have been on all paths: it ends in a claim.
        let picked = self.picked & (other.picked | other.strong);
        new |= learnt != 0 || picked != self.picked || other.weak & !self.weak != 0;
        let mut rest = learnt;
        while rest != 0 {
            let bit = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            self.comes_from(bit, other.sources[usize::from(bit)]);
        }
        self.strong |= other.strong;
        self.weak |= other.weak;
        self.picked = picked;
        for (mine, theirs) in self.values.iter_mut().zip(&other.values) {
            if *mine != *theirs && *mine != Value::Unknown {
                *mine = Value::Unknown;
                new = true;
            }
        }
        // Mostly both have the same: then nothing of it is new.
        if Rc::ptr_eq(&self.slots, &other.slots) || self.slots == other.slots {
            return new;
        }
        let stays = |slot: &Slot| {
            let theirs = || other.slot(slot.at, slot.bytes);
            !matches!(slot.source, Source::Picked(_)) || theirs().is_some_and(|it| it.rank() > 0)
        };
        if !self.slots.iter().all(stays) {
            Rc::make_mut(&mut self.slots).retain(stays);
            new = true;
        }
        // Most of both are the same, and both are sorted.
        let mut before = 0;
        for slot @ &Slot { at, bytes, source } in &*other.slots {
            let rest = self.slots.get(before..).unwrap_or_default();
            before += rest.iter().take_while(|known| known.at < at).count();
            if self.slots.get(before) == Some(slot) {
                continue;
            }
            let known = self.slot(at, bytes);
            let is_more = match known {
                None => !matches!(source, Source::Picked(_)),
                Some(known) => source.is_strong() && !known.is_strong(),
            };
            if is_more {
                let before = self.slots.len();
                self.set_slot(at, bytes, Some(source));
                new |= known.is_some() || self.slots.len() != before;
            }
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convention::SYSTEM_V;

    /// What both have the same is passed over: each slot joined by itself gives the same.
    #[test]
    fn slots_are_joined_as_each_by_itself() {
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = |below: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed >> 20) % below
        };
        let sources = [Source::Flag, Source::Cell(1), Source::Cpu];
        let mut changed = 0;
        for _ in 0..20_000 {
            let mut states = [State::entry(&SYSTEM_V), State::entry(&SYSTEM_V)];
            for _ in 0..random(8) {
                let (at, bytes) = (random(24) as i64, 1 << random(4));
                let source = Some(sources[random(3) as usize]);
                // Mostly both have it.
                for state in &mut states {
                    if random(4) > 0 {
                        state.set_slot(at, bytes, source);
                    }
                }
            }
            let [mut whole, other] = states;
            let mut single = whole.clone();
            let mut is_new = false;
            for slot in &*other.slots {
                let mut one = other.clone();
                one.slots = Rc::new(vec![*slot]);
                is_new |= single.join(&one);
            }
            assert_eq!(whole.join(&other), is_new);
            assert!(whole.slots == single.slots);
            changed += u32::from(is_new);
        }
        assert!(changed > 1000, "{changed}");
    }
}
