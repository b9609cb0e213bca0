//! GF(2^8) in three bases.

/// Products by each constant, in the forms that vector code uses.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Tables {
    /// For each constant its products with 0 to 15, and with 0, 16, 32, .. 240.
    pub(crate) nibbles: [[u8; 32]; 256],
    /// For each constant the matrix of bits by which `GF2P8AFFINEQB` multiplies: byte 7 - i
    /// has the bits that make bit i of the product (Intel's manual, that instruction).
    pub(crate) affine: [u64; 256],
    /// By element; see [`Logs`](super::Logs).
    pub(crate) log: [u16; 256],
    /// By logarithm.
    pub(crate) exp: [u16; 255],
}

/// Constants of a transform: for each layer and point the value of that layer's normalised
/// subspace polynomial.
pub(crate) type Skews = [[u8; 256]; 8];

/// Those of [`STANDARD`]. Each polynomial comes from the one before: with W that one, it is
/// W * (W + 1), divided by its value at the next element of the basis.
pub(crate) static SKEWS: Skews = skews();

const fn skews() -> Skews {
    let (log, exp) = (&STANDARD_LOGS.0, &STANDARD_LOGS.1);
    let mut skews = [[0; 256]; 8];
    let mut point = 0;
    while point < 256 {
        skews[0][point] = point as u8;
        point += 1;
    }
    let mut layer = 1;
    while layer < 8 {
        let mut values = [0; 256];
        let mut point = 0;
        while point < 256 {
            let below = skews[layer - 1][point];
            if below > 1 {
                let sum = log[below as usize] as usize + log[(below ^ 1) as usize] as usize;
                values[point] = exp[sum % 255] as u8;
            }
            point += 1;
        }
        let unit = 255 - log[values[1 << layer] as usize] as usize;
        let mut point = 0;
        while point < 256 {
            if values[point] != 0 {
                let sum = log[values[point] as usize] as usize + unit;
                skews[layer][point] = exp[sum % 255] as u8;
            }
            point += 1;
        }
        layer += 1;
    }
    skews
}

/// The powers of x modulo x^8 + x^4 + x^3 + x^2 + 1.
pub(crate) static STANDARD: Tables = tables(&POWERS, 8, 0x11d);

