//! One list of places for all that is watched: a place may be of several gates, as where
//! one is inlined into another, and a gate may have several places.

use karat_binary::addresses::file_offset;
use karat_binary::read::image::Image;
use karat_model::gates::Hits;
use karat_trace::Site;
use std::collections::{BTreeMap, HashMap};

/// What a place is watched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Owner {
    /// The functions of a gate.
    Gate(usize),
    /// A call of a gate, or a body, by its number.
    Call(usize, usize),
    /// The branch before that.
    Guard(usize, usize),
    /// A kernel.
    Kernel(usize),
    /// A function.
    Function(usize),
}

/// What has been seen of an owner.
#[derive(Default)]
struct Seen {
    /// How often one of its first places was executed.
    count: u64,
    /// Whether another of its places was.
    any: bool,
    /// Offsets of all of them, then their numbers.
    places: Vec<u64>,
}

/// Whether an owner's place is one where it is counted.
type Share = (usize, bool);

/// All places, and what has been seen.
pub(super) struct Watch {
    /// Up to how many times each is counted; none for once.
    most: Option<u64>,
    by_owner: HashMap<Owner, usize>,
    seen: Vec<Seen>,
    /// By offset, until the list is finished.
    open: BTreeMap<u64, Vec<Share>>,
    /// By number of the place.
    shares: Vec<Vec<Share>>,
}

impl Watch {
    pub(super) fn new(most: Option<u64>) -> Self {
        Self {
            most,
            by_owner: HashMap::new(),
            seen: Vec::new(),
            open: BTreeMap::new(),
            shares: Vec::new(),
        }
    }

    /// Adds an owner: it is counted at `first`, and any of `rest` shows that it ran.
    /// Without a place that the file has, nothing is said of it.
    pub(super) fn add(&mut self, image: &Image<'_>, owner: Owner, first: &[u64], rest: &[u64]) {
        let number = self.seen.len();
        let mut seen = Seen::default();
        let rest = rest.iter().filter(|address| !first.contains(address));
        let all = first
            .iter()
            .map(|a| (a, true))
            .chain(rest.map(|a| (a, false)));
        for (address, counts) in all {
            if let Some(offset) = file_offset(image, *address) {
                self.open.entry(offset).or_default().push((number, counts));
                seen.places.push(offset);
            }
        }
        if !seen.places.is_empty() {
            self.by_owner.insert(owner, number);
            self.seen.push(seen);
        }
    }

    /// The offsets of all places in the file, sorted. No owner is added afterwards.
    pub(super) fn finish(&mut self) -> Vec<u64> {
        let (offsets, shares): (Vec<u64>, Vec<_>) =
            std::mem::take(&mut self.open).into_iter().unzip();
        for place in self.seen.iter_mut().flat_map(|seen| &mut seen.places) {
            *place = offsets.partition_point(|offset| offset < place) as u64;
        }
        self.shares = shares;
        offsets
    }

    /// Notes that a place is executed, and says which places are done.
    pub(super) fn hit(&mut self, site: Site, done: &mut Vec<Site>) {
        let Some(shares) = self.shares.get(site.index) else {
            return;
        };
        for &(number, counts) in shares {
            let seen = &mut self.seen[number];
            match counts {
                true => seen.count += 1,
                false => seen.any = true,
            }
        }
        for &(number, _) in shares {
            for &place in &self.seen[number].places {
                let index = place as usize;
                if self.shares[index].iter().all(|share| self.is_done(*share)) {
                    done.push(Site { index, ..site });
                }
            }
        }
    }

    /// Whether nothing more is to be learnt at a place.
    fn is_done(&self, (number, counts): Share) -> bool {
        let seen = &self.seen[number];
        match self.most.filter(|_| counts) {
            Some(most) => seen.count >= most,
            None => seen.any || seen.count > 0,
        }
    }

    /// What was seen of an owner; none when it was not watched.
    pub(super) fn hits(&self, owner: Owner) -> Option<Hits> {
        let seen = &self.seen[*self.by_owner.get(&owner)?];
        let found = seen.any || seen.count > 0;
        Some(match self.most {
            // A body may be jumped into.
            _ if found && seen.count == 0 => Hits {
                count: 1,
                exact: false,
            },
            Some(most) => Hits {
                count: seen.count,
                exact: seen.count < most,
            },
            None => Hits {
                count: u64::from(found),
                exact: !found,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Owner, Watch};
    use karat_model::gates::Hits;
    use karat_trace::Site;

    /// Two owners that share place 1; the first is counted at 0 and the second at 1.
    fn watch(most: Option<u64>) -> Watch {
        let mut watch = Watch::new(most);
        for (owner, places) in [(Owner::Gate(0), [0, 1]), (Owner::Gate(1), [1, 2])] {
            let number = watch.seen.len();
            for (at, place) in places.into_iter().enumerate() {
                watch
                    .open
                    .entry(place * 16)
                    .or_default()
                    .push((number, at == 0));
            }
            watch.by_owner.insert(owner, number);
            watch.seen.push(super::Seen {
                places: places.map(|place| place * 16).to_vec(),
                ..super::Seen::default()
            });
        }
        assert_eq!(watch.finish(), [0, 16, 32]);
        watch
    }

    fn hit(watch: &mut Watch, index: usize) -> Vec<usize> {
        let mut done = Vec::new();
        watch.hit(Site { file: 0, index }, &mut done);
        let mut done: Vec<usize> = done.into_iter().map(|site| site.index).collect();
        done.sort_unstable();
        done.dedup();
        done
    }

    #[test]
    fn a_place_is_done_when_all_its_owners_are() {
        let mut watch = watch(None);
        assert_eq!(hit(&mut watch, 0), [0]);
        let once = Hits {
            count: 1,
            exact: false,
        };
        assert_eq!(watch.hits(Owner::Gate(0)), Some(once));
        let never = Hits {
            count: 0,
            exact: true,
        };
        assert_eq!(watch.hits(Owner::Gate(1)), Some(never));
        assert_eq!(hit(&mut watch, 2), [1, 2]);
        assert_eq!(watch.hits(Owner::Gate(1)), Some(once));
        assert_eq!(watch.hits(Owner::Kernel(0)), None);
    }

    #[test]
    fn counting_ends_at_the_limit() {
        let mut watch = watch(Some(2));
        // That it ran at all is known, so its other place says nothing more.
        assert_eq!(hit(&mut watch, 1), [2]);
        assert_eq!(hit(&mut watch, 1), [1, 2]);
        let limit = Hits {
            count: 2,
            exact: false,
        };
        assert_eq!(watch.hits(Owner::Gate(1)), Some(limit));
    }
}
