//! The functions that are measured, and their shapes.
//!
//! A task's name is its code and shape; `-lost` makes the first data shards from parity, as
//! many as parity allows, and the plan for it as well. Sizes are those of a shard, speeds in
//! bytes of data.

use super::calls::{encode, reconstruct};
use crate::Code;
use karat_kit::{Body, Task, Threads, Unit, Work};

const KIB: u64 = 1 << 10;

macro_rules! task {
    ($kernel:literal $name:literal $title:literal $code:ident $data:literal $parity:literal
     $sizes:expr, $call:ident, $result:expr) => {
        Task {
            name: $name,
            title: $title,
            kernel: $kernel,
            peers: $name,
            body: Body::Prepared(|input| $call(Code::$code, input)),
            input: |random, size| {
                let bytes = random.bytes(size.items * size.size as usize);
                let mut input = karat_kit::Input::of_items(bytes, size.items);
                input.numbers.push($parity);
                input
            },
            result: |size| $result as usize * size.size as usize,
            work: |size| Work::Bytes(size.items as u64 * size.size),
            item: "data shards",
            items: &[$data],
            unit: Unit::Bytes,
            sizes: $sizes,
            most: 1 << 22,
            threads: Threads::One,
        }
    };
}

/// Encoding and the worst reconstruction of one shape each.
macro_rules! tasks {
    ($($kernel:literal $code:ident $data:literal $parity:literal $sizes:expr, $lost:literal
        $encode:literal $encode_title:literal $decode:literal $decode_title:literal;)*) => {
        &[$(
            task!($kernel $encode $encode_title $code $data $parity $sizes, encode, $parity),
            task!($kernel $decode $decode_title $code $data $parity $sizes, reconstruct, $lost),
        )*]
    };
}

pub(super) static TASKS: &[Task] = tasks! {
    "rs-gf8" A 10 4 &[KIB, 1024 * KIB], 4
        "rs-a-10+4" "Code A, 10+4" "rs-a-10+4-lost" "Code A, 10+4, 4 lost";
    "rs-gf8" A 64 32 &[KIB, 64 * KIB], 32
        "rs-a-64+32" "Code A, 64+32" "rs-a-64+32-lost" "Code A, 64+32, 32 lost";
    "rs-gf8" A 128 128 &[4 * KIB], 128
        "rs-a-128+128" "Code A, 128+128" "rs-a-128+128-lost" "Code A, 128+128, 128 lost";
    "rs-gf8" B 10 4 &[KIB, 1024 * KIB], 4
        "rs-b-10+4" "Code B, 10+4" "rs-b-10+4-lost" "Code B, 10+4, 4 lost";
    "rs-gf8" B 64 32 &[KIB, 64 * KIB], 32
        "rs-b-64+32" "Code B, 64+32" "rs-b-64+32-lost" "Code B, 64+32, 32 lost";
    "rs-gf8" B 128 128 &[512, 4 * KIB], 128
        "rs-b-128+128" "Code B, 128+128" "rs-b-128+128-lost" "Code B, 128+128, 128 lost";
    "rs-gf8" D 10 4 &[1024 * KIB], 4
        "rs-d-10+4" "Code D, 10+4" "rs-d-10+4-lost" "Code D, 10+4, 4 lost";
    "rs-gf8" D 64 32 &[64 * KIB], 32
        "rs-d-64+32" "Code D, 64+32" "rs-d-64+32-lost" "Code D, 64+32, 32 lost";
    "rs-gf8" D 128 128 &[4 * KIB], 128
        "rs-d-128+128" "Code D, 128+128" "rs-d-128+128-lost" "Code D, 128+128, 128 lost";
    "rs-gf16" C 10 4 &[1024 * KIB], 4
        "rs-c-10+4" "Code C, 10+4" "rs-c-10+4-lost" "Code C, 10+4, 4 lost";
    "rs-gf16" C 64 32 &[64 * KIB], 32
        "rs-c-64+32" "Code C, 64+32" "rs-c-64+32-lost" "Code C, 64+32, 32 lost";
    "rs-gf16" C 128 128 &[4 * KIB], 128
        "rs-c-128+128" "Code C, 128+128" "rs-c-128+128-lost" "Code C, 128+128, 128 lost";
    "rs-gf16" C 512 512 &[KIB], 512
        "rs-c-512+512" "Code C, 512+512" "rs-c-512+512-lost" "Code C, 512+512, 512 lost";
};
