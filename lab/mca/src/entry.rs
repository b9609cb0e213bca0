//! The functions that are emulated: they call a task twice, and mark the second call.

use karat_kit::{Body, Random, Size, Suite, Task};
use std::hint::black_box;

/// All tasks, each with its suite.
pub fn tasks() -> impl Iterator<Item = (&'static Suite, &'static Task)> {
    let suites = karat_all::SUITES.iter();
    suites.flat_map(|suite| suite.tasks.iter().map(move |task| (*suite, task)))
}

/// Runs a task at a size with one implementation of its kernel. It returns 1 when it has
/// run and 0 when the CPU that it sees lacks that implementation.
///
/// # Panics
/// When there are not that many tasks or implementations.
#[inline(never)]
pub extern "C" fn run(task: usize, body: usize, items: usize, size: u64) -> usize {
    let (suite, task) = tasks().nth(task).expect("a task");
    let kernel = suite.kernel(task.kernel).expect("its kernel");
    if kernel.force(Some(kernel.info(body).name)).is_err() {
        return 0;
    }
    let size = Size { items, size };
    let input = (task.input)(&mut Random::new(1), size);
    match task.body {
        Body::Direct(function) => {
            let mut out = vec![0; (task.result)(size)];
            // The first call chooses the implementations of all kernels.
            function(&input, &mut out);
            mark();
            function(black_box(&input), black_box(&mut out));
            mark();
        }
        Body::Prepared(prepare) => {
            let mut call = prepare(&input);
            call.call();
            mark();
            call.call();
            mark();
        }
    }
    1
}

/// The first bytes of a digest, by general registers only: the machine knows all that it
/// takes.
#[cfg(test)]
#[inline(never)]
pub extern "C" fn digest(length: usize) -> u64 {
    let (suite, task) = tasks()
        .find(|(_, task)| task.name == "blake2b")
        .expect("a task of BLAKE2b");
    let kernel = suite.kernel("blake2b").expect("its kernel");
    kernel.force(Some("x86-64")).expect("general registers");
    let size = Size {
        items: 1,
        size: length as u64,
    };
    let input = (task.input)(&mut Random::new(7), size);
    let mut out = vec![0; (task.result)(size)];
    let Body::Direct(function) = task.body else {
        panic!("the task has a form of its own");
    };
    function(&input, &mut out);
    u64::from_le_bytes(out[..8].try_into().expect("8 bytes"))
}

/// Implementations by digits of 50 or 52 bits, each with its kernel and the numbers of an input.
#[cfg(all(test, target_arch = "x86_64"))]
pub const DIGITS: [(&str, &str, usize); 6] = [
    ("bigint-powers", "avx512ifma", 3),
    ("bigint-eight", "avx512ifma", 2),
    ("bigint-one", "avx512ifma", 2),
    ("bigint-mul", "avx512ifma", 2),
    ("bigint-powers", "avx2", 3),
    ("bigint-eight", "avx2", 2),
];

/// A sum of all results of an implementation of [`DIGITS`] or, if `last` is 1, of plain Rust,
/// for numbers of so many bits.
#[cfg(all(test, target_arch = "x86_64"))]
#[inline(never)]
pub extern "C" fn integers(number: usize, last: usize, bits: usize) -> u64 {
    let suite = tasks().map(|(suite, _)| suite).find(|s| s.name == "bigint");
    let suite = suite.expect("the suite");
    let (kernel, body, items) = DIGITS[number];
    let kernel = suite.kernel(kernel).expect("the kernel");
    let name = if last == 1 { "portable" } else { body };
    kernel.force(Some(name)).expect("an implementation");
    let check = suite.checks.iter().find(|c| c.kernel == kernel.name());
    let check = check.expect("its check");
    let inputs = (check.inputs)(&mut Random::new(3));
    let inputs = inputs.iter().filter(|i| i.bytes.len() == items * bits / 8);
    // Random numbers, and ones alone.
    let results = inputs.take(2).flat_map(check.run).flatten();
    results.fold(0, |sum: u64, byte| sum.rotate_left(5) ^ u64::from(byte))
}

/// Implementations of Reed-Solomon codes by Galois field instructions, each with its kernel
/// and a check of a code that has it.
#[cfg(all(test, target_arch = "x86_64"))]
pub const GALOIS: [(&str, &str, &str); 6] = [
    ("rs-gf8", "gfni", "Reed-Solomon, code A"),
    ("rs-gf8", "gfni", "Reed-Solomon, code B"),
    ("rs-gf8", "gfni-avx512", "Reed-Solomon, code A"),
    ("rs-gf8", "gfni-avx512", "Reed-Solomon, code B"),
    ("rs-gf8", "gfni-avx512", "Reed-Solomon, code D"),
    ("rs-gf16", "gfni", "Reed-Solomon, code C"),
];

/// A sum of parity and of lost shards made again, by an implementation of [`GALOIS`] or, if
/// `last` is 1, by plain Rust. Shapes are for sums of products and for transforms; lengths
/// are whole blocks and not.
#[cfg(all(test, target_arch = "x86_64"))]
#[inline(never)]
pub extern "C" fn shards(last: usize, number: usize) -> u64 {
    let suite = tasks()
        .map(|(suite, _)| suite)
        .find(|s| s.name == "erasure");
    let suite = suite.expect("the suite");
    let (kernel, body, check) = GALOIS[number];
    let kernel = suite.kernel(kernel).expect("the kernel");
    let name = if last == 1 { "portable" } else { body };
    kernel.force(Some(name)).expect("an implementation");
    let check = suite.checks.iter().find(|c| c.name == check);
    let check = check.expect("its check");
    let mut random = Random::new(5);
    let shapes = [(5, 3, 2, 150), (11, 9, 9, 64), (16, 16, 16, 192)];
    let results = shapes.into_iter().flat_map(|(data, parity, lost, length)| {
        let mut input = karat_kit::Input::of_items(random.bytes(data * length), data);
        input.numbers = vec![parity, lost];
        (check.run)(&input)
    });
    let bytes = results.flatten();
    bytes.fold(0, |sum: u64, byte| sum.rotate_left(5) ^ u64::from(byte))
}

