//! What was found in code without names, function by function as it seems: when that code is cut,
//! what lies between two cuts need not be read again.
//!
//! A piece ends where nothing runs on and the next address is one that functions begin at. What
//! is read from such a place is what was read before, instruction by instruction. What is said
//! of it goes by the cuts in one thing alone: whether a jump leaves its function.

use super::Facts;

/// Functions begin at multiples of this, mostly.
const ALIGNMENT: u64 = 16;

/// One piece.
struct Piece {
    start: u64,
    end: u64,
    facts: Facts,
    /// What was left out since it stays within the function lies from here up to there.
    near: (u64, u64),
}

/// Nothing was left out.
const NONE: (u64, u64) = (u64::MAX, 0);
/// It is to be read again.
const ALL: (u64, u64) = (0, u64::MAX);

/// The pieces of one pass, by their addresses.
#[derive(Default)]
pub(crate) struct Pieces {
    list: Vec<Piece>,
}

impl Pieces {
    /// Adds those of code behind all that there is.
    pub fn append(&mut self, mut others: Self) {
        self.list.append(&mut others.list);
    }

    /// What is known of code from one place to another; none where it must be read.
    pub fn facts(&self, start: u64, end: u64) -> Option<Facts> {
        let first = self.list.partition_point(|piece| piece.start < start);
        let mut all = Facts::default();
        let mut next = start;
        for piece in &self.list[first..] {
            let is_near = start <= piece.near.0 && piece.near.1 < end;
            if piece.start != next || piece.end > end || !is_near {
                return None;
            }
            all.merge(piece.facts.clone());
            next = piece.end;
            if next == end {
                return Some(all);
            }
        }
        None
    }
}

/// The piece that is being read.
#[derive(Default)]
pub(super) struct Open {
    start: u64,
    /// Where the range ends that it is of.
    limit: u64,
    near: (u64, u64),
    /// What was found in those before it, in the same range.
    before: Facts,
}

impl Open {
    /// The first of a range.
    pub fn of(start: u64, limit: u64) -> Self {
        Self {
            start,
            limit,
            near: NONE,
            before: Facts::default(),
        }
    }

    /// Something was left out since it leads to where the function is taken to be.
    #[inline]
    pub fn stays(&mut self, to: u64) {
        self.near = (self.near.0.min(to), self.near.1.max(to));
    }

    /// Nothing runs on to an address: a piece may end there. A range that was cut inside of an
    /// instruction ends before that does.
    #[inline]
    pub fn ends(&mut self, pieces: &mut Option<Pieces>, facts: &mut Facts, at: u64) {
        if let Some(pieces) = pieces
            && at.is_multiple_of(ALIGNMENT)
            && at < self.limit
        {
            self.close(pieces, facts, at);
        }
    }

    #[inline(never)]
    fn close(&mut self, pieces: &mut Pieces, facts: &mut Facts, end: u64) {
        let facts = std::mem::take(facts);
        pieces.list.push(Piece {
            start: self.start,
            end,
            facts: facts.clone(),
            near: self.near,
        });
        self.before.merge(facts);
        (self.start, self.near) = (end, NONE);
    }

    /// The end of a range, beyond which what it has `runs_on` or not. All that is in it comes back.
    #[inline]
    pub fn last(&mut self, pieces: &mut Option<Pieces>, mut facts: Facts, runs_on: bool) -> Facts {
        let Some(pieces) = pieces else {
            return facts;
        };
        // Where that goes is said by what follows.
        if runs_on {
            self.near = ALL;
        }
        self.close(pieces, &mut facts, self.limit);
        std::mem::take(&mut self.before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Code from 0x1000 up to 0x1400, in which nothing runs on to each of these addresses, and
    /// from the piece that begins at `from` something stays that leads to `to`.
    fn read(ends: &[u64], (from, to): (u64, u64), runs_on: bool) -> (Pieces, Facts) {
        let mut pieces = Some(Pieces::default());
        let mut open = Open::of(0x1000, 0x1400);
        let mut facts = Facts::default();
        for end in ends {
            facts.instructions += 1;
            facts.add_above(1, end - 1);
            if open.start == from {
                open.stays(to);
            }
            open.ends(&mut pieces, &mut facts, *end);
        }
        let all = open.last(&mut pieces, facts, runs_on);
        (pieces.unwrap(), all)
    }

    fn found(pieces: &Pieces, start: u64, end: u64) -> Option<(u32, u64)> {
        let facts = pieces.facts(start, end)?;
        assert_eq!(facts.above(), facts.instructions);
        Some((facts.instructions, facts.first()))
    }

    #[test]
    fn pieces_are_what_was_read() {
        let (pieces, all) = read(&[0x1010, 0x1018, 0x1030], (0, 0), false);
        assert_eq!((all.instructions, all.first()), (3, 0x100f));
        assert_eq!(found(&pieces, 0x1000, 0x1400), Some((3, 0x100f)));
        assert_eq!(found(&pieces, 0x1000, 0x1010), Some((1, 0x100f)));
        assert_eq!(found(&pieces, 0x1010, 0x1030), Some((2, 0x1017)));
        assert_eq!(found(&pieces, 0x1030, 0x1400), Some((0, 0)));
        // No piece begins or ends there.
        assert_eq!(found(&pieces, 0x1018, 0x1030), None);
        assert_eq!(found(&pieces, 0x1000, 0x1018), None);
        assert_eq!(found(&pieces, 0x1000, 0x1500), None);
        assert_eq!(found(&pieces, 0x1008, 0x1030), None);
        assert_eq!(found(&pieces, 0x1400, 0x1500), None);
    }

    #[test]
    fn what_leads_out_of_a_cut_is_read_again() {
        for (to, is_whole) in [
            (0x1000, false),
            (0x1010, true),
            (0x102f, true),
            (0x1030, false),
        ] {
            let (pieces, _) = read(&[0x1010, 0x1020, 0x1030], (0x1010, to), false);
            assert_eq!(found(&pieces, 0x1010, 0x1030).is_some(), is_whole, "{to:x}");
            assert_eq!(found(&pieces, 0x1000, 0x1400), Some((3, 0x100f)));
            assert_eq!(found(&pieces, 0x1020, 0x1030), Some((1, 0x102f)));
        }
    }

    /// An instruction may end behind the range: the last of it is read again, and no piece begins
    /// where that ends.
    #[test]
    fn what_ends_behind_its_range_is_no_piece() {
        let (pieces, _) = read(&[0x1010, 0x1400, 0x1410], (0, 0), true);
        assert_eq!(found(&pieces, 0x1000, 0x1010), Some((1, 0x100f)));
        assert_eq!(found(&pieces, 0x1010, 0x1400), None);
        assert_eq!(found(&pieces, 0x1010, 0x1410), None);
        assert_eq!(pieces.list.len(), 2);
    }

    #[test]
    fn what_runs_on_is_read_again() {
        let (pieces, _) = read(&[0x1010], (0, 0), true);
        assert_eq!(found(&pieces, 0x1000, 0x1010), Some((1, 0x100f)));
        assert_eq!(found(&pieces, 0x1010, 0x1400), None);
        assert_eq!(found(&pieces, 0x1000, 0x1400), None);
    }
}
