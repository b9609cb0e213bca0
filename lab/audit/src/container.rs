//! Audits of files, of those too that hold other files: archives of objects, and Mach-O for
//! several machines.

use crate::document::Summary;
use crate::report::{Options, Phases, Wanted, audit_image, audit_linked};
use karat_binary::BinaryError;
use karat_binary::read::format::{self, Arch, is_container, is_fat};
use karat_binary::read::image::{FIRST_ADDRESS, Image};
use karat_model::audit::BinaryAudit;
use object::FileKind;
use object::read::archive::ArchiveFile;
use object::read::macho::{FatArch, MachOFatFile32, MachOFatFile64};
use std::collections::BTreeMap;
use std::time::Instant;

/// Members of an archive start at multiples of this, so that their functions
/// have addresses of their own.
const MEMBER_ALIGNMENT: u64 = 0x1000;

/// The audit of a file, whatever it holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileAudit {
    /// One for each machine in a fat file; else one. An archive's members are
    /// summed.
    pub audits: Vec<BinaryAudit>,
    /// What was read: slices of a fat file, members of an archive; empty for a
    /// file that holds no others.
    pub read: Vec<String>,
    /// What was not read.
    pub skipped: Vec<Skipped>,
}

/// A part of a file that was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The slice's machine or the member's name.
    pub name: String,
    /// Why it was not read.
    pub why: String,
}

/// Audits one binary, given as its bytes: ELF, Mach-O or PE, for x86-64 or AArch64;
/// a program, a library, an object, or an archive of objects, whose members are
/// summed. See [`audit_file`] for what was read of an archive.
///
/// # Errors
/// [`BinaryError::Unsupported`] for anything else, a fat file with code for several
/// machines among it; [`BinaryError::Malformed`] for a damaged file;
/// [`BinaryError::Mismatch`] if the debug file is not the binary's.
pub fn audit(bytes: &[u8], options: &Options<'_>) -> Result<BinaryAudit, BinaryError> {
    audit_timed(bytes, options).map(|(audit, _)| audit)
}

/// [`audit`], with the time each part took (all zero for archives and fat files).
///
/// # Errors
/// As [`audit`].
pub fn audit_timed(
    bytes: &[u8],
    options: &Options<'_>,
) -> Result<(BinaryAudit, Phases), BinaryError> {
    let mut phases = Phases::default();
    if !is_container(bytes) {
        let audit = audit_linked(bytes, options, &mut phases)?;
        return Ok((audit, phases));
    }
    let mut file = audit_file(bytes, options)?;
    match (file.audits.pop(), file.audits.is_empty()) {
        (Some(audit), true) => Ok((audit, phases)),
        _ => Err(BinaryError::Unsupported {
            seen: "a fat Mach-O file with code for several machines, where one audit is asked for"
                .into(),
        }),
    }
}

/// Audits a file: a program, a library, an object, an archive of objects
/// (`.a`, `.rlib`, `.lib`) or a fat Mach-O file.
///
/// # Errors
/// As [`audit`](crate::audit). A fat file none of whose slices is of a machine that
/// is read, and an archive without such a member, are unsupported; a damaged slice
/// or member is an error that names it.
pub fn audit_file(bytes: &[u8], options: &Options<'_>) -> Result<FileAudit, BinaryError> {
    if is_fat(bytes) {
        return fat(bytes, options);
    }
    if is_container(bytes) {
        return archive(bytes, options);
    }
    Ok(FileAudit {
        audits: vec![audit_linked(bytes, options, &mut Phases::default())?],
        ..Default::default()
    })
}

