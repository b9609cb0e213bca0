//! Which target features are instruction sets that code is chosen by.

/// Features that say how a program is linked or which atomics, random numbers and system
/// instructions there are, and those of WebAssembly: no implementation of an algorithm is
/// chosen by them. Source: the lists of `rustc --print target-features` for x86-64,
/// AArch64, ARM, RISC-V and WebAssembly.
const NO_SIMD: &[&str] = &[
    // All targets.
    "crt-static",
    // x86.
    "cmpxchg16b",
    "ermsb",
    "fxsr",
    "lahfsahf",
    "rdrand",
    "rdseed",
    "rtm",
    "x87",
    "xsave",
    "xsavec",
    "xsaveopt",
    "xsaves",
    // ARM and AArch64.
    "aclass",
    "bti",
    "dit",
    "lor",
    "lse",
    "lse2",
    "lse128",
    "lsfe",
    "mclass",
    "mte",
    "outline-atomics",
    "paca",
    "pacg",
    "pan",
    "rand",
    "rclass",
    "rcpc",
    "rcpc2",
    "rcpc3",
    "sb",
    "ssbs",
    "strict-align",
    "thumb-mode",
    "thumb2",
    "trustzone",
    "v5te",
    "v6",
    "v6k",
    "v6t2",
    "v7",
    "v8",
    "vh",
    "wfxt",
    // RISC-V: atomics, compressed instructions, and the base sets.
    "a",
    "c",
    "e",
    "m",
    "d",
    "f",
    "zaamo",
    "zabha",
    "zacas",
    "zalrsc",
    "zama16b",
    "zawrs",
    // PowerPC, s390x, AVR and others.
    "atomics-32",
    "distinct-ops",
    "fast-serialization",
    "load-store-on-cond",
    "miscellaneous-extensions-3",
    "quadword-atomics",
    "rmw",
    "unaligned-scalar-mem",
    // WebAssembly.
    "atomics",
    "bulk-memory",
    "exception-handling",
    "extended-const",
    "multivalue",
    "mutable-globals",
    "nontrapping-fptoint",
    "reference-types",
    "relaxed-simd",
    "sign-ext",
    "simd128",
    "tail-call",
];

/// Whether code is chosen by it.
pub(crate) fn is_simd(feature: &str) -> bool {
    !NO_SIMD.contains(&feature)
}

const X86: &[&str] = &["x86", "x86_64"];
const ARM: &[&str] = &["aarch64", "arm64ec", "arm"];

/// Features that one family of CPUs has alone, by how their names begin. Those that others
/// have too, such as `aes`, are not here.
const FAMILIES: &[(&[&str], &[&str])] = &[
    (
        &[
            "avx",
            "bmi",
            "f16c",
            "fma",
            "gfni",
            "lzcnt",
            "pclmulqdq",
            "popcnt",
            "sse",
            "ssse3",
            "vaes",
            "vpclmulqdq",
            "xop",
        ],
        X86,
    ),
    (&["dotprod", "i8mm", "neon", "sve"], ARM),
    (&["altivec", "vsx"], &["powerpc", "powerpc64"]),
    (&["lasx", "lsx"], &["loongarch64"]),
];

/// The architectures that alone have a feature, as `target_arch` names them.
pub(crate) fn only_of(feature: &str) -> Option<&'static [&'static str]> {
    let is_one = |begin: &&str| feature.starts_with(begin);
    let family = FAMILIES.iter().find(|(names, _)| names.iter().any(is_one));
    family.map(|(_, arches)| *arches)
}
