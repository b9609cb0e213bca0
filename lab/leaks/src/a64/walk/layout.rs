//! The blocks of a routine.

use crate::a64::decode::{Control, control};
use crate::a64::whole::Whole;
use karat_binary::a64::classify;
use std::collections::BTreeSet;

/// Instructions of one routine, at most.
const LONGEST: usize = 100_000;

pub(in crate::a64) struct Layout {
    /// Where blocks begin and end, in order.
    pub blocks: Vec<(u64, u64)>,
    pub orphans: Vec<u64>,
    pub is_too_long: bool,
}

impl Layout {
    /// The number of the block that begins there.
    pub fn number(&self, at: u64) -> Option<usize> {
        self.blocks.binary_search_by_key(&at, |(start, _)| *start).ok()
    }
}

pub(super) fn discover(whole: &Whole<'_>, entry: u64) -> Layout {
    let range = whole.program.range(entry);
    let (start, end) = range.map_or((entry, entry + 4), |range| (range.start, range.end));
    let inside = |at: u64| (start..end).contains(&at);
    let mut seen: BTreeSet<u64> = BTreeSet::new();
    let mut leaders = BTreeSet::from([entry]);
    let mut list = vec![entry];
    for &target in whole.targets.get(&entry).into_iter().flatten() {
        leaders.insert(target);
        list.push(target);
    }
    let mut orphans = Vec::new();
    let is_start = whole.program.is_start(entry) || range.is_some_and(|r| r.start == entry);
    loop {
        while let Some(mut at) = list.pop() {
            while inside(at) && seen.len() < LONGEST && seen.insert(at) {
                let Some(word) = whole.program.word(at) else {
                    break;
                };
                match control(word, at) {
                    Control::Next => {}
                    Control::Jump(to) => {
                        if inside(to) {
                            leaders.insert(to);
                            list.push(to);
                        }
                        break;
                    }
                    Control::Branch(to, _) => {
                        if inside(to) {
                            leaders.insert(to);
                            list.push(to);
                        }
                        leaders.insert(at + 4);
                    }
                    Control::Call(_) | Control::CallRegister(_) => {
                        leaders.insert(at + 4);
                    }
                    Control::JumpRegister(_) | Control::Return | Control::Stop => break,
                }
                at += 4;
            }
        }
        if !is_start || seen.len() >= LONGEST {
            break;
        }
        // What the unwinder or a table of jumps leads to.
        let is_pad = |at: u64| {
            let word = whole.program.word(at);
            word.is_none_or(|word| word == 0 || word == 0xd503_201f || classify(word).is_none())
        };
        let mut rest = (start..end)
            .step_by(4)
            .filter(|at| !seen.contains(at) && !is_pad(*at));
        match rest.next() {
            Some(orphan) => {
                orphans.push(orphan);
                leaders.insert(orphan);
                list.push(orphan);
            }
            None => break,
        }
    }
    let mut blocks = Vec::new();
    let mut open: Option<(u64, u64)> = None;
    for &at in &seen {
        match open {
            Some((start, end)) if end == at && !leaders.contains(&at) => {
                open = Some((start, at + 4))
            }
            _ => {
                blocks.extend(open);
                open = Some((at, at + 4));
            }
        }
    }
    blocks.extend(open);
    Layout {
        blocks,
        orphans,
        is_too_long: seen.len() >= LONGEST,
    }
}
