//! JUnit XML, for CI systems that show tests.
//!
//! Source of the format: the schema that most CI systems read, `junit-10.xsd` of the
//! Jenkins xUnit plug-in.

use karat_page::printable;

/// How a test case ends, and why.
pub enum End {
    /// As it should.
    Passed,
    /// Wrong.
    Failed(String),
    /// Nothing can be said.
    Skipped(String),
}

/// One test case.
pub struct Case {
    /// What it belongs to.
    pub class: String,
    /// What it is called.
    pub name: String,
    /// How it ends.
    pub end: End,
}

/// Test cases under a name.
pub type Suite = (&'static str, Vec<Case>);

/// The suites as one JUnit document of a command.
pub fn render(command: &str, suites: &[Suite]) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let all = suites.iter().flat_map(|s| &s.1);
    out += &format!("<testsuites name=\"{command}\"{}>\n", counts(all));
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
