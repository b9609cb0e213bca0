//! What others say of the file's names, and what its exported functions tell others.

use karat_binary::names::readable;
use karat_flow::cells::Detection;
use karat_flow::facts::Facts;
use karat_flow::facts::oracle::Oracle;
use karat_flow::facts::vouched::{Says, Vouched};
use karat_flow::program::Program;
use karat_model::diagnostic::nearest;
use karat_model::leaks::UnmatchedName;

/// Names that something is said of, and that the file does not have.
pub(super) fn unmatched(program: &Program<'_>, said: &Vouched) -> Vec<UnmatchedName> {
    if said.is_empty() {
        return Vec::new();
    }
    let imports: Vec<&str> = program.words.imports().collect();
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
    let mut out: Vec<UnmatchedName> = gone.map(|(name, all)| not_there(name, all)).collect();
    out.sort_by(|a, b| a.name.cmp(&b.name));
    out
}

/// A name that is none of those that a file has, and the nearest of them.
pub(super) fn not_there(name: &str, all: &[&str]) -> UnmatchedName {
    let readable: Vec<String> = all.iter().map(|name| readable(name)).collect();
    let known: Vec<&str> = readable.iter().map(String::as_str).collect();
    UnmatchedName {
        name: name.to_owned(),
        near: nearest(name, &known).map(str::to_owned),
    }
}

/// What exported functions tell of the CPU by their results.
pub(super) fn tells(program: &Program<'_>, detection: &Detection, oracle: &Oracle<'_>) -> Vouched {
    let mut out = Vouched::default();
    for routine in detection.answering() {
        let known = &program.routines[routine as usize];
        let entry = program.entries.get(&known.start);
        if !entry.is_some_and(|entry| entry.is_exported()) {
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
