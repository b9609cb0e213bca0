//! What is known at a place of a routine.

use super::features::Set;
use super::flags::Flags;
use super::value::{OPAQUE, PLAIN, Val};
use std::collections::BTreeMap;

/// Slots of the stack that are followed, at most.
const SLOTS: usize = 96;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    /// x0 to x30, then the stack pointer.
    registers: Vec<Val>,
    pub flags: Flags,
    /// By distance from where the stack pointer was: bytes, and what is there.
    slots: BTreeMap<i64, (u32, Val)>,
    /// What the CPU has.
    pub has: Set,
    /// From here up others may write the stack.
    shared: i64,
    /// Variables as they were read or written last: bytes, and what is there.
    cells: BTreeMap<u64, (u32, Val)>,
    /// By register: the place that holds the same.
    sources: Vec<Option<Source>>,
    /// The register that the flags compare with something.
    pub compared: Option<usize>,
}

/// A place that a register was loaded from or stored to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Slot(i64, u32),
    Cell(u64, u32),
}

pub(super) const SP: usize = 32;

impl State {
    /// Where a routine begins that is given these.
    pub fn entry(arguments: &[Val], has: Set) -> Self {
        let mut registers = vec![PLAIN; 32];
        registers[..arguments.len()].clone_from_slice(arguments);
        registers[31] = Val::Stack(0);
        Self {
            registers,
            flags: Flags::Lost { opaque: false },
            slots: BTreeMap::new(),
            has,
            shared: i64::MAX,
            cells: BTreeMap::new(),
            sources: vec![None; 32],
            compared: None,
        }
    }

    /// What a variable holds, where that was seen.
    pub fn cell(&self, at: u64, size: u32) -> Option<Val> {
        let (bytes, value) = self.cells.get(&at)?;
        (*bytes == size).then(|| value.clone())
    }

    pub fn set_cell(&mut self, at: u64, size: u32, value: Val) {
        if self.cells.len() < SLOTS {
            self.cells.insert(at, (size, value));
        }
    }

    /// Others may have written them.
    pub fn forget_cells(&mut self) {
        self.cells.clear();
        for source in &mut self.sources {
            if matches!(source, Some(Source::Cell(..))) {
                *source = None;
            }
        }
    }

    /// A register and a place hold the same from here on.
    pub fn came_from(&mut self, register: usize, place: &Val, size: u32) {
        if register >= 31 {
            return;
        }
        self.sources[register] = match place {
            Val::Stack(at) => Some(Source::Slot(*at, size)),
            other => other.as_constant().map(|at| Source::Cell(at, size)),
        };
    }

    /// A register was moved to another.
    pub fn copied(&mut self, to: usize, from: usize) {
        if to < 31 && from < 31 {
            self.sources[to] = self.sources[from];
        }
    }

    /// A register is known to hold this, and so the place that it came from.
    pub fn narrow(&mut self, register: usize, value: Val) {
        if register >= 31 {
            return;
        }
        match self.sources[register] {
            Some(Source::Slot(at, size)) => {
                if let Some((known, slot)) = self.slots.get_mut(&at)
                    && *known == size
                {
                    *slot = value.clone();
                }
            }
            Some(Source::Cell(at, size)) => {
                if let Some((known, cell)) = self.cells.get_mut(&at)
                    && *known == size
                {
                    *cell = value.clone();
                }
            }
            None => {}
        }
        self.registers[register] = value;
    }

    /// A register; 31 is zero, and [`SP`] the stack pointer.
    pub fn get(&self, register: usize) -> Val {
        match register {
            31 => Val::constant(0),
            SP => self.registers[31].clone(),
            _ => self.registers[register].clone(),
        }
    }

    pub fn set(&mut self, register: usize, value: Val) {
        match register {
            31 => {}
            SP => self.registers[31] = value,
            _ => {
                self.registers[register] = value;
                self.sources[register] = None;
                if self.compared == Some(register) {
                    self.compared = None;
                }
            }
        }
    }

    pub fn load(&self, at: i64, size: u32) -> Val {
        if let Some((known, value)) = self.slots.get(&at)
            && *known >= size
        {
            return value.low(size * 8);
        }
        match self.overlapping(at, size).next().is_some() || at >= self.shared || at >= 0 {
            true => OPAQUE,
            false => PLAIN,
        }
    }

    fn overlapping(&self, at: i64, size: u32) -> impl Iterator<Item = (&i64, &(u32, Val))> {
        let end = at.saturating_add(i64::from(size));
        self.slots
            .range(at.saturating_sub(16)..end)
            .filter(move |(start, (size, _))| **start + i64::from(*size) > at)
    }

