//! The states of all functions above the baseline, in the types of the model.

use super::reach::{Doubt, Found, Own, Search, Soft};
use super::verdicts::Verdicts;
use crate::locations::locations;
use iced_x86::{Decoder, DecoderOptions};
use karat_binary::BinaryError;
use karat_binary::flow::baseline::{Baseline, Classes, level_of};
use karat_binary::flow::cells::Detection;
use karat_binary::flow::program::{Entry, Program};
use karat_binary::flow::state::Source;
use karat_binary::flow::sweep::Sweep;
use karat_binary::read::image::Image;
use karat_model::finding::Location;
use karat_model::leaks::{
    AboveBaseline, BuiltFor, Certainty, GuardedBy, LeakReport, Offence, Reach, Step,
};
use std::collections::{BTreeMap, HashMap};

/// Steps of a path that are shown: the first and the last.
const PATH: usize = 12;
/// Fewer functions without a gate are listed one by one.
const FEW: u64 = 20;

/// Finds instructions above a baseline that are reached without asking the CPU.
///
/// The file is one linked ELF x86-64 program or library, given as its bytes.
///
/// # Errors
/// As [`audit`](crate::audit).
pub fn leaks(bytes: &[u8], baseline: &Baseline) -> Result<LeakReport, BinaryError> {
    leaks_listing(bytes, baseline, LeakReport::LISTED)
}

/// [`leaks`], with so many functions listed for each state.
pub(crate) fn leaks_listing(
    bytes: &[u8],
    baseline: &Baseline,
    most: usize,
) -> Result<LeakReport, BinaryError> {
    let image = Image::parse_elf_x86(bytes, "the search for leaks")?;
    let mut program = Program::read(&image)?;
    let classes = Classes::new(baseline);
    let sweep = sweep(&mut program, &classes);
    let detection = Detection::of(&program, &sweep);
    let mut search = Search::new(&program, &sweep, &classes, &detection);
    let mut above: Vec<(u32, Own)> = Vec::new();
    for routine in 0..program.routines.len() as u32 {
        if sweep.facts[routine as usize].above > 0 && search.is_code(routine) {
            let own = search.start(routine);
            above.push((routine, own));
        }
    }
    search.run();
    let mut is_above = vec![false; search.nodes.len()];
    for (node, _) in above.iter().flat_map(|(_, own)| &own.open) {
        is_above[*node] = true;
    }
    let verdicts = Verdicts::of(&search.nodes, &is_above);
    let mut writer = Writer {
        program: &program,
        classes: &classes,
        sweep: &sweep,
        search,
        verdicts,
    };
    let mut functions: Vec<AboveBaseline> = above
        .iter()
        .map(|(routine, own)| writer.function(*routine, own))
        .collect();
    functions.sort_by_key(|f| (f.reach, f.address));
    let mut report = LeakReport {
        baseline: baseline.text().to_string(),
        ..LeakReport::default()
    };
    count(&mut report, &program, &sweep, &functions);
    report.built_for = built_for(&report, &functions);
    let mut left: BTreeMap<Reach, usize> = BTreeMap::new();
    functions.retain(|f| {
        let listed = left.entry(f.reach).or_default();
        *listed += 1;
        *listed <= most
    });
    let limits = &mut report.limits;
    if program.routines.iter().all(|r| r.names.is_empty()) {
        limits.push("the file has no symbols: functions are known by their unwind entries".into());
    }
    locate(&image, &mut functions);
    report.functions = functions;
    Ok(report)
}

/// Instructions of the code where a program starts, at most.
const START: u32 = 64;

/// Reads all code; guessed regions are cut where calls and pointers lead.
pub(crate) fn sweep(program: &mut Program<'_>, classes: &Classes) -> Sweep {
    let mut sweep = Sweep::run(program, classes);
    // What the C run-time is handed where a program starts is `main`.
    if let Some(start) = program.routine_at(program.start)
        && sweep.facts[start as usize].instructions < START
    {
        for &(to, at) in &sweep.taken {
            if program.routine_at(at) == Some(start) {
                program.enter(to, Entry::Start);
            }
        }
    }
    if program.routines.iter().any(|routine| routine.is_open) {
        let lists = [&sweep.edges, &sweep.taken, &program.pointers];
        let mut starts: Vec<u64> = lists.into_iter().flatten().map(|(to, _)| *to).collect();
        starts.sort_unstable();
        program.cut(&starts);
        sweep.repeat(program, classes);
    }
    sweep
}

