//! Which functions something refers to.

use crate::a64::decode::{Control, control, near, page};
use crate::a64::whole::Whole;
use std::collections::{BTreeMap, HashSet};

/// Functions that something refers to which is not itself without any reference: those that
/// are reached, those in data, and those that their code refers to.
pub(super) fn referred(whole: &Whole<'_>) -> HashSet<u32> {
    let program = whole.program;
    let function = |address: u64| program.range(address).map(|range| range.value);
    let mut from: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for range in &program.symbols.ranges {
        let mut last = None;
        for at in (range.start.next_multiple_of(4)..range.end).step_by(4) {
            let Some(word) = program.word(at) else {
                continue;
            };
            let to = match control(word, at) {
                Control::Jump(to) | Control::Branch(to, _) | Control::Call(to) => Some(to),
                _ if word & 0x9f00_0000 == 0x1000_0000 => Some(near(word, at)),
                _ if word & 0x9f00_0000 == 0x9000_0000 => {
                    last = Some(page(word, at));
                    None
                }
                _ if word & 0xffc0_0000 == 0x9100_0000 => {
                    last.map(|page| page + u64::from(word >> 10 & 0xfff))
                }
                _ => None,
            };
            if let Some(to) = to.and_then(function)
                && to != range.value
            {
                from.entry(range.value).or_default().push(to);
            }
        }
    }
    let roots = whole
        .nodes
        .keys()
        .chain(program.words.values())
        .chain(program.entries.keys());
    let mut list: Vec<u32> = roots.copied().filter_map(function).collect();
    let mut out = HashSet::new();
    while let Some(one) = list.pop() {
        if out.insert(one) {
            list.extend(from.get(&one).into_iter().flatten());
        }
    }
    out
}
