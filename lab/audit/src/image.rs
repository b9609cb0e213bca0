//! The file as a whole: which kind it is, and its executable sections.

use crate::error::AuditError;
use object::{Architecture, Object, ObjectKind, ObjectSection, SectionFlags};

/// One executable section that is mapped and may run.
pub(crate) struct CodeSection<'a> {
    pub name: String,
    pub address: u64,
    pub bytes: &'a [u8],
    /// Only what a sized symbol covers is live: the section BOLT took code from.
    /// Functions that BOLT left alone still run there under their symbols; of
    /// those it moved a dead copy stays, and counting that doubles the figures.
    pub named_only: bool,
}

impl CodeSection<'_> {
    /// The address behind the last byte; cannot overflow (checked on reading).
    pub fn end(&self) -> u64 {
        self.address + self.bytes.len() as u64
    }
}

/// A parsed file.
pub(crate) struct Image<'a> {
    pub file: object::File<'a>,
    /// Bytes of the file: a limit for work that its tables could multiply.
    pub size: usize,
    /// Sorted by address.
    pub code: Vec<CodeSection<'a>>,
}

impl<'a> Image<'a> {
    /// Parses the headers and finds the code.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, AuditError> {
        if let Some(seen) = unsupported_kind(bytes) {
            return Err(AuditError::Unsupported { seen });
        }
        let file = object::File::parse(bytes)
            .map_err(|error| AuditError::malformed("the ELF header or section table", error))?;
        if file.architecture() != Architecture::X86_64 {
            return Err(AuditError::Unsupported {
                seen: format!("an ELF file for {:?}", file.architecture()),
            });
        }
        if !matches!(file.kind(), ObjectKind::Executable | ObjectKind::Dynamic) {
            return Err(AuditError::Unsupported {
                seen: format!("an ELF x86-64 file of kind {:?} (not linked)", file.kind()),
            });
        }
        let mut code = Vec::new();
        for section in file.sections() {
            let SectionFlags::Elf { sh_flags, .. } = section.flags() else {
                continue;
            };
            if !sh_flags.contains(object::elf::SHF_EXECINSTR) {
                continue;
            }
            let name = String::from_utf8_lossy(section.name_bytes().unwrap_or(b"?")).into_owned();
            let named_only = name.starts_with(".bolt.org.");
            let bytes = section
                .data()
                .map_err(|error| AuditError::malformed(format!("section {name}"), error))?;
            let address = section.address();
            if address.checked_add(bytes.len() as u64).is_none() {
                return Err(AuditError::malformed(
                    format!("section {name}"),
                    format!("address {address:#x} plus its size wraps around"),
                ));
            }
            if !bytes.is_empty() {
                code.push(CodeSection {
                    name,
                    address,
                    bytes,
                    named_only,
                });
            }
        }
        code.sort_by_key(|section| section.address);
        for pair in code.windows(2) {
            if pair[0].end() > pair[1].address {
                return Err(AuditError::malformed(
                    format!("the section table, at address {:#x}", pair[1].address),
                    "two executable sections overlap",
                ));
            }
        }
        if code.is_empty() {
            return Err(AuditError::malformed(
                "the section table",
                "there is no executable section (sections stripped, or a debug-only file)",
            ));
        }
        Ok(Self {
            file,
            size: bytes.len(),
            code,
        })
    }

    /// Whether `address` is in code.
    pub fn is_code(&self, address: u64) -> bool {
        let at = self.code.partition_point(|s| s.end() <= address);
        self.code.get(at).is_some_and(|s| s.address <= address)
    }
}

/// The kind of a file that is not even a 64-bit little-endian ELF.
fn unsupported_kind(bytes: &[u8]) -> Option<String> {
    let name = match bytes {
        [0x7f, b'E', b'L', b'F', class, order, ..] => {
            return match (*class, *order) {
                (2, 1) => None,
                (1, _) => Some("a 32-bit ELF file".into()),
                (2, 2) => Some("a big-endian ELF file".into()),
                _ => Some(format!("an ELF file of unknown class {class}")),
            };
        }
        [] => "an empty file",
        [b'M', b'Z', ..] => "a Windows PE file",
        [0xcf | 0xce, 0xfa, 0xed, 0xfe, ..]
        | [0xfe, 0xed, 0xfa, 0xcf | 0xce, ..]
        | [0xca, 0xfe, 0xba, 0xbe, ..] => "a Mach-O file",
        [b'!', b'<', b'a', b'r', b'c', b'h', b'>', ..] => "a static library (ar archive)",
        [0, b'a', b's', b'm', ..] => "a WebAssembly module",
        [b'#', b'!', ..] => "a script",
        _ => {
            let head: Vec<_> = bytes.iter().take(4).map(|b| format!("{b:02x}")).collect();
            return Some(format!(
                "a file of unknown format (it starts with {})",
                head.join(" ")
            ));
        }
    };
    Some(name.into())
}
