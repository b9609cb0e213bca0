//! Variables that are known by their names: what their bits say.
//!
//! `__cpu_model` and `__cpu_features2` as libgcc and compiler-rt lay them out
//! (`enum processor_features`), `OPENSSL_ia32cap_P` as `OPENSSL_ia32cap(3)` says, and
//! Go's flags in `runtime`. What else holds answers is found out from the code that
//! fills it.

use super::features::{Facts, Register, cpuid_bit};
use super::value::{Value, constant_bit};
use std::sync::LazyLock;

/// By number of the feature in `__builtin_cpu_supports`; blank where it is none that
/// matters here.
const SUPPORTS: &str = "- - popcnt - - sse3 ssse3 sse4.1 sse4.2 avx avx2 sse4a fma4 xop fma \
    avx512f bmi1 bmi2 aes pclmulqdq avx512vl avx512bw avx512dq avx512cd avx512er avx512pf \
    avx512vbmi avx512ifma - - avx512vpopcntdq avx512vbmi2 gfni vpclmulqdq avx512vnni \
    avx512bitalg avx512bf16 avx512vp2intersect - - adx lzcnt - clflushopt clwb - cmpxchg16b - \
    - f16c fsgsbase - - - - - - lzcnt movbe movdir64b movdiri - xsave - - - - - rdpid rdrand \
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

fn supports(number: u64) -> Facts {
    let known = usize::try_from(number)
        .ok()
        .and_then(|at| SUPPORTED.get(at));
    known.copied().unwrap_or(Facts::NONE)
}

fn flags(bytes: u8, bit: impl Fn(u64) -> Facts) -> Value {
    Value::word(|at| match u64::from(at) < u64::from(bytes) * 8 {
        true => (bit(u64::from(at)), Facts::NONE),
        false => constant_bit(false),
    })
}

/// What so many bytes at a distance in a variable hold; none if the name is not known.
pub fn variable(name: &str, distance: u64, bytes: u8) -> Option<Value> {
    let both = |name: &str, bytes: u8| {
        let facts = Facts::named(name);
        Value::word(|at| match u64::from(at) < u64::from(bytes) * 8 {
            true => (facts, facts),
            false => constant_bit(false),
        })
    };
    match name {
        "__cpu_model" => Some(match distance {
            0..4 => both("the vendor", bytes),
            4..12 => both("the model", bytes),
            _ => flags(bytes, |bit| supports((distance - 12) * 8 + bit)),
        }),
        "__cpu_features2" => Some(flags(bytes, |bit| supports(32 + distance * 8 + bit))),
        _ if name.ends_with("ia32cap_P") => {
            let words = [
                (1, Register::D),
                (1, Register::C),
                (7, Register::B),
                (7, Register::C),
            ];
            Some(flags(bytes, |bit| {
                let bit = distance * 8 + bit;
                let word = words.get((bit / 32) as usize);
                word.map_or(Facts::NONE, |(leaf, register)| {
                    cpuid_bit(*leaf, 0, *register, (bit % 32) as u8).0
                })
            }))
        }
        _ => {
            let feature = match name {
                "runtime.x86HasPOPCNT" => "popcnt",
                "runtime.x86HasSSE41" => "sse4.1",
                "runtime.x86HasFMA" => "fma",
                _ => return None,
            };
            Some(vouched(bytes, Facts::named(feature)))
        }
    }
}

/// A value that is not zero only where features are there.
fn vouched(bytes: u8, facts: Facts) -> Value {
    flags(bytes, |_| facts.closed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_known_variables() {
        let bit = |name, distance, bit| {
            variable(name, distance, 4)
                .and_then(|v| v.when(Some(bit)))
                .unwrap()
                .names()
        };
        assert_eq!(bit("__cpu_model", 12, 10), ["avx2"]);
        assert_eq!(bit("__cpu_model", 12, 15), ["avx512f"]);
        assert_eq!(bit("__cpu_features2", 0, 0), ["gfni"]);
        assert_eq!(bit("__cpu_features2", 4, 14), ["vaes"]);
        assert_eq!(bit("__cpu_model", 0, 0), ["the vendor"]);
        assert_eq!(bit("OPENSSL_ia32cap_P", 8, 5), ["avx2"]);
        assert!(variable("counter", 0, 4).is_none());
    }
}
