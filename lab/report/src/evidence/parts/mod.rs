//! The parts of a report, one file each.
//!
//! A part is a function from the evidence to a [`Part`], or to nothing where a form has
//! no room for it or there is nothing to show.

mod causes;
mod census;
mod costs;
mod effects;
mod findings;
mod layout;
mod noise;
mod order;
mod pairs;
mod parity;
mod reproduce;
mod speed;
mod survival;
mod usage;

use crate::document::{Block, Detail, Part};
use crate::wording;
use karat_model::evidence::Evidence;

/// What writes a part.
type Write = fn(&Evidence, Detail) -> Option<Part>;

/// All parts, in the order of a report.
const ALL: &[Write] = &[
    speed::part,
    pairs::part,
    noise::part,
    effects::part,
    layout::part,
    causes::part,
    survival::part,
    census::part,
    parity::part,
    usage::part,
    order::part,
    findings::part,
    reproduce::part,
    costs::part,
];

/// The parts of a run's report.
pub fn all(evidence: &Evidence, detail: Detail) -> Vec<Part> {
    ALL.iter()
        .filter_map(|part| part(evidence, detail))
        .collect()
}

/// How many of all are shown, unless it is all of them.
fn some(shown: usize, all: usize) -> String {
    match all > shown {
        true => format!("{shown} of {all}; the report has them all"),
        false => String::new(),
    }
}

/// A part that has nothing to show, which a page says.
fn nothing(id: &str, title: &str, why: &str, detail: Detail) -> Option<Part> {
    (detail == Detail::Full).then(|| Part::new(id, title, vec![Block::text(why)]))
}

/// The same where nothing was measured.
fn unmeasured(id: &str, title: &str, detail: Detail) -> Option<Part> {
    nothing(id, title, wording::NOT_MEASURED, detail)
}
