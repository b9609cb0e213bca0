//! What holds at places of a routine, of which many say the same: twelve bytes each. A routine has
//! a branch for each few instructions, and what is known of hundreds of routines is kept.

/// Values that are looked at for one that is the same: what is near each other says the same.
const NEAR: usize = 16;

/// Values by place.
#[derive(Debug)]
pub struct ByPlace<T> {
    /// Sorted, each once.
    places: Box<[u64]>,
    /// By place: which of the values it has.
    which: Box<[u32]>,
    values: Box<[T]>,
}

impl<T: Copy + PartialEq> ByPlace<T> {
    /// Of a list; of one place what comes last in it counts.
    pub(super) fn of(mut all: Vec<(u64, T)>) -> Self {
        all.sort_by_key(|(place, _)| *place);
        all.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                *kept = *next;
            }
            is_same
        });
        let mut which = Vec::with_capacity(all.len());
        let mut values: Vec<T> = Vec::new();
        for (_, value) in &all {
            let last = values.len().saturating_sub(NEAR);
            let known = values[last..].iter().rposition(|known| known == value);
            let number = known.map_or(values.len(), |at| last + at);
            if number == values.len() {
                values.push(*value);
            }
            which.push(number as u32);
        }
        Self {
            places: all.iter().map(|(place, _)| *place).collect(),
            which: which.into(),
            values: values.into(),
        }
    }

    /// The same of a list of places from which on something holds, until the next: where the same
    /// holds as before it is left out.
    pub(super) fn from_on(mut all: Vec<(u64, T)>) -> Self {
        all.sort_by_key(|(place, _)| *place);
        // Of one place the last counts, and that is known once it is not the next one's.
        let mut kept: Vec<(u64, T)> = Vec::new();
        let mut each = all.into_iter().peekable();
        while let Some((place, value)) = each.next() {
            let is_last = each.peek().is_none_or(|(next, _)| *next != place);
            if is_last && kept.last().is_none_or(|(_, before)| *before != value) {
                kept.push((place, value));
            }
        }
        Self::of(kept)
    }

    /// What is said of a place.
    #[must_use]
    pub fn get(&self, place: u64) -> Option<&T> {
        let at = self.places.binary_search(&place).ok()?;
        self.values.get(self.which[at] as usize)
    }

    /// What is said of a place, or of the last before it.
    pub(super) fn last(&self, place: u64) -> Option<&T> {
        let at = self.places.partition_point(|at| *at <= place);
        self.values.get(self.which[at.checked_sub(1)?] as usize)
    }

    /// All that is said of some place, each at least once.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.values.iter()
    }

    /// The places up to one and that one, and those from it on.
    #[must_use]
    pub fn around(&self, place: u64) -> (&[u64], &[u64]) {
        let to = self.places.partition_point(|at| *at <= place);
        let from = self.places.partition_point(|at| *at < place);
        (&self.places[..to], &self.places[from..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_place() {
        let all: Vec<(u64, u64)> = (0..100).map(|at| (at * 2, at % 40)).collect();
        let mut mixed = all.clone();
        mixed.reverse();
        mixed.insert(0, (6, 1000));
        let found = ByPlace::of(mixed);
        for (place, value) in &all {
            assert_eq!(found.get(*place), Some(value));
            assert_eq!(found.get(place + 1), None);
            assert_eq!(found.last(place + 1), Some(value));
        }
        assert_eq!(found.places.len(), 100);
        assert!(found.values().all(|value| *value < 40));
        assert_eq!(found.around(3), (&[0, 2][..], &found.places[2..]));
        assert_eq!(found.around(2), (&[0, 2][..], &found.places[1..]));
        assert_eq!(ByPlace::<u64>::of(Vec::new()).last(3), None);
    }

    #[test]
    fn the_same_is_kept_once() {
        let found = ByPlace::of((0..1000).map(|at| (at, at % 7)).collect());
        assert_eq!(found.values.len(), 7);
    }

    #[test]
    fn what_holds_from_a_place_on() {
        let all = [
            (8, 'a'),
            (10, 'a'),
            (10, 'b'),
            (12, 'b'),
            (14, 'c'),
            (14, 'b'),
            (20, 'a'),
        ];
        let found = ByPlace::from_on(all.into());
        assert_eq!(*found.places, [8, 10, 20]);
        let told = [
            (7, None),
            (8, Some('a')),
            (9, Some('a')),
            (10, Some('b')),
            (19, Some('b')),
        ];
        for (place, value) in told.into_iter().chain([(20, Some('a')), (99, Some('a'))]) {
            assert_eq!(found.last(place).copied(), value, "{place}");
        }
    }
}
