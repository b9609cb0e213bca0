//! The states of all functions above the baseline, in the types of the model.

use super::a64;
use super::concerned::{Handed, calling, concerned, holding};
use super::known::known;
use super::reach::{Own, Search, Seen};
use super::verdicts::Verdicts;
use super::whole::{Whole, built_for};
use super::writer::Writer;
use crate::locations::locations;
use karat_binary::BinaryError;
use karat_binary::names::readable;
use karat_binary::numbers::NumberSet;
use karat_binary::read::image::Image;
use karat_flow::baseline::{Baseline, Classes};
use karat_flow::cells::Detection;
use karat_flow::facts::Facts;
use karat_flow::facts::oracle::Oracle;
use karat_flow::facts::vouched::{Says, Vouched};
use karat_flow::program::{Entry, Program, Word};
use karat_flow::sweep::Sweep;
use karat_model::diagnostic::nearest;
use karat_model::finding::Location;
use karat_model::leaks::{AboveBaseline, Certainty, LeakReport, Obstacle, Reach, UnmatchedName};
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// Obstacles that are listed.
const OBSTACLES: usize = 50;

/// Finds instructions above a baseline that are reached without asking the CPU.
///
/// The file is one linked x86-64 program or library of Linux, Windows or macOS, given as its
/// bytes; with a baseline of AArch64, one of Linux for that.
///
/// # Errors
/// When the bytes are no such file, or a damaged one.
pub fn leaks(bytes: &[u8], baseline: &Baseline) -> Result<LeakReport, BinaryError> {
    leaks_vouched(bytes, baseline, &Vouched::default())
}

/// [`leaks`], with what a user says of functions and variables of the file.
///
/// # Errors
/// When the bytes are no such file, or a damaged one.
pub fn leaks_vouched(
    bytes: &[u8],
    baseline: &Baseline,
    vouched: &Vouched,
) -> Result<LeakReport, BinaryError> {
    let told = Vouched::default();
    let looked = look(bytes, baseline, vouched, &told, LeakReport::LISTED, &|| {})?;
    Ok(looked.report)
}

/// What comes of looking for leaks in a file.
pub struct Looked {
    /// What needs more than the baseline.
    pub report: LeakReport,
    /// What its exported functions tell those that import them.
    pub tells: Vouched,
}

