//! Where the functions of a file lie, in memory and in the file.

use crate::attribute::target::Target;
use crate::error::BinaryError;
use crate::names::readable;
use crate::read::fdes;
use crate::read::image::Image;
use object::{Object, ObjectSegment, ObjectSymbol, SymbolKind};
use std::collections::BTreeSet;

/// A function with a symbol and a size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Demangled, without Rust's hash.
    pub name: String,
    /// Address as linked.
    pub address: u64,
    /// Bytes.
    pub size: u64,
}

/// The functions of a file, in the order of its symbol table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addresses {
    /// All that have a size. Two names of one function are two entries.
    pub functions: Vec<Placed>,
    /// For each expected function, which of `functions` it is; none if it has
    /// no symbol.
    pub expected: Vec<Vec<usize>>,
}

/// Reads the symbol table of one binary (not an archive). Only ELF symbols
/// have sizes. `expected` are patterns as [`Target::new`] takes them.
///
/// # Errors
/// As [`Image::parse`]. A file without symbols is no error: it has no functions.
pub fn addresses(bytes: &[u8], expected: &[String]) -> Result<Addresses, BinaryError> {
    let image = Image::parse(bytes)?;
    let targets: Vec<Target> = expected.iter().map(|w| Target::new(w)).collect();
    let mut out = Addresses {
        functions: Vec::new(),
        expected: vec![Vec::new(); targets.len()],
    };
    for symbol in image.file.symbols() {
        let (address, size) = (image.symbol_address(&symbol), symbol.size());
        if size == 0
            || symbol.kind() != SymbolKind::Text
            || !symbol.is_definition()
            || !image.is_code(address)
        {
            continue;
        }
        let name = symbol.name().unwrap_or("[unreadable name]");
        for (target, found) in targets.iter().zip(&mut out.expected) {
            if target.matches_symbol(name) {
                found.push(out.functions.len());
            }
        }
        out.functions.push(Placed {
            name: readable(name),
            address,
            size,
        });
    }
    Ok(out)
}

/// Where in a linked file the byte is that is mapped at an address.
pub fn file_offset(image: &Image<'_>, address: u64) -> Option<u64> {
    image.file.segments().find_map(|segment| {
        let (offset, size) = segment.file_range();
        let inside = address.checked_sub(segment.address())?;
        (inside < size).then(|| offset + inside)
    })
}

/// Addresses where an instruction is sure to begin: those of symbols that the linker
/// says are functions, and the starts of what the unwind table describes. A symbol of
/// assembly without a type may be one of data.
pub fn starts(image: &Image<'_>) -> BTreeSet<u64> {
    let mut out: BTreeSet<u64> = fdes::read(image, &[]).iter().map(|fde| fde.value).collect();
    let own = image.file.symbols().chain(image.file.dynamic_symbols());
    let all = own.chain(image.debug.iter().flat_map(|debug| debug.symbols()));
    let functions = all.filter(|s| s.kind() == SymbolKind::Text && s.is_definition());
    out.extend(functions.map(|symbol| symbol.address()));
    out.retain(|address| image.is_code(*address));
    out
}
