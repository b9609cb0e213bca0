//! Counts against objdump's, and sums against each other.

use crate::build::{Built, cc, facts, rust};
use karat_model::audit::{BinaryAudit, Census};
use std::process::Command;

/// zmm, ymm, xmm and mask as objdump prints them; none without objdump.
fn objdump(program: &Built) -> Option<[u64; 4]> {
    let output = Command::new("objdump")
        .args(["-d", "--no-show-raw-insn"])
        .arg(&program.path)
        .output();
    let Ok(output) = output else {
        println!("SKIPPED: objdump not found");
        return None;
    };
    assert!(output.status.success());
    let mut counts = [0; 4];
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        // `  401000:\tvpaddd %ymm0,%ymm1,%ymm2`; a comment may follow.
        let Some((_, text)) = line.split_once(":\t") else {
            continue;
        };
        if text.contains("(bad)") || text.starts_with(".byte") {
            continue;
        }
        let widths = ["%zmm", "%ymm", "%xmm"];
        if let Some(width) = widths.iter().position(|name| text.contains(name)) {
            counts[width] += 1;
        }
        let mut parts = text.split("%k").skip(1);
        counts[3] += u64::from(parts.any(|rest| rest.starts_with(|c| ('0'..='7').contains(&c))));
    }
    Some(counts)
}

fn counts(census: &Census) -> [u64; 4] {
    [census.zmm, census.ymm, census.xmm, census.mask]
}

/// Everything countable of a list of parts.
fn sum<'a>(parts: impl Iterator<Item = &'a Census>) -> Census {
    let mut sum = Census::default();
    for part in parts {
        sum.instructions += part.instructions;
        sum.bytes += part.bytes;
        sum.xmm += part.xmm;
        sum.ymm += part.ymm;
        sum.zmm += part.zmm;
        sum.mask += part.mask;
        sum.undecodable += part.undecodable;
        for (name, count) in &part.extensions {
            *sum.extensions.entry(name.clone()).or_default() += count;
        }
    }
    sum
}

fn assert_sums(audit: &BinaryAudit) {
    assert_eq!(sum(audit.functions.iter().map(|f| &f.census)), audit.total);
    assert_eq!(sum(audit.crates.iter().map(|c| &c.census)), audit.total);
    assert_eq!(audit.functions.len() as u64, audit.functions_total);
    let total = &audit.total;
    assert_eq!(total.bytes + total.undecodable, audit.code_bytes);
}

#[test]
fn counts_equal_objdumps() {
    let programs = [
        rust(&[]),
        rust(&["-Ctarget-cpu=x86-64-v4"]),
        cc(
            "copies.c",
            &[
                "-O3",
                "-g1",
                "-march=x86-64-v4",
                "-mprefer-vector-width=512",
            ],
        ),
        cc("zero_size.s", &["-shared", "-nostdlib"]),
    ];
    for program in &programs {
        let audit = facts(program, &[], None);
        assert_sums(&audit);
        if let Some(expected) = objdump(program) {
            assert_eq!(counts(&audit.total), expected);
        }
    }
}

#[test]
fn a_stripped_binary_has_the_same_totals() {
    let whole = facts(&rust(&[]), &[], None);
    let stripped = facts(&rust(&["-Cstrip=symbols"]), &[], None);
    assert_sums(&stripped);
    assert_eq!(whole.code_bytes, stripped.code_bytes);
    // Where decoding starts again differs only if there is data in the code.
    assert_eq!(whole.total.undecodable, 0);
    assert_eq!(whole.total, stripped.total);
}
