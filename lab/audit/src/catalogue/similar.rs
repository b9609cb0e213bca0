//! When code without a telling name is a catalogued kernel.
//!
//! The limits were set by judgement and then tried on builds of the catalogue's
//! own libraries and on binaries that have none of them; what that gave stands
//! in `lab/audit/catalogue/README.md`.

use super::collect::Piece;
use super::compiled::{Catalogue, Print};
use super::mix::{Mix, may_reach, similarity};
use karat_model::catalogue::Confidence;

/// From here on the code is the same but for a few instructions.
pub(super) const SAME: f64 = 0.97;
/// Instructions that a fingerprint without constants must have to be believed
/// at [`SAME`].
const LONG: u32 = 96;
/// From here on it may be the same source by another compiler, if the
/// constants are there too.
pub(super) const NEAR: f64 = 0.85;
/// Share of the constants that must be there in code of likeness [`NEAR`].
const MOST_CONSTANTS: f64 = 0.75;

/// How a piece compares with a fingerprint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    /// Index into [`Catalogue::prints`].
    pub print: u32,
    pub similarity: f64,
    pub found: u32,
    pub constants: u32,
    pub confidence: Confidence,
}

/// The fingerprint that a piece is like, if it is like one.
pub(super) fn best(catalogue: &Catalogue<'_>, piece: &Piece) -> Option<Match> {
    let mut best: Option<Match> = None;
    for (number, print) in catalogue.prints.iter().enumerate() {
        if !print.tells || !may_reach(NEAR, &piece.mix.width, &print.mix.width) {
            continue;
        }
        let similarity = similarity(&piece.mix, &print.mix);
        if similarity < NEAR {
            continue;
        }
        let (found, constants) = constants(print, piece);
        let Some(confidence) = confidence(print, similarity, found, constants) else {
            continue;
        };
        let candidate = Match {
            print: number as u32,
            similarity,
            found,
            constants,
            confidence,
        };
        let rank = |m: &Match| m.similarity + share(m.found, m.constants);
        if best.is_none_or(|best| rank(&candidate) > rank(&best)) {
            best = Some(candidate);
        }
    }
    best
}

/// Whether a piece with this mix may be like a fingerprint, as [`best`] goes by.
pub(super) fn is_near(catalogue: &Catalogue<'_>, mix: &Mix) -> bool {
    let mut tell = catalogue.prints.iter().filter(|print| print.tells);
    tell.any(|print| {
        may_reach(NEAR, &mix.width, &print.mix.width) && similarity(mix, &print.mix) >= NEAR
    })
}

/// Likeness to the nearest build of one kernel, and which that is.
pub(super) fn nearest<'c>(
    catalogue: &Catalogue<'c>,
    kernel: u32,
    piece: &Piece,
) -> Option<(f64, &'c str)> {
    let prints = catalogue.prints.iter().filter(|p| p.kernel == kernel);
    prints
        .map(|p| (similarity(&piece.mix, &p.mix), p.of))
        .max_by(|a, b| a.0.total_cmp(&b.0))
}

/// Constants of a fingerprint that a piece has, and how many there are.
fn constants(print: &Print<'_>, piece: &Piece) -> (u32, u32) {
    let loads = print.loads.iter().filter(|l| piece.loads.contains(l));
    let numbers = (print.immediates.iter()).filter(|i| piece.immediates.contains(i));
    let found = loads.count() + numbers.count();
    let all = print.loads.len() + print.immediates.len();
    (found as u32, all as u32)
}

fn share(found: u32, constants: u32) -> f64 {
    f64::from(found) / f64::from(constants.max(1))
}

fn confidence(
    print: &Print<'_>,
    similarity: f64,
    found: u32,
    constants: u32,
) -> Option<Confidence> {
    let share = share(found, constants);
    let backed = match constants {
        0 => print.mix.instructions >= LONG,
        _ => share >= 0.5,
    };
    if similarity >= SAME && backed {
        return Some(Confidence::Certain);
    }
    (similarity >= NEAR && constants >= 2 && share >= MOST_CONSTANTS).then_some(Confidence::Likely)
}
