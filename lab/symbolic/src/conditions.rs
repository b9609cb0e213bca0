//! Which CPUs, and which turns of what is not known, come to a place: cubes of symbols that are
//! set or not, any of which may hold.

use crate::bits::{Bit, Kind, symbol, symbol_of};
use crate::facts::Facts;
use karat_flow::a64::features::{Set, Told};
use karat_flow::facts::features::{Register, cpuid_bit, xcr0_bit};
use std::collections::HashMap;

/// Cubes that are kept apart, at most.
const CUBES: usize = 24;

/// What a symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    /// A bit that the CPU tells.
    Cpu(Facts),
    /// The turn of a branch on what is not known.
    Turn(Kind),
    /// The environment has a variable. Where it has none nobody said anything.
    Variable,
    /// The vendor, the highest leaf: a CPU has them one way or the other.
    Free,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Source {
    Cpuid(u32, u32, Register, u8),
    Xcr0(u8),
    Free(u8),
    Usable(u64),
    Features(Facts),
    Variable(Vec<u8>),
    Arm(Told, u32),
}

/// All symbols there are.
#[derive(Default)]
pub(crate) struct Symbols {
    meanings: Vec<Meaning>,
    known: HashMap<Source, u32>,
    /// What all CPUs of the baseline have.
    baseline: Facts,
    /// An extension that is not told apart: one is not another.
    other: Facts,
    /// What the CPU has, where it is one that is known.
    sold: Option<Facts>,
}

impl Symbols {
    pub fn new(baseline: Facts) -> Self {
        Self {
            baseline,
            other: Facts::named("another extension"),
            ..Self::default()
        }
    }

    /// Of one CPU only.
    pub fn of_sold(&mut self, has: Facts) {
        self.sold = Some(has);
    }

    /// What the CPU has, where it is one that is known.
    pub fn sold(&self) -> Option<Facts> {
        self.sold
    }

    fn of(&mut self, source: Source, meaning: Meaning) -> Bit {
        if let (Some(has), Meaning::Cpu(facts)) = (self.sold, meaning) {
            return Bit::from(facts.without(has).is_none());
        }
        let next = self.meanings.len() as u32;
        let number = *self.known.entry(source).or_insert(next);
        if number == next {
            self.meanings.push(meaning);
        }
        symbol(number, false)
    }

    /// A bit of CPUID's answer.
    pub fn cpuid(&mut self, leaf: u32, subleaf: u32, register: Register, bit: u8) -> Bit {
        let facts = Facts::from(cpuid_bit(leaf, subleaf, register, bit).0);
        if facts.has_extension() && facts.without(self.baseline).is_none() {
            return crate::bits::ONE;
        }
        self.of(
            Source::Cpuid(leaf, subleaf, register, bit),
            Meaning::Cpu(facts),
        )
    }

    /// A bit of what an AArch64 CPU tells, and what is there when it is set.
    pub fn arm(&mut self, told: Told, bit: u32, set: Set) -> Bit {
        let facts = Facts::of_arm(set).closed();
        if facts.has_extension() && facts.without(self.baseline).is_none() {
            return crate::bits::ONE;
        }
        self.of(Source::Arm(told, bit), Meaning::Cpu(facts))
    }

    /// A bit of XCR0.
    pub fn xcr0(&mut self, bit: u8) -> Bit {
        let facts = Facts::from(xcr0_bit(bit));
        if facts.is_none() {
            return u32::from(bit < 2);
        }
        // The three of AVX-512 come together.
        self.of(Source::Xcr0(bit.min(5)), Meaning::Cpu(facts))
    }

    /// Whether a feature of the compiler's list may be used: the CPU has it, and the system
    /// saves its registers.
    pub fn usable(&mut self, number: u64, facts: Facts) -> Bit {
        let mut facts = match facts.is_none() {
            true => self.other,
            false => facts.closed(),
        };
        if facts != self.other && facts.without(self.baseline).is_none() {
            return crate::bits::ONE;
        }
        for (name, bit) in [("avx", 2), ("avx512f", 5)] {
            let one = Facts::named(name);
            if facts & one == one {
                facts |= xcr0_bit(bit).into();
            }
        }
        self.of(Source::Usable(number), Meaning::Cpu(facts))
    }

