//! Programs of Go's compiler (`fixtures/go`), followed from their initialisers on: each as one
//! that asks for what its kernel needs, and as one that asks for less.

use karat_audit::{Baseline, leaks, searched};
use karat_binary::read::image::Image;
use karat_binary::read::pclntab;
use karat_model::leaks::{AboveBaseline, Certainty, LeakReport, Reach};
use std::path::Path;
use std::process::Command;

/// A program; none where there is no Go.
fn built(tags: &str, flags: &[&str]) -> Option<Vec<u8>> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/fixtures/go");
    let dir = tempfile::tempdir().expect("a temporary directory");
    let out = dir.path().join("program");
    let mut command = Command::new("go");
    command
        .current_dir(source)
        .args(["build", "-trimpath", "-buildvcs=false"])
        .args(flags)
        .arg(format!("-tags={tags}"))
        .arg("-o")
        .arg(&out)
        .arg(".")
        .envs([("GOAMD64", "v1"), ("CGO_ENABLED", "0"), ("GOFLAGS", "")]);
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            println!("SKIPPED: go: {error}");
            return None;
        }
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{tags}: {errors}");
    Some(std::fs::read(&out).expect("the program"))
}

/// What is found of it.
fn report(tags: &str, flags: &[&str]) -> Option<LeakReport> {
    let bytes = built(tags, flags)?;
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    Some(leaks(&bytes, &baseline).expect("a sound program"))
}

fn kernel(report: LeakReport) -> AboveBaseline {
    let mut all = report.functions.into_iter();
    let kernel = all.find(|f| f.function.starts_with("main.kernel"));
    kernel.expect("the kernel by its name")
}

const STRIPPED: &[&str] = &["-ldflags=-s -w"];

fn is_decided(kind: &str, flags: &[&str]) {
    let Some(good) = report(kind, flags) else {
        return;
    };
    let good = kernel(good);
    assert_eq!(good.reach, Reach::Guarded, "{kind} {flags:?}: {good:#?}");
    assert!(!good.gates.is_empty(), "{kind} {flags:?}: {good:#?}");
    let bad = report(&format!("{kind},bad"), flags).expect("built before");
    let bad = kernel(bad);
    assert_eq!(bad.reach, Reach::Insufficient, "{kind} {flags:?}: {bad:#?}");
}

/// Kernels of Go's own library, which are in every program: their flags lie elsewhere in each
/// version.
#[test]
fn fields_of_cpu_x86_are_known_by_their_names() {
    for flags in [&[][..], STRIPPED] {
        let Some(report) = report("variable", flags) else {
            return;
        };
        for kernel in ["memeqbody", "indexbytebody", "countbody"] {
            let mut all = report.functions.iter();
            let Some(found) = all.find(|f| f.function.ends_with(kernel)) else {
                continue;
            };
            let state = (found.reach, found.confidence);
            assert_eq!(state, (Reach::Guarded, Certainty::High), "{found:#?}");
            assert!(
                found
                    .gates
                    .iter()
                    .any(|gate| gate.features.iter().any(|f| f == "avx2"))
            );
        }
        let mut all = report.functions.iter();
        assert!(all.any(|f| f.function.ends_with("memeqbody")), "{flags:?}");
    }
}

/// What compares lengths with one that goes by the CPU is not said to ask for too little.
#[test]
fn a_length_that_goes_by_the_cpu_is_no_gate_that_was_read() {
    for flags in [&[][..], STRIPPED] {
        let Some(bytes) = built("searches", flags) else {
            return;
        };
        let baseline = Baseline::parse("x86-64-v2").expect("a level");
        let report = searched(&bytes, &baseline).expect("a sound program");
        let mut all = report.functions.iter();
        let found = all.find(|f| f.function.ends_with("indexbody"));
        let found = found.expect("what searches texts");
        assert_ne!(found.reach, Reach::Insufficient, "{flags:?}: {found:#?}");
    }
}

/// Nothing false may be said of what is not followed.
fn is_not_falsely_decided(kind: &str) {
    let Some(good) = report(kind, STRIPPED) else {
        return;
    };
    let good = kernel(good);
    let dies = matches!(good.reach, Reach::Leak | Reach::Insufficient);
    assert!(!dies, "{kind}: {good:#?}");
    let bad = kernel(report(&format!("{kind},bad"), STRIPPED).expect("built before"));
    // The search itself may say so with little certainty.
    let lives = matches!(bad.reach, Reach::Guarded | Reach::Unreferenced);
    let is_sure = bad.confidence != Certainty::Low;
    assert!(!(lives && is_sure), "{kind}: {bad:#?}");
}

