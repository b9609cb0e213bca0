//! DWARF as a whole: compile units and where each crate's sources are.
//!
//! Of a unit only what its root entry says is kept. The rest is opened when it is
//! its turn and dropped behind it: all line tables and trees at once would take
//! more memory than the file.

use crate::debug::owner::Roots;
use crate::error::BinaryError;
use crate::read::sections::{DebugSections, SplitSections};
use gimli::{
    AttributeValue, DebugInfoOffset, DwarfPackage, DwoId, EndianSlice, LittleEndian, UnitHeader,
    UnitType,
};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// DWARF is read where [`DebugSections`] has it.
pub type Reader<'a> = EndianSlice<'a, LittleEndian>;

/// C++, of any year.
const CXX: [gimli::DwLang; 5] = [
    gimli::DW_LANG_C_plus_plus,
    gimli::DW_LANG_C_plus_plus_11,
    gimli::DW_LANG_C_plus_plus_14,
    gimli::DW_LANG_C_plus_plus_17,
    gimli::DW_LANG_C_plus_plus_20,
];

/// A compile unit with what attribution needs of its root entry.
pub struct CompileUnit<'a> {
    header: UnitHeader<Reader<'a>>,
    /// Offset of the unit in `.debug_info`.
    pub offset: usize,
    /// Whether rustc made it.
    pub is_rust: bool,
    /// Whether its language is C++.
    pub is_cxx: bool,
    /// Crate name (Rust) or directory of the source file (others).
    pub owner: String,
    /// Directory that relative file names start from.
    pub comp_dir: String,
    /// Whether it may have code: type units have none.
    pub has_code: bool,
}

/// A unit with its tables at hand.
pub struct OpenUnit<'d, 'a> {
    /// Index into [`Dwarf::units`].
    pub index: usize,
    /// What its root entry says.
    pub of: &'d CompileUnit<'a>,
    /// What the file itself has of it, its line table among it.
    pub unit: gimli::Unit<Reader<'a>>,
    /// The entries, where another file has them.
    split: Option<Split<'a>>,
}

/// The sections a unit's entries are in, and the unit there.
type Split<'a> = (Arc<gimli::Dwarf<Reader<'a>>>, gimli::Unit<Reader<'a>>);

/// The debug information of an image.
pub struct Dwarf<'a> {
    /// The sections, as gimli reads them.
    pub dwarf: gimli::Dwarf<Reader<'a>>,
    /// In the order of `.debug_info`, so sorted by offset.
    pub units: Vec<CompileUnit<'a>>,
    /// Where the sources of its crates lie.
    pub roots: Roots,
    /// Why there is less than one would like; reported with survival.
    pub problem: Option<String>,
    /// Bytes of the files, decompressed.
    pub size: usize,
    packages: Vec<DwarfPackage<Reader<'a>>>,
    objects: HashMap<DwoId, Arc<gimli::Dwarf<Reader<'a>>>>,
}

/// Turns a gimli error into ours, naming the section it happened in.
pub fn dwarf_error(place: String) -> impl Fn(gimli::Error) -> BinaryError {
    move |error| BinaryError::malformed(place.clone(), error)
}

impl<'a> Dwarf<'a> {
    /// Loads the sections and the root entry of each unit.
    ///
    /// # Errors
    /// [`BinaryError::Malformed`] for damaged headers or root entries.
    pub fn read(sections: &'a DebugSections<'_>) -> Result<Self, BinaryError> {
        let slice = |bytes: &'a Cow<'_, [u8]>| EndianSlice::new(bytes, LittleEndian);
        let mut dwarf = sections.sections.borrow(slice);
        dwarf.populate_abbreviations_cache(gimli::AbbreviationsCacheStrategy::Duplicates);
        let mut out = Self {
            dwarf,
            units: Vec::new(),
            roots: Roots::default(),
            problem: None,
            size: sections.size,
            packages: Vec::new(),
            objects: HashMap::new(),
        };
        for file in &sections.split {
            match file {
                SplitSections::Package(package) => {
                    let empty = EndianSlice::new(&[], LittleEndian);
                    let package = package.borrow(slice, empty);
                    let error = dwarf_error("the index of a .dwp file".into());
                    out.packages.push(package.map_err(error)?);
                }
                SplitSections::Object(object) => {
                    let mut dwo = object.borrow(slice);
                    dwo.make_dwo(&out.dwarf);
                    let error = dwarf_error("section .debug_info.dwo of a .dwo file".into());
                    if let Some(id) = dwo_id(&dwo).map_err(error)? {
                        out.objects.insert(id, Arc::new(dwo));
                    }
                }
            }
        }
        let missing = out.read_units()?;
        out.roots.sort();
        out.problem = if out.units.is_empty() {
            Some("the binary has no DWARF line tables (build with debug = \"limited\")".into())
        } else if missing > 0 {
            Some(format!(
                "the debug information is split, and the .dwp or .dwo files of {missing} of {} \
                 units were not found",
                out.units.len()
            ))
        } else {
            None
        };
        Ok(out)
    }

