//! What is taken for a layout and what is not, and the place of the stack.

use crate::lab::{Lab, PROGRAM, have};
use karat_build::layout::{LayoutError, moved, verify_environment};
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn a_salt_in_the_metadata_is_no_layout() {
    if !have("rustc") {
        return;
    }
    let lab = Lab::empty();
    lab.write(
        "a.rs",
        "fn main() { println!(\"{}\", std::env::args().count()); }\n",
    );
    let image = |salt: &str| {
        let out = lab.path(salt);
        let done = Command::new("rustc")
            .args(["-O", "-Clto=fat", "-Ccodegen-units=1", "--edition=2024"])
            .arg(format!("-Cmetadata={salt}"))
            .arg(lab.path("a.rs"))
            .arg("-o")
            .arg(&out)
            .status();
        assert!(done.unwrap().success());
        fs::read(out).unwrap()
    };
    let (one, two) = (image("one"), image("two"));
    assert!(one != two, "a hash alone would take them for two layouts");
    let error = moved(&[(1, &one), (2, &two)], &["a::main".into()]).unwrap_err();
    let LayoutError::NothingMoved { layouts, moved, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!(*layouts, 2);
    assert!(*moved < 1.0, "{error}");
    assert!(error.to_string().contains("a::main at 0x"), "{error}");
}

#[test]
fn different_code_is_no_layout() {
    if !have("gcc") {
        return;
    }
    let lab = Lab::empty();
    let image = |name: &str, flags: &[&str], program: &str| {
        lab.write(&format!("{name}.c"), program);
        let out = lab.path(name);
        let done = Command::new("gcc")
            .args(flags)
            .arg(lab.path(&format!("{name}.c")))
            .arg("-o")
            .arg(&out)
            .status();
        assert!(done.unwrap().success());
        fs::read(out).unwrap()
    };
    let plain = image("plain", &["-O2"], PROGRAM);
    let more = image(
        "more",
        &["-O2"],
        &format!("{PROGRAM}\nint extra(void) {{ return 1; }}\n"),
    );
    let error = moved(&[(1, &plain), (2, &more)], &[])
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("different code (extra: 6 bytes in the second)"),
        "{error}"
    );
    let bare = image("bare", &["-O2", "-s"], PROGRAM);
    let error = moved(&[(1, &bare), (2, &bare)], &[])
        .unwrap_err()
        .to_string();
    assert!(error.contains("without strip"), "{error}");
    let error = moved(&[(1, &plain)], &[]).unwrap_err();
    assert!(
        matches!(error, LayoutError::Image { seed: 1, .. }),
        "{error}"
    );
    let error = moved(&[(1, b"#!/bin/sh"), (2, &plain)], &[]).unwrap_err();
    assert!(error.to_string().contains("a script"), "{error}");
}

#[test]
fn the_environment_moves_the_stack() {
    let karat = Path::new(env!("CARGO_BIN_EXE_karat"));
    let found = match verify_environment(karat, &[0, 1, 2, 3]) {
        Err(e) if e.to_string().contains("personality") => {
            println!("SKIPPED: {e}");
            return;
        }
        other => other.unwrap_or_else(|e| panic!("{e}")),
    };
    let (_, base) = found.addresses[0];
    for (seed, at) in &found.addresses {
        let padding = karat_build::layout::Environment { seed: *seed }.padding() as u64;
        assert_eq!(
            base - at,
            padding,
            "the stack grows down from the environment"
        );
    }
    let error = verify_environment(karat, &[5, 5 + 256])
        .unwrap_err()
        .to_string();
    assert!(error.contains("differ modulo 256"), "{error}");
}
