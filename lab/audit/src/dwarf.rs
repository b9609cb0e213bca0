//! DWARF as a whole: sections, compile units and where each crate's sources are.

use crate::error::AuditError;
use crate::owner::Roots;
use crate::sections::DebugSections;
use gimli::{AttributeValue, DebugInfoOffset, EndianSlice, LittleEndian};

/// DWARF is read where [`DebugSections`] has it.
pub(crate) type Reader<'a> = EndianSlice<'a, LittleEndian>;

/// A compile unit with what attribution needs of its root entry.
pub(crate) struct CompileUnit<'a> {
    pub unit: gimli::Unit<Reader<'a>>,
    /// Offset of the unit in `.debug_info`.
    pub offset: usize,
    pub is_rust: bool,
    /// Crate name (Rust) or directory of the source file (others).
    pub owner: String,
    /// Directory that relative file names start from.
    pub comp_dir: String,
}

/// The debug information of an image.
pub(crate) struct Dwarf<'a> {
    pub dwarf: gimli::Dwarf<Reader<'a>>,
    /// In the order of `.debug_info`, so sorted by offset.
    pub units: Vec<CompileUnit<'a>>,
    pub roots: Roots,
    /// Why there is less than one would like; reported with survival.
    pub problem: Option<&'static str>,
    /// Bytes of the file, decompressed.
    pub size: usize,
}

/// Turns a gimli error into ours, naming the section it happened in.
pub(crate) fn dwarf_error(place: String) -> impl Fn(gimli::Error) -> AuditError {
    move |error| AuditError::malformed(place.clone(), error)
}

impl<'a> Dwarf<'a> {
    /// Loads the sections and the root entry of each unit.
    pub fn read(sections: &'a DebugSections<'_>) -> Result<Self, AuditError> {
        let mut dwarf = sections
            .sections
            .borrow(|bytes| EndianSlice::new(bytes, LittleEndian));
        dwarf.populate_abbreviations_cache(gimli::AbbreviationsCacheStrategy::Duplicates);
        let mut units = Vec::new();
        let mut roots = Roots::default();
        // With a part compressed the rest cannot be followed.
        if !sections.unreadable {
            let mut headers = dwarf.units();
            while let Some(header) = headers
                .next()
                .map_err(dwarf_error("section .debug_info, a unit header".into()))?
            {
                let Some(DebugInfoOffset(offset)) = header.debug_info_offset() else {
                    continue;
                };
                let place = format!("section .debug_info, the unit at {offset:#x}");
                let unit = dwarf.unit(header).map_err(dwarf_error(place.clone()))?;
                units.push(compile_unit(unit, offset, &mut roots).map_err(dwarf_error(place))?);
            }
        }
        roots.sort();
        let problem = if sections.unreadable {
            Some(
                "the debug sections are compressed otherwise than with zlib, which karat does not read",
            )
        } else if units.is_empty() {
            Some("the binary has no DWARF line tables (build with debug = \"limited\")")
        } else {
            None
        };
        Ok(Self {
            dwarf,
            units,
            roots,
            problem,
            size: sections.size,
        })
    }

    /// A string attribute as text; empty when it cannot be read.
    pub fn text(
        &self,
        unit: &gimli::Unit<Reader<'a>>,
        value: AttributeValue<Reader<'a>>,
    ) -> &'a str {
        self.dwarf
            .attr_string(unit, value)
            .ok()
            .and_then(|reader| std::str::from_utf8(reader.slice()).ok())
            .unwrap_or("")
    }

    /// The index of the unit that holds an offset of `.debug_info`.
    pub fn unit_at(&self, offset: usize) -> Option<usize> {
        self.units
            .partition_point(|unit| unit.offset <= offset)
            .checked_sub(1)
    }
}

fn compile_unit<'a>(
    unit: gimli::Unit<Reader<'a>>,
    offset: usize,
    roots: &mut Roots,
) -> gimli::Result<CompileUnit<'a>> {
    let lossy = |reader: Option<Reader<'a>>| {
        reader.map_or(String::new(), |r| String::from_utf8_lossy(r.slice()).into())
    };
    let (name, comp_dir) = (lossy(unit.name), lossy(unit.comp_dir));
    let mut entries = unit.entries();
    let is_rust = entries.next_dfs()?.is_some_and(|root| {
        matches!(
            root.attr_value(gimli::DW_AT_language),
            Some(AttributeValue::Language(gimli::DW_LANG_Rust))
        )
    });
    let owner = roots.add_unit(&name, &comp_dir, is_rust);
    Ok(CompileUnit {
        unit,
        offset,
        is_rust,
        owner,
        comp_dir,
    })
}
