//! States of kernels that are reached in known ways.

use crate::build::{Built, cc, rust_file};
use crate::decided::{self, Must};
use crate::truth::{self, Claim};
use karat_audit::{Baseline, checks, leaks, searched};
use karat_model::audit::BinaryAudit;
use karat_model::finding::{Finding, Severity};
use karat_model::leaks::{AboveBaseline, Certainty, GateKind, LeakReport, Reach};

fn report(program: &Built) -> LeakReport {
    let baseline = Baseline::parse("x86-64").expect("a level");
    searched(&program.bytes, &baseline).expect("a sound binary")
}

fn function<'r>(report: &'r LeakReport, name: &str) -> &'r AboveBaseline {
    let found = report.functions.iter().find(|f| f.function.contains(name));
    found.unwrap_or_else(|| panic!("{name} in {report:#?}"))
}

fn findings(report: LeakReport) -> Vec<Finding> {
    let audit = BinaryAudit {
        leaks: Some(report),
        ..BinaryAudit::default()
    };
    checks::run_single(None, "program", &audit)
}

/// The C fixture in one of its ways, with and without optimisation and symbols.
fn ways(way: &str, test: impl Fn(&LeakReport, &str)) {
    let way = format!("-D{way}");
    for flags in [
        &["-O2"][..],
        &["-O3", "-fno-pie", "-no-pie"],
        &["-O1"],
        &["-O0"],
        &["-O2", "-s"],
        &["-O2", "-Wl,-z,pack-relative-relocs"],
    ] {
        let mut all = vec![way.as_str()];
        all.extend(flags);
        test(&report(&cc("leaks.c", &all)), &format!("{all:?}"));
    }
}

#[test]
fn a_kernel_behind_a_gate_is_guarded() {
    for (way, kind) in [
        ("SUPPORTS", GateKind::Branch),
        ("CPUID", GateKind::Branch),
        ("CLONES", GateKind::Ifunc),
        ("POINTER", GateKind::Pointer),
        ("TABLE", GateKind::Pointer),
    ] {
        ways(way, |report, flags| {
            assert_eq!(report.counts.leaks, 0, "{flags}: {report:#?}");
            assert_eq!(report.counts.unknown, 0, "{flags}: {report:#?}");
            assert_eq!(report.counts.guarded, 1, "{flags}: {report:#?}");
            let gates: Vec<_> = report.functions.iter().flat_map(|f| &f.gates).collect();
            assert!(
                gates.iter().any(|gate| gate.kind == kind),
                "{flags}: {report:#?}"
            );
        });
    }
}

#[test]
fn a_table_is_guarded_by_an_index_that_was_picked() {
    ways("PICKED", |report, flags| {
        assert_eq!(report.counts.leaks, 0, "{flags}: {report:#?}");
        // Unoptimised code keeps the index in memory, where it is not followed.
        if flags.contains("-O0") {
            return;
        }
        assert_eq!(report.counts.unknown, 0, "{flags}: {report:#?}");
        let kernel = &report.functions[0];
        // That the index fits the CPU is not shown.
        assert!(kernel.confidence < Certainty::High, "{flags}: {kernel:#?}");
        let gates = &kernel.gates;
        assert!(
            gates.iter().any(|gate| gate.kind == GateKind::Pointer),
            "{flags}: {kernel:#?}"
        );
    });
}

#[test]
fn a_table_is_not_guarded_when_somebody_calls_by_a_plain_index() {
    for flags in [
        &["-O2"][..],
        &["-O3", "-fno-pie", "-no-pie"],
        &["-O1"],
        &["-O0"],
        &["-O2", "-s"],
    ] {
        let mut all = vec!["-DPICKED", "-DGIVEN"];
        all.extend(flags);
        let report = report(&cc("leaks.c", &all));
        assert_eq!(report.counts.unknown, 1, "{all:?}: {report:#?}");
    }
}

