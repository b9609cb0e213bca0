//! Lines that no reader knew and that look like tests or errors, matched by their text.

use super::collect::Side;
use super::programs::Programs;
use super::seen::UnreadSeen;
use karat_model::compare::{CountClass, LogComparison, LogFile, Shape, Times, UnreadRow, Weight};

/// A row for each such line of either side.
pub(super) fn rows(before: &Side, after: &Side, programs: &[Programs; 2]) -> Vec<UnreadRow> {
    let times = |side: &Side, text: &str, programs: &Programs| {
        let seen = side.unread.get(text);
        seen.map_or(Times::default(), |s| programs.times(&s.by_file))
    };
    let of_before = before.unread.iter();
    let of_after = after.unread.iter();
    let new = of_after.filter(|seen| before.unread.get(&seen.text).is_none());
    let row = |seen: &UnreadSeen| {
        let before = times(before, &seen.text, &programs[0]);
        let after = times(after, &seen.text, &programs[1]);
        UnreadRow {
            shape: seen.shape,
            text: seen.text.clone(),
            before,
            after,
            class: CountClass::of(before, after),
        }
    };
    of_before.chain(new).map(row).collect()
}

/// Why lines that no reader knew leave behaviour open, each as a sentence without its
/// capital. Outcomes of tests always do, for nobody read what they say. Of errors the
/// text is compared, and those that are the same on both sides do not.
pub(super) fn open(found: &LogComparison) -> Vec<String> {
    let mut out = Vec::new();
    let tests: Vec<&UnreadRow> = of(found, Shape::Test).collect();
    if let Some(first) = tests.first() {
        out.push(format!(
            "{} that no reader knows, such as `{}`",
            look_like(tests.len(), "the outcome of a test", "outcomes of tests"),
            first.text
        ));
    }
    let errors = of(found, Shape::Error).filter(|row| row.class.weight() == Weight::Fails);
    let errors: Vec<&UnreadRow> = errors.collect();
    if let Some(first) = errors.first() {
        out.push(format!(
            "{} that no reader knows, and not the same on both sides, such as `{}`",
            look_like(errors.len(), "an error", "errors"),
            first.text
        ));
    }
    out
}

fn of(found: &LogComparison, shape: Shape) -> impl Iterator<Item = &UnreadRow> {
    found.unread.iter().filter(move |row| row.shape == shape)
}

fn look_like(number: usize, one: &str, many: &str) -> String {
    match number {
        1 => format!("a line looks like {one}"),
        n => format!("{n} lines look like {many}"),
    }
}

/// How much of the logs nobody read, if there is any.
pub(super) fn note(found: &LogComparison) -> Option<String> {
    let sum = |count: fn(&LogFile) -> u64| {
        [&found.before, &found.after].map(|side| side.files.iter().map(count).sum::<u64>())
    };
    let [before, after] = sum(|file| file.unread.lines);
    if before + after == 0 {
        return None;
    }
    let tests = sum(|file| file.unread.tests);
    let errors = sum(|file| file.unread.errors);
    let same = of(found, Shape::Error).filter(|row| row.class.weight() == Weight::Same);
    let same = match same.count() {
        0 => String::new(),
        n => format!(" Of those like errors, {n} say the same as often on both sides."),
    };
    Some(format!(
        "Lines that no reader knew, blank ones left out: {before} before and {after} after. Of these \
         look like outcomes of tests: {} and {}; like errors: {} and {}.{same}",
        tests[0], tests[1], errors[0], errors[1]
    ))
}
