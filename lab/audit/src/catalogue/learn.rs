//! Fingerprints from builds that are known to be good.

use super::collect::{Piece, code_at, collect};
use super::memory::Memory;
use super::names::Names;
use iced_x86::{Decoder, DecoderOptions};
use karat_binary::BinaryError;
use karat_binary::names::canonical_symbol;
use karat_binary::read::image::Image;
use karat_binary::read::symbols::Symbols;
use karat_binary::x86::table;
use karat_model::catalogue::{Fingerprint, Kernel, Library};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Constants kept of each kind: enough to tell, few enough to read.
const CONSTANTS: usize = 12;
/// Functions of one kernel that get a fingerprint where its names are patterns,
/// those with most vector instructions first.
const FUNCTIONS: usize = 6;
/// Functions with fewer instructions get none: they would match anything.
const LEAST_INSTRUCTIONS: u32 = 48;

/// The ISAs a kernel is named after, the most telling first.
const ISAS: [&str; 16] = [
    "avx512f",
    "vaes",
    "gfni",
    "avx2",
    "fma",
    "sha",
    "avx",
    "aes",
    "pclmulqdq",
    "sse4.2",
    "sse4.1",
    "ssse3",
    "sse3",
    "adx",
    "bmi2",
    "bmi1",
];

/// Why nothing could be learned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LearnError {
    /// The file cannot be read.
    #[error(transparent)]
    Audit(#[from] BinaryError),
    /// No function has the name.
    #[error(
        "no function with a symbol of its own is called `{name}`{hint}; name a Rust path \
         (`my_crate::avx2::compress`), all below one (`my_crate::avx2::*`) or a C symbol, and \
         learn from a build that is not stripped and has not inlined it"
    )]
    NotFound {
        /// What was looked for.
        name: String,
        /// A near name, as `; did you mean …?`, or nothing.
        hint: String,
    },
    /// What has the name is too little to tell it by.
    #[error(
        "`{name}` has {instructions} instructions, and fewer than {LEAST_INSTRUCTIONS} tell no \
         kernel from other code"
    )]
    TooSmall {
        /// What was looked for.
        name: String,
        /// Instructions of the largest function of that name.
        instructions: u32,
    },
}

/// Writes a file of the catalogue from a good build: one kernel for each
/// function that `name` stands for. Licence and source are for its reader to
/// fill in.
///
/// # Errors
/// [`LearnError`], with what to do.
pub fn learn(bytes: &[u8], name: &str) -> Result<String, LearnError> {
    let image = Image::parse_elf_x86(bytes, "a fingerprint")?;
    let symbols = Symbols::read(&image);
    let memory = Memory::read(&image);
    let mut names = Names::new();
    names.add(name, 0);
    names.finish();
    let mut kernels: BTreeMap<String, Kernel> = BTreeMap::new();
    let mut largest = None;
    for (symbol, ranges) in matching(&symbols, |symbol| names.find(symbol)) {
        let piece = collect(&image, &memory, &ranges);
        let path = canonical_symbol(symbol.1);
        largest = largest.max(Some(piece.mix.instructions));
        if piece.mix.instructions < LEAST_INSTRUCTIONS {
            continue;
        }
        let kernel = kernels.entry(path.clone()).or_insert_with(|| Kernel {
            name: path.clone(),
            isa: isa(&image, &ranges),
            symbols: vec![path],
            ..Kernel::default()
        });
        add(kernel, fingerprint(&piece, "the build it was learned from"));
    }
    if kernels.is_empty() {
        return Err(match largest {
            Some(instructions) => LearnError::TooSmall {
                name: name.into(),
                instructions,
            },
            None => LearnError::NotFound {
                name: name.into(),
                hint: hint(&symbols, name),
            },
        });
    }
    let library = Library {
        name: name
            .split("::")
            .next()
            .unwrap_or(name)
            .trim_end_matches('*')
            .into(),
        source: "to be filled in: where the source of the code is".into(),
        licence: "to be filled in: its SPDX name".into(),
        kernels: kernels.into_values().collect(),
        ..Library::default()
    };
    Ok(library.to_toml())
}

