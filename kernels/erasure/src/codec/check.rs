//! Checks of what callers give, before anything is touched.

use crate::{Code, Error, Shards};

/// Fails when a list has not the right number of entries.
pub(crate) fn count(shards: Shards, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found {
        Ok(())
    } else {
        Err(Error::Count {
            shards,
            expected,
            found,
        })
    }
}

/// The length of all shards, of which the lengths are given by index.
pub(crate) fn length(
    code: Code,
    mut lengths: impl Iterator<Item = (usize, usize)>,
) -> Result<usize, Error> {
    let length = lengths.next().map_or(0, |(_, length)| length);
    for (index, found) in lengths {
        if found != length {
            return Err(Error::Length {
                index,
                expected: length,
                found,
            });
        }
    }
    if length == 0 {
        return Err(Error::Empty);
    }
    if !length.is_multiple_of(code.symbol()) {
        return Err(Error::Odd { length });
    }
    Ok(length)
}

/// Fails when an index is not below `total` or is there twice.
pub(crate) fn indices(
    total: usize,
    indices: impl Iterator<Item = usize>,
    seen: &mut [bool],
) -> Result<(), Error> {
    for index in indices {
        match seen.get_mut(index) {
            None => {
                return Err(Error::Unknown {
                    index,
                    count: total,
                });
            }
            Some(true) => return Err(Error::Duplicate { index }),
            Some(seen) => *seen = true,
        }
    }
    Ok(())
}