#[test]
fn a_table_that_is_a_trait_object_too() {
    for strip in ["-Cstrip=none", "-Cstrip=symbols"] {
        for (way, guarded) in [("table", true), ("table_given", false)] {
            for level in ["-Copt-level=3", "-Copt-level=2"] {
                let report = report(&rust_file("leaks.rs", &["--cfg", way, strip, level]));
                assert_eq!(report.counts.leaks, 0, "{way} {strip} {level}: {report:#?}");
                let unknown = report.counts.unknown > 0;
                assert_eq!(unknown, !guarded, "{way} {strip} {level}: {report:#?}");
            }
        }
    }
}

#[test]
fn a_kernel_that_is_called_without_a_question_leaks() {
    ways("DIRECT", |report, flags| {
        assert_eq!(report.counts.leaks, 1, "{flags}: {report:#?}");
        let leak = &report.functions[0];
        assert_eq!(leak.reach, Reach::Leak);
        assert!(
            leak.first.extensions.iter().all(|e| e.starts_with("avx")),
            "{leak:#?}"
        );
        assert!(leak.path.len() >= 2, "{leak:#?}");
        assert_eq!(leak.path.last().unwrap().address, leak.first.address);
    });
}

#[test]
fn the_path_has_names_and_lines() {
    let report = report(&cc("leaks.c", &["-O2", "-g"]));
    let leak = function(&report, "kernel_avx2");
    let names: Vec<_> = leak
        .path
        .iter()
        .map(|step| step.function.as_str())
        .collect();
    assert_eq!(names, ["main", "work", "kernel_avx2"], "{leak:#?}");
    let place = leak.first.location.as_ref().expect("a line");
    assert!(
        place.file.ends_with("leaks.c") && place.line.is_some(),
        "{place:?}"
    );
    let all = findings(report.clone());
    assert_eq!(all.len(), 1, "{all:#?}");
    let found = &all[0];
    assert_eq!(
        (found.code.as_str(), found.severity),
        ("KA010", Severity::Error)
    );
    assert!(
        found.message.contains("main → work → kernel_avx2"),
        "{found:?}"
    );
    assert_eq!(found.location.as_ref(), Some(place));
    assert!(!found.message.contains("confidence"), "{found:?}");
}

#[test]
fn what_is_only_supposed_is_a_warning_that_says_so() {
    let mut report = report(&cc("leaks.c", &["-O2"]));
    for (sure, severity, word) in [
        (Certainty::Medium, Severity::Error, "medium confidence"),
        (Certainty::Low, Severity::Warning, "low confidence"),
    ] {
        report.functions[0].confidence = sure;
        let all = findings(report.clone());
        assert_eq!((all.len(), all[0].severity), (1, severity), "{all:#?}");
        assert!(all[0].message.contains(word), "{all:#?}");
    }
}

#[test]
fn a_check_before_the_call_is_no_gate_if_both_ways_lead_there() {
    ways("AFTER", |report, flags| {
        assert_eq!(report.counts.leaks, 1, "{flags}: {report:#?}");
    });
}

#[test]
fn a_dispatcher_above_the_baseline_is_told_apart() {
    let report = report(&cc("leaks.c", &["-O2", "-DDISPATCHER"]));
    let leak = function(&report, "work");
    assert_eq!(leak.reach, Reach::Leak, "{report:#?}");
    assert!(leak.is_dispatcher, "{leak:#?}");
    assert_eq!(function(&report, "kernel_avx2").reach, Reach::Guarded);
    let codes: Vec<_> = findings(report).iter().map(|f| f.code.clone()).collect();
    assert_eq!(codes, ["KA011"]);
}

#[test]
fn what_cannot_be_seen_is_unknown() {
    for (way, reason) in [("BLIND", "pointer"), ("FLAG", "flag")] {
        let report = report(&cc("leaks.c", &["-O2", &format!("-D{way}")]));
        let kernel = function(&report, "kernel_avx2");
        assert_eq!(kernel.reach, Reach::Unknown, "{report:#?}");
        assert!(kernel.reason.contains(reason), "{kernel:#?}");
        let all = findings(report);
        assert_eq!(all.len(), 1, "{all:#?}");
        assert_eq!(
            (all[0].code.as_str(), all[0].severity),
            ("KA012", Severity::Note)
        );
    }
}

