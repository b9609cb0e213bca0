//! Which kind of package bytes are, by their first ones.

/// Bytes that suffice to tell: tar has its magic number behind the first member's name.
pub const HEAD: usize = 512;

/// How something is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// PKWARE's zip.
    Zip,
    /// tar, POSIX or GNU.
    Tar,
    /// Debian's package: an `ar` archive that begins with `debian-binary`.
    Deb,
    /// RPM.
    Rpm,
    /// cpio with ASCII headers, as in RPM.
    Cpio,
    /// One file, compressed.
    Compressed(Codec),
}

/// How one file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// gzip (RFC 1952).
    Gzip,
    /// bzip2.
    Bzip2,
    /// xz.
    Xz,
    /// Zstandard (RFC 8878).
    Zstd,
}

impl Kind {
    /// The kind of what begins with these bytes, if it is a package.
    ///
    /// Sources: APPNOTE.TXT 4.3; POSIX pax, ustar; deb(5); rpm's lead; cpio(5); the RFCs
    /// above; the xz file format, 2.1.1.1.
    pub fn of(head: &[u8]) -> Option<Self> {
        Some(match head {
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Self::Zip,
            [0xed, 0xab, 0xee, 0xdb, ..] => Self::Rpm,
            [0x1f, 0x8b, 8, ..] => Self::Compressed(Codec::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, ..] => {
                Self::Compressed(Codec::Bzip2)
            }
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Self::Compressed(Codec::Xz),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Compressed(Codec::Zstd),
            _ if head.starts_with(b"!<arch>\ndebian-binary") => Self::Deb,
            _ if head.starts_with(b"070701") || head.starts_with(b"070702") => Self::Cpio,
            _ if head.get(257..262) == Some(b"ustar") => Self::Tar,
            _ => return None,
        })
    }

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Zip => "zip archive",
            Self::Tar => "tar archive",
            Self::Deb => "Debian package",
            Self::Rpm => "RPM package",
            Self::Cpio => "cpio archive",
            Self::Compressed(Codec::Gzip) => "file compressed by gzip",
            Self::Compressed(Codec::Bzip2) => "file compressed by bzip2",
            Self::Compressed(Codec::Xz) => "file compressed by xz",
            Self::Compressed(Codec::Zstd) => "file compressed by zstd",
        }
    }
}

/// Whether what begins with these bytes ([`HEAD`] of them, or all) is a package.
#[must_use]
pub fn is_package(head: &[u8]) -> bool {
    Kind::of(head).is_some()
}
