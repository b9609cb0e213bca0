//! Reads sections, symbols, fixups and linkage stubs of a macOS program into a [`Program`].
//!
//! Source: Apple's `mach-o/loader.h` and `mach-o/fixup-chains.h`.

use super::modules::exported;
use super::program::{Entry, Program, Word};
use super::references::References;
use karat_binary::read::image::Image;
use karat_binary::read::mach;
use object::macho;
use object::read::ExportTarget;
use object::read::macho::{Fixup, LoadCommandVariant, MachOFile64, Segment};
use object::{Object, ObjectSection, ObjectSymbol, SectionFlags, SymbolKind};
use std::collections::{BTreeMap, HashMap, HashSet};

type File<'a> = MachOFile64<'a, object::Endianness>;

/// Sections of pointers that the linker makes, and that the loader fills in.
const SLOTS: [&str; 4] = ["__got", "__la_symbol_ptr", "__nl_symbol_ptr", "__auth_got"];
/// Sections that only the unwinder and the debugger read.
const UNWINDING: [&str; 3] = ["__eh_frame", "__unwind_info", "__gcc_except_tab"];

impl<'a> Program<'a> {
    pub(crate) fn read_mach(&mut self, image: &'a Image<'a>, file: &'a File<'a>) {
        self.is_fixed = false;
        self.is_library = file.macho_header().filetype.get(file.endian()) != macho::MH_EXECUTE;
        let (starts, offsets) = self.read_mach_sections(file);
        let known: HashSet<u64> = mach::function_starts(file).into_iter().collect();
        for routine in &mut self.routines {
            if known.contains(&routine.start) {
                routine.is_guess = false;
                routine.is_open = false;
            }
        }
        let own = self.read_mach_symbols(image);
        self.read_mach_fixups(file, &own);
        if self.start != 0 {
            self.enter(self.start, Entry::Start);
        }
        let mut pointers = References::new(self.base);
        let mut roots = offsets;
        for (place, word) in self.words.iter() {
            if let Word::Address(to) = word {
                if starts.iter().any(|range| range.contains(&place)) {
                    roots.push(to);
                } else if !self.is_got(place) {
                    pointers.push((to, place));
                }
            }
        }
        pointers.sort();
        self.pointers = pointers;
        for root in roots {
            self.enter(root, Entry::Start);
        }
    }

    /// Returns where lists of functions lie that the loader calls, and such functions.
    fn read_mach_sections(&mut self, file: &File<'a>) -> (Vec<std::ops::Range<u64>>, Vec<u64>) {
        let (mut lists, mut roots) = (Vec::new(), Vec::new());
        let base = file.relative_address_base();
        for section in file.sections() {
            let SectionFlags::MachO { flags, .. } = section.flags() else {
                continue;
            };
            let segment = section.segment_name().ok().flatten().unwrap_or("");
            let name = section.name().unwrap_or("");
            if flags.intersects(macho::S_ATTR_PURE_INSTRUCTIONS | macho::S_ATTR_SOME_INSTRUCTIONS)
                || UNWINDING.contains(&name)
                || segment == "__DWARF"
            {
                continue;
            }
            let start = section.address();
            let Some(end) = start.checked_add(section.size()) else {
                continue;
            };
            let bytes = section.data().unwrap_or(&[]);
            match name {
                "__mod_init_func" | "__mod_term_func" => lists.push(start..end),
                "__init_offsets" => roots.extend(bytes.chunks_exact(4).map(|four| {
                    let distance = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
                    base.wrapping_add(u64::from(distance))
                })),
                _ => {}
            }
            let is_slots = SLOTS.contains(&name);
            let is_constant =
                is_slots || segment == "__DATA_CONST" || name == "__const" || segment == "__TEXT";
            self.data.push((start, end, !is_constant));
            if is_slots {
                self.got.push((start, end));
            } else if is_constant && segment != "__TEXT" {
                self.relro.push((start, end));
            }
            if !bytes.is_empty() {
                self.contents.push((start, bytes));
            }
        }
        self.data.sort_unstable();
        self.contents.sort_unstable_by_key(|(start, _)| *start);
        (lists, roots)
    }