#[test]
fn a_copy_of_the_packages_cpu_is_followed() {
    is_decided("cell", &[]);
    is_decided("cell", STRIPPED);
}

#[test]
fn programs_that_move_are_followed() {
    is_decided("cell", &["-buildmode=pie"]);
    is_decided("variable", &["-buildmode=pie", "-ldflags=-s -w"]);
}

#[test]
fn a_variable_of_a_package_holds_the_best() {
    is_decided("variable", &[]);
    is_decided("variable", STRIPPED);
}

#[test]
fn interfaces_are_sorted_by_what_they_say() {
    is_decided("interface", STRIPPED);
}

/// `fmt.Fprintf` is given what writes by itself.
#[test]
fn slices_are_sorted_and_texts_given_to_who_writes_them() {
    is_decided("slice", STRIPPED);
}

/// Each of crypto's packages has variables that hang on several answers: ways are one again behind
/// them, so that who calls its kernels can be gone through.
#[test]
fn what_cryptos_packages_make_of_several_answers_is_known() {
    let Some(report) = report("hashes", &[]) else {
        return;
    };
    let mut all = report.functions.iter();
    let kernel = all.find(|f| f.function.contains("aes.encryptBlockAsm"));
    let kernel = kernel.expect("a kernel of crypto's");
    assert_eq!(kernel.reach, Reach::Guarded, "{kernel:#?}");
}

/// A map of implementations by their names, gone through for the best that is there.
#[test]
fn maps_hold_what_was_registered() {
    is_decided("registry", &[]);
    is_decided("registry", STRIPPED);
}

/// Without arguments a flag has the value that it was made with.
#[test]
fn flags_have_their_defaults() {
    is_decided("flags", STRIPPED);
}

/// A type without a method of that name is not of the interface.
#[test]
fn assertions_of_interfaces_may_fail() {
    is_decided("asserts", STRIPPED);
}

/// A value of one interface is asked for another: the run-time makes the table of its methods.
#[test]
fn tables_of_methods_that_the_run_time_makes_are_known() {
    is_decided("opens", &[]);
    is_decided("opens", STRIPPED);
}

/// What is asked of errors that are not known is not known, and takes no ways.
#[test]
fn errors_that_are_wrapped_hide_no_death() {
    for flags in [&[][..], STRIPPED] {
        let Some(good) = report("wraps", flags) else {
            return;
        };
        // What an unknown error calls may be anything: that it lives is not said.
        let good = kernel(good);
        let dies = matches!(good.reach, Reach::Leak | Reach::Insufficient);
        assert!(!dies, "{flags:?}: {good:#?}");
        let bad = kernel(report("wraps,bad", flags).expect("built before"));
        assert_eq!(bad.reach, Reach::Insufficient, "{flags:?}: {bad:#?}");
    }
}

/// Go's library searches for texts of 32 bytes and more by AVX2 where that is there, as it promises
/// itself; a function of the same name in another package promises nothing.
#[test]
fn a_search_of_the_librarys_is_guarded_by_its_promise() {
    for flags in [&[][..], STRIPPED] {
        let Some(own) = report("searches", flags) else {
            return;
        };
        let mut all = own.functions.iter();
        let found = all.find(|f| f.function.ends_with("indexbody"));
        let found = found.expect("what searches texts");
        assert_eq!(found.reach, Reach::Guarded, "{flags:?}: {found:#?}");
        assert_ne!(found.confidence, Certainty::High, "{flags:?}: {found:#?}");
        let other = report("bytealg", flags).expect("built before");
        let mut all = other.functions.iter();
        let twin = all.find(|f| f.function.contains("bytealg.kernel"));
        let twin = twin.expect("the kernel of another package");
        assert_ne!(twin.reach, Reach::Guarded, "{flags:?}: {twin:#?}");
    }
}