    /// Returns what is not known any more.
    pub fn store(&mut self, at: i64, size: u32, value: Val) -> Vec<Val> {
        let gone: Vec<i64> = self
            .overlapping(at, size)
            .map(|(start, _)| *start)
            .collect();
        let mut lost = Vec::new();
        for start in gone {
            if let Some((old_size, old)) = self.slots.remove(&start)
                && (start != at || old_size != size)
            {
                lost.push(old);
                self.slots.insert(start, (old_size, OPAQUE));
            }
        }
        if self.slots.len() < SLOTS {
            self.slots.insert(at, (size, value));
        } else {
            lost.push(value);
            // What is there then is not known.
            self.shared = i64::MIN;
        }
        lost
    }

    /// Somebody else is given the address of what is so far up; returns what lies there.
    pub fn share(&mut self, from: i64) -> Vec<Val> {
        self.shared = self.shared.min(from);
        self.slots
            .range(from..)
            .map(|(_, (_, value))| value.clone())
            .collect()
    }

    /// What a call may have changed: registers that it need not keep, and shared slots.
    pub fn call(&mut self) {
        for register in (0..19).chain([30]) {
            self.registers[register] = PLAIN;
        }
        self.flags = Flags::Lost { opaque: false };
        self.compared = None;
        self.forget_cells();
        for source in &mut self.sources[..19] {
            *source = None;
        }
        let shared = self.shared;
        for source in &mut self.sources {
            if matches!(source, Some(Source::Slot(at, _)) if *at >= shared) {
                *source = None;
            }
        }
        self.slots.retain(|at, _| *at < shared);
    }

    /// All that is on the stack.
    pub fn stacked(&self) -> impl Iterator<Item = &Val> {
        self.slots.values().map(|(_, value)| value)
    }

    /// With what a branch tells.
    pub fn learn(&mut self, has: Set) {
        self.has |= has;
    }

    /// Joins what another way knows; returns whether anything changed, and adds to `lost`
    /// what is not followed any more.
    pub fn join(&mut self, other: &Self, lost: &mut Vec<(Val, Set)>) -> bool {
        let has = self.has & other.has;
        let (mine, theirs) = (self.has & !has, other.has & !has);
        let mut changed = self.has != has;
        let mut split = Vec::new();
        let mut one = |a: &Val, b: &Val| -> Option<Val> {
            if a == b && mine == 0 && theirs == 0 {
                return None;
            }
            let (x, y) = (a.under(mine, false), b.under(theirs, false));
            let joined = x.join(&y);
            if joined.as_alts().is_none() {
                split.push((x, has));
                split.push((y, has));
            }
            (joined != *a).then_some(joined)
        };
        for (a, b) in self.registers.iter_mut().zip(&other.registers) {
            if let Some(joined) = one(a, b) {
                *a = joined;
                changed = true;
            }
        }
        let mut gone = Vec::new();
        for (at, (size, a)) in &mut self.slots {
            match other.slots.get(at) {
                Some((other_size, b)) if other_size == size => {
                    if let Some(joined) = one(a, b) {
                        *a = joined;
                        changed = true;
                    }
                }
                _ => gone.push(*at),
            }
        }
        let missing: Vec<i64> = (other.slots.keys())
            .filter(|at| !self.slots.contains_key(at))
            .copied()
            .collect();
        for at in missing {
            if let Some((_, value)) = other.slots.get(&at) {
                lost.push((value.clone(), other.has));
            }
        }
        for at in gone {
            if let Some((_, value)) = self.slots.get_mut(&at)
                && *value != OPAQUE
            {
                lost.push((std::mem::replace(value, OPAQUE), self.has));
                changed = true;
            }
        }
        let mut missing = Vec::new();
        for (at, (size, a)) in &mut self.cells {
            match other.cells.get(at) {
                Some((other_size, b)) if other_size == size => {
                    if let Some(joined) = one(a, b) {
                        *a = joined;
                        changed = true;
                    }
                }
                _ => missing.push(*at),
            }
        }
        for at in missing {
            self.cells.remove(&at);
            changed = true;
        }
        for (mine, theirs) in self.sources.iter_mut().zip(&other.sources) {
            if mine != theirs && mine.is_some() {
                *mine = None;
                changed = true;
            }
        }
        if self.compared != other.compared && self.compared.is_some() {
            self.compared = None;
            changed = true;
        }
        if self.flags != other.flags {
            let opaque = self.flags.assume(0).opaque
                || other.flags.assume(0).opaque
                || self.flags.says()
                || other.flags.says();
            let joined = Flags::Lost { opaque };
            changed |= self.flags != joined;
            self.flags = joined;
        }
        if other.shared < self.shared {
            self.shared = other.shared;
            changed = true;
        }
        lost.append(&mut split);
        self.has = has;
        changed
    }
}
