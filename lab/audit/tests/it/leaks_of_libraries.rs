//! States in shared libraries: what they export, and what all of a file was built for.

use crate::build::cc;
use karat_audit::{Baseline, Vouched, leaks, leaks_vouched, said};
use karat_model::leaks::{Certainty, LeakReport, Reach};

fn report(fixture: &str, flags: &[&str]) -> LeakReport {
    let library = cc(fixture, &[&["-shared", "-fPIC"][..], flags].concat());
    let baseline = Baseline::parse("x86-64").expect("a level");
    leaks(&library.bytes, &baseline).expect("a sound binary")
}

#[test]
fn a_library_that_was_compiled_for_more_is_not_searched() {
    let report = report("whole.c", &["-O2", "-march=x86-64-v3"]);
    let built = report.built_for.as_ref().expect("a level");
    assert_eq!(built.level, "x86-64-v3");
    assert!(report.counts.above >= 1100, "{:?}", report.counts);
    assert_eq!(report.counts.unknown, report.counts.above);
    assert_eq!(report.functions.len(), LeakReport::LISTED);
    let [obstacle] = &report.obstacles[..] else {
        panic!("{:#?}", report.obstacles);
    };
    assert_eq!(obstacle.functions, report.counts.above);
    assert!(obstacle.decide.contains("--isa x86-64-v3"), "{obstacle:?}");
}

#[test]
fn a_library_with_two_variants_is_not_built_for_one() {
    let report = report("whole.c", &["-O2", "-DVARIANTS"]);
    assert_eq!(report.counts.unknown, 1100, "{:?}", report.counts);
    assert_eq!(report.built_for, None);
}

/// What is called from everywhere is there for the answer where it is small and given nothing.
#[test]
fn what_everybody_asks_is_a_gate() {
    let state = |flags: &[&str]| {
        let report = report("everywhere.c", flags);
        let [kernel] = &report.functions[..] else {
            panic!("{flags:?}: {report:#?}");
        };
        (kernel.reach, kernel.confidence)
    };
    assert_eq!(state(&["-O0"]), (Reach::Guarded, Certainty::Low));
    assert_eq!(state(&["-O0", "-DALWAYS"]).0, Reach::Leak);
    assert_eq!(state(&["-O0", "-DASKED=\"avx2\""]).0, Reach::Guarded);
    // A wrong gate; where compilers optimise, what picks is not followed.
    for (flags, known) in [("-O0", Reach::Insufficient), ("-O2", Reach::Unknown)] {
        assert_eq!(state(&[flags, "-DASKED=\"sse4.2\""]).0, known, "{flags}");
    }
}

#[test]
fn what_a_function_does_not_take_is_left_over() {
    let state = |more: &[&str]| {
        let report = report("left_over.c", &[&["-O2"], more].concat());
        let [kernel] = &report.functions[..] else {
            panic!("{more:?}: {report:#?}");
        };
        (kernel.reach, kernel.confidence)
    };
    assert_eq!(state(&[]), (Reach::Guarded, Certainty::High));
    let wrong = state(&["-DASKED=\"sse4.2\""]).0;
    assert_eq!(wrong, Reach::Insufficient);
    // Others may take more.
    assert_eq!(state(&["-DCALLED=\"other\""]).0, Reach::Unknown);
}

#[test]
fn what_a_name_says_is_there_where_it_is_called() {
    let report = report("parts.c", &["-O2"]);
    let [kernel] = &report.functions[..] else {
        panic!("{report:#?}");
    };
    let is = (kernel.reach, kernel.confidence);
    assert_eq!(is, (Reach::Guarded, Certainty::Low), "{report:#?}");
}

#[test]
fn an_exported_kernel_does_not_leak_by_itself() {
    for (flags, expected) in [
        (&["-O2"][..], Reach::Unknown),
        (&["-O2", "-DWRONG"][..], Reach::Leak),
    ] {
        let report = report("exported.c", flags);
        let [kernel] = &report.functions[..] else {
            panic!("{report:#?}");
        };
        assert_eq!(kernel.reach, expected, "{flags:?} {kernel:#?}");
    }
}

