//! Where the search of [`reach`](super::reach) starts: the instructions of one
//! function that are above the baseline, and the entries of the function that
//! lead to them.

use super::reach::{Doubt, ENTRIES, GATES, Own, Search, Soft, branch};
use iced_x86::{Decoder, DecoderOptions};
use karat_binary::flow::guard::Guarding;
use karat_binary::flow::sweep::{Reference, within};

impl Search<'_> {
    /// Places where a routine is entered: its start, and where others jump into it.
    /// Of more than [`ENTRIES`] the others are missing.
    pub(super) fn entries(&self, routine: u32) -> Vec<u64> {
        let known = &self.program.routines[routine as usize];
        let jumps_in = |(_, at): &Reference| {
            let from = self.program.routine_at(*at);
            from.is_some_and(|from| from != routine && self.is_code(from))
        };
        let mut out = Vec::new();
        for &(start, end) in &known.ranges {
            let mut rest = within(&self.sweep.edges, start, end);
            while let Some(&(address, _)) = rest.first()
                && out.len() <= ENTRIES
            {
                let (same, others) = rest.split_at(rest.partition_point(|(to, _)| *to == address));
                if same.iter().any(jumps_in) {
                    out.push(address);
                }
                rest = others;
            }
        }
        // Assembly that is only ever entered in its middle has no other start.
        if out.is_empty() || !out.contains(&known.start) && self.is_named(known.start) {
            out.push(known.start);
        }
        out
    }

    /// The nodes of a routine that is not looked into, one for each entry.
    pub(super) fn unseen(&mut self, routine: u32, softness: u8) -> Vec<usize> {
        let entries = self.entries(routine);
        let nodes: Vec<usize> = (entries.iter().take(ENTRIES))
            .map(|entry| self.expose(*entry, routine, softness))
            .collect();
        if entries.len() > ENTRIES
            && let Some(&first) = nodes.first()
        {
            self.nodes[first].doubt.get_or_insert(Doubt::Many);
        }
        nodes
    }

    /// Starts at a function above the baseline.
    pub fn start(&mut self, routine: u32) -> Own {
        let mut own = Own::default();
        let offences = self.offences(routine);
        let entries = self.entries(routine);
        let reading = self.reading(routine);
        let Some(reading) = reading.filter(|_| entries.len() <= ENTRIES) else {
            if let Some(&first) = offences.first() {
                let nodes = self.unseen(routine, 0).into_iter();
                own.soft = nodes.map(|node| (node, first, Soft::Large)).collect();
            }
            return own;
        };
        // One instruction for each block.
        let mut blocks: Vec<(u32, u64)> = Vec::new();
        for address in offences {
            if let Some(block) = reading.flow.block_at(address)
                && blocks.last().is_none_or(|(last, _)| *last != block)
            {
                blocks.push((block, address));
            }
        }
        let mut soft = None;
        for entry in entries {
            let Some(first) = reading.flow.block_at(entry) else {
                continue;
            };
            if reading.gates.is_empty() {
                let reached = reading.flow.reach(&[first], |_| false, &[]);
                if let Some((_, at)) = blocks.iter().find(|(block, _)| reached.has(*block)) {
                    let node = self.expose(entry, routine, 0);
                    own.open.push((node, *at));
                }
                continue;
            }
            for &(block, at) in &blocks {
                match reading.guarding(first, block) {
                    Guarding::Open => {
                        let node = self.expose(entry, routine, 0);
                        own.open.push((node, at));
                        break;
                    }
                    Guarding::Guarded(gate) => own.guards.push(branch(routine, &gate)),
                    Guarding::Perhaps(gate) => {
                        soft.get_or_insert((entry, at, Soft::Flag(gate.at)));
                    }
                    Guarding::Unclear => {
                        soft.get_or_insert((entry, at, Soft::Large));
                    }
                    Guarding::Unreached => {}
                }
                if own.guards.len() > 256 {
                    own.guards.truncate(GATES);
                }
            }
        }
        own.guards.truncate(GATES);
        if own.open.is_empty() {
            let first = blocks.first().map(|(_, at)| *at).unwrap_or_default();
            let start = self.program.routines[routine as usize].start;
            // A handler belongs to the code that it handles.
            let unclear = own
                .guards
                .is_empty()
                .then_some((start, first, Soft::Unclear));
            if let Some((entry, at, why)) = soft.or(unclear) {
                let node = self.expose(entry, routine, 0);
                own.soft.push((node, at, why));
            }
        }
        own
    }

    /// Addresses of a routine's instructions above the baseline.
    fn offences(&self, routine: u32) -> Vec<u64> {
        let mut out = Vec::new();
        for &(start, end) in &self.program.routines[routine as usize].ranges {
            let bytes = self.program.bytes(start, end).unwrap_or_default();
            let decoder = Decoder::with_ip(64, bytes, start, DecoderOptions::NONE);
            for instruction in decoder {
                if self.classes.of(instruction.code()).above != 0 {
                    out.push(instruction.ip());
                }
            }
        }
        out
    }
}
