//! One linear pass over all code: what each routine has, and which address
//! refers to which. Everything later looks only at routines that matter.

mod part;
mod pieces;
#[cfg(test)]
mod pieces_tests;

use super::changes::Changes;
use super::classes::Classes;
use super::facts::members::Stores;
use super::program::Program;
use super::ranges::Ranges;
use super::recent::Recent;
pub use super::references::{Reference, References, to, within};
use part::Part;
use pieces::Pieces;

/// What one routine has.
#[derive(Clone, Default)]
pub struct Facts {
    /// How many instructions it has.
    pub instructions: u32,
    /// How many `tzcnt` among them.
    pub tzcnt: u32,
    /// It executes `cpuid` or `xgetbv`.
    pub asks: bool,
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
    /// What it has above the baseline: most have nothing.
    beyond: Option<Box<Beyond>>,
}

/// What one routine has above the baseline.
#[derive(Clone, Default)]
struct Beyond {
    /// Instructions.
    count: u32,
    /// Address of the first of them.
    first: u64,
    /// Their extension sets, one bit each.
    sets: [u64; 4],
    /// The first `xgetbv`, where the baseline lacks that. It is not among the others.
    xgetbv: Option<u64>,
}

impl Facts {
    fn merge(&mut self, other: Self) {
        self.instructions += other.instructions;
        self.tzcnt += other.tzcnt;
        self.asks |= other.asks;
        self.imports |= other.imports;
        self.extended |= other.extended;
        self.before_avx |= other.before_avx;
        self.returns |= other.returns;
        self.undecodable |= other.undecodable;
        match (&mut self.beyond, other.beyond) {
            (Some(mine), Some(theirs)) => mine.merge(&theirs),
            (mine, theirs) => *mine = mine.take().or(theirs),
        }
    }

    /// Instructions above the baseline.
    pub fn above(&self) -> u32 {
        self.beyond.as_ref().map_or(0, |beyond| beyond.count)
    }

    /// Address of the first of them; 0 where there is none.
    pub fn first(&self) -> u64 {
        self.beyond.as_ref().map_or(0, |beyond| beyond.first)
    }

    /// The first `xgetbv`, where the baseline lacks that. It is not among those above.
    pub fn xgetbv(&self) -> Option<u64> {
        self.beyond.as_ref()?.xgetbv
    }

    /// The extension sets of those above, as indices.
    pub fn set_indices(&self) -> impl Iterator<Item = u8> + '_ {
        let sets = self.beyond.as_ref().map(|beyond| &beyond.sets);
        let has = |sets: &[u64; 4], set: u8| sets[usize::from(set >> 6)] >> (set & 63) & 1 == 1;
        let all = sets.into_iter();
        all.flat_map(move |sets| (0..=255u8).filter(move |set| has(sets, *set)))
    }

    /// Notes an instruction above the baseline, by its extension set.
    pub(crate) fn add_above(&mut self, set: u8, at: u64) {
        let beyond = self.beyond.get_or_insert_default();
        if beyond.count == 0 {
            beyond.first = at;
        }
        beyond.count += 1;
        beyond.sets[usize::from(set >> 6)] |= 1 << (set & 63);
    }

    /// Notes an `xgetbv` that the baseline lacks.
    fn add_xgetbv(&mut self, at: u64) {
        let beyond = self.beyond.get_or_insert_default();
        beyond.xgetbv.get_or_insert(at);
    }
}

impl Beyond {
    fn merge(&mut self, other: &Self) {
        if other.count > 0 && (self.count == 0 || other.first < self.first) {
            self.first = other.first;
        }
        self.count += other.count;
        for (mine, theirs) in self.sets.iter_mut().zip(other.sets) {
            *mine |= theirs;
        }
        self.xgetbv = match (self.xgetbv, other.xgetbv) {
            (Some(mine), Some(theirs)) => Some(mine.min(theirs)),
            (mine, theirs) => mine.or(theirs),
        };
    }
}

/// The result of the pass.
#[derive(Default)]
pub struct Sweep {
    /// By routine.
    pub facts: Vec<Facts>,
    /// Direct calls and jumps that leave a routine, through linkage stubs as
    /// well; sorted.
    pub edges: References,
    /// Addresses of code that instructions form; sorted.
    pub taken: References,
    /// Data that instructions name: variables and tables; sorted.
    pub data: References,
    /// Data between functions that instructions name; sorted.
    pub embedded: References,
    /// Uses of imports that something is said of; sorted.
    pub asked: References,
    /// Stores behind pointers other than the stack's; sorted.
    pub members: Stores,
    /// Calls that set what a signal does; sorted.
    pub catches: References,
    /// Read-only data that begins with the distance of another routine from itself; sorted.
    pub distances: References,
    /// Where code ends that a constant follows, as far as it was read at once.
    pub ends: Vec<u64>,
    /// Some of what leads on in code without names was not followed to its end.
    pub is_cut_short: bool,
    /// Graphs that were made of it last.
    pub(crate) recent: Recent,
    /// Registers that routines change, as far as that was asked for.
    pub(crate) changes: Changes,
    /// What was read last of routines that are cut.
    pub(crate) pieces: Pieces,
}

