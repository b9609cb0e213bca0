//! The functions that are measured.

use super::SIZES;
use crate::{Chain, Discriminant, Form, square_all, square_many};
use alloc::boxed::Box;
use alloc::vec::Vec;
use karat_kit::{Body, Call, Input, Random, Size, Task, Threads, Unit, Work};

/// Squarings one after the other. Forms at the beginning are short, so the first ones are
/// not timed.
struct Squarings {
    discriminant: Discriminant,
    begin: Form,
    count: u64,
    end: Form,
}

impl Call for Squarings {
    fn call(&mut self) {
        self.end = square_many(&self.begin, self.count, &self.discriminant);
    }

    fn result(&self, out: &mut [u8]) {
        out.copy_from_slice(&self.end.to_bytes(&self.discriminant));
    }
}

/// Squarings until forms are as long as the discriminant lets them be.
const FIRST: u64 = 20;

fn squarings(input: &Input) -> Box<dyn Call> {
    let (bits, count) = (input.numbers[0] as usize, input.numbers[1]);
    let discriminant = Discriminant::from_seed(&input.bytes, bits);
    let Ok(discriminant) = discriminant else {
        unreachable!("sizes are whole bytes, and seeds are long");
    };
    let begin = square_many(&Form::generator(&discriminant), FIRST, &discriminant);
    Box::new(Squarings {
        discriminant,
        begin,
        count,
        end: begin,
    })
}

/// Squarings of many forms at once.
struct Chains {
    discriminant: Discriminant,
    begin: Vec<Form>,
    count: u64,
    end: Vec<Form>,
}

/// Forms that are squared at once.
const CHAINS: usize = 24;

impl Call for Chains {
    fn call(&mut self) {
        let chains = self.begin.iter().map(|form| Chain {
            form: *form,
            discriminant: &self.discriminant,
        });
        let mut chains: Vec<Chain<'_>> = chains.collect();
        square_all(&mut chains, self.count);
        self.end.clear();
        self.end.extend(chains.iter().map(|chain| chain.form));
    }

    fn result(&self, out: &mut [u8]) {
        let length = self.discriminant.form_bytes();
        for (out, form) in out.chunks_exact_mut(length).zip(&self.end) {
            out.copy_from_slice(&form.to_bytes(&self.discriminant));
        }
    }
}

fn chains(input: &Input) -> Box<dyn Call> {
    let (bits, count) = (input.numbers[0] as usize, input.numbers[1]);
    let discriminant = Discriminant::from_seed(&input.bytes, bits);
    let Ok(discriminant) = discriminant else {
        unreachable!("sizes are whole bytes, and seeds are long");
    };
    let mut form = Form::generator(&discriminant);
    let begin = (0..CHAINS).map(|_| {
        form = square_many(&form, FIRST, &discriminant);
        form
    });
    let begin: Vec<Form> = begin.collect();
    Box::new(Chains {
        discriminant,
        end: begin.clone(),
        begin,
        count: count / CHAINS as u64,
    })
}

fn input(random: &mut Random, size: Size) -> Input {
    Input {
        numbers: alloc::vec![size.size, size.items as u64],
        ..Input::of(random.bytes(32))
    }
}

/// All tasks.
pub(super) static TASKS: &[Task] = &[SQUARE, SQUARE_ALL, BY_PRODUCTS];

const SQUARE: Task = Task {
    name: "vdf-square",
    title: "squarings in a class group",
    kernel: "vdf-square",
    peers: "vdf-square",
    body: Body::Prepared(squarings),
    input,
    result: |size| crate::bqfc::length(size.size as usize),
    work: |size| Work::Operations(size.items as u64),
    item: "squarings",
    items: &[200],
    unit: Unit::Bits,
    sizes: &SIZES,
    most: 2048,
    threads: Threads::One,
};

const SQUARE_ALL: Task = Task {
    name: "vdf-square-all",
    title: "squarings in a class group, 24 forms at once",
    kernel: "vdf-square-all",
    peers: "vdf-square-all",
    body: Body::Prepared(chains),
    result: |size| CHAINS * crate::bqfc::length(size.size as usize),
    items: &[100 * CHAINS],
    ..SQUARE
};

/// The same squarings, by each body of products. Alone these are independent of each other and
/// all as long; here they are short, of unlike lengths, and wait for each other.
const BY_PRODUCTS: Task = Task {
    name: "vdf-square-by-products",
    title: "squarings in a class group, by what multiplies",
    kernel: "bigint-mul",
    peers: "",
    ..SQUARE
};
