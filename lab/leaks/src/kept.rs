//! Gates that go by a word of flags in a member of a structure that is not followed, at the
//! distance at which the file stores such a word: what is asked of it may be asked of the CPU.
//!
//! Embree's devices keep the word that `getCPUFeatures` makes, or another one that a text of the
//! user's asks for, and kernels are taken where all bits of an instruction set are in it. That the
//! member is that one is a guess, so confidence is low, and a question that does not imply what
//! is needed says nothing.

use super::judge::{Place, Step, nearest};
use super::pointers::{Given, Tells};
use super::reach::{Found, Search, Way};
use iced_x86::OpKind;
use karat_binary::numbers::NumberMap;
use karat_flow::facts::members::distance;
use karat_flow::facts::routine::Told;
use karat_flow::facts::{Facts, Kept, translate};
use karat_flow::program::Program;
use karat_flow::state::Source;
use karat_model::leaks::{Certainty, GateKind};
use std::rc::Rc;

/// Instructions of a routine that is looked into, at most.
const LARGE: u32 = 20_000;

/// What a routine that reads such a member does.
#[derive(Clone)]
pub(super) struct Keeping {
    told: Rc<Told>,
    /// Of the first that it reads.
    distance: u64,
}

/// Members with words, and by routine what it does, if it reads one.
pub(super) struct Keepers {
    kept: Vec<Kept>,
    routines: NumberMap<u32, Option<Keeping>>,
}

impl Search<'_> {
    /// What is known of a routine where the members that it reads hold words of flags.
    fn keeping(&mut self, routine: u32) -> Option<Keeping> {
        let oracle = self.oracle;
        let keepers = self.seen.keepers.get_or_insert_with(|| Keepers {
            kept: oracle.kept(),
            routines: NumberMap::default(),
        });
        if keepers.kept.is_empty() || self.sweep.facts[routine as usize].instructions > LARGE {
            return None;
        }
        if let Some(known) = keepers.routines.get(&routine) {
            return known.clone();
        }
        let distance = read(self.program, routine, &keepers.kept);
        let found = distance.and_then(|distance| {
            let told = oracle.told_keeping(routine, &keepers.kept)?;
            Some(Keeping { told, distance })
        });
        keepers.routines.insert(routine, found.clone());
        found
    }

    /// The same step, or that it is covered, if such a member says so.
    pub(super) fn or_kept(&mut self, step: Step, place: Place, way: Way) -> Step {
        match step {
            Step::Covered(_) | Step::Unreached => step,
            Step::Open(..) | Step::Soft(_) => self.kept(place, way).map_or(step, Step::Covered),
        }
    }

    /// The gate of a place by such a member, if it implies what is needed.
    pub(super) fn kept(&mut self, place: Place, way: Way) -> Option<Found> {
        let start = self.program.routines[place.routine as usize].start;
        if place.entry != start {
            return None;
        }
        let Keeping { told, distance } = self.keeping(place.routine)?;
        let mut facts = match place.to {
            Some(to) => told.leaving(place.at, to),
            None => told.at(place.at),
        };
        if let Some(given) = told.calls.get(&place.at) {
            facts |= translate(way.arguments, given);
        }
        let at = nearest(Some(&told), place.at).unwrap_or(place.at);
        by_member(GateKind::Branch, (place.routine, at), distance, facts, way)
    }

    /// What is known of a pointer, or that such a member says that all is there that is needed.
    pub(super) fn or_kept_pointer(
        &mut self,
        known: Tells,
        node: usize,
        user: u32,
        at: u64,
        ranges: &[(u64, u64)],
    ) -> Tells {
        if matches!(known, Tells::Enough(_) | Tells::Called) {
            return known;
        }
        let Some(Keeping { told, distance }) = self.keeping(user) else {
            return known;
        };
        let given = Given::of(&told, self.nodes[node].address, ranges, at);
        let facts = told.at(at) | given.given.or(given.handed).unwrap_or(Facts::NONE);
        let way = Way::needing(self.nodes[node].need);
        let gate = by_member(GateKind::Pointer, (user, given.place), distance, facts, way);
        gate.map_or(known, Tells::Enough)
    }
}

/// The gate at a place of a routine, if it implies what is needed. Where nothing ever gets by
/// such a word the word is another one.
fn by_member(
    kind: GateKind,
    (routine, at): (u32, u64),
    distance: u64,
    facts: Facts,
    way: Way,
) -> Option<Found> {
    let is_enough = facts != Facts::ALL && way.need.without(facts.together()).is_none();
    is_enough.then(|| Found {
        kind,
        routine,
        at,
        source: Some(Source::Member(distance)),
        features: facts.named_ones(),
        confidence: Certainty::Low,
    })
}

/// The distance of the first such member that a routine reads.
fn read(program: &Program<'_>, routine: u32, kept: &[Kept]) -> Option<u64> {
    for instruction in program.instructions(routine) {
        let mut operands = 0..instruction.op_count();
        if !operands.any(|operand| instruction.op_kind(operand) == OpKind::Memory) {
            continue;
        }
        let size = instruction.memory_size().size();
        let place = distance(&instruction);
        let is_one = |kept: &&Kept| place == Some(kept.distance) && size == usize::from(kept.bytes);
        if let Some(kept) = kept.iter().find(is_one) {
            return Some(kept.distance);
        }
    }
    None
}
