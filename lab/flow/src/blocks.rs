//! The blocks of a routine that was decoded: leaders and edges as in Aho, Lam, Sethi and Ullman,
//! *Compilers*, 2nd edition, section 8.4.

use super::graph::Block;
use super::nexts::Nexts;
use super::sets::Starts;
use super::sweep::{Sweep, within};
use iced_x86::FlowControl;

/// An instruction that does not just go to the next one.
pub(crate) struct Turn {
    /// Its place among the bytes of the routine, and the one behind it.
    pub place: u32,
    pub behind: u32,
    pub flow: FlowControl,
    /// It is a call that comes back: the block goes on.
    pub comes_back: bool,
    /// Where it goes, directly.
    pub target: Option<u64>,
}

/// What was found of a routine while it was decoded.
pub(crate) struct Decoded<'d> {
    pub ranges: &'d [(u64, u64)],
    /// Of the bytes of the ranges, one after the other.
    pub starts: Starts,
    pub count: u32,
    pub turns: Vec<Turn>,
    /// Places of indirect jumps, and where their tables lead; sorted.
    pub tables: Vec<(u32, Vec<u64>)>,
    /// By range: its place, and the one where its instructions end.
    pub places: Vec<(u32, u32)>,
}

impl<'d> Decoded<'d> {
    /// Nothing yet, of a routine of so many bytes.
    pub fn new(ranges: &'d [(u64, u64)], size: u32) -> Self {
        Self {
            ranges,
            starts: Starts::new(size as usize),
            count: 0,
            turns: Vec::new(),
            tables: Vec::new(),
            places: Vec::with_capacity(ranges.len()),
        }
    }
}

impl Decoded<'_> {
    /// The place of the instruction that begins at an address, if one does.
    fn at(&self, address: u64) -> Option<usize> {
        let range = self.ranges.partition_point(|(_, end)| *end <= address);
        let within = address.checked_sub(self.ranges.get(range)?.0)?;
        let place = self.places[range].0 as usize + within as usize;
        self.starts.has(place).then_some(place)
    }

    /// Where blocks begin, by their places.
    fn leaders(&self, sweep: &Sweep) -> Starts {
        let size = self.ranges.iter().map(|(start, end)| end - start);
        let mut leaders = Starts::new(size.sum::<u64>() as usize);
        let tables = self.tables.iter().flat_map(|(_, targets)| targets);
        let direct = (self.turns.iter())
            .filter(|turn| !turn.comes_back)
            .filter_map(|turn| turn.target.as_ref());
        let behind = self.turns.iter().filter(|turn| !turn.comes_back);
        let behind = behind.map(|turn| turn.behind as usize);
        // Others may jump into the middle.
        let edges = (self.ranges.iter())
            .flat_map(|&(start, end)| within(&sweep.edges, start, end).iter())
            .filter_map(|edge| self.at(edge.0));
        // The first, and what is behind a gap between the ranges.
        let is_one = |place: &usize| self.starts.has(*place);
        let firsts = (self.places.iter().enumerate())
            .filter(|(range, _)| !self.goes_on(*range))
            .map(|(_, (place, _))| *place as usize);
        (tables.chain(direct).filter_map(|target| self.at(*target)))
            .chain(behind.chain(firsts).filter(is_one))
            .chain(edges)
            .for_each(|place| leaders.add(place));
        leaders.count();
        leaders
    }

    /// Whether a range begins where the instructions of the one before it end.
    fn goes_on(&self, range: usize) -> bool {
        range.checked_sub(1).is_some_and(|before| {
            let (first, end) = self.places[before];
            first < end
                && end == self.places[range].0
                && self.ranges[before].1 == self.ranges[range].0
        })
    }

    /// The blocks, in address order.
    pub fn blocks(&self, sweep: &Sweep) -> Vec<Block> {
        let leaders = self.leaders(sweep);
        let mut blocks: Vec<Block> = Vec::with_capacity(leaders.places().count());
        let mut open_jumps = Vec::new();
        let mut next: Vec<u32> = Vec::new();
        let mut turns = self.turns.iter().peekable();
        let mut places = leaders.places().peekable();
        let mut range = 0;
        while let Some(place) = places.next() {
            while place >= self.places[range].1 as usize {
                range += 1;
            }
            let mut last = range;
            while last + 1 < self.ranges.len() && self.goes_on(last + 1) {
                last += 1;
            }
            let start = self.ranges[range].0 + (place - self.places[range].0 as usize) as u64;
            let end = self.places[last].1 as usize;
            let until = places.peek().map_or(end, |next| end.min(*next));
            let number = |place: usize| self.starts.number(place).unwrap_or_default() as u32;
            let first = number(place);
            let behind = places.peek().map_or(self.count, |next| number(*next));
            let mut turn = None;
            while let Some(one) = turns.next_if(|turn| (turn.place as usize) < until) {
                turn = Some(one).filter(|one| one.behind as usize == until);
            }
            let block_of = |address: u64| {
                let place = self.at(address)?;
                leaders.number(place).map(|block| block as u32)
            };
            let goes_on = places.peek().is_some_and(|next| *next < end);
            let fallen = goes_on.then_some(blocks.len() as u32 + 1);
            let target = turn.and_then(|turn| turn.target);
            let flow = turn.map_or(FlowControl::Next, |turn| turn.flow);
            next.clear();
            let mut leaves = false;
            match flow {
                FlowControl::UnconditionalBranch => match target.and_then(block_of) {
                    Some(target) => next.push(target),
                    None => leaves = true,
                },
                FlowControl::ConditionalBranch | FlowControl::XbeginXabortXend => {
                    match target.and_then(block_of) {
                        Some(target) => next.push(target),
                        None => leaves = target.is_some(),
                    }
                    // Behind its last instruction a routine runs on into another.
                    leaves |= fallen.is_none();
                    next.extend(fallen);
                }
                FlowControl::IndirectBranch => {
                    let place = turn.map_or(0, |turn| turn.place);
                    let known = self.tables.binary_search_by_key(&place, |(at, _)| *at);
                    let known = known.map_or(&[][..], |known| &self.tables[known].1);
                    next.extend(known.iter().filter_map(|target| block_of(*target)));
                    leaves = next.is_empty();
                    if leaves {
                        open_jumps.push(blocks.len());
                    }
                }
                FlowControl::Return | FlowControl::Exception => leaves = true,
                FlowControl::Call | FlowControl::IndirectCall
                    if turn.is_some_and(|turn| !turn.comes_back) =>
                {
                    leaves = true;
                }
                _ => {
                    next.extend(fallen);
                    leaves = next.is_empty();
                }
            }
            next.sort_unstable();
            next.dedup();
            blocks.push(Block {
                start,
                size: (until - place) as u32,
                first,
                count: behind - first,
                next: Nexts::from(&next[..]),
                leaves,
                last: flow,
            });
        }
        adopt(&mut blocks, &open_jumps);
        blocks
    }
}

