//! The heap profile as a file that `pprof` reads: its legacy text, as gperftools and
//! jemalloc write it.
//!
//! ```text
//! heap profile: live: bytes [ all: bytes ] @ heap_v2/mean
//!   live: bytes [ all: bytes ] @ address address …
//!
//! MAPPED_LIBRARIES:
//! what is in /proc/self/maps
//! ```
//!
//! Figures are of the samples. `pprof` knows from the mean how many objects each stands for.

use crate::print::{Out, message};
use crate::sampling::{Counts, SAMPLES, Site};
use crate::{config, path};
use core::ffi::CStr;
use core::fmt::Write;

/// Writes the profile. Called when the process exits.
pub extern "C" fn at_exit() {
    let mut path = path::get();
    // SAFETY: asks for a number.
    let process = unsafe { libc::getpid() };
    // There is room for it.
    let _ = write!(path, ".{process}");
    let Ok(name) = CStr::from_bytes_until_nul(path.padded()) else {
        return;
    };
    let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC | libc::O_CLOEXEC;
    // SAFETY: the name is text of C.
    let file = unsafe { libc::open(name.as_ptr(), flags, 0o644) };
    let written = if file < 0 {
        Err(crate::sys::errno())
    } else {
        write_to(file)
    };
    if let Err(error) = written {
        message(format_args!(
            "the heap profile cannot be written to {}: error {error}",
            name.to_str().unwrap_or("its file")
        ));
    }
    if file >= 0 {
        // SAFETY: the descriptor is this function's.
        unsafe { libc::close(file) };
    }
}

fn write_to(file: i32) -> Result<(), i32> {
    let mut out = Out::to(file);
    let samples = SAMPLES.lock();
    let mut sum = Counts::default();
    samples.each_site(|site| {
        sum.live += site.counts.live;
        sum.live_bytes += site.counts.live_bytes;
        sum.all += site.counts.all;
        sum.all_bytes += site.counts.all_bytes;
    });
    // An `Out` refuses nothing; it remembers what went wrong.
    let _ = write!(out, "heap profile: ");
    write_counts(&mut out, &sum);
    let _ = writeln!(out, "heap_v2/{}", config::sample_bytes());
    samples.each_site(|site| write_site(&mut out, site));
    let lost = samples.lost();
    drop(samples);
    let _ = writeln!(out, "\nMAPPED_LIBRARIES:");
    copy_maps(&mut out)?;
    if lost > 0 {
        message(format_args!(
            "{lost} samples of the heap profile are missing: there was no memory for them"
        ));
    }
    out.finish()
}

fn write_counts(out: &mut Out, counts: &Counts) {
    let _ = write!(
        out,
        "{}: {} [{}: {}] @ ",
        counts.live, counts.live_bytes, counts.all, counts.all_bytes
    );
}

fn write_site(out: &mut Out, site: &Site) {
    write_counts(out, &site.counts);
    for frame in &site.frames[..site.depth] {
        let _ = write!(out, "{frame:#x} ");
    }
    let _ = writeln!(out);
}

/// Where each file is mapped, from which `pprof` finds names.
fn copy_maps(out: &mut Out) -> Result<(), i32> {
    // SAFETY: the name is text of C.
    let maps = unsafe {
        libc::open(
            c"/proc/self/maps".as_ptr(),
            libc::O_RDONLY | libc::O_CLOEXEC,
        )
    };
    if maps < 0 {
        return Err(crate::sys::errno());
    }
    let mut buffer = [0_u8; 1024];
    let read = loop {
        // SAFETY: the buffer has that many bytes.
        let read = unsafe { libc::read(maps, buffer.as_mut_ptr().cast(), buffer.len()) };
        match usize::try_from(read) {
            Ok(0) => break Ok(()),
            Ok(read) => out.bytes(&buffer[..read]),
            Err(_) => break Err(crate::sys::errno()),
        }
    };
    // SAFETY: the descriptor is this function's.
    unsafe { libc::close(maps) };
    read
}
