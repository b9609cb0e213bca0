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
    if let Some(sites) = found.kernels {
        let kernels = sites.into_iter().map(|site| site.kernel);
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
    let state = if gate.is_absent() {
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
        GateState::Absent => {
            "nothing to do if the name is as the file spells it: the compiler has left nothing of \
             it"
            .into()
        }
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
            "leave it alone: asked {} in {:.2} s of processor time, it costs {:.4} % of it at \
             most, less than moved code changes",
            match asked.count {
                1 => "once".to_owned(),
                count => format!("{count} times"),
            },
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

/// What an extension implies, of those that kernels are chosen by: a CPU that has the
/// first of a pair has the second (x86-64 psABI, micro-architecture levels; Intel SDM
/// volume 1, chapter 15, for AVX-512).
const IMPLIES: [(&str, &str); 11] = [
    ("avx512", "avx2"),
    ("avx512", "fma"),
    ("avx2", "avx"),
    ("fma", "avx"),
    ("f16c", "avx"),
    ("vaes", "avx"),
    ("vpclmulqdq", "avx"),
    ("avx", "sse4.2"),
    ("sse4.2", "sse4.1"),
    ("sse4.1", "ssse3"),
    ("ssse3", "sse3"),
];

/// Whether code that needs `these` is no lesser choice than code that needs `those`.
fn covers(these: &[String], those: &[String]) -> bool {
    let mut has: Vec<&str> = these.iter().map(String::as_str).collect();
    for (more, less) in IMPLIES {
        let is_family = |name: &&str| *name == more || more == "avx512" && name.starts_with(more);
        if has.iter().any(is_family) {
            has.push(less);
        }
    }
    let baseline = |name: &str| matches!(name, "sse" | "sse2" | "x86-64");
    those
        .iter()
        .all(|need| baseline(need) || has.contains(&need.as_str()))
}

/// The library, and the crate or package, that code belongs to, as far as is known.
fn families(kernel: &WatchedKernel) -> Vec<String> {
    let library = kernel.known_as.as_ref().and_then(|k| k.split_once(": "));
    let mut out: Vec<String> = library
        .into_iter()
        .map(|(name, _)| name.to_owned())
        .collect();
    let name = kernel.function.as_str();
    // Go: `github.com/a/b.f`, `runtime.f`.
    let last = name.rfind('/').map_or(0, |at| at + 1);
    let package = name[last..].find('.').filter(|dot| *dot > 0);
    let package = package.map(|dot| &name[..last + dot]);
    out.extend(crate_of_readable(name).or(package).map(str::to_owned));
    out
}

/// Names, for kernels that never ran, one of their kind that did.
fn note_instead(kernels: &mut [WatchedKernel]) {
    let ran = |kernel: &WatchedKernel| kernel.hits.is_some_and(Hits::any);
    let executed: Vec<WatchedKernel> = kernels.iter().filter(|k| ran(k)).cloned().collect();
    for kernel in kernels {
        if ran(kernel) || kernel.hits.is_none() {
            continue;
        }
        let own = families(kernel);
        let of_its_kind = executed.iter().find(|other| {
            let related = families(other).iter().any(|family| own.contains(family));
            related && covers(&other.needs, &kernel.needs)
        });
        kernel.instead = of_its_kind.map(|other| other.function.clone());
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
    let has_names = image.file.symbols().next().is_some() || image.debug.is_some();
    if document.coverage.is_some() && !has_names {
        notes.push(
            "the file has no symbols: functions are those of its unwind table, where a part that \
             was moved away from its function counts as one of its own, entered at its start only"
                .into(),
        );
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

#[cfg(test)]
mod tests {
    use super::{covers, families, judge, note_instead};
    use karat_model::gates::{Gate, GateCall, GateState, Hits, TracedRun, Via, WatchedKernel};

    fn words(list: &[&str]) -> Vec<String> {
        list.iter().map(|word| (*word).to_owned()).collect()
    }

    fn kernel(function: &str, needs: &[&str], count: u64) -> WatchedKernel {
        WatchedKernel {
            function: function.into(),
            needs: words(needs),
            supported: Some(true),
            hits: Some(Hits { count, exact: true }),
            ..WatchedKernel::default()
        }
    }

    #[test]
    fn a_wider_kernel_covers_a_narrower_one() {
        let covers = |a: &[&str], b: &[&str]| covers(&words(a), &words(b));
        assert!(covers(&["avx2"], &["ssse3", "sse2"]));
        assert!(covers(&["avx512bw"], &["avx", "avx2", "fma"]));
        assert!(!covers(&["avx2"], &["gfni"]));
        assert!(!covers(&["ssse3"], &["avx"]));
        assert!(!covers(&["avx2"], &["avx512f"]));
        assert!(covers(&[], &["sse2"]));
    }

    #[test]
    fn a_dispatcher_that_stays_below_is_not_excused() {
        // What klauspost/reedsolomon 1.14.2 does in one goroutine on a CPU with GFNI.
        let package = "github.com/klauspost/reedsolomon";
        let mut kernels = [
            kernel(&format!("{package}.mulGFNI_10x3_64"), &["gfni", "avx2"], 0),
            kernel(&format!("{package}.mulAvxTwo_10x3_64"), &["avx", "avx2"], 1),
            kernel(&format!("{package}.mulSSSE3_10x3"), &["ssse3"], 0),
            kernel("other::avx2::f", &["avx2"], 0),
        ];
        note_instead(&mut kernels);
        let idle: Vec<bool> = kernels.iter().map(WatchedKernel::is_idle).collect();
        assert_eq!(idle, [true, false, false, true]);
        assert_eq!(families(&kernels[3]), ["other"]);
        assert_eq!(families(&kernels[0]), [package]);
    }

    fn gate(calls: &[(Via, u64)], own: Option<u64>) -> Gate {
        let hits = |count| Hits { count, exact: true };
        Gate {
            name: "gate".into(),
            addresses: own.iter().map(|_| 16).collect(),
            instructions: 3,
            calls: calls
                .iter()
                .map(|(via, count)| GateCall {
                    caller: "f".into(),
                    address: 32,
                    via: *via,
                    location: None,
                    guard: None,
                    dead: None,
                    hits: Some(hits(*count)),
                })
                .collect(),
            pointers: 0,
            caveat: None,
            summary: String::new(),
            hits: own.map(hits),
            state: None,
            advice: None,
        }
    }

    #[test]
    fn a_gate_is_judged_by_its_share_of_the_time() {
        let run = |loaded, counted| TracedRun {
            user: 1.0,
            loaded,
            counted,
            ..TracedRun::default()
        };
        let state = |mut gate: Gate, run: &TracedRun| {
            judge(&mut gate, run);
            assert!(gate.advice.is_some());
            gate.state
        };
        let counted = run(1, Some(1_000_000));
        let all = [
            (gate(&[], None), &counted, GateState::Absent),
            (gate(&[(Via::Call, 0)], Some(0)), &counted, GateState::Dead),
            // 5 ns each: a thousandth of a second at 200 000.
            (gate(&[], Some(199_000)), &counted, GateState::Rare),
            (gate(&[], Some(201_000)), &counted, GateState::Hot),
            (
                gate(&[(Via::Inlined, 201_000)], None),
                &counted,
                GateState::Hot,
            ),
            // Calls are counted by the function that they reach.
            (
                gate(&[(Via::Call, 201_000)], Some(7)),
                &counted,
                GateState::Rare,
            ),
            (gate(&[], Some(1)), &run(1, None), GateState::Executed),
            (gate(&[], Some(0)), &run(0, None), GateState::NotLoaded),
        ];
        for (gate, run, expected) in all {
            assert_eq!(state(gate.clone(), run), Some(expected), "{gate:?}");
        }
    }
}
