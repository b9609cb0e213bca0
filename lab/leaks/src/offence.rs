//! One instruction above the baseline.

use crate::a64;
use iced_x86::{Decoder, DecoderOptions};
use karat_flow::classes::Classes;
use karat_flow::program::Program;
use karat_model::leaks::Offence;

/// The instruction above the baseline at an address.
pub(super) fn offence(program: &Program<'_>, classes: &Classes, address: u64) -> Offence {
    if program.is_arm {
        let bytes = program.bytes(address, address.saturating_add(4));
        let word = bytes.and_then(|bytes| bytes.try_into().ok());
        return a64::offence(word.map_or(0, u32::from_le_bytes), address);
    }
    let rest = program.routine_at(address).and_then(|routine| {
        let ranges = &program.routines[routine as usize].ranges;
        let range = ranges
            .iter()
            .find(|(start, end)| (*start..*end).contains(&address))?;
        program.bytes(address, range.1)
    });
    let rest = rest.unwrap_or_default();
    let instruction = Decoder::with_ip(64, rest, address, DecoderOptions::NONE).decode();
    Offence {
        mnemonic: format!("{:?}", instruction.mnemonic()).to_ascii_lowercase(),
        address,
        extensions: classes.missing(classes.of(instruction.code()).above),
        location: None,
    }
}
