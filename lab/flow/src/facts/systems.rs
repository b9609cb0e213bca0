//! What functions of operating systems tell of the CPU by a number or a name that they are
//! given: Windows' `IsProcessorFeaturePresent`, and macOS' `sysctlbyname`.
//!
//! What they say is their makers' word about a documented name, so what rests on it has
//! medium confidence ([`Facts::member`]).

use super::features::Facts;
use super::known::either;
use super::value::{Kind, Value};
use crate::program::Program;

/// Its first argument is a number.
const WINDOWS: &str = "IsProcessorFeaturePresent";
/// Its first argument is a name; the answer goes behind the second.
const MACOS: &str = "sysctlbyname";

/// Bytes that `sysctlbyname` writes of what is asked for here (an `int`).
pub(super) const ANSWER: u8 = 4;
/// The argument behind which it writes them.
pub(super) const PLACE: u8 = 1;

/// Names begin so that tell of extensions (Apple, "Determining instruction set
/// characteristics"; the manual page sysctl(3)).
const OPTIONAL: &str = "hw.optional.";
/// Bytes of a name, at most.
const LONGEST: u64 = 64;

/// `PF_…` of Windows (winnt.h; Microsoft, "IsProcessorFeaturePresent function").
const NUMBERS: [(u64, &str); 15] = [
    (6, "sse2"), // PF_XMMI_INSTRUCTIONS_AVAILABLE is SSE, which every x86-64 CPU has.
    (10, "sse2"),
    (13, "sse3"),
    (14, "cmpxchg16b"),
    (17, "xsave"),
    (22, "fsgsbase"),
    (28, "rdrand"),
    (32, "rdtscp"),
    (33, "rdpid"),
    (36, "ssse3"),
    (37, "sse4.1"),
    (38, "sse4.2"),
    (39, "avx"),
    (40, "avx2"),
    (41, "avx512f"),
];

/// `hw.optional.…` of macOS on x86-64 (XNU, bsd/kern/kern_mib.c).
const NAMES: [(&str, &str); 22] = [
    ("sse3", "sse3"),
    ("supplementalsse3", "ssse3"),
    ("sse4_1", "sse4.1"),
    ("sse4_2", "sse4.2"),
    ("aes", "aes"),
    ("avx1_0", "avx"),
    ("rdrand", "rdrand"),
    ("f16c", "f16c"),
    ("fma", "fma"),
    ("avx2_0", "avx2"),
    ("bmi1", "bmi1"),
    ("bmi2", "bmi2"),
    ("rtm", "rtm"),
    ("adx", "adx"),
    ("avx512f", "avx512f"),
    ("avx512cd", "avx512cd"),
    ("avx512dq", "avx512dq"),
    ("avx512bw", "avx512bw"),
    ("avx512vl", "avx512vl"),
    ("avx512ifma", "avx512ifma"),
    ("avx512vbmi", "avx512vbmi"),
    ("sse2", "sse2"),
];

/// The extension that `IsProcessorFeaturePresent` is asked for by a number, if it is one.
#[must_use]
pub fn processor_feature(number: u64) -> Option<&'static str> {
    let mut all = NUMBERS.iter();
    all.find(|(known, _)| *known == number)
        .map(|(_, feature)| *feature)
}

/// The imported function of a name, if it is one of these.
pub(crate) fn named(name: &str) -> Option<&'static str> {
    let one = |known: &&str| *known == name;
    [WINDOWS, MACOS].into_iter().find(one)
}

/// Whether an imported function is one of these.
pub(crate) fn is_one(name: &str) -> bool {
    named(name).is_some()
}

/// Whether an imported function may tell what the CPU has, given an address or something
/// else as its first argument.
pub(crate) fn may_tell(program: &Program<'_>, name: &str, first: Option<u64>) -> bool {
    match name {
        WINDOWS => true,
        MACOS => first.is_none_or(|at| text(program, at).starts_with(OPTIONAL)),
        _ => false,
    }
}

/// Whether what a function is asked for is written behind an argument.
pub(crate) fn fills(name: &str) -> bool {
    name == MACOS
}

/// What a function tells that is given this first argument; none if that is not known.
pub(super) fn answer(program: &Program<'_>, name: &str, first: &Value) -> Option<Value> {
    let first = first.constant()?;
    let feature = match name {
        WINDOWS => {
            // Others ask for something else than an extension that is known here.
            let Some(feature) = processor_feature(first) else {
                return Some(either());
            };
            feature
        }
        MACOS => {
            let asked = text(program, first);
            let asked = asked.strip_prefix(OPTIONAL)?;
            NAMES.iter().find(|(name, _)| *name == asked)?.1
        }
        _ => return None,
    };
    let has = Facts::named(feature).closed() | Facts::member();
    Some(Value::from_alternatives(vec![
        (Kind::Const(0), Facts::NONE),
        (Kind::Const(1), has),
    ]))
}

/// The text at an address that ends with a zero byte; empty if there is none.
fn text(program: &Program<'_>, at: u64) -> String {
    if program.is_written(at) {
        return String::new();
    }
    let bytes = (0..LONGEST).map_while(|by| program.stored(at.checked_add(by)?));
    let bytes: Vec<u8> = bytes
        .map(|word| word as u8)
        .take_while(|byte| *byte != 0)
        .collect();
    String::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_is_known() {
        let all = NUMBERS.iter().map(|(_, feature)| feature);
        for feature in all.chain(NAMES.iter().map(|(_, feature)| feature)) {
            assert!(Facts::known(feature).is_some(), "{feature}");
        }
    }
}
