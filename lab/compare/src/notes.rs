//! What a reader should know of how logs were compared, in sentences.

use super::collect::Side;
use super::verdict::{NAMED, is, plural};
use super::{outcomes, unread};
use karat_model::compare::{LogComparison, NoiseFrom};

/// What a reader should know of how it was compared.
pub(super) fn notes(found: &LogComparison, sides: [&Side; 3]) -> Vec<String> {
    let [before, after, noise] = sides;
    let mut out = Vec::new();
    for side in sides {
        let problems = side.problems().iter().chain(side.cut()).take(NAMED);
        out.extend(problems.map(|problem| format!("Not all was read: {problem}")));
    }
    if outcomes::reordered(before, after) {
        out.push("Tests came in another order; they are matched by name.".to_owned());
    }
    let moved = found.messages.iter().filter(|m| {
        let known = !m.lines_before.is_empty() && !m.lines_after.is_empty();
        known && m.lines_before != m.lines_after
    });
    let moved = moved.count();
    if moved > 0 {
        out.push(format!(
            "{} printed from other lines of their source files; lines are noted, not compared.",
            match moved {
                1 => "1 message is".to_owned(),
                n => format!("{n} messages are"),
            }
        ));
    }
    for side in sides {
        let copies = side.files().iter().filter(|f| f.copy_of.is_some());
        let copies: Vec<_> = copies.collect();
        if let Some(first) = copies.first() {
            let other = first.copy_of.as_deref().unwrap_or_default();
            let more = match copies.len() {
                1 => String::new(),
                n => format!(" So do {} others.", n - 1),
            };
            out.push(format!(
                "{} tells of the same run as {other}: both are one run.{more}",
                first.path
            ));
        }
        let prefixed: Vec<_> = side.files().iter().filter(|f| f.prefix.is_some()).collect();
        if let Some(first) = prefixed.first() {
            let what = first.prefix.as_deref().unwrap_or_default();
            let files = match prefixed.len() {
                1 => first.path.clone(),
                n => format!("{} and {} more", first.path, plural(n - 1, "file")),
            };
            out.push(format!(
                "Every line of {files} begins with {what}, which was left out."
            ));
        }
    }
    out.extend(packages(found));
    out.extend(unread::note(found));
    let by = |from: NoiseFrom| {
        let judged = found.figures.iter().filter_map(|f| f.judged.as_ref());
        judged.filter(|j| j.noise == from).count()
    };
    if by(NoiseFrom::Runs) > 0 {
        out.push(format!(
            "{} judged by a permutation test on the runs of both sides (difference of the logs of \
             the means of the better halves). Their runs were not made in rounds: if one side ran \
             after the other, what the machine did meanwhile is in the result, and no test of \
             these logs can exclude that.",
            is(by(NoiseFrom::Runs), "figure")
        ));
    }
    if by(NoiseFrom::Within) > 0 {
        out.push(format!(
            "{} judged by the values within one run of each side, as if each value were a run of \
             its own (--within). That is an assumption: values of one process share its layout, its \
             memory and its moment, so that what differs between two processes of one program may \
             be called a change here.",
            is(by(NoiseFrom::Within), "figure")
        ));
    }
    if by(NoiseFrom::Reference) > 0 {
        out.push(format!(
            "{} judged by reference runs: with s the standard deviation of the logs of k reference \
             runs, two single runs of equal programs differ by at most t·s·√2, where t is \
             Student's for k − 1 degrees of freedom. It takes both sides for as noisy as the \
             reference runs, and cannot exclude drift.",
            is(by(NoiseFrom::Reference), "figure")
        ));
    }
    if !noise.files().is_empty() && by(NoiseFrom::Reference) == 0 {
        out.push("The reference runs were not needed or do not fit any figure.".to_owned());
    }
    out
}

/// That `go test` named no test of a package that passed.
fn packages(found: &LogComparison) -> Option<String> {
    let is_package = |name: &str| name == karat_readers::log::PACKAGE;
    let named = |suite: &str| {
        let mut tests = found.tests.iter();
        tests.any(|t| t.suite == suite && !is_package(&t.name))
    };
    let alone = found
        .tests
        .iter()
        .filter(|t| is_package(&t.name) && !named(&t.suite));
    let alone = alone
        .filter(|t| t.before.as_ref().is_some_and(|s| s.passed > 0))
        .count();
    (alone > 0).then(|| {
        format!(
            "Of {} `go test` names no test: one that is lost would not be seen. `-v` or `-json` \
             names them.",
            plural(alone, "package")
        )
    })
}
