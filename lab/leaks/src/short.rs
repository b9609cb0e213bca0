//! Gates that do not imply enough: what is said of what is behind them.

use super::reach::{Doubt, Found, Soft};
use super::writer::Writer;
use karat_model::leaks::{AboveBaseline, Certainty, Reach};

impl Writer<'_> {
    /// Whether a gate on a way that is not seen from an entry shows that another is missing: it
    /// asks for a part of what is lacking, and all questions between are understood. One that
    /// asks for something else may have the other before it, where the way was not seen.
    pub(super) fn is_refuted(&self, node: usize, gate: &Found) -> bool {
        let Some((end, soft)) = self.verdicts.unknown[node] else {
            return false;
        };
        let is_ended = matches!(
            self.search.nodes[end].doubt,
            Some(Doubt::Far | Doubt::Many | Doubt::Stretch(_))
        );
        let is_pointer = |(_, soft)| matches!(soft, Soft::Pointer | Soft::Called);
        self.asks_for_part(node, gate) && !is_ended && soft.is_none_or(is_pointer)
    }

    /// Whether a gate asks for a part of what it does not imply: nobody who knows that all of
    /// it is there would ask for that.
    pub(super) fn asks_for_part(&self, node: usize, gate: &Found) -> bool {
        let asked = gate.features.extensions();
        let lacks = self.search.nodes[node].need.without(gate.features);
        !asked.is_none() && asked.without(lacks).is_none()
    }

    /// The state of a function behind a gate that does not imply enough.
    pub(super) fn short(&self, out: &mut AboveBaseline, node: usize, gate: &Found) {
        out.reach = Reach::Insufficient;
        let need = self.search.nodes[node].need;
        let lacks = need.without(gate.features);
        out.lacks = if lacks.is_none() { need } else { lacks }.names();
        out.gates = vec![self.gate(gate)];
        // A gate that is not read for certain refutes nothing for certain.
        out.confidence = out.confidence.min(gate.confidence);
        let names = gate.features.names();
        // Lengths that Go's runtime takes by what the CPU has are compared with others: that is
        // not followed.
        if let (true, true, Some(source)) =
            (names.is_empty(), self.search.oracle.is_go, gate.source)
        {
            out.reach = Reach::Unknown;
            out.confidence = Certainty::Low;
            out.lacks = Vec::new();
            out.path = Vec::new();
            out.obstacle = self.source(source);
            out.reason = format!(
                "the branch at {:#x} on {} implies nothing that was understood",
                gate.at, out.obstacle
            );
            return;
        }
        let asked = match names.is_empty() {
            true => "nothing that the code needs".into(),
            false => names.join(" and "),
        };
        // It may imply by what is not seen to go by the CPU, as a text that is searched does.
        if names.is_empty() {
            out.confidence = out.confidence.min(Certainty::Medium);
        }
        out.reason = format!(
            "the gate implies {asked}; the code needs {}",
            out.lacks.join(" and ")
        );
    }
}
