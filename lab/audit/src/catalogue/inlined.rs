//! Kernels without a symbol whose code DWARF shows inside other functions.

use super::compiled::Catalogue;
use super::known::sort;
use crate::counts::TargetCount;
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

    /// What the names of functions say.
    pub fn named(&self, symbols: &Symbols<'_>) -> Named {
        let mut out = Named {
            absent: vec![true; self.kernels.len()],
            functions: BTreeMap::new(),
        };
        for (function, of) in (0..).zip(&symbols.functions) {
            for kernel in of.names.iter().filter_map(|name| self.names.find(name)) {
                out.absent[kernel as usize] = false;
                out.functions.entry(function).or_insert(kernel);
            }
        }
        out
    }
}

/// Kernels that functions are by their names.
pub(crate) struct Named {
    /// By kernel: whether no symbol is it.
    pub absent: Vec<bool>,
    /// By function.
    pub functions: BTreeMap<u32, u32>,
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
            library: entry.library.into(),
            kernel: entry.name.into(),
            isa: entry.isa.into(),
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
