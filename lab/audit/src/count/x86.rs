//! x86-64: what one instruction counts as.

use crate::count::isa::{Isa, Step, Stretch};
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic};
use karat_binary::read::image::CodeSection;
use karat_binary::x86::{CodeInfo, table};

/// The decoder of one section.
pub(crate) struct X86<'a> {
    decoder: Decoder<'a>,
    instruction: Instruction,
    codes: &'static [CodeInfo],
    start: u64,
}

impl<'a> Isa<'a> for X86<'a> {
    fn new(section: &CodeSection<'a>) -> Self {
        Self {
            decoder: Decoder::with_ip(64, section.bytes, section.address, DecoderOptions::NONE),
            instruction: Instruction::default(),
            codes: &table().codes,
            start: section.address,
        }
    }

    fn seek(&mut self, address: u64) {
        // The offset is inside the section or at its end, which the decoder allows.
        if self
            .decoder
            .set_position((address - self.start) as usize)
            .is_ok()
        {
            self.decoder.set_ip(address);
        }
    }

    #[inline(always)]
    fn step(&mut self, at: u64, stretch: &mut Stretch) -> Step {
        let instruction = &mut self.instruction;
        self.decoder.decode_out(instruction);
        if instruction.is_invalid() {
            stretch.counts.undecodable += 1;
            self.seek(at + 1);
            return Step {
                next: at + 1,
                decoded: false,
            };
        }
        let next = self.decoder.ip();
        stretch.instruction(next - at);
        let info = self.codes[instruction.code() as usize];
        if !info.is_plain() {
            stretch.class(info.width(instruction), next - at);
            stretch.counts.mask += u64::from(info.has_mask(instruction));
            stretch.set(info.set);
        }
        Step {
            next,
            decoded: true,
        }
    }

    fn mnemonic(&self) -> usize {
        self.instruction.mnemonic() as usize
    }
}

/// How many mnemonics there are.
pub(crate) fn mnemonics() -> usize {
    Mnemonic::values().len()
}

/// A mnemonic by its number, in lower case.
pub(crate) fn mnemonic_name(number: usize) -> String {
    let mnemonic = Mnemonic::values().nth(number);
    mnemonic.map_or(String::new(), |m| format!("{m:?}").to_ascii_lowercase())
}
