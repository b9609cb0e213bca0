//! Names that are compared: `strcmp` of strings that the file has, as a name of what was chosen
//! is with `"avx2"`.

use super::features::Facts;
use super::step::Arguments;
use super::value::{Kind, Value};
use crate::program::Program;
use std::cmp::Ordering;

/// Bytes of a string, at most.
const LONGEST: u64 = 64;

/// What a function of C gives that compares two strings which the file has and does not change;
/// none where it is another one, or that is not known.
pub(super) fn compared(program: &Program<'_>, name: &str, arguments: &Arguments) -> Option<Value> {
    let [left, right, bytes, ..] = arguments;
    let (most, is_text) = match name {
        "strcmp" => (LONGEST, true),
        "strncmp" => (bytes.constant()?, true),
        "memcmp" | "bcmp" => (bytes.constant()?, false),
        _ => return None,
    };
    if most > LONGEST || left.is_any() || right.is_any() {
        return None;
    }
    let mut all = Vec::new();
    for (one, first) in left.alternatives() {
        for (other, second) in right.alternatives() {
            let (Kind::Const(one), Kind::Const(other)) = (one, other) else {
                return None;
            };
            let order = match order(program, *one, *other, most, is_text)? {
                Ordering::Less => u64::from(u32::MAX),
                Ordering::Equal => 0,
                Ordering::Greater => 1,
            };
            let facts: Facts = *first | *second;
            all.push((Kind::Const(order), facts));
        }
    }
    Some(Value::from_alternatives(all))
}

fn order(
    program: &Program<'_>,
    one: u64,
    other: u64,
    most: u64,
    is_text: bool,
) -> Option<Ordering> {
    let byte = |at: u64| {
        let is_fixed = program.is_data(at) && !program.is_written(at);
        let word = program.content(at).filter(|_| is_fixed);
        word.map(|word| word as u8)
    };
    for by in 0..most {
        let (mine, theirs) = (byte(one.checked_add(by)?)?, byte(other.checked_add(by)?)?);
        if mine != theirs {
            return Some(mine.cmp(&theirs));
        }
        if is_text && mine == 0 {
            return Some(Ordering::Equal);
        }
    }
    // Longer strings are not gone through.
    (most < LONGEST || !is_text).then_some(Ordering::Equal)
}
