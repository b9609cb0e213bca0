//! One linear pass over all code: what each routine has, and which address
//! refers to which. Everything later looks only at routines that matter.

mod part;

use super::baseline::Classes;
use super::changes::Changes;
use super::facts::members::Store;
use super::program::Program;
use super::recent::Recent;
use karat_binary::ranges::AddressRange;
use part::Part;

/// What one routine has.
#[derive(Clone, Copy, Default)]
pub struct Facts {
    /// How many instructions it has.
    pub instructions: u32,
    /// Instructions above the baseline.
    pub above: u32,
    /// Address of the first of them.
    pub first: u64,
    /// Their extension sets, one bit each.
    pub sets: [u64; 4],
    /// How many `tzcnt` among them.
    pub tzcnt: u32,
    /// It executes `cpuid` or `xgetbv`.
    pub asks: bool,
    /// The first `xgetbv`, where the baseline lacks that. It is not among `above`.
    pub xgetbv: Option<u64>,
    /// It uses an import that holds what CPUID answered, or gives it.
    pub imports: bool,
    /// It has instructions that not every x86-64 CPU has.
    pub extended: bool,
    /// It has vector instructions that a compiler which may use AVX does not emit.
    pub before_avx: bool,
    /// It has a `ret`, leaves by a jump or runs on into what follows: calls of it
    /// come back.
    pub returns: bool,
    /// A byte does not decode: it may be data.
    pub undecodable: bool,
}

impl Facts {
    fn merge(&mut self, other: &Self) {
        if other.above > 0 && (self.above == 0 || other.first < self.first) {
            self.first = other.first;
        }
        self.instructions += other.instructions;
        self.above += other.above;
        for (mine, theirs) in self.sets.iter_mut().zip(other.sets) {
            *mine |= theirs;
        }
        self.tzcnt += other.tzcnt;
        self.asks |= other.asks;
        self.xgetbv = match (self.xgetbv, other.xgetbv) {
            (Some(mine), Some(theirs)) => Some(mine.min(theirs)),
            (mine, theirs) => mine.or(theirs),
        };
        self.imports |= other.imports;
        self.extended |= other.extended;
        self.before_avx |= other.before_avx;
        self.returns |= other.returns;
        self.undecodable |= other.undecodable;
    }

    /// The extension sets, as indices.
    pub fn set_indices(&self) -> impl Iterator<Item = u8> + '_ {
        (0..=255u8).filter(|set| self.sets[usize::from(set >> 6)] >> (set & 63) & 1 == 1)
    }
}

/// A reference: what it is to, and the instruction it is in.
pub type Reference = (u64, u64);

/// The result of the pass.
#[derive(Default)]
pub struct Sweep {
    /// By routine.
    pub facts: Vec<Facts>,
    /// Direct calls and jumps that leave a routine, through linkage stubs as
    /// well; sorted.
    pub edges: Vec<Reference>,
    /// Addresses of code that instructions form; sorted.
    pub taken: Vec<Reference>,
    /// Data that instructions name: variables and tables; sorted.
    pub data: Vec<Reference>,
    /// Uses of imports that something is said of; sorted.
    pub asked: Vec<Reference>,
    /// Stores behind pointers other than the stack's; sorted.
    pub members: Vec<Store>,
    /// Calls that set what a signal does; sorted.
    pub catches: Vec<Reference>,
    /// Read-only data that begins with the distance of another routine from itself; sorted.
    pub distances: Vec<Reference>,
    /// Graphs that were made of it last.
    pub(crate) recent: Recent,
    /// Registers that routines change, as far as that was asked for.
    pub(crate) changes: Changes,
}

impl Sweep {
    /// Decodes all code.
    pub fn run(program: &Program<'_>, classes: &Classes) -> Self {
        let parts = decode(program, classes, &program.ranges);
        let mut sweep = Self {
            facts: vec![Facts::default(); program.routines.len()],
            ..Self::default()
        };
        for part in parts {
            for (routine, facts) in part.facts {
                sweep.facts[routine as usize].merge(&facts);
            }
            add(&mut sweep.edges, part.edges);
            add(&mut sweep.taken, part.taken);
            add(&mut sweep.data, part.data);
            add(&mut sweep.asked, part.asked);
            add(&mut sweep.members, part.members);
            add(&mut sweep.catches, part.catches);
            add(&mut sweep.distances, part.distances);
        }
        let lists = [
            &mut sweep.edges,
            &mut sweep.taken,
            &mut sweep.data,
            &mut sweep.asked,
            &mut sweep.catches,
            &mut sweep.distances,
        ];
        for list in lists {
            sort(list);
            list.dedup();
            list.shrink_to_fit();
        }
        sweep.members.sort_unstable();
        sweep.members.dedup();
        sweep.members.shrink_to_fit();
        sweep
    }

