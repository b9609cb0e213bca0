//! Names in a study: what they may be, and what is said of those that are wrong.

use super::fields::Located;
use crate::diagnostic::{Problem, nearest};

/// Names become folder names, so they are held to what every file system likes.
pub(super) fn check_name(name: &Located<String>, what: &str, problems: &mut Vec<Problem>) {
    let good = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    // An empty name has been reported where it was read.
    if name.value.chars().all(good)
        && !name.value.starts_with('.')
        && !name.value.ends_with(".partial")
    {
        return;
    }
    problems.push(Problem {
        message: format!("`{}` cannot be the name of a {what}", name.value),
        span: name.span.clone(),
        label: "letters, digits and - _ . + only".into(),
        help: None,
    });
}

pub(super) fn check_duplicates(names: &[Located<String>], what: &str, problems: &mut Vec<Problem>) {
    for (i, name) in names.iter().enumerate() {
        if names[..i].iter().any(|n| n.value == name.value) && !name.value.is_empty() {
            problems.push(Problem {
                message: format!("two {what}s are called `{}`", name.value),
                span: name.span.clone(),
                label: "this name is taken".into(),
                help: None,
            });
        }
    }
}

pub(super) fn unknown_name(
    name: &Located<String>,
    key: &str,
    what: &str,
    known: &[&str],
) -> Problem {
    Problem {
        message: format!("`{key}` names no {what} of this study"),
        span: name.span.clone(),
        label: format!("no {what} is called `{}`", name.value),
        help: Some(match nearest(&name.value, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("{what}s: {}", known.join(", ")),
        }),
    }
}
