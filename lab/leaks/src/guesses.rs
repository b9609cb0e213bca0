//! Gates by what a name says, and by a guess: where a routine asks or picks, and how is not known.

use super::reach::{Found, Search};
use karat_flow::facts::Facts;
use karat_flow::guard::Guarding;
use karat_flow::reading::Reading;
use karat_flow::state::Source;
use karat_model::leaks::{Certainty, GateKind};

impl Search<'_> {
    /// The gate at a place of a routine of which a user says that it asks before it calls
    /// code or hands it out, where that implies what is needed.
    pub(super) fn vouched(&self, routine: u32, at: u64, need: Facts) -> Option<Found> {
        let facts = self.oracle.vouches(routine)?;
        need.without(facts.together()).is_none().then(|| Found {
            kind: GateKind::Pointer,
            routine,
            at,
            source: Some(Source::Call(routine)),
            features: facts.named_ones(),
            confidence: Certainty::Medium,
        })
    }

    /// The gate of a use of a routine that runs only where something is there, by a part of its
    /// name, or in one that is vouched for. A name alone is a weak word: nobody was seen to ask.
    pub(super) fn named(&self, used: u32, user: u32, at: u64, need: Facts) -> Option<Found> {
        let own = self.oracle.part(used);
        let own = own.filter(|facts| need.without(facts.together()).is_none());
        match own {
            Some(facts) => Some(Found {
                kind: GateKind::Pointer,
                routine: user,
                at,
                source: Some(Source::Call(used)),
                features: facts.named_ones(),
                confidence: Certainty::Low,
            }),
            None => self.vouched(user, at, need),
        }
    }

    /// Whether the place is behind a gate, or in a routine that chooses; or, where
    /// not `is_seen` what it does, in one that asks or is near one. What such a gate
    /// asks for is not known.
    pub(super) fn is_chosen(&mut self, node: usize, user: u32, at: u64, is_seen: bool) -> bool {
        let found = |kind, at, source| Found {
            kind,
            routine: user,
            at,
            source,
            features: Facts::NONE,
            confidence: Certainty::Low,
        };
        if self.is_resolver(user) {
            self.add_gate(node, found(GateKind::Ifunc, at, None));
            return true;
        }
        if self.is_passed(user) {
            return false;
        }
        let Some(reading) = self.reading(user) else {
            return false;
        };
        if !self.may_imply(user, &reading, self.nodes[node].need) {
            return false;
        }
        if let Some(Guarding::Guarded(gate)) = from_start(&reading, at) {
            self.add_gate(node, found(GateKind::Pointer, gate.at, Some(gate.source)));
            return true;
        }
        // A call through a variable that never holds it chooses something else.
        let is_it = |source: &Source| match source {
            Source::Cell(variable) => self.oracle.may_hold(*variable, self.nodes[node].address),
            _ => true,
        };
        if let Some((at, source)) = reading.chooses.filter(|(_, source)| is_it(source)) {
            self.add_gate(node, found(GateKind::Pointer, at, Some(source)));
            return true;
        }
        if is_seen {
            return false;
        }
        if let Some(gate) = reading.gates.iter().find(|gate| gate.is_strong()) {
            self.add_gate(node, found(GateKind::Pointer, gate.at, Some(gate.source)));
            return true;
        }
        if let Some(&asker) = self.detection.near.get(&user) {
            let source = Some(Source::Call(asker));
            self.add_gate(node, found(GateKind::Pointer, at, source));
            return true;
        }
        false
    }

    /// Whether what a routine asks for may imply what is needed: where all of its questions are
    /// understood, and no answers to them do, what it picks is not picked by that.
    fn may_imply(&self, user: u32, reading: &Reading, need: Facts) -> bool {
        let Some(told) = self.told(user, reading) else {
            return true;
        };
        let is_open = |at: u64| !told.is_decoded(at) && !told.is_followed(at);
        // A call through a variable, and whether it was filled before, go by what fills it.
        let (through, chooses) = match reading.chooses {
            Some((at, source)) if told.reached.contains_key(&at) => (Some(source), None),
            chooses => (None, chooses),
        };
        let gates = reading.gates.iter().filter(|gate| gate.is_strong());
        let mut gates = gates.filter(|gate| Some(gate.source) != through);
        if gates.any(|gate| is_open(gate.at)) || chooses.is_some_and(|(at, _)| is_open(at)) {
            return true;
        }
        let sides = told.branches.values().flat_map(|(yes, no)| [*yes, *no]);
        let known = sides.filter(|facts| *facts != Facts::ALL && !facts.is_opaque());
        let all = known.fold(Facts::NONE, |all, one| all | one.features());
        !all.has_extension() || need.without(all.together()).is_none()
    }

    /// Whether a place is behind a branch on an answer that an argument only takes bits from, and
    /// which feature such a bit asks for is not known: the environment may set the answer, as
    /// that of SVT-AV1. What callers give decides nothing then.
    pub(super) fn is_masked(&mut self, node: usize, user: u32, at: u64) -> bool {
        let Some(reading) = self.reading(user) else {
            return false;
        };
        let Some(told) = self.told(user, &reading) else {
            return false;
        };
        let (by, source) = match from_start(&reading, at) {
            Some(Guarding::Guarded(gate)) if gate.is_strong() => (gate.at, gate.source),
            _ => match reading.chooses {
                Some(chosen) => chosen,
                None => return false,
            },
        };
        let says = |facts: &Facts| facts.features().says();
        let sides = told.branches.get(by);
        if sides.is_none_or(|(yes, no)| says(yes) || says(no)) {
            return false;
        }
        self.add_gate(
            node,
            Found {
                kind: GateKind::Pointer,
                routine: user,
                at: by,
                source: Some(source),
                features: Facts::NONE,
                confidence: Certainty::Low,
            },
        );
        true
    }
}

/// How a place stands to the gates of its routine, if the start leads there by jumps that are
/// understood: not to handlers of exceptions, nor to code of another entry.
fn from_start(reading: &Reading, at: u64) -> Option<Guarding> {
    let block = reading.flow.block_at(at)?;
    let is_reached = reading.reached(0, block);
    is_reached.then(|| reading.guarding(0, block))
}
