//! The order in which a routine's blocks are gone through.
//!
//! Where paths meet, all that come there are followed first: reverse postorder of a depth-first
//! search (Aho, Lam, Sethi and Ullman, *Compilers*, 2nd edition, section 9.6). By address alone,
//! what compilers put behind a routine's end because it seldom runs comes last, and all that it
//! goes back to is gone through again for each such stretch.

use super::graph::{Bits, Flow};

/// Blocks by rank, and ranks by block.
pub struct Order {
    blocks: Vec<u32>,
    ranks: Vec<u32>,
}

impl Order {
    /// The order of a routine; what no jump leads to comes last.
    #[must_use]
    pub fn of(flow: &Flow) -> Self {
        let count = flow.blocks.len();
        let mut seen = Bits::new(count);
        let mut blocks: Vec<u32> = Vec::with_capacity(count);
        let mut open: Vec<(u32, usize)> = Vec::new();
        for start in 0..count as u32 {
            if !seen.insert(start) {
                continue;
            }
            let before = blocks.len();
            open.push((start, flow.blocks[start as usize].next.len()));
            while let Some((block, left)) = open.last_mut() {
                // The furthest first, which comes last then: a loop before what is behind it.
                match left.checked_sub(1) {
                    Some(at) => {
                        *left = at;
                        let next = flow.blocks[*block as usize].next[at];
                        if seen.insert(next) {
                            open.push((next, flow.blocks[next as usize].next.len()));
                        }
                    }
                    None => {
                        blocks.push(*block);
                        open.pop();
                    }
                }
            }
            blocks[before..].reverse();
        }
        let mut ranks = vec![0; count];
        for (rank, block) in (0..).zip(&blocks) {
            ranks[*block as usize] = rank;
        }
        Self { blocks, ranks }
    }

    /// The rank of a block.
    #[must_use]
    pub fn rank(&self, block: usize) -> u32 {
        self.ranks[block]
    }
}

/// Blocks to come, in their order.
pub struct Queue {
    /// None where that is by address.
    order: Option<Order>,
    /// By rank.
    waiting: Bits,
    /// None is lower.
    from: u32,
}

impl Queue {
    /// An empty one for a routine, in the order of [`Order`].
    #[must_use]
    pub fn of(flow: &Flow) -> Self {
        Self {
            order: Some(Order::of(flow)),
            ..Self::by_address(flow)
        }
    }

    /// An empty one by address, which is as good where all that is brought is kept, and takes
    /// no search.
    #[must_use]
    pub fn by_address(flow: &Flow) -> Self {
        let count = flow.blocks.len();
        Self {
            order: None,
            waiting: Bits::new(count),
            from: count as u32,
        }
    }

    /// Adds a block, if it is not there.
    pub fn insert(&mut self, block: u32) {
        let order = self.order.as_ref();
        let rank = order.map_or(block, |order| order.ranks[block as usize]);
        self.waiting.insert(rank);
        self.from = self.from.min(rank);
    }

    /// Takes the first one.
    pub fn pop_first(&mut self) -> Option<u32> {
        let rank = self.waiting.next(self.from)?;
        self.waiting.remove(rank);
        self.from = rank + 1;
        let order = self.order.as_ref();
        Some(order.map_or(rank, |order| order.blocks[rank as usize]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Code;
    use crate::graph::Block;
    use crate::nexts::Nexts;
    use iced_x86::FlowControl;
    use std::rc::Rc;

    fn flow(nexts: &[&[u32]]) -> Flow {
        let block = |(number, next): (usize, &&[u32])| Block {
            start: number as u64,
            size: 1,
            first: 0,
            count: 0,
            next: Nexts::from(*next),
            leaves: next.is_empty(),
            last: FlowControl::Next,
        };
        Flow {
            blocks: Rc::new(nexts.iter().enumerate().map(block).collect()),
            code: Code::Gone,
        }
    }

    #[test]
    fn a_stretch_behind_the_end_comes_before_what_it_goes_back_to() {
        // 0 goes on, or to 3 behind the end, which comes back to 1.
        let order = Order::of(&flow(&[&[1, 3], &[2], &[], &[1]]));
        assert_eq!(order.blocks, [0, 3, 1, 2]);
        assert_eq!(order.ranks, [0, 2, 3, 1]);
    }

    #[test]
    fn a_loop_comes_before_what_is_behind_it() {
        // 1 is the head, 2 goes back to it, 3 is behind; 4 is a handler.
        let order = Order::of(&flow(&[&[1], &[2, 3], &[1], &[], &[3]]));
        assert_eq!(order.blocks, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn the_first_in_order_is_taken_first() {
        let mut queue = Queue::of(&flow(&[&[1, 3], &[2], &[], &[1]]));
        [2, 1, 3, 3]
            .into_iter()
            .for_each(|block| queue.insert(block));
        assert_eq!(queue.pop_first(), Some(3));
        queue.insert(0);
        let taken: Vec<u32> = std::iter::from_fn(|| queue.pop_first()).collect();
        assert_eq!(taken, [0, 1, 2]);
    }
}
