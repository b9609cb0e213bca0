//! Names that are known to tell what the CPU has (`gates.txt`), and those that
//! a user adds.

use crate::a64::features;
use karat_flow::facts::Facts;
use karat_flow::facts::vouched::{Says, Vouched};
use std::sync::LazyLock;

/// Bits of a variable that something may be said of: two words.
const BITS: usize = 128;

const TEXT: &str = include_str!("../gates.txt");

/// The names that karat brings along.
///
/// # Panics
/// When the built-in file does not parse; a test reads it.
pub(super) fn known() -> &'static Vouched {
    static KNOWN: LazyLock<Vouched> =
        LazyLock::new(|| parse(TEXT).unwrap_or_else(|why| panic!("gates.txt: {why}")));
    &KNOWN
}

fn parse(text: &str) -> Result<Vouched, String> {
    let mut out = Vouched::default();
    let lines = text.lines().map(str::trim);
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        let (kind, name) = (words.next(), words.next().unwrap_or_default());
        let says = says(words.collect()).map_err(|why| format!("{name}: {why}"))?;
        for name in names(name)? {
            match kind {
                Some("function") => out.function(&name, says.clone()),
                Some("cell") => out.cell(&name, says.clone()),
                Some("part") => match &says {
                    Says::Nonzero(_) if name.len() < 4 => {
                        return Err(format!("`{name}` is in too many names"));
                    }
                    Says::Nonzero(facts) => out.part(&name, *facts),
                    _ => return Err(format!("`{line}` has bits")),
                },
                Some("tables") => out.picker(&name),
                _ => return Err(format!("`{line}` begins with no word that is known")),
            }
        }
    }
    Ok(out)
}

/// The names that one stands for: `a_{b,c}_d` is `a_b_d` and `a_c_d`.
fn names(name: &str) -> Result<Vec<String>, String> {
    let Some((before, rest)) = name.split_once('{') else {
        return Ok(vec![name.to_owned()]);
    };
    let (all, after) = rest
        .split_once('}')
        .ok_or(format!("`{name}` has no `}}`"))?;
    let each = all.split(',').map(|one| format!("{before}{one}{after}"));
    Ok(each.collect())
}

fn says(words: Vec<&str>) -> Result<Says, String> {
    if words.is_empty() {
        return Ok(Says::Nonzero(Facts::vouched()));
    }
    if let [all] = words[..]
        && !all.contains('=')
    {
        return features(all).map(Says::Nonzero);
    }
    let mut bits = vec![Facts::NONE; BITS];
    for word in words {
        let (bit, names) = word.split_once('=').ok_or("a bit has no `=`")?;
        let place = bit.parse().ok().and_then(|bit: usize| bits.get_mut(bit));
        *place.ok_or_else(|| format!("there is no bit `{bit}`"))? = features(names)?;
    }
    Ok(Says::Bits(bits))
}

/// Features with a comma between them.
fn features(names: &str) -> Result<Facts, String> {
    names
        .split(',')
        .map(str::trim)
        .try_fold(Facts::NONE, |all, name| {
            let one = Facts::known(name).ok_or_else(|| format!("no feature is called `{name}`"))?;
            Ok(all | one)
        })
}

/// What a user says of a name: `NAME`, whose value is not zero only where all is there
/// that the code behind needs, or `NAME=avx2,bmi2`, where these are.
///
/// # Errors
/// In words, for a feature that is not known and for no name.
pub fn said(text: &str) -> Result<(&str, Says), String> {
    let (name, list) = match text.split_once('=') {
        Some((name, list)) => (name, Some(list)),
        None => (text, None),
    };
    if name.is_empty() {
        return Err(format!("`{text}` has no name"));
    }
    let facts = match list {
        Some(list) => features(list)
            .map_err(|why| format!("{why}; write them as reports do, such as avx2,bmi2"))?,
        None => Facts::vouched(),
    };
    Ok((name, Says::Nonzero(facts)))
}

