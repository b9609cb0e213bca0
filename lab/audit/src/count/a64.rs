//! AArch64: what one instruction counts as.

use crate::catalogue::Constants;
use crate::count::isa::{Isa, Step, Stretch};
use karat_binary::a64::names::number;
use karat_binary::a64::{NAMES, classify};
use std::sync::OnceLock;

/// The walk over one section.
pub(crate) struct A64<'a> {
    bytes: &'a [u8],
    start: u64,
    word: u32,
}

impl<'a> Isa<'a> for A64<'a> {
    fn new(bytes: &'a [u8], start: u64, _: Option<&'a Constants>) -> Self {
        let word = 0;
        Self { bytes, start, word }
    }

    #[inline(always)]
    fn step(&mut self, at: u64, stretch: &mut Stretch) -> Step {
        let next = at + 4;
        let rest = self.bytes.get((at - self.start) as usize..);
        let word = rest.and_then(<[u8]>::first_chunk);
        let Some(&word) = word else {
            // Less than an instruction is left.
            stretch.counts.undecodable += 1;
            return Step {
                next,
                decoded: false,
            };
        };
        self.word = u32::from_le_bytes(word);
        let Some((class, set)) = classify(self.word) else {
            // Zeros, `udf #0`, pad code: what does not decode and is none is data.
            stretch.counts.undecodable += u64::from(self.word != 0);
            return Step {
                next,
                decoded: false,
            };
        };
        stretch.class(class, 4);
        stretch.set(set);
        Step {
            next,
            decoded: true,
        }
    }

    fn mnemonic(&self) -> usize {
        number(self.word)
    }
}

/// Sets of extensions by number: each is one name, or none.
pub(crate) fn sets() -> &'static [Vec<String>] {
    static SETS: OnceLock<Vec<Vec<String>>> = OnceLock::new();
    SETS.get_or_init(|| {
        let set = |name: &&str| match *name {
            "" => Vec::new(),
            name => vec![name.to_string()],
        };
        NAMES.iter().map(set).collect()
    })
}

pub(crate) use karat_binary::a64::names::{count as mnemonics, name as mnemonic_name};
