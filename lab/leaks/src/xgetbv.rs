//! `xgetbv`, by which programs ask for the system's part, and which dies itself where the system
//! does not use XSAVE (CPUID.1:ECX.OSXSAVE).
//!
//! It is searched for by itself: that nobody knows whether something was asked before it says
//! nothing of the kernels in the same function. Such a state is left out, since nearly all who
//! execute it asked before; so is what a library exports to execute it.

use super::settled::is_open;
use karat_flow::program::Program;
use karat_model::leaks::{AboveBaseline, Reach};

/// Those that following the program's start may settle: that a library's callers asked is not
/// seen there.
pub(super) fn open(asking: &[AboveBaseline], program: &Program<'_>) -> Vec<u32> {
    if program.is_library {
        return Vec::new();
    }
    let open = asking.iter().filter(|function| {
        let is_reached = function.reach != Reach::Guarded;
        is_reached && is_open(function)
    });
    let routines = open.filter_map(|function| program.routine_at(function.address));
    routines.collect()
}

/// Adds what is known of `xgetbv` to the states of functions above the baseline.
pub(super) fn add(functions: &mut Vec<AboveBaseline>, asking: Vec<AboveBaseline>) {
    for mut asking in asking {
        let is_death = |reach| matches!(reach, Reach::Leak | Reach::Insufficient);
        let known = functions.iter_mut().find(|f| f.address == asking.address);
        match (known, asking.reach) {
            (Some(known), reach) if is_death(reach) && !is_death(known.reach) => {
                asking.instructions += known.instructions;
                asking.extensions.append(&mut known.extensions);
                asking.extensions.sort();
                asking.extensions.dedup();
                *known = asking;
            }
            (None, Reach::Leak | Reach::Insufficient | Reach::Guarded) => functions.push(asking),
            _ => {}
        }
    }
}