/// [`said`] of files for AArch64, with features such as lse and dotprod.
///
/// # Errors
/// As [`said`].
pub fn said_arm(text: &str) -> Result<(&str, Says), String> {
    let Some((name, list)) = text.split_once('=') else {
        return said(text);
    };
    if name.is_empty() {
        return Err(format!("`{text}` has no name"));
    }
    let names: Vec<String> = list.split(',').map(|name| name.trim().to_owned()).collect();
    match names.iter().find(|name| features::known(name).is_none()) {
        Some(wrong) => Err(format!(
            "no feature is called `{wrong}`; write them as reports do, such as lse,dotprod"
        )),
        None => Ok((name, Says::Named(names))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_file_parses() {
        let Some(Says::Bits(bits)) = known().of_function("av_get_cpu_flags") else {
            panic!("FFmpeg's is missing");
        };
        assert_eq!(bits[15].names(), ["avx2"]);
        for name in [
            "simsimd_find_kernel_punned",
            "npy_cpu_have",
            "_ZN3hwy15GetChosenTargetEv",
            "_ZN2cv20checkHardwareSupportEi",
            "_ZN10x265_10bit23setupAssemblyPrimitivesERNS_17EncoderPrimitivesEi",
            "nk_dispatch_f16_find_",
            "sz_dispatch_utf8_norm_update_",
        ] {
            let says = known().of_function(name);
            assert_eq!(says, Some(&Says::Nonzero(Facts::vouched())), "{name}");
        }
        for name in [
            "__intel_cpu_feature_indicator",
            "__intel_cpu_feature_indicator_x",
        ] {
            let Some(Says::Bits(bits)) = known().of_cell(name) else {
                panic!("{name} is missing");
            };
            assert_eq!(bits[23].names(), ["avx2"]);
        }
        // Its bits differ from version to version.
        assert!(known().of_cell("dav1d_cpu_flags").is_none());
        for wrong in [
            "function f avx3",
            "function f 128=avx",
            "cell f avx 3=avx2",
            "g f avx",
            "part fogs 3=avx2",
            "part fog avx",
            "part f avx2",
            "function f{a,b avx",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert!(parse("cell f avx").is_ok());
        assert!(known().is_picker("volk_get_machine"));
        let avx2 = Facts::known("avx2").unwrap();
        let name = "_ZN5faiss3sumILNS_9SIMDLevelE1EEEvv";
        assert_eq!(known().of_part(name), Some(avx2));
        assert!(parse("part fogs avx").unwrap().of_part("a_fogs").is_some());
        for name in [
            "_ZN3jxl6N_AVX212FloatToU32Ev",
            "_ZN5arrow7compute8internal12_GLOBAL__N_114MinMaxInitAvx2EPNS0_13KernelContextE",
            "HUF_decompress4X1_usingDTable_internal_fast_c_loop",
        ] {
            let says = known().of_part(name).unwrap_or_default();
            let bmi2 = Facts::known("bmi2").unwrap();
            assert!(bmi2.without(says.together()).is_none(), "{name}");
        }
        assert!(known().of_part("_ZN3jxl8N_SCALAR12FloatToU32Ev").is_none());
    }

    #[test]
    fn one_line_names_several() {
        assert_eq!(names("f"), Ok(vec!["f".into()]));
        assert_eq!(
            names("a{b,,c}d"),
            Ok(vec!["abd".into(), "ad".into(), "acd".into()])
        );
    }

    #[test]
    fn a_user_names_functions() {
        assert_eq!(said("has"), Ok(("has", Says::Nonzero(Facts::vouched()))));
        let (name, says) = said("a::b=avx2, bmi2").unwrap();
        let both = Facts::known("avx2").unwrap() | Facts::known("bmi2").unwrap();
        assert_eq!((name, says), ("a::b", Says::Nonzero(both)));
        assert!(said("=avx2").is_err());
        assert!(said("f=avx3").unwrap_err().contains("avx3"));
    }

    #[test]
    fn a_user_names_functions_of_aarch64() {
        assert_eq!(said_arm("has"), said("has"));
        let names = vec!["lse".to_owned(), "sha512".to_owned()];
        assert_eq!(said_arm("f=lse, sha512"), Ok(("f", Says::Named(names))));
        for wrong in ["f=avx2", "f=another feature", "f=", "=lse"] {
            assert!(said_arm(wrong).is_err(), "{wrong}");
        }
    }
}
