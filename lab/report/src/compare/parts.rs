//! What a report says, in its order, before any form is given to it.
//!
//! The order is that of the reports people write by hand: verdict, files, tests,
//! messages and crashes, performance, environment, conclusion; then how it was
//! compared.

use super::tables::{differing_and_all, table};
use super::{behaviour, speed};
use crate::document::{Block, Detail, Part, Value};
use crate::wording::{Tone, plural};
use karat_model::compare::{Behaviour, FactRow, LogComparison, LogSide};
use karat_model::units::{bytes, grouped};
use karat_model::verdict::Verdict;

/// The word above everything, its tint, and what it is about.
pub fn headline(found: &LogComparison) -> (&'static str, Tone) {
    let verdict = &found.verdict;
    match (verdict.behaviour, verdict.speed) {
        (Behaviour::Differs, _) => ("Behaviour differs", Tone::Bad),
        (Behaviour::Same, Some(Verdict::NoGo)) => ("Same behaviour, slower", Tone::Bad),
        (Behaviour::Same, Some(Verdict::Go)) => ("Same behaviour, faster", Tone::Good),
        (Behaviour::Same, Some(Verdict::Same)) => ("Same behaviour, same speed", Tone::Even),
        (Behaviour::Same, Some(Verdict::Inconclusive)) => {
            ("Same behaviour, speed inconclusive", Tone::Open)
        }
        (Behaviour::Same, None) if found.figures.is_empty() => ("Same behaviour", Tone::Even),
        (Behaviour::Same, None) => ("Same behaviour, speed unjudged", Tone::Open),
        (Behaviour::Failing, Some(Verdict::NoGo)) => ("Failures on both sides, slower", Tone::Bad),
        (Behaviour::Failing, Some(Verdict::Go)) => ("Failures on both sides, faster", Tone::Open),
        (Behaviour::Failing, Some(Verdict::Same)) => {
            ("Failures on both sides, same speed", Tone::Open)
        }
        (Behaviour::Failing, Some(Verdict::Inconclusive)) => {
            ("Failures on both sides, speed inconclusive", Tone::Open)
        }
        (Behaviour::Failing, None) => ("Failures on both sides", Tone::Open),
        // With tests the question was behaviour, and speed does not answer it.
        (Behaviour::Unknown, _) if !found.tests.is_empty() => ("Behaviour not known", Tone::Open),
        (Behaviour::Unknown, Some(Verdict::NoGo)) => ("Slower", Tone::Bad),
        (Behaviour::Unknown, Some(Verdict::Go)) => ("Faster", Tone::Good),
        (Behaviour::Unknown, Some(Verdict::Same)) => ("Same speed", Tone::Even),
        (Behaviour::Unknown, Some(Verdict::Inconclusive)) => ("Speed inconclusive", Tone::Open),
        (Behaviour::Unknown, None) => ("Nothing judged", Tone::Open),
    }
}

/// What the summary says of behaviour, which is what stands before the semicolon.
pub fn behaviour_of(found: &LogComparison) -> &str {
    let summary = &found.verdict.summary;
    summary.split(';').next().unwrap_or(summary)
}

/// The parts after the verdict.
pub fn parts(found: &LogComparison, detail: Detail) -> Vec<Part> {
    let mut parts = vec![
        Part::new("files", "Files compared", vec![files(found)]),
        Part::new("tests", "1. Tests", behaviour::tests(found, detail)),
        Part::new(
            "messages",
            "2. Errors, warnings, crashes",
            behaviour::messages(found, detail),
        ),
        Part::new(
            "performance",
            "3. Performance",
            speed::performance(found, detail),
        ),
        Part::new("environment", "4. Environment", environment(found, detail)),
    ];
    let method = Part::new("method", "How it was compared", method(found));
    let reasons = &found.verdict.reasons;
    if detail != Detail::Brief {
        parts.push(Part::new("conclusion", "5. Conclusion", conclusion(found)));
        parts.push(method);
    } else {
        // What is printed last is seen first; the card has said the rest.
        parts.push(method);
        if !reasons.is_empty() {
            let reasons = vec![Block::list(reasons.iter().cloned())];
            parts.push(Part::new("conclusion", "Conclusion", reasons));
        }
    }
    parts
}

