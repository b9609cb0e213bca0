//! What is known at a place of a routine.

mod join;
mod object;

use super::features::Set;
use super::flags::Flags;
use super::given::{Given, HEAP, Place, REGIONS, note_written};
use super::sorted::Sorted;
use super::value::{OPAQUE, PLAIN, VAGUE, Val};
use super::vector::{ANY, Vector};
use std::collections::BTreeSet;
use std::num::NonZeroU8;
use std::rc::Rc;

/// Slots of the stack that are followed, at most.
const SLOTS: usize = 128;
/// Slots that a routine is handed behind one argument, at most.
const HANDED: usize = 24;
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    /// x0 to x30, then the stack pointer.
    registers: Rc<[Val; 32]>,
    /// None where nothing is known of any.
    vectors: Option<Rc<[Vector; 32]>>,
    pub flags: Flags,
    /// Frames: bytes, and what is there.
    slots: Sorted<Place, (u32, Val)>,
    /// What the CPU has.
    pub has: Set,
    /// By frame: from here up others may write.
    shared: [i64; REGIONS],
    /// Places of callers' frames that were written.
    written: Rc<BTreeSet<Place>>,
    /// Variables as they were read or written last: bytes, and what is there.
    cells: Sorted<u64, (u32, Val)>,
    /// By register: the place that holds the same.
    sources: Vec<(u8, Source)>,
    /// The register that the flags compare with something.
    pub compared: Option<usize>,
    /// The two registers that the flags compare with each other.
    pub pair: Option<(usize, usize)>,
    /// Branches that are not understood and decide whether this place is reached, by their
    /// blocks.
    doubts: Rc<BTreeSet<u32>>,
}

/// A place that a register was loaded from or stored to: a slot, or a variable of a
/// [region](VARIABLE) of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Source {
    at: i64,
    region: u8,
    size: NonZeroU8,
}

/// Not a frame.
const VARIABLE: u8 = u8::MAX;

pub(super) const SP: usize = 32;

impl State {
    /// Where a routine begins that is given these.
    pub fn entry(arguments: &[Val], has: Set) -> Self {
        let mut registers = [PLAIN; 32];
        registers[..arguments.len()].clone_from_slice(arguments);
        registers[31] = Val::Stack(0, 0);
        Self {
            registers: Rc::new(registers),
            vectors: None,
            flags: Flags::Lost { opaque: false },
            slots: Sorted::default(),
            has,
            shared: [i64::MAX; REGIONS],
            written: Rc::default(),
            cells: Sorted::default(),
            sources: Vec::new(),
            compared: None,
            pair: None,
            doubts: Rc::default(),
        }
    }

    /// Whether something that is not understood decided that this place is reached.
    pub fn is_doubted(&self) -> bool {
        !self.doubts.is_empty()
    }

    /// Behind a branch that is not understood.
    pub fn doubt(&mut self, block: usize) {
        if !self.doubts.contains(&(block as u32)) {
            Rc::make_mut(&mut self.doubts).insert(block as u32);
        }
    }