/// Kernels of hashes and their implementations that need AVX-512: names of both.
#[cfg(all(test, target_arch = "x86_64"))]
pub fn wide() -> Vec<(&'static str, &'static str)> {
    let avx512 = karat_cpu::Isa::named("avx512f").expect("an ISA");
    let kernels = (hash_suite().kernels)().into_iter();
    let all = kernels.flat_map(|kernel| (0..kernel.len()).map(move |i| (kernel, kernel.info(i))));
    all.filter(|(_, info)| info.isa.contains(avx512))
        .map(|(kernel, info)| (kernel.name(), info.name))
        .collect()
}

#[cfg(all(test, target_arch = "x86_64"))]
fn hash_suite() -> &'static Suite {
    let mut suites = karat_all::SUITES.iter();
    suites.find(|s| s.name == "hash").expect("the suite")
}

/// A sum of what all checks of a kernel compute, by one of [`wide`] or, if `last` is 1, by
/// plain Rust. Messages are of all lengths around blocks and chunks, of one length, and long.
#[cfg(all(test, target_arch = "x86_64"))]
#[inline(never)]
pub extern "C" fn hashes(number: usize, last: usize, seed: u64) -> u64 {
    let suite = hash_suite();
    let kernel = forced(number, last);
    let mut random = Random::new(seed);
    let mut sum = 0;
    for check in suite.checks.iter().filter(|c| c.kernel == kernel.name()) {
        let mut inputs = vec![
            vec![
                0, 1, 63, 64, 65, 111, 112, 127, 128, 129, 136, 256, 1024, 1025, 2049,
            ],
            vec![random.below(700); 33],
            (0..9).map(|_| random.below(500)).collect(),
            (0..9).map(|_| random.below(65)).collect(),
        ];
        // Only trees have lanes in a long message.
        if kernel.name() == "blake3" && check.name == "BLAKE3" {
            inputs.push(vec![2048, 3500, 4096, 8192, 9300, 17_500]);
        }
        for lengths in inputs {
            sum = checked(sum, check, &mut random, &lengths);
        }
    }
    sum
}

/// The kernel of one of [`wide`], set to that body or, if `last` is 1, to plain Rust.
#[cfg(all(test, target_arch = "x86_64"))]
fn forced(number: usize, last: usize) -> &'static dyn karat_cpu::AnyKernel {
    let (kernel, body) = wide()[number];
    let kernel = hash_suite().kernel(kernel).expect("the kernel");
    let name = if last == 1 { "portable" } else { body };
    kernel.force(Some(name)).expect("an implementation");
    kernel
}

/// A sum that goes on with what a check computes of random messages of these lengths.
#[cfg(all(test, target_arch = "x86_64"))]
fn checked(sum: u64, check: &karat_kit::Check, random: &mut Random, lengths: &[usize]) -> u64 {
    let mut numbers = Vec::new();
    let mut end = 0;
    for length in lengths {
        numbers.extend([end as u64, *length as u64]);
        end += length;
    }
    let mut input = karat_kit::Input::of_items(random.bytes(end), lengths.len());
    input.numbers = numbers;
    let bytes = (check.run)(&input).into_iter().flatten();
    bytes.fold(sum, |sum: u64, byte| sum.rotate_left(5) ^ u64::from(byte))
}

/// Lengths at which messages of a kernel go another way than the next: ends of blocks and of
/// chunks, and what is padded in one block.
#[cfg(all(test, target_arch = "x86_64"))]
fn edges(kernel: &str) -> &'static [usize] {
    match kernel {
        "sha512-many" | "blake2b-many" => &[111, 112, 129, 257],
        "keccak-many" => &[71, 135, 136, 273],
        _ => &[55, 56, 65, 193],
    }
}

/// The same sum of many messages that all have one length, of each length at an edge: such
/// messages go through lanes in step. Their number is a random one, fewer than lanes or more.
#[cfg(all(test, target_arch = "x86_64"))]
#[inline(never)]
pub extern "C" fn in_step(number: usize, last: usize, seed: u64) -> u64 {
    let kernel = forced(number, last);
    let mut random = Random::new(seed);
    let mut sum = 0;
    let checks = hash_suite().checks.iter();
    let checks = checks.filter(|c| c.kernel == kernel.name() && c.name.contains("of many"));
    // A lattice hash takes a thousand times as long as a digest.
    let most = if kernel.name() == "lthash" { 3 } else { 36 };
    // Digests of other lengths go the same ways. Who has padded messages goes one of his own.
    let first = checks.clone().take(1);
    let padded = checks.skip(1).filter(|c| c.name.contains("padded"));
    for check in first.chain(padded) {
        for length in edges(kernel.name()) {
            let lengths = vec![*length; 2 + random.below(most)];
            sum = checked(sum, check, &mut random, &lengths);
        }
    }
    sum
}

/// Begins and ends what is recorded.
#[inline(never)]
pub extern "C" fn mark() {
    // Something that no other function does, so that none is folded into this one.
    black_box("karat-mca");
}
