//! Programs of the third set of those that are run (`tests/leaks/third.txt`): what was claimed
//! of them falsely is not claimed again, and what is decided stays decided.

use crate::decided::{self, Must};
use crate::truth::{self, Claim};
use karat_model::leaks::Certainty;

/// Whether a program dies, by name and build, and what has to be said of it.
fn expected(name: &str, build: &str) -> Option<(bool, Must)> {
    Some(match (name, build) {
        // A byte for each feature, and a function that looks one up; one less is asked for.
        ("bytes-bad", "gcc -O2") => (true, Must::Say),
        // FMA is asked for before code that needs AVX2.
        ("fused-bad", "gcc -O3 -s -static") => (true, Must::Say),
        // BMI1 before code that needs BMI2; the words of `cpuid` lie in a variable.
        ("bit-tricks-bad", "gcc -O2") => (true, Must::Say),
        // GCC keeps a word in r8 over a call of a function that leaves it alone.
        ("bit-tricks", "gcc -O2") => (false, Must::Say),
        // A register that is added to itself is one value.
        ("fused", "gcc -O2") => (false, Must::Say),
        // A store behind a pointer that only some ways come to leaves what was there before.
        ("round-keys-bad", "clang -O3 -fno-pie -no-pie") => (true, Must::Say),
        // An argument that may be anything is not told by what holds where it is given.
        ("context-flag", "gcc -O2") => (false, Must::NotDeny),
        // An address is stored at once in a variable that is named by its distance.
        ("named-levels-bad", "clang -O3 -fno-pie -no-pie") => (true, Must::Say),
        // A library's function that a resolver picks is defined in it.
        ("ifunc-words-bad", "gcc -O2 -fPIC -shared") => (true, Must::Say),
        // What is lacking is tried under a handler of SIGILL, which a routine of its own sets.
        ("probe", "gcc -O0" | "musl-gcc -O2 -static") => (false, Must::NotDeny),
        // The model is asked for, not a feature: it dies on Goldmont (QEMU's Denverton), whose
        // model is above Haswell's and which has no AVX.
        ("model", "clang -O3 -fno-pie -no-pie") => (true, Must::NotDeny),
        // Assembly that moves a pointer under conditions.
        ("multi-binary", "gcc -O2 -fPIC -shared") => (false, Must::Say),
        // A handler that is chosen once, in a cell.
        ("rust-once", "rustc -O") => (false, Must::Say),
        // A table has distances instead of addresses.
        ("offsets-bad", "gcc -O2" | "clang -O2 -s -flto -fuse-ld=lld") => (true, Must::NotDeny),
        ("offsets", "gcc -O2") => (false, Must::NotDeny),
        _ => return None,
    })
}

#[test]
fn what_is_decided_of_a_third_set_stays_so() {
    decided::check(truth::cases_of("third.txt"), 8, |name, build| {
        expected(name.trim_start_matches("third-"), build)
    });
}

/// What is claimed of one build; nothing where it is not built.
fn claim(name: &str, build: &str) -> Option<Claim> {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let out = dir.path().join("program");
    let is_one = |case: &truth::Case| case.name == name && case.build.join(" ") == build;
    let case = truth::cases_of("third.txt")
        .into_iter()
        .find(is_one)
        .expect("the program");
    if let Err(error) = truth::build(&case, &out) {
        println!("SKIPPED: {}: {error}", case.label());
        return None;
    }
    Some(truth::claim(&std::fs::read(&out).expect("the program")).0)
}

/// A text of features is searched: the branch on what is found is not seen to be a gate.
#[test]
fn a_way_that_a_branch_decides_is_not_certain_where_the_cpu_is_asked() {
    if let Some(claim) = claim("third-string", "clang -O3 -fno-pie -no-pie") {
        assert_ne!(claim, Claim::Dies(Certainty::High));
    }
}

/// Its address lies in the register of an argument where an element of it is called.
#[test]
fn a_table_that_a_call_goes_by_is_no_argument() {
    if let Some(claim) = claim("third-compiler-asked", "gcc -O2") {
        assert_eq!(claim, Claim::Lives(Certainty::High));
    }
}
