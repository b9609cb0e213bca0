//! Operations alone, in loops, and in what they are for.

use std::time::Duration;

use karat_bigint::powers::{self, Power};
use karat_bigint::{LANES, Montgomery};
use study_support::{Prng, Unit, Workload, timed};

use crate::form::{Factors, Form, Number, Products, number};

/// Groups of eight pairs in a round: fresh ones, and more than a predictor learns.
const GROUPS: usize = 24;

/// All workloads: name, bits, rounds.
const ALL: [(&str, usize, u64); 5] = [
    ("mul-512", 512, 1500),
    ("mul-1024", 1024, 500),
    ("chains-512", 512, 1200),
    ("chains-1024", 1024, 400),
    ("modexp-1024", 1024, 6),
];

/// Their names.
pub fn names() -> Vec<&'static str> {
    ALL.iter().map(|all| all.0).collect()
}

/// The workload called `name`, one of [`names`].
pub fn by_name(name: &str) -> Box<dyn Workload> {
    let form = Form::of_environment().expect("main has looked");
    let (_, bits, rounds) = *ALL.iter().find(|all| all.0 == name).expect("a known name");
    match name.split('-').next() {
        Some("mul") => Box::new(Alone { form, bits, rounds }),
        Some("chains") => Box::new(Chains { form, bits, rounds }),
        _ => Box::new(Powers { form, bits, rounds }),
    }
}

/// A word of some numbers.
fn fold(numbers: &[Number]) -> u64 {
    numbers.iter().fold(0, |all, n| {
        n.limbs()
            .iter()
            .fold(all, |all: u64, limb| all.rotate_left(9) ^ limb)
    })
}

/// Products that do not depend on each other.
struct Alone {
    form: Form,
    bits: usize,
    rounds: u64,
}

impl Workload for Alone {
    fn unit(&self) -> Unit {
        Unit::Elements
    }

    fn amount(&self) -> u64 {
        (GROUPS * LANES) as u64
    }

    fn rounds(&self) -> u64 {
        self.rounds
    }

    fn round(&mut self, prng: &mut Prng) -> (Duration, u64) {
        let mut factors: Vec<Factors> =
            (0..GROUPS).map(|_| Factors::new(prng, self.bits)).collect();
        let mut products: Vec<Products> = (0..GROUPS).map(|_| Products::EMPTY).collect();
        let (time, ()) = timed(|| {
            for (factors, products) in factors.iter_mut().zip(&mut products) {
                self.form.multiply(factors, products);
            }
        });
        let result = products.iter_mut().fold(0, |all: u64, products| {
            self.form.finish(products);
            all.rotate_left(3) ^ fold(&products.limbs)
        });
        (time, result)
    }
}

/// Eight chains of products.
struct Chains {
    form: Form,
    bits: usize,
    rounds: u64,
}

impl Workload for Chains {
    fn unit(&self) -> Unit {
        Unit::Elements
    }

    fn amount(&self) -> u64 {
        (GROUPS * LANES) as u64
    }

    fn rounds(&self) -> u64 {
        self.rounds
    }

    fn round(&mut self, prng: &mut Prng) -> (Duration, u64) {
        let start = Factors::new(prng, self.bits);
        let mut factors: Vec<Factors> =
            (0..GROUPS).map(|_| Factors::new(prng, self.bits)).collect();
        let (time, ends) = timed(|| self.form.chains(&start, &mut factors, self.bits));
        (time, fold(&ends))
    }
}

/// Eight powers modulo different numbers: what stays in digits for a thousand products.
struct Powers {
    form: Form,
    bits: usize,
    rounds: u64,
}

impl Workload for Powers {
    fn unit(&self) -> Unit {
        Unit::Elements
    }

    fn amount(&self) -> u64 {
        LANES as u64
    }

    fn rounds(&self) -> u64 {
        self.rounds
    }

    fn round(&mut self, prng: &mut Prng) -> (Duration, u64) {
        let three = |prng: &mut Prng| [0; 3].map(|_| number(prng, self.bits));
        let numbers: Vec<[Number; 3]> = (0..LANES).map(|_| three(prng)).collect();
        let mut results = [Number::ZERO; LANES];
        let (time, ()) = timed(|| match self.form {
            Form::Resident => {
                let jobs = numbers.iter().map(|[b, e, m]| Power::new(b, e, m));
                let jobs: Vec<_> = jobs.map(|job| job.expect("odd moduli")).collect();
                powers::compute(&jobs, &mut results);
            }
            // There is no modular product that begins and ends in limbs but that of limbs.
            Form::Limbs | Form::DropIn => {
                for ([base, exponent, modulus], result) in numbers.iter().zip(&mut results) {
                    let field = Montgomery::new(modulus).expect("odd");
                    *result = field.pow(base, exponent);
                }
            }
        });
        (time, fold(&results))
    }
}