    /// Where all ways from a branch meet it decides nothing any more.
    pub fn settle(&mut self, is_met: impl Fn(usize) -> bool) {
        if self.doubts.iter().any(|block| is_met(*block as usize)) {
            Rc::make_mut(&mut self.doubts).retain(|block| !is_met(*block as usize));
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
        if self.cells.len() == 0 {
            return;
        }
        self.cells = Sorted::default();
        self.sources.retain(|(_, source)| source.region != VARIABLE);
    }

    /// A register and a place hold the same from here on.
    pub fn came_from(&mut self, register: usize, place: &Val, size: u32) {
        if register >= 31 {
            return;
        }
        let place = match place {
            Val::Stack(region, at) => Some((*region, *at)),
            other => other.as_constant().map(|at| (VARIABLE, at as i64)),
        };
        let size = u8::try_from(size).ok().and_then(NonZeroU8::new);
        let source = match (place, size) {
            (Some((region, at)), Some(size)) => Some(Source { at, region, size }),
            _ => None,
        };
        self.set_source(register, source);
    }

    fn source(&self, register: usize) -> Option<Source> {
        let mut sources = self.sources.iter();
        let found = sources.find(|(known, _)| usize::from(*known) == register);
        found.map(|(_, source)| *source)
    }

    fn set_source(&mut self, register: usize, source: Option<Source>) {
        let at = self
            .sources
            .partition_point(|(known, _)| usize::from(*known) < register);
        let known = self.sources.get(at);
        let is_known = known.is_some_and(|(known, _)| usize::from(*known) == register);
        match (source, is_known) {
            (Some(source), true) => self.sources[at].1 = source,
            (Some(source), false) => self.sources.insert(at, (register as u8, source)),
            (None, true) => {
                self.sources.remove(at);
            }
            (None, false) => {}
        }
    }

    /// A register was moved to another.
    pub fn copied(&mut self, to: usize, from: usize) {
        if to < 31 && from < 31 {
            self.set_source(to, self.source(from));
        }
    }

    /// A register is known to hold this, and so the place that it came from.
    pub fn narrow(&mut self, register: usize, value: Val) {
        if register >= 31 {
            return;
        }
        if let Some(Source { at, region, size }) = self.source(register) {
            let held = match region {
                VARIABLE => self.cells.get_mut(&(at as u64)),
                _ => self.slots.get_mut(&(region, at)),
            };
            if let Some((known, held)) = held
                && *known == u32::from(size.get())
            {
                *held = value.clone();
            }
        }
        Rc::make_mut(&mut self.registers)[register] = value;
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
            SP => Rc::make_mut(&mut self.registers)[31] = value,
            _ => {
                Rc::make_mut(&mut self.registers)[register] = value;
                self.set_source(register, None);
                if self.compared == Some(register) {
                    self.compared = None;
                }
                if (self.pair).is_some_and(|(a, b)| a == register || b == register) {
                    self.pair = None;
                }
            }
        }
    }

    pub fn vector(&self, number: usize) -> Vector {
        match &self.vectors {
            Some(vectors) => vectors[number].clone(),
            None => ANY,
        }
    }

    pub fn set_vector(&mut self, number: usize, value: Vector) {
        let known = self.vectors.as_ref().map_or(&ANY, |all| &all[number]);
        if *known != value {
            let all = (self.vectors).get_or_insert_with(|| Rc::new([const { ANY }; 32]));
            Rc::make_mut(all)[number] = value;
        }
    }

    /// A routine begins with this behind its arguments.
    pub fn receive(&mut self, given: Given) {
        self.slots = given.slots;
        self.shared = given.shared;
    }

    /// The registers that are known to be the address of a caller's frame, as bits.
    pub fn frames(&self) -> u32 {
        (0..9u8).fold(0, |all, register| {
            let is_it = self.registers[usize::from(register)] == Val::Stack(register + 1, 0);
            all | u32::from(is_it) << register
        })
    }

    /// What a routine that is called finds behind its arguments, by their registers.
    pub fn hand(&self) -> Given {
        let mut out = Given::default();
        let mut told_all = Vec::new();
        for register in 0..9u8 {
            let Val::Stack(region, from) = self.registers[usize::from(register)] else {
                continue;
            };
            let to = register + 1;
            let shared = self.shared[usize::from(region)];
            // Where nothing is shared nothing is: a distance less than the largest would go
            // down with each call of a routine that calls itself.
            if shared < i64::MAX {
                out.shared[usize::from(to)] = shared.saturating_sub(from).max(0);
            }
            let slots = self.slots.range((region, from)..(region + 1, i64::MIN));
            let told = slots.filter(|(_, (_, v))| v.as_alts().is_some() || v.lost());
            for ((_, at), slot) in told.take(HANDED) {
                told_all.push(((to, at - from), slot.clone()));
            }
        }
        // By register, and by place.
        out.slots = told_all.into_iter().collect();
        out
    }

    /// What lies behind its arguments where a routine comes back.
    pub fn given(&self) -> Given {
        let slots = self.slots.range((1, i64::MIN)..(HEAP, i64::MIN));
        // The caller's frames have other numbers.
        let is_doubted = self.is_doubted();
        let told = |value: &Val| match value {
            Val::Stack(..) => PLAIN,
            other => other.under(0, is_doubted),
        };
        Given {
            slots: (slots.map(|(at, (size, value))| (*at, (*size, told(value))))).collect(),
            shared: self.shared,
            written: Rc::clone(&self.written),
        }
    }

