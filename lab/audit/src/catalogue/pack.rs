//! How `builtin.bin` is made of the TOML files; `cargo xtask bless` writes it again.

use super::builtin;
use super::compiled::{Catalogue, needs};
use super::mix::Mix;
use super::packed::{BUILTIN, Reader};
use karat_model::catalogue::Library;

/// What of libraries a search goes by, as `builtin.bin` has it.
fn pack(libraries: &[Library]) -> Vec<u8> {
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

#[test]
fn it_is_made_of_the_files() {
    let packed = pack(builtin());
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/catalogue/builtin.bin");
        std::fs::write(path, &packed).unwrap();
        return;
    }
    let made = "catalogue/builtin.bin is not what the TOML files make: cargo xtask bless";
    assert!(packed == BUILTIN, "{made}");
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
