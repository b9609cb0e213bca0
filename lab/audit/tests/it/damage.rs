//! Damaged and foreign files: an error, never a panic, and never no end.

use crate::build::cc;
use crate::formats::samples;
use karat_audit::{Baseline, BinaryError, Options, audit, audit_file, gates, leaks};
use karat_binary::debug::debug_file::wanted;

/// Marsaglia's xorshift64: the same damage in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

#[test]
fn truncated_and_flipped_files_end_in_a_result() {
    let expected = ["fold".to_string(), "a::<b as c>::*".to_string()];
    let options = Options {
        expected: &expected,
        ..Default::default()
    };
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut errors, mut audits) = (0, 0);
    let zlib = "-Wl,--compress-debug-sections=zlib";
    for dwarf in ["-gdwarf-4", "-gdwarf-5", zlib] {
        let whole = cc("copies.c", &["-O2", "-g1", "-DINLINE", dwarf]).bytes;
        for round in 0..300 {
            let mut bytes = whole.clone();
            match round % 3 {
                0 => bytes.truncate(random.below(whole.len())),
                // Anywhere; then in the last third, where DWARF, symbols and
                // the section table are.
                part => {
                    let first = if part == 1 { 0 } else { whole.len() * 2 / 3 };
                    for _ in 0..=random.below(16) {
                        let at = first + random.below(whole.len() - first);
                        bytes[at] ^= 1 << random.below(8);
                    }
                }
            }
            match audit(&bytes, &options) {
                Ok(_) => audits += 1,
                Err(error) => {
                    errors += 1;
                    assert!(error.to_string().len() > 20, "{error}");
                }
            }
        }
    }
    assert!(
        errors > 100 && audits > 50,
        "{errors} errors, {audits} audits"
    );
}

#[test]
fn leaks_and_gates_of_damaged_files_end_in_a_result() {
    let baseline = Baseline::parse("x86-64").expect("a level");
    let names = ["kernel_avx2".to_string(), "work".to_string()];
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut errors, mut reports) = (0, 0);
    for flags in [
        &["-O2", "-g", "-DTABLE"][..],
        &["-O2", "-DPOINTER", "-no-pie", "-fno-pie"],
        &["-O2", "-s", "-DCPUID"],
    ] {
        let whole = cc("leaks.c", flags).bytes;
        for round in 0..200 {
            let mut bytes = whole.clone();
            // Code and tables are in the first half, debug information is not.
            let last = if round % 2 == 0 {
                whole.len()
            } else {
                whole.len() / 2
            };
            for _ in 0..=random.below(24) {
                bytes[random.below(last)] ^= 1 << random.below(8);
            }
            if round % 8 == 0 {
                bytes.truncate(random.below(whole.len()));
            }
            match leaks(&bytes, &baseline) {
                Ok(_) => reports += 1,
                Err(error) => {
                    errors += 1;
                    assert!(error.to_string().len() > 20, "{error}");
                }
            }
            let _ = gates(&bytes, &names);
        }
    }
    assert!(
        errors > 20 && reports > 100,
        "{errors} errors, {reports} reports"
    );
}

#[test]
fn foreign_files_are_named() {
    let mut risc = cc("copies.c", &["-O2"]).bytes;
    risc[18] = 0xf3; // e_machine: EM_RISCV
    for (bytes, seen) in [
        (&b""[..], "an empty file"),
        (b"\xce\xfa\xed\xfe\x07\0\0\x01", "a 32-bit Mach-O file"),
        (b"\xca\xfe\xba\xbe\0\0\0\x34", "a Java class"),
        (b"!<arch>\n", "an archive without an object file"),
        (b"!<thin>\n", "a thin archive"),
        (b"BC\xc0\xde", "LLVM bitcode"),
        (b"\0asm\x01\0\0\0", "a WebAssembly module"),
        (b"#!/bin/sh\n", "a script"),
        (b"hello, world", "it starts with 68 65 6c 6c"),
        (b"\x7fELF\x01\x01\x01", "a 32-bit ELF file"),
        (&risc, "for Riscv64"),
    ] {
        let error = audit(bytes, &Options::default()).unwrap_err();
        assert!(
            matches!(error, BinaryError::Unsupported { .. }),
            "{error:?}"
        );
        let text = error.to_string();
        assert!(
            text.contains(seen) && text.contains("programs, libraries"),
            "{text}"
        );
    }
}

#[test]
fn a_cut_file_names_the_place() {
    let whole = cc("copies.c", &["-O2"]).bytes;
    let text = audit(&whole[..whole.len() / 2], &Options::default())
        .unwrap_err()
        .to_string();
    assert!(text.contains("section table"), "{text}");
}

#[test]
fn every_format_survives_damage() {
    let expected = ["mix".to_string()];
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for (name, whole) in samples() {
        let (mut errors, mut audits) = (0, 0);
        for round in 0..400 {
            let mut bytes = whole.clone();
            match round % 4 {
                0 => bytes.truncate(random.below(whole.len())),
                // Headers and tables at the front; then anywhere.
                part => {
                    let limit = if part == 1 {
                        600.min(whole.len())
                    } else {
                        whole.len()
                    };
                    for _ in 0..=random.below(8) {
                        bytes[random.below(limit)] = random.below(256) as u8;
                    }
                }
            }
            let options = Options {
                expected: &expected,
                debug: (round % 5 == 0).then_some(&whole),
                split: if round % 7 == 0 { &[&whole] } else { &[] },
                ..Default::default()
            };
            // Either answer will do.
            let _ = wanted(&bytes);
            let _ = gates(&bytes, &expected);
            match audit_file(&bytes, &options) {
                Ok(_) => audits += 1,
                Err(error) => {
                    errors += 1;
                    assert!(error.to_string().len() > 20, "{error}");
                }
            }
        }
        assert!(errors > 20 && audits > 0, "{name}: {errors}, {audits}");
    }
}
