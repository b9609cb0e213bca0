//! The headers of an RPM package, which stand before its compressed cpio archive.
//!
//! Source: RPM's documentation, "RPM Package format": a lead of 96 bytes; the signature
//! and the header, each `8e ad e8 01`, four bytes reserved, the count of entries (16 bytes
//! each) and the bytes of data, both big-endian; the signature is padded to eight bytes.
//! The crate that reads all tags of an RPM builds and signs them too, and brings in an
//! implementation of OpenPGP; what is needed here is where the payload begins.

use crate::PackageError;
use crate::cpio::skip;
use crate::limits::Meter;
use std::io::Read;

const LEAD: u64 = 96;

/// Reads up to the payload.
pub fn skip_headers(meter: &Meter, place: &str, from: &mut dyn Read) -> Result<(), PackageError> {
    skip(from, LEAD).map_err(|e| meter.why(place, &e))?;
    let signature = skip_header(meter, place, from)?;
    skip(from, signature.wrapping_neg() % 8).map_err(|e| meter.why(place, &e))?;
    skip_header(meter, place, from)?;
    Ok(())
}

/// Reads over one header; gives its bytes.
fn skip_header(meter: &Meter, place: &str, from: &mut dyn Read) -> Result<u64, PackageError> {
    let mut intro = [0; 16];
    let read = from.read_exact(&mut intro);
    read.map_err(|e| meter.why(place, &e))?;
    let [
        0x8e,
        0xad,
        0xe8,
        1,
        _,
        _,
        _,
        _,
        e0,
        e1,
        e2,
        e3,
        d0,
        d1,
        d2,
        d3,
    ] = intro
    else {
        return Err(PackageError::damaged(place, "no RPM header"));
    };
    let entries = u64::from(u32::from_be_bytes([e0, e1, e2, e3]));
    let data = u64::from(u32::from_be_bytes([d0, d1, d2, d3]));
    let bytes = 16 * entries + data;
    skip(from, bytes).map_err(|e| meter.why(place, &e))?;
    Ok(bytes)
}
