//! Values by where they are kept: a few, sorted, none over another. They are copied at
//! every block that changes one, for which a list is quicker than a tree.

use super::value::Value;

/// So many bytes at a place, and their value.
type Entry<At> = (At, u8, Value);

/// Values by their places.
#[derive(Clone, PartialEq, Default)]
pub struct Places<At>(Vec<Entry<At>>);

impl<At: Copy + Ord + Into<i128>> Places<At> {
    pub fn get(&self, at: At) -> Option<(u8, &Value)> {
        let found = self.0.binary_search_by_key(&at, |entry| entry.0).ok()?;
        let (_, bytes, value) = &self.0[found];
        Some((*bytes, value))
    }

    /// What lies over a whole range: where it begins, its bytes and its value.
    pub fn covering(&self, at: At, bytes: u8) -> Option<(At, u8, &Value)> {
        let after = self.0.partition_point(|entry| entry.0 <= at);
        let (start, size, value) = &self.0[after.checked_sub(1)?];
        let end = (*start).into() + i128::from(*size);
        (at.into() + i128::from(bytes) <= end).then_some((*start, *size, value))
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Tells each.
    pub fn each(&self, mut tell: impl FnMut(At, u8, &Value)) {
        for (at, bytes, value) in &self.0 {
            tell(*at, *bytes, value);
        }
    }

    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.0.iter().map(|(.., value)| value)
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.0.iter_mut().map(|(.., value)| value)
    }

    pub fn value_mut(&mut self, at: At) -> Option<&mut Value> {
        let found = self.0.binary_search_by_key(&at, |entry| entry.0).ok()?;
        Some(&mut self.0[found].2)
    }

    /// Which of them have bytes in a range.
    fn over(&self, at: At, bytes: u8) -> std::ops::Range<usize> {
        let (start, end) = (at.into(), at.into() + i128::from(bytes));
        let is_before = |entry: &Entry<At>| entry.0.into() + i128::from(entry.1) <= start;
        let first = self.0.partition_point(is_before);
        let length = self.0[first..].partition_point(|entry| entry.0.into() < end);
        first..first + length
    }

    /// Whether any has bytes in a range.
    pub fn has(&self, at: At, bytes: u8) -> bool {
        !self.over(at, bytes).is_empty()
    }

    /// Says what is at a place, instead of what was there; nothing where there are so many.
    pub fn set(&mut self, at: At, bytes: u8, value: Option<Value>, most: usize) {
        let over = self.over(at, bytes);
        let is_room = self.0.len() - over.len() < most;
        let new = value.filter(|_| is_room).map(|value| (at, bytes, value));
        match (new, over.len()) {
            (Some(new), 0) => self.0.insert(over.start, new),
            (None, 0) => {}
            (Some(new), 1) => self.0[over.start] = new,
            (new, _) => drop(self.0.splice(over, new)),
        }
    }

    /// Keeps those for which it is true.
    pub fn retain(&mut self, mut keep: impl FnMut(At, u8, &mut Value) -> bool) {
        self.0
            .retain_mut(|(at, bytes, value)| keep(*at, *bytes, value));
    }

    /// Whether any begins in a range.
    pub fn begins_in(&self, range: std::ops::Range<At>) -> bool {
        let first = self.0.partition_point(|entry| entry.0 < range.start);
        self.0.get(first).is_some_and(|entry| entry.0 < range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(places: &Places<i64>) -> Vec<(i64, u8, Option<u64>)> {
        let all = places.0.iter();
        all.map(|(at, bytes, value)| (*at, *bytes, value.constant()))
            .collect()
    }

    #[test]
    fn what_is_set_replaces_all_below_it() {
        let mut places = Places::default();
        for (at, number) in [(-8, 1), (8, 2), (0, 3), (12, 4)] {
            places.set(at, 4, Some(Value::number(number)), 9);
        }
        assert!(places.has(-5, 1) && !places.has(-4, 4) && places.has(-4, 5));
        places.set(2, 8, Some(Value::number(5)), 9);
        let left = [(-8, 4, Some(1)), (2, 8, Some(5)), (12, 4, Some(4))];
        assert_eq!(numbers(&places), left);
        places.set(13, 1, None, 9);
        assert_eq!((places.len(), places.get(12).is_none()), (2, true));
        // No room for one more, but for what stands for another.
        places.set(40, 4, Some(Value::number(6)), 2);
        places.set(-6, 2, Some(Value::number(7)), 2);
        assert_eq!(numbers(&places), [(-6, 2, Some(7)), (2, 8, Some(5))]);
        assert!(places.begins_in(2..3) && !places.begins_in(3..40));
    }
}
