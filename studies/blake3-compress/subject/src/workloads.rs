//! The report's benchmarks at the report's sizes.

use std::time::Duration;

use study_support::{Messages, Prng, Unit, Workload, fold, timed};

use crate::form::{Form, OUTPUT};

/// Name, messages in a round, their length, at once, rounds: some 20 ms.
const COMPRESS: [(&str, usize, usize, usize, u64); 4] = [
    ("compress16-64", 1024, 64, 16, 1200),
    ("compress16-1024", 64, 1024, 16, 1200),
    ("compress32-64", 1024, 64, 32, 1200),
    ("compress32-1024", 64, 1024, 32, 1200),
];

/// Name and length of an input, of which there are [`OUTPUTS`] in a round.
const XOF: [(&str, usize); 5] = [
    ("xof2048-64", 64),
    ("xof2048-128", 128),
    ("xof2048-256", 256),
    ("xof2048-512", 512),
    ("xof2048-1024", 1024),
];
const OUTPUTS: usize = 32;

/// Name and length of a set's element, of which there are [`ELEMENTS`] in a round.
const LATTICE: [(&str, usize); 3] = [
    ("lthash-64", 64),
    ("lthash-128", 128),
    ("lthash-1024", 1024),
];
const ELEMENTS: usize = 64;

/// All workloads.
pub fn names() -> Vec<&'static str> {
    let compress = COMPRESS.iter().map(|c| c.0);
    let xof = XOF.iter().map(|x| x.0);
    compress
        .chain(xof)
        .chain(LATTICE.iter().map(|l| l.0))
        .collect()
}

/// The workload called `name`, one of [`names`].
pub fn by_name(name: &str) -> Box<dyn Workload> {
    let form = Form::of_environment().expect("main has looked");
    if let Some((_, count, length, at_once, rounds)) = COMPRESS.iter().find(|c| c.0 == name) {
        return Box::new(Compress {
            form,
            messages: Messages::new(*count, *length),
            at_once: *at_once,
            rounds: *rounds,
            digests: vec![[0; 32]; *count],
        });
    }
    if let Some((_, length)) = XOF.iter().find(|x| x.0 == name) {
        return Box::new(Xof {
            form,
            messages: Messages::new(OUTPUTS, *length),
        });
    }
    let lattice = LATTICE.iter().find(|l| l.0 == name);
    Box::new(Lattice {
        form,
        elements: Messages::new(ELEMENTS, lattice.expect("a known name").1),
    })
}

struct Compress {
    form: Form,
    messages: Messages,
    at_once: usize,
    rounds: u64,
    digests: Vec<[u8; 32]>,
}

impl Workload for Compress {
    fn amount(&self) -> u64 {
        self.messages.total()
    }

    fn rounds(&self) -> u64 {
        self.rounds
    }

    fn round(&mut self, prng: &mut Prng) -> (Duration, u64) {
        self.messages.refill(prng);
        let messages = self.messages.slices();
        let (form, n) = (self.form, self.at_once);
        let (time, ()) = timed(|| {
            for (messages, digests) in messages.chunks(n).zip(self.digests.chunks_mut(n)) {
                form.compress(messages, digests);
            }
        });
        (time, fold(&self.digests))
    }
}

struct Xof {
    form: Form,
    messages: Messages,
}

impl Workload for Xof {
    fn amount(&self) -> u64 {
        (OUTPUTS * OUTPUT) as u64
    }

    fn rounds(&self) -> u64 {
        400
    }

    fn round(&mut self, prng: &mut Prng) -> (Duration, u64) {
        self.messages.refill(prng);
        let messages = self.messages.slices();
        let (time, outputs) = timed(|| {
            let outputs = messages.iter().map(|m| self.form.output(m));
            outputs.collect::<Vec<_>>()
        });
        (time, fold(&outputs))
    }
}

struct Lattice {
    form: Form,
    elements: Messages,
}

impl Workload for Lattice {
    fn unit(&self) -> Unit {
        Unit::Elements
    }

    fn amount(&self) -> u64 {
        ELEMENTS as u64
    }

    fn rounds(&self) -> u64 {
        600
    }

    fn round(&mut self, prng: &mut Prng) -> (Duration, u64) {
        self.elements.refill(prng);
        let elements = self.elements.slices();
        let (time, set) = timed(|| self.form.lattice(&elements));
        (time, fold(&[set.checksum()]))
    }
}