impl Sweep {
    /// Decodes all code.
    pub fn run(program: &Program<'_>, classes: &Classes) -> Self {
        let mut sweep = Self {
            facts: vec![Facts::default(); program.routines.len()],
            ..Self::default()
        };
        let parts = decode(program, classes, &program.ranges, false);
        sweep.ends = parts.iter().flat_map(|part| part.ends.clone()).collect();
        sweep.add(parts);
        sweep
    }

    /// Decodes those routines of a file anew that were cut, given sorted. Most of what is between
    /// functions was not decoded before: that ends at the first constant. Where what is read now
    /// leads comes back, sorted and each once.
    pub fn repeat(&mut self, program: &Program<'_>, classes: &Classes, cut: &[u32]) -> Vec<u64> {
        self.recent = Recent::default();
        self.changes = Changes::default();
        let count = program.routines.len();
        self.facts
            .reserve_exact(count.saturating_sub(self.facts.len()));
        self.facts.resize(count, Facts::default());
        for routine in cut {
            self.facts[*routine as usize] = Facts::default();
        }
        // What leads on from a piece that was read was told then.
        let known = std::mem::take(&mut self.pieces);
        let mut ranges = Vec::new();
        for range in program.ranges.iter() {
            if cut.binary_search(&range.value).is_err() {
                continue;
            }
            match known.facts(range.start, range.end) {
                Some(facts) => self.facts[range.value as usize].merge(facts),
                None => ranges.push(range),
            }
        }
        drop(known);
        let mut parts = decode(program, classes, &Ranges::of(ranges), true);
        for pieces in parts.iter_mut().filter_map(|part| part.pieces.take()) {
            self.pieces.append(pieces);
        }
        let mut targets = Vec::new();
        for part in &parts {
            targets.extend(&part.ends);
            for list in [&part.edges, &part.taken, &part.embedded] {
                targets.extend(list.iter().map(|(to, _)| to));
            }
        }
        targets.sort_unstable();
        targets.dedup();
        self.add(parts);
        targets
    }

    /// No more is cut.
    pub fn end_cuts(&mut self) {
        self.pieces = Pieces::default();
    }

    /// Adds what was found; lists that have something already are sorted.
    fn add(&mut self, parts: Vec<Part>) {
        let is_first = self.edges.iter().next().is_none() && self.members.iter().next().is_none();
        for part in parts {
            for (routine, facts) in part.facts {
                self.facts[routine as usize].merge(facts);
            }
            self.edges.append(part.edges);
            self.taken.append(part.taken);
            self.data.append(part.data);
            self.embedded.append(part.embedded);
            self.asked.append(part.asked);
            self.members.append(part.members);
            self.catches.append(part.catches);
            self.distances.append(part.distances);
        }
        let lists = [
            &mut self.edges,
            &mut self.taken,
            &mut self.data,
            &mut self.embedded,
            &mut self.asked,
            &mut self.catches,
            &mut self.distances,
        ];
        let (sort, sort_stores) = match is_first {
            true => (References::sort as fn(&mut _), Stores::sort as fn(&mut _)),
            false => (References::sort_again as _, Stores::sort_again as _),
        };
        lists.into_iter().for_each(sort);
        sort_stores(&mut self.members);
    }
}

/// Bytes of code that it takes long to read.
const LARGE: u64 = 1 << 20;

/// Decodes the ranges, on as many threads as the machine has up to four.
/// Where it is to be cut what is in pieces of it is noted too, if it is much: they take memory.
fn decode(program: &Program<'_>, classes: &Classes, ranges: &Ranges, is_cut: bool) -> Vec<Part> {
    let total: u64 = ranges.iter().map(|s| s.end - s.start).sum();
    let pieces = || (is_cut && total >= LARGE).then(Pieces::default);
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get().min(4));
    // Below that a thread costs more than it saves.
    let threads = if total < LARGE { 1 } else { threads };
    let share = total / threads as u64 + 1;
    let mut chunks = Vec::new();
    let (mut first, mut size) = (0, 0);
    for (at, range) in ranges.iter().enumerate() {
        size += range.end - range.start;
        if size >= share {
            chunks.push(ranges.part(first, at + 1));
            (first, size) = (at + 1, 0);
        }
    }
    chunks.push(ranges.part(first, ranges.len()));
    if let [all] = &chunks[..] {
        return vec![Part::of(program, classes, all.clone(), pieces())];
    }
    std::thread::scope(|scope| {
        let handles: Vec<_> = chunks
            .into_iter()
            .map(|ranges| scope.spawn(move || Part::of(program, classes, ranges, pieces())))
            .collect();
        let joined = handles.into_iter().map(std::thread::ScopedJoinHandle::join);
        // A panic in a part is ours, not to be hidden.
        joined
            .map(|part| part.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}