    /// Whether the CPU has all of these, as the program itself found.
    pub fn features(&mut self, facts: Facts) -> Bit {
        let facts = facts.closed();
        match facts.without(self.baseline).is_none() {
            true => crate::bits::ONE,
            false => self.of(Source::Features(facts), Meaning::Cpu(facts)),
        }
    }

    /// Something else that CPUs have one way or the other.
    pub fn free(&mut self, number: u8) -> Bit {
        self.of(Source::Free(number), Meaning::Free)
    }

    /// Whether the environment has a variable.
    pub fn variable(&mut self, name: Vec<u8>) -> Bit {
        self.of(Source::Variable(name), Meaning::Variable)
    }

    /// A branch on what is not known: its two turns.
    pub fn turn(&mut self, kind: Kind) -> u32 {
        self.meanings.push(Meaning::Turn(kind));
        self.meanings.len() as u32 - 1
    }

    /// Whether what is there, with all that follows, has these too.
    fn implies(&self, has: Facts, facts: Facts) -> bool {
        has & facts == facts && facts & self.other == Facts::NONE
    }

    pub fn meaning(&self, number: u32) -> Meaning {
        self.meanings[number as usize]
    }
}

/// Symbols that are set, or not, all at once.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Cube {
    /// Sorted.
    bits: Vec<Bit>,
    /// What the CPU has, with all that follows.
    has: Facts,
    /// Turns that are not kept apart any more: the one that says least.
    lost: Option<Kind>,
}

impl Cube {
    /// Whether a symbol is set, if that is known.
    fn truth(&self, symbols: &Symbols, number: u32) -> Option<bool> {
        if self.bits.binary_search(&symbol(number, false)).is_ok() {
            return Some(true);
        }
        if self.bits.binary_search(&symbol(number, true)).is_ok() {
            return Some(false);
        }
        let Meaning::Cpu(facts) = symbols.meaning(number) else {
            return None;
        };
        if symbols.implies(self.has, facts) {
            return Some(true);
        }
        // It implies what is not there.
        let mut absent = self.bits.iter().filter_map(|bit| symbol_of(*bit));
        let implied = |(other, is_opposite): (u32, bool)| match symbols.meaning(other) {
            Meaning::Cpu(lacks) => is_opposite && symbols.implies(facts, lacks),
            _ => false,
        };
        absent.any(implied).then_some(false)
    }

    fn with(&self, symbols: &Symbols, bit: Bit) -> Option<Self> {
        let (number, is_opposite) = symbol_of(bit)?;
        match self.truth(symbols, number) {
            Some(is_set) => (is_set != is_opposite).then(|| self.clone()),
            None => {
                let mut cube = self.clone();
                let at = cube.bits.partition_point(|known| *known < bit);
                cube.bits.insert(at, bit);
                if let (false, Meaning::Cpu(facts)) = (is_opposite, symbols.meaning(number)) {
                    cube.has = (cube.has | facts).closed();
                }
                Some(cube)
            }
        }
    }

    /// What the CPU has here.
    pub fn has(&self) -> Facts {
        self.has
    }

    /// Why it is not known whether anything comes here; none where only the CPU decides.
    pub fn turns<'s>(&'s self, symbols: &'s Symbols) -> impl Iterator<Item = Kind> + 's {
        let own = self.bits.iter().filter_map(move |bit| {
            let (number, is_opposite) = symbol_of(*bit)?;
            match symbols.meaning(number) {
                Meaning::Turn(kind) => Some(kind),
                Meaning::Variable if !is_opposite => Some(Kind::Environment),
                _ => None,
            }
        });
        own.chain(self.lost)
    }