#[test]
fn an_exported_kernel_is_its_callers_duty() {
    let library = cc(
        "leaks.c",
        &["-O2", "-DSUPPORTS", "-DLIBRARY", "-shared", "-fPIC"],
    );
    let report = report(&library);
    assert_eq!(
        function(&report, "kernel_avx2").reach,
        Reach::Exported,
        "{report:#?}"
    );
    let all = findings(report);
    assert_eq!(all.len(), 1, "{all:#?}");
    assert!(all[0].message.contains("callers' duty"), "{all:#?}");
}

#[test]
fn assembly_without_sizes_and_unwind_entries() {
    for flags in [&[][..], &["-s"]] {
        let report = report(&cc("leaks.s", flags));
        assert_eq!(report.counts.leaks, 1, "{report:#?}");
        assert_eq!(report.counts.guarded, 1, "{report:#?}");
    }
}

#[test]
fn rust_detection_is_seen() {
    for strip in ["-Cstrip=none", "-Cstrip=symbols"] {
        for (way, leaked) in [("detected", 0), ("once", 0), ("direct", 1)] {
            let report = report(&rust_file("leaks.rs", &["--cfg", way, strip]));
            assert_eq!(report.counts.leaks, leaked, "{way} {strip}: {report:#?}");
            assert_eq!(report.counts.unknown, 0, "{way} {strip}: {report:#?}");
            assert!(report.counts.above >= 1, "{way} {strip}: {report:#?}");
        }
    }
}

#[test]
fn a_baseline_that_has_it_has_no_leak() {
    let program = cc("leaks.c", &["-O2"]);
    let baseline = Baseline::parse("x86-64-v3").expect("a level");
    let report = leaks(&program.bytes, &baseline).expect("a sound binary");
    assert_eq!(report.counts.above, 0, "{report:#?}");
    assert!(findings(report).is_empty());
}

#[test]
fn a_file_built_for_more_is_one_finding() {
    let program = rust_file("leaks.rs", &["--cfg", "detected", "-Ctarget-cpu=x86-64-v3"]);
    let report = report(&program);
    // The standard library is compiled for the baseline; only `main` is not.
    assert!(report.built_for.is_none(), "{report:#?}");
    let mut many = report.clone();
    many.built_for = Some(karat_model::leaks::BuiltFor {
        level: "x86-64-v3".into(),
        functions: 500,
    });
    let all = findings(many);
    assert_eq!(all.len(), 1, "{all:#?}");
    assert!(
        all[0].message.contains("built for at least x86-64-v3: 500"),
        "{all:#?}"
    );
}

/// Counts of the fixture of edges: guarded, leaks, unknown.
fn edges(ways: &[&str]) -> (u64, u64, u64) {
    let ways: Vec<String> = ways.iter().map(|way| format!("-D{way}")).collect();
    let flags: Vec<&str> = ways.iter().map(String::as_str).collect();
    let counts = report(&cc("edges.S", &flags)).counts;
    assert_eq!(counts.above, 1, "{ways:?}: {counts:?}");
    (counts.guarded, counts.leaks, counts.unknown)
}

#[test]
fn what_is_too_large_to_be_looked_into_is_no_leak() {
    assert_eq!(edges(&["LARGE"]), (0, 0, 1));
}

#[test]
fn a_call_comes_back_from_what_runs_on_into_a_function_that_returns() {
    assert_eq!(edges(&["FALLS"]), (0, 1, 0));
}

#[test]
fn a_last_conditional_jump_runs_on_into_what_follows() {
    for way in ["BRANCH_OUT", "BRANCH_BACK"] {
        assert_eq!(edges(&[way]), (0, 1, 0), "{way}");
        assert_eq!(edges(&[way, "ASKS"]), (1, 0, 0), "{way}");
    }
}

