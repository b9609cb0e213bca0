//! How one place of a routine stands to the gates before it: does what they ask for
//! imply what the code behind needs?

use super::reach::{Found, Search, Soft, Way};
use karat_flow::facts::Facts;
use karat_flow::facts::routine::Told;
use karat_flow::facts::{is_told, translate};
use karat_flow::guard::{Gate, Guarding};
use karat_flow::reading::Reading;
use karat_model::leaks::{Certainty, GateKind};
use std::rc::Rc;

/// A place that is reached from an entry of its routine.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub routine: u32,
    pub entry: u64,
    pub at: u64,
    /// Of a call, or a jump out of the routine, where it goes.
    pub to: Option<u64>,
}

/// How it stands.
pub(super) enum Step {
    /// The entry does not lead there by jumps that are understood.
    Unreached,
    /// What is needed is there.
    Covered(Found),
    /// It is reached with so much still needed; perhaps over a gate that asks for less.
    Open(Way, Option<Found>),
    /// That is not known.
    Soft(Soft),
}

impl Search<'_> {
    /// How a place stands whose code needs what `way` says.
    pub(super) fn judge(&self, reading: &Reading, place: Place, way: Way) -> Step {
        let start = self.program.routines[place.routine as usize].start;
        // What is known holds from the routine's start.
        let told = (place.entry == start).then(|| self.told(place.routine, reading));
        let known = self.judge_by(told.flatten(), reading, place, way);
        let is_clear = !matches!(
            known,
            Step::Open(..) | Step::Soft(Soft::Flag(_) | Soft::Gate(..))
        );
        // Who jumps there may have asked, and has the answer in a register.
        let told = match is_clear {
            true => None,
            false => self.told_jumped(reading, place),
        };
        match told.map(|told| self.judge_by(Some(told), reading, place, way)) {
            None | Some(Step::Soft(_) | Step::Unreached) => {}
            Some(better) => return better,
        }
        // What is asked from there on holds whoever jumps there. What is not says nothing: it may
        // have been asked before.
        let is_inside = !is_clear && place.entry != start && leads(reading, place);
        let told = is_inside.then(|| self.oracle.told_inside(place.routine, place.entry));
        let inside = told.flatten();
        match inside.map(|told| self.judge_by(Some(told), reading, place, way)) {
            Some(Step::Covered(gate)) => Step::Covered(gate),
            _ => known,
        }
    }

    /// What is known of a routine that is entered by jumps alone, where jumps lead to a place.
    fn told_jumped(&self, reading: &Reading, place: Place) -> Option<Rc<Told>> {
        leads(reading, place).then(|| self.oracle.told_from(place.routine, place.entry))?
    }

    /// The same by what is known of the routine from where it is entered.
    fn judge_by(&self, told: Option<Rc<Told>>, reading: &Reading, place: Place, way: Way) -> Step {
        let Place {
            routine,
            entry,
            at,
            to,
        } = place;
        let mut facts = match (&told, to) {
            (Some(told), Some(to)) => told.leaving(at, to),
            (Some(told), None) => told.at(at),
            (None, _) => Facts::NONE,
        };
        let given = match &told {
            _ if way.arguments.is_none() => None,
            Some(told) => told.calls.get(&at).cloned(),
            None => self
                .oracle
                .told(routine)
                .and_then(|told| told.calls.get(&at).cloned()),
        };
        let is_given = is_told(way.arguments, given.as_deref());
        if let Some(given) = &given {
            facts |= translate(way.arguments, given);
        }
        let (Some(first), Some(block)) = (reading.flow.block_at(entry), reading.flow.block_at(at))
        else {
            return Step::Unreached;
        };
        if facts == Facts::ALL {
            // The call gives what never leads there.
            return match way.arguments.is_none() {
                true => Step::Unreached,
                false => Step::Covered(self.covered(reading, told.as_deref(), place, facts, way)),
            };
        }
        // It is tried, and dying of it is caught.
        if let Some(catch) = told.as_ref().and_then(|told| told.catches)
            && let Some(before) = reading.flow.block_at(catch)
            && (before == block && catch < at
                || !reading
                    .flow
                    .reach(&[first], |it| it == before, &[])
                    .has(block))
        {
            return Step::Covered(Found {
                kind: GateKind::Branch,
                routine,
                at: catch,
                source: None,
                features: Facts::NONE,
                confidence: Certainty::Medium,
            });
        }
        if way.need.without(facts.together()).is_none() {
            return Step::Covered(self.covered(reading, told.as_deref(), place, facts, way));
        }
        let open = |asked: Option<Found>| {
            let need = way.need.without(facts);
            Step::Open(
                Way {
                    need,
                    arguments: facts.of_arguments(),
                },
                asked,
            )
        };
        let short = || Found {
            kind: GateKind::Branch,
            routine,
            at: nearest(told.as_deref(), at).unwrap_or(at),
            source: None,
            features: facts.features(),
            // A question that is read in part is not refuted.
            confidence: match (facts.is_opaque(), facts.is_vague() || facts.is_member()) {
                (true, _) => Certainty::Low,
                (_, true) => Certainty::Medium,
                _ => Certainty::High,
            },
        };
        // What is not known to be told by a bit may be had only where all that is needed is.
        if facts.is_vague() || facts.is_by_model() {
            let gate = reading.gates.iter().find(|gate| gate.is_strong());
            if let Some(gate) = gate {
                return Step::Soft(Soft::Gate(gate.at, gate.source));
            }
        }
        let is_asked = facts.features().says() || facts.is_member();
        let asked = is_asked.then(short);
        // It may be a jump behind which the routine is entered.
        if !reading.reached(first, block) {
            return Step::Unreached;
        }
        // A conditional jump out of the routine is a gate itself.
        let own = reading
            .gates
            .iter()
            .find(|gate| to.is_some() && gate.at == at);
        let gates: Vec<Gate> = match own {
            Some(gate) => vec![*gate],
            None => match reading.guarding(first, block) {
                Guarding::Unclear => return Step::Soft(Soft::Large),
                Guarding::Open if !is_given => return Step::Soft(Soft::Argument),
                Guarding::Open if facts.is_opaque() => return Step::Soft(Soft::Unclear),
                Guarding::Open => return open(asked),
                Guarding::Guarded(_) | Guarding::Perhaps(_) => reading.deciding(block),
            },
        };
        if facts.is_opaque() {
            let gate = gates.iter().find(|gate| gate.is_strong()).or(gates.first());
            if let Some(gate) = gate {
                return Step::Soft(Soft::Gate(gate.at, gate.source));
            }
        }
        // That a leaf is there decides nothing by itself.
        let is_leaf = |gate: &Gate| told.as_ref().is_some_and(|told| told.is_leaf(gate.at));
        if let Some(gate) = gates.first()
            && gates.iter().all(is_leaf)
        {
            return Step::Soft(Soft::Gate(gate.at, gate.source));
        }
        let is_followed =
            |gate: &&Gate| (told.as_ref()).is_some_and(|told| told.is_followed(gate.at));
        let is_only_followed = |gate: &Gate| {
            is_followed(&gate) && !told.as_ref().is_some_and(|told| told.is_decoded(gate.at))
        };
        let is_decoded = |gate: &&Gate| {
            is_leaf(gate)
                || is_followed(gate)
                || told.as_ref().is_some_and(|told| told.is_decoded(gate.at))
        };
        let is_open = |gate: &&Gate| !is_decoded(gate);
        let strong = gates.iter().filter(is_open).find(|gate| gate.is_strong());
        let weak = gates.iter().find(is_open);
        match (strong, weak) {
            (Some(gate), _) => Step::Soft(Soft::Gate(gate.at, gate.source)),
            (_, Some(gate)) => Step::Soft(Soft::Flag(gate.at)),
            _ if !is_given => Step::Soft(Soft::Argument),
            _ => {
                let gate = gates.iter().find(|gate| gate.is_strong());
                let asked = gate.map(|gate| Found {
                    at: gate.at,
                    source: Some(gate.source),
                    // That a question implies nothing is as good as that all was seen which
                    // its values come from.
                    confidence: match is_only_followed(gate) {
                        true => short().confidence.min(Certainty::Medium),
                        false => short().confidence,
                    },
                    ..short()
                });
                open(asked.or_else(|| is_asked.then(short)))
            }
        }
    }

    /// The gate that covers a place.
    fn covered(
        &self,
        reading: &Reading,
        told: Option<&Told>,
        place: Place,
        facts: Facts,
        way: Way,
    ) -> Found {
        let near = nearest(told, place.at).unwrap_or(place.at);
        let gate = reading.gates.iter().find(|gate| gate.at == near);
        Found {
            kind: GateKind::Branch,
            routine: place.routine,
            at: near,
            source: gate.map(|gate| gate.source),
            features: facts.named_ones(),
            // Not by any architecture, but by all CPUs that are sold.
            confidence: match way.need.without(facts).is_none() && !facts.is_member() {
                true => Certainty::High,
                false => Certainty::Medium,
            },
        }
    }
}

/// Whether jumps lead to a place from where its routine is entered.
fn leads(reading: &Reading, place: Place) -> bool {
    let block = |at| reading.flow.block_at(at);
    let both = block(place.entry).zip(block(place.at));
    both.is_some_and(|(first, block)| reading.reached(first, block))
}

/// The nearest branch that tells something, before a place if there is one.
pub(super) fn nearest(told: Option<&Told>, at: u64) -> Option<u64> {
    let told = told?;
    let says = |branch: &&u64| told.is_decoded(**branch);
    let (before, behind) = told.branches.around(at);
    let before = before.iter().rev().find(says);
    before.or_else(|| behind.iter().find(says)).copied()
}
