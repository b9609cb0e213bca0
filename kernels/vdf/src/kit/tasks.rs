//! The functions that are measured.

use super::SIZES;
use crate::{Discriminant, Form, square_many};
use alloc::boxed::Box;
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

fn input(random: &mut Random, size: Size) -> Input {
    Input {
        numbers: alloc::vec![size.size, size.items as u64],
        ..Input::of(random.bytes(32))
    }
}

/// All tasks.
pub(super) static TASKS: &[Task] = &[Task {
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
}];
