//! What a Windows file has among its data that looks like pointers (`fixtures/pe_lists.c`,
//! `fixtures/pe_parts.s`, `fixtures/pe_tables.s`, `fixtures/pe_cleanup.s`), and what it has of
//! files that are loaded later (`fixtures/pe_delayed.s`).

use crate::tools::{Dir, run};
use karat_audit::{Baseline, searched};
use karat_model::leaks::{AboveBaseline, Certainty, Reach};

/// What the linker makes a file's list of functions of.
const PRESENT: &str = "LIBRARY present.dll\nEXPORTS\nIsProcessorFeaturePresent\n";

const FILES: [(&str, &str); 7] = [
    ("k.c", include_str!("fixtures/pe_lists.c")),
    ("kernel.c", include_str!("fixtures/kernel.c")),
    ("p.s", include_str!("fixtures/pe_parts.s")),
    ("t.s", include_str!("fixtures/pe_tables.s")),
    ("c.s", include_str!("fixtures/pe_cleanup.s")),
    ("d.s", include_str!("fixtures/pe_delayed.s")),
    ("d.def", PRESENT),
];

/// What the search says of the functions in what commands build.
fn all(commands: &[&str]) -> Option<Vec<AboveBaseline>> {
    let dir = Dir::new();
    for (name, text) in FILES {
        dir.write(name, text.as_bytes());
    }
    for command in commands {
        let words: Vec<&str> = command.split(' ').collect();
        run(&dir, words[0], &words[1..])?;
    }
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let report = searched(&dir.read("k.bin"), &baseline).expect("a sound file");
    Some(report.functions)
}

/// The same where the kernel is the only one.
fn kernel(commands: &[&str]) -> Option<AboveBaseline> {
    let functions = all(commands)?;
    assert_eq!(functions.len(), 1, "{commands:?}: {functions:#?}");
    functions.into_iter().next()
}

/// The same of a program in assembly.
fn assembled(source: &str) -> Option<AboveBaseline> {
    let [clang, link] = assembling(source);
    kernel(&[&clang, &link])
}

fn assembling(source: &str) -> [String; 2] {
    [
        format!("clang --target=x86_64-pc-windows-msvc -o p.o -c {source}"),
        "lld-link /entry:main /subsystem:console /nodefaultlib p.o /out:k.bin".into(),
    ]
}

#[test]
fn pointers_behind_ones_are_no_constructors() {
    for level in ["-O1", "-O2"] {
        let build = |way: &str| {
            kernel(&[&format!(
                "x86_64-w64-mingw32-gcc {level} -s -D{way} -shared k.c -o k.bin"
            )])
        };
        if let Some(found) = build("PAIR") {
            assert_ne!(found.reach, Reach::Leak, "{level}: {found:#?}");
        }
        // The list itself is one, before the destructors' or where a word has its address.
        if let Some(found) = build("CONSTRUCTOR") {
            let found = (found.reach, found.confidence, found.path.len());
            assert_eq!(found, (Reach::Leak, Certainty::High, 2), "{level}");
        }
    }
}

#[test]
fn a_record_that_says_whose_part_it_is_calls_nobody() {
    if let Some(found) = assembled("p.s") {
        let sure = (found.reach, found.confidence);
        assert_eq!(sure, (Reach::Guarded, Certainty::High), "{found:#?}");
    }
    // The system calls it when something is thrown in `main`, whatever the CPU has.
    if let Some(found) = assembled("p.s -Wa,-defsym,HANDLER=1") {
        let sure = (found.reach, found.confidence);
        assert_ne!(sure, (Reach::Guarded, Certainty::High), "{found:#?}");
        assert_ne!(sure, (Reach::Guarded, Certainty::Medium), "{found:#?}");
    }
}

#[test]
fn a_map_for_the_handler_of_exceptions_calls_nobody() {
    let map = "p.s -Wa,-defsym,MAP=1";
    if let Some(found) = assembled(map) {
        let sure = (found.reach, found.confidence);
        assert_eq!(sure, (Reach::Guarded, Certainty::High), "{found:#?}");
    }
    // Who reads other words that name it may call it.
    if let Some(found) = assembled(&format!("{map} -Wa,-defsym,OTHER=1")) {
        let sure = (found.reach, found.confidence);
        assert_ne!(sure, (Reach::Guarded, Certainty::High), "{found:#?}");
    }
}

#[test]
fn a_table_of_jumps_ends_where_the_next_begins() {
    if let Some(found) = assembled("t.s") {
        let sure = (found.reach, found.confidence);
        assert_eq!(sure, (Reach::Guarded, Certainty::High), "{found:#?}");
    }
    if let Some(found) = assembled("t.s -Wa,-defsym,WRONG=1") {
        assert_ne!(found.reach, Reach::Guarded, "{found:#?}");
    }
}

/// It was a function of its own, of which a table was all that was known.
#[test]
fn what_destroys_objects_of_a_function_is_a_part_of_it() {
    if let Some(found) = assembled("c.s") {
        let sure = (found.reach, found.confidence);
        assert_eq!(sure, (Reach::Guarded, Certainty::High), "{found:#?}");
    }
    // It is left once for two functions, of which nobody asks before one.
    let [clang, link] = assembling("c.s -Wa,-defsym,SHARED=1");
    if let Some(found) = all(&[&clang, &link]) {
        let guarded = found.iter().filter(|it| it.reach == Reach::Guarded);
        assert_eq!((found.len(), guarded.count()), (3, 1), "{found:#?}");
    }
}

#[test]
fn functions_of_files_that_are_loaded_later_are_imports() {
    let delayed = |more: &str| {
        kernel(&[
            &format!("clang --target=x86_64-pc-windows-msvc -o p.o -c d.s {more}"),
            "llvm-dlltool -m i386:x86-64 -d d.def -l present.lib",
            "lld-link /entry:main /subsystem:console /nodefaultlib /delayload:present.dll p.o \
             present.lib /out:k.bin",
        ])
    };
    if let Some(found) = delayed("") {
        let sure = (found.reach, found.confidence);
        assert_eq!(sure, (Reach::Guarded, Certainty::Medium), "{found:#?}");
    }
    if let Some(found) = delayed("-Wa,-defsym,WRONG=1") {
        assert_eq!(found.reach, Reach::Insufficient, "{found:#?}");
    }
}
