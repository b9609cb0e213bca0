//! What was seen, in the types of the model: which gates are worth a measurement, which
//! kernels are never executed, which functions ran.

use super::Found;
use super::watch::{Owner, Watch};
use karat_binary::names::crate_of_readable;
use karat_binary::read::image::Image;
use karat_model::gates::{
    Coverage, Gate, GateState, GatesDocument, Hits, TracedRun, Via, WatchedKernel,
};
use object::{Object, ObjectSymbol};

/// What asking a gate costs at most, in seconds: a load, a compare and a branch that is
/// mispredicted now and then. A mispredicted branch alone is some 20 cycles (Fog,
/// "The microarchitecture of Intel, AMD and VIA CPUs", misprediction penalties).
const ASK: f64 = 5e-9;
/// Less of a program's time than this is not found by measurements here, whatever the
/// gate: layout alone changes more.
const SHARE: f64 = 1e-3;

/// The document, without what is known of the file as a whole.
pub(super) fn document(found: Found, watched: Option<(Watch, TracedRun)>) -> GatesDocument {
    let mut document = GatesDocument::default();
    let hits = |owner| watched.as_ref()?.0.hits(owner);
    document.gates = found.gates.map_or(Vec::new(), |sites| sites.gates);
    for (at, gate) in document.gates.iter_mut().enumerate() {
        gate.hits = hits(Owner::Gate(at));
        for (number, call) in gate.calls.iter_mut().enumerate() {
            call.hits = hits(Owner::Call(at, number));
            if let Some(guard) = &mut call.guard {
                guard.hits = hits(Owner::Guard(at, number));
            }
        }
        if let Some((_, run)) = &watched {
            judge(gate, run);
        }
    }
    if !found.kernels.is_empty() {
        let kernels = found.kernels.into_iter().map(|site| site.kernel);
        let mut kernels: Vec<WatchedKernel> = kernels.collect();
        for (at, kernel) in kernels.iter_mut().enumerate() {
            kernel.hits = hits(Owner::Kernel(at));
            kernel.supported = supported(&kernel.needs);
        }
        note_instead(&mut kernels);
        document.kernels = Some(kernels);
    }
    if !found.functions.is_empty() {
        let functions = found.functions.into_iter().enumerate();
        let functions = functions.map(|(at, sites)| {
            let mut function = sites.function;
            function.executed = hits(Owner::Function(at)).map(Hits::any);
            function
        });
        document.coverage = Some(Coverage {
            functions: functions.collect(),
            against: None,
        });
    }
    document.run = watched.map(|(_, run)| run);
    document
}

/// How often a gate was asked: by its own function, and by its inlined bodies.
fn asked(gate: &Gate) -> Hits {
    let bodies = gate.calls.iter().filter(|call| call.via != Via::Call);
    let all = bodies.filter_map(|call| call.hits).chain(gate.hits);
    all.fold(
        Hits {
            count: 0,
            exact: true,
        },
        |sum, hits| Hits {
            count: sum.count + hits.count,
            exact: sum.exact && hits.exact,
        },
    )
}

/// Says what a gate is worth.
fn judge(gate: &mut Gate, run: &TracedRun) {
    let asked = asked(gate);
    let share = asked.count as f64 * ASK / run.user.max(1e-3);
    let state = if gate.addresses.is_empty() && gate.calls.is_empty() {
        GateState::Absent
    } else if run.loaded == 0 {
        GateState::NotLoaded
    } else if !asked.any() {
        GateState::Dead
    } else if run.counted.is_none() {
        GateState::Executed
    } else if asked.exact && share < SHARE {
        GateState::Rare
    } else {
        GateState::Hot
    };
    let guards = gate.calls.iter().filter_map(|call| call.guard.as_ref());
    let reached = guards.filter(|g| g.hits.is_some_and(Hits::any)).count();
    gate.advice = Some(match state {
        GateState::Absent => "nothing to do: the compiler has left nothing of it".into(),
        GateState::NotLoaded => {
            "the run says nothing of it: the command never loaded this file".into()
        }
        GateState::Dead => {
            let guards = match reached {
                0 => String::new(),
                reached => format!(" ({reached} of the branches before it were reached)"),
            };
            format!(
                "leave it alone: this run never asks it{guards}, so it costs nothing, and to \
                 remove it only moves other code, which can cost more; a run that should ask it \
                 tells whether it is dead for good"
            )
        }
        GateState::Executed => "count how often (--count) before anything is changed".into(),
        GateState::Rare => format!(
            "leave it alone: {} asks in {:.2} s of processor time cost {:.4} % of it at most, \
             less than moved code changes",
            asked.count,
            run.user,
            share * 100.0
        ),
        GateState::Hot => "worth a measurement: build a variant with the gate as a constant and \
                           compare by `karat run` in several layouts; a gain below the layout \
                           tax is none"
            .into(),
    });
    gate.state = Some(state);
}

