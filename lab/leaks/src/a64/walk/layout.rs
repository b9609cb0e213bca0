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
    /// Where jumps lead back to.
    pub heads: BTreeSet<u64>,
    pub orphans: Vec<u64>,
    pub is_too_long: bool,
    /// By block: the only one that leads there, where no other way is known.
    pub before: Vec<Option<u32>>,
}

impl Layout {
    /// The number of the block that begins there.
    pub fn number(&self, at: u64) -> Option<usize> {
        self.blocks
            .binary_search_by_key(&at, |(start, _)| *start)
            .ok()
    }
}

pub(super) fn discover(whole: &Whole<'_>, entry: u64) -> Layout {
    let range = whole.program.range(entry);
    let (start, end) = range.map_or((entry, entry + 4), |range| (range.start, range.end));
    let inside = |at: u64| (start..end).contains(&at);
    let number = |at: u64| ((at - start) / 4) as usize;
    let mut seen = vec![false; number(end) + 1];
    let mut count = 0;
    let mut heads = BTreeSet::new();
    let mut leaders = BTreeSet::from([entry]);
    let mut list = vec![entry];
    for &target in whole.targets.get(&entry).into_iter().flatten() {
        leaders.insert(target);
        list.push(target);
    }
    let mut orphans = Vec::new();
    let is_start = whole.program.is_start(entry) || range.is_some_and(|r| r.start == entry);
    // All before it is seen.
    let mut first = start;
    loop {
        while let Some(mut at) = list.pop() {
            while inside(at) && count < LONGEST && !seen[number(at)] {
                seen[number(at)] = true;
                count += 1;
                let Some(word) = whole.program.word(at) else {
                    break;
                };
                let control = control(word, at);
                if let Control::Jump(to) | Control::Branch(to, _) = control
                    && to <= at
                {
                    heads.insert(to);
                }
                match control {
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
        if !is_start || count >= LONGEST {
            break;
        }
        // What the unwinder or a table of jumps leads to.
        let is_pad = |at: u64| {
            let word = whole.program.word(at);
            word.is_none_or(|word| word == 0 || word == 0xd503_201f || classify(word).is_none())
        };
        let mut rest = (first..end)
            .step_by(4)
            .filter(|at| !seen[number(*at)] && !is_pad(*at));
        match rest.next() {
            Some(orphan) => {
                first = orphan;
                orphans.push(orphan);
                leaders.insert(orphan);
                list.push(orphan);
            }
            None => break,
        }
    }
    let mut blocks = Vec::new();
    let mut open: Option<(u64, u64)> = None;
    let base = start;
    let places = seen.iter().enumerate().filter(|(_, is_seen)| **is_seen);
    for at in places.map(|(number, _)| base + 4 * number as u64) {
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
    let mut layout = Layout {
        blocks,
        heads,
        orphans,
        is_too_long: count >= LONGEST,
        before: Vec::new(),
    };
    layout.before = before(whole, entry, &layout);
    layout
}

/// By block: the only one that leads there.
fn before(whole: &Whole<'_>, entry: u64, layout: &Layout) -> Vec<Option<u32>> {
    /// More than one leads there, or something else than a block does.
    const MANY: u32 = u32::MAX;
    let mut out: Vec<Option<u32>> = vec![None; layout.blocks.len()];
    let mut note = |to: u64, from: u32| {
        if let Some(number) = layout.number(to) {
            out[number] = Some(if out[number].is_none() { from } else { MANY });
        }
    };
    let targets = whole.targets.get(&entry).into_iter().flatten();
    for &to in targets.chain(&layout.orphans).chain([&entry]) {
        note(to, MANY);
    }
    for (number, &(_, end)) in layout.blocks.iter().enumerate() {
        let last = end.wrapping_sub(4);
        let Some(word) = whole.program.word(last) else {
            continue;
        };
        match control(word, last) {
            Control::Jump(to) => note(to, number as u32),
            Control::Branch(to, _) => {
                note(to, number as u32);
                note(end, number as u32);
            }
            Control::Next | Control::Call(_) | Control::CallRegister(_) => {
                note(end, number as u32);
            }
            Control::JumpRegister(_) | Control::Return | Control::Stop => {}
        }
    }
    for one in &mut out {
        *one = one.filter(|from| *from != MANY);
    }
    out
}
