//! One function above the baseline in the words of the model: its state, the way there,
//! its gates, or what is not known.

use super::certain::{Handlers, perhaps_tried};
use super::for_callers::ForCallers;
use super::offence::offence;
use super::reach::{Doubt, Found, Own, Search, Soft};
use super::verdicts::Verdicts;
use karat_binary::numbers::NumberSet;
use karat_flow::classes::Classes;
use karat_flow::distances;
use karat_flow::facts::Facts;
use karat_flow::program::{Entry, Program, Word};
use karat_flow::state::Source;
use karat_flow::sweep::Sweep;
use karat_model::leaks::{AboveBaseline, Certainty, GateKind, GuardedBy, Reach, Step};
use std::cell::OnceCell;
use std::collections::HashMap;

/// Steps of a path that are shown: the first and the last.
const PATH: usize = 12;

/// Puts what was found of functions into words.
pub(super) struct Writer<'p> {
    pub program: &'p Program<'p>,
    pub classes: &'p Classes,
    pub sweep: &'p Sweep,
    pub search: Search<'p>,
    pub verdicts: Verdicts,
    /// By address where a function is entered: what its own instructions need.
    pub needs: HashMap<u64, Facts>,
    /// By such an address: the nodes by which the function is judged.
    pub origins: HashMap<u64, Vec<u32>>,
    /// What only exported functions lead to that need as much: asked for at most once.
    pub for_callers: OnceCell<ForCallers>,
    /// The file asks the CPU: a way on which no gate was seen may hang on an answer.
    pub asks: bool,
    pub handlers: Handlers,
    /// Whether functions that are exported are above the baseline: asked at most once.
    pub exports_above: OnceCell<bool>,
    /// Functions that tables of distances name: asked for at most once.
    pub distances: OnceCell<NumberSet<u64>>,
}