fn fat(bytes: &[u8], options: &Options<'_>) -> Result<FileAudit, BinaryError> {
    let malformed = |error| BinaryError::malformed("the table of a fat Mach-O file", error);
    let mut slices = Vec::new();
    if bytes[3] == 0xbe {
        let file = MachOFatFile32::parse(bytes).map_err(malformed)?;
        slices.extend(file.arches().iter().map(|a| slice(a, bytes)));
    } else {
        let file = MachOFatFile64::parse(bytes).map_err(malformed)?;
        slices.extend(file.arches().iter().map(|a| slice(a, bytes)));
    }
    let mut out = FileAudit::default();
    for (architecture, data) in slices {
        let Some(arch) = Arch::of(architecture) else {
            out.skipped.push(Skipped {
                name: format!("{architecture:?}"),
                why: "karat does not read code for this machine".into(),
            });
            continue;
        };
        let place = format!("the {} slice of a fat file", arch.name());
        let data = data.map_err(|error| BinaryError::malformed(place.clone(), error))?;
        let part = if is_container(data) && !is_fat(data) {
            archive(data, options)
        } else {
            audit_linked(data, options, &mut Phases::default()).map(|audit| FileAudit {
                audits: vec![audit],
                ..Default::default()
            })
        };
        let part = part.map_err(|error| error.inside(&place))?;
        out.audits.extend(part.audits);
        out.skipped.extend(part.skipped);
        out.read.push(arch.name().to_string());
    }
    if out.audits.is_empty() {
        return Err(BinaryError::Unsupported {
            seen: "a fat Mach-O file without an x86-64 or AArch64 slice".into(),
        });
    }
    Ok(out)
}

type Slice<'a> = (object::Architecture, Result<&'a [u8], object::Error>);

fn slice<'a>(arch: &impl FatArch, bytes: &'a [u8]) -> Slice<'a> {
    (arch.architecture(), arch.data(bytes))
}

/// Audits the members of an archive one by one, and sums.
fn archive(bytes: &[u8], options: &Options<'_>) -> Result<FileAudit, BinaryError> {
    let start = Instant::now();
    let malformed = |error| BinaryError::malformed("the archive's headers", error);
    let file = ArchiveFile::parse(bytes).map_err(malformed)?;
    if file.is_thin() {
        return Err(BinaryError::Unsupported {
            seen: "a thin archive (it names its members and does not hold them: audit those)"
                .into(),
        });
    }
    let mut out = FileAudit::default();
    let mut sum: Option<Summary> = None;
    let mut formats: BTreeMap<String, u64> = BTreeMap::new();
    let mut base = FIRST_ADDRESS;
    let wanted = Wanted::new(options);
    for member in file.members() {
        let member = member.map_err(malformed)?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let (offset, _) = member.file_range();
        let place = format!("member {name} at offset {offset:#x}");
        let data = member
            .data(bytes)
            .map_err(|error| BinaryError::malformed(place.clone(), error))?;
        if let Some(why) = skip(data) {
            out.skipped.push(Skipped { name, why });
            continue;
        }
        let image = match Image::parse_at(data, base) {
            Ok(image) => image,
            Err(BinaryError::Unsupported { seen }) => {
                let why = format!("it is {seen}");
                out.skipped.push(Skipped { name, why });
                continue;
            }
            Err(error) => return Err(error.inside(&place)),
        };
        let end = image.code.last().map_or(base, |section| section.end());
        base = end.saturating_add(1).next_multiple_of(MEMBER_ALIGNMENT);
        let part = audit_image(
            &image,
            options,
            &wanted,
            Some(&name),
            &mut Phases::default(),
        )
        .map_err(|error| error.inside(&place))?;
        *formats.entry(image.format).or_default() += 1;
        match &mut sum {
            Some(sum) => sum.add(part, options.top_functions),
            None => sum = Some(part),
        }
        out.read.push(name);
    }
    let Some(sum) = sum else {
        return Err(BinaryError::Unsupported {
            seen: "an archive without an object file for x86-64 or AArch64".into(),
        });
    };
    let parts: Vec<String> = formats
        .iter()
        .map(|(format, count)| {
            let format = format.strip_suffix(" object").unwrap_or(format);
            let noun = if *count == 1 { "member" } else { "members" };
            format!("{count} {format} {noun}")
        })
        .collect();
    let format = format!("archive of {}", parts.join(", "));
    let mut audit = sum.document(
        format,
        options.expected,
        options.baseline,
        options.top_functions,
    );
    audit.seconds = start.elapsed().as_secs_f64();
    out.audits.push(audit);
    Ok(out)
}

/// Why a member is not even looked at: archives hold more than objects.
fn skip(data: &[u8]) -> Option<String> {
    match FileKind::parse(data) {
        Ok(FileKind::CoffImport) => Some("it names an import of a Windows library".into()),
        _ => format::foreign(data).map(|seen| format!("it is {seen}")),
    }
}