/// The run-time names `main` and all that the file has, and asks the CPU: it picks nothing by that.
#[test]
fn the_run_time_is_no_gate() {
    for kind in ["goroutine,bad", "goroutine", "registry,bad"] {
        let Some(bytes) = built(kind, STRIPPED) else {
            return;
        };
        let baseline = Baseline::parse("x86-64-v2").expect("a level");
        let kernel = kernel(searched(&bytes, &baseline).expect("a sound program"));
        let mut gates = kernel.gates.iter();
        let is_none = gates.all(|gate| !gate.function.starts_with("runtime."));
        assert!(is_none, "{kind}: {kernel:#?}");
    }
}

/// An initialiser that takes long is left once, for all ways, and so others are gone through:
/// what they asked is known where the kernel is called. What lies beside the variables of the one
/// that is left is known by its symbols.
#[test]
fn what_takes_long_hides_no_other_initialiser() {
    is_decided("long", STRIPPED);
    is_decided("long", &[]);
    let Some(good) = report("long", &[]) else {
        return;
    };
    let good = kernel(good);
    assert_ne!(good.confidence, Certainty::Low, "{good:#?}");
}

#[test]
fn closures_keep_what_was_asked() {
    is_decided("closure", STRIPPED);
}

#[test]
fn own_assembly_asks() {
    is_decided("asks", STRIPPED);
}

#[test]
fn goroutines_are_given_what_was_asked() {
    is_decided("goroutine", STRIPPED);
}

#[test]
fn what_catches_a_panic_is_not_falsely_decided() {
    is_not_falsely_decided("recovers");
}

/// The run-time's own kernels are known by those who call them, with symbols and without.
#[test]
fn the_run_times_own_kernels_are_guarded() {
    for flags in [&[], STRIPPED] {
        let Some(report) = report("cell", flags) else {
            return;
        };
        let own = |f: &&AboveBaseline| !f.function.starts_with("main.");
        let others: Vec<&AboveBaseline> = report.functions.iter().filter(own).collect();
        assert!(others.len() >= 8, "{flags:?}: {others:#?}");
        let names: Vec<&str> = (others.iter())
            .filter(|f| !matches!(f.reach, Reach::Guarded | Reach::Unreferenced))
            .map(|f| f.function.as_str())
            .collect();
        assert!(names.is_empty(), "{flags:?}: {names:?}");
    }
}

/// The table of functions in a stripped program, and what is read of it.
fn functions(bytes: &[u8]) -> Vec<(u64, String)> {
    let image = Image::parse_linked_x86(bytes, "the test").expect("a linked program");
    let all = pclntab::read(&image).into_iter();
    all.map(|function| (function.start, function.name.to_string()))
        .collect()
}

fn word(bytes: &[u8], at: usize, size: usize) -> usize {
    let all = bytes[at..at + size].iter().rev();
    all.fold(0, |value, byte| value << 8 | usize::from(*byte))
}

#[test]
fn a_damaged_table_of_functions_tells_nothing_false() {
    let Some(mut bytes) = built("cell", STRIPPED) else {
        return;
    };
    let sound = functions(&bytes);
    let is_main = |(_, name): &(u64, String)| name == "main.main";
    assert!(sound.iter().any(is_main), "{} functions", sound.len());
    // The header: the first word, pad, the unit of instructions, the size of a pointer.
    let header = [0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8];
    let table = bytes.windows(8).position(|window| window == header);
    let table = table.expect("the table");
    let words: Vec<usize> = (1..9).map(|at| word(&bytes, table + at * 8, 8)).collect();
    let (count, entries) = (words[0], table + words[7]);
    // Each number of the header, one after the other.
    for at in (table..table + 72).step_by(4) {
        let kept: [u8; 4] = bytes[at..at + 4].try_into().expect("four bytes");
        for damage in [[0; 4], [0xff; 4], [0xff, 0xff, 0xff, 0x7f]] {
            bytes[at..at + 4].copy_from_slice(&damage);
            assert!(
                functions(&bytes).len() <= sound.len(),
                "{at:#x} {damage:x?}"
            );
        }
        bytes[at..at + 4].copy_from_slice(&kept);
    }
    assert_eq!(functions(&bytes), sound);
    // All functions have one name, and a long one: it is not read for each.
    let (names, long) = (table + words[3], 10_000);
    bytes[names..names + long].fill(b'a');
    for number in 0..count {
        let name = entries + word(&bytes, entries + number * 8 + 4, 4) + 4;
        bytes[name..name + 4].fill(0);
    }
    assert!(functions(&bytes).is_empty(), "{count} names are read");
}
