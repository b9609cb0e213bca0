//! What every hash is tested with.

use karat_cpu::{AnyKernel, IsaSet};

/// Small deterministic random numbers (splitmix64; Steele, Lea and Flood, 2014).
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }
}

/// The kernel of that name.
fn kernel(name: &str) -> &'static dyn AnyKernel {
    let mut all = karat_hash::kernels().iter();
    *all.find(|k| k.name() == name).unwrap()
}

/// Runs `test` once for each implementation of the kernel that this CPU has, and
/// says which it skips. Tests of one kernel must not run at the same time: one
/// `#[test]` for each kernel calls this.
pub fn each_implementation(name: &str, mut test: impl FnMut(&str)) {
    let kernel = kernel(name);
    for index in 0..kernel.len() {
        let info = kernel.info(index);
        if info.missing != IsaSet::EMPTY {
            eprintln!(
                "SKIPPED {} {}: this CPU lacks {}",
                kernel.name(),
                info.name,
                info.missing
            );
            continue;
        }
        kernel.force(Some(info.name)).unwrap();
        test(info.name);
    }
    kernel.force(None).unwrap();
}

/// How much is enough: less under Miri, which runs some hundred times slower.
pub const fn few(many: usize, few: usize) -> usize {
    if cfg!(miri) { few } else { many }
}

/// Bytes of a hexadecimal string.
pub fn unhex(text: &str) -> Vec<u8> {
    assert!(text.len().is_multiple_of(2), "{text}");
    (0..text.len() / 2)
        .map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap())
        .collect()
}