    /// A routine came back that was handed the address in a register; returns what is not
    /// known any more.
    pub fn take_back(&mut self, register: u8, given: &Given) -> Vec<Val> {
        let Val::Stack(region, from) = self.get(register.into()) else {
            return Vec::new();
        };
        let to = register + 1;
        let mut lost = Vec::new();
        for place in given.written.range((to, i64::MIN)..(to + 1, i64::MIN)) {
            let (size, value) = match given.slots.get(place) {
                Some((size, value)) => (*size, value.clone()),
                None => (8, OPAQUE),
            };
            lost.extend(self.store((region, from.saturating_add(place.1)), size, value));
        }
        let shared = given.shared[usize::from(to)];
        if shared < i64::MAX {
            lost.extend(self.share((region, from.saturating_add(shared))));
        }
        lost
    }

    pub fn load(&self, place: Place, size: u32) -> Val {
        if let Some((known, value)) = self.slots.get(&place)
            && *known >= size
        {
            return value.low_or_same(size * 8);
        }
        let (region, at) = place;
        // A part of a wider one.
        if let Some(((_, start), (known, value))) =
            self.slots.range((region, i64::MIN)..place).next_back()
            && start + i64::from(*known) >= at + i64::from(size)
        {
            return value.shift(-8 * (at - start) as i32).low(size * 8);
        }
        let is_others = at >= self.shared[usize::from(region)] || region > 0;
        match (
            self.overlapping(place, size).next().is_some() || region == 0 && at >= 0,
            is_others,
        ) {
            (true, _) => OPAQUE,
            // Others may have written it.
            (_, true) => VAGUE,
            _ => PLAIN,
        }
    }

    fn overlapping(
        &self,
        (region, at): Place,
        size: u32,
    ) -> impl Iterator<Item = (&Place, &(u32, Val))> {
        let end = at.saturating_add(i64::from(size));
        self.slots
            .range((region, at.saturating_sub(64))..(region, end))
            .filter(move |((_, start), (size, _))| *start + i64::from(*size) > at)
    }

    /// Returns what is not known any more.
    pub fn store(&mut self, place: Place, size: u32, value: Val) -> Vec<Val> {
        let gone: Vec<Place> = self
            .overlapping(place, size)
            .map(|(start, _)| *start)
            .collect();
        let mut lost = Vec::new();
        for start in gone {
            if let Some((old_size, old)) = self.slots.get_mut(&start)
                && (start != place || *old_size != size)
            {
                lost.push(std::mem::replace(old, OPAQUE));
            }
        }
        if place.0 > 0 {
            note_written(&mut self.written, &mut self.shared, [&place]);
        }
        // What is written anew takes no more room.
        if self.slots.len() < SLOTS || self.slots.get(&place).is_some() {
            self.slots.insert(place, (size, value));
        } else {
            lost.push(value);
            // What is there then is not known.
            self.shared[usize::from(place.0)] = i64::MIN;
        }
        lost
    }

    /// Somebody else is given the address of what is so far up; returns what lies there.
    pub fn share(&mut self, place: Place) -> Vec<Val> {
        let shared = &mut self.shared[usize::from(place.0)];
        *shared = (*shared).min(place.1);
        self.slots
            .range(place..(place.0 + 1, i64::MIN))
            .map(|(_, (_, value))| value.clone())
            .collect()
    }

    /// What a call may have changed: registers that it need not keep, and shared slots.
    pub fn call(&mut self) {
        let registers = Rc::make_mut(&mut self.registers);
        for register in (0..19).chain([30]) {
            registers[register] = PLAIN;
        }
        self.vectors = None;
        self.flags = Flags::Lost { opaque: false };
        self.compared = None;
        self.pair = None;
        self.forget_cells();
        let shared = self.shared;
        self.sources.retain(|(register, source)| {
            *register >= 19 && source.at < shared[usize::from(source.region)]
        });
        let is_own = |(region, at): &Place| *at < shared[usize::from(*region)];
        self.slots.retain(|place, _| is_own(place));
    }

    /// All that is on the stack.
    pub fn stacked(&self) -> impl Iterator<Item = &Val> {
        self.slots.iter().map(|(_, (_, value))| value)
    }

    /// With what a branch tells.
    pub fn learn(&mut self, has: Set) {
        self.has |= has;
    }
}
