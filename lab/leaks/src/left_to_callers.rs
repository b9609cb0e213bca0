//! Exported functions that cannot do without what they do not ask for: their callers asked for it.

use super::reach::{Own, Soft};
use super::writer::Writer;
use karat_flow::facts::Facts;
use karat_flow::program::Entry;
use std::collections::{HashMap, HashSet};

/// Variants among which such a function picks, at least. Of one alone it could be that what is
/// asked for was taken for it.
const VARIANTS: usize = 2;

impl Writer<'_> {
    /// By address: exported functions of a library that ask for something else than what is
    /// lacking, and whichever way they go then, that is needed; and what it is. There is no way
    /// through them for CPUs that lack it. OpenSSL's `aesni_cbc_sha1_enc` picks by AVX and SHA
    /// among three that all need AES.
    pub(super) fn left_to_callers(&mut self, found: &[(u32, Own)]) -> HashMap<u64, Facts> {
        let mut out = HashMap::new();
        if !self.program.is_library {
            return out;
        }
        let mut seen = HashSet::new();
        for &(node, _, asked) in found.iter().flat_map(|(_, own)| &own.open) {
            let gate = asked.or(self.verdicts.short[node]);
            if self.verdicts.leak[node].is_none() {
                continue;
            }
            let begin = self.begin(node);
            let is_own = gate.is_some_and(|gate| {
                gate.routine == self.search.nodes[begin].routine && !self.asks_for_part(node, &gate)
            });
            if is_own && seen.insert(begin) && self.has_no_other_way(begin) {
                let begin = &self.search.nodes[begin];
                out.insert(begin.address, begin.need);
            }
        }
        out
    }

    /// Whether all ways through an exported function lead to what needs the same.
    fn has_no_other_way(&mut self, begin: usize) -> bool {
        let nodes = &self.search.nodes;
        let (routine, entry, lacks) = {
            let begin = &nodes[begin];
            if begin.entry != Some(Entry::Exported) {
                return false;
            }
            (begin.routine, begin.address, begin.need)
        };
        let needs_it =
            |up: usize| nodes[up].address == entry && lacks.without(nodes[up].need).is_none();
        let ways = nodes.iter().flat_map(|node| &node.up);
        let mut places: Vec<u64> = ways
            .filter(|(up, _, soft)| Soft::is_way(*soft) && needs_it(*up))
            .map(|(_, at, _)| *at)
            .collect();
        places.sort_unstable();
        places.dedup();
        if places.len() < VARIANTS {
            return false;
        }
        let reading = self.search.reading(routine);
        reading.is_some_and(|reading| reading.flow.always_one(entry, &places))
    }
}