impl Writer<'_> {
    /// The state of a function above the baseline.
    pub fn function(&mut self, routine: u32, own: &Own) -> AboveBaseline {
        let facts = &self.sweep.facts[routine as usize];
        let above = self.search.above(routine);
        let sets = above.sets.into_iter();
        let mut extensions: Vec<String> = sets.flat_map(|set| self.classes.missing(set)).collect();
        extensions.sort();
        extensions.dedup();
        let is_passed = self.search.is_passed(routine);
        let reading = (!is_passed).then(|| self.search.reading(routine)).flatten();
        let asks = facts.asks || reading.is_some_and(|reading| reading.asks());
        let mut out = AboveBaseline {
            function: self.program.name(routine),
            address: self.program.routines[routine as usize].start,
            instructions: u64::from(above.count),
            extensions,
            first: offence(self.program, self.classes, above.first),
            reach: Reach::Guarded,
            lacks: Vec::new(),
            is_dispatcher: asks,
            confidence: Certainty::High,
            path: Vec::new(),
            gates: Vec::new(),
            reason: String::new(),
            obstacle: String::new(),
        };
        // A way without any gate says more than one with a gate that is not enough.
        let leaks = || {
            own.open
                .iter()
                .filter(|(node, ..)| self.verdicts.leak[*node].is_some())
        };
        let short = |node: usize, asked: &Option<Found>| asked.or(self.verdicts.short[node]);
        let leak = leaks().find(|(node, _, asked)| short(*node, asked).is_none());
        if let Some(&(node, at, asked)) = leak.or_else(|| leaks().next()) {
            out.reach = Reach::Leak;
            out.first = offence(self.program, self.classes, at);
            out.path = self.path(node, at);
            if self.verdicts.doubtful[node] || self.is_for_callers(node) || self.is_module(node) {
                out.confidence = Certainty::Medium;
            }
            if let Some(gate) = short(node, &asked) {
                self.short(&mut out, node, &gate);
                // A library's function may be there for callers who asked for the rest.
                let is_for_others = self.is_exported(node) && !self.asks_for_part(node, &gate);
                if is_for_others || self.catches() {
                    out.confidence = out.confidence.min(Certainty::Medium);
                }
            } else if self.may_be_caught(node) || self.catches_on(node) {
                return perhaps_tried(out);
            } else if self.asks && !self.is_inevitable(node, at) {
                out.confidence = out.confidence.min(Certainty::Medium);
            }
            return out;
        }
        // What runs before a gate of the same function needs as much: the gate is another's,
        // as Microsoft's compiler asks for AVX2 in loops of functions that are for AVX-512.
        let is_before = own.open.iter().any(|(_, _, asked)| asked.is_none());
        let half = own.open.iter().find_map(|(node, at, asked)| {
            if is_before && asked.is_some_and(|gate| gate.routine == routine) {
                return None;
            }
            let is_known = self.verdicts.unknown[*node].is_some() && !self.is_idle(*node);
            // Of a way that is not seen from an entry, a gate that implies nothing tells nothing.
            let gate = short(*node, asked).filter(|gate| is_known && gate.features.says())?;
            self.is_refuted(*node, &gate).then_some((*node, *at, gate))
        });
        if let Some((node, at, gate)) = half {
            out.first = offence(self.program, self.classes, at);
            self.short(&mut out, node, &gate);
            out.confidence = out.confidence.min(Certainty::Medium);
            return out;
        }
        if let Some(&(_, at, _)) = own
            .open
            .iter()
            .find(|(node, ..)| self.verdicts.exported[*node])
        {
            out.reach = Reach::Exported;
            out.first = offence(self.program, self.classes, at);
            out.reason = "exported by name: to ask the CPU is the caller's duty".into();
            return out;
        }
        if let Some(&(_, at, _)) = own
            .open
            .iter()
            .find(|(node, ..)| self.verdicts.named[*node])
        {
            out.reach = Reach::Exported;
            out.confidence = Certainty::Medium;
            out.first = offence(self.program, self.classes, at);
            out.reason = "reached from an exported function that is there for CPUs which have what \
                          is needed, as its name or all of its ways say: to ask is the caller's duty"
                .into();
            return out;
        }
        out.gates = self.gates(own);
        let unknown = own
            .open
            .iter()
            .filter(|(node, ..)| !self.is_idle(*node))
            .find_map(|(node, ..)| self.verdicts.unknown[*node])
            .map(|(end, soft)| self.reason(end, soft))
            .or_else(|| own.soft.iter().find_map(|soft| self.soft_reason(*soft)));
        let open = own.open.iter().map(|(node, ..)| *node);
        let idle = (open.chain(own.soft.iter().map(|(node, ..)| *node)))
            .filter(|node| self.is_idle(*node))
            .find_map(|node| self.verdicts.unknown[node]);
        if let (None, Some((end, _)), true) = (&unknown, idle, out.gates.is_empty()) {
            out.reach = Reach::Unreferenced;
            // A symbol bounds a function better than the unwind table does.
            let is_named = !self.program.routines[routine as usize].names.is_empty();
            out.confidence = if is_named {
                Certainty::Medium
            } else {
                Certainty::Low
            };
            out.reason = self.reason(end, None).0;
            let begin = self.search.nodes[end].address;
            let distances = || distances::named(self.program, self.sweep);
            if self.distances.get_or_init(distances).contains(&begin) {
                out.reach = Reach::Unknown;
                out.confidence = Certainty::Low;
                out.reason = "a table has its distance, and no code is seen to call by it".into();
                out.obstacle = "tables of distances".into();
            }
        } else if unknown.is_some() && self.saves_for_callers(routine, own) {
            out.reach = Reach::Exported;
            out.confidence = Certainty::Medium;
            out.reason = "it saves wide registers for those who call it by functions that are \
                          exported: to ask the CPU is the caller's duty"
                .into();
            out.gates.clear();
        } else if unknown.is_some() && self.is_for_others_alone(own) {
            out.reach = Reach::Exported;
            out.confidence = Certainty::Medium;
            out.reason = "exported, and nothing in the file refers to it: to ask the CPU is the \
                          caller's duty"
                .into();
        } else if unknown.is_some() && self.is_for_callers_alone(own) {
            out.reach = Reach::Exported;
            out.confidence = Certainty::Medium;
            out.reason = "only exported functions lead to it which need as much: to ask the CPU \
                          is their callers' duty"
                .into();
            out.gates.clear();
        } else if unknown.is_some() || out.gates.is_empty() {
            out.reach = Reach::Unknown;
            out.confidence = Certainty::Low;
            let only = || ("only reached from itself".into(), "a loop of calls".into());
            (out.reason, out.obstacle) = unknown.unwrap_or_else(only);
        } else if let Some(gate) = self.disproved(own) {
            let end = Doubt::Open(gate.routine);
            out.reach = Reach::Unknown;
            out.confidence = Certainty::Low;
            (out.reason, out.obstacle) = self.doubt(end, "");
        } else {
            let sure = out.gates.iter().map(|gate| gate.confidence).min();
            out.confidence = sure.unwrap_or(Certainty::Low);
        }
        out
    }

    /// Whether the way to a node begins where an interpreter loads the file: what is written for
    /// that may have asked.
    fn is_module(&self, node: usize) -> bool {
        self.search.nodes[self.begin(node)].entry == Some(Entry::Module)
    }

    /// Whether the way to a node begins at a function that is exported.
    pub(super) fn is_exported(&self, node: usize) -> bool {
        let entry = self.search.nodes[self.begin(node)].entry;
        entry.is_some_and(Entry::is_exported)
    }

    /// Where the way to a node begins.
    pub(super) fn begin(&self, node: usize) -> usize {
        let leak = &self.verdicts.leak;
        let mut node = node;
        while let Some((up, _)) = leak[node]
            && up != node
        {
            node = up;
        }
        node
    }

    /// Whether all ways to a node begin where nothing leads.
    pub(super) fn is_idle(&self, node: usize) -> bool {
        self.verdicts.unknown[node]
            .is_some_and(|(end, _)| self.search.nodes[end].doubt == Some(Doubt::Unreferenced))
    }

    pub(super) fn gate(&self, gate: &Found) -> GuardedBy {
        GuardedBy {
            kind: gate.kind,
            function: self.program.name(gate.routine),
            address: gate.at,
            asks: match (gate.source, gate.kind) {
                (Some(source), _) => self.source(source),
                (None, GateKind::Ifunc) => "the resolver".into(),
                (None, GateKind::Pointer) => "what the pointer goes by".into(),
                (None, GateKind::Branch) => "a call before it, or a value it was given".into(),
            },
            features: gate.features.names(),
            confidence: gate.confidence,
        }
    }

    /// Why instructions of a function are in doubt although its own branches may
    /// guard them; none when what calls it is guarded.
    fn soft_reason(&self, (node, at, soft): (usize, u64, Soft)) -> Option<(String, String)> {
        let verdicts = &self.verdicts;
        let reached = verdicts.leak[node].is_some()
            || verdicts.exported[node]
            || verdicts.unknown[node].is_some() && !self.is_idle(node);
        let routine = self.program.name(self.search.nodes[node].routine);
        reached.then(|| match soft {
            Soft::Flag(branch) => (
                format!("{at:#x} is only behind the branch at {branch:#x}, which may be on a flag"),
                format!("the branch at {branch:#x} in {routine}"),
            ),
            Soft::Gate(branch, source) => {
                let source = self.source(source);
                (
                    format!(
                        "{at:#x} is behind the branch at {branch:#x} on {source}; which feature \
                         that asks for is not known"
                    ),
                    source,
                )
            }
            Soft::Large => (
                "the function is too large or tangled to be looked into".into(),
                routine,
            ),
            Soft::Pointer | Soft::Called | Soft::Unclear | Soft::Argument => (
                format!("{at:#x} is in code that no jump in the function leads to"),
                format!("the jumps in {routine}"),
            ),
        })
    }

    /// The calls from an entry to the offending instruction.
    fn path(&self, node: usize, at: u64) -> Vec<Step> {
        let mut steps = vec![self.step(node, at)];
        let mut node = node;
        while let Some((up, at)) = self.verdicts.leak[node]
            && up != node
        {
            steps.push(self.step(up, at));
            node = up;
        }
        if steps.len() > PATH {
            steps.drain(PATH / 2..steps.len() - PATH / 2);
        }
        steps.reverse();
        steps
    }

    fn step(&self, node: usize, at: u64) -> Step {
        Step {
            function: self.program.name(self.search.nodes[node].routine),
            address: at,
            location: None,
        }
    }

    /// Some gates on the ways to a function, with the least certain of all.
    fn gates(&self, own: &Own) -> Vec<GuardedBy> {
        let nodes = &self.search.nodes;
        let worst = own
            .nodes()
            .filter_map(|node| self.verdicts.worst(nodes, node));
        let worst = worst.chain(&own.guards).min_by_key(|gate| gate.confidence);
        let worst = worst.map(|gate| self.gate(gate));
        let mut found: Vec<Found> = own.guards.clone();
        let mut seen: HashMap<usize, ()> = HashMap::new();
        let soft = own.soft.iter().map(|(node, ..)| *node);
        let mut open: Vec<usize> = own
            .open
            .iter()
            .map(|(node, ..)| *node)
            .chain(soft)
            .collect();
        while let Some(node) = open.pop() {
            if found.len() >= 4 || seen.len() > 200 || seen.insert(node, ()).is_some() {
                continue;
            }
            let node = &self.search.nodes[node];
            found.extend(&node.gates);
            open.extend(node.up.iter().map(|(up, ..)| *up));
        }
        let mut gates: Vec<GuardedBy> = Vec::new();
        for gate in found {
            let gate = self.gate(&gate);
            if !gates.contains(&gate) && gates.len() < 4 {
                gates.push(gate);
            }
        }
        if let Some(worst) = worst
            && gates.iter().all(|gate| worst.confidence < gate.confidence)
        {
            gates.truncate(3);
            gates.push(worst);
        }
        gates
    }

    pub(super) fn source(&self, source: Source) -> String {
        match source {
            Source::Cpu => "cpuid".into(),
            Source::Cell(at) | Source::Import(at) => match self.program.words.get(at) {
                Some(Word::Import(name)) => (*name).to_string(),
                _ if self.program.is_code(at) => "an imported function".into(),
                _ => self.program.variable_or_address(at),
            },
            Source::Call(routine) => self.program.name(routine),
            Source::Picked(at) => match self.program.routine_at(at) {
                Some(routine) => self.program.name(routine),
                None => self.program.variable_or_address(at),
            },
            Source::Member(distance) => {
                format!("a member at +{distance:#x}, where the file keeps what CPUID tells")
            }
            Source::Flag => "what may be a flag".into(),
        }
    }

    /// Why the state of what a node leads to is not known, and what stands in the way.
    fn reason(&self, end: usize, soft: Option<(u64, Soft)>) -> (String, String) {
        let name = |at: u64| match self.program.routine_at(at) {
            Some(routine) => self.program.name(routine),
            None => "code without a name".into(),
        };
        if let Some((place, soft)) = soft {
            let user = name(place);
            let at = format!("{user} ({place:#x})");
            return match soft {
                Soft::Pointer | Soft::Called => (
                    format!("called through a pointer that {at} takes"),
                    format!("the pointers that {user} takes"),
                ),
                Soft::Flag(branch) => (
                    format!(
                        "called in {at}, only behind the branch at {branch:#x}, which may be on a \
                         flag"
                    ),
                    format!("the branch at {branch:#x} in {user}"),
                ),
                Soft::Gate(branch, source) => {
                    let source = self.source(source);
                    (
                        format!(
                            "called in {at}, behind the branch at {branch:#x} on {source}; which \
                             feature that asks for is not known"
                        ),
                        source,
                    )
                }
                Soft::Argument => (
                    format!("it goes by an argument, and what the call in {at} gives is not known"),
                    format!("an argument in {user}"),
                ),
                Soft::Large => (
                    format!("called in {at}, which is too large or tangled to be looked into"),
                    user,
                ),
                Soft::Unclear => (
                    format!("the jumps around the call in {at} are not understood"),
                    format!("the jumps in {user}"),
                ),
            };
        }
        let node = &self.search.nodes[end];
        let name = match self.program.routines[node.routine as usize].start {
            start if start == node.address => self.program.name(node.routine),
            start => format!(
                "{}+{:#x}",
                self.program.name(node.routine),
                node.address - start
            ),
        };
        match node.doubt {
            Some(doubt) => self.doubt(doubt, &name),
            None => (format!("{name} is an entry"), name),
        }
    }

    /// What a doubt is, of what has a name.
    fn doubt(&self, doubt: Doubt, name: &str) -> (String, String) {
        match doubt {
            Doubt::Unreferenced => (
                format!("nothing in the file refers to {name}"),
                "no reference in the file".into(),
            ),
            Doubt::Table(place) => {
                let table = self.program.variable_or_address(place);
                (
                    format!("{name} is in a table at {place:#x} that no code is seen to call from"),
                    format!("the table {table}"),
                )
            }
            Doubt::Many => (
                format!("{name} is used at so many places that not all were looked at"),
                name.to_string(),
            ),
            Doubt::Stretch(user) => {
                let user = self.program.name(user);
                (
                    format!("used in {user}, a long stretch of code that may be many functions"),
                    format!("the code without functions at {user}"),
                )
            }
            Doubt::Open(user) => {
                let user = self.program.name(user);
                (
                    format!(
                        "taken in {user} behind a gate that is not enough, where a value that \
                         was not followed decides too"
                    ),
                    format!("what else {user} goes by"),
                )
            }
            Doubt::Far => (
                "the search went too far from the function".into(),
                "the limit of the search".into(),
            ),
            Doubt::Exported => (
                format!("{name} is exported, and nothing in the file refers to it"),
                "exports of a program, or of Rust".into(),
            ),
        }
    }
}
