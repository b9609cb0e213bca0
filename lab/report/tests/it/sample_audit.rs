//! Audits like those of the sample study's binaries.

use karat_model::audit::*;
use std::collections::BTreeMap;

/// Functions that the study expects.
pub const FUNCTIONS: [&str; 3] = [
    "blake2b_simd::avx2::compress1_loop",
    "blake2b_simd::avx2::compress4_loop",
    "tiny_keccak::keccakf",
];

/// The audit of the variant with this index.
pub fn audit(v: usize) -> BinaryAudit {
    // Instructions per variant: whole binary, ymm, zmm, mask.
    let (all, ymm, zmm, mask) = [
        (112_340, 5_120, 0, 0),
        (109_870, 9_845, 0, 0),
        (108_112, 10_433, 2_310, 877),
        (109_003, 10_120, 0, 0),
        (108_976, 10_044, 1_890, 412),
        (107_765, 9_020, 1_422, 640),
        (131_020, 11_833, 2_544, 902),
        (108_190, 10_447, 2_310, 877),
        (111_507, 7_930, 1_204, 388),
    ][v];
    let total = census(all, ymm, zmm, mask);
    let part = |name: &str, share: u64| CrateCensus {
        name: name.into(),
        by_symbol: false,
        census: census(
            all * share / 100,
            ymm * share / 100,
            zmm * share / 100,
            mask * share / 100,
        ),
    };
    BinaryAudit {
        format: "ELF x86-64".into(),
        code_bytes: all * 9 / 2,
        has_line_tables: true,
        apart: vec![karat_model::audit::ApartRegion {
            section: ".text".into(),
            bytes: 8145,
            undecodable: 3,
            why: "bytes that do not decode".into(),
        }],
        functions: [
            ("blake3::platform::Platform::hash_many", 12),
            ("blake2b_simd::avx2::compress4_loop", 9),
            (
                "curve25519_dalek::backend::vector::scalar_mul::straus::multiscalar_mul",
                7,
            ),
            ("subject::main", 2),
        ]
        .map(|(name, share)| FunctionCensus {
            name: name.into(),
            address: 0x20_000 + share * 0x1000,
            census: part(name, share).census,
        })
        .into(),
        functions_total: 1_204 + v as u64,
        crates: vec![
            part("blake3", 31),
            part("curve25519_dalek", 24),
            part("std", 18),
            part("blake2b_simd", 12),
            part("memchr", 6),
            part("tiny_keccak", 4),
            part("subject", 2),
        ],
        survival: (0..FUNCTIONS.len()).map(|f| survival(f, v)).collect(),
        seconds: 0.021,
        total,
        ..BinaryAudit::default()
    }
}

fn census(instructions: u64, ymm: u64, zmm: u64, mask: u64) -> Census {
    let counts = [
        ("avx2", ymm),
        ("avx512f", zmm),
        ("bmi2", instructions / 40),
        ("avx512vl", zmm / 2),
    ];
    Census {
        instructions,
        bytes: instructions * 4,
        xmm: instructions / 11,
        ymm,
        zmm,
        xmm_bytes: instructions / 11 * 4,
        ymm_bytes: ymm * 5,
        zmm_bytes: zmm * 6,
        mask,
        extensions: counts
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(name, count)| (name.to_owned(), count))
            .collect(),
        ..Census::default()
    }
}

fn survival(f: usize, v: usize) -> Survival {
    use SurvivalState::{Changed, Inlined, Present};
    let lowered = matches!(v, 2 | 5 | 6 | 7);
    let (state, mix): (SurvivalState, &[(&str, u64)]) = match (f, v) {
        (0, 2 | 4 | 5) => (
            Inlined,
            &[
                ("vpaddq", 336),
                ("vpermq", 154),
                ("vprolq", 192),
                ("vpxor", 210),
            ],
        ),
        (0, _) if lowered => (
            Changed,
            &[
                ("vpaddq", 336),
                ("vpermq", 154),
                ("vprolq", 192),
                ("vpxor", 210),
            ],
        ),
        (0, 1) => (
            Present,
            &[
                ("vpaddq", 336),
                ("vpermq", 114),
                ("vpshufb", 142),
                ("vpshufd", 96),
                ("vpxor", 210),
            ],
        ),
        (0, _) => (
            Present,
            &[
                ("vpaddq", 336),
                ("vpermq", 160),
                ("vpshufb", 142),
                ("vpshufd", 96),
                ("vpxor", 210),
            ],
        ),
        (2, _) if matches!(v, 2 | 6 | 7) => (
            Changed,
            &[
                ("vpermt2q", 212),
                ("vprolvq", 120),
                ("vpternlogq", 184),
                ("rorx", 8),
                ("xor", 90),
            ],
        ),
        (2, 1 | 3 | 4 | 5) => (Changed, &[("rorx", 696), ("xor", 1_840), ("andn", 600)]),
        (2, _) => (
            Present,
            &[("rol", 696), ("xor", 1_840), ("and", 600), ("not", 600)],
        ),
        _ if lowered => (Changed, &[("vpaddq", 576), ("vprorq", 384), ("vpxor", 384)]),
        _ => (
            Present,
            &[("vpaddq", 576), ("vpshufb", 288), ("vpxor", 384)],
        ),
    };
    let mix: BTreeMap<String, u64> = mix.iter().map(|(n, c)| ((*n).into(), *c)).collect();
    let instructions = mix.values().sum();
    let base = (v > 0).then(|| survival(f, 0).mix);
    let similarity = base.map(|base| {
        let count = |of: &BTreeMap<String, u64>, name: &str| of.get(name).copied().unwrap_or(0);
        let names: std::collections::BTreeSet<&String> = base.keys().chain(mix.keys()).collect();
        let sum = |pick: fn(u64, u64) -> u64| -> u64 {
            names
                .iter()
                .map(|n| pick(count(&base, n), count(&mix, n)))
                .sum()
        };
        sum(u64::min) as f64 / sum(u64::max) as f64
    });
    Survival {
        function: FUNCTIONS[f].into(),
        state,
        inlined_into: if state == Inlined {
            vec![
                host("blake2b_simd::Params::hash", 1_000),
                host("blake2b_simd::State::finalize", 312),
            ]
        } else {
            Vec::new()
        },
        census: census(instructions, instructions * 9 / 10, 0, 0),
        mix,
        similarity,
        caveat: None,
    }
}

fn host(function: &str, instructions: u64) -> InlineHost {
    InlineHost {
        function: function.into(),
        instructions,
    }
}
