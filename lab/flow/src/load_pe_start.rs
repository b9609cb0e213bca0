//! What a Windows program runs before its `main`: functions in tables that the run-time
//! library goes through.

use super::program::{Entry, Program, Word};
use object::read::pe::PeFile64;
use object::{Object, ObjectSection};

/// Entries of a table of MinGW's, at most.
const LIST: u64 = 4096;
/// What goes through a table, from one address to another.
const THROUGH: [&str; 2] = ["_initterm", "_initterm_e"];

impl<'a> Program<'a> {
    /// Enters functions that run before `main`. Returns where the tables of them lie: nobody
    /// else goes by these pointers.
    pub(crate) fn read_pe_start(&mut self, file: &PeFile64<'a>) -> Vec<(u64, u64)> {
        let mut tables = self.given_to_initterm();
        // MinGW keeps the section that Microsoft's linker merges into others.
        let sections = file.sections();
        tables.extend(
            sections
                .filter(|section| section.name() == Ok(".CRT"))
                .map(|section| {
                    let start = section.address();
                    (start, start.saturating_add(section.size()))
                }),
        );
        let mut starts: Vec<u64> = (self.words.iter())
            .filter_map(|(place, word)| match word {
                Word::Address(to) if is_in(&tables, place) => Some(to),
                _ => None,
            })
            .collect();
        starts.extend(self.constructors(file));
        starts.sort_unstable();
        for start in starts {
            self.enter(start, Entry::Start);
        }
        tables
    }

    /// `lea rcx, [first]; lea rdx, [end]; call _initterm`, in either order.
    fn given_to_initterm(&self) -> Vec<(u64, u64)> {
        let mut out = Vec::new();
        let is_one = |slot: u64| {
            let word = self.words.get(slot);
            matches!(word, Some(Word::Import(name)) if THROUGH.contains(&name))
        };
        if !self.words.imports().any(|name| THROUGH.contains(&name)) {
            return out;
        }
        let four = |bytes: &[u8]| {
            let four = <[u8; 4]>::try_from(bytes).ok()?;
            Some(i64::from(i32::from_le_bytes(four)) as u64)
        };
        for &(start, bytes) in &self.code {
            for (at, window) in (start..).zip(bytes.windows(20)) {
                let [0x48, 0x8d, first @ (0x0d | 0x15)] = window[..3] else {
                    continue;
                };
                let [0x48, 0x8d, second @ (0x0d | 0x15)] = window[7..10] else {
                    continue;
                };
                let (Some(one), Some(two)) = (four(&window[3..7]), four(&window[10..14])) else {
                    continue;
                };
                let (one, two) = (
                    at.wrapping_add(7).wrapping_add(one),
                    at.wrapping_add(14).wrapping_add(two),
                );
                // `call [slot]`, or `call stub`.
                let slot = match window[14..16] {
                    [0xff, 0x15] => {
                        four(&window[16..20]).map(|by| at.wrapping_add(20).wrapping_add(by))
                    }
                    [0xe8, _] => four(&window[15..19]).and_then(|by| {
                        let stub = at.wrapping_add(19).wrapping_add(by);
                        self.stubs.get(&stub).copied()
                    }),
                    _ => None,
                };
                if first == second || !slot.is_some_and(is_one) {
                    continue;
                }
                out.push(if first == 0x0d {
                    (one, two)
                } else {
                    (two, one)
                });
            }
        }
        out
    }

    /// MinGW's `__CTOR_LIST__`, in code or in data: −1, functions, zero. Only where the
    /// loader moves the functions with the file: other words mean nothing by themselves. GNU's
    /// linker puts the list of destructors right behind it, which begins with −1 too; where
    /// another linker puts that elsewhere, a word (`.refptr.__CTOR_LIST__`) or a `lea` has the
    /// list's address. Compilers keep constants of ones and pairs of pointers side by side.
    fn constructors(&self, file: &PeFile64<'a>) -> Vec<u64> {
        let word = |at: u64| {
            let code = at.checked_add(8).and_then(|end| self.bytes(at, end));
            match code.and_then(|bytes| <[u8; 8]>::try_from(bytes).ok()) {
                Some(bytes) => Some(u64::from_le_bytes(bytes)),
                None => self.stored(at),
            }
        };
        let directories = file.data_directories();
        let blocks = directories.relocation_blocks(file.data(), &file.section_table());
        let Ok(Some(blocks)) = blocks else {
            return Vec::new();
        };
        let mut moved: Vec<u64> = blocks
            .flatten()
            .flatten()
            .filter(|one| one.typ == object::pe::IMAGE_REL_BASED_DIR64)
            .map(|one| self.image_base.wrapping_add(u64::from(one.virtual_address)))
            .collect();
        moved.sort_unstable();
        let is_moved = |at: u64| moved.binary_search(&at).is_ok();
        let mut out = Vec::new();
        for &first in &moved {
            if first.checked_sub(8).and_then(word) != Some(u64::MAX) {
                continue;
            }
            let places = (0..LIST).map_while(|n| first.checked_add(n * 8));
            let list: Vec<u64> = places.take_while(|at| is_moved(*at)).collect();
            let end = first.saturating_add(list.len() as u64 * 8);
            let targets: Vec<u64> = list.iter().filter_map(|at| word(*at)).collect();
            if word(end) == Some(0)
                && targets.iter().all(|to| self.is_code(*to))
                && (word(end.saturating_add(8)) == Some(u64::MAX) || self.is_had(first - 8, &moved))
            {
                out.extend(targets);
            }
        }
        out
    }

    /// Whether a word that is moved with the file, or a `lea`, has an address.
    fn is_had(&self, address: u64, moved: &[u64]) -> bool {
        let leads = |start: u64, bytes: &[u8]| {
            let mut leas = (start..).zip(bytes.windows(7)).filter(|(_, lea)| {
                // REX.W, LEA, relative to the next instruction.
                lea[0] & 0xf8 == 0x48 && lea[1] == 0x8d && lea[2] & 0xc7 == 0x05
            });
            leas.any(|(at, lea)| {
                let by = i32::from_le_bytes([lea[3], lea[4], lea[5], lea[6]]);
                at.wrapping_add(7).wrapping_add_signed(by.into()) == address
            })
        };
        moved.iter().any(|at| self.stored(*at) == Some(address))
            || (self.code.iter()).any(|&(start, bytes)| leads(start, bytes))
    }
}

pub(crate) fn is_in(ranges: &[(u64, u64)], address: u64) -> bool {
    ranges
        .iter()
        .any(|(start, end)| (*start..*end).contains(&address))
}
