//! Damaged logs: whatever the bytes, an answer and never a panic.

use super::{events_of, sample, samples};
use crate::damage::{Dice, mutate};
use karat_model::log::Event;
use karat_readers::log::{Readers, all};

fn assert_sound(events: &[Event]) {
    for event in events {
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
}

#[test]
fn every_beginning_has_an_answer() {
    for name in samples() {
        let text = sample(&name);
        // All beginnings of all samples would take minutes.
        let step = (text.len() / 40).max(1);
        for end in (0..text.len()).step_by(step) {
            assert_sound(&events_of(&text[..end], &Readers::all()).0);
        }
    }
}

#[test]
fn no_damage_makes_a_reader_panic() {
    let mut dice = Dice(0x5eed_2027);
    let names: Vec<&str> = all().iter().map(|reader| reader.name()).collect();
    let mut found = 0;
    for name in samples() {
        let whole = sample(&name);
        for round in 0..8 {
            let mut text = whole.clone();
            for _ in 0..=dice.below(4) {
                mutate(&mut text, &mut dice);
            }
            let readers = match round % 2 {
                0 => Readers::all(),
                _ => Readers::named(&[names[dice.below(names.len())]]).expect("a name"),
            };
            let (events, _) = events_of(&text, &readers);
            assert_sound(&events);
            found += events.len();
        }
    }
    // It must have read something for this test to mean anything.
    assert!(found > 3_000, "{found} events");
}
