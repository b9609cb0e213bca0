//! The parts of libstdc++'s containers that programs do not have themselves: trees, lists and
//! tables of hashes.

use crate::bits::Word;
use crate::library::{Gap, Told};
use crate::machine::Machine;
use crate::state::State;

/// Where a tree's node has its neighbours; it begins with its colour.
const PARENT: u64 = 8;
const LEFT: u64 = 16;
const RIGHT: u64 = 24;
/// Black: a tree's header alone is red, by which it is told from the root.
const BLACK: u64 = 1;
/// Steps through a tree at most.
const STEPS: usize = 4096;
/// Buckets that tables of hashes have (`__prime_list` of libstdc++), as far as they are known.
const PRIMES: [u64; 60] = [
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97,
    103, 109, 113, 127, 137, 139, 149, 157, 167, 179, 193, 199, 211, 227, 241, 257, 277, 293, 313,
    337, 359, 383, 409, 439, 467, 503, 541, 577, 619, 661, 709, 761, 823, 887, 953,
];
/// Functions that store nothing that is looked at.
const NOTHING: [&str; 15] = [
    "_ZNSaIcEC1Ev",
    "_ZNSaIcEC2Ev",
    "_ZNSaIcED1Ev",
    "_ZNSaIcED2Ev",
    "_ZNSt6thread6_StateD2Ev",
    "_ZNSt6thread4joinEv",
    "_ZNSt6thread6detachEv",
    "_ZNSt8ios_base4InitC1Ev",
    "_ZNSt8ios_base4InitD1Ev",
    "_ZNSt9basic_iosIcSt11char_traitsIcEE5clearESt12_Ios_Iostate",
    "_ZdlPvm",
    "_ZdaPvm",
    "_ZdlPvSt11align_val_t",
    "_ZdlPvmSt11align_val_t",
    "__cxa_free_exception",
];

