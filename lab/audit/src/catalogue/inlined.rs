//! Kernels without a symbol whose code DWARF shows inside other functions.

use super::compiled::Catalogue;
use super::known::sort;
use crate::count::census::TargetCount;
use karat_binary::read::symbols::Symbols;
use karat_model::audit::SurvivalState;
use karat_model::catalogue::{Confidence, KnownEvidence, KnownKernel};
use std::collections::BTreeMap;

/// Fewer instructions are a wrapper or a call, and no kernel.
const LEAST_INSTRUCTIONS: u64 = 16;

impl Catalogue<'_> {
    /// How many kernels there are.
    pub fn len(&self) -> usize {
        self.kernels.len()
    }

    /// The kernel that a symbol or linkage name is.
    pub fn find_name(&self, name: &str) -> Option<u32> {
        self.names.find(name)
    }

    /// By kernel: whether no symbol is it.
    pub fn absent(&self, symbols: &Symbols<'_>) -> Vec<bool> {
        let mut absent = vec![true; self.kernels.len()];
        for name in symbols.functions.iter().flat_map(|f| &f.names) {
            if let Some(kernel) = self.names.find(name) {
                absent[kernel as usize] = false;
            }
        }
        absent
    }
}

/// Adds the kernels that were counted inside other functions.
pub(crate) fn add_inlined<'n>(
    catalogue: &Catalogue<'_>,
    symbols: &Symbols<'_>,
    counted: impl Iterator<Item = (u32, &'n TargetCount)>,
    known: &mut Vec<KnownKernel>,
) {
    let mut hosts: BTreeMap<u32, BTreeMap<u32, u64>> = BTreeMap::new();
    let mut sums: BTreeMap<u32, [u64; 4]> = BTreeMap::new();
    for (kernel, count) in counted {
        let counts = &count.tally.counts;
        let [_, xmm, ymm, zmm] = counts.class;
        let sum = sums.entry(kernel).or_default();
        for (sum, more) in sum.iter_mut().zip([counts.instructions, xmm, ymm, zmm]) {
            *sum += more;
        }
        for (host, instructions) in &count.hosts {
            let hosts = hosts.entry(kernel).or_default();
            *hosts.entry(*host).or_default() += instructions;
        }
    }
    for (kernel, [instructions, xmm, ymm, zmm]) in sums {
        let of_kernel = hosts.get(&kernel).into_iter().flatten();
        let most = of_kernel.max_by_key(|(host, count)| (**count, std::cmp::Reverse(**host)));
        let (Some((&host, _)), true) = (most, instructions >= LEAST_INSTRUCTIONS) else {
            continue;
        };
        let entry = &catalogue.kernels[kernel as usize];
        known.push(KnownKernel {
            library: entry.library.name.clone(),
            kernel: entry.kernel.name.clone(),
            isa: entry.kernel.isa.clone(),
            build: None,
            function: Some(symbols.readable_name(host)),
            address: symbols.functions[host as usize].address,
            bytes: 0,
            functions: hosts[&kernel].len() as u64,
            instructions,
            xmm,
            ymm,
            zmm,
            evidence: KnownEvidence::Name { similarity: None },
            confidence: Confidence::Certain,
            state: SurvivalState::Inlined,
        });
    }
    sort(known);
}
