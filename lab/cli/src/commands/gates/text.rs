//! What `karat gates` shows on a terminal.

use karat_model::finding::Location;
use karat_model::gates::{
    Coverage, Dormant, Gate, GateCall, GatesDocument, Hits, TracedRun, Via, WatchedKernel,
};
use std::fmt::Write as _;

/// Rows of a list that are shown; the JSON has all.
const ROWS: usize = 20;

/// The whole report.
pub fn human(document: &GatesDocument) -> String {
    let mut out = String::new();
    if let Some(run) = &document.run {
        of_run(&mut out, run);
    }
    for gate in &document.gates {
        of_gate(&mut out, gate);
    }
    if let Some(kernels) = &document.kernels {
        of_kernels(&mut out, kernels, document.run.is_some());
    }
    if let Some(coverage) = &document.coverage {
        of_coverage(&mut out, coverage);
    }
    let of_run = document.run.iter().flat_map(|run| &run.notes);
    for note in document.notes.iter().chain(of_run) {
        let _ = writeln!(out, "note: {note}");
    }
    out
}

fn of_run(out: &mut String, run: &TracedRun) {
    let end = match (run.exit_code, run.signal) {
        (Some(code), _) => format!("ended with {code}"),
        (None, Some(signal)) => format!("was ended by signal {signal}"),
        (None, None) => "ended".into(),
    };
    let _ = writeln!(
        out,
        "{} {end} after {:.2} s ({:.2} s user, {:.2} s system), {} and {}",
        run.command.join(" "),
        run.wall,
        run.user,
        run.system,
        plural(run.processes, "process", "processes"),
        plural(run.threads, "further thread", "further threads"),
    );
    let _ = writeln!(
        out,
        "{} planted, {}, {:.3} s of standing still for them",
        plural(run.planted, "breakpoint", "breakpoints"),
        plural(run.traps, "trap", "traps"),
        run.stopped,
    );
}

fn of_gate(out: &mut String, gate: &Gate) {
    let _ = writeln!(out, "{}", gate.summary);
    for call in &gate.calls {
        let _ = writeln!(out, "  {}", line(call));
    }
    if gate.pointers > 0 {
        let _ = writeln!(out, "  its address is taken at {} places", gate.pointers);
    }
    if let Some(hits) = gate.hits {
        let _ = writeln!(out, "  its function was {}", times(hits));
    }
    if let Some(advice) = &gate.advice {
        let _ = writeln!(out, "  {advice}");
    }
    if let Some(caveat) = &gate.caveat {
        let _ = writeln!(out, "  {caveat}");
    }
}

fn of_kernels(out: &mut String, kernels: &[WatchedKernel], has_run: bool) {
    let count = |keep: fn(&WatchedKernel) -> bool| kernels.iter().filter(|k| keep(k)).count();
    let has = count(|kernel| kernel.supported == Some(true));
    let _ = writeln!(
        out,
        "{} above x86-64; this CPU has what {has} of them need",
        plural(kernels.len() as u64, "function", "functions"),
    );
    if !has_run {
        for kernel in kernels.iter().take(ROWS) {
            let _ = writeln!(out, "  {}", named(kernel));
        }
        more(out, kernels.len());
        return;
    }
    let _ = writeln!(
        out,
        "{} executed; {} never, where others of their kind were; {} could not be watched",
        count(|kernel| kernel.hits.is_some_and(Hits::any)),
        count(|kernel| kernel.supported == Some(true) && kernel.instead.is_some()),
        count(|kernel| kernel.hits.is_none()),
    );
    let idle: Vec<_> = kernels.iter().filter(|kernel| kernel.is_idle()).collect();
    if idle.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "{} never, nor anything of their kind, although this CPU has what they need: a \
         dispatcher that does not choose them, or a workload that does not need them",
        idle.len()
    );
    for kernel in idle.iter().take(ROWS) {
        let _ = writeln!(out, "  {}", named(kernel));
    }
    more(out, idle.len());
}

