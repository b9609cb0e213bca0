//! What a routine leaves behind the pointers that it is given. Of several stores in one place
//! those count after which no other comes on some way to the end: definitions that reach it
//! (Aho, Lam, Sethi and Ullman, section 9.2.4). Where there is a way without any, what was
//! there before may still be there.

use super::value::Value;
use crate::graph::{Bits, Flow};
use iced_x86::FlowControl;

/// Places that are told apart at most; of more, all stores may be the last ones.
const MOST: usize = 64;

/// A store behind an argument, as it was seen.
pub struct Written {
    /// The block that it is in.
    pub block: u32,
    /// Number of the argument.
    pub number: u8,
    /// From where that points to.
    pub distance: i64,
    /// How many bytes.
    pub bytes: u8,
    /// What is stored.
    pub value: Value,
    /// It goes there whenever it runs, and nowhere else.
    pub is_certain: bool,
}

impl Written {
    fn place(&self) -> (u8, i64, u8) {
        (self.number, self.distance, self.bytes)
    }

    /// Whether nothing is left of what was in a place.
    fn covers(&self, (number, distance, bytes): (u8, i64, u8)) -> bool {
        let end = |at: i64, bytes: u8| at.saturating_add(bytes.into());
        self.is_certain
            && self.number == number
            && self.distance <= distance
            && end(self.distance, self.bytes) >= end(distance, bytes)
    }
}

/// What is behind an argument when the routine comes back.
pub struct Behind {
    /// Number of the argument.
    pub number: u8,
    /// From where that points to.
    pub distance: i64,
    /// How many bytes.
    pub bytes: u8,
    /// What is there.
    pub value: Value,
    /// Or what was there before.
    pub is_perhaps: bool,
}

/// What is there at the end, the widest first: what lies in it was stored after it, or is
/// not there any more. `runs` says which blocks are ever come to.
pub fn at_end(flow: &Flow, runs: &Bits, written: &[Written]) -> Vec<Behind> {
    if written.is_empty() {
        return Vec::new();
    }
    let mut before = vec![Vec::new(); flow.blocks.len()];
    for (number, block) in flow.blocks.iter().enumerate() {
        for next in block.next.iter() {
            before[*next as usize].push(number as u32);
        }
    }
    let ends: Vec<u32> = (0..flow.blocks.len() as u32)
        .filter(|block| runs.has(*block) && comes_back(flow, *block))
        .collect();
    let mut places: Vec<(u8, i64, u8)> = written.iter().map(Written::place).collect();
    places.sort_unstable_by_key(|(number, distance, bytes)| (!bytes, *number, *distance));
    places.dedup();
    let is_many = places.len() > MOST;
    let all = places.into_iter().filter_map(|place| {
        let mut value: Option<Value> = None;
        let mut add = |one: &Value| {
            value = Some(match value.take() {
                Some(known) => known.or(one),
                None => one.clone(),
            });
        };
        let mut is_perhaps = is_many;
        if is_many {
            let same = written.iter().filter(|one| one.place() == place);
            same.for_each(|one| add(&one.value));
        } else {
            let mut seen = Bits::new(flow.blocks.len());
            let mut queue = ends.clone();
            while let Some(block) = queue.pop() {
                if !seen.insert(block) {
                    continue;
                }
                let from = written.partition_point(|one| one.block < block);
                let to = written.partition_point(|one| one.block <= block);
                let mut is_over = false;
                for one in written[from..to].iter().rev() {
                    let is_here = one.place() == place;
                    if is_here {
                        add(&one.value);
                    }
                    if one.covers(place) {
                        is_perhaps |= !is_here;
                        is_over = true;
                        break;
                    }
                }
                if !is_over {
                    is_perhaps |= block == 0;
                    let earlier = before[block as usize].iter();
                    queue.extend(earlier.filter(|block| runs.has(**block)));
                }
            }
        }
        let (number, distance, bytes) = place;
        Some(Behind {
            number,
            distance,
            bytes,
            value: value?,
            is_perhaps,
        })
    });
    all.collect()
}

/// Whether a routine comes back from a block, or goes on elsewhere.
fn comes_back(flow: &Flow, block: u32) -> bool {
    let is_call = |flow: FlowControl| matches!(flow, FlowControl::Call | FlowControl::IndirectCall);
    let last = flow.of_block(block).last();
    flow.blocks[block as usize].leaves && !last.is_some_and(|last| is_call(last.flow_control()))
}
