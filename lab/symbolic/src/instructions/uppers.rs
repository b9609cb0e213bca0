//! The high halves of vector registers of 256 bits.

use std::rc::Rc;

/// The high 128 bits of vector registers, where they are known.
#[derive(Clone, Default, PartialEq, Debug)]
pub(crate) struct Uppers(Option<Rc<[Option<u128>; 16]>>);

impl Uppers {
    pub fn get(&self, number: usize) -> Option<u128> {
        self.0.as_ref()?[number]
    }

    pub fn set(&mut self, number: usize, value: Option<u128>) {
        if self.get(number) != value {
            Rc::make_mut(self.0.get_or_insert_default())[number] = value;
        }
    }

    pub fn zero(&mut self) {
        self.0 = Some(Rc::new([Some(0); 16]));
    }

    /// What another has too.
    pub fn common(&self, other: &Self) -> Self {
        match self == other {
            true => self.clone(),
            false => Self(self.0.as_ref().map(|known| {
                let own = |at: usize| known[at].filter(|_| other.get(at) == known[at]);
                Rc::new(std::array::from_fn(own))
            })),
        }
    }

    /// All from a register on are not known.
    pub fn forget(&mut self, first: usize) {
        if self.0.is_some() {
            (first..16).for_each(|number| self.set(number, None));
        }
    }
}
