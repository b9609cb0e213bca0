//! What symbolic execution makes of instructions, against the CPU: a program's sum is computed
//! by the CPU first, then a build whose kernel runs where the sum is that must be found to run
//! it, and one that asks for another sum must not be (`fixtures/symbolic.c`).

use crate::build::{Built, try_by};
use karat_audit::Baseline;
use karat_binary::read::image::Image;
use karat_flow::classes::Classes;
use karat_flow::facts::vouched::Vouched;
use karat_flow::program::Program;
use karat_symbolic::{Found, Questions, Sure};
use std::process::Command;

const FILE: &str = "symbolic.c";
/// Code of many elements at once is not followed, nor what GCC keeps in vector registers over
/// calls (`-fipa-ra`): these builds have none.
const SCALAR: [&str; 2] = ["-fno-tree-vectorize", "-fno-tree-slp-vectorize"];
const LEVELS: [&str; 4] = ["-O0", "-O1", "-O2", "-O3"];

/// For CPUs with AVX2.
const NEW: &str = "-march=x86-64-v3";

/// What is found of a program, asked for these routines.
pub fn explored(built: &Built, baseline: &Baseline, asked: &[u32]) -> Found {
    let questions = Questions {
        asked: asked.to_vec(),
        ..Questions::default()
    };
    answered(built, baseline, &questions)
}

/// The same, asked all of this.
pub fn answered(built: &Built, baseline: &Baseline, questions: &Questions) -> Found {
    let image = Image::parse_linked_x86(&built.bytes, "the test").expect("a linked program");
    let mut program = Program::read(&image).expect("a sound program");
    let vouched = Vouched::default();
    program.vouch(&vouched);
    let classes = Classes::new(baseline);
    let sweep = karat_leaks::sweep(&mut program, &classes);
    karat_symbolic::explore(&image, &program, &sweep, &classes, questions)
}

/// How sure it is that a CPU of the baseline comes to the kernel; none if none does.
fn death(found: &Found) -> Option<Sure> {
    let deaths = found.routines.values().filter_map(|r| r.death.as_ref());
    deaths.map(|death| death.sure).max()
}

/// The sum that the CPU computes.
fn computed(built: &Built) -> u64 {
    let output = Command::new(&built.path).output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("a number");
    text.trim().parse().expect("a number")
}

/// One build of a part. `must` says that the sum must be known; else it only may not be wrong.
fn check(compiler: &str, flags: &[&str], must: bool) -> Option<()> {
    let said = format!("{compiler} {flags:?}");
    let level = match flags.contains(&NEW) {
        true => "x86-64-v3",
        false => "x86-64-v2",
    };
    let baseline = Baseline::parse(level).expect("a level");
    let sum = computed(&try_by(compiler, FILE, flags)?);
    let with = |sum: u64| {
        let expected = format!("-DEXPECTED={sum}u");
        try_by(compiler, FILE, &[flags, &[&expected]].concat()).expect("built before")
    };
    let (right, wrong) = (with(sum), with(sum.wrapping_add(1)));
    let (found, other) = (
        explored(&right, &baseline, &[]),
        explored(&wrong, &baseline, &[]),
    );
    let known = |found: &Found| format!("{said}: lost {:x?}, steps {}", found.lost, found.steps);
    // The way that the CPU takes is never lost unsaid, and no other is said to be sure.
    let is_reached = death(&found).is_some() || !found.is_complete;
    assert!(is_reached, "{} {found:#?}", known(&found));
    assert_ne!(death(&other), Some(Sure::Yes), "{}", known(&other));
    if must {
        assert_eq!(death(&found), Some(Sure::Yes), "{}", known(&found));
        assert_eq!(death(&other), None, "{}", known(&other));
        assert!(other.is_complete, "{}", known(&other));
    }
    Some(())
}

fn part(number: u32) {
    part_by(number, ["gcc", "clang"], &LEVELS, &["-O2", "-O3"]);
}

/// Headers of C++ take long to compile: two levels.
fn part_of_cpp(number: u32) {
    part_by(number, ["g++", "clang++"], &["-O0", "-O2"], &[]);
}

/// By levels without vectors, of which the sum must be known, and by others.
fn part_by(number: u32, compilers: [&str; 2], scalar: &[&str], others: &[&str]) {
    let define = format!("-DPART={number}");
    let mut checked = 0;
    for compiler in compilers {
        for &level in scalar {
            let mut flags = [&[define.as_str(), level], &SCALAR[..]].concat();
            if compiler.starts_with('g') {
                flags.push("-fno-ipa-ra");
            }
            checked += usize::from(check(compiler, &flags, true).is_some());
        }
        for level in others {
            let flags = [define.as_str(), level];
            checked += usize::from(check(compiler, &flags, false).is_some());
        }
    }
    // One compiler is always there.
    let least = scalar.len() + others.len();
    assert!(checked >= least, "{checked} builds");
}

#[test]
fn sums_and_comparisons_are_as_the_cpu_has_them() {
    part(1);
}

#[test]
fn shifts_are_as_the_cpu_has_them() {
    part(2);
}

#[test]
fn products_are_as_the_cpu_has_them() {
    part(3);
}

#[test]
fn counts_and_fields_are_as_the_cpu_has_them() {
    part(4);
}

#[test]
fn memory_and_texts_are_as_the_cpu_has_them() {
    part(5);
}

#[test]
fn floating_point_is_as_the_cpu_has_it() {
    part(6);
}

#[test]
fn calls_and_atomic_operations_are_as_the_cpu_has_them() {
    part(7);
}

#[test]
fn what_is_sorted_searched_and_printed_is_as_the_cpu_has_it() {
    part(8);
}

/// Which of them is the first is not known: the kernel may be come to.
#[test]
fn what_is_sorted_by_what_is_not_known_is_not_known() {
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let mut checked = 0;
    for compiler in ["gcc", "clang"] {
        for level in LEVELS {
            let flags = ["-DKIND=13", "-DWRONG", level];
            if let Some(built) = try_by(compiler, "decided.c", &flags) {
                let found = explored(&built, &baseline, &[]);
                let is_open = death(&found).is_some() || !found.is_complete;
                assert!(is_open, "{compiler} {flags:?}: {found:#?}");
                checked += 1;
            }
        }
    }
    assert!(checked >= LEVELS.len(), "no compiler");
}

#[test]
fn vectors_are_as_the_cpu_has_them() {
    let mut levels = vec!["-march=x86-64-v2"];
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") {
        levels.push(NEW);
    }
    let mut checked = 0;
    for compiler in ["gcc", "clang"] {
        for level in &levels {
            for optimized in ["-O0", "-O2"] {
                let mut flags = [&["-DPART=12", level, optimized], &SCALAR[..]].concat();
                if compiler == "gcc" {
                    flags.push("-fno-ipa-ra");
                }
                // Others have some that are not computed yet: what is not known is never wrong.
                let must = (compiler, *level, optimized) == ("gcc", levels[0], "-O0");
                checked += usize::from(check(compiler, &flags, must).is_some());
            }
        }
    }
    assert!(checked >= 2, "no compiler");
}

#[test]
fn containers_are_as_the_cpu_has_them() {
    part_of_cpp(9);
}

#[test]
fn what_is_thrown_lands_where_the_cpu_has_it() {
    part_of_cpp(11);
}

#[test]
fn what_runs_at_exit_is_as_the_cpu_has_it() {
    part(10);
}