    /// Without the turns that ways took.
    fn without_turns(&self, symbols: &Symbols) -> Self {
        let mut cube = self.clone();
        cube.lost = self.turns(symbols).min();
        let is_turn = |bit: &Bit| {
            let meaning = symbol_of(*bit).map(|(number, _)| symbols.meaning(number));
            matches!(meaning, Some(Meaning::Turn(_)))
        };
        cube.bits.retain(|bit| !is_turn(bit));
        cube
    }

    /// Whether the CPU was asked for anything.
    pub fn asks(&self, symbols: &Symbols) -> bool {
        (self.bits.iter()).any(|bit| {
            symbol_of(*bit).is_some_and(|(number, _)| {
                matches!(symbols.meaning(number), Meaning::Cpu(_) | Meaning::Free)
            })
        })
    }
}

/// Any of several cubes.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Conditions(Vec<Cube>);

impl Default for Conditions {
    fn default() -> Self {
        Self(vec![Cube::default()])
    }
}

impl Conditions {
    pub fn cubes(&self) -> &[Cube] {
        &self.0
    }

    /// Whether a symbol is set, if that is known.
    pub fn truth(&self, symbols: &Symbols, number: u32) -> Option<bool> {
        let mut all = self.0.iter().map(|cube| cube.truth(symbols, number));
        let first = all.next()??;
        all.all(|other| other == Some(first)).then_some(first)
    }

    /// All ways come here: no turn on what is not known decided that.
    pub fn begin(&mut self, symbols: &Symbols) {
        for cube in &mut self.0 {
            *cube = Cube {
                lost: None,
                ..cube.without_turns(symbols)
            };
        }
    }

    /// Where a bit is set; none if that cannot be.
    pub fn with(&self, symbols: &Symbols, bit: Bit) -> Option<Self> {
        let left: Vec<Cube> = (self.0.iter())
            .filter_map(|cube| cube.with(symbols, bit))
            .collect();
        (!left.is_empty()).then_some(Self(left))
    }

