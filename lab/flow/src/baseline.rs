//! The baseline: what all CPUs have that a file is for.
//!
//! The levels are those of the x86-64 psABI, section 3.1.1 (Micro-Architecture Levels).

use karat_binary::a64::NAMES;
use karat_binary::x86::table;

/// Extensions that each level adds to the one before.
const LEVELS: [(&str, &[&str]); 4] = [
    ("x86-64", &[]),
    (
        "x86-64-v2",
        &["cmpxchg16b", "popcnt", "sse3", "ssse3", "sse4.1", "sse4.2"],
    ),
    (
        "x86-64-v3",
        &[
            "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave",
        ],
    ),
    (
        "x86-64-v4",
        &["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"],
    ),
];

/// What each version of AArch64 adds to the one before, of what is counted.
/// Source: Arm Architecture Reference Manual (DDI 0487), A2.2 to A2.12, mandatory features;
/// `-march` of GCC and LLVM. `armv9-a` is Armv8.5 with SVE2.
const ARM_LEVELS: [(&str, &[&str]); 8] = [
    ("armv8-a", &[]),
    ("armv8.1-a", &["lse", "crc"]),
    ("armv8.2-a", &[]),
    ("armv8.3-a", &["rcpc", "paca"]),
    ("armv8.4-a", &["dotprod", "rcpc2"]),
    ("armv8.5-a", &[]),
    ("armv8.6-a", &["bf16", "i8mm"]),
    ("armv8.7-a", &[]),
];

/// Names that only CPUs with another of the names have: iced's and rustc's
/// spelling differ in a few.
const SAME: [(&str, &str); 6] = [
    ("cx16", "cmpxchg16b"),
    ("fma3", "fma"),
    ("pclmul", "pclmulqdq"),
    ("bmi", "bmi1"),
    ("abm", "lzcnt"),
    ("rdrnd", "rdrand"),
];

/// What every CPU that the file is meant for can run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Baseline {
    text: String,
    extensions: Vec<String>,
    is_arm: bool,
}

/// Why a text names no baseline.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{word}` is neither a level (x86-64, x86-64-v2, x86-64-v3, x86-64-v4) nor an x86-64 \
     extension; write for example x86-64-v2 or x86-64-v2+aes+pclmulqdq, or for AArch64 \
     armv8-a (to armv8.7-a, armv9-a) or armv8-a+lse"
)]
pub struct BaselineError {
    /// What was not understood.
    pub word: String,
}

impl Baseline {
    /// Reads a level (`armv8-a` and the like are of AArch64), or a list of levels and extensions by rustc's names, with
    /// `,`, `+` or blanks between them. Levels include the ones below; so does
    /// `avx512f` include nothing but itself, as CPUID has it.
    ///
    /// # Errors
    /// [`BaselineError`] names the first word that is neither.
    pub fn parse(text: &str) -> Result<Self, BaselineError> {
        if text.trim_start().to_ascii_lowercase().starts_with("armv") {
            return Self::parse_arm(text);
        }
        let known = |word: &str| table().sets.iter().flatten().any(|name| name == word);
        let mut extensions: Vec<String> = Vec::new();
        let words = text.split([',', '+', ' ']).filter(|w| !w.is_empty());
        for word in words {
            let word = word.to_ascii_lowercase();
            if let Some(at) = LEVELS.iter().position(|(name, _)| *name == word) {
                let all = LEVELS[..=at].iter().flat_map(|(_, adds)| *adds);
                extensions.extend(all.map(|name| (*name).to_string()));
                continue;
            }
            let same = SAME.iter().find(|(alias, _)| *alias == word);
            let word = same.map_or(word.clone(), |(_, name)| (*name).to_string());
            if !known(&word) {
                return Err(BaselineError { word });
            }
            extensions.push(word);
        }
        if text.trim().is_empty() {
            let word = text.to_string();
            return Err(BaselineError { word });
        }
        extensions.sort();
        extensions.dedup();
        Ok(Self {
            text: text.trim().to_string(),
            extensions,
            is_arm: false,
        })
    }

    fn parse_arm(text: &str) -> Result<Self, BaselineError> {
        let mut extensions: Vec<String> = Vec::new();
        for word in text.split([',', '+', ' ']).filter(|w| !w.is_empty()) {
            let word = word.to_ascii_lowercase();
            let (level, beyond): (&str, &[&str]) = match word.as_str() {
                "armv8.0-a" => ("armv8-a", &[]),
                "armv9-a" | "armv9.0-a" => ("armv8.5-a", &["sve", "sve2", "fp16"]),
                other => (other, &[]),
            };
            if let Some(at) = ARM_LEVELS.iter().position(|(name, _)| *name == level) {
                let all = ARM_LEVELS[..=at].iter().flat_map(|(_, adds)| *adds);
                extensions.extend(all.chain(beyond).map(|name| (*name).to_string()));
            } else if NAMES.contains(&word.as_str()) {
                extensions.push(word);
            } else {
                return Err(BaselineError { word });
            }
        }
        extensions.sort();
        extensions.dedup();
        Ok(Self {
            text: text.trim().to_string(),
            extensions,
            is_arm: true,
        })
    }

    /// Whether it is of AArch64, not of x86-64.
    #[must_use]
    pub fn is_arm(&self) -> bool {
        self.is_arm
    }

    /// The extensions that it has, by the names of a census.
    #[must_use]
    pub fn extensions(&self) -> &[String] {
        &self.extensions
    }

    /// As it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it has an extension, by the name that a census has.
    #[must_use]
    pub fn has(&self, extension: &str) -> bool {
        self.extensions.iter().any(|name| name == extension)
    }
}

/// The lowest level that has all of `extensions`, or the highest one for those
/// that no level has.
pub fn level_of(extensions: &[&str]) -> &'static str {
    let mut level = LEVELS[0].0;
    for (name, adds) in LEVELS {
        if extensions.iter().any(|e| adds.contains(e)) {
            level = name;
        }
    }
    level
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_covers_what_is_below() {
        assert_eq!(level_of(&["popcnt"]), "x86-64-v2");
        assert_eq!(level_of(&["popcnt", "bmi2", "aes"]), "x86-64-v3");
        assert_eq!(level_of(&["avx512vl"]), "x86-64-v4");
    }
}
