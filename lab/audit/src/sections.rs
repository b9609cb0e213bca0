//! The debug sections as bytes, decompressed where they have to be.

use crate::error::AuditError;
use crate::image::Image;
use gimli::{DwarfSections, SectionId};
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use object::{CompressionFormat, Object, ObjectSection};
use std::borrow::Cow;

/// The debug sections of an image.
pub(crate) struct DebugSections<'a> {
    /// Those that are missing, or compressed otherwise than with zlib, are empty.
    pub sections: DwarfSections<Cow<'a, [u8]>>,
    /// Whether one is compressed in a way that is not read.
    pub unreadable: bool,
    /// Bytes of the file and of what was decompressed: a limit for work that
    /// tables could multiply.
    pub size: usize,
}

impl<'a> DebugSections<'a> {
    /// Loads all sections that gimli asks for.
    pub fn read(image: &Image<'a>) -> Result<Self, AuditError> {
        let mut unreadable = false;
        let mut size = image.size;
        let sections = DwarfSections::load(|id: SectionId| {
            let name = id.name();
            let Some(section) = image.file.section_by_name(name) else {
                return Ok(Cow::Borrowed(&[][..]));
            };
            let malformed =
                |reason: String| AuditError::malformed(format!("section {name}"), reason);
            let data = section
                .compressed_data()
                .map_err(|error| malformed(error.to_string()))?;
            match data.format {
                CompressionFormat::None => Ok(Cow::Borrowed(data.data)),
                CompressionFormat::Zlib => {
                    let claimed = usize::try_from(data.uncompressed_size).unwrap_or(usize::MAX);
                    // The vector grows as data comes; a false claim costs nothing.
                    let bytes = decompress_to_vec_zlib_with_limit(data.data, claimed)
                        .map_err(|error| malformed(format!("zlib: {:?}", error.status)))?;
                    if bytes.len() != claimed {
                        let got = bytes.len();
                        return Err(malformed(format!("{got} bytes instead of {claimed}")));
                    }
                    size = size.saturating_add(claimed);
                    Ok(Cow::Owned(bytes))
                }
                _ => {
                    unreadable = true;
                    Ok(Cow::Borrowed(&[][..]))
                }
            }
        })?;
        Ok(Self {
            sections,
            unreadable,
            size,
        })
    }
}
