//! The unwinder's length of SVE's registers. Where it comes upon the register with the number 46 in
//! the tables of a frame it executes `cntd`: VG, of which only the frames of functions that use
//! SVE speak, since no other has to know how long its registers are. A CPU on which such a frame
//! lies has SVE.
//!
//! Sources: *DWARF for the Arm 64-bit Architecture*, 4.1; libgcc,
//! `config/aarch64/aarch64-unwind.h` (`aarch64_cntd`, `AARCH64_DWARF_VG`).

use super::{Above, States};
use crate::a64::decode::{Condition, Control, control};
use crate::a64::program::Program;
use karat_model::leaks::{Certainty, GateKind, GuardedBy};
use std::collections::{BTreeMap, BTreeSet};

/// `cmp w0, #46`, without its register.
const IS_VG: u32 = 0x7100_b81f;
/// The conditions of `b.eq` and `b.ne`.
const EQUAL: u32 = 0;
const OTHER: u32 = 1;
const CNTD: u32 = 0x04e0_e3e0;

/// Where `cntd` is to which only comparisons with VG's number lead, and such a comparison.
fn of_vector_granule(program: &Program<'_>, ranges: &[(u64, u64)]) -> BTreeMap<u64, u64> {
    let all = || {
        let places = ranges
            .iter()
            .map(|(start, end)| (start.next_multiple_of(4), *end));
        let places = places.flat_map(|(start, end)| (start..end).step_by(4));
        places.filter_map(|at| Some((at, program.word(at)?)))
    };
    let follows_comparison = |at: u64| {
        let before = at.checked_sub(4).and_then(|before| program.word(before));
        before.is_some_and(|word| word & 0xffff_fc1f == IS_VG)
    };
    let (mut known, mut others) = (BTreeMap::new(), BTreeSet::new());
    let mut runs_on = false;
    for (at, word) in all() {
        if runs_on {
            others.insert(at);
        }
        let control = control(word, at);
        match control {
            Control::Branch(to, Condition::Flags(EQUAL)) if follows_comparison(at) => {
                known.insert(to, at - 4);
            }
            Control::Branch(to, Condition::Flags(OTHER)) if follows_comparison(at) => {
                others.insert(to);
                known.insert(at + 4, at - 4);
                runs_on = false;
                continue;
            }
            Control::Branch(to, _) | Control::Jump(to) => drop(others.insert(to)),
            _ => {}
        }
        runs_on = !matches!(
            control,
            Control::Jump(_) | Control::JumpRegister(_) | Control::Return | Control::Stop
        );
    }
    known.retain(|at, _| {
        let is_cntd = program
            .word(*at)
            .is_some_and(|word| word & 0xffff_ffe0 == CNTD);
        is_cntd && !others.contains(at)
    });
    known
}

impl States<'_, '_> {
    /// Whether all that a function has above the baseline is that; then what guards it.
    pub(super) fn is_unwinder(&self, function: u32, above: &Above) -> Option<GuardedBy> {
        let program = self.whole.program;
        let ranges = program.symbols.ranges.iter();
        let own: Vec<(u64, u64)> = ranges
            .filter(|range| range.value == function)
            .map(|range| (range.start, range.end))
            .collect();
        let known = of_vector_granule(program, &own);
        let first = *known.values().next()?;
        (known.len() as u64 == above.instructions).then(|| GuardedBy {
            kind: GateKind::Branch,
            function: program.name(first),
            address: first,
            asks: "whether a frame's table names VG, as only those of functions with SVE do".into(),
            features: vec!["sve".into()],
            confidence: Certainty::Medium,
        })
    }
}