const POWERS: [u32; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

/// Its logarithms, for other tables.
const STANDARD_LOGS: ([u16; 256], [u16; 255]) = logs(&elements(&POWERS), 8, 0x11d);

/// Leopard's Cantor basis of the same field (`LeopardFF8.cpp`, `kCantorBasis`).
pub(crate) static CANTOR: Tables = tables(&[1, 214, 152, 146, 86, 200, 88, 230], 8, 0x11d);

/// The subfield of 256 elements of Leopard's GF(2^16): its elements are those of which the
/// upper eight coordinates are 0. It is not [`CANTOR`]: the bases belong to other roots.
pub(crate) static SUBFIELD: Tables = tables(
    &[
        0x0001, 0xacca, 0x3c0e, 0x163e, 0xc582, 0xed2e, 0x914c, 0x4012,
    ],
    16,
    0x1002d,
);

/// The product of two polynomials modulo `polynomial` of degree `degree`.
pub(super) const fn product(a: u32, b: u32, degree: u32, polynomial: u32) -> u32 {
    let (mut sum, mut a, mut b) = (0, a, b);
    while b != 0 {
        if b & 1 == 1 {
            sum ^= a;
        }
        a <<= 1;
        if a >> degree & 1 == 1 {
            a ^= polynomial;
        }
        b >>= 1;
    }
    sum
}

/// All elements by their coordinates.
const fn elements(basis: &[u32; 8]) -> [u32; 256] {
    let mut elements = [0; 256];
    let mut i = 1;
    while i < 256_usize {
        let low = i.trailing_zeros() as usize;
        elements[i] = elements[i & (i - 1)] ^ basis[low];
        i += 1;
    }
    elements
}

/// Tables of the field of 256 elements with this basis, inside a field of polynomials.
const fn tables(basis: &[u32; 8], degree: u32, polynomial: u32) -> Tables {
    let (log, exp) = logs(&elements(basis), degree, polynomial);
    let (mut nibbles, mut affine) = ([[0; 32]; 256], [0; 256]);
    let mut c = 1;
    while c < 256 {
        let mut bit = 0;
        while bit < 8 {
            let product = exp[(log[c] as usize + log[1 << bit] as usize) % 255] as u8;
            let table = if bit < 4 { 0 } else { 16 };
            let mut n = 0;
            while n < 16 {
                if n >> (bit & 3) & 1 == 1 {
                    nibbles[c][table + n] ^= product;
                }
                n += 1;
            }
            let mut row = 0;
            while row < 8 {
                let set = (product >> row & 1) as u64;
                affine[c] |= set << (8 * (7 - row) + bit);
                row += 1;
            }
            bit += 1;
        }
        c += 1;
    }
    Tables {
        nibbles,
        affine,
        log,
        exp,
    }
}

/// Logarithms to the base of the first element that generates all others.
const fn logs(elements: &[u32; 256], degree: u32, polynomial: u32) -> ([u16; 256], [u16; 255]) {
    let mut base = 2;
    loop {
        let (mut log, mut exp) = ([0; 256], [0; 255]);
        let (mut power, mut i) = (1, 0);
        while i < 255 {
            let mut index = 1;
            while elements[index] != power {
                index += 1;
            }
            if i > 0 && index == 1 {
                break; // The base's order is i.
            }
            (log[index], exp[i]) = (i as u16, index as u16);
            power = product(power, elements[base], degree, polynomial);
            i += 1;
        }
        if i == 255 {
            return (log, exp);
        }
        base += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the table says `c` times `x` is.
    fn by_nibbles(tables: &Tables, c: usize, x: usize) -> u8 {
        tables.nibbles[c][x & 15] ^ tables.nibbles[c][16 + (x >> 4)]
    }

    /// GF2P8AFFINEQB of one byte with 0 added, as Intel's manual has it in pseudocode.
    fn affine_byte(matrix: u64, x: u8) -> u8 {
        let bytes = matrix.to_le_bytes();
        (0..8).fold(0, |sum, i| {
            let parity = (bytes[7 - i] & x).count_ones() as u8 & 1;
            sum | parity << i
        })
    }

    #[test]
    #[cfg_attr(miri, ignore = "slow")]
    fn all_forms_of_a_product_agree() {
        for tables in [&STANDARD, &CANTOR, &SUBFIELD] {
            for c in 0..256 {
                for x in 0..256 {
                    let product = by_nibbles(tables, c, x);
                    assert_eq!(affine_byte(tables.affine[c], x as u8), product);
                    let logs = usize::from(tables.log[c]) + usize::from(tables.log[x]);
                    let expected = if c * x == 0 {
                        0
                    } else {
                        tables.exp[logs % 255]
                    };
                    assert_eq!(u16::from(product), expected, "{c} {x}");
                }
            }
        }
    }

    /// The i-th subspace polynomial is zero at points below 2^i, one at 2^i, and additive.
    #[test]
    fn skews_are_those_of_subspace_polynomials() {
        for (layer, skews) in SKEWS.iter().enumerate() {
            assert_eq!(skews[1 << layer], 1);
            for a in 0..256 {
                assert!((skews[a] == 0) == (a < 1 << layer));
                assert_eq!(skews[a] ^ skews[77], skews[a ^ 77]);
            }
        }
    }

    /// x^8 is the polynomial's rest. vi^2 is vi + v(i-1), which makes a basis Cantor's.
    #[test]
    fn products_are_those_of_the_bases() {
        assert_eq!(by_nibbles(&STANDARD, 2, 0x80), 0x1d);
        assert_eq!(by_nibbles(&STANDARD, 0x8e, 2), 1, "0x8e is one over x");
        for tables in [&CANTOR, &SUBFIELD] {
            for i in 1..8 {
                let v = 1 << i;
                assert_eq!(usize::from(by_nibbles(tables, v, v)), v ^ v >> 1);
            }
        }
    }
}
