//! The count on several threads.
//!
//! Code is cut into chunks where functions begin. Decoding always starts anew
//! there, so that the sum over the chunks is the same whoever walks them; and
//! the cuts do not depend on the number of threads.

use crate::count::a64::A64;
use crate::count::census::{Counted, Layers, Walk};
use crate::count::x86::X86;
use karat_binary::read::format::Arch;
use karat_binary::read::image::Image;
use karat_binary::read::symbols::Symbols;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of code in a chunk, at least: some milliseconds of work.
const CHUNK: u64 = 1 << 20;

/// A piece of a section.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Chunk {
    /// Index into [`Image::code`].
    pub section: usize,
    pub start: u64,
    pub end: u64,
}

/// Decodes all code of an image once, with at most `threads` threads.
pub(crate) fn count(
    image: &Image<'_>,
    symbols: &Symbols<'_>,
    layers: &Layers<'_>,
    threads: usize,
) -> Counted {
    let chunks = cut(image, symbols, CHUNK);
    let counted = Mutex::new(Counted::new(image, symbols, layers));
    let next = AtomicUsize::new(0);
    let work = || {
        let mut walk = Walk::new(image, symbols, layers);
        // Chunks are handed out in order; nothing else hangs on the counter.
        while let Some(chunk) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
            match image.arch {
                Arch::X86_64 => walk.chunk::<X86<'_>>(chunk),
                Arch::Aarch64 => walk.chunk::<A64<'_>>(chunk),
            }
            lock(&counted).add_piece(&mut walk.piece);
        }
        let mut counted = lock(&counted);
        counted.add_sums(&walk.sums);
        counted.places.append(&mut walk.places());
    };
    let threads = threads.min(chunks.len());
    if threads > 1 {
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(work);
            }
        });
    } else {
        work();
    }
    let mut counted = counted
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    counted.places.sort_unstable();
    counted
}

/// A thread that panics ends the audit anyway: the scope panics too.
fn lock(counted: &Mutex<Counted>) -> std::sync::MutexGuard<'_, Counted> {
    counted
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Cuts all sections into chunks of `least` bytes or more.
fn cut(image: &Image<'_>, symbols: &Symbols<'_>, least: u64) -> Vec<Chunk> {
    let mut out = Vec::new();
    for (section, of) in image.code.iter().enumerate() {
        let mut start = of.address;
        let first = symbols.ranges.partition_point(|s| s.end <= of.address);
        let inside = symbols.ranges[first..].iter();
        for range in inside.take_while(|range| range.start < of.end()) {
            let begins = symbols.functions[range.value as usize].address == range.start;
            if begins && range.start - start >= least {
                let end = range.start;
                out.push(Chunk {
                    section,
                    start,
                    end,
                });
                start = end;
            }
        }
        let end = of.end();
        out.push(Chunk {
            section,
            start,
            end,
        });
    }
    out
}
