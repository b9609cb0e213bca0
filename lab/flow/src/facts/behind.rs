//! What a routine leaves behind the pointers that it is given. Of several stores in one place
//! those count after which no other comes on some way to the end: definitions that reach it
//! (Aho, Lam, Sethi and Ullman, section 9.2.4). Where there is a way without any, what was
//! there before may still be there.

use super::value::Value;
use crate::graph::{Bits, Flow};

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
        .filter(|block| runs.has(*block) && flow.is_way_out(*block))
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

#[cfg(test)]
mod tests {
    use super::super::features::Facts;
    use super::super::value::Kind;
    use super::*;
    use crate::code::Code;
    use crate::graph::Block;
    use crate::nexts::Nexts;
    use iced_x86::{Decoder, DecoderOptions};
    use std::rc::Rc;

    const NOP: &[u8] = &[0x90];
    const RET: &[u8] = &[0xc3];
    const CALL: &[u8] = &[0xe8, 0, 0, 0, 0];

    /// Blocks of one instruction each, with what may follow them; the last of a way leaves.
    fn flow(all: &[(&[u8], &[u32])]) -> Flow {
        let decode = |bytes| Decoder::new(64, bytes, DecoderOptions::NONE).decode();
        let blocks = (0..).zip(all).map(|(number, (bytes, next))| Block {
            start: u64::from(number),
            size: 1,
            first: number,
            count: 1,
            next: Nexts::from(*next),
            leaves: next.is_empty(),
            last: decode(bytes).flow_control(),
        });
        let code = all.iter().map(|(bytes, _)| decode(bytes)).collect();
        Flow {
            blocks: Rc::new(blocks.collect()),
            code: Code::Decoded(Rc::new(code)),
        }
    }

    /// A number that a block stores in eight bytes behind the first argument.
    fn store(block: u32, distance: i64, number: u64) -> Written {
        Written {
            block,
            number: 0,
            distance,
            bytes: 8,
            value: Value::number(number),
            is_certain: true,
        }
    }

    /// What a routine leaves that never comes to some blocks: distance, bytes, numbers, and
    /// whether it may be what was there before.
    fn left(
        all: &[(&[u8], &[u32])],
        written: &[Written],
        never: &[u32],
    ) -> Vec<(i64, u8, Vec<u64>, bool)> {
        let flow = flow(all);
        let mut runs = Bits::new(all.len());
        (0..all.len() as u32)
            .filter(|block| !never.contains(block))
            .for_each(|block| {
                runs.insert(block);
            });
        let number = |(kind, _): &(Kind, Facts)| match kind {
            Kind::Const(number) => *number,
            other => panic!("{other:?}"),
        };
        let told = at_end(&flow, &runs, written).into_iter().map(|left| {
            let numbers = left.value.alternatives().iter().map(number).collect();
            (left.distance, left.bytes, numbers, left.is_perhaps)
        });
        told.collect()
    }

    /// 0 goes to 1 or 2, both go on to 3.
    const BRANCH: &[(&[u8], &[u32])] = &[(NOP, &[1, 2]), (NOP, &[3]), (NOP, &[3]), (RET, &[])];

    #[test]
    fn the_last_store_of_each_way_counts() {
        let of = |written: &[Written]| left(BRANCH, written, &[]);
        let one_after_the_other = [store(0, 0, 1), store(0, 0, 2)];
        assert_eq!(of(&one_after_the_other), [(0, 8, vec![2], false)]);
        let on_both = [store(0, 0, 1), store(1, 0, 2), store(2, 0, 3)];
        assert_eq!(of(&on_both), [(0, 8, vec![2, 3], false)]);
        // Of the other way what was stored before is still there.
        let on_one = [store(0, 0, 1), store(1, 0, 2)];
        assert_eq!(of(&on_one), [(0, 8, vec![1, 2], false)]);
        let where_they_join = [store(1, 0, 2), store(3, 0, 3)];
        assert_eq!(of(&where_they_join), [(0, 8, vec![3], false)]);
    }

