//! Archive in archive, one member after the other.

use crate::compressed::decoder;
use crate::cpio::{Entry, padding, skip};
use crate::kind::{HEAD, Kind};
use crate::limits::{Limits, Meter};
use crate::names::{is_wrapping, joined, unpacked};
use crate::{PackageError, rpm};
use object::read::archive::ArchiveFile;
use std::io::{self, Cursor, Read};
use zip::ZipArchive;
use zip::result::ZipError;

/// What the list of a zip archive's members begins its last part with (APPNOTE.TXT, 4.3.16).
const END_OF_ZIP: &[u8] = b"PK\x05\x06";

/// What a package holds.
pub enum Member<'r> {
    /// A regular file.
    File {
        /// Where it is in the package, with the archives it is in.
        name: &'r str,
        /// Its first bytes, [`HEAD`] of them or all.
        head: &'r [u8],
        /// All of its bytes. What is not read of them is skipped.
        contents: &'r mut dyn Read,
    },
    /// A name for another file, symbolic or hard.
    Link {
        /// Where it is in the package.
        name: &'r str,
        /// What it leads to, as it stands there.
        target: &'r str,
    },
    /// A member that could not be read; the others are.
    Skipped {
        /// Where it is in the package.
        name: &'r str,
        /// Why.
        why: String,
    },
}

/// What was seen of a package as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// What it is, in words: `wheel`, `Debian package`, `zip archive`.
    pub kind: String,
    /// Files, folders and links in it, those of archives in it too.
    pub members: u64,
}

/// Whoever takes the members.
type Take<'t> = &'t mut dyn FnMut(Member<'_>) -> io::Result<()>;

/// Gives all members of a package to `take`, in their order. `name` is that of the file,
/// for a compressed file that has no name inside. Archives inside are opened too with
/// `nested`; else they are members like others, but for the wrapping that formats
/// prescribe.
///
/// # Errors
/// [`PackageError`]; what was given before stays. An archive inside of the package that is
/// damaged is no error, but [`Member::Skipped`].
pub fn read(
    name: &str,
    bytes: &[u8],
    nested: bool,
    limits: Limits,
    take: Take<'_>,
) -> Result<Seen, PackageError> {
    let mut walk = Walk {
        meter: Meter::new(limits),
        own: unpacked(name).to_owned(),
        nested,
        take,
        members: 0,
        kind: None,
        format: None,
    };
    let head = &bytes[..bytes.len().min(HEAD)];
    let kind = Kind::of(head).ok_or_else(|| {
        PackageError::Unsupported("this is no package of a kind that karat opens".into())
    })?;
    match kind {
        Kind::Zip => walk.zip("", 0, bytes)?,
        Kind::Deb => walk.ar("", 0, bytes)?,
        _ => walk.stream("", 0, &mut &*bytes)?,
    }
    let kind = walk.kind.or(walk.format).unwrap_or_else(|| kind.name());
    Ok(Seen {
        kind: kind.to_owned(),
        members: walk.members,
    })
}

struct Walk<'t> {
    meter: Meter,
    /// What a file without a name is called.
    own: String,
    nested: bool,
    take: Take<'t>,
    members: u64,
    /// What members say that the package is.
    kind: Option<&'static str>,
    /// The archive below the compression.
    format: Option<&'static str>,
}