fn count(
    report: &mut LeakReport,
    program: &Program<'_>,
    sweep: &Sweep,
    functions: &[AboveBaseline],
) {
    let counts = &mut report.counts;
    for (routine, facts) in program.routines.iter().zip(&sweep.facts) {
        if facts.instructions == 0 || routine.is_guess {
            continue;
        }
        counts.functions += 1;
        counts.withheld += u64::from(facts.undecodable);
        report.tzcnt += u64::from(facts.tzcnt);
    }
    counts.above = functions.len() as u64;
    for function in functions {
        *match function.reach {
            Reach::Guarded => &mut counts.guarded,
            Reach::Leak => &mut counts.leaks,
            Reach::Exported => &mut counts.exported,
            Reach::Unknown => &mut counts.unknown,
        } += 1;
    }
}

/// A tenth of all functions, without a gate: that is how it was compiled.
fn built_for(report: &LeakReport, functions: &[AboveBaseline]) -> Option<BuiltFor> {
    let counts = &report.counts;
    let open = counts.leaks + counts.exported + counts.unknown;
    if open < FEW || open * 10 < counts.functions || counts.leaks + counts.exported == 0 {
        return None;
    }
    let mut by_extension: BTreeMap<&str, u64> = BTreeMap::new();
    for function in functions.iter().filter(|f| f.reach != Reach::Guarded) {
        for extension in &function.extensions {
            *by_extension.entry(extension).or_default() += 1;
        }
    }
    // What a few functions use is another matter than what all are built for.
    let common: Vec<&str> = by_extension
        .iter()
        .filter(|(_, count)| **count * 20 >= open)
        .map(|(name, _)| *name)
        .collect();
    Some(BuiltFor {
        level: level_of(&common).to_string(),
        functions: open,
    })
}

/// Adds source lines to what is listed.
fn locate(image: &Image<'_>, functions: &mut [AboveBaseline]) {
    let mut addresses = Vec::new();
    for function in functions.iter() {
        addresses.push(function.first.address);
        addresses.extend(function.path.iter().map(|step| step.address));
    }
    let lines = locations(image, &addresses);
    let find = |address: u64| -> Option<Location> { lines.get(&address).cloned() };
    for function in functions {
        function.first.location = find(function.first.address);
        for step in &mut function.path {
            step.location = find(step.address);
        }
    }
}

struct Writer<'p> {
    program: &'p Program<'p>,
    classes: &'p Classes,
    sweep: &'p Sweep,
    search: Search<'p>,
    verdicts: Verdicts,
}