    #[test]
    fn a_way_without_a_store_leaves_what_was_there() {
        let on_one = [store(1, 0, 2)];
        assert_eq!(left(BRANCH, &on_one, &[]), [(0, 8, vec![2], true)]);
        // But not a way that is never gone.
        assert_eq!(left(BRANCH, &on_one, &[2]), [(0, 8, vec![2], false)]);
        // Nor one that does not come back: 2 calls what ends the program.
        let ends = [(NOP, &[1, 2][..]), (RET, &[]), (CALL, &[])];
        assert_eq!(left(&ends, &on_one, &[]), [(0, 8, vec![2], false)]);
        let comes_back = [(NOP, &[1, 2][..]), (RET, &[]), (RET, &[])];
        assert_eq!(left(&comes_back, &on_one, &[]), [(0, 8, vec![2], true)]);
        assert_eq!(left(&comes_back, &on_one, &[2]), [(0, 8, vec![2], false)]);
        // A loop may be passed; 1 goes back to itself.
        let passed = [(NOP, &[1, 2][..]), (NOP, &[1, 2]), (RET, &[])];
        assert_eq!(left(&passed, &on_one, &[]), [(0, 8, vec![2], true)]);
        let entered = [(NOP, &[1][..]), (NOP, &[1, 2]), (RET, &[])];
        assert_eq!(left(&entered, &on_one, &[]), [(0, 8, vec![2], false)]);
        assert!(left(BRANCH, &[], &[]).is_empty());
    }

    #[test]
    fn a_store_that_is_not_certain_replaces_nothing() {
        let mut perhaps = store(3, 0, 2);
        perhaps.is_certain = false;
        let written = [store(0, 0, 1), perhaps];
        assert_eq!(left(BRANCH, &written, &[]), [(0, 8, vec![1, 2], false)]);
        assert_eq!(left(BRANCH, &written[1..], &[]), [(0, 8, vec![2], true)]);
    }

    #[test]
    fn a_wider_store_replaces_what_lies_in_it() {
        let narrow = |block, distance, number| Written {
            bytes: 4,
            ..store(block, distance, number)
        };
        // The narrow one that comes after it is told after it.
        let after = [store(0, 0, 1), narrow(3, 4, 2)];
        let both = [(0, 8, vec![1], false), (4, 4, vec![2], false)];
        assert_eq!(left(BRANCH, &after, &[]), both);
        let before = [narrow(0, 4, 2), store(3, 0, 1)];
        assert_eq!(left(BRANCH, &before, &[]), [(0, 8, vec![1], false)]);
        // On one way only: on the other it is still there.
        let on_one = [narrow(0, 4, 2), store(1, 0, 1)];
        let both = [(0, 8, vec![1], true), (4, 4, vec![2], true)];
        assert_eq!(left(BRANCH, &on_one, &[]), both);
        // What lies in it in part, or behind another argument, stays.
        for other in [narrow(0, 6, 2), narrow(0, -2, 2)] {
            let place = (other.distance, 4, vec![2], false);
            let whole = (0, 8, vec![1], false);
            assert_eq!(left(BRANCH, &[other, store(3, 0, 1)], &[]), [whole, place]);
        }
        let mut other = narrow(0, 4, 2);
        other.number = 1;
        let both = [(0, 8, vec![1], false), (4, 4, vec![2], false)];
        assert_eq!(left(BRANCH, &[other, store(3, 0, 1)], &[]), both);
    }

    #[test]
    fn of_too_many_places_every_store_counts() {
        let each = (0..MOST as i64).map(|place| store(0, 8 * place, 1));
        let few: Vec<Written> = each.clone().chain([store(3, 0, 2)]).collect();
        assert_eq!(left(BRANCH, &few, &[])[0], (0, 8, vec![2], false));
        let more = store(0, 8 * MOST as i64, 1);
        let many: Vec<Written> = each.chain([more, store(3, 0, 2)]).collect();
        assert_eq!(left(BRANCH, &many, &[])[0], (0, 8, vec![1, 2], true));
    }
}