#[test]
fn what_many_ways_bring_is_joined_before_it_is_looked_at() {
    assert_eq!(edges(&["JOINED"]), (1, 0, 0));
}

#[test]
fn what_is_small_is_followed_deeper() {
    assert_eq!(edges(&["DEEP"]), (1, 0, 0));
}

#[test]
fn a_table_that_is_known_to_be_picked_from_reaches_far() {
    assert_eq!(edges(&["FAR_TABLE"]), (1, 0, 0));
}

/// What callers give only takes bits from what may be an answer, or the environment's.
#[test]
fn a_pointer_by_an_answer_that_an_argument_masks() {
    for flags in ["-O2", "-O1"] {
        let masked = report(&cc("leaks.c", &[flags, "-DMASKED"]));
        let [kernel] = &masked.functions[..] else {
            panic!("{flags}: {masked:#?}");
        };
        let is = (kernel.reach, kernel.confidence);
        assert_eq!(is, (Reach::Guarded, Certainty::Low), "{flags}: {masked:#?}");
    }
}

#[test]
fn an_analysis_that_was_not_ended_shows_nothing() {
    assert_eq!(edges(&["TANGLED"]), (0, 0, 1));
}

#[test]
fn gates_that_were_not_compared_do_not_make_a_leak() {
    assert_eq!(edges(&["GATES=200"]), (1, 0, 0));
    // All were read for what they ask, though not compared as gates.
    assert_eq!(edges(&["GATES=2000"]), (1, 0, 0));
}

#[test]
fn entries_that_were_not_looked_at_are_no_gate() {
    assert_eq!(edges(&["ENTERED"]), (0, 0, 1));
}

#[test]
fn callers_that_were_not_looked_at_are_no_gate() {
    assert_eq!(edges(&["MANY"]), (0, 0, 1));
}

#[test]
fn the_vector_of_openssl_is_known_without_its_name() {
    for flags in [
        &["-O2", "-s"][..],
        &["-O1", "-s"],
        &["-O0", "-s"],
        &["-O2", "-s", "-DINLINED"],
        &["-O1", "-s", "-DINLINED"],
    ] {
        let known = report(&cc("leaks_openssl.c", flags));
        assert_eq!(known.counts.guarded, 1, "{flags:?}: {known:#?}");
        assert_eq!(known.functions[0].confidence, Certainty::High, "{known:#?}");
    }
}

#[test]
fn a_flag_that_assembly_hands_on_is_not_followed() {
    for way in ["-DHANDED", "-DUPPER"] {
        let handed = report(&cc("leaks_openssl.c", &["-O2", way]));
        let counts = &handed.counts;
        let wrong = counts.leaks + counts.insufficient;
        assert_eq!((wrong, counts.unknown), (0, 1), "{way}: {handed:#?}");
    }
}

/// Questions that a conditional move, a variable that is read twice, or the environment
/// decides.
#[test]
fn what_programs_ask_in_other_ways_is_understood() {
    decided::check(truth::cases(), 6, |name, build| {
        let dies = match (name, build) {
            ("flags-sse42", "gcc -O2" | "clang -O2") => true,
            ("flags-avx2", "gcc -O2" | "clang -O2") => false,
            ("lazy", "gcc -O0" | "gcc -O2") => false,
            ("environment-on", "gcc -O0" | "gcc -O2") => true,
            // Bits that facts do not keep of arguments.
            ("word-avx2" | "word-both" | "word-less", "gcc -O0" | "gcc -O2") => false,
            ("word-avx" | "word-sse42" | "word-slow", "gcc -O0" | "gcc -O2") => true,
            ("word-forced", "gcc -O0") => true,
            // In memory that is copied, and by what each of several tables says.
            ("word-copied" | "machine-avx2", "gcc -O0" | "gcc -O2" | "clang -O2") => false,
            ("word-copied-sse42" | "machine-sse42", "gcc -O0" | "gcc -O2") => true,
            // Behind what asks nothing of the CPU.
            ("registry-sse42", "g++ -O2") | ("rust-once-sse42", "rustc -O") => true,
            _ => return None,
        };
        Some((dies, Must::Say))
    });
}

