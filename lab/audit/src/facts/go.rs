//! Go's build information, which every Go program carries.
//!
//! Source: Go's package `debug/buildinfo`: the section `.go.buildinfo` (ELF),
//! `__go_buildinfo` (Mach-O) or the data of a PE file holds `\xff Go buildinf:`, the size
//! of a pointer and flags; since Go 1.18 (flag 2) two strings follow at byte 32, each
//! behind its length as a varint: the version and, between two marks of 16 bytes, the
//! settings of the build as lines `build\tKEY=VALUE`.

use super::{declare, tool};
use karat_binary::read::image::Image;
use karat_model::facts::FileFacts;
use object::{Object, ObjectSection};

const MAGIC: &[u8] = b"\xff Go buildinf:";
/// Where the strings begin.
const STRINGS: usize = 32;
/// Settings that choose instructions.
const KEYS: [&str; 3] = ["GOAMD64", "GOARM64", "GOEXPERIMENT"];

pub fn add(image: &Image<'_>, out: &mut FileFacts) {
    let sections = [".go.buildinfo", "__go_buildinfo"];
    let section = sections
        .iter()
        .find_map(|name| image.file.section_by_name(name));
    let Some(data) = section.and_then(|section| section.data().ok()) else {
        return;
    };
    if !data.starts_with(MAGIC) {
        return;
    }
    // Before Go 1.18 there are pointers to strings here.
    let is_inline = data.get(15).is_some_and(|flags| flags & 2 != 0);
    let Some(rest) = data.get(STRINGS..).filter(|_| is_inline) else {
        tool(out, "Go before 1.18", "Go build info");
        return;
    };
    let Some((version, rest)) = string(rest) else {
        return;
    };
    tool(out, version.replacen("go", "Go ", 1), "Go build info");
    let settings = string(rest).map_or(String::new(), |(settings, _)| settings);
    for line in settings.lines() {
        let setting = line
            .strip_prefix("build\t")
            .and_then(|line| line.split_once('='));
        if let Some((key, value)) = setting.filter(|(key, _)| KEYS.contains(key)) {
            declare(out, key, value);
        }
    }
}

/// A string behind its length as a varint (little-endian groups of seven bits).
fn string(data: &[u8]) -> Option<(String, &[u8])> {
    let mut length = 0usize;
    for (at, byte) in data.iter().take(5).enumerate() {
        length |= usize::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            let text = data.get(at + 1..)?.get(..length)?;
            let rest = &data[at + 1 + length..];
            return Some((String::from_utf8_lossy(text).into_owned(), rest));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_behind_their_lengths() {
        assert_eq!(string(b"\x03abcd"), Some(("abc".into(), &b"d"[..])));
        let long = [&[0x80, 0x01][..], &[b'x'; 128]].concat();
        assert_eq!(string(&long).unwrap().0.len(), 128);
        assert_eq!(string(b"\x09abc"), None);
        assert_eq!(string(b"\xff\xff\xff\xff\xff"), None);
    }
}
