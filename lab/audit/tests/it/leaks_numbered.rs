//! Tables of kernels that a number of the CPU picks from (`fixtures/picked_by_number.c`,
//! `fixtures/said_word.c`).

use crate::by_compilers;
use karat_model::leaks::{AboveBaseline, Certainty, LeakReport, Reach};

const BUILDS: [[&str; 2]; 3] = [["cc", "-O2"], ["cc", "-O3"], ["clang", "-O2"]];
const LIBRARY: [&str; 3] = ["-shared", "-fPIC", "-fvisibility=hidden"];

/// What is found of a fixture, as IPP has it without symbols and as SVML has it with them.
fn each(name: &str, flags: &[&str], check: impl Fn(&LeakReport, &str)) {
    for like in [&["-DLIKE=0"][..], &["-DLIKE=0", "-s"], &["-DLIKE=1"]] {
        let flags = [&LIBRARY[..], like, flags].concat();
        by_compilers::each(&BUILDS, name, &flags, &check);
    }
}

/// The kernels, without what asks XGETBV.
fn kernels(report: &LeakReport) -> impl Iterator<Item = &AboveBaseline> {
    let is_kernel = |it: &&AboveBaseline| it.extensions.iter().any(|name| name.starts_with("avx"));
    report.functions.iter().filter(is_kernel)
}

#[test]
fn what_the_number_says_guards_each_element() {
    each("picked_by_number.c", &[], |report, built| {
        assert_eq!(kernels(report).count(), 2, "{built}: {report:#?}");
        for kernel in kernels(report) {
            let is_claim = kernel.reach == Reach::Guarded && kernel.confidence != Certainty::Low;
            assert!(is_claim, "{built}: {kernel:#?}");
            let features = kernel.gates.iter().all(|gate| !gate.features.is_empty());
            assert!(features, "{built}: {kernel:#?}");
        }
    });
}

/// The kernel with the longest list of needs: the one with AVX2.
fn widest(report: &LeakReport) -> &AboveBaseline {
    let most = kernels(report).max_by_key(|kernel| kernel.extensions.len());
    most.expect("a kernel")
}

/// Each was guarded by a guess, at low confidence, or for certain.
#[test]
fn wrong_numbers_guard_nothing() {
    // One number less, the same kernel for less, set without a question, and by another variable too.
    for wrong in ["1", "2", "3", "6"] {
        let wrong = format!("-DWRONG={wrong}");
        each("picked_by_number.c", &[&wrong], |report, built| {
            let kernel = widest(report);
            assert_ne!(kernel.reach, Reach::Guarded, "{built}: {kernel:#?}");
        });
    }
}

/// What guards is not the number of AVX's kernel, where AVX2's is set without a question.
#[test]
fn other_elements_stay_guarded() {
    each("picked_by_number.c", &["-DWRONG=3"], |report, built| {
        let narrow = kernels(report).min_by_key(|kernel| kernel.extensions.len());
        let narrow = narrow.expect("a kernel");
        assert_eq!(narrow.reach, Reach::Guarded, "{built}: {narrow:#?}");
    });
}

/// The number may be any: by the library's user that was guarded for certain.
#[test]
fn a_number_that_may_be_any_is_no_gate() {
    each("picked_by_number.c", &["-DWRONG=7"], |report, built| {
        for kernel in kernels(report) {
            assert_ne!(kernel.reach, Reach::Guarded, "{built}: {kernel:#?}");
        }
    });
    // What the environment may say, and what goes by the vendor, is at most a guess.
    for wrong in ["-DWRONG=4", "-DWRONG=5"] {
        each("picked_by_number.c", &[wrong], |report, built| {
            for kernel in kernels(report) {
                let is_sure = kernel.confidence != Certainty::Low;
                assert!(
                    kernel.reach != Reach::Guarded || !is_sure,
                    "{built}: {kernel:#?}"
                );
            }
        });
    }
}

/// The user may say another word than the CPU's: confidence is low.
#[test]
fn a_number_of_a_word_that_is_said_is_tried_with_the_cpu_s() {
    let flags = |wrong| [&LIBRARY[..], &[wrong]].concat();
    for more in [&[][..], &["-s"]] {
        let right = [&flags("-DWRONG=0")[..], more].concat();
        by_compilers::each(&BUILDS, "said_word.c", &right, |report, built| {
            assert_eq!(kernels(report).count(), 10, "{built}: {report:#?}");
            for kernel in kernels(report) {
                assert_eq!(kernel.reach, Reach::Guarded, "{built}: {kernel:#?}");
                // That the system keeps AVX's registers is asked of the CPU.
                let is_wide = kernel.extensions.iter().any(|name| name == "avx2");
                let is_sure = kernel.confidence != Certainty::Low;
                assert_ne!(is_wide, is_sure, "{built}: {kernel:#?}");
                let says = kernel.gates.iter().all(|gate| !gate.features.is_empty());
                assert!(says, "{built}: {kernel:#?}");
            }
        });
        // The kernels do not fit the numbers: nothing is known by them.
        let wrong = [&flags("-DWRONG=1")[..], more].concat();
        by_compilers::each(&BUILDS, "said_word.c", &wrong, |report, built| {
            for kernel in kernels(report) {
                let says = kernel.gates.iter().any(|gate| !gate.features.is_empty());
                assert!(
                    kernel.reach != Reach::Guarded || !says,
                    "{built}: {kernel:#?}"
                );
            }
        });
    }
}

/// Whoever runs before all else asked nothing, though he calls the same pointer.
#[test]
fn what_saves_registers_is_not_for_who_runs_when_a_library_is_loaded() {
    for begins in ["-DBEGINS=0", "-DBEGINS=1"] {
        let flags = [&LIBRARY[..], &["-DADDS=0", "-DGIVES=1", begins]].concat();
        by_compilers::each(&BUILDS, "saves.c", &flags, |report, built| {
            let mut all = report.functions.iter();
            let first = all.find(|it| it.function == "first").expect("a function");
            let is_theirs = first.reach == Reach::Exported;
            assert_eq!(is_theirs, begins == "-DBEGINS=0", "{built}: {first:#?}");
        });
    }
}

/// What only saves registers is its callers' to guard, and Intel's word says what the number does.
#[test]
fn what_saves_registers_is_for_who_has_something_in_them() {
    for adds in ["-DADDS=0", "-DADDS=1"] {
        let flags = [&LIBRARY[..], &[adds]].concat();
        by_compilers::each(&BUILDS, "saves.c", &flags, |report, built| {
            let of = |name: &str| {
                let mut all = report.functions.iter();
                all.find(|it| it.function == name).expect("a function")
            };
            let fast = of("fast");
            let is_claim = fast.reach == Reach::Guarded && fast.confidence != Certainty::Low;
            assert!(is_claim, "{built}: {fast:#?}");
            let first = of("first");
            let is_theirs = first.reach == Reach::Exported;
            assert_eq!(is_theirs, adds == "-DADDS=0", "{built}: {first:#?}");
            assert_ne!(first.reach, Reach::Guarded, "{built}: {first:#?}");
        });
    }
}
