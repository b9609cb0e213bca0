//! Each format, with a binary in it.

use crate::make::{BINARY, bzip2, cpio, deb, gzip, rpm, tar, zip, zstd};
use karat_package::{Limits, Member, Seen, is_package, read};

/// `BINARY` by `xz --check=crc32`.
const XZ: [u8; 68] = [
    0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x01, 0x69, 0x22, 0xde, 0x36, 0x02, 0x00, 0x21, 0x01,
    0x16, 0x00, 0x00, 0x00, 0x74, 0x2f, 0xe5, 0xa3, 0x01, 0x00, 0x0e, 0x7f, 0x45, 0x4c, 0x46, 0x20,
    0x73, 0x6d, 0x61, 0x6c, 0x6c, 0x20, 0x66, 0x69, 0x6c, 0x65, 0x00, 0x00, 0x28, 0xe1, 0xc1, 0xcd,
    0x00, 0x01, 0x23, 0x0f, 0xdb, 0xdf, 0x90, 0x0e, 0x90, 0x42, 0x99, 0x0d, 0x01, 0x00, 0x00, 0x00,
    0x00, 0x01, 0x59, 0x5a,
];

#[derive(Debug, PartialEq)]
pub enum Got {
    File(String, Vec<u8>),
    Link(String, String),
    Skipped(String, String),
}

pub fn all(name: &str, bytes: &[u8], nested: bool) -> (Seen, Vec<Got>) {
    let mut got = Vec::new();
    let limits = Limits::for_size(bytes.len() as u64);
    let seen = read(name, bytes, nested, limits, &mut |member| {
        got.push(match member {
            Member::File { name, contents, .. } => {
                let mut bytes = Vec::new();
                contents.read_to_end(&mut bytes)?;
                Got::File(name.into(), bytes)
            }
            Member::Link { name, target } => Got::Link(name.into(), target.into()),
            Member::Skipped { name, why } => Got::Skipped(name.into(), why),
        });
        Ok(())
    });
    (seen.expect("a sound package"), got)
}

/// The only binary of a package.
fn binary(name: &str, bytes: &[u8]) -> (String, String) {
    assert!(is_package(bytes), "{name}");
    let (seen, got) = all(name, bytes, true);
    let mut files = got.into_iter().filter_map(|got| match got {
        Got::File(name, bytes) if bytes == BINARY => Some(name),
        _ => None,
    });
    let found = files.next().unwrap_or_else(|| panic!("{name}: no binary"));
    assert_eq!(files.next(), None, "{name}");
    (seen.kind, found)
}

#[test]
fn a_binary_is_found_in_every_format() {
    let lib = ("lib/a.so", BINARY);
    let plain = tar(&[lib]);
    let wheel = zip(&[("m/a.so", BINARY), ("m-1.dist-info/WHEEL", b"x")]);
    let conda = zip(&[("metadata.json", b"{}"), ("pkg-m-1.tar.zst", &zstd(&plain))]);
    let gem = tar(&[
        ("metadata.gz", &gzip(b"--- x\n")),
        ("data.tar.gz", &gzip(&plain)),
    ]);
    let payload = cpio(&[("./usr/a.so", 0o100_755, BINARY)]);
    let sides: [(&str, &[u8], &str, &str); 13] = [
        ("m.whl", &wheel, "wheel", "m/a.so"),
        ("m.zip", &zip(&[lib]), "zip archive", "lib/a.so"),
        ("m.tar", &plain, "tar archive", "lib/a.so"),
        ("m.tgz", &gzip(&plain), "tar archive", "lib/a.so"),
        ("m.tar.bz2", &bzip2(&plain), "tar archive", "lib/a.so"),
        ("m.tar.zst", &zstd(&plain), "tar archive", "lib/a.so"),
        ("m.xz", &XZ, "file compressed by xz", "m"),
        ("m.conda", &conda, "conda package", "lib/a.so"),
        ("m.gem", &gem, "gem", "lib/a.so"),
        (
            "m.deb",
            &deb("data.tar.gz", &gzip(&plain)),
            "Debian package",
            "lib/a.so",
        ),
        ("m.rpm", &rpm(&gzip(&payload)), "RPM package", "usr/a.so"),
        (
            "m.jar",
            &zip(&[("META-INF/MANIFEST.MF", b"x"), lib]),
            "Java archive",
            "lib/a.so",
        ),
        (
            "m.nupkg",
            &zip(&[("m.nuspec", b"x"), lib]),
            "NuGet package",
            "lib/a.so",
        ),
    ];
    for (name, bytes, kind, place) in sides {
        assert_eq!(binary(name, bytes), (kind.into(), place.into()), "{name}");
    }
}

#[test]
fn archives_in_archives_are_opened_if_asked_for() {
    let outer = zip(&[("x.whl", &zip(&[("a.so", BINARY)]))]);
    assert_eq!(binary("m.zip", &outer).1, "x.whl/a.so");
    let (seen, got) = all("m.zip", &outer, false);
    assert_eq!(seen.members, 1);
    assert!(matches!(&got[..], [Got::File(name, _)] if name == "x.whl"));
}

#[test]
fn frames_behind_each_other_are_one_file() {
    let (left, right) = BINARY.split_at(5);
    let two = [zstd(left), zstd(right)].concat();
    assert_eq!(binary("a.so.zst", &two).1, "a.so");
    let two = [gzip(left), gzip(right)].concat();
    assert_eq!(binary("a.so.gz", &two).1, "a.so");
}

#[test]
fn links_are_told() {
    let archive = cpio(&[
        ("lib/a.so.1", 0o100_755, BINARY),
        ("lib/a.so", 0o120_777, b"a.so.1"),
        ("lib", 0o040_755, b""),
    ]);
    let (_, got) = all("m.cpio", &archive, true);
    assert_eq!(
        got,
        [
            Got::File("lib/a.so.1".into(), BINARY.into()),
            Got::Link("lib/a.so".into(), "a.so.1".into()),
        ]
    );
}

#[test]
fn a_damaged_archive_inside_is_skipped_and_the_rest_is_read() {
    for (missing, word) in [(8, "damaged"), (30, "cut off")] {
        let mut broken = zip(&[("b.so", BINARY)]);
        broken.truncate(broken.len() - missing);
        let outer = tar(&[("broken.zip", &broken), ("a.so", BINARY)]);
        let (_, got) = all("m.tar", &outer, true);
        assert!(
            matches!(&got[..], [Got::Skipped(name, why), Got::File(..)]
                if name == "broken.zip" && why.contains(word)),
            "{got:?}"
        );
    }
}