/// Programs of the second set of which the first search that saw them claimed what is false, most
/// of it for certain, or knew nothing.
#[test]
fn what_was_claimed_falsely_of_programs_not_seen_before_is_not_claimed() {
    decided::check(truth::cases_of("unseen.txt"), 6, |name, build| {
        Some(match (name.trim_start_matches("unseen-"), build) {
            // What a routine stores of its argument is none of its reader's.
            ("global-init-bad", "g++ -O0") => (true, Must::NotDeny),
            // A `main` that takes a pointer does not call it for that; what it calls by another,
            // or a small function that reads memory, may ask.
            ("lambda-registry" | "msdn" | "singleton" | "strmap", "g++ -O0") => {
                (false, Must::NotDeny)
            }
            // A variable's initialiser is not picked by what is called through the variable.
            ("once-bad", "gcc -O2") => (true, Must::NotDeny),
            // A guess is none where a gate behind it is known not to be enough, or where all that
            // is asked is understood.
            ("once-bad", "gcc -O3 -s -static") | ("strmap-bad", "g++ -O2") => (true, Must::NotDeny),
            // What comes after a loop hangs on no branch of it.
            ("early-main-bad", "gcc -O2") => (true, Must::Say),
            // A byte of a register is asked.
            ("memo-byte", "gcc -O2") => (false, Must::Say),
            // glibc's own code is in there, without names.
            ("bitmask" | "sigill", "gcc -O3 -s -static") => (false, Must::Say),
            _ => return None,
        })
    });
}

/// Which programs die, as it was recorded.
pub(crate) fn labels() -> std::collections::HashMap<String, bool> {
    let text = std::fs::read_to_string(truth::directory().join("labels.csv")).expect("labels");
    text.lines()
        .filter_map(|line| line.rsplit_once(','))
        .map(|(case, dies)| (case.to_string(), !dies.is_empty()))
        .collect()
}

/// The programs of `tests/leaks`, as far as time allows: what really happens, on emulated
/// CPUs or as it was recorded, against what is claimed.
#[test]
fn what_is_claimed_for_certain_happens() {
    let labels = labels();
    let dir = tempfile::tempdir().expect("a temporary directory");
    let out = dir.path().join("program");
    let mut seen = 0;
    for case in truth::cases() {
        if case.build != ["gcc", "-O2"] && case.build != ["clang", "-O2"] {
            continue;
        }
        let Some(&dies) = labels.get(case.label().as_str()) else {
            continue;
        };
        if let Err(error) = truth::build(&case, &out) {
            println!("SKIPPED: {}: {error}", case.label());
            continue;
        }
        seen += 1;
        if matches!(case.name.as_str(), "direct" | "vendor" | "exits") {
            match truth::dies_on(&out) {
                Ok(on) => assert_eq!(!on.is_empty(), dies, "{}: {on:?}", case.label()),
                Err(error) => println!("SKIPPED: {}: {error}", case.label()),
            }
        }
        let (claim, report) = truth::claim(&std::fs::read(&out).expect("the program"));
        match claim {
            Claim::Dies(Certainty::High) => assert!(dies, "{}: {report:#?}", case.label()),
            Claim::Lives(Certainty::High) => assert!(!dies, "{}: {report:#?}", case.label()),
            _ => {}
        }
        // A gate that asks for less, or for something else.
        let less = [
            "supports-sse42",
            "inverted",
            "avx-before-avx2",
            "avx2-before-avx512",
            "bmi1-before-bmi2",
            "vendor",
        ];
        if less.contains(&case.name.as_str()) {
            assert!(
                matches!(claim, Claim::Dies(_)),
                "{}: {report:#?}",
                case.label()
            );
            let reach = report.functions[0].reach;
            assert_eq!(reach, Reach::Insufficient, "{}: {report:#?}", case.label());
        }
    }
    assert!(seen > 60 || labels.is_empty(), "{seen} programs");
}
