//! Which target features are instruction sets that code is chosen by.

/// Features that say how a program is linked or which atomics, random numbers and system
/// instructions there are, and those of WebAssembly: no implementation of an algorithm is
/// chosen by them. Source: the lists of `rustc --print target-features` for x86-64,
/// AArch64, ARM, RISC-V and WebAssembly.
const NO_SIMD: &[&str] = &[
    // All targets.
    "crt-static",
    // x86.
    "cmpxchg16b", "ermsb", "fxsr", "lahfsahf", "rdrand", "rdseed", "rtm", "x87", "xsave",
    "xsavec", "xsaveopt", "xsaves",
    // ARM and AArch64.
    "aclass", "bti", "lor", "lse", "lse2", "lse128", "mclass", "mte", "outline-atomics", "paca",
    "pacg", "pan", "rand", "rclass", "rcpc", "rcpc2", "rcpc3", "sb", "ssbs", "strict-align",
    "thumb-mode", "thumb2", "trustzone", "v5te", "v6", "v6k", "v6t2", "v7", "v8", "vh", "wfxt",
    // RISC-V: atomics, compressed instructions, and the base sets.
    "a", "c", "e", "m", "d", "f", "zaamo", "zabha", "zacas", "zalrsc", "zama16b", "zawrs",
    // PowerPC, s390x and others.
    "atomics-32", "unaligned-scalar-mem",
    // WebAssembly.
    "atomics", "bulk-memory", "exception-handling", "extended-const", "multivalue",
    "mutable-globals", "nontrapping-fptoint", "reference-types", "relaxed-simd", "sign-ext",
    "simd128", "tail-call",
];

/// Whether code is chosen by it.
pub(crate) fn is_simd(feature: &str) -> bool {
    !NO_SIMD.contains(&feature)
}
