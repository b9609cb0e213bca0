//! Annotations of GitHub's and GitLab's runners: `##[error]text`, `::error file=a.c,line=3::text`.
//!
//! Source: <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>.

use super::line::Line;
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::message;
use super::sleep::Wake;
use karat_model::log::Level;

pub static ANNOTATIONS: LineReader = LineReader {
    name: "annotations",
    reads: "errors and warnings that a CI's runner marks (##[error], ::error::)",
    mark: |line| line.starts_with("##["),
    start: |_| Box::new(Log),
};

struct Log;

const WAKE: Wake = Wake {
    first: b"#:s",
    has: &[],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        Some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text;
        let found = match line.first() {
            b'#' => text
                .strip_prefix("##[")
                .and_then(|rest| rest.split_once(']')),
            b':' => text
                .strip_prefix("::")
                .and_then(|rest| rest.split_once("::")),
            b's' if text.starts_with("section_start:") || text.starts_with("section_end:") => {
                return Claim::Owned;
            }
            _ => None,
        };
        let Some((command, said)) = found else {
            return Claim::Passed;
        };
        let (word, properties) = command.split_once(' ').unwrap_or((command, ""));
        let level = match word {
            "error" => Level::Error,
            "warning" => Level::Warning,
            "group" | "endgroup" | "debug" | "notice" | "command" | "section" | "add-mask" => {
                return Claim::Owned;
            }
            _ => return Claim::Passed,
        };
        let file = properties
            .split(',')
            .find_map(|pair| pair.trim().strip_prefix("file="));
        out(message(level, file, None, said));
        Claim::Owned
    }
}
