//! What compilers mean by the numbers of features in `__cpu_model` and `__cpu_features2`:
//! `enum processor_features` of libgcc and compiler-rt.

use super::features::Facts;
use std::sync::LazyLock;

/// By number of the feature in `__builtin_cpu_supports`; blank where it is none that
/// matters here (AVX512PF is of Xeon Phi alone). What all x86-64 CPUs have (CMOV, MMX, SSE,
/// CMPXCHG8B, FXSAVE, long mode) comes with SSE2.
const SUPPORTS: &str = "sse2 sse2 popcnt sse2 sse2 sse3 ssse3 sse4.1 sse4.2 avx avx2 sse4a fma4 xop fma \
    avx512f bmi1 bmi2 aes pclmulqdq avx512vl avx512bw avx512dq avx512cd avx512er - \
    avx512vbmi avx512ifma - - avx512vpopcntdq avx512vbmi2 gfni vpclmulqdq avx512vnni \
    avx512bitalg avx512bf16 avx512vp2intersect - - adx lzcnt - clflushopt clwb - cmpxchg16b sse2 \
    - f16c fsgsbase sse2 - - - sse2 - lzcnt movbe movdir64b movdiri - xsave - - - - - rdpid rdrand \
    rdseed rtm - - sha - tbm - vaes waitpkg - xsave xsavec xsaveopt xsaves amx-tile amx-int8 \
    amx-bf16 - - - - - avxvnni avx512fp16 - v2 v3 v4 avxifma";

/// Features that the levels of `__builtin_cpu_supports("x86-64-v3")` are.
const LEVELS: [(&str, &[&str]); 3] = [
    ("v2", &["cmpxchg16b", "sse4.2", "popcnt"]),
    (
        "v3",
        &[
            "cmpxchg16b",
            "avx2",
            "bmi1",
            "bmi2",
            "f16c",
            "fma",
            "lzcnt",
            "movbe",
            "xsave",
        ],
    ),
    (
        "v4",
        &[
            "cmpxchg16b",
            "avx2",
            "bmi1",
            "bmi2",
            "f16c",
            "fma",
            "lzcnt",
            "movbe",
            "xsave",
            "avx512f",
            "avx512bw",
            "avx512cd",
            "avx512dq",
            "avx512vl",
        ],
    ),
];

/// By number: what a bit says.
static SUPPORTED: LazyLock<Vec<Facts>> = LazyLock::new(|| {
    let one = |name: &str| {
        let level = LEVELS.iter().find(|(level, _)| *level == name);
        match (name, level) {
            ("-", _) => Facts::NONE,
            (_, Some((_, all))) => Facts::of(all.iter().copied()).closed(),
            _ => Facts::named(name).closed(),
        }
    };
    SUPPORTS.split_whitespace().map(one).collect()
});

/// What the feature of a number needs; nothing for one that is not known.
pub fn supports(number: u64) -> Facts {
    let known = usize::try_from(number)
        .ok()
        .and_then(|at| SUPPORTED.get(at));
    known.copied().unwrap_or(Facts::NONE)
}
