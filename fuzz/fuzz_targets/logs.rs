//! Any bytes are a log: what is read of them is sound, whatever reader is chosen and
//! however the bytes come in.
#![no_main]

use karat_model::log::Event;
use karat_readers::log::{Pattern, Readers, all, read};
use libfuzzer_sys::fuzz_target;
use std::io::BufReader;
use std::sync::LazyLock;

static PATTERN: LazyLock<Pattern> = LazyLock::new(|| {
    let expression = r"(?<name>\w+)[:=] ?(?<value>[0-9.]+[KMG]?) ?(?<unit>\S*)";
    Pattern::new(expression).expect("a pattern")
});

fn events(mut text: &[u8], readers: &Readers, buffer: Option<usize>) -> Vec<Event> {
    let mut events = Vec::new();
    let mut keep = |event| events.push(event);
    let summary = match buffer {
        None => read(&mut text, readers, &mut keep),
        Some(size) => read(
            &mut BufReader::with_capacity(size, text),
            readers,
            &mut keep,
        ),
    };
    let summary = summary.expect("memory can be read");
    assert!(summary.problems.iter().all(|problem| !problem.is_empty()));
    for event in &events {
        match event {
            Event::Figure(f) => assert!(f.value.is_finite() && f.value >= 0.0, "{f:?}"),
            Event::Test(t) => {
                let seconds = t.seconds.unwrap_or(0.0);
                assert!(seconds.is_finite() && seconds >= 0.0, "{t:?}");
            }
            Event::Message(m) => assert!(m.count > 0, "{m:?}"),
            Event::Crash(c) => assert!(!c.kind.is_empty(), "{c:?}"),
            Event::Fact(f) => assert!(!f.key.is_empty(), "{f:?}"),
            Event::Unread(l) => assert!(!l.text.is_empty(), "{l:?}"),
        }
    }
    events
}

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, text)) = bytes.split_first() else {
        return;
    };
    let names = all();
    let readers = || match names.get(*choice as usize) {
        Some(reader) => Readers::named(&[reader.name()]).expect("its own name"),
        None if *choice == 255 => Readers::all().with_pattern(PATTERN.clone()),
        None => Readers::all(),
    };
    let whole = events(text, &readers(), None);
    assert_eq!(whole, events(text, &readers(), Some(7)));
});
