//! `__cpu_model` in a file without symbols.
//!
//! libgcc's and compiler-rt's constructor asks `cpuid`, compares the vendor's name with
//! "Genu" and "Auth", and uses four words in a row: vendor, type, subtype, features.

use crate::program::Program;
use crate::sweep::Sweep;
use iced_x86::Mnemonic;
use std::collections::BTreeSet;

/// Instructions of the constructor: as few and as many as compilers have made of it.
const SIZES: std::ops::RangeInclusive<u32> = 150..=6000;
const VENDORS: [u64; 2] = [0x756e_6547, 0x6874_7541];
const NAME: &str = "__cpu_model";

impl Program<'_> {
    /// Finds `__cpu_model` where no symbol names it, and takes it for named.
    pub fn find_cpu_model(&mut self, sweep: &Sweep) {
        if self.variables.iter().any(|(.., name)| *name == NAME) {
            return;
        }
        let routines = (0..).zip(&sweep.facts);
        let found = routines
            .filter(|(_, facts)| facts.asks && SIZES.contains(&facts.instructions))
            .find_map(|(routine, _)| self.cpu_model_of(routine));
        if let Some(start) = found {
            let end = start.saturating_add(16);
            self.variables.push((start, 16, NAME));
            self.variables.sort_unstable();
            self.cells.push((start, end, NAME));
        }
    }

    fn cpu_model_of(&self, routine: u32) -> Option<u64> {
        let mut vendors = BTreeSet::new();
        let mut words = BTreeSet::new();
        for instruction in self.instructions(routine) {
            if instruction.mnemonic() == Mnemonic::Cmp
                && let Ok(number) = instruction.try_immediate(1)
                && VENDORS.contains(&(number & 0xffff_ffff))
            {
                vendors.insert(number & 0xffff_ffff);
            }
            if instruction.is_ip_rel_memory_operand() {
                let at = instruction.ip_rel_memory_address();
                if self.is_written(at) && !self.is_got(at) && at % 4 == 0 {
                    words.insert(at);
                }
            }
        }
        let is_row = |start: &&u64| (1..4).all(|word| words.contains(&(**start + word * 4)));
        (vendors.len() == VENDORS.len()).then(|| words.iter().find(is_row).copied())?
    }
}
