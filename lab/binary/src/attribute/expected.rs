//! Where expected functions are: by their symbols, and in chains of inlined calls.

use crate::attribute::target::Target;
use crate::debug::dwarf::Dwarf;
use crate::debug::inlines::{Inlines, NO_PARENT};
use crate::debug::lines::Lines;
use crate::ranges::{AddressRange, push_merged};
use crate::read::symbols::Symbols;
use std::collections::HashMap;

/// The expected functions each symbol is.
pub fn by_symbol(symbols: &Symbols<'_>, targets: &[Target]) -> HashMap<u32, Vec<u32>> {
    let mut out: HashMap<u32, Vec<u32>> = HashMap::new();
    for (index, function) in symbols.functions.iter().enumerate() {
        for (number, target) in targets.iter().enumerate() {
            if function
                .names
                .iter()
                .any(|name| target.matches_symbol(name))
            {
                out.entry(index as u32).or_default().push(number as u32);
            }
        }
    }
    out
}

/// Sets of expected functions, each with a number.
pub struct InlineSets {
    /// The first is empty.
    pub sets: Vec<Vec<u32>>,
    known: HashMap<Vec<u32>, u32>,
}

impl Default for InlineSets {
    fn default() -> Self {
        Self {
            sets: vec![Vec::new()],
            known: HashMap::from([(Vec::new(), 0)]),
        }
    }
}

impl InlineSets {
    /// The number of a sorted set.
    pub fn number(&mut self, set: Vec<u32>) -> u32 {
        *self.known.entry(set).or_insert_with_key(|set| {
            self.sets.push(set.clone());
            self.sets.len() as u32 - 1
        })
    }
}

/// The expected functions that the inline chains of a unit go through: ranges of
/// numbers of sets. `kernel` gives the number of a further target.
pub fn by_chain(
    inlines: &Inlines<'_>,
    dwarf: &Dwarf<'_>,
    lines: &Lines,
    targets: &[Target],
    kernel: &impl Fn(&str) -> Option<u32>,
    sets: &mut InlineSets,
) -> Vec<AddressRange<u32>> {
    let frames: Vec<Vec<u32>> = inlines
        .frames
        .iter()
        .map(|frame| {
            let matching = targets.iter().enumerate();
            matching
                .filter(|(_, target)| target.matches_frame(frame, dwarf, lines))
                .map(|(number, _)| number as u32)
                .chain(kernel(frame.name).filter(|_| frame.is_linkage))
                .collect()
        })
        .collect();
    let mut of_node: Vec<u32> = Vec::with_capacity(inlines.nodes.len());
    for node in &inlines.nodes {
        // The outermost body is the symbol's own; its symbol decides, because a
        // short name would take namesakes along.
        if node.parent == NO_PARENT {
            of_node.push(0);
            continue;
        }
        let inherited = of_node[node.parent as usize];
        let own = node.frame.map_or(&[][..], |frame| &frames[frame as usize]);
        let known = &sets.sets[inherited as usize];
        let set = if own.iter().all(|t| known.contains(t)) {
            inherited
        } else {
            let mut set = known.clone();
            set.extend(own);
            set.sort_unstable();
            set.dedup();
            sets.number(set)
        };
        of_node.push(set);
    }
    let mut ranges = Vec::new();
    for range in &inlines.ranges {
        let value = of_node[range.value as usize];
        if value != 0 {
            push_merged(&mut ranges, AddressRange { value, ..*range });
        }
    }
    ranges
}
