//! Texts of studies, and their problems as a person sees them.

use karat_model::diagnostic::render;
use karat_model::study::Study;

/// A sound study of two variants, followed by `rest`, which goes on inside the
/// second variant.
pub fn with(rest: &str) -> String {
    format!(
        r#"schema = 1
name = "s"
baseline = "plain"

[subject]
cargo = "app"
bin = "app"

[[variant]]
name = "plain"

[[variant]]
name = "tuned"
{rest}"#
    )
}

/// A sound study whose subject is built with the lines of `subject`, so that
/// builders can be tried.
pub fn built_by(subject: &str, variant: &str) -> String {
    format!(
        r#"schema = 1
name = "s"
baseline = "plain"

[subject]
{subject}

[[variant]]
name = "plain"

[[variant]]
name = "tuned"
{variant}"#
    )
}

/// The problems of a study as a terminal without colour shows them.
pub fn problems(source: &str) -> String {
    match Study::parse(source) {
        Ok(study) => panic!("no problem found in {study:#?}"),
        Err(problems) => {
            assert!(!problems.is_empty(), "refused without a reason");
            render(&problems, "study.toml", source, false)
        }
    }
}
