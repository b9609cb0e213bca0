//! Where the ways from a block meet again: behind it a branch decides nothing any more.
//!
//! Source: Cooper, Harvey, Kennedy, A Simple, Fast Dominance Algorithm (2001), on the ways
//! turned round.

use super::layout::order;

/// No block: all ways meet only where the routine ends.
pub(super) const NONE: u32 = u32::MAX;

/// By block: the first that all ways from it lead to.
pub(super) fn meets(ways: &[Vec<u32>]) -> Vec<u32> {
    // One more block stands for the end.
    let end = ways.len() as u32;
    let mut back: Vec<Vec<u32>> = vec![Vec::new(); ways.len() + 1];
    for (from, ways) in ways.iter().enumerate() {
        for to in ways {
            back[*to as usize].push(from as u32);
        }
        if ways.is_empty() {
            back[end as usize].push(from as u32);
        }
    }
    let order = order(&back, &[end]);
    let mut rank = vec![0u32; back.len()];
    for (at, block) in (0..).zip(&order) {
        rank[*block as usize] = at;
    }
    let mut out = vec![NONE; ways.len() + 1];
    out[end as usize] = end;
    let meet = |out: &[u32], mut a: u32, mut b: u32| {
        while a != b {
            while rank[a as usize] > rank[b as usize] {
                a = out[a as usize];
            }
            while rank[b as usize] > rank[a as usize] {
                b = out[b as usize];
            }
        }
        a
    };
    loop {
        let mut changed = false;
        for &block in order.iter().filter(|block| **block != end) {
            let known = match ways[block as usize].as_slice() {
                [] => &[end],
                ways => ways,
            };
            let mut known = known.iter().copied().filter(|to| out[*to as usize] != NONE);
            let Some(first) = known.next() else { continue };
            let new = known.fold(first, |a, b| meet(&out, a, b));
            changed |= out[block as usize] != new;
            out[block as usize] = new;
        }
        if !changed {
            break;
        }
    }
    out.pop();
    for one in &mut out {
        if *one == end {
            *one = NONE;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ways_from_a_branch_meet_behind_both_sides() {
        // 0 branches to 1 and 2, which meet in 3; 3 loops, or ends, or goes on to 4, an end too.
        let ways = [vec![1, 2], vec![3], vec![3], vec![0, 4, 5], vec![], vec![]];
        assert_eq!(meets(&ways), [3, 3, 3, NONE, NONE, NONE]);
    }
}
