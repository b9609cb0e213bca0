//! Flags that are asked for by their numbers, in an object behind a pointer
//! (`fixtures/flags_behind.c`).

use crate::build::try_by;
use karat_audit::{Baseline, searched as leaks};
use karat_model::leaks::{Certainty, Reach};

/// Compilers, levels, and whether functions have names.
const BUILDS: [[&str; 3]; 3] = [
    ["cc", "-O2", "-s"],
    ["cc", "-O0", "-g0"],
    ["clang", "-O1", "-s"],
];

/// How the kernel stands in libraries, by whatever compiler is there.
fn each(builds: &[[&str; 3]], more: &str, check: impl Fn(Reach, Certainty, &str)) {
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    for [compiler, level, strip] in builds {
        let flags = [level, strip, "-fPIC", "-shared", more];
        let Some(library) = try_by(compiler, "flags_behind.c", &flags) else {
            println!("SKIPPED: {compiler} {flags:?} does not build");
            continue;
        };
        let report = leaks(&library.bytes, &baseline).expect("a sound binary");
        let all = report.functions.iter();
        let mut kernels = all.filter(|one| one.extensions.iter().any(|it| it == "avx2"));
        let kernel = kernels.next().expect("the kernel");
        let what = format!("{compiler} {flags:?}: {kernel:#?}");
        check(kernel.reach, kernel.confidence, &what);
    }
}

#[test]
fn a_flag_behind_a_pointer_is_asked_for_by_its_number() {
    each(&BUILDS, "-DASKED=AVX2", |reach, confidence, what| {
        assert_eq!(reach, Reach::Guarded, "{what}");
        assert!(confidence >= Certainty::Medium, "{what}");
    });
}

/// Another number is asked for; the user sets the flag, or any; the other object has all of them
/// set; who is handed the object may set them, and so may who reads the pointer.
#[test]
fn a_flag_behind_a_pointer_that_says_too_little_guards_nothing() {
    for way in [
        "-DASKED=AVX",
        "-DASKED=SSE41",
        "-DSET_ONE",
        "-DSET_BY_USER",
        "-DALL_ON",
        "-DHANDED",
        "-DSET_BEHIND",
    ] {
        each(&BUILDS[..2], way, |reach, _, what| {
            let is_open = matches!(reach, Reach::Unknown | Reach::Insufficient);
            assert!(is_open, "{way} {what}");
        });
    }
}
