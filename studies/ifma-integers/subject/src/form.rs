//! The forms of a product of eight numbers by eight others, with equal results.

use karat_bigint::{Eight, LANES, Uint};
use study_support::Prng;

/// A capacity with room for products of 2048 bits.
pub type Number = Uint<34>;
/// Eight of them in limbs.
pub type Numbers = [Number; LANES];

/// Digits of 1024 bits, and of their products.
const DIGITS: usize = 21;
const DOUBLE: usize = 2 * DIGITS;

/// Which form a process runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// 64-bit limbs, GMP's form.
    Limbs,
    /// Limbs before and after every product, digits in it.
    DropIn,
    /// Digits from the beginning to the end.
    Resident,
}

impl Form {
    /// What the variable `FORM` says; limbs when it is not there.
    pub fn of_environment() -> Result<Self, String> {
        match std::env::var("FORM").as_deref() {
            Ok("limbs") | Err(_) => Ok(Self::Limbs),
            Ok("drop-in") => Ok(Self::DropIn),
            Ok("resident") => Ok(Self::Resident),
            Ok(other) => Err(format!(
                "FORM is `{other}`; there are limbs, drop-in and resident"
            )),
        }
    }
}

/// Pairs of factors in both forms.
pub struct Factors {
    pub limbs: [Numbers; 2],
    pub digits: [Eight<DIGITS>; 2],
}

/// Products in both forms; a form fills its own.
pub struct Products {
    pub limbs: Numbers,
    digits: Eight<DOUBLE>,
}

impl Products {
    pub const EMPTY: Self = Self {
        limbs: [Number::ZERO; LANES],
        digits: Eight::ZERO,
    };
}

/// A number of so many bits, whose highest and lowest are set.
pub fn number(prng: &mut Prng, bits: usize) -> Number {
    let mut bytes = vec![0; bits / 8];
    prng.fill(&mut bytes);
    bytes[0] |= 0x80;
    bytes[bits / 8 - 1] |= 1;
    Number::from_be_bytes(&bytes).expect("it fits")
}

impl Factors {
    /// Fresh numbers of so many bits.
    pub fn new(prng: &mut Prng, bits: usize) -> Self {
        let limbs = [0, 1].map(|_| std::array::from_fn(|_| number(prng, bits)));
        let digits = limbs.each_ref().map(|n| Eight::new(n).expect("they fit"));
        Self { limbs, digits }
    }
}

impl Form {
    /// Eight products.
    pub fn multiply(self, factors: &mut Factors, products: &mut Products) {
        if self == Self::Limbs {
            let [a, b] = &factors.limbs;
            for ((product, a), b) in products.limbs.iter_mut().zip(a).zip(b) {
                product.assign_product(a, b);
            }
            return;
        }
        if self == Self::DropIn {
            for (digits, limbs) in factors.digits.iter_mut().zip(&factors.limbs) {
                digits.assign(limbs).expect("they fit");
            }
        }
        let [a, b] = &factors.digits;
        products.digits.assign_product(a, b);
        if self == Self::DropIn {
            products
                .digits
                .write(&mut products.limbs)
                .expect("they fit");
        }
    }

    /// The products in limbs, whatever the form.
    pub fn finish(self, products: &mut Products) {
        if self == Self::Resident {
            products
                .digits
                .write(&mut products.limbs)
                .expect("they fit");
        }
    }

    /// Eight chains: each number becomes the lower half of its product with the next
    /// factor. The results are those modulo `2^bits`.
    pub fn chains(self, start: &Factors, factors: &mut [Factors], bits: usize) -> Numbers {
        let low = |number: &Number| lower(number, bits);
        let mut limbs = start.limbs[0];
        if self == Self::Limbs {
            let mut product = Number::ZERO;
            for factors in factors {
                for (x, b) in limbs.iter_mut().zip(&factors.limbs[0]) {
                    product.assign_product(x, b);
                    *x = low(&product);
                }
            }
            return limbs;
        }
        let mut digits = start.digits[0];
        let len = digits.len();
        let mut product = Eight::<DOUBLE>::ZERO;
        for factors in factors {
            if self == Self::DropIn {
                digits.assign(&limbs).expect("they fit");
                digits.extend(len);
                factors.digits[0]
                    .assign(&factors.limbs[0])
                    .expect("they fit");
            }
            product.assign_product(&digits, &factors.digits[0]);
            if self == Self::DropIn {
                product.write(&mut limbs).expect("they fit");
                limbs = limbs.each_ref().map(low);
            } else {
                digits.assign_low(&product, len);
            }
        }
        if self == Self::Resident {
            digits.write(&mut limbs).expect("they fit");
            limbs = limbs.each_ref().map(low);
        }
        limbs
    }
}

/// The lower bits, whole limbs.
fn lower(number: &Number, bits: usize) -> Number {
    let limbs = number.limbs();
    Number::from_limbs(&limbs[..limbs.len().min(bits / 64)]).expect("it fits")
}
