//! The comparison as test cases, for JUnit XML.
//!
//! Each test, message, crash and figure of the logs is a test case. It fails when
//! behaviour differs there, or when the figure is judged SLOWER. What fails on both sides
//! alike is skipped, and so is a figure without a word, with the reason. Where behaviour is
//! not known, a test case of its own is skipped and says why.

use super::behaviour::level;
use super::parts::behaviour_of;
use super::speed::unjudged;
use crate::wording::interval;
use crate::write::junit::{Case, End, Suite};
use karat_model::compare::{Behaviour, CountClass, LogComparison, Times, Weight};
use karat_model::log::Level;
use karat_model::verdict::Judgement;

/// Of what fails on both sides: it is no difference, and nothing that passed either.
const BOTH: &str = "fails before and after: what it would show is not known";

/// All of them.
pub fn suites(found: &LogComparison) -> Vec<Suite> {
    vec![
        ("tests", tests(found)),
        ("messages", messages(found)),
        ("performance", figures(found)),
    ]
}

fn tests(found: &LogComparison) -> Vec<Case> {
    let case = |t: &karat_model::compare::TestRow| {
        let word = t.class.word();
        let side = |s: &Option<karat_model::compare::TestSide>| {
            s.as_ref().map_or("not there", |s| s.word())
        };
        let said = format!(
            "{word}: {} before, {} after",
            side(&t.before),
            side(&t.after)
        );
        Case {
            class: format!("tests.{}", t.suite),
            name: t.name.clone(),
            end: match t.class.weight() {
                Weight::Fails => End::Failed(said),
                Weight::Noted => End::Skipped(said),
                Weight::Same if t.after.as_ref().is_some_and(|s| s.word() == "failed") => {
                    End::Skipped(BOTH.to_owned())
                }
                Weight::Same => End::Passed,
            },
        }
    };
    let mut out: Vec<Case> = found.tests.iter().map(case).collect();
    // Else a document without a failure would say that all is well.
    if found.verdict.behaviour == Behaviour::Unknown {
        out.push(Case {
            class: "tests".into(),
            name: "all were read".into(),
            end: End::Skipped(behaviour_of(found).to_owned()),
        });
    }
    out
}

fn messages(found: &LogComparison) -> Vec<Case> {
    let end = |class: CountClass, before: Times, after: Times, fails: bool| {
        let said = format!(
            "{}: {} to {} times before, {} to {} after",
            class.word(),
            before.low,
            before.high,
            after.low,
            after.high
        );
        match class.weight() {
            Weight::Fails => End::Failed(said),
            Weight::Noted => End::Skipped(said),
            Weight::Same if fails => End::Skipped(BOTH.to_owned()),
            Weight::Same => End::Passed,
        }
    };
    let crashes = found.crashes.iter().map(|c| Case {
        class: "crash".into(),
        name: format!("{}: {}", c.kind, c.text),
        end: end(c.class, c.before, c.after, true),
    });
    let messages = found.messages.iter().map(|m| Case {
        class: format!(
            "{}.{}",
            level(m.level),
            m.file.as_deref().unwrap_or_default()
        ),
        name: m.text.clone(),
        end: end(m.class, m.before, m.after, m.level != Level::Warning),
    });
    crashes.chain(messages).collect()
}

fn figures(found: &LogComparison) -> Vec<Case> {
    let case = |f: &karat_model::compare::FigureRow| Case {
        class: format!("performance.{}", f.section),
        name: f.title(),
        end: match &f.judged {
            None => End::Skipped(unjudged(f)),
            Some(judged) => {
                let said = format!(
                    "{}: speed {}",
                    judged.judgement.word(),
                    interval(&judged.speed)
                );
                match judged.judgement {
                    Judgement::Slower => End::Failed(said),
                    Judgement::Inconclusive => End::Skipped(said),
                    Judgement::Faster | Judgement::Same => End::Passed,
                }
            }
        },
    };
    found.figures.iter().map(case).collect()
}
