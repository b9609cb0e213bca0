//! The states of all functions above the baseline, in the types of the model.

use super::reach::{Doubt, Found, Own, Search, Soft};
use super::verdicts::Verdicts;
use crate::locations::locations;
use iced_x86::{Decoder, DecoderOptions};
use karat_binary::BinaryError;
use karat_binary::read::image::Image;
use karat_flow::baseline::{Baseline, Classes, level_of};
use karat_flow::cells::Detection;
use karat_flow::facts::oracle::{Oracle, Vouched};
use karat_flow::program::{Entry, Program};
use karat_flow::state::Source;
use karat_flow::sweep::Sweep;
use karat_model::finding::Location;
use karat_model::leaks::{
    AboveBaseline, BuiltFor, Certainty, GateKind, GuardedBy, LeakReport, Obstacle, Offence, Reach,
    Step,
};
use std::collections::{BTreeMap, HashMap};

/// Steps of a path that are shown: the first and the last.
const PATH: usize = 12;
/// Obstacles that are listed.
const OBSTACLES: usize = 50;
/// Fewer functions without a gate are listed one by one.
const FEW: u64 = 20;

/// Finds instructions above a baseline that are reached without asking the CPU.
///
/// The file is one linked ELF x86-64 program or library, given as its bytes.
///
/// # Errors
/// As [`audit`](crate::audit).
pub fn leaks(bytes: &[u8], baseline: &Baseline) -> Result<LeakReport, BinaryError> {
    leaks_vouched(bytes, baseline, &Vouched::default())
}

/// [`leaks`], with what a user says of functions and variables of the file.
///
/// # Errors
/// As [`audit`](crate::audit).
pub fn leaks_vouched(
    bytes: &[u8],
    baseline: &Baseline,
    vouched: &Vouched,
) -> Result<LeakReport, BinaryError> {
    leaks_listing(bytes, baseline, vouched, LeakReport::LISTED)
}

/// [`leaks`], with so many functions listed for each state.
pub(crate) fn leaks_listing(
    bytes: &[u8],
    baseline: &Baseline,
    vouched: &Vouched,
    most: usize,
) -> Result<LeakReport, BinaryError> {
    let image = Image::parse_elf_x86(bytes, "the search for leaks")?;
    let mut program = Program::read(&image)?;
    let classes = Classes::new(baseline);
    let sweep = sweep(&mut program, &classes);
    let detection = Detection::of(&program, &sweep, vouched);
    let oracle = Oracle::new(&program, &sweep, &detection, vouched);
    let mut search = Search::new(&program, &sweep, &classes, &detection, &oracle);
    let mut above: Vec<(u32, Own)> = Vec::new();
    for routine in 0..program.routines.len() as u32 {
        if sweep.facts[routine as usize].above > 0 && search.is_code(routine) {
            let own = search.start(routine);
            above.push((routine, own));
        }
    }
    search.run();
    let mut is_above = vec![false; search.nodes.len()];
    for (node, ..) in above.iter().flat_map(|(_, own)| &own.open) {
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
    let is_cut_short = oracle.is_cut_short();
    if is_cut_short {
        // Nothing is certain where a part was not looked into.
        for function in &mut functions {
            function.confidence = Certainty::Low;
        }
    }
    functions.sort_by_key(|f| (f.reach, f.address));
    let mut report = LeakReport {
        baseline: baseline.text().to_string(),
        ..LeakReport::default()
    };
    count(&mut report, &program, &sweep, &functions);
    report.built_for = built_for(&report, &functions);
    report.obstacles = obstacles(&functions);
    let mut left: BTreeMap<Reach, usize> = BTreeMap::new();
    functions.retain(|f| {
        let listed = left.entry(f.reach).or_default();
        *listed += 1;
        *listed <= most
    });
    let limits = &mut report.limits;
    if is_cut_short {
        limits.push(
            "the program is too large to follow all questions to the CPU: what is said of its \
             functions has a low confidence"
                .into(),
        );
    }
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
    program.find_cpu_model(&sweep);
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
            Reach::Insufficient => &mut counts.insufficient,
            Reach::Exported => &mut counts.exported,
            Reach::Unknown => &mut counts.unknown,
        } += 1;
    }
}

