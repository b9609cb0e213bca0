//! One instruction above the baseline.

use iced_x86::{Decoder, DecoderOptions};
use karat_flow::classes::Classes;
use karat_flow::program::Program;
use karat_model::leaks::Offence;

/// The instruction above the baseline at an address.
pub(super) fn offence(program: &Program<'_>, classes: &Classes, address: u64) -> Offence {
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
