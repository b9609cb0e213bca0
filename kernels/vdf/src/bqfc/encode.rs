//! From forms to bytes.

use super::compress::Compressed;
use super::{flags, layout, length};
use crate::{Discriminant, Form};
use alloc::vec::Vec;

impl Form {
    /// The form in chiavdf's compressed format, [`Discriminant::form_bytes`] long.
    #[must_use]
    pub fn to_bytes(&self, discriminant: &Discriminant) -> Vec<u8> {
        let bits = discriminant.bits();
        let mut bytes = alloc::vec![0; length(bits)];
        if self.b.magnitude().is_one() && !self.b.is_negative() && self.a.bits() <= 2 {
            let special = match self.a.magnitude().limbs() {
                [1] => flags::IDENTITY,
                [2] => flags::GENERATOR,
                _ => 0,
            };
            if special != 0 {
                bytes[0] = special;
                return bytes;
            }
        }
        let fields = Compressed::of(self);
        if fields.b_negative {
            bytes[0] |= flags::B_NEGATIVE;
        }
        if fields.t.is_negative() {
            bytes[0] |= flags::T_NEGATIVE;
        }
        let g_bytes = fields.g.bits().div_ceil(8).max(1) - 1;
        // `a` is at most the root of |D| / 3, `t` at most the root of `a`, and the divisor
        // is no larger than either. So everything fits.
        let fits = || {
            let places = layout(bits, g_bytes)?;
            bytes[1] = u8::try_from(g_bytes).ok()?;
            fields.a.to_le_bytes(&mut bytes[places.a]).ok()?;
            let t = fields.t.magnitude();
            t.to_le_bytes(&mut bytes[places.t]).ok()?;
            fields.g.to_le_bytes(&mut bytes[places.g]).ok()?;
            fields.b0.to_le_bytes(&mut bytes[places.b0]).ok()
        };
        let written = { fits }();
        assert!(written.is_some(), "a reduced form fits into its format");
        bytes
    }
}
