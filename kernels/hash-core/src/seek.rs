//! Positions in output without an end.

use std::io::{Error, ErrorKind, Result, SeekFrom};

/// The position that is sought from `position` on.
///
/// # Errors
/// When it is below 0 or above 2^64 - 1, or is sought from the end: there is none.
pub fn position(position: u64, to: SeekFrom) -> Result<u64> {
    let refused = |what| Err(Error::new(ErrorKind::InvalidInput, what));
    match to {
        SeekFrom::Start(position) => Ok(position),
        SeekFrom::Current(more) => position.checked_add_signed(more).map_or_else(
            || refused("a position outside of the output was sought: stay within 0 to 2^64 - 1"),
            Ok,
        ),
        SeekFrom::End(_) => refused(
            "a position from the end was sought, but the output has none: seek from the start",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::position;
    use std::io::SeekFrom::{Current, End, Start};

    #[test]
    fn positions_are_from_the_start_or_from_here() {
        assert_eq!(position(5, Start(u64::MAX)).unwrap(), u64::MAX);
        assert_eq!(position(5, Current(-5)).unwrap(), 0);
        assert_eq!(position(5, Current(7)).unwrap(), 12);
        for to in [Current(-6), End(0), End(-1)] {
            assert_eq!(
                position(5, to).unwrap_err().kind(),
                std::io::ErrorKind::InvalidInput
            );
        }
        assert!(position(u64::MAX, Current(1)).is_err());
    }
}
