//! What is at an address of a file: the instruction, its function, its source line.

use iced_x86::{Decoder, DecoderOptions};
use karat_binary::a64::names;
use karat_binary::read::format::Arch;
use karat_binary::read::image::Image;
use karat_binary::read::symbols::Symbols;
use karat_leaks::locations;
use karat_model::finding::Location;

/// A place in a file's code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The instruction's mnemonic, lower case; of AArch64 without a suffix for vectors.
    pub mnemonic: Option<String>,
    /// The function's name for readers.
    pub function: Option<String>,
    /// Source line, when the file has line tables.
    pub location: Option<Location>,
}

/// What is at an address, as linked; none where there is no code, or the file cannot be
/// read.
#[must_use]
pub fn place_of(bytes: &[u8], address: u64) -> Option<Place> {
    let image = Image::parse(bytes).ok()?;
    let section = image.section_at(address)?;
    let code = &section.bytes[(address - section.address) as usize..];
    let mnemonic = match image.arch {
        Arch::X86_64 => {
            let mut decoder = Decoder::with_ip(64, code, address, DecoderOptions::NONE);
            Some(format!("{:?}", decoder.decode().mnemonic()).to_ascii_lowercase())
        }
        Arch::Aarch64 => code.first_chunk().map(|word| {
            let word = u32::from_le_bytes(*word);
            names::name(names::number(word)).to_string()
        }),
    };
    let symbols = Symbols::read(&image);
    let at = symbols.ranges.partition_point(|range| range.end <= address);
    let range = symbols
        .ranges
        .get(at)
        .filter(|range| range.start <= address);
    Some(Place {
        mnemonic,
        function: range.map(|range| symbols.readable_name(range.value)),
        location: locations(&image, &[address]).remove(&address),
    })
}
