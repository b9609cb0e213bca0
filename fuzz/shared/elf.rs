//! A linked ELF file in memory: text, data and a symbol for each function.

/// Where instructions begin.
pub const TEXT: u64 = 0x1000;
/// Where data begins.
pub const DATA: u64 = 0x9000;
/// Words of data: an address of a function, or zero.
pub const WORDS: usize = 32;

/// Data that is made of bytes: half of them stand for a function.
pub fn words(bytes: &[u8], starts: &[u64]) -> Vec<u8> {
    let words = (0..WORDS).flat_map(|at| {
        let word = bytes.get(at).filter(|byte| **byte < 128);
        let to = word.map_or(0, |byte| starts[usize::from(*byte) % starts.len()]);
        to.to_le_bytes()
    });
    words.collect()
}

/// A program for a fixed address. `machine` is that of the ELF header.
pub fn program(machine: u16, text: &[u8], data: &[u8], starts: &[u64]) -> Vec<u8> {
    let mut symbols = vec![0u8; 24];
    for (at, start) in starts.iter().enumerate() {
        let end = starts.get(at + 1).copied();
        let end = end.unwrap_or(TEXT + text.len() as u64);
        symbols.extend(1u32.to_le_bytes());
        symbols.extend([0x12, 0, 1, 0]);
        symbols.extend(start.to_le_bytes());
        symbols.extend((end - start).to_le_bytes());
    }
    let names = b"\0f\0.text\0.data\0.symtab\0.strtab\0";
    // (name, type, flags, address, bytes, link, entry size)
    let sections: [(u32, u32, u64, u64, &[u8], u32, u64); 4] = [
        (3, 1, 6, TEXT, text, 0, 0),
        (9, 1, 3, DATA, data, 0, 0),
        (15, 2, 0, 0, &symbols, 4, 24),
        (23, 3, 0, 0, names, 0, 0),
    ];
    let mut out = vec![0u8; TEXT as usize];
    let mut headers = vec![0u8; 64];
    for (name, kind, flags, address, bytes, link, size) in sections {
        // Addresses are offsets in the file too.
        if address > 0 {
            out.resize((address as usize).max(out.len()), 0);
        }
        headers.extend([name, kind].map(u32::to_le_bytes).concat());
        let place = [flags, address, out.len() as u64, bytes.len() as u64];
        headers.extend(place.map(u64::to_le_bytes).concat());
        headers.extend([link, 0].map(u32::to_le_bytes).concat());
        headers.extend([8, size].map(u64::to_le_bytes).concat());
        out.extend(bytes);
    }
    let table = out.len() as u64;
    out.extend(headers);
    let mut header = b"\x7fELF\x02\x01\x01".to_vec();
    header.resize(16, 0);
    header.extend([2u16, machine].map(u16::to_le_bytes).concat());
    header.extend(1u32.to_le_bytes());
    header.extend([TEXT, 0, table].map(u64::to_le_bytes).concat());
    header.extend(0u32.to_le_bytes());
    header.extend([64u16, 56, 0, 64, 5, 4].map(u16::to_le_bytes).concat());
    out[..64].copy_from_slice(&header);
    out
}
