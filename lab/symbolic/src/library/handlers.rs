//! Tables of what catches what is thrown (`.gcc_except_table`): where a call lands, and for what.

use crate::memory::Image;
use karat_binary::read::{fdes, image as file};
use object::{Object, ObjectSection, ObjectSymbol};
use std::collections::HashMap;

/// Entries of a table, and types of a handler, at most.
const MOST: usize = 4096;

/// What those tables are called.
const KINDS: &str = "_ZTVN10__cxxabiv1";

/// Where a call lands from which something is thrown.
#[derive(Debug, PartialEq)]
pub(crate) enum Landing {
    /// Nowhere: its caller is asked.
    None,
    /// Nothing may be thrown there.
    Ends,
    /// The table says what is not followed.
    Unknown,
    /// There, with the numbers and types of what it catches, in order. A type of zero is any.
    Pad(u64, Vec<(u64, u64)>),
}

/// Code with its tables.
pub(crate) struct Handlers<'p> {
    /// Starts, ends, and where the tables are, sorted.
    all: Vec<(u64, u64, u64)>,
    /// Where the section of tables begins, and its bytes.
    section: (u64, &'p [u8]),
    /// Types of other files that the loader copies into this one, its own, and the tables of
    /// methods that say what kind of type one is.
    types: HashMap<u64, &'p str>,
}

impl<'p> Handlers<'p> {
    pub fn of(file: &file::Image<'p>) -> Self {
        let section = file.file.section_by_name(".gcc_except_table");
        let section = section.and_then(|section| Some((section.address(), section.data().ok()?)));
        Self {
            all: fdes::handlers(file),
            section: section.unwrap_or_default(),
            types: (file.file.dynamic_symbols().chain(file.file.symbols()))
                .filter(ObjectSymbol::is_definition)
                // Behind the name may be its version.
                .filter_map(|symbol| {
                    Some((symbol.address(), symbol.name().ok()?.split('@').next()?))
                })
                .filter(|(_, name)| name.starts_with("_ZTI") || name.starts_with(KINDS))
                .collect(),
        }
    }

    /// What a type is called that lies at an address.
    pub fn type_at(&self, at: u64) -> Option<&'p str> {
        self.types.get(&at).copied()
    }

    /// Where a call at an address lands.
    pub fn landing(&self, image: &Image<'p>, at: u64) -> Landing {
        let before = self.all.partition_point(|(start, ..)| *start <= at);
        let own = before.checked_sub(1).map(|number| self.all[number]);
        match own.filter(|(_, end, _)| at < *end) {
            None => Landing::Unknown,
            Some((.., 0)) => Landing::None,
            Some((start, _, table)) => {
                let section = self.section;
                let mut reader = Reader {
                    image,
                    section,
                    at: table,
                };
                reader.landing(start, at).unwrap_or(Landing::Unknown)
            }
        }
    }
}

struct Reader<'i, 'p> {
    image: &'i Image<'p>,
    section: (u64, &'p [u8]),
    at: u64,
}

impl Reader<'_, '_> {
    fn byte(&mut self) -> Option<u8> {
        let place = self.at.checked_sub(self.section.0)?;
        let byte = *self.section.1.get(usize::try_from(place).ok()?)?;
        self.at = self.at.wrapping_add(1);
        Some(byte)
    }

    /// A number of seven bits a byte (LEB128).
    fn unsigned(&mut self) -> Option<u64> {
        let mut value = 0;
        for by in (0..63).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << by;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn signed(&mut self) -> Option<i64> {
        let mut value = 0;
        for by in (0..63).step_by(7) {
            let byte = self.byte()?;
            value |= i64::from(byte & 0x7f) << by;
            if byte & 0x80 == 0 {
                let rest = 64 - by - 7;
                return Some(value << rest >> rest);
            }
        }
        None
    }

    fn four(&mut self) -> Option<u64> {
        let bytes = [self.byte()?, self.byte()?, self.byte()?, self.byte()?];
        Some(u64::from(u32::from_le_bytes(bytes)))
    }

    /// A number of a place in code.
    fn place(&mut self, encoding: u8) -> Option<u64> {
        match encoding {
            1 => self.unsigned(),
            3 => self.four(),
            _ => None,
        }
    }

    fn landing(&mut self, start: u64, at: u64) -> Option<Landing> {
        const OMITTED: u8 = 0xff;
        // Where landing pads are counted from is where the function begins.
        if self.byte()? != OMITTED {
            return None;
        }
        let encoding = self.byte()?;
        let types = match encoding {
            OMITTED => 0,
            _ => {
                let distance = self.unsigned()?;
                self.at.wrapping_add(distance)
            }
        };
        let places = self.byte()?;
        let size = self.unsigned()?;
        let actions = self.at.wrapping_add(size);
        for _ in 0..MOST {
            if self.at >= actions {
                break;
            }
            let from = start.wrapping_add(self.place(places)?);
            let size = self.place(places)?;
            let pad = self.place(places)?;
            let action = self.unsigned()?;
            if !(from..from.saturating_add(size)).contains(&at) {
                continue;
            }
            if pad == 0 {
                return Some(Landing::None);
            }
            let choices = match action {
                0 => Vec::new(),
                _ => self.choices(actions.wrapping_add(action - 1), types, encoding)?,
            };
            return Some(Landing::Pad(start.wrapping_add(pad), choices));
        }
        Some(Landing::Ends)
    }

    fn choices(&mut self, first: u64, types: u64, encoding: u8) -> Option<Vec<(u64, u64)>> {
        let mut out = Vec::new();
        self.at = first;
        for _ in 0..MOST {
            let number = self.signed()?;
            let from = self.at;
            let next = self.signed()?;
            match number {
                // It cleans up.
                0 => {}
                1.. => out.push((number as u64, self.kind(number as u64, types, encoding)?)),
                // What a function may throw is not followed.
                _ => return None,
            }
            if next == 0 {
                return Some(out);
            }
            self.at = from.wrapping_add_signed(next);
        }
        None
    }

    /// The type of a number.
    fn kind(&self, number: u64, types: u64, encoding: u8) -> Option<u64> {
        let at = types.wrapping_sub(number.wrapping_mul(4));
        let mut reader = Reader { at, ..*self };
        let value = reader.four()?;
        match encoding {
            3 => Some(value),
            // Where its address is, from here.
            0x9b if value == 0 => Some(0),
            0x9b => self
                .image
                .eight(at.wrapping_add_signed(i64::from(value as u32 as i32))),
            _ => None,
        }
    }
}
