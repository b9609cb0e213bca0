//! What a run finds round it: the same keys for workloads and variants.

use super::Surroundings;
use super::fields::{Fields, Located};
use crate::diagnostic::Problem;
use std::path::PathBuf;

/// Reads `stdin`, `dir`, `env`, `setup` and `cleanup`.
pub(super) fn read(fields: &mut Fields<'_, '_>, problems: &mut Vec<Problem>) -> Surroundings {
    let path = |s: Located<String>| Located {
        value: PathBuf::from(s.value),
        span: s.span,
    };
    Surroundings {
        stdin: fields.string("stdin", problems).map(path),
        dir: fields.string("dir", problems).map(path),
        env: fields.string_map("env", problems),
        setup: fields.string("setup", problems).map(|s| s.value),
        cleanup: fields.string("cleanup", problems).map(|s| s.value),
    }
}

/// Reads the table `run` of a variant.
pub(super) fn of_variant(fields: &mut Fields<'_, '_>, problems: &mut Vec<Problem>) -> Surroundings {
    let Some(mut fields) = fields.table("run", problems) else {
        return Surroundings::default();
    };
    let run = read(&mut fields, problems);
    fields.finish("`run`", problems);
    run
}