impl Walk<'_> {
    /// What a reader gives: an archive that is opened, or a file.
    fn stream(&mut self, name: &str, depth: u32, from: &mut dyn Read) -> Result<(), PackageError> {
        let mut head = Vec::with_capacity(HEAD);
        let read = from.take(HEAD as u64).read_to_end(&mut head);
        read.map_err(|error| self.meter.why(self.place(name), &error))?;
        let opens = self.nested || depth == 0 || name.is_empty() || is_wrapping(unpacked(name));
        match Kind::of(&head).filter(|_| opens) {
            None => self.file(name, &head, from),
            Some(kind) => {
                let opened = self.open(kind, name, depth, &mut head.as_slice().chain(from));
                match opened {
                    Err(PackageError::Damaged { place, reason })
                        if !name.is_empty() && !is_wrapping(unpacked(name)) =>
                    {
                        let why = format!("damaged in {place}: {reason}");
                        self.skipped(name, why)
                    }
                    other => other,
                }
            }
        }
    }

    fn open(
        &mut self,
        kind: Kind,
        name: &str,
        depth: u32,
        from: &mut dyn Read,
    ) -> Result<(), PackageError> {
        let depth = self.meter.deeper(depth, self.place(name))?;
        let meter = self.meter.clone();
        if name.is_empty() && !matches!(kind, Kind::Compressed(_)) {
            self.format = self.format.or(Some(kind.name()));
        }
        match kind {
            Kind::Compressed(codec) => {
                let mut plain = meter.count(decoder(codec, from));
                self.stream(unpacked(name), depth, &mut plain)
            }
            Kind::Tar => self.tar(name, depth, from),
            Kind::Cpio => self.cpio(name, depth, from),
            Kind::Rpm => {
                rpm::skip_headers(&meter, self.place(name), from)?;
                let payload = match name {
                    "" => String::new(),
                    name => format!("{name}/payload"),
                };
                self.stream(&payload, depth, from)
            }
            Kind::Zip | Kind::Deb => {
                let bytes = meter.all(self.place(name), from)?;
                match kind {
                    Kind::Zip => self.zip(name, depth, &bytes),
                    _ => self.ar(name, depth, &bytes),
                }
            }
        }
    }

    fn tar(&mut self, outer: &str, depth: u32, from: &mut dyn Read) -> Result<(), PackageError> {
        let place = self.place(outer).to_owned();
        let meter = self.meter.clone();
        let damaged = |error: &io::Error| meter.why(&place, error);
        let mut archive = tar::Archive::new(from);
        for entry in archive.entries().map_err(|e| damaged(&e))? {
            let mut entry = entry.map_err(|e| damaged(&e))?;
            let name = joined(outer, &String::from_utf8_lossy(&entry.path_bytes()));
            self.member(outer, &name)?;
            let kind = entry.header().entry_type();
            if kind.is_symlink() || kind.is_hard_link() {
                let target = entry.link_name_bytes().unwrap_or_default();
                let target = String::from_utf8_lossy(&target).into_owned();
                self.link(&name, &target)?;
            } else if kind.is_file() || kind.is_contiguous() || kind.is_gnu_sparse() {
                self.stream(&name, depth, &mut entry)?;
            }
        }
        Ok(())
    }

    fn cpio(&mut self, outer: &str, depth: u32, from: &mut dyn Read) -> Result<(), PackageError> {
        let place = self.place(outer).to_owned();
        let meter = self.meter.clone();
        while let Some(entry) = Entry::read(&meter, &place, from)? {
            let name = joined(outer, &entry.name);
            self.member(outer, &name)?;
            let mut contents = from.take(entry.size);
            // The kind of file, by stat(2): regular, symbolic link.
            match entry.mode & 0o170_000 {
                0o100_000 => self.stream(&name, depth, &mut contents)?,
                0o120_000 => {
                    let mut target = String::new();
                    let read = contents.read_to_string(&mut target);
                    read.map_err(|error| meter.why(&place, &error))?;
                    self.link(&name, &target)?;
                }
                _ => {}
            }
            let rest = contents.limit() + padding(entry.size);
            skip(from, rest).map_err(|error| meter.why(&place, &error))?;
        }
        Ok(())
    }

    fn zip(&mut self, outer: &str, depth: u32, bytes: &[u8]) -> Result<(), PackageError> {
        let place = self.place(outer).to_owned();
        let damaged = |error: ZipError| PackageError::damaged(&place, error);
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| {
            // What the library calls it says nothing to those who do not know the format.
            let is_cut = matches!(error, ZipError::InvalidArchive(_))
                && !bytes
                    .windows(END_OF_ZIP.len())
                    .any(|part| part == END_OF_ZIP);
            let reason = "the list of its members, which ends a zip archive, is not there: it was \
                          cut off, or never was one";
            match is_cut {
                true => PackageError::damaged(&place, reason),
                false => damaged(error),
            }
        })?;
        let depth = self.meter.deeper(depth, &place)?;
        for nth in 0..archive.len() {
            let name = archive.name_for_index(nth).and_then(Result::ok);
            let name = name.map_or_else(|| format!("member {nth}"), |n| n.into_owned());
            let name = joined(outer, &name);
            self.member(outer, &name)?;
            let mut entry = match archive.by_index(nth) {
                Ok(entry) => entry,
                // A password, or a method that few use.
                Err(ZipError::UnsupportedArchive(why)) => {
                    self.skipped(&name, why.to_owned())?;
                    continue;
                }
                Err(error) => return Err(damaged(error)),
            };
            if entry.is_dir() {
                continue;
            }
            let is_link = entry.is_symlink();
            let meter = self.meter.clone();
            let mut contents = meter.count(&mut entry);
            if is_link {
                let mut target = String::new();
                let read = contents.read_to_string(&mut target);
                read.map_err(|error| meter.why(&name, &error))?;
                self.link(&name, &target)?;
            } else {
                self.stream(&name, depth, &mut contents)?;
            }
        }
        Ok(())
    }

    fn ar(&mut self, outer: &str, depth: u32, bytes: &[u8]) -> Result<(), PackageError> {
        let place = self.place(outer).to_owned();
        let damaged = |error: object::Error| PackageError::damaged(&place, error);
        let archive = ArchiveFile::parse(bytes).map_err(damaged)?;
        let depth = self.meter.deeper(depth, &place)?;
        for member in archive.members() {
            let member = member.map_err(damaged)?;
            let name = joined(outer, &String::from_utf8_lossy(member.name()));
            self.member(outer, &name)?;
            let mut data = member.data(bytes).map_err(damaged)?;
            self.stream(&name, depth, &mut data)?;
        }
        Ok(())
    }

    fn file(&mut self, name: &str, head: &[u8], from: &mut dyn Read) -> Result<(), PackageError> {
        let name = match name {
            "" => self.own.clone(),
            name => name.to_owned(),
        };
        let mut noting = Noting { from, error: None };
        let taken = (self.take)(Member::File {
            name: &name,
            head,
            contents: &mut head.chain(&mut noting),
        });
        match (taken, noting.error) {
            (Ok(()), _) => Ok(()),
            (Err(_), Some(error)) => Err(self.meter.why(&name, &error)),
            (Err(error), None) => Err(PackageError::Taker(error)),
        }
    }

    fn link(&mut self, name: &str, target: &str) -> Result<(), PackageError> {
        (self.take)(Member::Link { name, target }).map_err(PackageError::Taker)
    }

    fn skipped(&mut self, name: &str, why: String) -> Result<(), PackageError> {
        (self.take)(Member::Skipped { name, why }).map_err(PackageError::Taker)
    }

    /// Counts a member, and takes the hint that its name may be.
    fn member(&mut self, outer: &str, name: &str) -> Result<(), PackageError> {
        self.members += 1;
        if outer.is_empty() {
            self.kind = self.kind.or_else(|| hint(name));
        }
        self.meter.member()
    }

    /// What errors call an archive.
    fn place<'n>(&'n self, name: &'n str) -> &'n str {
        match name {
            "" => &self.own,
            name => name,
        }
    }
}

/// What a package is whose own member is called so.
fn hint(name: &str) -> Option<&'static str> {
    let ends = |ending: &str| name.ends_with(ending);
    if ends(".dist-info/WHEEL") {
        Some("wheel")
    } else if name == "META-INF/MANIFEST.MF" {
        Some("Java archive")
    } else if ends(".nuspec") && !name.contains('/') {
        Some("NuGet package")
    } else if name == "metadata.gz" {
        Some("gem")
    } else if name == "info/index.json" || (name.starts_with("pkg-") && ends(".tar.zst")) {
        Some("conda package")
    } else {
        None
    }
}

/// A reader that keeps its error: who reads it may have errors of its own.
struct Noting<'r> {
    from: &'r mut dyn Read,
    error: Option<io::Error>,
}

impl Read for Noting<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.from.read(into).map_err(|error| {
            let kind = error.kind();
            let text = error.to_string();
            self.error = Some(error);
            io::Error::new(kind, text)
        })
    }
}
