//! Reading input from readers.

use std::io::{ErrorKind, Read, Result};

/// Bytes hashed at once, so that lanes are full however little a reader returns. This
/// is two wide subtrees of BLAKE3. It is large enough that calls cost nothing, and fits
/// the L2 cache.
const PIECE: usize = 64 * 1024;

/// Reads `reader` to its end and gives everything to `update`.
///
/// # Errors
/// Returns the error of the reader. After an interruption it reads again. `update` has
/// received the bytes before the error.
pub fn read_all(mut reader: impl Read, mut update: impl FnMut(&[u8])) -> Result<()> {
    let mut piece = alloc::vec![0; PIECE];
    loop {
        let mut filled = 0;
        while filled < PIECE {
            match reader.read(&mut piece[filled..]) {
                Ok(0) => {
                    update(&piece[..filled]);
                    return Ok(());
                }
                Ok(count) => filled += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    update(&piece[..filled]);
                    return Err(error);
                }
            }
        }
        update(&piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// A reader that returns a few bytes at a time, is sometimes interrupted, and fails
    /// in the end.
    struct Slow(usize);

    impl Read for Slow {
        fn read(&mut self, out: &mut [u8]) -> Result<usize> {
            self.0 += 1;
            match self.0 {
                n if n > 30 => Err(ErrorKind::BrokenPipe.into()),
                n if n % 3 == 0 => Err(ErrorKind::Interrupted.into()),
                n => {
                    let count = out.len().min(5000);
                    out[..count].fill(n as u8);
                    Ok(count)
                }
            }
        }
    }

    #[test]
    fn what_came_before_an_error_is_taken() {
        let mut all = Vec::new();
        let mut calls = 0;
        let error = read_all(Slow(0), |bytes| {
            all.extend_from_slice(bytes);
            calls += 1;
        });
        assert_eq!(error.unwrap_err().kind(), ErrorKind::BrokenPipe);
        // 20 reads, one of them shortened by the end of a piece.
        assert_eq!((all.len(), calls), (PIECE + 30_000, 2));
        assert_eq!((all[0], all[5000], all[PIECE - 1]), (1, 2, 20));
    }
}