impl Machine<'_> {
    pub fn container(&mut self, state: &mut State, name: &str) -> Result<Told, Gap> {
        if NOTHING.contains(&name) {
            return Ok(Told::default());
        }
        match name {
            "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_" => {
                self.insert(state)
            }
            "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_" => self.erase(state),
            "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base"
            | "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base" => {
                let node = self.place(state, 0)?;
                Ok(self.beside(state, node, RIGHT, LEFT)?.into())
            }
            "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base"
            | "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base" => {
                let node = self.place(state, 0)?;
                let colour = self.load(state, Ok(node), 4).number()?;
                let parent = self.word(state, node + PARENT)?;
                // Before the end is the greatest.
                let is_end = colour.ok_or(Gap::Unknown)? != BLACK
                    && parent != 0
                    && self.word(state, parent + PARENT)? == node;
                Ok(match is_end {
                    true => self.word(state, node + RIGHT)?,
                    false => self.beside(state, node, LEFT, RIGHT)?,
                }
                .into())
            }
            "_ZNSt8__detail15_List_node_base7_M_hookEPS0_" => {
                let (node, next) = (self.place(state, 0)?, self.place(state, 1)?);
                let last = self.word(state, next + 8)?;
                put(state, node, next);
                put(state, node + 8, last);
                put(state, last, node);
                put(state, next + 8, node);
                Ok(Told::default())
            }
            "_ZNSt8__detail15_List_node_base9_M_unhookEv" => {
                let node = self.place(state, 0)?;
                let (next, last) = (self.word(state, node)?, self.word(state, node + 8)?);
                put(state, last, next);
                put(state, next + 8, last);
                Ok(Told::default())
            }
            "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_" => {
                let [to, first, end] = [0, 1, 2].map(|at| self.place(state, at));
                let (to, first, end) = (to?, first?, end?);
                if to == end || first == end {
                    return Ok(Told::default());
                }
                let (before, last) = (self.word(state, first + 8)?, self.word(state, end + 8)?);
                let behind = self.word(state, to + 8)?;
                put(state, last, to);
                put(state, before, end);
                put(state, behind, first);
                put(state, to + 8, last);
                put(state, end + 8, before);
                put(state, first + 8, behind);
                Ok(Told::default())
            }
            "_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm" => self.rehash(state),
            "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm" => {
                let (policy, least) = (self.place(state, 0)?, self.number(state, 1)?);
                let factor = self.factor(state, policy)?;
                let (count, full) = buckets(least, factor).ok_or(Gap::Unknown)?;
                put(state, policy + 8, full);
                Ok(count.into())
            }
            "_ZSt11_Hash_bytesPKvmm" => {
                let (at, size) = (self.given(state, 0), self.number(state, 1)?);
                let seed = self.number(state, 2)?;
                let bytes = self.bytes(state, &at, size)?.map_err(|_| Gap::Unknown)?;
                Ok(hash(&bytes, seed).into())
            }
            "__cxa_allocate_exception" => {
                // What the library keeps of it lies before it.
                let size = self.number(state, 0)?;
                let at = state.memory.allocate(size.saturating_add(128).min(1 << 16));
                Ok((at + 128).into())
            }
            _ => Err(Gap::Unknown),
        }
    }

    /// A node is linked where the program found its place. No balance is kept: only the library
    /// itself would see it.
    fn insert(&mut self, state: &mut State) -> Result<Told, Gap> {
        let is_left = self.given(state, 0).low(1).number()?;
        let is_left = is_left.ok_or(Gap::Unknown)? != 0;
        let [node, parent, header] = [1, 2, 3].map(|at| self.place(state, at));
        let (node, parent, header) = (node?, parent?, header?);
        let side = if is_left { LEFT } else { RIGHT };
        let end = self.word(state, header + side)?;
        state.memory.write(node, &Word::Known(BLACK), 4);
        put(state, node + PARENT, parent);
        put(state, node + LEFT, 0);
        put(state, node + RIGHT, 0);
        put(state, parent + side, node);
        if parent == header {
            put(state, header + PARENT, node);
            put(state, header + RIGHT, node);
        } else if parent == end {
            put(state, header + side, node);
        }
        Ok(Told::default())
    }

    /// A node is taken out of its tree.
    fn erase(&mut self, state: &mut State) -> Result<Told, Gap> {
        let (node, header) = (self.place(state, 0)?, self.place(state, 1)?);
        let [parent, left, right] = [PARENT, LEFT, RIGHT].map(|to| self.word(state, node + to));
        let (parent, left, right) = (parent?, left?, right?);
        for (side, child, other) in [(LEFT, right, LEFT), (RIGHT, left, RIGHT)] {
            if self.word(state, header + side)? == node {
                let next = match child {
                    0 => parent,
                    _ => self.last(state, child, other)?,
                };
                put(state, header + side, next);
            }
        }
        // What takes its place.
        let heir = match (left, right) {
            (0, other) | (other, 0) => other,
            _ => {
                let next = self.last(state, right, LEFT)?;
                if next != right {
                    let above = self.word(state, next + PARENT)?;
                    let below = self.word(state, next + RIGHT)?;
                    put(state, above + LEFT, below);
                    if below != 0 {
                        put(state, below + PARENT, above);
                    }
                    put(state, next + RIGHT, right);
                    put(state, right + PARENT, next);
                }
                put(state, next + LEFT, left);
                put(state, left + PARENT, next);
                next
            }
        };
        if heir != 0 {
            put(state, heir + PARENT, parent);
        }
        let side = match parent {
            _ if parent == header => PARENT,
            _ if self.word(state, parent + LEFT)? == node => LEFT,
            _ => RIGHT,
        };
        put(state, parent + side, heir);
        Ok(node.into())
    }

    /// The last node on one side.
    fn last(&self, state: &State, mut node: u64, side: u64) -> Result<u64, Gap> {
        for _ in 0..STEPS {
            match self.word(state, node + side)? {
                0 => return Ok(node),
                next => node = next,
            }
        }
        Err(Gap::Unknown)
    }

    /// The next node to one side.
    fn beside(&self, state: &State, mut node: u64, side: u64, opposite: u64) -> Result<u64, Gap> {
        let child = self.word(state, node + side)?;
        if child != 0 {
            return self.last(state, child, opposite);
        }
        let mut parent = self.word(state, node + PARENT)?;
        for _ in 0..STEPS {
            if self.word(state, parent + side)? != node {
                // The root's other side may be the header itself.
                let is_end = self.word(state, node + side)? == parent;
                return Ok(if is_end { node } else { parent });
            }
            node = parent;
            parent = self.word(state, node + PARENT)?;
        }
        Err(Gap::Unknown)
    }

    /// How many elements a table has for a bucket, at most.
    fn factor(&self, state: &State, policy: u64) -> Result<f32, Gap> {
        let bits = self.load(state, Ok(policy), 4).number()?;
        let bits = bits.ok_or(Gap::Unknown)?;
        Ok(f32::from_bits(bits as u32))
    }

    /// Whether a table needs more buckets, and how many: `(policy, buckets, elements, more)`.
    fn rehash(&mut self, state: &mut State) -> Result<Told, Gap> {
        let policy = self.place(state, 0)?;
        let [own, elements, more] = [1, 2, 3].map(|at| self.number(state, at));
        let (own, elements) = (own?, elements?);
        let wanted = elements.saturating_add(more?);
        let full = self.word(state, policy + 8)?;
        let factor = self.factor(state, policy)?;
        let none = Told(Some(Word::ZERO), Some(Word::ZERO));
        if wanted <= full {
            return Ok(none);
        }
        let wanted = if full == 0 { wanted.max(11) } else { wanted };
        let least = wanted as f64 / f64::from(factor);
        if least < own as f64 {
            put(state, policy + 8, (own as f64 * f64::from(factor)) as u64);
            return Ok(none);
        }
        let least = (least as u64).saturating_add(1).max(own.saturating_mul(2));
        let (count, full) = buckets(least, factor).ok_or(Gap::Unknown)?;
        put(state, policy + 8, full);
        Ok(Told(Some(Word::Known(1)), Some(Word::Known(count))))
    }
}

