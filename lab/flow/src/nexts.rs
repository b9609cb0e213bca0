//! The blocks behind a block: two at most, mostly, for which nothing is allocated.

use std::ops::Deref;
use std::rc::Rc;

/// Numbers of blocks. Copies share what is allocated.
#[derive(Clone)]
pub struct Nexts(Kept);

#[derive(Clone)]
enum Kept {
    None,
    One(u32),
    Two([u32; 2]),
    Many(Rc<List>),
}

/// So that what has two at most takes 16 bytes.
struct List(Box<[u32]>);

impl From<&[u32]> for Nexts {
    fn from(blocks: &[u32]) -> Self {
        Self(match *blocks {
            [] => Kept::None,
            [one] => Kept::One(one),
            [one, other] => Kept::Two([one, other]),
            _ => Kept::Many(Rc::new(List(blocks.into()))),
        })
    }
}

impl Deref for Nexts {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        match &self.0 {
            Kept::None => &[],
            Kept::One(one) => std::slice::from_ref(one),
            Kept::Two(both) => both,
            Kept::Many(list) => &list.0,
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
            let nexts = Nexts::from(blocks);
            let copy = nexts.clone();
            assert_eq!((&*nexts, &*copy), (blocks, blocks));
            // What is allocated is shared.
            assert_eq!(
                nexts.as_ptr() == copy.as_ptr(),
                blocks.len() != 1 && blocks.len() != 2
            );
        }
    }
}