impl Writer<'_> {
    fn function(&mut self, routine: u32, own: &Own) -> AboveBaseline {
        let facts = self.sweep.facts[routine as usize];
        let mut extensions: Vec<String> = facts
            .set_indices()
            .flat_map(|set| self.classes.missing(set))
            .collect();
        extensions.sort();
        extensions.dedup();
        let asks = facts.asks || self.search.reading(routine).is_some_and(|r| r.asks());
        let mut out = AboveBaseline {
            function: self.program.name(routine),
            address: self.program.routines[routine as usize].start,
            instructions: u64::from(facts.above),
            extensions,
            first: self.offence(facts.first),
            reach: Reach::Guarded,
            is_dispatcher: asks,
            confidence: Certainty::High,
            path: Vec::new(),
            gates: Vec::new(),
            reason: String::new(),
        };
        let leak = own
            .open
            .iter()
            .find(|(node, _)| self.verdicts.leak[*node].is_some());
        if let Some(&(node, at)) = leak {
            out.reach = Reach::Leak;
            out.first = self.offence(at);
            out.path = self.path(node, at);
            return out;
        }
        if let Some(&(_, at)) = own
            .open
            .iter()
            .find(|(node, _)| self.verdicts.exported[*node])
        {
            out.reach = Reach::Exported;
            out.first = self.offence(at);
            out.reason = "exported by name: to ask the CPU is the caller's duty".into();
            return out;
        }
        out.gates = self.gates(own);
        let unknown = own
            .open
            .iter()
            .find_map(|(node, _)| self.verdicts.unknown[*node])
            .map(|(end, soft)| self.reason(end, soft))
            .or_else(|| own.soft.iter().find_map(|soft| self.soft_reason(*soft)));
        if unknown.is_some() || out.gates.is_empty() {
            out.reach = Reach::Unknown;
            out.confidence = Certainty::Low;
            out.reason = unknown.unwrap_or_else(|| "only reached from itself".into());
        } else {
            let sure = out.gates.iter().map(|gate| gate.confidence).min();
            out.confidence = sure.unwrap_or(Certainty::Low);
        }
        out
    }

    /// Why instructions of a function are in doubt although its own branches may
    /// guard them; none when what calls it is guarded.
    fn soft_reason(&self, (node, at, soft): (usize, u64, Soft)) -> Option<String> {
        let verdicts = &self.verdicts;
        let reached = verdicts.leak[node].is_some()
            || verdicts.exported[node]
            || verdicts.unknown[node].is_some();
        reached.then(|| match soft {
            Soft::Flag(branch) => {
                format!("{at:#x} is only behind the branch at {branch:#x}, which may be on a flag")
            }
            Soft::Large => "the function is too large or tangled to be looked into".into(),
            Soft::Pointer | Soft::Unclear => {
                format!("{at:#x} is in code that no jump in the function leads to")
            }
        })
    }

    fn offence(&self, address: u64) -> Offence {
        let bytes = self.program.bytes(address, address + 1);
        let rest = self
            .program
            .routine_at(address)
            .and_then(|routine| {
                let ranges = &self.program.routines[routine as usize].ranges;
                let range = ranges
                    .iter()
                    .find(|(start, end)| (*start..*end).contains(&address))?;
                self.program.bytes(address, range.1)
            })
            .or(bytes)
            .unwrap_or_default();
        let instruction = Decoder::with_ip(64, rest, address, DecoderOptions::NONE).decode();
        Offence {
            mnemonic: format!("{:?}", instruction.mnemonic()).to_ascii_lowercase(),
            address,
            extensions: self
                .classes
                .missing(self.classes.of(instruction.code()).above),
            location: None,
        }
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

    /// Some gates on the ways to a function.
    fn gates(&self, own: &Own) -> Vec<GuardedBy> {
        let mut found: Vec<Found> = own.guards.clone();
        let mut seen: HashMap<usize, ()> = HashMap::new();
        let soft = own.soft.iter().map(|(node, ..)| *node);
        let mut open: Vec<usize> = own.open.iter().map(|(node, _)| *node).chain(soft).collect();
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
            let gate = GuardedBy {
                kind: gate.kind,
                function: self.program.name(gate.routine),
                address: gate.at,
                asks: gate
                    .source
                    .map_or("the resolver".into(), |s| self.source(s)),
                confidence: gate.confidence,
            };
            if !gates.contains(&gate) && gates.len() < 4 {
                gates.push(gate);
            }
        }
        gates
    }

    fn source(&self, source: Source) -> String {
        match source {
            Source::Cpu => "cpuid".into(),
            Source::Cell(at) | Source::Import(at) => match self.program.words.get(&at) {
                Some(karat_binary::flow::program::Word::Import(name)) => (*name).to_string(),
                _ if self.program.is_code(at) => "an imported function".into(),
                _ => self.program.variable_or_address(at),
            },
            Source::Call(routine) => self.program.name(routine),
            Source::Picked(at) => match self.program.routine_at(at) {
                Some(routine) => self.program.name(routine),
                None => self.program.variable_or_address(at),
            },
            Source::Flag => "what may be a flag".into(),
        }
    }

    fn reason(&self, end: usize, soft: Option<(u64, Soft)>) -> String {
        let at = |at: u64| match self.program.routine_at(at) {
            Some(routine) => format!("{} ({at:#x})", self.program.name(routine)),
            None => format!("{at:#x}"),
        };
        if let Some((place, soft)) = soft {
            return match soft {
                Soft::Pointer => format!("called through a pointer that {} takes", at(place)),
                Soft::Flag(branch) => format!(
                    "called in {}, only behind the branch at {branch:#x}, which may be on a flag",
                    at(place)
                ),
                Soft::Large => format!(
                    "called in {}, which is too large or tangled to be looked into",
                    at(place)
                ),
                Soft::Unclear => format!(
                    "the jumps around the call in {} are not understood",
                    at(place)
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
            Some(Doubt::Unreferenced) => format!("nothing in the file refers to {name}"),
            Some(Doubt::Table(place)) => {
                format!("{name} is in a table at {place:#x} that no code names")
            }
            Some(Doubt::Many) => {
                format!("{name} is used at so many places that not all were looked at")
            }
            Some(Doubt::Far) => "the search went too far from the function".into(),
            Some(Doubt::Exported) => {
                format!("{name} is exported, and nothing in the file refers to it")
            }
            None => format!("{name} is an entry"),
        }
    }
}
