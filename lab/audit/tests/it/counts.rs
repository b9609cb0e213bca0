//! Counts against objdump's, and sums against each other.

use crate::build::{Built, cc, facts, rust};
use crate::tools::output;
use karat_audit::{Options, audit};
use karat_model::audit::{BinaryAudit, Census};

/// zmm, ymm, xmm and mask as objdump prints them, then the bytes of the first three;
/// none without objdump.
fn objdump(program: &Built) -> Option<[u64; 7]> {
    objdump_of(&program.path.to_string_lossy())
}

fn objdump_of(path: &str) -> Option<[u64; 7]> {
    let text = output("objdump", &["-d", "-w", path])?;
    let mut counts = [0; 7];
    for line in text.lines() {
        // `  401000:\tc5 f5 fe d0 \tvpaddd %ymm0,%ymm1,%ymm2`; a comment may follow.
        let Some((_, text)) = line.split_once(":\t") else {
            continue;
        };
        let Some((bytes, text)) = text.split_once('\t') else {
            continue;
        };
        if text.contains("(bad)") || text.starts_with(".byte") {
            continue;
        }
        let widths = ["%zmm", "%ymm", "%xmm"];
        if let Some(width) = widths.iter().position(|name| text.contains(name)) {
            counts[width] += 1;
            counts[4 + width] += bytes.split_whitespace().count() as u64;
        }
        let mut parts = text.split("%k").skip(1);
        counts[3] += u64::from(parts.any(|rest| rest.starts_with(|c| ('0'..='7').contains(&c))));
    }
    Some(counts)
}

fn counts(census: &Census) -> [u64; 7] {
    [
        census.zmm,
        census.ymm,
        census.xmm,
        census.mask,
        census.zmm_bytes,
        census.ymm_bytes,
        census.xmm_bytes,
    ]
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
        sum.xmm_bytes += part.xmm_bytes;
        sum.ymm_bytes += part.ymm_bytes;
        sum.zmm_bytes += part.zmm_bytes;
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

#[test]
fn counts_of_the_machines_programs_equal_objdumps() {
    for path in ["/bin/ls", "/bin/bash", "/lib/x86_64-linux-gnu/libc.so.6"] {
        let Ok(bytes) = std::fs::read(path) else {
            println!("SKIPPED: {path} is not there");
            continue;
        };
        let audit = audit(&bytes, &Options::default()).expect(path);
        if let Some(expected) = objdump_of(path) {
            assert_eq!(counts(&audit.total), expected, "{path}");
        }
        assert_eq!(audit.total.simd + audit.total.sve, 0);
    }
}

/// All instructions, and those that name a register of Advanced SIMD.
#[test]
fn aarch64_counts_equal_objdumps() {
    let path = "/usr/aarch64-linux-gnu/lib/libc.so.6";
    let Ok(bytes) = std::fs::read(path) else {
        println!("SKIPPED: {path} is not there");
        return;
    };
    let Some(text) = output("aarch64-linux-gnu-objdump", &["-d", path]) else {
        return;
    };
    let audit = audit(&bytes, &Options::default()).unwrap();
    let (mut instructions, mut simd) = (0, 0);
    for line in text.lines() {
        // `  27640:\t4e080c00 \tdup\tv0.2d, x0`
        let mut parts = line.splitn(4, '\t');
        let (Some(_), Some(word), Some(name)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        // `mrs x0, s3_3_c9_c12_0` names no vector register.
        if word.trim().len() != 8 || name.starts_with(".word") {
            continue;
        }
        // `udf #0` is padding; objdump passes over longer runs of it.
        if name == "udf" {
            continue;
        }
        instructions += 1;
        let operands = parts.next().unwrap_or("").split("//").next().unwrap_or("");
        let names = operands.split(|c: char| !c.is_ascii_alphanumeric());
        let vector = |name: &str| {
            let number = name.strip_prefix(['v', 'q', 'd', 's', 'h', 'b']);
            // Longer ones are addresses.
            number.is_some_and(|n| n.len() < 3 && n.parse::<u8>().is_ok_and(|n| n < 32))
        };
        // `.inst` is what objdump cannot name.
        simd +=
            u64::from(names.into_iter().any(vector) && !matches!(name, ".inst" | "mrs" | "msr"));
    }
    // The file has no mapping symbols: between functions only what something leads to is code.
    // The linker's veneers for an erratum of Cortex-A53, two instructions each, are left over
    // where it did without them.
    let left_over = instructions - audit.total.instructions;
    assert!(
        left_over <= 8,
        "{left_over} instructions are taken for data"
    );
    assert_eq!(audit.total.undecodable, 0);
    assert_eq!(audit.total.simd, simd);
    assert!(audit.total.sve > 100);
}