/// Whether this machine's CPU has all of these; none where one of them is unknown to
/// karat.
fn supported(needs: &[String]) -> Option<bool> {
    let has = karat_cpu::detect();
    let mut known = true;
    for need in needs {
        match karat_cpu::Isa::named(need) {
            Some(isa) if !has.contains(isa) => return Some(false),
            Some(_) => {}
            // Every x86-64 CPU has them.
            None if matches!(need.as_str(), "sse" | "sse2" | "x86-64") => {}
            None => known = false,
        }
    }
    known.then_some(true)
}

/// How wide the registers of an instruction set are, roughly: 3 for AVX-512, 2 for AVX,
/// 1 for the rest.
fn width(needs: &[String]) -> u32 {
    let of = |need: &String| match need.as_str() {
        need if need.starts_with("avx512") => 3,
        need if need.starts_with("avx") || matches!(need, "fma" | "vaes" | "vpclmulqdq") => 2,
        _ => 1,
    };
    needs.iter().map(of).max().unwrap_or(0)
}

/// The library, crate or package that code belongs to, as far as its name tells.
fn family(kernel: &WatchedKernel) -> Option<String> {
    if let Some((library, _)) = kernel.known_as.as_ref().and_then(|k| k.split_once(": ")) {
        return Some(library.to_owned());
    }
    if let Some(krate) = crate_of_readable(&kernel.function) {
        return Some(krate.to_owned());
    }
    // Go: `github.com/a/b.f`, `runtime.f`.
    let name = kernel.function.as_str();
    let last = name.rfind('/').map_or(0, |at| at + 1);
    let dot = name[last..].find('.')?;
    (dot > 0).then(|| name[..last + dot].to_owned())
}

/// Names, for kernels that never ran, one of their kind that did.
fn note_instead(kernels: &mut [WatchedKernel]) {
    let ran = |kernel: &WatchedKernel| kernel.hits.is_some_and(Hits::any);
    let executed: Vec<(String, u32, String)> = kernels
        .iter()
        .filter(|kernel| ran(kernel))
        .filter_map(|kernel| {
            let name = kernel.function.clone();
            Some((family(kernel)?, width(&kernel.needs), name))
        })
        .collect();
    for kernel in kernels {
        if ran(kernel) || kernel.hits.is_none() {
            continue;
        }
        let (family, width) = (family(kernel), width(&kernel.needs));
        let of_its_kind = executed
            .iter()
            .filter(|(other, wide, _)| Some(other) == family.as_ref() && *wide >= width);
        kernel.instead = of_its_kind
            .max_by_key(|(_, wide, _)| *wide)
            .map(|(_, _, name)| name.clone());
    }
}

/// Adds what limits the answer.
pub(super) fn notes(image: &Image<'_>, document: &mut GatesDocument) {
    let Some(run) = &document.run else {
        return;
    };
    let notes = &mut document.notes;
    if run.loaded == 0 {
        notes.push(format!(
            "the command never loaded {}: nothing is known of what it executes there",
            document.binary
        ));
    }
    if run.left_running > 0 {
        notes.push(format!(
            "{} threads still ran when the command ended; what they executed later was not seen",
            run.left_running
        ));
    }
    let traces = image
        .file
        .symbols()
        .chain(image.file.dynamic_symbols())
        .any(|symbol| symbol.is_undefined() && symbol.name() == Ok("ptrace"));
    if traces {
        notes.push(
            "the file calls ptrace: to trace, or to be traced by another, fails in a process \
             that karat traces"
                .into(),
        );
    }
    if !run.succeeded() && run.planted > 0 {
        notes.push(
            "the command did not end well. If it does without karat: a program that checks or \
             copies its own code finds breakpoints in it, one that traces itself is refused, and \
             set-user-id programs run without their privileges"
                .into(),
        );
    }
}
