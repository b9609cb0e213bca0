//! The comparison as JUnit XML, for CI systems that show tests.
//!
//! Each test, message, crash and figure of the logs is a test case. It fails when
//! behaviour differs there, or when the figure is judged SLOWER; a figure without a
//! word is skipped, with the reason. Where behaviour is not known, a test case of its
//! own is skipped and says why.
//!
//! Source of the format: the schema that most CI systems read, `junit-10.xsd` of the
//! Jenkins xUnit plug-in.

use super::behaviour::level;
use super::parts::behaviour_of;
use super::speed::unjudged;
use crate::wording::{interval, printable};
use karat_model::compare::{Behaviour, CountClass, LogComparison, Times, Weight};
use karat_model::verdict::Judgement;

/// How a test case ends.
enum End {
    Passed,
    Failed(String),
    Skipped(String),
}

/// One test case.
struct Case {
    class: String,
    name: String,
    end: End,
}

/// The comparison as one JUnit document.
#[must_use]
pub fn junit(found: &LogComparison) -> String {
    let suites = [
        ("tests", tests(found)),
        ("messages", messages(found)),
        ("performance", figures(found)),
    ];
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let all = suites.iter().flat_map(|s| &s.1);
    out += &format!("<testsuites name=\"karat compare\"{}>\n", counts(all));
    for (name, cases) in suites.iter().filter(|s| !s.1.is_empty()) {
        out += &format!("  <testsuite name=\"{name}\"{}>\n", counts(cases.iter()));
        for case in cases {
            let head = format!(
                "    <testcase classname=\"{}\" name=\"{}\"",
                attribute(&case.class),
                attribute(&case.name)
            );
            out += &match &case.end {
                End::Passed => format!("{head}/>\n"),
                End::Failed(why) => {
                    format!(
                        "{head}><failure message=\"{}\"/></testcase>\n",
                        attribute(why)
                    )
                }
                End::Skipped(why) => {
                    format!(
                        "{head}><skipped message=\"{}\"/></testcase>\n",
                        attribute(why)
                    )
                }
            };
        }
        out += "  </testsuite>\n";
    }
    out + "</testsuites>\n"
}

fn counts<'a>(cases: impl Iterator<Item = &'a Case>) -> String {
    let (mut tests, mut failures, mut skipped) = (0, 0, 0);
    for case in cases {
        tests += 1;
        match case.end {
            End::Passed => {}
            End::Failed(_) => failures += 1,
            End::Skipped(_) => skipped += 1,
        }
    }
    format!(" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\"")
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
    let end = |class: CountClass, before: Times, after: Times| {
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
            Weight::Same => End::Passed,
        }
    };
    let crashes = found.crashes.iter().map(|c| Case {
        class: "crash".into(),
        name: format!("{}: {}", c.kind, c.text),
        end: end(c.class, c.before, c.after),
    });
    let messages = found.messages.iter().map(|m| Case {
        class: format!(
            "{}.{}",
            level(m.level),
            m.file.as_deref().unwrap_or_default()
        ),
        name: m.text.clone(),
        end: end(m.class, m.before, m.after),
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

/// Text inside an attribute; what XML 1.0 forbids (section 2.2) is left out.
fn attribute(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in printable(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\u{fffe}' | '\u{ffff}' => {}
            c => out.push(c),
        }
    }
    out
}
