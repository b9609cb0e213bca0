//! What C and C++ promise holds, in every way the allocator can work.

use crate::preload::{WAYS, compiled, library, preloaded, said};
use std::process::Command;

#[test]
fn the_promises_of_c_hold() {
    let Some(program) = compiled("conformance.c") else {
        return;
    };
    for switches in WAYS {
        let output = preloaded(program.to_str().unwrap(), switches)
            .output()
            .unwrap();
        assert!(output.status.success(), "{switches:?}: {}", said(&output));
    }
}

#[test]
fn the_promises_of_cxx_hold() {
    let Some(program) = compiled("operators.cc") else {
        return;
    };
    for switches in WAYS {
        let output = preloaded(program.to_str().unwrap(), switches)
            .output()
            .unwrap();
        assert!(output.status.success(), "{switches:?}: {}", said(&output));
    }
}

/// Half of few addresses is an arena too; what does not fit there has mappings.
#[test]
fn few_addresses_are_enough() {
    let Some(program) = compiled("operators.cc") else {
        return;
    };
    for kibibytes in ["2000000", "400000"] {
        let script = format!("ulimit -v {kibibytes} && exec {}", program.display());
        let output = preloaded("sh", &[]).args(["-c", &script]).output().unwrap();
        assert!(output.status.success(), "{kibibytes}: {}", said(&output));
    }
}

/// Opened late, beside the program's own allocator: the library's thread-local variables
/// find room.
#[test]
fn a_program_can_open_the_library() {
    let script = "import ctypes, sys\n\
        karat = ctypes.CDLL(sys.argv[1])\n\
        karat.malloc.restype = ctypes.c_void_p\n\
        karat.free.argtypes = [ctypes.c_void_p]\n\
        blocks = [karat.malloc(n) for n in range(5000)]\n\
        assert len(set(blocks)) == 5000 and all(blocks)\n\
        for block in blocks: karat.free(block)\n";
    let run = Command::new("/usr/bin/python3")
        .args(["-c", script])
        .arg(library())
        .output();
    let Ok(output) = run else {
        println!("SKIPPED: no python3");
        return;
    };
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
fn statistics_tell_each_switch_and_who_set_it() {
    let switches = [
        ("KARAT_ALLOC_PROFILE", "balanced"),
        ("KARAT_ALLOC_STATS", "json"),
    ];
    let output = preloaded("ls", &switches).output().unwrap();
    let json = String::from_utf8_lossy(&output.stderr);
    for part in [
        r#""PROFILE":{"value":"balanced","source":"environment"}"#,
        r#""DECAY_OPS":{"value":16384,"source":"profile"}"#,
        r#""DEBUG":{"value":0,"source":"default"}"#,
        r#""HEAP_PROFILE":{"value":null,"source":"default"}"#,
        r#""heaps":1"#,
    ] {
        assert!(json.contains(part), "{part} is not in {json}");
    }
    let wrong = [("KARAT_ALLOC_PROFILE", "fast"), ("KARAT_ALLOC_SPEED", "1")];
    let output = preloaded("ls", &wrong).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(
        text.contains(r#"PROFILE=fast is none of ["speed", "balanced"]"#),
        "{text}"
    );
    assert!(text.contains("KARAT_ALLOC_SPEED is no switch"), "{text}");
}