/// Gives blocks without predecessor to jumps that were not understood.
fn adopt(blocks: &mut [Block], jumps: &[usize]) {
    if jumps.is_empty() {
        return;
    }
    let mut has_one = vec![false; blocks.len()];
    for block in blocks.iter() {
        block
            .next
            .iter()
            .for_each(|next| has_one[*next as usize] = true);
    }
    let orphans: Vec<u32> = (1..blocks.len() as u32)
        .filter(|block| !has_one[*block as usize])
        .collect();
    let orphans = Nexts::from(&orphans[..]);
    // Many jumps and many orphans would be a large product for nothing.
    for jump in jumps.iter().take(16) {
        blocks[*jump].next = orphans.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_go_over_ranges_that_touch_and_not_over_gaps() {
        // nop four times, then right behind it a jump into the third part, nop, nop.
        let ranges = [(0x100, 0x104), (0x104, 0x108), (0x200, 0x203)];
        let turn = |place, behind, flow, target| Turn {
            place,
            behind,
            flow,
            comes_back: false,
            target,
        };
        let places = [0usize, 1, 2, 3, 4, 6, 7, 8, 9, 10];
        let mut starts = Starts::new(11);
        places.iter().for_each(|place| starts.add(*place));
        starts.count();
        let decoded = Decoded {
            ranges: &ranges,
            starts,
            count: places.len() as u32,
            turns: vec![
                turn(4, 6, FlowControl::UnconditionalBranch, Some(0x201)),
                turn(10, 11, FlowControl::Return, None),
            ],
            tables: Vec::new(),
            places: vec![(0, 4), (4, 8), (8, 11)],
        };
        let blocks = decoded.blocks(&Sweep::default());
        let seen: Vec<_> = (blocks.iter())
            .map(|it| (it.start, it.end(), it.first, it.count, &*it.next, it.leaves))
            .collect();
        assert_eq!(
            seen,
            [
                (0x100, 0x106, 0, 5, &[3][..], false),
                (0x106, 0x108, 5, 2, &[], true),
                (0x200, 0x201, 7, 1, &[3], false),
                (0x201, 0x203, 8, 2, &[], true),
            ]
        );
        assert_eq!(blocks[0].last, FlowControl::UnconditionalBranch);
    }
}
