//! The table of functions in programs of Go's own compiler: it stays where symbols are stripped,
//! since the run-time needs it for its stacks.
//!
//! Source: Go's `internal/abi/symtab.go`, `runtime/symtab.go` (`pcHeader`, `moduledata`), of
//! Go 1.18 and later.

use crate::read::image::Image;
use object::{Object, ObjectSection};

/// The first word: of Go 1.18 and 1.19, and since 1.20.
const MAGIC: [u32; 2] = [0xffff_fff0, 0xffff_fff1];
/// Functions, at most.
const FUNCTIONS: usize = 1 << 20;
/// Bytes of a name, at most.
const NAME: usize = 1 << 14;
/// `text` in `moduledata`: behind the header, six slices, a pointer and two addresses.
const TEXT: usize = 22 * 8;

/// One function.
#[derive(Debug, PartialEq, Eq)]
pub struct Function<'a> {
    /// Address of its first byte.
    pub start: u64,
    /// Where the next one begins.
    pub end: u64,
    /// As Go has it: `package.function`.
    pub name: &'a str,
}

fn number(bytes: &[u8], at: usize, size: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(size)?)?;
    Some(
        bytes
            .iter()
            .rev()
            .fold(0, |all, b| all << 8 | u64::from(*b)),
    )
}

fn section<'a>(image: &Image<'a>, ending: &[u8]) -> Option<&'a [u8]> {
    let is_it = |name: &[u8]| name.ends_with(ending);
    let mut all = image.file.sections();
    let found = all.find(|section| section.name_bytes().is_ok_and(is_it))?;
    // The bytes live as long as the file's.
    match &image.file {
        object::File::Elf64(file) => {
            let section = file.section_by_index(found.index()).ok()?;
            section.data().ok()
        }
        _ => None,
    }
}

/// The functions of an ELF file by Go, in order; none of other files.
pub fn read<'a>(image: &Image<'a>) -> Vec<Function<'a>> {
    read_all(image).unwrap_or_default()
}

fn read_all<'a>(image: &Image<'a>) -> Option<Vec<Function<'a>>> {
    let table = section(image, b".gopclntab")?;
    functions(table, || text(image), |at| image.is_code(at))
}

/// The functions that a table has; `text` is where Go's code begins, if the table does not say.
fn functions(
    table: &[u8],
    text: impl FnOnce() -> Option<u64>,
    is_code: impl Fn(u64) -> bool,
) -> Option<Vec<Function<'_>>> {
    let magic = number(table, 0, 4)? as u32;
    if !MAGIC.contains(&magic) || number(table, 7, 1)? != 8 {
        return None;
    }
    let word = |at: usize| usize::try_from(number(table, 8 + at * 8, 8)?).ok();
    let (count, names, entries) = (word(0)?, word(3)?, word(7)?);
    // Since Go 1.26 the header does not say where the code begins.
    let text = match word(2)? as u64 {
        0 => text()?,
        text => text,
    };
    let (names, entries) = (table.get(names..)?, table.get(entries..)?);
    let place = |at: usize| Some((number(entries, at * 8, 4)?, number(entries, at * 8 + 4, 4)?));
    let mut out = Vec::new();
    let mut read = 0;
    for at in 0..count.min(FUNCTIONS) {
        let (start, record) = place(at)?;
        // Behind the last one there is its end alone.
        let end = number(entries, (at + 1) * 8, 4)?;
        let record = usize::try_from(record).ok()?;
        let name = names.get(number(entries, record.checked_add(4)?, 4)? as usize..)?;
        let length = name.iter().take(NAME).position(|byte| *byte == 0)?;
        // Each name is there for one function: a damaged table is not read over and over.
        read += length;
        if read > table.len() {
            return None;
        }
        let (start, end) = (text.checked_add(start)?, text.checked_add(end)?);
        if let Ok(name) = std::str::from_utf8(&name[..length])
            && start < end
            && is_code(start)
        {
            out.push(Function { start, end, name });
        }
    }
    Some(out)
}

/// Where Go's code begins: as `moduledata` has it, else with the section.
fn text(image: &Image<'_>) -> Option<u64> {
    let module = section(image, b".go.module").and_then(|bytes| number(bytes, TEXT, 8));
    let known = module.filter(|at| image.is_code(*at));
    known.or_else(|| {
        let mut all = image.code.iter();
        Some(all.find(|section| section.name == ".text")?.address)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of functions by their start, their end and the place of their name, with code that
    /// begins at `text`.
    fn table(text: u64, functions: &[(u32, u32)], end: u32, names: &[u8]) -> Vec<u8> {
        let entries = 8 + 8 * 8 + names.len();
        let records = functions.len() * 8 + 4;
        let mut all = MAGIC[1].to_le_bytes().to_vec();
        all.extend([0, 0, 1, 8]);
        let words = [functions.len() as u64, 0, text, 72, 0, 0, 0, entries as u64];
        all.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        all.extend(names);
        for (number, (start, _)) in functions.iter().enumerate() {
            all.extend(start.to_le_bytes());
            all.extend(((records + number * 8) as u32).to_le_bytes());
        }
        all.extend(end.to_le_bytes());
        for (start, name) in functions {
            all.extend(start.to_le_bytes());
            all.extend(name.to_le_bytes());
        }
        all
    }

    fn read(table: &[u8]) -> Option<Vec<Function<'_>>> {
        functions(table, || Some(0x1000), |at| at < 0x2000)
    }

    #[test]
    fn functions_have_starts_ends_and_names() {
        let names = b"main.main\0os.Exit\0";
        for (text, begins) in [(0, 0x1000), (0x1100, 0x1100)] {
            let table = table(text, &[(0, 0), (0x40, 10)], 0x60, names);
            let main = Function {
                start: begins,
                end: begins + 0x40,
                name: "main.main",
            };
            let exit = Function {
                start: begins + 0x40,
                end: begins + 0x60,
                name: "os.Exit",
            };
            assert_eq!(read(&table), Some(vec![main, exit]));
        }
    }

    #[test]
    fn what_is_no_code_or_empty_is_left_out() {
        let table = table(0, &[(0, 0), (0, 0), (0x1000, 0)], 0x1010, b"one\0");
        let all = read(&table).unwrap();
        assert_eq!(all.len(), 1, "{all:?}");
        assert_eq!((all[0].start, all[0].end), (0x1000, 0x2000));
    }

    #[test]
    fn damaged_tables_are_none_or_less() {
        let whole = table(0, &[(0, 0), (0x40, 4)], 0x60, b"one\0two\0");
        for length in 0..whole.len() {
            assert_eq!(read(&whole[..length]), None, "{length}");
        }
        for at in 0..whole.len() {
            let mut other = whole.clone();
            other[at] ^= 0xff;
            let _ = read(&other);
        }
    }

    #[test]
    fn one_name_for_all_ends_the_reading() {
        // As many functions as fit, all with one long name, would be read for each.
        let mut name = vec![b'a'; 4000];
        name.push(0);
        let functions: Vec<_> = (0..20).map(|number| (number * 16, 0)).collect();
        assert_eq!(read(&table(0, &functions, 400, &name)), None);
    }
}