#[test]
fn a_way_into_an_exported_kernel_proves_less() {
    let sure = |flags: &[&str]| {
        let report = report("exports.c", flags);
        let kernel = report.functions.iter().find(|f| f.function == "kernel");
        let kernel = kernel.unwrap_or_else(|| panic!("{report:#?}"));
        assert_eq!(kernel.reach, Reach::Leak, "{report:#?}");
        kernel.confidence
    };
    assert_eq!(sure(&["-O3"]), Certainty::High);
    assert_eq!(sure(&["-O3", "-DFORWARDS"]), Certainty::Medium);
}

/// Who knows that AVX2 is there does not ask for SSE4.2; for AES they may.
#[test]
fn a_gate_in_a_library_that_asks_for_something_else_proves_less() {
    let sure = |asks: &str| {
        let report = report("exports.c", &["-O3", &format!("-DASKS=\"{asks}\"")]);
        let [kernel] = &report.functions[..] else {
            panic!("{report:#?}");
        };
        assert_eq!(kernel.reach, Reach::Insufficient, "{asks}: {report:#?}");
        kernel.confidence
    };
    assert_eq!(sure("sse4.2"), Certainty::High);
    assert_eq!(sure("aes"), Certainty::Medium);
}

#[test]
fn a_table_that_the_first_instruction_names_is_followed() {
    let report = report("exports.c", &["-O3", "-fcf-protection=none", "-DTABLE"]);
    let [kernel] = &report.functions[..] else {
        panic!("{report:#?}");
    };
    assert_eq!(kernel.reach, Reach::Unknown);
    assert!(kernel.reason.contains("PyInit_module"), "{report:#?}");
}

/// Nobody asks before an interpreter loads a module, unless its name says for what CPU it is.
#[test]
fn what_an_interpreter_calls_of_a_module_runs_unasked() {
    for (name, expected) in [
        ("PyInit_module", Reach::Leak),
        ("PyInit_module_avx2", Reach::Exported),
        ("luaopen_module", Reach::Leak),
        ("module", Reach::Exported),
    ] {
        let report = report("exports.c", &["-O3", &format!("-DMODULE={name}")]);
        assert_eq!(report.functions.len(), 2, "{report:#?}");
        for function in &report.functions {
            assert_eq!(function.reach, expected, "{name}: {report:#?}");
            let is_sure = function.confidence == Certainty::High;
            assert!(expected != Reach::Leak || !is_sure, "{report:#?}");
        }
    }
}

#[test]
fn what_a_module_names_in_its_slots_is_called() {
    let kernel = |slot: &str| {
        let report = report("exports.c", &["-O3", &format!("-DSLOTS={slot}")]);
        let [kernel] = &report.functions[..] else {
            panic!("{report:#?}");
        };
        (kernel.reach, kernel.confidence)
    };
    let execute = "2";
    assert_eq!(kernel(execute), (Reach::Leak, Certainty::Medium));
    let multiple_interpreters = "3";
    assert_eq!(kernel(multiple_interpreters).0, Reach::Unknown);
}

#[test]
fn a_user_says_that_a_dispatcher_asks() {
    let library = cc("chooses.c", &["-shared", "-fPIC", "-O3"]);
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let state = |word: &str| {
        let mut vouched = Vouched::default();
        if !word.is_empty() {
            let (name, says) = said(word).expect("a word");
            vouched.function(name, says);
        }
        let report = leaks_vouched(&library.bytes, &baseline, &vouched).expect("a sound binary");
        let [kernel] = &report.functions[..] else {
            panic!("{report:#?}");
        };
        (kernel.reach, kernel.confidence, report.obstacles.clone())
    };
    let (reach, _, obstacles) = state("");
    assert_eq!(reach, Reach::Unknown);
    // The report names what can be said of it.
    assert!(obstacles[0].what.contains("fill_bodies"), "{obstacles:?}");
    assert!(
        obstacles[0].decide.contains("--gate-function"),
        "{obstacles:?}"
    );
    for word in ["fill_bodies", "fill_bodies=avx2"] {
        assert_eq!(state(word).0, Reach::Guarded, "{word}");
        // It is a user's word, not what was seen.
        assert_eq!(state(word).1, Certainty::Medium, "{word}");
    }
    for word in ["fill_bodies=sse4.2", "plain"] {
        assert_eq!(state(word).0, Reach::Unknown, "{word}");
    }
}

