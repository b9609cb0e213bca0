//! Readers of logs against outputs of the real tools.

mod corpus;
mod damage;
mod documented;
mod drive;
mod parity;
mod quoted;
mod snapshots;

use crate::{sample, sample_path};
use karat_model::log::{Event, Test};
use karat_readers::log::{Readers, Summary, read};

/// Every sample of `tests/samples/log`, and those of benchmark tools beside it.
fn samples() -> Vec<String> {
    let mut found = Vec::new();
    let folder = sample_path("log");
    for tool in std::fs::read_dir(&folder).expect("the folder is there") {
        let tool = tool.expect("readable").file_name();
        for file in std::fs::read_dir(folder.join(&tool)).expect("a folder") {
            let file = file.expect("readable").file_name();
            found.push(format!("log/{}/{}", tool.display(), file.display()));
        }
    }
    for (_, name) in crate::SAMPLES.iter().chain(crate::REFUSED) {
        found.push((*name).to_owned());
    }
    found.push("hyperfine/text.txt".to_owned());
    found.sort();
    found
}

fn events_of(text: &[u8], readers: &Readers) -> (Vec<Event>, Summary) {
    let mut events = Vec::new();
    let summary = read(&mut &*text, readers, &mut |event| events.push(event));
    (events, summary.expect("memory can be read"))
}

fn events(name: &str) -> Vec<Event> {
    events_of(&sample(name), &Readers::all()).0
}

fn tests(name: &str) -> Vec<Test> {
    let found = events(name).into_iter().filter_map(|event| match event {
        Event::Test(test) => Some(test),
        _ => None,
    });
    found.collect()
}

/// An event on one line.
fn shown(event: &Event) -> String {
    match event {
        Event::Test(t) => {
            let seconds = t.seconds.map(|s| format!(" {s} s")).unwrap_or_default();
            let reason = t
                .reason
                .as_ref()
                .map(|r| format!(" ({r})"))
                .unwrap_or_default();
            format!(
                "test {:?} [{}] {}{seconds}{reason}",
                t.outcome, t.suite, t.name
            )
        }
        Event::Figure(f) => {
            let better = f.better.map(|b| format!("{b:?}")).unwrap_or_default();
            let statistic = f.statistic.map_or("", |s| s.word());
            let statistic = format!(" {statistic}").trim_end().to_owned();
            let samples = match f.samples.len() {
                0 => String::new(),
                n => format!(" of {n}"),
            };
            let parameters: Vec<String> = f
                .parameters
                .iter()
                .map(|(k, v)| format!("{k}={v}"))
                .collect();
            format!(
                "figure [{}] {} ({}) = {} {} {better}{statistic}{samples}",
                f.section,
                f.name,
                parameters.join(", "),
                f.value,
                f.unit
            )
        }
        Event::Message(m) => {
            let place = m.file.as_deref().unwrap_or("-");
            let line = m.line.map(|l| format!("({l})")).unwrap_or_default();
            let count = if m.count == 1 {
                String::new()
            } else {
                format!(" ×{}", m.count)
            };
            format!("message {:?} {place}{line}: {}{count}", m.level, m.text)
        }
        Event::Crash(c) => format!("crash {}: {}", c.kind, c.text),
        Event::Fact(f) => format!("fact {} = {}", f.key, f.value),
        Event::Unread(l) => format!("unread {:?}: {}", l.shape, l.text),
    }
}
