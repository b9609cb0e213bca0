//! Where ptrace is forbidden.

use crate::build::{program, text};
use karat_trace::{FileSites, Plan, TraceError, run};
use std::process::Command;

/// Set in the copy of this test program that runs behind the filter.
const INSIDE: &str = "KARAT_TRACE_TEST_INSIDE";

#[test]
fn a_seccomp_filter_is_named() {
    let plan = || {
        let this = std::env::current_exe().expect("a path");
        let files = vec![FileSites::new(&this, Vec::new()).expect("a file")];
        Plan { files }
    };
    if std::env::var_os(INSIDE).is_some() {
        let error = run(plan(), &program(&["true"]), &mut |_, _| {}).unwrap_err();
        assert!(matches!(error, TraceError::Forbidden { .. }), "{error}");
        assert!(error.to_string().contains("seccomp filter"), "{error}");
        return;
    }
    let built = crate::build::cc("forbid.c", &[]);
    let this = std::env::current_exe().expect("a path");
    let output = Command::new(text(&built.path))
        .arg(this)
        .args(["--exact", "forbidden::a_seccomp_filter_is_named"])
        .env(INSIDE, "1")
        .output()
        .expect("a run");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}"
    );
}