    /// What is known of the CPU and the environment, without the other turns that ways took.
    pub fn lasting(&self, symbols: &Symbols) -> Vec<Vec<Bit>> {
        let is_lasting = |bit: &&Bit| {
            let meaning = symbol_of(**bit).map(|(number, _)| symbols.meaning(number));
            !matches!(
                meaning,
                Some(Meaning::Turn(Kind::Opaque | Kind::Input | Kind::Model))
            )
        };
        let cubes = self.0.iter();
        let mut all: Vec<Vec<Bit>> = cubes
            .map(|cube| cube.bits.iter().filter(is_lasting).copied().collect())
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Turns that ways took, and what is not kept apart: the same where only the CPU is between.
    pub fn taken(&self, symbols: &Symbols) -> Vec<(Vec<Bit>, Option<Kind>)> {
        let is_taken = |bit: &&Bit| {
            let meaning = symbol_of(**bit).map(|(number, _)| symbols.meaning(number));
            !matches!(meaning, Some(Meaning::Cpu(_)))
        };
        let of = |cube: &Cube| {
            (
                cube.bits.iter().filter(is_taken).copied().collect(),
                cube.lost,
            )
        };
        let mut all: Vec<(Vec<Bit>, Option<Kind>)> = self.0.iter().map(of).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether CPUs lack one of these wherever this holds.
    pub fn lacks(&self, symbols: &Symbols, facts: Facts) -> bool {
        let is_one = |bit: &Bit| match symbol_of(*bit) {
            Some((number, true)) => match symbols.meaning(number) {
                Meaning::Cpu(lacks) => symbols.implies(facts, lacks),
                _ => false,
            },
            _ => false,
        };
        self.0.iter().all(|cube| cube.bits.iter().any(is_one))
    }

    /// Where one or the other holds.
    pub fn or(&self, other: &Self, symbols: &Symbols) -> Self {
        let mut all = self.0.clone();
        for cube in &other.0 {
            add(&mut all, cube.clone());
        }
        if all.len() > CUBES {
            let old = std::mem::take(&mut all);
            for cube in &old {
                add(&mut all, cube.without_turns(symbols));
            }
        }
        if all.len() > CUBES {
            let mut common = all[0].clone();
            for cube in &all[1..] {
                common
                    .bits
                    .retain(|bit| cube.bits.binary_search(bit).is_ok());
                common.has = common.has & cube.has;
            }
            common.lost = Some(Kind::Opaque);
            all = vec![common];
        }
        Self(all)
    }

    /// Something decides that is not kept apart.
    pub fn lose(&mut self, kind: Kind) {
        for cube in &mut self.0 {
            cube.lost = Some(cube.lost.map_or(kind, |lost| lost.min(kind)));
        }
    }

    /// What the CPU has wherever this holds.
    pub fn has(&self) -> Facts {
        let all = self.0.iter().map(|cube| cube.has);
        all.reduce(|one, other| one & other).unwrap_or_default()
    }

    /// What holds in all of these and of the others.
    pub fn shared(&self, other: &Self) -> Self {
        let mut all = self.0.iter().chain(&other.0);
        let mut shared = all.next().cloned().unwrap_or_default();
        for cube in all {
            (shared.bits).retain(|bit| cube.bits.binary_search(bit).is_ok());
            shared.has = shared.has & cube.has;
            shared.lost = shared.lost.or(cube.lost).min(cube.lost.or(shared.lost));
        }
        Self(vec![shared])
    }

    /// How much the first of these and of the others have in common.
    pub fn common(&self, other: &Self) -> usize {
        let theirs = &other.0[0].bits;
        let own = self.0[0].bits.iter();
        own.filter(|bit| theirs.binary_search(bit).is_ok()).count()
    }

    /// A bit that is set in all of these, and in none of the others.
    pub fn apart(&self, symbols: &Symbols, other: &Self) -> Option<Bit> {
        let is_apart = |bit: &Bit| {
            let (number, is_opposite) = symbol_of(*bit).unwrap_or_default();
            self.truth(symbols, number) == Some(!is_opposite)
                && other.truth(symbols, number) == Some(is_opposite)
        };
        let bits = self.0[0].bits.iter().chain(&other.0[0].bits);
        bits.copied()
            .flat_map(|bit| [bit, crate::bits::not(bit)])
            .find(is_apart)
    }
}

/// Whether all of one list are in the other; both are sorted.
fn is_part(one: &[Bit], other: &[Bit]) -> bool {
    let mut rest = other.iter();
    one.len() <= other.len()
        && one
            .iter()
            .all(|bit| rest.find(|other| *other >= bit) == Some(bit))
}

/// Adds a cube, made one with those from which it differs in one symbol only.
fn add(all: &mut Vec<Cube>, mut cube: Cube) {
    loop {
        // The one is there wherever the other is, and says no less of how.
        let is_within = |one: &Cube, other: &Cube| {
            is_part(&one.bits, &other.bits)
                && one
                    .lost
                    .is_none_or(|lost| other.lost.is_some_and(|other| other <= lost))
        };
        if all.iter().any(|known| is_within(known, &cube)) {
            return;
        }
        all.retain(|known| !is_within(&cube, known));
        let partner = all.iter().enumerate().find_map(|(at, known)| {
            if known.bits.len() != cube.bits.len() || known.lost != cube.lost {
                return None;
            }
            // Both are sorted, so a symbol and its opposite are at one place.
            let mut apart = (cube.bits.iter().zip(&known.bits)).filter(|(one, other)| one != other);
            let (one, other) = apart.next()?;
            let is_one = apart.next().is_none() && *other == crate::bits::not(*one);
            is_one.then_some((at, *one))
        });
        let Some((at, bit)) = partner else {
            all.push(cube);
            return;
        };
        let known = all.swap_remove(at);
        cube.bits.retain(|one| *one != bit);
        cube.has = cube.has & known.has;
    }
}

#[cfg(test)]
#[path = "conditions_tests.rs"]
mod tests;
