//! The search in AArch64 ELF files. It goes forwards: all routines are gone through from the
//! entries on, each entered with what all its callers know of the CPU, until nothing changes.
//!
//! ```text
//! program ─► whole ⇄ walk (decode, step on state, value, flags) ─► surely ─► states
//! ```
//!
//! - [`features`]: what a CPU has, as sets, and which bits of the kernel's words tell it.
//! - [`value`]: a few constants, or a word by its bits, each with what the CPU has then.
//! - [`whole`]: routines, their callers, and variables, which hold what the whole file stores.
//! - [`concerned`]: which functions are gone through.
//! - [`surely`]: whether a way leads to an instruction whatever decides what is not understood.
//! - [`said`]: a user's word (`--gate-function`, `--cpu-cell`).
//!
//! Why it is so, and what it cannot see: `docs/decisions/406-leaks.md`, "AArch64".

mod alts;
mod bits;
mod concerned;
mod flags;
mod given;
mod program;
mod said;
mod sorted;
mod state;
mod states;
mod step;
mod surely;
mod sweep;
mod tellers;
mod value;
mod vector;
mod walk;
mod whole;

use crate::said::not_there;
use concerned::{begin, leading};
use karat_binary::read::image::Image;
use karat_flow::a64::decode;
pub(crate) use karat_flow::a64::features;
use karat_flow::facts::vouched::Vouched;
use karat_model::leaks::{AboveBaseline, UnmatchedName};
use karat_symbolic::Auxiliary;
use program::Program;
use states::States;
pub(crate) use states::offence;
use std::collections::{HashMap, HashSet};
use sweep::Sweep;
use whole::{Known, Whole};

/// Instructions that are gone through, at most.
const STEPS: u64 = 40_000_000;
/// The same in the second round.
const AGAIN: u64 = 2_000_000;
/// The second round goes through all that the first did, and more: after so many instructions
/// in the first it would not come to its end.
const TOO_DEAR: u64 = AGAIN / 2 * 3;
/// Times that functions are added to which an answer was seen to come.
const STAGES: usize = 8;
/// Times that it is looked for what was not reached.
const IDLE: usize = 12;

/// What was found in a file.
pub(crate) struct Found {
    pub functions: Vec<AboveBaseline>,
    /// All functions of the file.
    pub all: u64,
    pub has_names: bool,
    pub is_spent: bool,
    /// Names that a user says something of, and that the file does not have.
    pub unmatched: Vec<UnmatchedName>,
    /// What the C library that is linked in keeps of the kernel's words.
    pub auxiliary: Auxiliary,
}

/// The states of all functions that need more than `extensions`.
pub(crate) fn search(image: &Image<'_>, extensions: &[String], said: &Vouched) -> Found {
    let program = Program::read(image, said);
    let unmatched = unmatched(&program);
    let is_above = |name: &str| !extensions.iter().any(|known| known == name);
    let (above, all) = states::above(&program, is_above);
    let has_names = program
        .symbols
        .functions
        .iter()
        .any(|f| !f.names.is_empty());
    if above.is_empty() {
        return Found {
            functions: Vec::new(),
            all,
            has_names,
            is_spent: false,
            unmatched,
            auxiliary: Auxiliary::default(),
        };
    }
    let sweep = Sweep::of(&program);
    let functions: HashSet<u32> = above.keys().copied().collect();
    let leads = leading(&sweep, &functions, &HashMap::new());
    let follow = |concerned: &HashSet<u32>, steps| {
        let known = Known {
            extensions: extensions.to_vec(),
            baseline: states::baseline(extensions),
            sweep: &sweep,
            leads: &leads,
            concerned: concerned.clone(),
            steps,
        };
        let mut whole = Whole::of(&program, known);
        for _ in 0..IDLE {
            if whole.is_spent() {
                break;
            }
            let idle = States::of(&whole).unreached(&above);
            if idle.is_empty() {
                break;
            }
            whole.reach(&idle);
        }
        whole
    };
    // First as if any way led to all that is above the baseline: what is guarded then is.
    let mut concerned = begin(&program, &sweep, &functions);
    let mut left = STEPS;
    let mut whole = follow(&concerned, left);
    for _ in 0..STAGES {
        left = left.saturating_sub(whole.steps);
        let informed = whole.informed();
        if whole.is_spent() || informed.is_subset(&concerned) {
            break;
        }
        concerned.extend(informed);
        whole = follow(&concerned, left);
    }
    let of_all = |states: &States<'_, '_>| -> Vec<AboveBaseline> {
        let all = above.iter();
        all.map(|(function, above)| states.state(*function, above))
            .collect()
    };
    let is_spent = whole.is_spent();
    let states = States::of(&whole);
    let mut functions = of_all(&states);
    // Then by all ways to what that leaves open.
    let before = concerned.len();
    let open = states.open(&above);
    concerned.extend(leading(&sweep, &open, &states.seen_callers()));
    if !is_spent && concerned.len() > before && whole.steps <= TOO_DEAR {
        let again = follow(&concerned, AGAIN);
        // If it does not come to its end, what the first round found holds.
        if !again.is_spent() {
            functions = of_all(&States::of(&again));
        }
    }
    Found {
        functions,
        all,
        has_names,
        is_spent,
        unmatched,
        auxiliary: program.kept(),
    }
}

fn unmatched(program: &Program<'_>) -> Vec<UnmatchedName> {
    if program.said.gone.is_empty() {
        return Vec::new();
    }
    let functions = program.symbols.functions.iter().flat_map(|f| &f.names);
    let variables = program.variables.values().map(|(_, name)| name);
    let own = functions.chain(variables).copied();
    let all: Vec<&str> = own.chain(program.imports().map(|(_, name)| name)).collect();
    let mut gone: Vec<&String> = program.said.gone.iter().collect();
    gone.sort();
    gone.into_iter().map(|name| not_there(name, &all)).collect()
}
