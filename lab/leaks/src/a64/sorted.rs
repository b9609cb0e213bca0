//! A small map that states share until one of them writes it: a sorted list, which is copied
//! much faster than a tree.

use std::ops::{Bound, RangeBounds};
use std::rc::Rc;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sorted<K, V>(Rc<Vec<(K, V)>>);

impl<K, V> Default for Sorted<K, V> {
    fn default() -> Self {
        Self(Rc::default())
    }
}

impl<K: Ord + Copy, V: Clone> Sorted<K, V> {
    fn at(&self, key: &K) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| known.cmp(key))
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether both are the same memory, and so equal.
    pub fn is_same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    pub fn get(&self, key: &K) -> Option<&V> {
        self.at(key).ok().map(|at| &self.0[at].1)
    }

    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let at = self.at(key).ok()?;
        Some(&mut Rc::make_mut(&mut self.0)[at].1)
    }

    pub fn insert(&mut self, key: K, value: V) {
        let at = self.at(&key);
        let list = Rc::make_mut(&mut self.0);
        match at {
            Ok(at) => list[at].1 = value,
            Err(at) => list.insert(at, (key, value)),
        }
    }

    /// Each value changed.
    pub fn each(&mut self, mut change: impl FnMut(&mut V)) {
        if !self.0.is_empty() {
            let list = Rc::make_mut(&mut self.0);
            list.iter_mut().for_each(|(_, value)| change(value));
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    pub fn range(&self, range: impl RangeBounds<K>) -> impl DoubleEndedIterator<Item = (&K, &V)> {
        let first = match range.start_bound() {
            Bound::Included(low) => self.0.partition_point(|(key, _)| key < low),
            Bound::Excluded(low) => self.0.partition_point(|(key, _)| key <= low),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(high) => self.0.partition_point(|(key, _)| key <= high),
            Bound::Excluded(high) => self.0.partition_point(|(key, _)| key < high),
            Bound::Unbounded => self.0.len(),
        };
        self.0[first..end.max(first)]
            .iter()
            .map(|(key, value)| (key, value))
    }

    /// Leaves only some.
    pub fn retain(&mut self, mut is_left: impl FnMut(&K, &V) -> bool) {
        if self.0.iter().all(|(key, value)| is_left(key, value)) {
            return;
        }
        Rc::make_mut(&mut self.0).retain(|(key, value)| is_left(key, value));
    }
}

impl<K, V> FromIterator<(K, V)> for Sorted<K, V> {
    /// Of what is sorted.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(list: I) -> Self {
        Self(Rc::new(list.into_iter().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_map() {
        let mut map: Sorted<u64, char> = Sorted::default();
        for (key, value) in [(3, 'c'), (1, 'a'), (2, 'x'), (2, 'b'), (5, 'e')] {
            map.insert(key, value);
        }
        let before = map.clone();
        let keys = |range| map.range(range).map(|(key, _)| *key).collect::<Vec<_>>();
        assert_eq!(keys(2..5), [2, 3]);
        assert_eq!(
            map.range(4..).map(|(_, value)| *value).collect::<String>(),
            "e"
        );
        assert_eq!((map.get(&2), map.get(&4)), (Some(&'b'), None));
        map.retain(|key, _| *key != 2);
        if let Some(value) = map.get_mut(&5) {
            *value = 'z';
        }
        assert_eq!(
            map.iter().map(|(_, value)| *value).collect::<String>(),
            "acz"
        );
        // The other one is as it was.
        assert_eq!(
            before.iter().map(|(_, value)| *value).collect::<String>(),
            "abce"
        );
    }
}
