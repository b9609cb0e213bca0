//! What was found, in the types of the model.

use super::collect::Piece;
use super::compiled::Catalogue;
use super::mix::Mix;
use super::similar::{Match, nearest};
use crate::survival::SAME_MIX;
use karat_binary::read::symbols::Symbols;
use karat_model::audit::SurvivalState;
use karat_model::catalogue::{Confidence, KnownEvidence, KnownKernel};
use std::cmp::Reverse;

pub(super) fn by_name(
    catalogue: &Catalogue<'_>,
    symbols: &Symbols<'_>,
    function: u32,
    kernel: u32,
    piece: &Piece,
) -> KnownKernel {
    let nearest = nearest(catalogue, kernel, piece);
    let similarity = nearest.map(|(similarity, _)| similarity);
    let changed = similarity.is_some_and(|s| s < SAME_MIX);
    KnownKernel {
        build: nearest.map(|(_, build)| build.to_string()),
        evidence: KnownEvidence::Name { similarity },
        confidence: match changed {
            true => Confidence::Possible,
            false => Confidence::Certain,
        },
        state: match changed {
            true => SurvivalState::Changed,
            false => SurvivalState::Present,
        },
        ..base(catalogue, symbols, Some(function), kernel, piece)
    }
}

pub(super) fn by_mix(
    catalogue: &Catalogue<'_>,
    symbols: &Symbols<'_>,
    function: Option<u32>,
    found: &Match,
    piece: &Piece,
) -> KnownKernel {
    let print = &catalogue.prints[found.print as usize];
    KnownKernel {
        build: Some(print.of.into()),
        evidence: KnownEvidence::Mix {
            similarity: found.similarity,
            constants_found: found.found,
            constants: found.constants,
        },
        confidence: found.confidence,
        ..base(catalogue, symbols, function, print.kernel, piece)
    }
}

pub(super) fn by_constants(
    catalogue: &Catalogue<'_>,
    symbols: &Symbols<'_>,
    function: Option<u32>,
    kernel: u32,
    names: &[&str],
    piece: &Piece,
) -> KnownKernel {
    let names = names.iter().map(|name| (*name).to_string()).collect();
    KnownKernel {
        evidence: KnownEvidence::Constants { names },
        confidence: Confidence::Possible,
        ..base(catalogue, symbols, function, kernel, piece)
    }
}

fn base(
    catalogue: &Catalogue<'_>,
    symbols: &Symbols<'_>,
    function: Option<u32>,
    kernel: u32,
    piece: &Piece,
) -> KnownKernel {
    let entry = &catalogue.kernels[kernel as usize];
    let Mix {
        width,
        instructions,
        ..
    } = piece.mix;
    KnownKernel {
        library: entry.library.into(),
        kernel: entry.name.into(),
        isa: entry.isa.into(),
        build: None,
        function: function.map(|function| symbols.readable_name(function)),
        address: piece.start,
        bytes: piece.end.saturating_sub(piece.start),
        functions: 1,
        instructions: u64::from(instructions),
        xmm: u64::from(width[1]),
        ymm: u64::from(width[2]),
        zmm: u64::from(width[3]),
        evidence: KnownEvidence::Name { similarity: None },
        confidence: Confidence::Possible,
        state: SurvivalState::Present,
    }
}

/// Takes functions of one kernel that were known by name together: the largest
/// stands for all. The rest stays apart, since each may be another copy.
pub(super) fn merged(found: Vec<KnownKernel>) -> Vec<KnownKernel> {
    let mut out: Vec<KnownKernel> = Vec::new();
    let (mut named, other): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|known| matches!(known.evidence, KnownEvidence::Name { .. }));
    named.sort_by(|a, b| {
        (&a.library, &a.kernel, Reverse(a.instructions), a.address).cmp(&(
            &b.library,
            &b.kernel,
            Reverse(b.instructions),
            b.address,
        ))
    });
    for known in named {
        match out.last_mut() {
            Some(last) if last.library == known.library && last.kernel == known.kernel => {
                absorb(last, known);
            }
            _ => out.push(known),
        }
    }
    out.extend(other);
    sort(&mut out);
    out
}

/// Those with most instructions first.
pub(super) fn sort(known: &mut [KnownKernel]) {
    known.sort_by(|a, b| {
        (Reverse(a.instructions), a.address, &a.kernel).cmp(&(
            Reverse(b.instructions),
            b.address,
            &b.kernel,
        ))
    });
}

/// A kernel is as near to its builds as the nearest of its functions.
fn absorb(into: &mut KnownKernel, more: KnownKernel) {
    into.functions += more.functions;
    into.bytes += more.bytes;
    into.instructions += more.instructions;
    into.xmm += more.xmm;
    into.ymm += more.ymm;
    into.zmm += more.zmm;
    let likeness = |known: &KnownKernel| match known.evidence {
        KnownEvidence::Name { similarity } => similarity,
        _ => None,
    };
    if likeness(&more) > likeness(into) {
        into.evidence = more.evidence;
        into.build = more.build;
        into.confidence = more.confidence;
        into.state = more.state;
    }
}
