//! The catalogue that karat brings along, as bytes that take no parsing: what an audit compares
//! with, mnemonics as numbers. To read the TOML files took longer than to count a small program,
//! and a mnemonic of its own for each count a megabyte.
//!
//! `builtin.bin` is made of the TOML files by `cargo xtask bless`; a test compares both.
//!
//! Numbers are written in groups of seven bits, the lowest first, the last without the highest
//! bit (LEB128). Lists and texts stand behind their length.

use super::compiled::{Catalogue, Entry, needs};
use super::mix::{Key, Mix};
use karat_model::catalogue::Library;

/// What [`pack`] made of the files.
const BUILTIN: &[u8] = include_bytes!("../../catalogue/builtin.bin");

/// What of libraries a search goes by, as `builtin.bin` has it.
#[must_use]
pub fn pack(libraries: &[Library]) -> Vec<u8> {
    let mut out = Writer(Vec::new());
    out.list(libraries, |out, library| {
        out.text(&library.name);
        out.list(&library.prefixes, |out, prefix| out.text(prefix));
        out.list(&library.kernels, |out, kernel| {
            out.text(&kernel.name);
            out.text(&kernel.isa);
            out.list(&kernel.symbols, |out, symbol| out.text(symbol));
            out.list(&kernel.constants, |out, (name, bytes)| {
                out.text(name);
                out.bytes(bytes);
            });
            out.list(&needs(kernel), |out, key| out.number((*key).into()));
            let named = kernel.builds.iter();
            let builds = named.filter_map(|b| Some((b, Mix::from_named(&b.mix)?)));
            out.list(&builds.collect::<Vec<_>>(), |out, (build, mix)| {
                out.text(&build.of);
                out.list(&mix.counts, |out, (key, count)| {
                    out.number((*key).into());
                    out.number((*count).into());
                });
                out.bytes(build.loads.as_flattened());
                out.list(&build.immediates, |out, number| out.number(*number));
            });
        });
    });
    out.0
}

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

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, mut number: u64) {
        while number > 0x7f {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn list<T>(&mut self, all: &[T], mut one: impl FnMut(&mut Self, &T)) {
        self.number(all.len() as u64);
        all.iter().for_each(|item| one(self, item));
    }
}

/// What is left to be read. Behind the end all is zero.
struct Reader(&'static [u8]);

impl Reader {
    fn number(&mut self) -> u64 {
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

    fn text(&mut self) -> &'static str {
        std::str::from_utf8(self.bytes()).unwrap_or_default()
    }

    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.number()).map(|_| one(self)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::builtin;

    #[test]
    fn it_is_made_of_the_files() {
        assert!(
            pack(builtin()) == BUILTIN,
            "catalogue/builtin.bin is not what the TOML files make: \
             cargo run --release -p karat-audit --example catalogue_pack"
        );
    }

    /// What is read of the bytes is what is taken from the files themselves.
    #[test]
    fn a_search_goes_by_the_same() {
        let mut packed = Catalogue::empty();
        packed.add_builtin();
        let mut parsed = Catalogue::empty();
        builtin().iter().for_each(|library| parsed.add(library));
        assert!(packed.kernels.len() > 200 && packed.prints.len() > 400);
        assert_eq!(packed.kernels, parsed.kernels);
        assert_eq!(packed.prints, parsed.prints);
        packed.names.finish();
        parsed.names.finish();
        assert_eq!(packed.names.listed(), parsed.names.listed());
    }

    #[test]
    fn numbers_of_all_lengths() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let mut out = Writer(Vec::new());
        out.list(&numbers, |out, number| out.number(*number));
        let mut all = Reader(out.0.leak());
        assert_eq!(all.list(Reader::number), numbers);
        assert_eq!((all.number(), all.text()), (0, ""));
    }
}