/// [`leaks_vouched`], with so many functions listed for each state. `told` is what other
/// files tell of names that this one may import; unlike what a user says in `said` it need
/// not be there. `let_go` is called where most of what was read of the bytes so far is not
/// read again: who mapped a file may give memory back.
///
/// # Errors
/// When the bytes are no such file, or a damaged one.
pub fn look(
    bytes: &[u8],
    baseline: &Baseline,
    said: &Vouched,
    told: &Vouched,
    most: usize,
    let_go: &dyn Fn(),
) -> Result<Looked, BinaryError> {
    if baseline.is_arm() {
        return look_arm(bytes, baseline, said, most);
    }
    let mut vouched = said.clone();
    vouched.extend(told);
    vouched.extend(known());
    let vouched = &vouched;
    let image = Image::parse_linked_x86(bytes, "the search for leaks")?;
    let mut program = Program::read(&image)?;
    program.vouch(vouched);
    let unmatched = unmatched(&program, said);
    let_go();
    let classes = Classes::new(baseline);
    let sweep = sweep(&mut program, &classes);
    let_go();
    let mut report = LeakReport {
        baseline: baseline.text().to_string(),
        unmatched,
        ..LeakReport::default()
    };
    count(&mut report, &program, &sweep);
    if program.routines.iter().all(|r| r.names.is_empty()) {
        let limit = "the file has no symbols: functions are known by their unwind entries";
        report.limits.push(limit.into());
    }
    if let Some(whole) = Whole::of(&program, &sweep, &classes) {
        let mut functions = whole.functions(&program, &sweep, &classes, most);
        report.counts.above = whole.built_for.functions;
        report.counts.unknown = whole.built_for.functions;
        report.obstacles = obstacles(&functions);
        for known in &mut report.obstacles {
            known.functions = whole.built_for.functions;
            known.decide = whole.decide();
        }
        locate(&image, &mut functions);
        report.functions = functions;
        report.built_for = Some(whole.built_for);
        let tells = Vouched::default();
        return Ok(Looked { report, tells });
    }
    let detection = Detection::of(&program, &sweep, vouched);
    let_go();
    let oracle = Oracle::new(&program, &sweep, &detection, vouched);
    let_go();
    let file = File {
        program: &program,
        sweep: &sweep,
        classes: &classes,
        detection: &detection,
        oracle: &oracle,
        asking: &calling(&program, &sweep, &detection),
        let_go,
    };
    let mut functions = file.states();
    let is_blind = oracle.is_blind();
    if is_blind {
        // Nothing is certain where it is not known what variables hold.
        for function in &mut functions {
            function.confidence = Certainty::Low;
        }
    }
    functions.sort_by_key(|f| (f.reach, f.address));
    count_states(&mut report, &functions);
    let before_avx = (program.routines.iter().zip(&sweep.facts))
        .filter(|(routine, facts)| facts.before_avx && facts.above == 0 && !routine.is_guess)
        .count() as u64;
    report.built_for = built_for(&report, &functions, &classes, before_avx);
    report.obstacles = obstacles(&functions);
    keep(&mut functions, most);
    let limits = &mut report.limits;
    if is_blind {
        limits.push(
            "the program is too large to follow what its variables hold of the CPU's answers: \
             what is said of its functions has a low confidence"
                .into(),
        );
    }
    locate(&image, &mut functions);
    report.functions = functions;
    let tells = tells(&program, &detection, &oracle);
    Ok(Looked { report, tells })
}

/// [`look`] in AArch64 code, by an analysis of its own.
fn look_arm(
    bytes: &[u8],
    baseline: &Baseline,
    said: &Vouched,
    most: usize,
) -> Result<Looked, BinaryError> {
    let image = Image::parse_linked_arm_elf(bytes, "the search for leaks")?;
    let found = a64::search(&image, baseline.extensions());
    let mut functions = found.functions;
    let mut report = LeakReport {
        baseline: baseline.text().to_string(),
        ..LeakReport::default()
    };
    report.counts.functions = found.all;
    functions.sort_by_key(|f| (f.reach, f.address));
    count_states(&mut report, &functions);
    report.obstacles = obstacles(&functions);
    for obstacle in &mut report.obstacles {
        // Nobody's word is taken here, and `--try` emulates x86-64 only.
        obstacle.decide = "a run on a CPU of the baseline, real or emulated".into();
    }
    keep(&mut functions, most);
    if !found.has_names {
        let limit = "the file has no symbols: functions are known by their unwind entries";
        report.limits.push(limit.into());
    }
    if found.is_spent {
        let limit = "the file is too large to be followed: all states are unknown";
        report.limits.push(limit.into());
    }
    if !said.is_empty() {
        let limit = "--gate-function and --cpu-cell are not taken in AArch64 code";
        report.limits.push(limit.into());
    }
    locate(&image, &mut functions);
    report.functions = functions;
    let tells = Vouched::default();
    Ok(Looked { report, tells })
}

/// So many functions of each state.
fn keep(functions: &mut Vec<AboveBaseline>, most: usize) {
    let mut left: BTreeMap<Reach, usize> = BTreeMap::new();
    functions.retain(|f| {
        let listed = left.entry(f.reach).or_default();
        *listed += 1;
        *listed <= most
    });
}

/// What the search for leaks goes by.
#[derive(Clone, Copy)]
struct File<'p> {
    program: &'p Program<'p>,
    sweep: &'p Sweep,
    classes: &'p Classes,
    detection: &'p Detection,
    oracle: &'p Oracle<'p>,
    asking: &'p NumberSet<u32>,
    let_go: &'p dyn Fn(),
}

