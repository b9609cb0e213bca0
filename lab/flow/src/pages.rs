//! Where to look in a sorted list of addresses: by page of the address space, so that a
//! search goes over a few neighbours and not over all of a large file's functions.

/// Bits of an address within a page: a page has a few functions.
const BITS: u32 = 10;
/// Pages for each address in the list, at most: a file with large gaps has no pages.
const SPARSE: u64 = 16;

/// By page: how many addresses of the list are no higher than where it begins.
#[derive(Default)]
pub struct Pages {
    /// The number of the first page.
    first: u64,
    before: Vec<u32>,
}

impl Pages {
    /// Of a sorted list.
    pub fn of(list: impl ExactSizeIterator<Item = u64> + Clone) -> Self {
        let count = list.len();
        let mut ends = list.clone();
        let (Some(lowest), Some(highest)) = (ends.next(), list.clone().last()) else {
            return Self::default();
        };
        let first = lowest >> BITS;
        let pages = (highest >> BITS) - first + 2;
        if pages > SPARSE * (count as u64 + 64) || u32::try_from(count).is_err() {
            return Self::default();
        }
        let mut before = Vec::with_capacity(pages as usize);
        for (number, at) in (0..).zip(list) {
            // Of pages that begin at this address or behind it, it is before.
            let behind = at.div_ceil(1 << BITS) - first;
            while (before.len() as u64) < behind {
                before.push(number);
            }
        }
        while (before.len() as u64) < pages {
            before.push(count as u32);
        }
        Self { first, before }
    }

    /// How many addresses of the list, which has `count`, are no higher than one: from, to.
    pub fn around(&self, address: u64, count: usize) -> (usize, usize) {
        let page = (address >> BITS).checked_sub(self.first);
        let Some(page) = page.and_then(|page| usize::try_from(page).ok()) else {
            return (0, if self.before.is_empty() { count } else { 0 });
        };
        let from = self.before.get(page);
        let to = page.checked_add(1).and_then(|next| self.before.get(next));
        match (from, to) {
            (Some(from), Some(to)) => (*from as usize, *to as usize),
            _ if self.before.is_empty() => (0, count),
            (Some(from), None) => (*from as usize, count),
            (None, _) => (count, count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Pages;

    #[test]
    fn the_place_of_every_address_is_between() {
        let lists: [&[u64]; 6] = [
            &[],
            &[0],
            &[1024],
            &[5, 1023, 1024, 1025, 1025, 4096, 9000],
            &[u64::MAX - 5000, u64::MAX],
            &[7, 1 << 40],
        ];
        for list in lists {
            let pages = Pages::of(list.iter().copied());
            let near = list.iter().flat_map(|at| {
                [-1024i64, -1, 0, 1, 1023, 1024].map(|by| at.wrapping_add_signed(by))
            });
            for address in near.chain([0, 512, 1 << 30, u64::MAX]) {
                let place = list.partition_point(|at| *at <= address);
                let (from, to) = pages.around(address, list.len());
                assert!(
                    (from..=to).contains(&place),
                    "{list:?} {address} {from}..{to}"
                );
            }
        }
        let list: Vec<u64> = (0..1000).map(|at| 0x40_0000 + at * 100).collect();
        let (from, to) = Pages::of(list.iter().copied()).around(0x40_4321, 1000);
        assert!(to - from <= 11, "{from}..{to}");
    }
}
