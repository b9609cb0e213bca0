//! Forms that are kept for the proof: two coefficients, end to end.

use crate::{Discriminant, Error, Form, Int};
use alloc::vec::Vec;

/// Limbs of a coefficient of a reduced form, at most half as long as the discriminant.
const fn width(discriminant_bits: usize) -> usize {
    discriminant_bits.div_ceil(128)
}

/// Limbs of a kept form: two coefficients, and the sign of the second.
pub(super) const fn words(discriminant_bits: usize) -> usize {
    2 * width(discriminant_bits) + 1
}

/// The forms, the first of which is `x`.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    limbs: Vec<u64>,
    width: usize,
}

impl Kept {
    pub(super) const fn new(discriminant_bits: usize) -> Self {
        Self {
            limbs: Vec::new(),
            width: width(discriminant_bits),
        }
    }

    const fn words(&self) -> usize {
        2 * self.width + 1
    }

    pub(super) fn len(&self) -> usize {
        self.limbs.len() / self.words()
    }

    pub(super) fn push(&mut self, form: &Form) {
        let start = self.limbs.len();
        let words = self.words();
        self.limbs.resize(start + words, 0);
        let (a, b) = (form.a.magnitude().limbs(), form.b.magnitude().limbs());
        self.limbs[start..][..a.len()].copy_from_slice(a);
        self.limbs[start + self.width..][..b.len()].copy_from_slice(b);
        self.limbs[start + words - 1] = u64::from(form.b.is_negative());
    }

    /// The limbs of a form.
    pub(super) fn limbs(&self, index: usize) -> &[u64] {
        &self.limbs[index * self.words()..][..self.words()]
    }

    /// Adds a form by its limbs.
    ///
    /// # Errors
    /// When there is no such form.
    pub(super) fn push_limbs(
        &mut self,
        limbs: &[u64],
        discriminant: &Discriminant,
    ) -> Result<(), Error> {
        let form = form(limbs, discriminant)?;
        self.push(&form);
        Ok(())
    }

    /// A form.
    ///
    /// # Errors
    /// None for forms of the discriminant.
    pub(super) fn form(&self, index: usize, discriminant: &Discriminant) -> Result<Form, Error> {
        form(self.limbs(index), discriminant)
    }
}

fn form(limbs: &[u64], discriminant: &Discriminant) -> Result<Form, Error> {
    let (sign, coefficients) = limbs.split_last().ok_or(Error::FormBytes)?;
    let (a, b) = coefficients.split_at(coefficients.len() / 2);
    let int = |negative, limbs| Int::from_limbs(negative, limbs).map_err(|_| Error::FormBytes);
    let negative = match sign {
        0 => false,
        1 => true,
        _ => return Err(Error::FormBytes),
    };
    Form::new(&int(false, a)?, &int(negative, b)?, discriminant)
}
