//! What symbolic execution makes of AArch64's instructions, against an emulated CPU: as for x86-64
//! (`leaks_symbolic.rs`, `fixtures/symbolic.c`), a build whose kernel runs where a sum is what the
//! CPU computes must be found to run it, and one that asks for another sum must not be.

use crate::build::source;
use karat_audit::Baseline;
use karat_binary::read::image::Image;
use karat_flow::a64::sweep;
use karat_flow::classes::Classes;
use karat_flow::program::Program;
use karat_symbolic::{Found, Questions, Sure};
use std::process::Command;

const GCC: &[&str] = &["aarch64-linux-gnu-gcc"];
const CLANG: &[&str] = &["clang", "--target=aarch64-linux-gnu", "-fuse-ld=lld"];

/// The part that has SVE.
const SCALABLE: &str = "-DPART=13";

/// A program in C, if the compiler is there.
fn compiled(compiler: &[&str], flags: &[&str]) -> Option<(tempfile::TempDir, Vec<u8>)> {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let out = dir.path().join("program");
    let (first, rest) = compiler.split_first().expect("a compiler");
    let built = Command::new(first)
        .args(rest)
        .args(flags)
        .arg(source("symbolic.c"))
        .arg("-o")
        .arg(&out)
        .output();
    match built {
        Ok(built) if built.status.success() => {
            let bytes = std::fs::read(&out).expect("the program");
            Some((dir, bytes))
        }
        Ok(built) => {
            let errors = String::from_utf8_lossy(&built.stderr);
            panic!("{compiler:?} {flags:?}: {errors}");
        }
        Err(_) => {
            println!("SKIPPED: no {first}");
            None
        }
    }
}

fn explored(bytes: &[u8], level: &str) -> Found {
    let baseline = Baseline::parse(level).expect("a level");
    let image = Image::parse_linked_arm_elf(bytes, "the test").expect("a linked program");
    let program = Program::read(&image).expect("a sound program");
    let sweep = sweep(&program, |name| !baseline.has(name));
    let classes = Classes::new(&baseline);
    karat_symbolic::explore(&image, &program, &sweep, &classes, &Questions::default())
}

/// How sure it is that a CPU of the baseline comes to the kernel; none if none does.
fn death(found: &Found) -> Option<Sure> {
    let deaths = found.routines.values().filter_map(|r| r.death.as_ref());
    deaths.map(|death| death.sure).max()
}

/// One build of a part; `must` says that the sum must be known, else it only may not be wrong.
fn check(compiler: &[&str], flags: &[&str], must: bool) -> Option<()> {
    let said = format!("{compiler:?} {flags:?}");
    // What SVE computes is asked of CPUs that have it.
    let level = match flags.contains(&SCALABLE) {
        true => "armv9-a",
        false => "armv8-a",
    };
    let (dir, _) = compiled(compiler, flags)?;
    let output = Command::new("qemu-aarch64")
        .args(["-cpu", "max", "-L", "/usr/aarch64-linux-gnu"])
        .arg(dir.path().join("program"))
        .output();
    let Ok(output) = output else {
        println!("SKIPPED: no qemu-aarch64");
        return None;
    };
    assert!(output.status.success(), "{said}: {output:?}");
    let text = String::from_utf8(output.stdout).expect("a number");
    let sum: u64 = text.trim().parse().expect("a number");
    let with = |sum: u64| {
        let expected = format!("-DEXPECTED={sum}u");
        let (_dir, bytes) = compiled(compiler, &[flags, &[&expected]].concat())?;
        Some(explored(&bytes, level))
    };
    let (found, other) = (with(sum)?, with(sum.wrapping_add(1))?);
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

/// By levels of which the sum must be known.
fn part(number: u32, known: &[&str]) {
    let define = format!("-DPART={number}");
    for compiler in [GCC, CLANG] {
        for level in ["-O0", "-O1", "-O2", "-O3"] {
            check(compiler, &[&define, level], known.contains(&level));
        }
    }
}

const ALL: &[&str] = &["-O0", "-O1", "-O2", "-O3"];

#[test]
fn sums_and_comparisons_are_as_aarch64_has_them() {
    part(1, &["-O1", "-O2", "-O3"]);
}

#[test]
fn shifts_are_as_aarch64_has_them() {
    part(2, ALL);
}

#[test]
fn products_are_as_aarch64_has_them() {
    part(3, &["-O1", "-O2", "-O3"]);
}

#[test]
fn counts_and_fields_are_as_aarch64_has_them() {
    part(4, ALL);
}

#[test]
fn memory_and_texts_are_as_aarch64_has_them() {
    part(5, ALL);
}

#[test]
fn floating_point_is_as_aarch64_has_it() {
    part(6, ALL);
}

#[test]
fn calls_and_atomic_operations_are_as_aarch64_has_them() {
    part(7, ALL);
}

#[test]
fn what_is_sorted_searched_and_printed_is_as_aarch64_has_it() {
    part(8, ALL);
}

/// By any length of its registers.
#[test]
fn sve_is_as_aarch64_has_it() {
    for level in ALL {
        check(GCC, &[SCALABLE, level], true);
    }
}