#[test]
fn a_function_that_libraries_are_known_to_ask_is_a_gate() {
    let state = |flags: &[&str]| {
        let report = report("numbered.c", &[&["-O2"], flags].concat());
        let kernels = report.functions.iter();
        let kernels: Vec<_> = kernels.filter(|f| f.function == "kernel").collect();
        let [kernel] = kernels[..] else {
            panic!("{report:#?}");
        };
        (kernel.reach, kernel.confidence)
    };
    assert_eq!(state(&[]), (Reach::Guarded, Certainty::Medium));
    // By its name alone: nothing else of it is understood.
    assert_eq!(state(&["-DASKS=some_function"]).0, Reach::Unknown);
}

#[test]
fn an_address_that_is_only_compared_with_goes_nowhere() {
    let state = |flags: &[&str]| {
        let hidden = ["-O2", "-fvisibility=hidden", "-Wl,--no-relax"];
        let report = report("compared.c", &[&hidden, flags].concat());
        let mut kernels = report.functions.iter().filter(|f| f.function == "kernel");
        let kernel = kernels.next().expect("the kernel is above");
        (kernel.reach, format!("{report:#?}"))
    };
    let (reach, report) = state(&[]);
    assert_eq!(reach, Reach::Unknown, "{report}");
    assert!(report.contains("no code is seen to call from"), "{report}");
    let (reach, report) = state(&["-DCHOOSES"]);
    assert_eq!(reach, Reach::Guarded, "{report}");
}

/// Functions that are taken by the bits of a word which the library's user hands in: guarded
/// where the bits are those that the library itself sets, and else not known.
#[test]
fn a_word_that_a_user_hands_in_is_known_by_what_is_taken_by_it() {
    for (far, guarded) in [("HAS_AVX2", 9), ("HAS_SSE42", 0), ("(1<<20)", 0)] {
        for level in ["-O2", "-O3"] {
            let report = report("installers.c", &[level, &format!("-DFAR={far}")]);
            let counts = &report.counts;
            assert_eq!(counts.guarded, guarded, "{far} {level}: {report:#?}");
            assert_eq!(counts.unknown, 9 - guarded, "{far} {level}: {report:#?}");
            let sure = report.functions.iter().map(|it| it.confidence).max();
            assert!(sure < Some(Certainty::High), "{report:#?}");
        }
    }
}

/// The same where what is taken needs nothing, but hands out what does.
#[test]
fn a_word_is_known_by_what_is_handed_out_by_what_is_taken_by_it() {
    let all = [
        ("HAS_AVX2", 16),
        ("HAS_SSE42", 0),
        ("(1<<20)", 0),
        // Beside much that hands out nothing.
        ("HAS_AVX2 -s -DCROWD -fno-toplevel-reorder", 16),
    ];
    for (far, guarded) in all {
        let flags = format!("-O2 -DFAR={far}");
        let flags: Vec<&str> = flags.split(' ').collect();
        let report = report("handed_out.c", &flags);
        let counts = &report.counts;
        assert_eq!(counts.guarded, guarded, "{far}: {report:#?}");
        assert_eq!(counts.unknown, 16 - guarded, "{far}: {report:#?}");
        let sure = report.functions.iter().map(|it| it.confidence).max();
        assert!(sure < Some(Certainty::High), "{report:#?}");
    }
}

/// A word of flags in a member that a text of the user's may replace: a guess, and none where
/// the bits that are asked for do not imply what is needed, or all may be ones.
#[test]
fn a_member_that_a_word_is_kept_in_is_asked_for_the_cpu() {
    let state = |flag: &str| {
        let report = report("kept_word.c", &["-O2", flag]);
        let mut kernels = report.functions.iter().filter(|f| f.function == "kernel");
        let kernel = kernels.next().expect("the kernel is above");
        (kernel.reach, kernel.confidence)
    };
    assert_eq!(state("-DMASK=ISA_AVX2"), (Reach::Guarded, Certainty::Low));
    for wrong in [
        "-DMASK=ISA_AVX",
        "-DMASK=(ISA_AVX2&~AVX2)",
        "-DMASK=1024",
        "-DALL_ONES",
    ] {
        assert_ne!(state(wrong).0, Reach::Guarded, "{wrong}");
    }
}
