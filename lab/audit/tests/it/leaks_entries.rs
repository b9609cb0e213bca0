//! Where routines are entered: in their middle too (`fixtures/entries.c`), or not at all where
//! linkers write that a file starts (`fixtures/first.c`), or where no symbol and no unwind record
//! says so (`fixtures/no_records.s`), and what is no entry though it is exported (`fixtures/stamp.s`).

use crate::build::cc;
use crate::tools::{Dir, run};
use karat_audit::{Baseline, searched};
use karat_model::leaks::{Certainty, Reach};

/// How the kernel stands.
fn kernel(how: u32) -> (Reach, Certainty) {
    let how = format!("-DHOW={how}");
    let built = cc("entries.c", &["-O2", "-shared", "-fPIC", &how]);
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let report = searched(&built.bytes, &baseline).expect("a sound binary");
    let function = report.functions.first().expect("the kernel");
    (function.reach, function.confidence)
}

#[test]
fn an_entry_behind_a_gate_does_not_open_it() {
    assert_eq!(kernel(0), (Reach::Guarded, Certainty::High));
}

#[test]
fn an_entry_before_a_gate_or_behind_its_jump_opens_it() {
    for how in [1, 2] {
        assert_ne!(kernel(how).0, Reach::Guarded, "{how}");
    }
}

/// How the first function of `.text` stands, whose address is the file's entry or not.
fn first(how: u32, flags: &[&str]) -> (Reach, Certainty) {
    let how = format!("-DHOW={how}");
    let all = [&["-O1", "-nostartfiles", how.as_str()], flags].concat();
    let built = cc("first.c", &all);
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let report = searched(&built.bytes, &baseline).expect("a sound binary");
    let function = report.functions.first().expect("the kernel");
    (function.reach, function.confidence)
}

#[test]
fn a_library_does_not_start_where_its_code_begins() {
    let (reach, _) = first(0, &["-shared", "-fPIC", "-Wl,-e,first"]);
    assert_eq!(reach, Reach::Guarded);
    for flags in [
        &["-static", "-Wl,-e,first"][..],
        &["-static-pie", "-fPIE", "-Wl,-e,first"],
    ] {
        assert_eq!(first(1, flags).0, Reach::Leak, "{flags:?}");
    }
    let (reach, _) = first(2, &["-shared", "-fPIC", "-Wl,-e,second"]);
    assert_eq!(reach, Reach::Leak);
}

/// What is said of the kernel of a program in assembly, or of a library that exports where it
/// begins.
fn without_records(commands: &[&str], define: Option<&str>) -> Option<(Reach, Certainty)> {
    let dir = Dir::new();
    dir.write("p.s", include_bytes!("fixtures/no_records.s"));
    for (at, command) in commands.iter().enumerate() {
        // The first one reads the source.
        let define = define.filter(|_| at == 0);
        let words: Vec<&str> = command.split(' ').chain(define).collect();
        run(&dir, words[0], &words[1..])?;
    }
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let report = searched(&dir.read("k.bin"), &baseline).expect("a sound binary");
    let function = report.functions.first().expect("the kernel");
    Some((function.reach, function.confidence))
}

#[test]
fn a_file_is_entered_where_it_says_so() {
    let assemble = "clang --target=x86_64-pc-windows-msvc -c p.s -o p.o";
    let program = "lld-link /entry:main /subsystem:console /nodefaultlib p.o /out:k.bin";
    let library = "lld-link /dll /noentry /export:main /nodefaultlib p.o /out:k.bin";
    let linux = "gcc -nostdlib -no-pie -s -Wl,-e,main p.s -o k.bin";
    let ways: [&[&str]; 3] = [&[assemble, program], &[assemble, library], &[linux]];
    for way in ways {
        if let Some(sure) = without_records(way, None) {
            assert_eq!(sure, (Reach::Guarded, Certainty::High), "{way:?}");
        }
        if let Some(sure) = without_records(way, Some("-Wa,-defsym,BAD=1")) {
            assert_eq!(sure, (Reach::Leak, Certainty::High), "{way:?}");
        }
    }
}

#[test]
fn data_without_a_type_in_front_of_a_function_is_no_entry() {
    let built = cc("stamp.s", &["-shared", "-nostdlib"]);
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let report = searched(&built.bytes, &baseline).expect("a sound binary");
    let reaches: Vec<Reach> = report.functions.iter().map(|one| one.reach).collect();
    assert_eq!(reaches, [Reach::Exported]);
}
