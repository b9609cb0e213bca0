//! `OPENSSL_ia32cap_P` in a file without symbols.
//!
//! `OPENSSL_cpuid_setup` reads the variable `OPENSSL_ia32cap` of the environment, calls the
//! routine that executes `cpuid`, or does so itself (BoringSSL), and names the vector that it
//! fills more often than any other variable.

use crate::program::Program;
use crate::sweep::{Sweep, to};
use iced_x86::Mnemonic;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Callers of one routine that are looked at.
const CALLERS: usize = 16;
/// Instructions of the routine that fills it, at most.
const LARGEST: u32 = 1000;
/// The first words of four bytes: of leaf 1 `edx` and `ecx`, of leaf 7 `ebx` and `ecx`. Older
/// versions have no others.
const SIZE: u64 = 16;
const ENVIRONMENT: &[u8; 16] = b"OPENSSL_ia32cap\0";
const NAME: &str = "OPENSSL_ia32cap_P";

impl Program<'_> {
    /// Finds the vector where no symbol names it, and takes it for named.
    pub fn find_ia32cap(&mut self, sweep: &Sweep) {
        if self.variables.iter().any(|(.., name)| *name == NAME) {
            return;
        }
        let asking = (0..).zip(&sweep.facts).filter(|(_, facts)| facts.asks);
        let mut near = BTreeSet::new();
        for (routine, _) in asking {
            near.insert(routine);
            let calls = to(&sweep.edges, self.routines[routine as usize].start);
            let all = calls.iter().take(CALLERS);
            near.extend(all.filter_map(|(_, at)| self.routine_at(at)));
        }
        let mut all = near.into_iter().filter(|routine| {
            let instructions = sweep.facts[*routine as usize].instructions;
            instructions <= LARGEST
        });
        if let Some(start) = all.find_map(|routine| self.ia32cap_of(routine)) {
            self.variables.push((start, SIZE, NAME));
            self.variables.sort_unstable();
            self.cells.push((start, start.saturating_add(SIZE), NAME));
        }
    }

    fn ia32cap_of(&self, routine: u32) -> Option<u64> {
        let mut is_it = false;
        let mut named: BTreeMap<u64, u32> = BTreeMap::new();
        for instruction in self.instructions(routine) {
            if instruction.mnemonic() != Mnemonic::Lea || !instruction.is_ip_rel_memory_operand() {
                continue;
            }
            let at = instruction.ip_rel_memory_address();
            let has = |word: u64, bytes: &[u8]| {
                let stored = at.checked_add(word).and_then(|at| self.stored(at));
                stored.is_some_and(|stored| stored.to_le_bytes() == bytes)
            };
            is_it |= has(0, &ENVIRONMENT[..8]) && has(8, &ENVIRONMENT[8..]);
            if self.is_written(at) && !self.is_got(at) {
                *named.entry(at).or_default() += 1;
            }
        }
        // Later words of it may be named as often.
        let most = named
            .into_iter()
            .max_by_key(|(at, times)| (*times, Reverse(*at)));
        most.filter(|_| is_it).map(|(at, _)| at)
    }
}
