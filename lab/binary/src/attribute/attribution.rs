//! What debug information says of every address, unit by unit on several threads.
//!
//! A unit's line table and inline trees are read, boiled down to who owns which
//! address and where expected functions are, and dropped.

use crate::attribute::expected::{InlineSets, by_chain};
use crate::attribute::intrinsics::owner_ranges;
use crate::attribute::target::Target;
use crate::debug::dwarf::{Dwarf, dwarf_error};
use crate::debug::inlines::{Inlines, Trees};
use crate::debug::lines::Lines;
use crate::error::BinaryError;
use crate::ranges::{AddressRange, Nested, flatten};
use crate::read::image::Image;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Who owns each address, and which expected functions it is inside of.
#[derive(Default)]
pub struct Attribution {
    /// Names of crates and C directories.
    pub owners: Vec<String>,
    /// Indices into `owners`; sorted, non-overlapping.
    pub owner_ranges: Vec<AddressRange<u32>>,
    /// Indices into `inline_sets`; sorted, non-overlapping.
    pub inlined: Vec<AddressRange<u32>>,
    /// Expected functions that inline chains go through.
    pub inline_sets: Vec<Vec<u32>>,
    /// Whether there is any function body with its inlined calls.
    pub has_trees: bool,
}

impl Attribution {
    /// Reads all units with at most `threads` threads. The result does not depend
    /// on how many there are. `kernel` gives the number of the further target that a
    /// linkage name is.
    ///
    /// # Errors
    /// That of the first damaged unit.
    pub fn read(
        image: &Image<'_>,
        dwarf: &Dwarf<'_>,
        targets: &[Target],
        kernel: &(impl Fn(&str) -> Option<u32> + Sync),
        threads: usize,
    ) -> Result<Self, BinaryError> {
        let next = AtomicUsize::new(0);
        let whole = Mutex::new(Ok(Merged::default()));
        let work = || {
            let mut worker = Worker::default();
            let result = loop {
                // Units are handed out in order; nothing else hangs on the counter.
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(unit) = dwarf.units.get(index) else {
                    break Ok(());
                };
                if !unit.has_code {
                    continue;
                }
                if let Err(error) = worker.unit(image, dwarf, targets, kernel, index) {
                    // The others have nothing to go on for.
                    next.store(dwarf.units.len(), Ordering::Relaxed);
                    break Err((index, error));
                }
            };
            let mut whole = whole
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            merge(&mut whole, worker, result);
        };
        let threads = threads.min(dwarf.units.len());
        if threads > 1 {
            std::thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(work);
                }
            });
        } else {
            work();
        }
        let whole = whole
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let merged = whole.map_err(|(_, error)| error)?;
        Ok(Self {
            owners: merged.owners,
            owner_ranges: flatten(merged.owner_ranges),
            inlined: flatten(merged.inlined),
            inline_sets: merged.sets.sets,
            has_trees: merged.has_trees,
        })
    }
}

/// What all threads found.
#[derive(Default)]
struct Merged {
    owners: Vec<String>,
    by_owner: HashMap<String, u32>,
    owner_ranges: Vec<Nested<u32>>,
    inlined: Vec<Nested<u32>>,
    sets: InlineSets,
    has_trees: bool,
}

/// The first damaged unit is reported, whichever thread met one first.
type Whole = Result<Merged, (usize, BinaryError)>;

fn merge(whole: &mut Whole, worker: Worker<'_>, result: Result<(), (usize, BinaryError)>) {
    match (&mut *whole, result) {
        (Ok(merged), Ok(())) => merged.add(worker),
        (Err((first, _)), Err((index, error))) if index < *first => *whole = Err((index, error)),
        (Ok(_), Err(error)) => *whole = Err(error),
        (Err(_), _) => {}
    }
}

impl Merged {
    fn add(&mut self, worker: Worker<'_>) {
        let owners: Vec<u32> = worker
            .lines
            .owners
            .into_iter()
            .map(|name| {
                let next = self.owners.len() as u32;
                *self.by_owner.entry(name).or_insert_with_key(|name| {
                    self.owners.push(name.clone());
                    next
                })
            })
            .collect();
        let sets: Vec<u32> = worker
            .sets
            .sets
            .into_iter()
            .map(|set| self.sets.number(set))
            .collect();
        let renumbered = |ranges: Vec<Nested<u32>>, numbers: &[u32]| {
            let mut ranges = ranges;
            for (range, _) in &mut ranges {
                range.value = numbers[range.value as usize];
            }
            ranges
        };
        append(
            &mut self.owner_ranges,
            renumbered(worker.owner_ranges, &owners),
        );
        append(&mut self.inlined, renumbered(worker.inlined, &sets));
        self.has_trees |= worker.has_trees;
    }
}

/// Moves rather than copies where that is possible: these are large.
fn append<T>(to: &mut Vec<T>, mut from: Vec<T>) {
    if to.is_empty() {
        *to = from;
    } else {
        to.append(&mut from);
    }
}

/// What one thread found.
#[derive(Default)]
struct Worker<'a> {
    lines: Lines,
    trees: Trees<'a>,
    sets: InlineSets,
    /// Nested by number of the unit: where units overlap (folded functions) the
    /// later one wins, whoever read it.
    owner_ranges: Vec<Nested<u32>>,
    inlined: Vec<Nested<u32>>,
    has_trees: bool,
}

impl<'a> Worker<'a> {
    fn unit(
        &mut self,
        image: &Image<'_>,
        dwarf: &Dwarf<'a>,
        targets: &[Target],
        kernel: &impl Fn(&str) -> Option<u32>,
        index: usize,
    ) -> Result<(), BinaryError> {
        let place = || {
            let offset = dwarf.units[index].offset;
            format!("section .debug_info, the unit at {offset:#x}")
        };
        let open = dwarf.open(index).map_err(dwarf_error(place()))?;
        let places = self.lines.read_unit(image, dwarf, &open)?;
        let inlines = Inlines::read_unit(
            image,
            dwarf,
            &open,
            &mut self.lines,
            &places,
            &mut self.trees,
        )?;
        self.has_trees |= !inlines.nodes.is_empty();
        let depth = index as u32;
        let owners = owner_ranges(&self.lines, &places, &inlines);
        self.owner_ranges
            .extend(owners.into_iter().map(|range| (range, depth)));
        let inlined = by_chain(
            &inlines,
            dwarf,
            &self.lines,
            targets,
            kernel,
            &mut self.sets,
        );
        self.inlined
            .extend(inlined.into_iter().map(|range| (range, depth)));
        Ok(())
    }
}
