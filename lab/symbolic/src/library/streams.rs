//! The streams that C++ begins with, as far as what compilers write out of `std::endl`,
//! `std::setw` and the like reads of them (GCC 12, `bits/ios_base.h`, `bits/basic_ios.h` and
//! `bits/locale_facets.h`, as its ABI has them).

use crate::bits::Word;
use crate::machine::Machine;
use crate::memory::Memory;
use karat_binary::read::image as file;
use object::{Object, ObjectSymbol};

const NAMES: [&str; 3] = ["_ZSt4cout", "_ZSt4cerr", "_ZSt4clog"];
/// Where their table of methods is, behind where the object's own part lies in it; and what tells
/// of characters.
const TABLE: u64 = 0x6f00_3000_1000;
const CHARACTERS: u64 = 0x6f00_3000_2000;
/// Where the part that all streams have begins; in it: the width of what is written next, flags,
/// the state, and what tells of characters.
const BASE: u64 = 8;
const WIDTH: u64 = BASE + 0x10;
const FLAGS: u64 = BASE + 0x18;
const STATE: u64 = BASE + 0x20;
const FACET: u64 = BASE + 0xf0;
/// `skipws` and `dec`.
const DEFAULT: u64 = 0x1002;
/// Of what tells of characters: whether it has them all as they are, and these.
const HAS: u64 = 0x38;
const ALL: u64 = 0x39;

impl<'p> Machine<'p> {
    /// Whether a word is the address of one of them.
    pub fn is_open_stream(&self, word: &Word) -> bool {
        word.known().is_some_and(|at| self.streams.contains(&at))
    }

    /// Puts them where a program has them, or where another file is said to.
    pub fn open_streams(&mut self, memory: &mut Memory, file: &file::Image<'p>) {
        let others = self.image.program.words.imports();
        let others = others.filter(|name| is_stream(name));
        let others = others.map(|name| self.image.import(name));
        let symbols = file.file.dynamic_symbols().chain(file.file.symbols());
        let own = symbols.filter(|symbol| symbol.is_definition());
        let own = own.filter(|symbol| symbol.name().is_ok_and(is_stream));
        let mut all: Vec<u64> = others.chain(own.map(|symbol| symbol.address())).collect();
        all.sort_unstable();
        all.dedup();
        if all.is_empty() {
            return;
        }
        self.streams.clone_from(&all);
        for at in all {
            for (place, value) in [
                (0, TABLE),
                (WIDTH, 0),
                (FLAGS, DEFAULT),
                (STATE, 0),
                (FACET, CHARACTERS),
            ] {
                memory.write(at + place, &Word::Known(value), 8);
            }
        }
        memory.write(TABLE - 24, &Word::Known(BASE), 8);
        memory.write(CHARACTERS + HAS, &Word::Known(1), 1);
        for byte in 0..256 {
            memory.write(CHARACTERS + ALL + byte, &Word::Known(byte), 1);
        }
    }
}

/// Whether a function writes to the stream that it is given first.
pub(super) fn writes(name: &str) -> bool {
    let all = ["_ZNSo", "_ZStls", "_ZSt16__ostream_insert", "_ZSt4endl"];
    all.iter().any(|start| name.starts_with(start))
}

fn is_stream(name: &str) -> bool {
    NAMES.contains(&name)
}
