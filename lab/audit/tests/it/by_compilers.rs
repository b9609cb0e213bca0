//! One fixture, built by several compilers and searched.

use crate::build::try_by;
use karat_audit::{Baseline, searched};
use karat_model::leaks::LeakReport;

/// Searches a fixture built by each of `builds` that is there: compiler and level. `check` is
/// given what was found, and how it was built.
pub fn each(builds: &[[&str; 2]], name: &str, flags: &[&str], check: impl Fn(&LeakReport, &str)) {
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    for [compiler, level] in builds {
        let flags = [&[*level], flags].concat();
        let Some(built) = try_by(compiler, name, &flags) else {
            println!("SKIPPED: {compiler} {flags:?} does not build");
            continue;
        };
        let report = searched(&built.bytes, &baseline).expect("a sound binary");
        check(&report, &format!("{compiler} {flags:?}"));
    }
}