impl<'p> File<'p> {
    /// The states of all functions above the baseline.
    fn states(self) -> Vec<AboveBaseline> {
        let above: Vec<u32> = (0..self.program.routines.len() as u32)
            .filter(|routine| self.sweep.facts[*routine as usize].above > 0)
            .collect();
        let holding = holding(self.program, self.sweep, self.detection);
        let concerned = concerned(self.program, self.detection, self.asking, &holding);
        let (first, mut writer) = self.search(&above, Some(&concerned), Seen::default());
        (self.let_go)();
        let mut out = Vec::new();
        let mut open = Vec::new();
        let mut again = Vec::new();
        let mut nodes = Vec::new();
        for (routine, own) in &first {
            let state = writer.function(*routine, own);
            match state.reach {
                Reach::Guarded | Reach::Unreferenced => out.push(state),
                Reach::Leak | Reach::Insufficient => again.push(*routine),
                Reach::Exported | Reach::Unknown => {
                    nodes.extend(own.nodes());
                    open.push((*routine, own, state));
                }
            }
        }
        let handed = match open.is_empty() || self.oracle.is_spent() {
            true => Vec::new(),
            false => Handed::new(
                self.program,
                self.sweep,
                self.detection,
                self.oracle,
                &holding,
            )
            .nodes(&writer.search, nodes),
        };
        let is_spent = self.oracle.is_spent();
        for (routine, own, state) in open {
            match !is_spent && own.nodes().any(|node| handed[node]) {
                true => again.push(routine),
                false => out.push(state),
            }
        }
        // In the order of the first search.
        again.sort_unstable();
        let seen = std::mem::take(&mut writer.search.seen);
        drop(writer);
        (self.let_go)();
        if !again.is_empty() {
            let (second, mut writer) = self.search(&again, None, seen);
            out.extend(
                second
                    .iter()
                    .map(|(routine, own)| writer.function(*routine, own)),
            );
        }
        out
    }

    /// Searches from functions above the baseline to where they are entered. What is not
    /// `concerned` is passed; without that nothing is.
    fn search(
        self,
        above: &[u32],
        concerned: Option<&'p NumberSet<u32>>,
        seen: Seen,
    ) -> (Vec<(u32, Own)>, Writer<'p>) {
        let File {
            program,
            sweep,
            classes,
            ..
        } = self;
        let mut search = Search::new(
            program,
            sweep,
            classes,
            self.detection,
            self.oracle,
            self.asking,
            concerned,
        );
        search.seen = seen;
        let mut found: Vec<(u32, Own)> = Vec::new();
        for &routine in above {
            if search.is_code(routine) {
                // After the search was ended all that is left is unknown.
                let own = match self.oracle.is_spent() {
                    true => search.unread(routine),
                    false => search.start(routine),
                };
                search.originate(&own);
                found.push((routine, own));
            }
        }
        search.run();
        // A routine has a node for each need that its callers leave open.
        let starts = (found.iter().flat_map(|(_, own)| &own.open))
            .map(|(node, ..)| search.nodes[*node].address)
            .collect();
        let verdicts = Verdicts::of(&search.nodes, &starts);
        let writer = Writer {
            program,
            classes,
            sweep,
            search,
            verdicts,
            exports_above: OnceCell::new(),
        };
        (found, writer)
    }
}

