//! Messages and crashes matched by what they say.

use super::collect::Side;
use super::programs::Programs;
use super::seen::{CrashSeen, MessageSeen, join, level};
use karat_model::compare::{CountClass, CrashRow, MessageRow, Times};

/// A row for each message of either side.
pub(super) fn rows(before: &Side, after: &Side, programs: &[Programs; 2]) -> Vec<MessageRow> {
    let of_before = before.messages.iter();
    let mut out: Vec<MessageRow> = of_before
        .map(|seen| row(Some(seen), after.messages.get(&key(seen)), programs, seen))
        .collect();
    for seen in after.messages.iter() {
        if before.messages.get(&key(seen)).is_none() {
            out.push(row(None, Some(seen), programs, seen));
        }
    }
    out
}

fn key(seen: &MessageSeen) -> String {
    let file = seen.file.as_deref().unwrap_or_default();
    join(&[level(seen.level), file, &seen.text])
}

fn row(
    before: Option<&MessageSeen>,
    after: Option<&MessageSeen>,
    programs: &[Programs; 2],
    any: &MessageSeen,
) -> MessageRow {
    let times = |seen: Option<&MessageSeen>, programs: &Programs| {
        seen.map_or(Times::default(), |s| programs.times(&s.by_file))
    };
    let lines = |seen: Option<&MessageSeen>| seen.map(|s| s.lines.clone()).unwrap_or_default();
    let (of_before, of_after) = (times(before, &programs[0]), times(after, &programs[1]));
    MessageRow {
        level: any.level,
        file: any.file.clone(),
        text: any.text.clone(),
        before: of_before,
        after: of_after,
        lines_before: lines(before),
        lines_after: lines(after),
        class: CountClass::of(of_before, of_after),
    }
}

/// A row for each crash of either side.
pub(super) fn crashes(before: &Side, after: &Side, programs: &[Programs; 2]) -> Vec<CrashRow> {
    let key = |c: &CrashSeen| join(&[&c.kind, &c.text]);
    let crash = |before: Option<&CrashSeen>, after: Option<&CrashSeen>, any: &CrashSeen| {
        let times = |seen: Option<&CrashSeen>, programs: &Programs| {
            seen.map_or(Times::default(), |s| programs.times(&s.by_file))
        };
        let (before, after) = (times(before, &programs[0]), times(after, &programs[1]));
        CrashRow {
            kind: any.kind.clone(),
            text: any.text.clone(),
            before,
            after,
            class: CountClass::of(before, after),
        }
    };
    let of_before = before.crashes.iter();
    let mut out: Vec<CrashRow> = of_before
        .map(|seen| crash(Some(seen), after.crashes.get(&key(seen)), seen))
        .collect();
    for seen in after.crashes.iter() {
        if before.crashes.get(&key(seen)).is_none() {
            out.push(crash(None, Some(seen), seen));
        }
    }
    out
}
