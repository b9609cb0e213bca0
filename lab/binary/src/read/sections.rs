//! The debug sections as bytes, decompressed and relocated where they have to be.

use crate::error::BinaryError;
use crate::read::image::Image;
use crate::read::inflate::inflate;
use crate::read::relocate::relocated;
use gimli::{DwarfPackageSections, DwarfSections, SectionId};
use object::{CompressionFormat, Object, ObjectSection};
use std::borrow::Cow;

/// The debug sections of an image.
pub struct DebugSections<'a> {
    /// Those that are missing are empty.
    pub sections: DwarfSections<Cow<'a, [u8]>>,
    /// What units leave to other files.
    pub split: Vec<SplitSections<'a>>,
    /// Bytes of the files and of what was decompressed: a limit for work that
    /// tables could multiply.
    pub size: usize,
}

/// The debug sections of one file of split debug information.
pub enum SplitSections<'a> {
    /// Of many units (`.dwp`).
    Package(Box<DwarfPackageSections<Cow<'a, [u8]>>>),
    /// Of one compilation (`.dwo`).
    Object(Box<DwarfSections<Cow<'a, [u8]>>>),
}

impl<'a> DebugSections<'a> {
    /// Loads what attribution needs: from the file itself if it has debug
    /// information, else from its debug file. `split` are `.dwp` and `.dwo` files.
    ///
    /// # Errors
    /// [`BinaryError::Malformed`] for a section that cannot be read or unpacked.
    pub fn read(image: &Image<'a>, split: &[&'a [u8]]) -> Result<Self, BinaryError> {
        let mut loader = Loader { size: image.size };
        let own = has_debug_info(&image.file);
        let (file, image) = match &image.debug {
            Some(debug) if !own => (debug, None),
            _ => (&image.file, Some(image)),
        };
        let sections = DwarfSections::load(|id: SectionId| match is_needed(id) {
            true => loader.section(file, id.name(), image),
            false => Ok(Cow::Borrowed(&[][..])),
        })?;
        let mut files = Vec::new();
        for bytes in split {
            loader.size = loader.size.saturating_add(bytes.len());
            let place = "the header of a .dwp or .dwo file";
            let file = object::File::parse(*bytes)
                .map_err(|error| BinaryError::malformed(place, error))?;
            let package = file.section_by_name(".debug_cu_index").is_some();
            // The index of a package has ranges in all sections, which must be there.
            let load = |id: SectionId| match id.dwo_name() {
                Some(name) if package || is_needed(id) => loader.section(&file, name, None),
                _ => Ok(Cow::Borrowed(&[][..])),
            };
            files.push(if package {
                SplitSections::Package(Box::new(DwarfPackageSections::load(load)?))
            } else {
                SplitSections::Object(Box::new(DwarfSections::load(load)?))
            });
        }
        Ok(Self {
            sections,
            split: files,
            size: loader.size,
        })
    }
}

impl<'a> DebugSections<'a> {
    /// Loads only what the root entries of units need, of the file itself.
    ///
    /// # Errors
    /// [`BinaryError::Malformed`] for a section that cannot be read or unpacked.
    pub fn roots(image: &Image<'a>) -> Result<Self, BinaryError> {
        let mut loader = Loader { size: image.size };
        let sections = DwarfSections::load(|id: SectionId| match id {
            SectionId::DebugInfo
            | SectionId::DebugAbbrev
            | SectionId::DebugStr
            | SectionId::DebugLineStr
            | SectionId::DebugStrOffsets
            // A unit is not opened without the header of its line table.
            | SectionId::DebugLine
            | SectionId::DebugAddr => loader.section(&image.file, id.name(), Some(image)),
            _ => Ok(Cow::Borrowed(&[][..])),
        })?;
        Ok(Self {
            sections,
            split: Vec::new(),
            size: loader.size,
        })
    }
}

/// Whether a file has descriptions of its units.
pub fn has_debug_info(file: &object::File<'_>) -> bool {
    let section = file.section_by_name(".debug_info");
    // What was moved to a debug file leaves no bytes behind.
    section.is_some_and(|section| section.data().is_ok_and(|data| !data.is_empty()))
}

/// Sections that say where code comes from. Locations of variables, macros and
/// indices by name can be as large as all of these.
fn is_needed(id: SectionId) -> bool {
    !matches!(
        id,
        SectionId::DebugLoc
            | SectionId::DebugLocLists
            | SectionId::DebugMacinfo
            | SectionId::DebugMacro
            | SectionId::DebugTypes
            | SectionId::DebugAranges
            | SectionId::DebugNames
    )
}

struct Loader {
    size: usize,
}

impl Loader {
    /// A section's bytes; relocated for an image, if given.
    fn section<'a>(
        &mut self,
        file: &object::File<'a>,
        name: &str,
        image: Option<&Image<'a>>,
    ) -> Result<Cow<'a, [u8]>, BinaryError> {
        let Some(section) = file.section_by_name(name) else {
            return Ok(Cow::Borrowed(&[]));
        };
        let malformed = |reason: String| BinaryError::malformed(format!("section {name}"), reason);
        let data = section
            .compressed_data()
            .map_err(|error| malformed(error.to_string()))?;
        let bytes = match data.format {
            CompressionFormat::None => Cow::Borrowed(data.data),
            format => {
                let claimed = usize::try_from(data.uncompressed_size).unwrap_or(usize::MAX);
                let bytes = inflate(format, data.data, claimed).map_err(malformed)?;
                self.size = self.size.saturating_add(bytes.len());
                Cow::Owned(bytes)
            }
        };
        Ok(match image {
            Some(image) => relocated(image, &section, bytes),
            None => bytes,
        })
    }
}
