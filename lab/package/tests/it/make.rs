//! Small archives.

use std::io::Write;
use zip::write::SimpleFileOptions;

/// What stands for a binary.
pub const BINARY: &[u8] = b"\x7fELF small file";

pub fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in members {
        out.start_file(*name, SimpleFileOptions::default()).unwrap();
        out.write_all(bytes).unwrap();
    }
    out.finish().unwrap().into_inner()
}

pub fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        // As it stands, `..` included, which `set_path` refuses.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        out.append(&header, *bytes).unwrap();
    }
    out.into_inner().unwrap()
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

pub fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut out = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    ruzstd::encoding::compress_to_vec(bytes, level)
}

/// Debian's package, by deb(5).
pub fn deb(data: &str, bytes: &[u8]) -> Vec<u8> {
    let mut out = b"!<arch>\n".to_vec();
    let control = gzip(&tar(&[("./control", b"Package: x\n")]));
    let members: [(&str, &[u8]); 3] = [
        ("debian-binary", b"2.0\n"),
        ("control.tar.gz", &control),
        (data, bytes),
    ];
    for (name, bytes) in members {
        let size = bytes.len();
        writeln!(
            out,
            "{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`",
            0, 0, 0, 100_644
        )
        .unwrap();
        out.extend(bytes);
        out.resize(out.len().next_multiple_of(2), b'\n');
    }
    out
}

/// cpio, by cpio(5).
pub fn cpio(members: &[(&str, u32, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    let end = [("TRAILER!!!", 0, &b""[..])];
    for (name, mode, bytes) in members.iter().chain(&end) {
        let fields = [
            0,
            *mode,
            0,
            0,
            1,
            0,
            bytes.len() as u32,
            0,
            0,
            0,
            0,
            name.len() as u32 + 1,
            0,
        ];
        out.extend(b"070701");
        for field in fields {
            write!(out, "{field:08x}").unwrap();
        }
        out.extend(name.as_bytes());
        out.push(0);
        out.resize(out.len().next_multiple_of(4), 0);
        out.extend(*bytes);
        out.resize(out.len().next_multiple_of(4), 0);
    }
    out
}

/// An RPM around a payload: lead, signature of five bytes, header of one entry.
pub fn rpm(payload: &[u8]) -> Vec<u8> {
    let mut out = vec![0xed, 0xab, 0xee, 0xdb];
    out.resize(96, 0);
    let header = |entries: u32, data: &[u8]| {
        let mut out = vec![0x8e, 0xad, 0xe8, 1, 0, 0, 0, 0];
        out.extend(entries.to_be_bytes());
        out.extend((data.len() as u32).to_be_bytes());
        out.resize(out.len() + 16 * entries as usize, 0);
        out.extend(data);
        out
    };
    out.extend(header(0, b"12345"));
    out.resize(out.len().next_multiple_of(8), 0);
    out.extend(header(1, b"abc"));
    out.extend(payload);
    out
}
