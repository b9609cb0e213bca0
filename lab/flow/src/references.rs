//! Lists of references, by what they are to.

use super::packed::{Found, Pack, Packed};

/// A reference: what it is to, and the instruction or the word of data it is in.
pub type Reference = (u64, u64);

/// References. Far are those to variables of threads and to what is no code, and those in files
/// that are larger than 4 GiB.
pub type References = Packed<Reference>;

impl Pack for Reference {
    /// Both addresses by their distance from the base, in 32 bits each.
    #[inline]
    fn pack(self, base: u64) -> Option<u64> {
        let (to, at) = (self.0.checked_sub(base)?, self.1.checked_sub(base)?);
        ((to | at) >> 32 == 0).then_some(to << 32 | at)
    }

    #[inline]
    fn unpack(packed: u64, base: u64) -> Self {
        (base + (packed >> 32), base + (packed & 0xffff_ffff))
    }
}

impl References {
    /// The addresses that references are to, each once.
    pub fn targets(&self) -> impl Iterator<Item = u64> + '_ {
        let mut last = None;
        let all = self.iter().map(|(to, _)| to);
        all.filter(move |to| last.replace(*to) != Some(*to))
    }

    /// The highest address up to `address` that a reference is to.
    #[must_use]
    pub fn last_to(&self, address: u64) -> Option<u64> {
        self.last(|(to, _)| to <= address).map(|(to, _)| to)
    }

    /// The same by where they are: that first, then what they are to.
    #[must_use]
    pub fn turned(&self) -> Self {
        let mut turned = Self::new(self.base);
        self.iter().for_each(|(to, at)| turned.push((at, to)));
        turned.sort();
        turned
    }
}

/// All references to an address.
#[must_use]
pub fn to(list: &References, address: u64) -> Found<'_, Reference> {
    list.part(|(to, _)| to < address, |(to, _)| to == address)
}

/// All references to addresses in `start..end`.
#[must_use]
pub fn within(list: &References, start: u64, end: u64) -> Found<'_, Reference> {
    list.part(|(to, _)| to < start, |(to, _)| to < end)
}

#[cfg(test)]
mod tests {
    use super::{Reference, References, to, within};
    use crate::packed::check;

    const BASE: u64 = 0x40_0000;

    /// At and beside the first and the last address that is near, and far from all.
    fn addresses() -> Vec<u64> {
        let near = [0, 1, 7, (1 << 32) - 1].map(|by| BASE + by);
        let far = [0, 1, BASE - 1, BASE + (1 << 32), BASE + (1 << 32) + 1];
        let high = [0xffff_e000_0000_0000, u64::MAX - 1, u64::MAX];
        [&near[..], &far, &high].concat()
    }

    #[test]
    fn near_the_highest_address_what_is_low_is_far() {
        let high = u64::MAX - 8;
        check(high, vec![(high, high + 1), (3, high), (high + 8, 3)], 1);
    }

    #[test]
    fn near_and_far_ones_are_one_list() {
        let addresses = addresses();
        let pairs = addresses
            .iter()
            .flat_map(|to| addresses.iter().map(|at| (*to, *at)));
        let all: Vec<Reference> = pairs.collect();
        check(BASE, all.clone(), 16);
        let mut list = References::new(BASE);
        all.iter().for_each(|one| list.push(*one));
        list.sort();
        let mut sorted = addresses.clone();
        sorted.sort_unstable();
        assert_eq!(list.targets().collect::<Vec<_>>(), sorted);
        for address in &addresses {
            assert_eq!(list.last_to(*address), Some(*address));
            let found = to(&list, *address).iter();
            assert!(found.eq(sorted.iter().map(|at| (*address, *at))));
        }
        assert_eq!(list.last_to(BASE - 2), Some(1));
        assert!(to(&list, BASE + 2).is_empty());
        assert_eq!(within(&list, 1, BASE + 2).len(), 4 * addresses.len());
        let turned: Vec<Reference> = list.turned().iter().collect();
        let mut wanted: Vec<Reference> = all.iter().map(|(to, at)| (*at, *to)).collect();
        wanted.sort_unstable();
        assert_eq!(turned, wanted);
    }
}
