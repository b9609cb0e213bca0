//! The search through a whole image.

use super::atoms::{Atom, atoms};
use super::collect::{Piece, code_at, collect, mix};
use super::compiled::{Catalogue, LEAST_VECTOR};
use super::dense::dense;
use super::hits::used;
use super::inlined::Named;
use super::known::{by_constants, by_mix, by_name, merged, sort};
use super::memory::Memory;
use super::mix::may_reach;
use super::regions::runs;
use super::similar::{NEAR, best, is_near};
use crate::counts::FunctionCounts;
use karat_binary::read::format::Arch;
use karat_binary::read::image::Image;
use karat_binary::read::symbols::Symbols;
use karat_model::catalogue::KnownKernel;
use std::collections::{BTreeMap, HashSet};

/// Regions without a name that are shorter than this are padding.
const LEAST_BYTES: u64 = 64;
/// Instructions below which constants alone say nothing.
const LEAST_INSTRUCTIONS: u32 = 48;

/// What the search goes by.
pub(crate) struct Facts<'f, 'a> {
    pub image: &'f Image<'a>,
    pub symbols: &'f Symbols<'a>,
    /// By function. Padding is counted too.
    pub counts: &'f [FunctionCounts],
    /// What the names of functions say.
    pub named: &'f Named,
    /// Places in code that name a table's address or a word of a constant, sorted.
    pub places: &'f [u64],
}

/// What is done with one function.
struct Job {
    kernel: Option<u32>,
    ranges: Vec<(u64, u64)>,
    hits: Vec<u64>,
}

/// All kernels of the catalogue that have code of their own in the image.
pub(crate) fn find(catalogue: &Catalogue<'_>, facts: &Facts<'_, '_>) -> Vec<KnownKernel> {
    // Fingerprints are of x86-64 builds.
    if catalogue.kernels.is_empty() || facts.image.arch != Arch::X86_64 {
        return Vec::new();
    }
    let memory = Memory::read(facts.image);
    let mut out = Vec::new();
    for (function, job) in jobs(catalogue, facts) {
        let of = &facts.symbols.functions[function as usize];
        if let Some(kernel) = job.kernel {
            let piece = collect(facts.image, &memory, &job.ranges);
            if piece.mix.instructions > 0 {
                out.push(by_name(catalogue, facts.symbols, function, kernel, &piece));
            }
        } else if of.names.is_empty() && of.fde().is_none() {
            for &(start, end) in &job.ranges {
                if end - start >= LEAST_BYTES {
                    region(catalogue, facts, &memory, (start, end), &job.hits, &mut out);
                }
            }
        } else {
            let has_hits = !job.hits.is_empty();
            let mix = mix(facts.image, &job.ranges).filter(|_| !has_hits);
            if mix.is_some_and(|mix| !is_near(catalogue, &mix)) {
                continue;
            }
            let piece = collect(facts.image, &memory, &job.ranges);
            out.extend(judge(
                catalogue,
                facts,
                &memory,
                Some(function),
                &piece,
                has_hits,
            ));
        }
    }
    let mut out = merged(out);
    let mut left = left_behind(catalogue, facts, &memory);
    // Of a function that was moved, the copy left behind is no second kernel.
    left.retain(|known| {
        out.iter()
            .all(|k| (&k.library, &k.kernel) != (&known.library, &known.kernel))
    });
    out.extend(left);
    sort(&mut out);
    out
}

/// Kernels in code that the census leaves out.
fn left_behind(
    catalogue: &Catalogue<'_>,
    facts: &Facts<'_, '_>,
    memory: &Memory<'_>,
) -> Vec<KnownKernel> {
    let mut out = Vec::new();
    for section in facts.image.code.iter().filter(|s| s.named_only) {
        for part in dense(section, &facts.symbols.ranges) {
            region(catalogue, facts, memory, part, &[], &mut out);
        }
    }
    out
}

/// The functions to look at, in the order of their numbers.
fn jobs(catalogue: &Catalogue<'_>, facts: &Facts<'_, '_>) -> BTreeMap<u32, Job> {
    let functions = &facts.symbols.functions;
    let ranges = &facts.symbols.ranges;
    let mut of_hits: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    for &place in facts.places {
        let at = ranges.partition_point(|range| range.end <= place);
        if let Some(range) = ranges.get(at).filter(|range| range.start <= place) {
            of_hits.entry(range.value).or_default().push(place);
        }
    }
    let prints = Prints::of(catalogue);
    let mut jobs = BTreeMap::new();
    // By function: they are few.
    let mut is_one = vec![false; functions.len()];
    // Both in the order of functions, and of few.
    let mut of_hits = of_hits.into_iter().peekable();
    let mut named = facts.named.functions.iter().peekable();
    for (number, function) in (0..).zip(functions) {
        let kernel = named.next_if(|(of, _)| **of == number);
        let kernel = kernel.map(|(_, kernel)| *kernel);
        let hits = of_hits.next_if(|(of, _)| *of == number);
        let hits = hits.map_or_else(Vec::new, |(_, hits)| hits);
        let is_region = function.names.is_empty() && function.fde().is_none();
        let counts = facts.counts.get(number as usize);
        let counts = counts.filter(|counts| counts.vector() >= LEAST_VECTOR.into());
        let may_match = counts.is_some_and(|counts| {
            let widths = &counts.widths();
            is_region || prints.may_be_like(widths)
        });
        if kernel.is_some() || may_match || !hits.is_empty() {
            is_one[number as usize] = true;
            jobs.insert(
                number,
                Job {
                    kernel,
                    ranges: Vec::new(),
                    hits,
                },
            );
        }
    }
    for range in ranges.iter().filter(|range| is_one[range.value as usize]) {
        if let Some(job) = jobs.get_mut(&range.value) {
            job.ranges.push((range.start, range.end));
        }
    }
    jobs
}

