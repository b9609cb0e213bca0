//! What is read of every sample, as a whole.

use super::{events_of, sample, samples, shown};
use karat_readers::log::Readers;

#[test]
fn every_sample_is_read_as_before() {
    for name in samples() {
        let (events, summary) = events_of(&sample(&name), &Readers::all());
        let mut lines: Vec<String> = summary
            .used
            .iter()
            .map(|used| {
                let confidence = format!("{:?}", used.confidence).to_lowercase();
                format!("reader {} ({confidence})", used.reader)
            })
            .collect();
        lines.extend(summary.problems.iter().map(|p| format!("problem {p}")));
        lines.extend(events.iter().take(80).map(shown));
        if events.len() > 80 {
            lines.push(format!("and {} more", events.len() - 80));
        }
        let snapshot = name.replace('/', "_");
        insta::assert_snapshot!(snapshot, lines.join("\n"), &name);
    }
}