    /// Decodes the routines of a file anew after open ones were cut.
    pub fn repeat(&mut self, program: &Program<'_>, classes: &Classes) {
        let open: Vec<AddressRange<u32>> = program
            .ranges
            .iter()
            .filter(|range| program.routines[range.value as usize].is_open)
            .copied()
            .collect();
        self.recent = Recent::default();
        self.changes = Changes::default();
        let count = program.routines.len();
        self.facts
            .reserve_exact(count.saturating_sub(self.facts.len()));
        self.facts.resize(count, Facts::default());
        for (facts, routine) in self.facts.iter_mut().zip(&program.routines) {
            if routine.is_open {
                *facts = Facts::default();
            }
        }
        let parts = decode(program, classes, &open);
        drop(open);
        let count = parts.iter().map(|part| part.edges.len()).sum();
        self.edges.reserve_exact(count);
        for part in parts {
            for (routine, facts) in part.facts {
                self.facts[routine as usize].merge(&facts);
            }
            self.edges.extend(part.edges);
        }
        sort(&mut self.edges);
        self.edges.dedup();
        self.edges.shrink_to_fit();
    }
}

/// Adds what one thread found; of the first nothing is copied.
fn add<T>(all: &mut Vec<T>, more: Vec<T>) {
    match all.is_empty() {
        true => *all = more,
        false => all.extend(more),
    }
}

/// Decodes the ranges, on as many threads as the machine has up to four.
fn decode(program: &Program<'_>, classes: &Classes, ranges: &[AddressRange<u32>]) -> Vec<Part> {
    let total: u64 = ranges.iter().map(|s| s.end - s.start).sum();
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get().min(4));
    // Below a megabyte a thread costs more than it saves.
    let threads = if total < 1 << 20 { 1 } else { threads };
    let share = total / threads as u64 + 1;
    let mut chunks: Vec<&[AddressRange<u32>]> = Vec::new();
    let (mut first, mut size) = (0, 0);
    for (at, range) in ranges.iter().enumerate() {
        size += range.end - range.start;
        if size >= share {
            chunks.push(&ranges[first..=at]);
            (first, size) = (at + 1, 0);
        }
    }
    chunks.push(&ranges[first..]);
    if let [all] = chunks[..] {
        return vec![Part::of(program, classes, all)];
    }
    std::thread::scope(|scope| {
        let handles: Vec<_> = chunks
            .into_iter()
            .map(|ranges| scope.spawn(|| Part::of(program, classes, ranges)))
            .collect();
        let joined = handles.into_iter().map(std::thread::ScopedJoinHandle::join);
        // A panic in a part is ours, not to be hidden.
        joined
            .map(|part| part.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

/// Sorts references. One number is compared without a branch, of which half would be guessed
/// wrongly.
pub(crate) fn sort(list: &mut [Reference]) {
    list.sort_unstable_by_key(|(to, at)| u128::from(*to) << 64 | u128::from(*at));
}

/// All references to an address.
pub fn to(list: &[Reference], address: u64) -> &[Reference] {
    let from = list.partition_point(|(to, _)| *to < address);
    let length = run(&list[from..], |to| to == address);
    &list[from..from + length]
}

/// All references to addresses in `start..end`.
pub fn within(list: &[Reference], start: u64, end: u64) -> &[Reference] {
    let from = list.partition_point(|(to, _)| *to < start);
    let length = run(&list[from..], |to| to < end);
    &list[from..from + length]
}

/// How many at the beginning of a list are meant: few mostly, which are found without a
/// search in all that follow.
fn run(list: &[Reference], is_one: impl Fn(u64) -> bool) -> usize {
    let mut most = 4;
    while list.get(most).is_some_and(|(to, _)| is_one(*to)) {
        most *= 2;
    }
    let near = &list[..most.min(list.len())];
    near.partition_point(|(to, _)| is_one(*to))
}