/// The widths of all fingerprints that tell a kernel, by how many instructions these have.
struct Prints(Vec<(u32, [u32; 4])>);

impl Prints {
    fn of(catalogue: &Catalogue<'_>) -> Self {
        let tell = catalogue.prints.iter().filter(|print| print.tells);
        let of = |widths: [u32; 4]| (widths.iter().sum(), widths);
        let mut all: Vec<_> = tell.map(|print| of(print.mix.width)).collect();
        all.sort_unstable();
        Self(all)
    }

    /// Whether a fingerprint may be like a function of which only the widths of its
    /// instructions are known: decoding it again is dear.
    fn may_be_like(&self, widths: &[u32; 4]) -> bool {
        let vector = widths[1..].iter().sum::<u32>();
        if vector < LEAST_VECTOR {
            return false;
        }
        // What is more than the fingerprint has may be padding, up to a quarter.
        let least = widths[0] / 4 * 3;
        // What is shared is no more than the smaller has, and all is no less than the larger:
        // so one that is much smaller or larger is not like it, however its widths are.
        let share = |of: u32, share: f64| (f64::from(of) * share) as u32;
        let from = share(least.saturating_add(vector), NEAR - 0.01);
        let to = share(widths[0].saturating_add(vector), 1.0 / (NEAR - 0.01));
        let first = self.0.partition_point(|(all, _)| *all < from);
        let near = self.0[first..].iter().take_while(|(all, _)| *all <= to);
        near.into_iter().any(|(_, print)| {
            let mut widths = *widths;
            widths[0] = widths[0].min(print[0].max(least));
            may_reach(NEAR, &widths, print)
        })
    }
}

/// Looks for kernels in code that nothing says is one function.
fn region(
    catalogue: &Catalogue<'_>,
    facts: &Facts<'_, '_>,
    memory: &Memory<'_>,
    (start, end): (u64, u64),
    hits: &[u64],
    out: &mut Vec<KnownKernel>,
) {
    let Some(bytes) = code_at(facts.image, start, end) else {
        return;
    };
    let atoms = atoms(bytes, start);
    let mut taken: Vec<(u64, u64)> = Vec::new();
    for run in runs(catalogue, &atoms) {
        let piece = collect(facts.image, memory, &[(run.start, run.end)]);
        if let Some(found) = best(catalogue, &piece) {
            taken.push((run.start, run.end));
            out.push(by_mix(catalogue, facts.symbols, None, &found, &piece));
        }
    }
    let mut seen: HashSet<u64> = HashSet::new();
    for &hit in hits {
        let at = atoms.all.partition_point(|atom| atom.end <= hit);
        let atom = atoms.all.get(at).filter(|atom| atom.start <= hit);
        let Some(Atom { start, end, .. }) = atom else {
            continue;
        };
        let free = taken.iter().all(|(from, to)| end <= from || to <= start);
        if free && seen.insert(*start) {
            let piece = collect(facts.image, memory, &[(*start, *end)]);
            out.extend(constants(catalogue, facts, memory, None, &piece));
        }
    }
}

/// A function whose name says nothing.
fn judge(
    catalogue: &Catalogue<'_>,
    facts: &Facts<'_, '_>,
    memory: &Memory<'_>,
    function: Option<u32>,
    piece: &Piece,
    has_hits: bool,
) -> Option<KnownKernel> {
    if let Some(found) = best(catalogue, piece) {
        return Some(by_mix(catalogue, facts.symbols, function, &found, piece));
    }
    has_hits.then(|| constants(catalogue, facts, memory, function, piece))?
}

/// An algorithm that a piece has all constants and needed instructions of.
fn constants(
    catalogue: &Catalogue<'_>,
    facts: &Facts<'_, '_>,
    memory: &Memory<'_>,
    function: Option<u32>,
    piece: &Piece,
) -> Option<KnownKernel> {
    if piece.mix.instructions < LEAST_INSTRUCTIONS {
        return None;
    }
    for (number, entry) in catalogue.kernels.iter().enumerate() {
        let wanted = &entry.constants;
        let met = |need: &u16| piece.mix.count(*need) > 0;
        if wanted.is_empty() || !entry.needs.iter().all(met) {
            continue;
        }
        let names = used(wanted, memory, &piece.references, &piece.immediates);
        if names.len() == wanted.len() {
            let kernel = number as u32;
            return Some(by_constants(
                catalogue,
                facts.symbols,
                function,
                kernel,
                &names,
                piece,
            ));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_by_its_size_is_not_like_it() {
        let sizes = [0, 5, 16, 40, 100, 161, 400];
        let mut all = Vec::new();
        for plain in sizes {
            for (xmm, ymm) in sizes.iter().flat_map(|xmm| sizes.map(|ymm| (*xmm, ymm))) {
                all.push([plain, xmm, ymm, 0]);
            }
        }
        let of = |widths: &[u32; 4]| (widths.iter().sum(), *widths);
        let mut seen = [false; 2];
        for print in &all {
            let prints = Prints(vec![of(print)]);
            for widths in &all {
                let mut padded = *widths;
                padded[0] = widths[0].min(print[0].max(widths[0] / 4 * 3));
                let is_vector = widths[1] + widths[2] >= LEAST_VECTOR;
                let is_like = is_vector && may_reach(NEAR, &padded, print);
                assert_eq!(prints.may_be_like(widths), is_like, "{print:?} {widths:?}");
                seen[usize::from(is_like)] = true;
            }
        }
        assert_eq!(seen, [true; 2]);
    }
}