fn files(found: &LogComparison) -> Block {
    let mut rows = Vec::new();
    for (name, side) in [
        ("before", &found.before),
        ("after", &found.after),
        ("reference", &found.noise),
    ] {
        for file in &side.files {
            rows.push(vec![
                Value::plain(name),
                Value::Code(file.path.clone()),
                // Of a document of JSON or XML nobody counts them.
                Value::Number(match (file.lines, file.bytes) {
                    (0, 1..) => "–".to_owned(),
                    (lines, _) => grouped(lines),
                }),
                Value::Number(bytes(file.bytes)),
                Value::Number(grouped(file.events)),
                Value::Number(grouped(file.unread.lines)),
                Value::plain(match (&file.copy_of, file.readers.is_empty()) {
                    (Some(_), _) => "the same run as another".to_owned(),
                    (None, true) => "nothing known in it".to_owned(),
                    (None, false) => file.readers.join(", "),
                }),
            ]);
        }
    }
    let head = [
        "side", "file", "lines", "size", "facts", "not read", "read by",
    ];
    Block::Table(table("Files compared", &head, rows))
}

fn environment(found: &LogComparison, detail: Detail) -> Vec<Block> {
    if found.facts.is_empty() {
        return vec![Block::text(
            "The logs say nothing of compiler, flags, processor or commit. Whether those are the \
             same is not known.",
        )];
    }
    let same = found.facts.iter().filter(|f| f.same).count();
    let mut out = vec![Block::text(if same == found.facts.len() {
        match same {
            1 => "The one thing that the logs say of it is the same.".to_owned(),
            _ => format!("All {same} things that the logs say of it are the same."),
        }
    } else {
        format!(
            "{} of {} things that the logs say of it differ. What they do cannot be told from what \
             the change does.",
            found.facts.len() - same,
            found.facts.len()
        )
    })];
    let said = |values: &[String]| match values {
        [] => "not told".to_owned(),
        values => values.join("; "),
    };
    let row = |f: &FactRow| {
        vec![
            Value::plain(&f.key),
            Value::plain(said(&f.before)),
            Value::plain(said(&f.after)),
            match f.same {
                true => Value::plain("yes"),
                false => Value::Toned(Tone::Bad, "no".into()),
            },
        ]
    };
    let captions = ["What differs", "All that the logs say"];
    let head = ["property", "before", "after", "same"];
    let facts = &found.facts;
    out.extend(differing_and_all(
        captions,
        &head,
        facts,
        |f| !f.same,
        row,
        detail,
    ));
    out
}

fn conclusion(found: &LogComparison) -> Vec<Block> {
    let behaviour = match found.verdict.behaviour {
        Behaviour::Same => {
            "Behaviour is the same as far as these logs tell: every test ends as before, and \
             warnings, errors and crashes are the same."
        }
        Behaviour::Failing => {
            "Nothing differs, and something fails on both sides: what it would show is not known."
        }
        Behaviour::Differs => "Behaviour is not the same; see the parts above for each difference.",
        Behaviour::Unknown => "These logs do not say whether behaviour is the same.",
    };
    let speed = match found.verdict.speed {
        Some(Verdict::Go) => {
            "Speed: a gain, and a loss beyond the margin is excluded for every judged figure."
        }
        Some(Verdict::NoGo) => "Speed: a loss beyond the margin.",
        Some(Verdict::Same) => "Speed: the same within the margin, for every judged figure.",
        Some(Verdict::Inconclusive) => {
            "Speed: not decided; a loss beyond the margin is not excluded everywhere."
        }
        None if found.figures.is_empty() => "Speed: the logs hold no figure of it.",
        None => {
            "Speed: unjudged. The changes above are those of single runs; none of them is a gain or \
             a loss until it is measured against noise."
        }
    };
    let mut list = vec![behaviour.to_owned(), speed.to_owned()];
    list.extend(found.verdict.reasons.iter().cloned());
    vec![Block::list(list)]
}

fn method(found: &LogComparison) -> Vec<Block> {
    let programs = |side: &LogSide| {
        format!(
            "{} of {}",
            plural(side.files.len(), "file"),
            plural(side.programs as usize, "program")
        )
    };
    let mut list = vec![
        format!(
            "Before: {}; after: {}. Files that share most of their tests and figures count as runs \
             of one program.",
            programs(&found.before),
            programs(&found.after)
        ),
        "Tests are matched by suite and name, messages by level, source file and text, figures by \
         section, name, parameters and kind of unit. Order and line numbers decide nothing."
            .to_owned(),
        format!(
            "Margin {}; chance of a false word over all judged figures together {} (Holm).",
            crate::number::chosen(found.margin),
            crate::number::chosen(found.alpha)
        ),
    ];
    list.extend(found.notes.iter().cloned());
    let mut out = vec![Block::list(list)];
    if !found.normalisations.is_empty() {
        let rows = found.normalisations.iter().map(|n| {
            vec![
                Value::plain(&n.what),
                Value::plain(&n.by),
                Value::Number(grouped(n.replaced)),
            ]
        });
        let head = ["what", "became", "times"];
        out.push(Block::text("Made equal before comparing:"));
        out.push(Block::Table(table("Made equal", &head, rows.collect())));
    }
    out
}
