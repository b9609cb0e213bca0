//! Variants whose program is the baseline's, byte for byte.
//!
//! Two runs of one program differ by chance only, so nothing is to be measured: such a
//! variant is SAME by identity. That is claimed of programs alone that karat built and that
//! hold all they do. A script, and a program that was found somewhere, may load files that
//! lie beside it.

use super::Builds;
use karat_model::study::{Builder, Study, Surroundings, Variant};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Per variant of the study: whether it is the baseline under another name.
pub(super) fn of(study: &Study, builds: &Builds) -> Vec<bool> {
    let base = study.baseline;
    let identical = |i: usize| {
        let (Some(own), Some(other)) = (&builds[i], &builds[base]) else {
            return false;
        };
        i != base
            && own.evidence.sha256 == other.evidence.sha256
            && run_alike(&study.variants[i], &study.variants[base])
            && is_elf(&own.binary)
    };
    (0..study.variants.len()).map(identical).collect()
}

fn run_alike(one: &Variant, other: &Variant) -> bool {
    let found = |v: &Variant| matches!(v.builder, Builder::Binary(_));
    !found(one) && !found(other) && one.args == other.args && alike(&one.run, &other.run)
}

/// Whether two tables say the same, wherever they stand in the file.
fn alike(one: &Surroundings, other: &Surroundings) -> bool {
    let path = |p: &Option<_>| p.as_ref().map(|l: &super::Place| l.value.clone());
    path(&one.stdin) == path(&other.stdin)
        && path(&one.dir) == path(&other.dir)
        && one.env == other.env
        && one.setup == other.setup
        && one.cleanup == other.cleanup
}

fn is_elf(path: &Path) -> bool {
    let mut magic = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    read.is_ok() && magic == *b"\x7fELF"
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_build::Built;
    use karat_model::evidence::BuildEvidence;
    use std::path::PathBuf;

    const STUDY: &str = r#"
schema = 1
name = "s"
baseline = "base"
[subject]
dir = "."
command = ["make"]
artifact = "prog"
[[variant]]
name = "base"
[[variant]]
name = "alike"
run = {}
[[variant]]
name = "with-arguments"
args = ["--fast"]
[[variant]]
name = "with-environment"
run = { env = { FAST = "1" } }
[[variant]]
name = "found"
binary = "prog"
[[variant]]
name = "other"
"#;

    fn built(binary: PathBuf, sha256: &str) -> Option<Built> {
        Some(Built {
            evidence: BuildEvidence {
                key: "k".into(),
                cached: false,
                seconds: 0.0,
                sha256: sha256.into(),
                bytes: 4,
                warnings: 0,
            },
            binary,
            log: String::new(),
        })
    }

    fn identical(contents: &[u8]) -> Vec<bool> {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("prog");
        std::fs::write(&file, contents).unwrap();
        let study = Study::parse(STUDY).unwrap();
        let mut builds: Builds = vec![built(file.clone(), "one"); 5];
        builds.push(built(file, "another"));
        of(&study, &builds)
    }

    #[test]
    fn a_variant_is_the_baseline_when_file_and_run_are_the_same() {
        let expected = [false, true, false, false, false, false];
        assert_eq!(identical(b"\x7fELF"), expected);
    }

    #[test]
    fn a_script_may_load_other_files() {
        assert_eq!(identical(b"#!/bin/sh\n"), [false; 6]);
    }
}
