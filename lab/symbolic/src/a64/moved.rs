//! Bits that instructions on vectors move as other registers say: what is moved need not be known.
//! So Rust's `std_detect` takes the kernel's words apart.

use super::vectors::{Pair, part, together};
use super::{Machine, field};
use crate::bits::Word;
use crate::state::State;

impl Machine<'_> {
    /// USHL, TBL and TBX by numbers that are known.
    pub(super) fn taken_apart(&self, state: &State, word: u32) -> Option<Pair> {
        let (rd, rn, rm) = (field(word, 0, 5), field(word, 5, 5), field(word, 16, 5));
        let bytes = if field(word, 30, 1) == 1 { 16 } else { 8 };
        let by = self.v(state, rm);
        if word & 0xbf20_fc00 == 0x2e20_4400 {
            let each = 1usize << field(word, 22, 2);
            let n = self.v(state, rn);
            let one = |at: usize| {
                // The lowest byte counts, with its sign.
                let by = isize::from(part(&by, each, at).low(1).known()? as u8 as i8);
                let one = part(&n, each, at);
                Some(match by {
                    _ if by.unsigned_abs() >= each * 8 => Word::ZERO,
                    0.. => one.left(by.unsigned_abs()).low(each),
                    _ => one.right(by.unsigned_abs()),
                })
            };
            let all: Option<Vec<Word>> = (0..bytes / each).map(one).collect();
            return Some(together(all?.into_iter(), each));
        }
        if word & 0xbfe0_8c00 != 0x0e00_0000 {
            return None;
        }
        let count = field(word, 13, 2) + 1;
        let is_kept = field(word, 12, 1) == 1;
        let table: Vec<Pair> = (0..count).map(|at| self.v(state, (rn + at) % 32)).collect();
        let own = self.v(state, rd);
        let one = |at: usize| {
            let from = part(&by, 1, at).known()? as usize;
            Some(match table.get(from / 16) {
                Some(of) => part(of, 1, from % 16),
                None if is_kept => part(&own, 1, at),
                None => Word::ZERO,
            })
        };
        let all: Option<Vec<Word>> = (0..bytes).map(one).collect();
        Some(together(all?.into_iter(), 1))
    }
}
