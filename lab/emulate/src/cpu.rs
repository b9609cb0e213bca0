//! The emulated x86-64 CPU for a baseline.
//!
//! Nehalem has x86-64-v2 and nothing above it; what lies below is taken away from
//! `qemu64`, what lies above is added. QEMU executes no AVX-512.

use crate::error::TryError;

/// Levels of the x86-64 psABI, as QEMU's model and features.
const LEVELS: [(&str, &str); 3] = [
    ("x86-64", "qemu64,-pni,-cx16,-lahf-lm,-svm"),
    ("x86-64-v2", "Nehalem"),
    (
        "x86-64-v3",
        "Nehalem,+avx,+avx2,+bmi1,+bmi2,+f16c,+fma,+abm,+movbe,+xsave",
    ),
];

/// Features that QEMU spells in another way than rustc and karat do.
const SPELLED: [(&str, &str); 9] = [
    ("sse3", "pni"),
    ("cmpxchg16b", "cx16"),
    ("lzcnt", "abm"),
    ("lahf", "lahf-lm"),
    ("sha", "sha-ni"),
    ("pclmul", "pclmulqdq"),
    ("fma3", "fma"),
    ("bmi", "bmi1"),
    ("rdrnd", "rdrand"),
];

/// What QEMU's `-cpu` takes for a baseline that is written as `--isa` takes it.
pub fn model(isa: &str) -> Result<String, TryError> {
    let mut level = 0;
    let mut added = String::new();
    let words = isa.split([',', '+', ' ']).filter(|word| !word.is_empty());
    for word in words {
        let word = word.to_ascii_lowercase();
        if word == "x86-64-v4" || word.starts_with("avx512") || word.starts_with("amx") {
            return Err(TryError::NoSuchCpu { what: word });
        }
        if let Some(at) = LEVELS.iter().position(|(name, _)| *name == word) {
            level = level.max(at);
            continue;
        }
        let spelled = SPELLED.iter().find(|(name, _)| *name == word);
        added += ",+";
        added += spelled.map_or(word.as_str(), |(_, qemu)| qemu);
    }
    Ok(format!("{}{added}", LEVELS[level].1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_baseline_is_a_model_and_its_features() {
        assert_eq!(model("x86-64-v2").unwrap(), "Nehalem");
        assert_eq!(model("x86-64-v2+aes+lzcnt").unwrap(), "Nehalem,+aes,+abm");
        assert!(model("x86-64").unwrap().contains("-pni"));
        assert!(matches!(
            model("x86-64-v4"),
            Err(TryError::NoSuchCpu { .. })
        ));
    }
}
