//! Which bytes functions own, and those of which symbols say that they own the same.

use crate::names::may_be_rust;
use crate::ranges::AddressRange;
use crate::read::function::Function;

/// Bytes that a function owns, in the order in which they count: from the top where they begin,
/// how deep they are, and the function's number. Numbers like this are sorted without a branch,
/// and a file has a hundred thousand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Owner(u128);

impl Owner {
    /// Two symbols at one address: the shorter one is the more exact, so it counts as the
    /// deeper. No function has 4 GiB; what says so is cut.
    pub fn new(start: u64, size: u64, function: u32) -> Self {
        let depth = u32::MAX - size.min(u64::from(u32::MAX)) as u32;
        Self(u128::from(start) << 64 | u128::from(depth) << 32 | u128::from(function))
    }

    /// What two that own the same have both.
    fn bytes(self) -> u128 {
        self.0 >> 32
    }

    fn function(self) -> usize {
        self.0 as u32 as usize
    }

    /// The same bytes, of another function.
    fn of(self, function: u32) -> Self {
        Self(self.bytes() << 32 | u128::from(function))
    }

    pub fn range(self) -> AddressRange<u32> {
        let start = (self.0 >> 64) as u64;
        let size = u32::MAX - (self.0 >> 32) as u32;
        AddressRange {
            start,
            end: start + u64::from(size),
            value: self.0 as u32,
        }
    }
}

/// Sorts what is owned, and makes one function of those with the same bytes, with the name that
/// came first in front. They are neighbours once all are sorted, so no table of what is known is
/// asked for each.
pub(super) fn merge(functions: &mut Vec<Function<'_>>, owners: &mut Vec<Owner>) {
    // No two are equal, since each has a function of its own.
    owners.sort_unstable();
    let mut is_first = vec![true; functions.len()];
    owners.dedup_by(|next, first| {
        let is_alias = next.bytes() == first.bytes();
        if is_alias {
            let alias = std::mem::take(&mut functions[next.function()].names);
            let function = &mut functions[first.function()];
            for name in &alias {
                // Mostly it is the same, exported.
                if function.names.add(name) {
                    function.may_be_rust |= may_be_rust(name);
                }
            }
            is_first[next.function()] = false;
        }
        is_alias
    });
    if owners.len() == functions.len() {
        return;
    }
    let mut next = 0;
    let numbers: Vec<u32> = (is_first.iter())
        .map(|is_first| {
            next += u32::from(*is_first);
            next.wrapping_sub(1)
        })
        .collect();
    let mut is_first = is_first.into_iter();
    functions.retain(|_| is_first.next() == Some(true));
    for owner in owners {
        *owner = owner.of(numbers[owner.function()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_with_the_same_bytes_are_one() {
        let all = [
            (0x30, 8, "last"),
            (0x10, 8, "first"),
            (0x30, 4, "inside"),
            (0x10, 8, "first"),
            (0x20, u64::MAX, "endless"),
            (0x10, 8, "_ZN1a1b17h0123456789abcdefE"),
            (0x30, 8, "other"),
        ];
        let (mut functions, mut owners) = (Vec::new(), Vec::new());
        for (number, (start, size, name)) in (0..).zip(all) {
            functions.push(Function::sized(start, name));
            owners.push(Owner::new(start, size, number));
        }
        merge(&mut functions, &mut owners);
        let names: Vec<Vec<&str>> = functions.iter().map(|f| f.names.to_vec()).collect();
        assert_eq!(names[0], ["last", "other"]);
        assert_eq!(names[1], ["first", "_ZN1a1b17h0123456789abcdefE"]);
        assert_eq!(names[2..], [["inside"], ["endless"]]);
        assert!(functions[1].may_be_rust && !functions[0].may_be_rust);
        // By where they begin, the larger first.
        let ranges = owners.iter().map(|owner| owner.range());
        let told: Vec<_> = ranges
            .map(|r| (r.start, r.end - r.start, r.value))
            .collect();
        let endless = u64::from(u32::MAX);
        let expected = [(0x10, 8, 1), (0x20, endless, 3), (0x30, 8, 0), (0x30, 4, 2)];
        assert_eq!(told, expected);
    }
}
