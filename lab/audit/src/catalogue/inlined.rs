//! Kernels without a symbol whose code DWARF shows inside other functions.

use super::compiled::Catalogue;
use super::known::sort;
use crate::census::TargetCount;
use crate::survival::function_name;
use crate::symbols::Symbols;
use karat_model::audit::SurvivalState;
use karat_model::catalogue::{Confidence, KnownEvidence, KnownKernel};
use std::collections::{BTreeMap, BTreeSet};

/// Fewer instructions are a wrapper or a call, and no kernel.
const LEAST_INSTRUCTIONS: u64 = 16;

impl<'c> Catalogue<'c> {
    /// Kernels that linkage names of inlined functions mention and no symbol is,
    /// each with its names.
    pub fn inlined<'n>(
        &self,
        symbols: &Symbols<'_>,
        frames: impl Iterator<Item = &'n str>,
    ) -> Vec<(u32, &'c str)> {
        let mut mentioned: BTreeSet<u32> = frames.filter_map(|n| self.names.find(n)).collect();
        if mentioned.is_empty() {
            return Vec::new();
        }
        for function in &symbols.functions {
            for name in &function.names {
                if let Some(kernel) = self.names.find(name) {
                    mentioned.remove(&kernel);
                }
            }
        }
        let names = mentioned.into_iter().flat_map(|kernel| {
            let symbols = &self.kernels[kernel as usize].kernel.symbols;
            symbols.iter().map(move |name| (kernel, name.as_str()))
        });
        names.collect()
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
        let census = count.tally.census();
        let sum = sums.entry(kernel).or_default();
        for (sum, more) in sum.iter_mut().zip([
            census.instructions,
            census.xmm,
            census.ymm,
            census.zmm,
        ]) {
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
            function: Some(function_name(symbols, host)),
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
