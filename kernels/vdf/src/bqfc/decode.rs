//! From bytes to forms.

use super::compress::Compressed;
use super::{flags, layout, length};
use crate::{Discriminant, Error, Form, Int, Uint};

impl Form {
    /// The form of this discriminant with these bytes.
    ///
    /// Only the bytes that [`Form::to_bytes`] writes are taken, so that a proof cannot be
    /// changed and still verify. chiavdf is less strict in two points: it does not look at
    /// what follows the flag of the neutral element or of the generator, and it reduces
    /// forms that are not reduced.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::FormBytes`], [`Error::FormNotInGroup`],
    /// [`Error::FormNotReduced`], [`Error::FormNotCanonical`].
    pub fn from_bytes(bytes: &[u8], discriminant: &Discriminant) -> Result<Self, Error> {
        let bits = discriminant.bits();
        if bytes.len() != length(bits) {
            return Err(Error::Length {
                what: "a form",
                expected: length(bits),
                found: bytes.len(),
            });
        }
        let form = match bytes[0] {
            flags if flags & flags::GENERATOR != 0 => Self::generator(discriminant),
            flags if flags & flags::IDENTITY != 0 => Self::identity(discriminant),
            _ => {
                let fields = fields(bytes, bits)?;
                let (a, b) = fields.coefficients(discriminant.magnitude())?;
                Self::new(&a, &b, discriminant)?
            }
        };
        if form.to_bytes(discriminant) == bytes {
            Ok(form)
        } else {
            Err(Error::FormNotCanonical)
        }
    }
}

fn fields(bytes: &[u8], bits: usize) -> Result<Compressed, Error> {
    let places = layout(bits, bytes[1].into()).ok_or(Error::FormBytes)?;
    let number = |place| Uint::from_le_bytes(&bytes[place]).map_err(|_| Error::FormBytes);
    let t = number(places.t)?;
    Ok(Compressed {
        a: number(places.a)?,
        t: Int::new(bytes[0] & flags::T_NEGATIVE != 0, t),
        g: number(places.g)?,
        b0: number(places.b0)?,
        b_negative: bytes[0] & flags::B_NEGATIVE != 0,
    })
}
