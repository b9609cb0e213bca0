//! The files that karat brings along.

use karat_model::catalogue::Library;
use std::sync::OnceLock;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../catalogue/", $name, ".toml")))),*]
    };
}

/// Name and text of each file.
pub(super) const FILES: &[(&str, &str)] = files![
    "aho_corasick",
    "blake2_simd",
    "blake2s_simd",
    "blake3",
    "crc32fast",
    "cryptogams",
    "curve25519_dalek",
    "glibc",
    "isa_l",
    "karat_hash",
    "keccak",
    "klauspost",
    "memchr",
    "s2n_bignum",
    "sha2",
    "simdjson",
    "simdutf",
    "simdutf8",
    "zlib_ng",
    "zlib_rs",
    "algorithms",
];

/// The catalogue that karat brings along, parsed at the first call.
///
/// # Panics
/// When a built-in file does not parse; a test reads them all.
pub fn builtin() -> &'static [Library] {
    static PARSED: OnceLock<Vec<Library>> = OnceLock::new();
    PARSED.get_or_init(|| {
        FILES
            .iter()
            .map(|(name, text)| {
                Library::parse(text).unwrap_or_else(|problems| panic!("{name}: {problems:?}"))
            })
            .collect()
    })
}
