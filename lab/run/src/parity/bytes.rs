//! Outputs compared as they are: stdout byte by byte, warnings line by line.

use karat_process::Finished;

/// Lines of a difference that are kept.
const DIFF_LINES: usize = 60;

/// What differs, as unified diffs.
pub(super) fn differences(expected: &Finished, found: &Finished) -> Vec<String> {
    let mut out = Vec::new();
    if expected.stdout != found.stdout {
        out.push(diff("stdout", &expected.stdout, &found.stdout));
    }
    let (before, after) = (warnings(&expected.stderr), warnings(&found.stderr));
    if before != after {
        out.push(diff("warnings", before.as_bytes(), after.as_bytes()));
    }
    out
}

/// Lines of stderr that warn; the rest (progress, timing) may differ.
fn warnings(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    text.lines()
        .filter(|l| {
            let l = l.to_ascii_lowercase();
            l.contains("warn") || l.contains("error")
        })
        .map(|l| format!("{l}\n"))
        .collect()
}

fn diff(what: &str, expected: &[u8], found: &[u8]) -> String {
    let (expected, found) = (
        String::from_utf8_lossy(expected),
        String::from_utf8_lossy(found),
    );
    let mut options = diffy::DiffOptions::new();
    options
        .set_original_filename(format!("baseline {what}"))
        .set_modified_filename(format!("variant {what}"));
    let text = options.create_patch(&expected, &found).to_string();
    let mut lines: Vec<&str> = text.lines().take(DIFF_LINES + 1).collect();
    if lines.len() > DIFF_LINES {
        lines[DIFF_LINES] = "…";
    }
    lines.join("\n")
}
