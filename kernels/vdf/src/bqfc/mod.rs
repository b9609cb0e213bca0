//! Forms as bytes: the compressed format of chiavdf (`src/bqfc.h`; Dobson, Galbraith and
//! Smith, "Trustless unknown-order groups", 2020/196).
//!
//! | bytes | content |
//! |---|---|
//! | 1 | flags: bit 0 is the sign of `b`, 1 that of `t`; 2 is the neutral element and 3 the generator, whose other bytes are zero |
//! | 1 | `n`, the bytes of `g` less one |
//! | `bits / 16 - n` | `a / g` |
//! | `bits / 32 - n` | `t / g` |
//! | `n + 1` | `g`, the greatest common divisor of `a` and `t` |
//! | `n + 1` | `b / (a / g)`, rounded towards zero, without its sign; 0 when `g` is 1 |
//!
//! Numbers begin with their least significant byte. `bits` is the discriminant's length,
//! rounded up to a multiple of 32. Zeros follow up to 100 bytes.

mod compress;
mod decode;
mod encode;
mod partial;

/// Bytes of a form in chiavdf, which has discriminants of at most 1024 bits.
const CHIAVDF: usize = 100;

/// Bytes of a form of a discriminant of so many bits.
pub(crate) const fn length(bits: usize) -> usize {
    let length = bits.div_ceil(32) * 3 + 4;
    if length > CHIAVDF { length } else { CHIAVDF }
}

impl crate::Discriminant {
    /// Bytes of a form of this discriminant: 100 up to 1024 bits, as chiavdf has it
    /// whatever the size, and above that as its format would go on.
    #[must_use]
    pub fn form_bytes(&self) -> usize {
        length(self.bits())
    }
}

/// Flags of the first byte.
mod flags {
    pub(super) const B_NEGATIVE: u8 = 1;
    pub(super) const T_NEGATIVE: u8 = 1 << 1;
    pub(super) const IDENTITY: u8 = 1 << 2;
    pub(super) const GENERATOR: u8 = 1 << 3;
}

/// Where the fields lie.
struct Layout {
    a: core::ops::Range<usize>,
    t: core::ops::Range<usize>,
    g: core::ops::Range<usize>,
    b0: core::ops::Range<usize>,
}

/// The layout for a discriminant of so many bits and a `g` of so many bytes more than one.
/// `None` when the other numbers would have no place.
const fn layout(bits: usize, g_bytes: usize) -> Option<Layout> {
    let words = bits.div_ceil(32);
    if g_bytes >= words {
        return None;
    }
    let t = 2 + 2 * words - g_bytes;
    let g = t + words - g_bytes;
    let b0 = g + g_bytes + 1;
    Some(Layout {
        a: 2..t,
        t: t..g,
        g: g..b0,
        b0: b0..b0 + g_bytes + 1,
    })
}