/// Adds to each kernel of a library the fingerprints of the functions that have
/// its names in a build, called `of`; returns how many there are. Those that
/// were called `of` before are replaced.
///
/// # Errors
/// As [`audit`](crate::audit).
pub fn fingerprints(bytes: &[u8], library: &mut Library, of: &str) -> Result<usize, BinaryError> {
    let image = Image::parse_elf_x86(bytes, "a fingerprint")?;
    let symbols = Symbols::read(&image);
    let memory = Memory::read(&image);
    let described = library.clone();
    let mut names = Names::new();
    for prefix in &described.prefixes {
        names.add_prefix(prefix);
    }
    for (number, kernel) in described.kernels.iter().enumerate() {
        for name in &kernel.symbols {
            names.add(name, number as u32);
        }
    }
    names.finish();
    let mut pieces: BTreeMap<u32, Vec<Piece>> = BTreeMap::new();
    for ((kernel, _), ranges) in matching(&symbols, |symbol| names.find(symbol)) {
        let piece = collect(&image, &memory, &ranges);
        pieces.entry(kernel).or_default().push(piece);
    }
    let mut count = 0;
    for (number, mut pieces) in pieces {
        let kernel = &mut library.kernels[number as usize];
        kernel.builds.retain(|build| build.of != of);
        pieces.retain(|piece| piece.mix.instructions >= LEAST_INSTRUCTIONS);
        pieces.sort_by_key(|p| {
            (
                Reverse(p.mix.vector()),
                Reverse(p.mix.instructions),
                p.start,
            )
        });
        let is_family = kernel.symbols.iter().any(|name| name.ends_with('*'));
        let most = if is_family { FUNCTIONS } else { usize::MAX };
        for piece in pieces.iter().take(most) {
            count += usize::from(add(kernel, fingerprint(piece, of)));
        }
    }
    Ok(count)
}

/// A function that a name was found for: which name, and the symbol.
type Found<'a> = ((u32, &'a str), Vec<(u64, u64)>);

fn matching<'a>(symbols: &Symbols<'a>, find: impl Fn(&str) -> Option<u32>) -> Vec<Found<'a>> {
    let mut found: BTreeMap<u32, Found<'a>> = BTreeMap::new();
    for (number, function) in symbols.functions.iter().enumerate() {
        let mut names = function.names.iter();
        if let Some(name) = names.find_map(|&name| Some((find(name)?, name))) {
            found.insert(number as u32, (name, Vec::new()));
        }
    }
    for range in &symbols.ranges {
        if let Some((_, ranges)) = found.get_mut(&range.value) {
            ranges.push((range.start, range.end));
        }
    }
    found.into_values().collect()
}

fn fingerprint(piece: &Piece, of: &str) -> Fingerprint {
    Fingerprint {
        of: of.into(),
        mix: piece.mix.named(),
        loads: piece.loads.iter().copied().take(CONSTANTS).collect(),
        immediates: piece.immediates.iter().copied().take(CONSTANTS).collect(),
    }
}

/// Adds a fingerprint unless the kernel has the same already.
fn add(kernel: &mut Kernel, print: Fingerprint) -> bool {
    let known = kernel.builds.iter().any(|build| {
        build.mix == print.mix && build.loads == print.loads && build.immediates == print.immediates
    });
    if !known {
        kernel.builds.push(print);
    }
    !known
}

/// The instruction set that code is best called by.
fn isa(image: &Image<'_>, ranges: &[(u64, u64)]) -> String {
    let table = table();
    let mut sets = BTreeSet::new();
    for &(start, end) in ranges {
        let bytes = code_at(image, start, end).unwrap_or_default();
        for instruction in &mut Decoder::new(64, bytes, DecoderOptions::NONE) {
            sets.insert(table.codes[instruction.code() as usize].set);
        }
    }
    let has = |isa: &str| {
        let mut names = sets.iter().flat_map(|set| &table.sets[usize::from(*set)]);
        names.any(|name| name == isa)
    };
    ISAS.into_iter()
        .find(|isa| has(isa))
        .unwrap_or("x86-64")
        .into()
}

/// A name of the file that is near to one that it has not.
fn hint(symbols: &Symbols<'_>, name: &str) -> String {
    let last = name.trim_end_matches('*').trim_end_matches(':');
    let last = last.rsplit("::").next().unwrap_or(last);
    if last.len() < 3 {
        return String::new();
    }
    let names = symbols.functions.iter().flat_map(|f| &f.names);
    let near = names
        .filter(|symbol| symbol.contains(last))
        .min_by_key(|symbol| symbol.len());
    near.map_or(String::new(), |near| {
        format!("; did you mean `{}`?", canonical_symbol(near))
    })
}