/// Names that something is said of, and that the file does not have.
fn unmatched(program: &Program<'_>, said: &Vouched) -> Vec<UnmatchedName> {
    if said.is_empty() {
        return Vec::new();
    }
    let imports: Vec<&str> = (program.words.values())
        .filter_map(|word| match word {
            Word::Import(name) => Some(*name),
            Word::Address(_) => None,
        })
        .collect();
    let functions: Vec<&str> = (program.routines.iter())
        .flat_map(|routine| &routine.names)
        .chain(&imports)
        .copied()
        .collect();
    let variables = program.variables.iter().map(|(_, _, name)| name);
    let cells: Vec<&str> = variables.chain(&imports).copied().collect();
    // What is named is looked up as the file has it: mangled names or readable ones.
    let missing = |names: &[&str], one: &str, is_said: &dyn Fn(&Vouched, &str) -> bool| {
        let mut only = Vouched::default();
        only.function(one, Says::Nonzero(Facts::NONE));
        only.cell(one, Says::Nonzero(Facts::NONE));
        !names.iter().any(|name| is_said(&only, name))
    };
    let is_function = |said: &Vouched, name: &str| said.of_function(name).is_some();
    let is_cell = |said: &Vouched, name: &str| said.of_cell(name).is_some();
    let gone = (said.functions())
        .filter(|(name, _)| missing(&functions[..], name, &is_function))
        .map(|(name, _)| (name, &functions));
    let gone = gone.chain(
        (said.cells())
            .filter(|(name, _)| missing(&cells[..], name, &is_cell))
            .map(|(name, _)| (name, &cells)),
    );
    let mut out: Vec<UnmatchedName> = gone
        .map(|(name, all)| {
            let readable: Vec<String> = all.iter().map(|name| readable(name)).collect();
            let known: Vec<&str> = readable.iter().map(String::as_str).collect();
            let near = nearest(name, &known).map(str::to_owned);
            UnmatchedName {
                name: name.to_owned(),
                near,
            }
        })
        .collect();
    out.sort_by(|a, b| a.name.cmp(&b.name));
    out
}

/// What exported functions tell of the CPU by their results.
fn tells(program: &Program<'_>, detection: &Detection, oracle: &Oracle<'_>) -> Vouched {
    let mut out = Vouched::default();
    for &routine in &detection.answers {
        let known = &program.routines[routine as usize];
        if program.entries.get(&known.start) != Some(&Entry::Exported) {
            continue;
        }
        let Some(says) = oracle.says(routine) else {
            continue;
        };
        for name in &known.names {
            out.function(name, says.clone());
        }
    }
    out
}

/// Instructions of the code where a program starts, at most.
const START: u32 = 64;

/// Reads all code; guessed regions are cut where calls and pointers lead.
pub fn sweep(program: &mut Program<'_>, classes: &Classes) -> Sweep {
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
        starts.dedup();
        program.cut(&starts);
        sweep.repeat(program, classes);
    }
    program.find_cpu_model(&sweep);
    program.find_ia32cap(&sweep);
    sweep
}

/// Counts all functions, those that cannot be read, and `tzcnt`.
fn count(report: &mut LeakReport, program: &Program<'_>, sweep: &Sweep) {
    let counts = &mut report.counts;
    for (routine, facts) in program.routines.iter().zip(&sweep.facts) {
        if facts.instructions == 0 || routine.is_guess {
            continue;
        }
        counts.functions += 1;
        counts.withheld += u64::from(facts.undecodable);
        report.tzcnt += u64::from(facts.tzcnt);
    }
}

fn count_states(report: &mut LeakReport, functions: &[AboveBaseline]) {
    let counts = &mut report.counts;
    counts.above = functions.len() as u64;
    for function in functions {
        *match function.reach {
            Reach::Guarded => &mut counts.guarded,
            Reach::Leak => &mut counts.leaks,
            Reach::Insufficient => &mut counts.insufficient,
            Reach::Exported => &mut counts.exported,
            Reach::Unknown => &mut counts.unknown,
            Reach::Unreferenced => &mut counts.unreferenced,
        } += 1;
    }
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
    let has = |part| reason.contains(part);
    match () {
        () if has("which feature") => "what it says of the CPU (--cpu-cell, --gate-function)",
        () if has("through a pointer") || has("may be on a flag") => {
            "a run (--try), or your word that it asks (--gate-function)"
        }
        () => "a run on a CPU of the baseline, real or emulated (--try)",
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
