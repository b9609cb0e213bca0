//! Sorted lists of what lies at an address: eight bytes each, where that is enough. Large files
//! have millions of references and stores.

/// What lists are packed of.
pub trait Pack: Copy + Ord {
    /// As a number, by a base that addresses are near; numbers are in the order of what they
    /// stand for. None where one is too small.
    fn pack(self, base: u64) -> Option<u64>;

    /// What a number stands for.
    fn unpack(packed: u64, base: u64) -> Self;
}

/// A list, which is sorted once all was added.
#[derive(Clone, Debug)]
pub struct Packed<T> {
    pub(crate) base: u64,
    near: Vec<u64>,
    /// All that does not fit in a number.
    far: Vec<T>,
}

impl<T> Default for Packed<T> {
    fn default() -> Self {
        Self {
            base: 0,
            near: Vec::new(),
            far: Vec::new(),
        }
    }
}

impl<T: Pack> Packed<T> {
    /// An empty list. No address below `base` is near.
    #[must_use]
    pub fn new(base: u64) -> Self {
        Self {
            base,
            ..Self::default()
        }
    }

    /// Adds one.
    #[inline]
    pub fn push(&mut self, one: T) {
        match one.pack(self.base) {
            Some(near) => self.near.push(near),
            None => self.far.push(one),
        }
    }

    /// Adds those of another list with the same base; to an empty list nothing is copied.
    pub(crate) fn append(&mut self, other: Self) {
        let is_empty = self.near.is_empty() && self.far.is_empty();
        debug_assert!(is_empty || self.base == other.base);
        if is_empty {
            *self = other;
        } else {
            self.near.reserve_exact(other.near.len());
            self.near.extend(other.near);
            self.far.extend(other.far);
        }
    }

    /// Sorts, and leaves none twice.
    pub fn sort(&mut self) {
        self.near.sort_unstable();
        self.finish();
    }

    /// The same of a list that was sorted before more was added: that is sorted and merged.
    pub(crate) fn sort_again(&mut self) {
        self.near.sort();
        self.finish();
    }

    fn finish(&mut self) {
        self.near.dedup();
        self.near.shrink_to_fit();
        self.far.sort_unstable();
        self.far.dedup();
        self.far.shrink_to_fit();
    }

    /// All of them.
    pub fn iter(&self) -> Iter<'_, T> {
        self.all().iter()
    }

    fn all(&self) -> Found<'_, T> {
        Found {
            base: self.base,
            near: &self.near,
            far: &self.far,
        }
    }

    /// Of a sorted list: the last that is before another one.
    pub(crate) fn last(&self, is_before: impl Fn(T) -> bool) -> Option<T> {
        let unpack = |near: &u64| T::unpack(*near, self.base);
        let near = self.near.partition_point(|near| is_before(unpack(near)));
        let near = near.checked_sub(1).map(|at| unpack(&self.near[at]));
        let far = self.far.partition_point(|far| is_before(*far));
        near.max(far.checked_sub(1).map(|at| self.far[at]))
    }

    /// Of a sorted list: those that are not before, and that are meant.
    pub(crate) fn part(
        &self,
        is_before: impl Fn(T) -> bool,
        is_one: impl Fn(T) -> bool,
    ) -> Found<'_, T> {
        let unpack = |near: &u64| T::unpack(*near, self.base);
        let is_near = |near: &u64| is_before(unpack(near));
        let mut found = self.all();
        found.near = part(found.near, is_near, |near| is_one(unpack(near)));
        if !found.far.is_empty() {
            found.far = part(found.far, |far| is_before(*far), |far| is_one(*far));
        }
        found
    }
}

/// Few are meant mostly, which are found without a search in all that follow.
fn part<T>(list: &[T], is_before: impl Fn(&T) -> bool, is_one: impl Fn(&T) -> bool) -> &[T] {
    let list = &list[list.partition_point(is_before)..];
    let mut most = 4;
    while list.get(most).is_some_and(&is_one) {
        most *= 2;
    }
    let near = &list[..most.min(list.len())];
    &near[..near.partition_point(is_one)]
}

impl<'l, T: Pack> IntoIterator for &'l Packed<T> {
    type Item = T;
    type IntoIter = Iter<'l, T>;

    fn into_iter(self) -> Iter<'l, T> {
        self.iter()
    }
}

/// What was asked for of a list.
#[derive(Clone, Copy, Debug)]
pub struct Found<'l, T> {
    base: u64,
    near: &'l [u64],
    far: &'l [T],
}

impl<'l, T: Pack> Found<'l, T> {
    /// How many they are.
    #[must_use]
    pub fn len(self) -> usize {
        self.near.len() + self.far.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.near.is_empty() && self.far.is_empty()
    }

    /// One after the other, sorted.
    #[must_use]
    pub fn iter(self) -> Iter<'l, T> {
        Iter(self)
    }
}

impl<'l, T: Pack> IntoIterator for Found<'l, T> {
    type Item = T;
    type IntoIter = Iter<'l, T>;

    fn into_iter(self) -> Iter<'l, T> {
        self.iter()
    }
}

/// Goes through near and far ones at once.
#[derive(Clone, Debug)]
pub struct Iter<'l, T>(Found<'l, T>);

impl<T: Pack> Iterator for Iter<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        let found = &mut self.0;
        let near = found.near.first().map(|near| T::unpack(*near, found.base));
        match (near, found.far.first()) {
            (Some(near), far) if far.is_none_or(|far| near < *far) => {
                found.near = &found.near[1..];
                Some(near)
            }
            (_, far) => {
                let far = far.copied()?;
                found.far = &found.far[1..];
                Some(far)
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl<T: Pack> ExactSizeIterator for Iter<'_, T> {}

/// Checks that a list of these says what a plain one says, and that as many of them are near.
#[cfg(test)]
pub(crate) fn check<T: Pack + std::fmt::Debug>(base: u64, mut all: Vec<T>, near: usize) {
    let mut list = Packed::new(base);
    let mut other = Packed::new(base);
    for (number, one) in all.iter().chain(&all).enumerate() {
        // Twice each, and in two lists.
        let list = if number % 3 == 0 {
            &mut other
        } else {
            &mut list
        };
        list.push(*one);
    }
    list.append(other);
    list.sort();
    all.sort_unstable();
    all.dedup();
    assert_eq!(list.iter().collect::<Vec<T>>(), all);
    assert_eq!(list.near.len(), near);
    for (first, from) in all.iter().enumerate() {
        let before = first.checked_sub(1).map(|before| all[before]);
        assert_eq!(list.last(|one| one < *from), before);
        for last in first..=all.len() {
            let until = |one| all.get(last).is_none_or(|end| one < *end);
            let found = list.part(|one| one < *from, until);
            assert_eq!(found.iter().collect::<Vec<T>>(), all[first..last]);
            assert_eq!(
                (found.len(), found.is_empty()),
                (last - first, first == last)
            );
            assert_eq!(found.iter().len(), found.len());
        }
    }
}