    /// Returns addresses of what other files may use by name: a weak symbol is bound by its
    /// name even in the file that has it.
    fn read_mach_symbols(&mut self, image: &'a Image<'a>) -> HashMap<String, u64> {
        let mut named: BTreeMap<u64, &'a str> = BTreeMap::new();
        let mut own = HashMap::new();
        for symbol in image.file.symbols() {
            if !symbol.is_definition() {
                continue;
            }
            let address = symbol.address();
            let name = plain(symbol.name().unwrap_or(""));
            if symbol.scope() == object::SymbolScope::Dynamic {
                own.insert(name.to_owned(), address);
            }
            if self.is_code(address) {
                if matches!(name, "main" | "start") {
                    self.enter(address, Entry::Start);
                } else if symbol.scope() == object::SymbolScope::Dynamic {
                    self.enter(address, exported(name.as_bytes()));
                }
            } else if symbol.kind() == SymbolKind::Data && self.is_data(address) {
                named.entry(address).or_insert(name);
            }
        }
        // Of a stripped library only this list of what it exports is left.
        for export in image.file.exports().into_iter().flatten().flatten() {
            if let ExportTarget::Address { address } = export.target() {
                self.enter(address, Entry::Exported);
                if let object::read::NameOrOrdinal::Name(name) = export.name() {
                    let name = String::from_utf8_lossy(name);
                    own.insert(plain(&name).to_owned(), address);
                }
            }
        }
        self.add_unsized(&named);
        own
    }

    /// Words that the loader moves, and words that it fills in with what is imported.
    fn read_mach_fixups(&mut self, file: &File<'a>, own: &HashMap<String, u64>) {
        let bound = |name: &'a str, addend: i64| match own.get(name) {
            Some(at) => Word::Address(at.wrapping_add(addend as u64)),
            None => Word::Import(name),
        };
        let (endian, data) = (file.endian(), file.data());
        let Ok(commands) = file.macho_load_commands() else {
            return;
        };
        let mut segments: Vec<(u64, &'a [u8])> = Vec::new();
        let mut text = 0;
        for command in commands.flatten() {
            if let Ok(LoadCommandVariant::Segment64(segment, _)) = command.variant() {
                let start = segment.vmaddr.get(endian);
                if segment.name() == b"__TEXT" {
                    text = start;
                }
                segments.push((start, segment.data(endian, data).unwrap_or(&[])));
            }
        }
        for command in commands.flatten() {
            match command.variant() {
                Ok(LoadCommandVariant::DyldInfo(info)) => {
                    let rebases = info.rebases(endian, data, 8);
                    for rebase in rebases.into_iter().flatten().flatten() {
                        let place = segments
                            .get(usize::from(rebase.segment_index))
                            .map(|(start, _)| start.wrapping_add(rebase.segment_offset));
                        if let Some(place) = place
                            && let Some(to) = self.stored(place)
                        {
                            self.words.insert(place, Word::Address(to));
                        }
                    }
                    let all = [
                        info.binds(endian, data, 8),
                        info.weak_binds(endian, data, 8),
                        info.lazy_binds(endian, data, 8),
                    ];
                    for bind in all.into_iter().flatten().flatten().flatten() {
                        let place = segments
                            .get(usize::from(bind.segment_index))
                            .map(|(start, _)| start.wrapping_add(bind.segment_offset));
                        let (Some(place), Ok(name)) = (place, std::str::from_utf8(bind.symbol))
                        else {
                            continue;
                        };
                        // A word that is moved too has its own symbol, which another file's
                        // may replace; but a slot that is filled in late leads to the linker's
                        // helper until then.
                        let is_own = !self.is_got(place)
                            && matches!(self.words.get(place), Some(Word::Address(_)));
                        if !is_own || own.contains_key(plain(name)) {
                            self.words.insert(place, bound(plain(name), bind.addend));
                        }
                    }
                }
                Ok(LoadCommandVariant::LinkeditData(chained))
                    if command.cmd() == macho::LC_DYLD_CHAINED_FIXUPS =>
                {
                    let Ok(fixups) = chained.chained_fixups(endian, data) else {
                        continue;
                    };
                    let imports = fixups.imports(endian).into_iter().flatten();
                    let names: Vec<&'a str> = imports
                        .map_while(Result::ok)
                        .map(|import| plain(std::str::from_utf8(import.name).unwrap_or("")))
                        .collect();
                    for chain in fixups.segments(endian).into_iter().flatten().flatten() {
                        let Some(&(start, bytes)) = segments.get(chain.index() as usize) else {
                            continue;
                        };
                        for (at, fixup) in chain.fixups(endian, text, bytes).flatten() {
                            let place = start.wrapping_add(at);
                            match fixup {
                                Fixup::Rebase(rebase) => {
                                    let to = text.wrapping_add(rebase.target_offset);
                                    self.words.insert(place, Word::Address(to));
                                }
                                Fixup::Bind(bind) => {
                                    if let Some(name) = names.get(bind.ordinal as usize) {
                                        self.words.insert(place, bound(name, bind.addend.into()));
                                    }
                                }
                                _ => {}
                            }
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

/// Compilers put an underscore before every name.
fn plain(name: &str) -> &str {
    name.strip_prefix('_').unwrap_or(name)
}
