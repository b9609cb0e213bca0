//! The catalogue that karat brings along, as bytes that take no parsing: what an audit compares
//! with, mnemonics as numbers. To read the TOML files took longer than to count a small program,
//! and a mnemonic of its own for each count a megabyte.
//!
//! `builtin.bin` is made of the TOML files by `cargo xtask bless`; a test compares both.
//!
//! Numbers are written in groups of seven bits, the lowest first, the last without the highest
//! bit (LEB128). Lists and texts stand behind their length.

use super::compiled::{Catalogue, Entry};
use super::mix::{Key, Mix};

/// What `pack.rs` made of the files.
pub(super) const BUILTIN: &[u8] = include_bytes!("../../catalogue/builtin.bin");

impl Catalogue<'_> {
    /// Adds what karat brings along.
    pub(super) fn add_builtin(&mut self) {
        let mut all = Reader(BUILTIN);
        for _ in 0..all.number() {
            let library = all.text();
            for _ in 0..all.number() {
                self.names.add_prefix(all.text());
            }
            for _ in 0..all.number() {
                self.add_packed(library, &mut all);
            }
        }
    }

    fn add_packed(&mut self, library: &'static str, all: &mut Reader) {
        let (name, isa) = (all.text(), all.text());
        let symbols = all.list(Reader::text);
        let entry = Entry {
            library,
            name,
            isa,
            constants: all.list(|all| (all.text(), all.bytes())),
            needs: all.list(|all| all.number() as Key),
        };
        self.add_kernel(entry, symbols);
        for _ in 0..all.number() {
            let of = all.text();
            let count = all.number();
            let mix = Mix::of((0..count).map(|_| (all.number() as Key, all.number() as u32)));
            let (loads, _) = all.bytes().as_chunks();
            self.add_print(of, mix, loads, all.list(Reader::number).into());
        }
    }
}

/// What is left to be read. Behind the end all is zero.
pub(super) struct Reader(pub &'static [u8]);

impl Reader {
    pub fn number(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        while let Some((byte, rest)) = self.0.split_first() {
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            shift = (shift + 7) & 63;
            if byte & 0x80 == 0 {
                break;
            }
        }
        number
    }

    fn bytes(&mut self) -> &'static [u8] {
        let length = self.number() as usize;
        let (bytes, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        bytes
    }

    pub fn text(&mut self) -> &'static str {
        std::str::from_utf8(self.bytes()).unwrap_or_default()
    }

    pub fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.number()).map(|_| one(self)).collect()
    }
}
