//! The blocks behind a block: two at most, mostly, for which nothing is allocated.

use std::ops::Deref;

/// Numbers of blocks.
pub struct Nexts(Kept);

enum Kept {
    Few([u32; 2], u8),
    Many(Box<[u32]>),
}

impl From<&[u32]> for Nexts {
    fn from(blocks: &[u32]) -> Self {
        Self(match *blocks {
            [] => Kept::Few([0; 2], 0),
            [one] => Kept::Few([one, 0], 1),
            [one, other] => Kept::Few([one, other], 2),
            _ => Kept::Many(blocks.into()),
        })
    }
}

impl Deref for Nexts {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        match &self.0 {
            Kept::Few(blocks, count) => &blocks[..usize::from(*count)],
            Kept::Many(blocks) => blocks,
        }
    }
}

impl<'n> IntoIterator for &'n Nexts {
    type Item = &'n u32;
    type IntoIter = std::slice::Iter<'n, u32>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::Nexts;

    #[test]
    fn as_many_as_were_given() {
        for blocks in [&[][..], &[3], &[3, 4], &[3, 4, 9]] {
            assert_eq!(*Nexts::from(blocks), *blocks);
        }
    }
}