/// A kernel in one line.
fn named(kernel: &WatchedKernel) -> String {
    let mut text = format!("{} at {:#x}", kernel.function, kernel.address);
    if let Some(known) = &kernel.known_as {
        let _ = write!(text, " ({known})");
    }
    let _ = write!(text, ": {}", kernel.needs.join(", "));
    text
}

fn of_coverage(out: &mut String, coverage: &Coverage) {
    let total = coverage.total();
    let unwatched = coverage.functions.len() as u64 - total.functions;
    let _ = writeln!(
        out,
        "{} of {} functions executed; {} of {} bytes are of functions that never were",
        total.executed, total.functions, total.dead_bytes, total.bytes
    );
    if unwatched > 0 {
        let _ = writeln!(
            out,
            "{} could not be watched: nothing says where their instructions begin",
            plural(unwatched, "piece of code", "pieces of code")
        );
    }
    for (title, sums) in [("crate", coverage.by_crate()), ("file", coverage.by_file())] {
        of_sums(out, title, &sums);
    }
    let Some(difference) = &coverage.against else {
        return;
    };
    let _ = writeln!(
        out,
        "beside `{}`: {} functions ran in both, {} in neither",
        difference.command.join(" "),
        difference.both,
        difference.neither
    );
    for (what, names) in [
        ("only here", &difference.only_here),
        ("only there", &difference.only_there),
    ] {
        let _ = writeln!(out, "{} {what}", names.len());
        for name in names.iter().take(ROWS) {
            let _ = writeln!(out, "  {name}");
        }
        more(out, names.len());
    }
}

/// A table of dead bytes, if it has more to say than the total.
fn of_sums(out: &mut String, title: &str, sums: &[Dormant]) {
    if sums.len() < 2 {
        return;
    }
    let _ = writeln!(
        out,
        "  dead bytes  of bytes  executed  of functions  {title}"
    );
    for sum in sums.iter().take(ROWS) {
        let name = match sum.name.as_str() {
            "" => "[not known]",
            name => name,
        };
        let _ = writeln!(
            out,
            "  {:>10}  {:>8}  {:>8}  {:>12}  {name}",
            sum.dead_bytes, sum.bytes, sum.executed, sum.functions
        );
    }
    more(out, sums.len());
}

/// How many rows are left out.
fn more(out: &mut String, rows: usize) {
    if rows > ROWS {
        let _ = writeln!(out, "  and {} more (--format json has all)", rows - ROWS);
    }
}

fn times(hits: Hits) -> String {
    match (hits.count, hits.exact) {
        (0, _) => "never executed".into(),
        (1, false) => "executed".into(),
        (count, false) => format!("executed {count} times or more"),
        (1, true) => "executed once".into(),
        (count, true) => format!("executed {count} times"),
    }
}

fn plural(count: u64, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}

/// One call with its guard.
fn line(call: &GateCall) -> String {
    let how = match call.via {
        Via::Call => "called in",
        Via::Inlined => "inlined in",
        Via::Line => "in",
    };
    let mut text = format!("{how} {}", call.caller);
    let _ = write!(text, " at {}", place(call.address, call.location.as_ref()));
    match &call.guard {
        Some(guard) => {
            let branch = place(guard.address, guard.location.as_ref());
            let _ = write!(text, ", behind `{}` at {branch}", guard.condition);
            if let Some(variable) = &guard.variable {
                let _ = write!(text, " (asks {variable})");
            }
            if let Some(constant) = &guard.constant {
                let _ = write!(text, ": {constant}");
            }
            if let Some(hits) = guard.hits {
                let _ = write!(text, " [branch {}]", times(hits));
            }
        }
        None => text.push_str(", behind no branch"),
    }
    if let Some(hits) = call.hits {
        let _ = write!(text, "; {}", times(hits));
    }
    if let Some(dead) = &call.dead {
        let _ = write!(text, "; never reached: {dead}");
    }
    text
}

fn place(address: u64, location: Option<&Location>) -> String {
    match location {
        Some(Location {
            file,
            line: Some(line),
            ..
        }) => format!("{file}:{line}"),
        _ => format!("{address:#x}"),
    }
}
