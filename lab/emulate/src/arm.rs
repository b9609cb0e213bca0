//! The emulated AArch64 CPU for a baseline.
//!
//! QEMU has models of real CPUs and `max`, and takes little away from them: SVE, SME and
//! pointer authentication. So there is seldom one that has a baseline and nothing more. The one
//! is taken that lacks most of what is to be tried, and what it has beyond the baseline is said.

use crate::error::TryError;
use karat_audit::Baseline;

/// Models of QEMU 7.2 and what they have of the extensions that are counted, by
/// `getauxval(AT_HWCAP)` in a program that they run: a test asks it again.
pub const MODELS: [(&str, &[&str]); 7] = [
    ("cortex-a53", &["aes", "crc", "sha2"]),
    (
        "cortex-a76",
        &["aes", "crc", "dotprod", "fp16", "lse", "rcpc", "sha2"],
    ),
    ("a64fx", &["aes", "crc", "fp16", "lse", "sha2", "sve"]),
    (
        "max,pauth=off,sve=off,sme=off",
        &[
            "aes", "bf16", "crc", "dotprod", "fp16", "i8mm", "lse", "rcpc", "rcpc2", "sha2",
            "sha3", "sm4",
        ],
    ),
    (
        "max,sve=off,sme=off",
        &[
            "aes", "bf16", "crc", "dotprod", "fp16", "i8mm", "lse", "paca", "rcpc", "rcpc2",
            "sha2", "sha3", "sm4",
        ],
    ),
    (
        "max,sme=off",
        &[
            "aes", "bf16", "crc", "dotprod", "fp16", "i8mm", "lse", "paca", "rcpc", "rcpc2",
            "sha2", "sha3", "sm4", "sve", "sve2",
        ],
    ),
    (
        "max",
        &[
            "aes", "bf16", "crc", "dotprod", "fp16", "i8mm", "lse", "paca", "rcpc", "rcpc2",
            "sha2", "sha3", "sm4", "sme", "sve", "sve2",
        ],
    ),
];

/// A model for a baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// What QEMU's `-cpu` takes.
    pub cpu: String,
    /// What it has beyond the baseline: no instruction of these dies.
    pub beyond: Vec<String>,
}

/// The model that has all of a baseline, lacks most of the extensions in `above`, and has the
/// least beyond both. `has` says which models there are.
pub fn model(isa: &str, above: &[String], has: impl Fn(&str) -> bool) -> Result<Model, TryError> {
    let baseline =
        Baseline::parse(isa).map_err(|error| TryError::NoSuchCpu { what: error.word })?;
    let known = baseline.extensions();
    let is_known = |name: &&str| known.iter().any(|known| known == name);
    let fits = MODELS.iter().filter(|(cpu, own)| {
        has(cpu.split(',').next().unwrap_or(cpu))
            && known.iter().all(|name| own.contains(&name.as_str()))
    });
    let best = fits.min_by_key(|(_, own)| {
        let tried = above.iter().filter(|name| own.contains(&name.as_str()));
        (tried.count(), own.len())
    });
    let (cpu, own) = best.ok_or_else(|| TryError::NoSuchCpu {
        what: format!("{isa}, of which none of its models has all,"),
    })?;
    let beyond = own.iter().filter(|name| !is_known(name));
    Ok(Model {
        cpu: (*cpu).to_owned(),
        beyond: beyond.map(|name| (*name).to_owned()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(isa: &str, above: &[&str]) -> (String, String) {
        let above: Vec<String> = above.iter().map(|&name| name.to_owned()).collect();
        let model = model(isa, &above, |_| true).unwrap();
        (model.cpu, model.beyond.join(" "))
    }

    #[test]
    fn the_model_lacks_what_is_to_be_tried() {
        let pair = |cpu: &str, beyond: &str| (cpu.to_owned(), beyond.to_owned());
        let small = pair("cortex-a53", "aes crc sha2");
        assert_eq!(of("armv8-a", &["lse", "sve"]), small);
        assert_eq!(of("armv8-a+crc", &[]), pair("cortex-a53", "aes sha2"));
        // Nothing has LSE alone.
        let with_sve = pair("a64fx", "aes fp16 sha2 sve");
        assert_eq!(of("armv8.1-a", &["dotprod"]), with_sve);
        let with_dot = pair("cortex-a76", "aes dotprod fp16 rcpc sha2");
        assert_eq!(of("armv8.2-a", &["sve"]), with_dot);
        assert_eq!(of("armv8.4-a", &["sve"]).0, "max,sve=off,sme=off");
        assert_eq!(
            of("armv8.2-a+sha3", &["paca"]).0,
            "max,pauth=off,sve=off,sme=off"
        );
        assert_eq!(of("armv9-a", &["sme"]).0, "max,sme=off");
        assert_eq!(of("armv9-a+sme", &[]).0, "max");
    }

    #[test]
    fn a_model_that_is_not_there_is_none() {
        let old = |name: &str| name != "max";
        let found = model("armv8.4-a", &[], old);
        assert!(
            matches!(found, Err(TryError::NoSuchCpu { .. })),
            "{found:?}"
        );
        assert!(model("armv8.2-a", &[], old).is_ok());
    }
}
