//! Operations alone, in loops, and in what they are for.

use std::time::Duration;

use karat_bigint::powers::{self, Power};
use karat_bigint::{LANES, Montgomery};
use karat_vdf::{Chain, Discriminant, square_all, square_many};
use study_support::{Prng, Unit, Workload, timed};

use crate::form::{Factors, Form, Number, Products, number};

/// Groups of eight pairs in a round: fresh ones, and more than a predictor learns.
const GROUPS: usize = 24;

/// Squarings of each form in a round.
const SQUARINGS: usize = 100;

/// All workloads: name, bits, rounds, operations in a round, what a round does.
const ALL: [(&str, usize, u64, usize, Round); 6] = [
    ("mul-512", 512, 1500, GROUPS * LANES, alone),
    ("mul-1024", 1024, 500, GROUPS * LANES, alone),
    ("chains-512", 512, 1200, GROUPS * LANES, chains),
    ("chains-1024", 1024, 400, GROUPS * LANES, chains),
    ("modexp-1024", 1024, 6, LANES, powers_in_lanes),
    ("squarings-1024", 1024, 6, LANES * SQUARINGS, squarings),
];

/// One round on numbers of so many bits: its time, and a word of the results.
type Round = fn(Form, usize, &mut Prng) -> (Duration, u64);

/// Their names.
pub fn names() -> Vec<&'static str> {
    ALL.iter().map(|all| all.0).collect()
}

/// The workload called `name`, one of [`names`].
pub fn by_name(name: &str) -> Box<dyn Workload> {
    let form = Form::of_environment().expect("main has looked");
    let found = ALL.iter().find(|all| all.0 == name);
    let (_, bits, rounds, amount, round) = *found.expect("a known name");
    Box::new(Operations {
        form,
        bits,
        rounds,
        amount,
        round,
    })
}

/// A workload: operations on numbers of one size, in one form.
struct Operations {
    form: Form,
    bits: usize,
    rounds: u64,
    amount: usize,
    round: Round,
}

impl Workload for Operations {
    fn unit(&self) -> Unit {
        Unit::Elements
    }

    fn amount(&self) -> u64 {
        self.amount as u64
    }

    fn rounds(&self) -> u64 {
        self.rounds
    }

    fn round(&mut self, prng: &mut Prng) -> (Duration, u64) {
        (self.round)(self.form, self.bits, prng)
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
fn alone(form: Form, bits: usize, prng: &mut Prng) -> (Duration, u64) {
    let mut factors: Vec<Factors> = (0..GROUPS).map(|_| Factors::new(prng, bits)).collect();
    let mut products: Vec<Products> = (0..GROUPS).map(|_| Products::EMPTY).collect();
    let (time, ()) = timed(|| {
        for (factors, products) in factors.iter_mut().zip(&mut products) {
            form.multiply(factors, products);
        }
    });
    let result = products.iter_mut().fold(0, |all: u64, products| {
        form.finish(products);
        all.rotate_left(3) ^ fold(&products.limbs)
    });
    (time, result)
}

/// Eight chains of products.
fn chains(form: Form, bits: usize, prng: &mut Prng) -> (Duration, u64) {
    let start = Factors::new(prng, bits);
    let mut factors: Vec<Factors> = (0..GROUPS).map(|_| Factors::new(prng, bits)).collect();
    let (time, ends) = timed(|| form.chains(&start, &mut factors, bits));
    (time, fold(&ends))
}

/// Eight powers modulo different numbers: what stays in digits for a thousand products.
fn powers_in_lanes(form: Form, bits: usize, prng: &mut Prng) -> (Duration, u64) {
    let three = |prng: &mut Prng| [0; 3].map(|_| number(prng, bits));
    let numbers: Vec<[Number; 3]> = (0..LANES).map(|_| three(prng)).collect();
    let mut results = [Number::ZERO; LANES];
    let (time, ()) = timed(|| match form {
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

/// Eight chains of squarings in a class group: in lanes, Euclid's algorithm too, or one
/// after the other.
fn squarings(form: Form, bits: usize, prng: &mut Prng) -> (Duration, u64) {
    let mut seed = [0; 32];
    prng.fill(&mut seed);
    let discriminant = Discriminant::from_seed(&seed, bits).expect("whole bytes, a long seed");
    let mut begin = karat_vdf::Form::generator(&discriminant);
    let mut chains: Vec<_> = (0..LANES)
        .map(|_| {
            begin = square_many(&begin, 20, &discriminant);
            Chain {
                form: begin,
                discriminant: &discriminant,
            }
        })
        .collect();
    let times = SQUARINGS as u64;
    let (time, ()) = timed(|| match form {
        Form::Resident => square_all(&mut chains, times),
        // A squaring that begins and ends in limbs has no products that pay in lanes.
        Form::Limbs | Form::DropIn => {
            for chain in &mut chains {
                chain.form = square_many(&chain.form, times, &discriminant);
            }
        }
    });
    let fold = |all: u64, chain: &Chain<'_>| all.rotate_left(9) ^ chain.form.a().magnitude().low();
    (time, chains.iter().fold(0, fold))
}