    /// Reads the root entries; returns how many units have theirs in files that
    /// are not there.
    fn read_units(&mut self) -> Result<usize, BinaryError> {
        let mut missing = 0;
        let mut headers = self.dwarf.units();
        while let Some(header) = headers
            .next()
            .map_err(dwarf_error("section .debug_info, a unit header".into()))?
        {
            let Some(DebugInfoOffset(offset)) = header.debug_info_offset() else {
                continue;
            };
            let place = format!("section .debug_info, the unit at {offset:#x}");
            let (unit, is_missing) = self
                .compile_unit(header, offset)
                .map_err(dwarf_error(place))?;
            missing += usize::from(is_missing);
            self.units.push(unit);
        }
        Ok(missing)
    }

    fn compile_unit(
        &mut self,
        header: UnitHeader<Reader<'a>>,
        offset: usize,
    ) -> gimli::Result<(CompileUnit<'a>, bool)> {
        let unit = self.dwarf.unit(header)?;
        let split = self.split_of(&unit)?;
        let lossy = |reader: Option<Reader<'a>>| {
            reader.map_or(String::new(), |r| String::from_utf8_lossy(r.slice()).into())
        };
        let comp_dir = lossy(unit.comp_dir);
        let full = split.as_ref().map_or(&unit, |(_, full)| full);
        let mut entries = full.entries();
        let root = entries.next_dfs()?;
        let language = match root.and_then(|root| root.attr_value(gimli::DW_AT_language)) {
            Some(AttributeValue::Language(language)) => Some(language),
            _ => None,
        };
        let is_rust = language == Some(gimli::DW_LANG_Rust);
        let is_cxx = language.is_some_and(|language| CXX.contains(&language));
        let owner = self.roots.add_unit(&lossy(full.name), &comp_dir, is_rust);
        let has_code = !matches!(
            header.type_(),
            UnitType::Type { .. } | UnitType::SplitType { .. }
        );
        let is_missing = unit.dwo_id.is_some() && split.is_none();
        let unit = CompileUnit {
            header,
            offset,
            is_rust,
            is_cxx,
            owner,
            comp_dir,
            has_code,
        };
        Ok((unit, is_missing))
    }

    /// What another file has of a unit, if it was given.
    fn split_of(&self, unit: &gimli::Unit<Reader<'a>>) -> gimli::Result<Option<Split<'a>>> {
        let Some(id) = unit.dwo_id else {
            return Ok(None);
        };
        let mut found = None;
        for package in &self.packages {
            found = package.find_cu(id, &self.dwarf)?.map(Arc::new);
            if found.is_some() {
                break;
            }
        }
        let Some(dwarf) = found.or_else(|| self.objects.get(&id).cloned()) else {
            return Ok(None);
        };
        let mut headers = dwarf.units();
        while let Some(header) = headers.next()? {
            let mut full = dwarf.unit(header)?;
            if full.dwo_id == Some(id) {
                full.copy_relocated_attributes(unit);
                return Ok(Some((dwarf, full)));
            }
        }
        Ok(None)
    }

    /// Opens a unit by its index.
    ///
    /// # Errors
    /// When the unit is damaged.
    pub fn open<'d>(&'d self, index: usize) -> gimli::Result<OpenUnit<'d, 'a>> {
        let of = &self.units[index];
        let unit = self.dwarf.unit(of.header)?;
        let split = self.split_of(&unit)?;
        Ok(OpenUnit {
            index,
            of,
            unit,
            split,
        })
    }

    /// The index of the unit that holds an offset of `.debug_info`.
    pub fn unit_at(&self, offset: usize) -> Option<usize> {
        self.units
            .partition_point(|unit| unit.offset <= offset)
            .checked_sub(1)
    }

    /// Files that units leave their entries to: identity and path.
    pub fn split_files(&self) -> Vec<(u64, String)> {
        let mut out = Vec::new();
        for index in 0..self.units.len() {
            let Ok(open) = self.open(index) else {
                continue;
            };
            let (Some(id), Ok(Some(name))) = (open.unit.dwo_id, open.unit.dwo_name()) else {
                continue;
            };
            let name = text(&self.dwarf, &open.unit, name);
            out.push((id.0, crate::debug::owner::join(&open.of.comp_dir, name)));
        }
        out
    }
}

impl<'a> OpenUnit<'_, 'a> {
    /// The unit with the entries, and the sections they are in.
    pub fn full<'u>(
        &'u self,
        dwarf: &'u Dwarf<'a>,
    ) -> (&'u gimli::Dwarf<Reader<'a>>, &'u gimli::Unit<Reader<'a>>) {
        match &self.split {
            Some((dwarf, unit)) => (dwarf, unit),
            None => (&dwarf.dwarf, &self.unit),
        }
    }

    /// Whether the entries are in another file, whose offsets are its own.
    pub fn is_split(&self) -> bool {
        self.split.is_some()
    }
}

/// A string attribute as text; empty when it cannot be read.
pub fn text<'a>(
    dwarf: &gimli::Dwarf<Reader<'a>>,
    unit: &gimli::Unit<Reader<'a>>,
    value: AttributeValue<Reader<'a>>,
) -> &'a str {
    dwarf
        .attr_string(unit, value)
        .ok()
        .and_then(|reader| std::str::from_utf8(reader.slice()).ok())
        .unwrap_or("")
}

/// The identity of the compile unit in a `.dwo` file.
fn dwo_id(dwo: &gimli::Dwarf<Reader<'_>>) -> gimli::Result<Option<DwoId>> {
    let mut headers = dwo.units();
    while let Some(header) = headers.next()? {
        let id = dwo.unit(header)?.dwo_id;
        if id.is_some() {
            return Ok(id);
        }
    }
    Ok(None)
}
