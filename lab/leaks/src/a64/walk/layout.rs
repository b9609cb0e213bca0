//! The blocks of a routine.

use super::live::dead;
use super::meets::meets;
use crate::a64::decode::{Control, control};
use crate::a64::whole::Whole;
use karat_binary::a64::classify;
use std::collections::BTreeSet;

/// Instructions of one routine, at most.
const LONGEST: usize = 100_000;

pub(in crate::a64) struct Layout {
    /// Where blocks begin and end, in order.
    pub blocks: Vec<(u64, u64)>,
    /// By block: its place in the order in which they are gone through, so that all ways that
    /// meet in a block are followed before it, but for loops (reverse postorder).
    pub rank: Vec<u32>,
    /// The blocks in that order.
    pub by_rank: Vec<u32>,
    /// By block: whether a way leads back to it in that order.
    pub is_head: Vec<bool>,
    pub orphans: Vec<u64>,
    pub is_too_long: bool,
    /// By block: the only one that leads there, where no other way is known.
    pub before: Vec<Option<u32>>,
    /// By block: where all ways from it meet first.
    pub meets: Vec<u32>,
    /// By block: registers that nobody reads behind its beginning, as bits.
    pub dead: Vec<u32>,
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
        rank: Vec::new(),
        by_rank: Vec::new(),
        is_head: vec![false; blocks.len()],
        blocks,
        orphans,
        is_too_long: count >= LONGEST,
        before: Vec::new(),
        meets: Vec::new(),
        dead: Vec::new(),
    };
    let targets = whole.targets.get(&entry);
    let targets = targets
        .into_iter()
        .flatten()
        .filter_map(|at| layout.number(*at));
    let targets: Vec<u32> = targets.map(|number| number as u32).collect();
    let ways = ways(whole, &layout, &targets);
    let begins = [entry].into_iter().chain(layout.orphans.iter().copied());
    let begins: Vec<u32> = begins
        .filter_map(|at| layout.number(at))
        .map(|number| number as u32)
        .collect();
    layout.before = before(&ways, begins.iter().chain(&targets));
    layout.meets = meets(&ways);
    layout.by_rank = order(&ways, &begins);
    layout.rank = vec![0; ways.len()];
    for (rank, block) in layout.by_rank.iter().enumerate() {
        layout.rank[*block as usize] = rank as u32;
    }
    for (from, ways) in ways.iter().enumerate() {
        for &to in ways {
            layout.is_head[to as usize] |= layout.rank[to as usize] <= layout.rank[from];
        }
    }
    layout.dead = dead(whole, &layout, &ways);
    layout
}

/// By block: the blocks that its end leads to. Jumps by a register lead to all `targets`.
fn ways(whole: &Whole<'_>, layout: &Layout, targets: &[u32]) -> Vec<Vec<u32>> {
    let numbers = |places: &[u64]| {
        let numbers = places.iter().filter_map(|to| layout.number(*to));
        numbers.map(|number| number as u32).collect()
    };
    let of = |&(_, end): &(u64, u64)| {
        let last = end.wrapping_sub(4);
        match whole.program.word(last).map(|word| control(word, last)) {
            Some(Control::Jump(to)) => numbers(&[to]),
            Some(Control::Branch(to, _)) => numbers(&[to, end]),
            Some(Control::Next | Control::Call(_) | Control::CallRegister(_)) => numbers(&[end]),
            Some(Control::JumpRegister(_)) => targets.to_vec(),
            Some(Control::Return | Control::Stop) | None => Vec::new(),
        }
    };
    layout.blocks.iter().map(of).collect()
}

/// By block: the only one that leads there, where nothing else does, as `others` say.
fn before<'b>(ways: &[Vec<u32>], others: impl Iterator<Item = &'b u32>) -> Vec<Option<u32>> {
    /// More than one leads there, or something else than a block does.
    const MANY: u32 = u32::MAX;
    let mut out: Vec<Option<u32>> = vec![None; ways.len()];
    for number in others {
        out[*number as usize] = Some(MANY);
    }
    for (from, ways) in ways.iter().enumerate() {
        for to in ways {
            let one = &mut out[*to as usize];
            *one = Some(if one.is_none() { from as u32 } else { MANY });
        }
    }
    for one in &mut out {
        *one = one.filter(|from| *from != MANY);
    }
    out
}

/// The blocks in reverse postorder from these on. What only the unwinder leads to comes before
/// what it leads back to.
pub(super) fn order(ways: &[Vec<u32>], begins: &[u32]) -> Vec<u32> {
    let mut seen = vec![false; ways.len()];
    let mut out = Vec::with_capacity(ways.len());
    for &begin in begins
        .iter()
        .chain(&(0..ways.len() as u32).collect::<Vec<_>>())
    {
        if std::mem::replace(&mut seen[begin as usize], true) {
            continue;
        }
        let mut stack = vec![(begin, ways[begin as usize].iter())];
        while let Some((block, rest)) = stack.last_mut() {
            match rest.next() {
                Some(&to) if !std::mem::replace(&mut seen[to as usize], true) => {
                    stack.push((to, ways[to as usize].iter()));
                }
                Some(_) => {}
                None => {
                    out.push(*block);
                    stack.pop();
                }
            }
        }
    }
    out.reverse();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_leads_to_a_block_comes_before_it_but_for_loops() {
        // A branch around block 1 to a cold one at the end, which comes back; a loop of 2 and 3;
        // what the unwinder leads to, 5, comes back to 3.
        let ways = [
            vec![1, 4],
            vec![2],
            vec![3],
            vec![2, 6],
            vec![2],
            vec![3],
            vec![],
        ];
        let order = order(&ways, &[0, 5]);
        let place = |block: u32| order.iter().position(|one| *one == block);
        for (before, after) in [(0, 1), (0, 4), (1, 2), (4, 2), (2, 3), (5, 3), (3, 6)] {
            assert!(place(before) < place(after), "{before} {after} {order:?}");
        }
        assert_eq!(order.len(), ways.len());
    }
}