fn put(state: &mut State, at: u64, value: u64) {
    state.memory.write(at, &Word::Known(value), 8);
}

/// So many buckets or the next number there is, and how many elements fill them.
fn buckets(least: u64, factor: f32) -> Option<(u64, u64)> {
    let count = match least {
        0 => 1,
        // The library's table for small numbers.
        1..14 => *PRIMES.iter().take(6).find(|prime| **prime >= least)?,
        _ => *PRIMES.iter().find(|prime| **prime >= least)?,
    };
    let full = (count as f64 * f64::from(factor)).floor();
    Some((count, full as u64))
}

/// `_Hash_bytes` of 64 bits: MurmurHash64A.
fn hash(bytes: &[u8], seed: u64) -> u64 {
    const FACTOR: u64 = 0xc6a4_a793_5bd1_e995;
    let mixed = |value: u64| value ^ value >> 47;
    let mut hash = seed ^ (bytes.len() as u64).wrapping_mul(FACTOR);
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        let word = u64::from_le_bytes(*word).wrapping_mul(FACTOR);
        hash = (hash ^ mixed(word).wrapping_mul(FACTOR)).wrapping_mul(FACTOR);
    }
    if !rest.is_empty() {
        let last = (rest.iter().rev()).fold(0, |all, byte| all << 8 | u64::from(*byte));
        hash = (hash ^ last).wrapping_mul(FACTOR);
    }
    mixed(mixed(hash).wrapping_mul(FACTOR))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What libstdc++ 14 told.
    #[test]
    fn hashes_are_the_librarys() {
        assert_eq!(hash(b"hello avx2", 0xc70f_6907), 0x9a05_95a1_f876_5449);
        assert_eq!(
            hash(b"hello world long", 0xc70f_6907),
            0x0d82_c2af_301a_49fb
        );
    }

    #[test]
    fn buckets_are_the_librarys() {
        let counts = [0, 1, 4, 8, 12, 13, 14, 54, 600].map(|least| buckets(least, 1.0));
        let expected = [1, 2, 5, 11, 13, 13, 17, 59, 619].map(|count| Some((count, count)));
        assert_eq!(counts, expected);
        assert_eq!(buckets(1000, 1.0), None);
        assert_eq!(buckets(14, 0.5), Some((17, 8)));
    }
}
