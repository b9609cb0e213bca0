//! The fields: tables for multiplication by constants, and logarithms for everything that
//! is done once for a set of shards.
//!
//! An element is its coordinates in a basis. Codes A and D use the powers of x, codes B
//! and C a Cantor basis: v0 = 1 and vi^2 + vi = v(i-1) (Lin, Al-Naffouri, Han and Chung,
//! "Novel Polynomial Basis with Fast Fourier Transform and Its Application to Reed-Solomon
//! Erasure Codes", IEEE Trans. Inf. Theory 62(11), 2016). A basis of that kind is a choice;
//! these are Leopard's.

mod gf16;
mod gf8;

pub(crate) use gf8::{CANTOR, SKEWS, STANDARD, SUBFIELD, Skews, Tables};
pub(crate) use gf16::{HIGH, Linear, logs as logs16, tower};

/// Logarithms of a field's elements and their inverse. The base is any generator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Logs {
    /// By element. That of 0 is 0, so that a product over differences skips an element
    /// itself.
    log: &'static [u16],
    /// By logarithm.
    exp: &'static [u16],
}

impl Logs {
    /// The logarithm of an element, and 0 for 0.
    pub(crate) fn log(&self, element: usize) -> u32 {
        u32::from(self.log[element])
    }

    /// The element of a logarithm, which may be larger than the order of the group.
    pub(crate) fn exp(&self, log: u32) -> u16 {
        self.exp[(log % self.modulus()) as usize]
    }

    /// The order of the multiplicative group.
    pub(crate) fn modulus(&self) -> u32 {
        self.exp.len() as u32
    }

    /// The product of two elements.
    pub(crate) fn mul(&self, a: u16, b: u16) -> u16 {
        if a == 0 || b == 0 {
            return 0;
        }
        self.exp(self.log(a.into()) + self.log(b.into()))
    }

    /// One over an element that is not 0.
    pub(crate) fn inverse(&self, a: u16) -> u16 {
        self.exp(self.modulus() - self.log(a.into()))
    }
}

/// Logarithms of code A's and D's field.
pub(crate) const fn logs_standard() -> Logs {
    Logs {
        log: &STANDARD.log,
        exp: &STANDARD.exp,
    }
}

/// Logarithms of code B's field.
pub(crate) const fn logs_cantor() -> Logs {
    Logs {
        log: &CANTOR.log,
        exp: &CANTOR.exp,
    }
}
