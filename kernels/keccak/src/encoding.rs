//! Numbers and strings in front of a message (NIST SP 800-185, section 2.3), and behind it.

use super::sponge::Sponge;
use super::state::Parameters;

/// A number in as few bytes as it needs, big-endian.
#[derive(Clone, Copy)]
pub(crate) struct Number {
    bytes: [u8; 16],
    /// Where the number begins in `bytes`.
    from: usize,
}

impl Number {
    /// At least one byte.
    pub(crate) fn new(number: u128) -> Self {
        let zeros = number.leading_zeros() as usize / 8;
        Self {
            bytes: number.to_be_bytes(),
            from: zeros.min(15),
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[self.from..]
    }

    /// How many bytes it has.
    fn count(&self) -> u8 {
        self.bytes().len() as u8
    }
}

/// Absorbs a number behind the count of its bytes: `left_encode`.
fn left(sponge: &mut Sponge, p: Parameters, number: u128) -> usize {
    let number = Number::new(number);
    sponge.absorb(p, &[number.count()]);
    sponge.absorb(p, number.bytes());
    1 + number.bytes().len()
}

/// Absorbs a number in front of the count of its bytes: `right_encode`.
pub(crate) fn right(sponge: &mut Sponge, p: Parameters, number: u128) {
    let number = Number::new(number);
    sponge.absorb(p, number.bytes());
    sponge.absorb(p, &[number.count()]);
}

/// Absorbs strings, each behind its length in bits, and zeros up to a whole block:
/// `bytepad` of `encode_string` of each.
pub(crate) fn strings(sponge: &mut Sponge, p: Parameters, strings: &[&[u8]]) {
    let mut length = left(sponge, p, p.rate() as u128);
    for string in strings {
        length += left(sponge, p, 8 * string.len() as u128);
        sponge.absorb(p, string);
        length = (length + string.len()) % p.rate();
    }
    let zeros = length.next_multiple_of(p.rate()) - length;
    sponge.absorb(p, &[0; 168][..zeros]);
}

#[cfg(test)]
mod tests {
    use super::Number;

    /// The examples of NIST SP 800-185, section 2.3.1, and both ends.
    #[test]
    fn numbers_take_as_few_bytes_as_they_need() {
        for (number, bytes) in [
            (0, &[0][..]),
            (1, &[1]),
            (255, &[255]),
            (256, &[1, 0]),
            (65_536, &[1, 0, 0]),
            (u128::MAX, &[255; 16]),
        ] {
            assert_eq!(Number::new(number).bytes(), bytes);
        }
    }
}