/// A tenth of all functions, without a gate: that is how it was compiled. So it is
/// where most functions are above the baseline, reached in whatever way.
fn built_for(report: &LeakReport, functions: &[AboveBaseline]) -> Option<BuiltFor> {
    let counts = &report.counts;
    let shown = counts.leaks + counts.insufficient + counts.exported;
    let open = shown + counts.unknown;
    let is_most = open * 2 > counts.functions;
    if open < FEW || open * 10 < counts.functions || shown == 0 && !is_most {
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

/// What stands in the way of the functions whose state is unknown, one line each.
fn obstacles(functions: &[AboveBaseline]) -> Vec<Obstacle> {
    let mut out: BTreeMap<&str, Obstacle> = BTreeMap::new();
    for function in functions.iter().filter(|f| f.reach == Reach::Unknown) {
        let known = out.entry(&function.obstacle).or_insert_with(|| Obstacle {
            what: function.obstacle.clone(),
            functions: 0,
            example: format!("{}: {}", function.function, function.reason),
            decide: decide(&function.reason).into(),
        });
        known.functions += 1;
    }
    let mut out: Vec<Obstacle> = out.into_values().collect();
    out.sort_by(|a, b| {
        b.functions
            .cmp(&a.functions)
            .then_with(|| a.what.cmp(&b.what))
    });
    out.truncate(OBSTACLES);
    out
}

/// What a reader can do about a reason.
fn decide(reason: &str) -> &'static str {
    match reason.contains("which feature") {
        true => "what the variable, or the function that fills it, says of the CPU",
        false => "a run on a CPU of the baseline, real or emulated",
    }
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
            out.first = self.offence(at);
            out.path = self.path(node, at);
            if let Some(gate) = short(node, &asked) {
                self.short(&mut out, node, &gate);
            }
            return out;
        }
        let half = own.open.iter().find_map(|(node, at, asked)| {
            let is_known = self.verdicts.unknown[*node].is_some();
            let gate = short(*node, asked).filter(|_| is_known)?;
            Some((*node, *at, gate))
        });
        if let Some((node, at, gate)) = half {
            out.first = self.offence(at);
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
            out.first = self.offence(at);
            out.reason = "exported by name: to ask the CPU is the caller's duty".into();
            return out;
        }
        out.gates = self.gates(own);
        let unknown = own
            .open
            .iter()
            .find_map(|(node, ..)| self.verdicts.unknown[*node])
            .map(|(end, soft)| self.reason(end, soft))
            .or_else(|| own.soft.iter().find_map(|soft| self.soft_reason(*soft)));
        if unknown.is_some() || out.gates.is_empty() {
            out.reach = Reach::Unknown;
            out.confidence = Certainty::Low;
            let only = || ("only reached from itself".into(), "a loop of calls".into());
            (out.reason, out.obstacle) = unknown.unwrap_or_else(only);
        } else {
            let sure = out.gates.iter().map(|gate| gate.confidence).min();
            out.confidence = sure.unwrap_or(Certainty::Low);
        }
        out
    }

    /// The state of a function behind a gate that does not imply enough.
    fn short(&self, out: &mut AboveBaseline, node: usize, gate: &Found) {
        out.reach = Reach::Insufficient;
        out.lacks = self.search.nodes[node].need.names();
        out.gates = vec![self.gate(gate)];
        // A gate that is not read for certain refutes nothing for certain.
        out.confidence = out.confidence.min(gate.confidence);
        let asked = match gate.features.names() {
            names if names.is_empty() => "nothing that the code needs".into(),
            names => names.join(" and "),
        };
        out.reason = format!(
            "the gate implies {asked}; the code needs {}",
            out.lacks.join(" and ")
        );
    }

    fn gate(&self, gate: &Found) -> GuardedBy {
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
            || verdicts.unknown[node].is_some();
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
            Soft::Pointer | Soft::Unclear | Soft::Argument => (
                format!("{at:#x} is in code that no jump in the function leads to"),
                format!("the jumps in {routine}"),
            ),
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
        gates
    }

    fn source(&self, source: Source) -> String {
        match source {
            Source::Cpu => "cpuid".into(),
            Source::Cell(at) | Source::Import(at) => match self.program.words.get(&at) {
                Some(karat_flow::program::Word::Import(name)) => (*name).to_string(),
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
                Soft::Pointer => (
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
            Some(Doubt::Unreferenced) => (
                format!("nothing in the file refers to {name}"),
                "no reference in the file".into(),
            ),
            Some(Doubt::Table(place)) => {
                let table = self.program.variable_or_address(place);
                (
                    format!("{name} is in a table at {place:#x} that no code names"),
                    format!("the table {table}"),
                )
            }
            Some(Doubt::Many) => (
                format!("{name} is used at so many places that not all were looked at"),
                name,
            ),
            Some(Doubt::Far) => (
                "the search went too far from the function".into(),
                "the limit of the search".into(),
            ),
            Some(Doubt::Exported) => (
                format!("{name} is exported, and nothing in the file refers to it"),
                "exports of a program, or of Rust".into(),
            ),
            None => (format!("{name} is an entry"), name),
        }
    }
}
