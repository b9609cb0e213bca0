//! Where a routine lies: in one stretch of addresses mostly, for which nothing is allocated.

use std::ops::Deref;

/// Start and end of stretches; sorted, non-overlapping.
#[derive(Default)]
pub struct Spans(Kept);

#[derive(Default)]
enum Kept {
    #[default]
    None,
    One((u64, u64)),
    Many(Vec<(u64, u64)>),
}

impl Spans {
    /// Adds one behind the others.
    pub fn push(&mut self, span: (u64, u64)) {
        match &mut self.0 {
            Kept::None => self.0 = Kept::One(span),
            Kept::One(first) => self.0 = Kept::Many(vec![*first, span]),
            Kept::Many(all) => all.push(span),
        }
    }

    /// Leaves none.
    pub fn clear(&mut self) {
        self.0 = Kept::None;
    }
}

impl Deref for Spans {
    type Target = [(u64, u64)];

    fn deref(&self) -> &[(u64, u64)] {
        match &self.0 {
            Kept::None => &[],
            Kept::One(one) => std::slice::from_ref(one),
            Kept::Many(all) => all,
        }
    }
}

impl<'s> IntoIterator for &'s Spans {
    type Item = &'s (u64, u64);
    type IntoIter = std::slice::Iter<'s, (u64, u64)>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::{Kept, Spans};

    #[test]
    fn as_many_as_were_added() {
        let mut spans = Spans::default();
        assert!(spans.is_empty());
        let all = [(1, 2), (4, 8), (9, 10)];
        for (number, span) in all.into_iter().enumerate() {
            spans.push(span);
            assert_eq!(*spans, all[..=number]);
            assert_eq!(matches!(spans.0, Kept::One(_)), number == 0);
        }
        spans.clear();
        assert!(spans.is_empty());
    }
}
