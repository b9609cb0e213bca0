//! The count on several threads.
//!
//! Code is cut into chunks where functions begin. Decoding always starts anew
//! there, so that the sum over the chunks is the same whoever walks them; and
//! the cuts do not depend on the number of threads.

use crate::count::a64::A64;
use crate::count::census::{Chunk, Counted, Layers, Piece, Walk};
use crate::count::together::{LANES, together};
use karat_binary::read::format::Arch;
use karat_binary::read::image::Image;
use karat_binary::read::symbols::Symbols;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of code in a chunk, at least: a millisecond of work. Each thread walks over several
/// at once (see [`together`]), and alone over the last.
const CHUNK: u64 = 1 << 18;

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
    // Chunks are handed out in order; nothing else hangs on the counter.
    let take = || chunks.get(next.fetch_add(1, Ordering::Relaxed));
    let done = |piece: &mut Piece| lock(&counted).add_piece(piece);
    let work = || match image.arch {
        Arch::X86_64 => {
            let mut walks = [(); LANES].map(|()| Walk::new(image, symbols, layers));
            together(&mut walks, take, done);
            for walk in &mut walks {
                lock(&counted).add_walk(walk);
            }
        }
        Arch::Aarch64 => {
            let mut walk: Walk<'_, A64<'_>> = Walk::new(image, symbols, layers);
            while let Some(chunk) = take() {
                walk.begin(chunk);
                walk.rest();
                done(&mut walk.piece);
            }
            lock(&counted).add_walk(&mut walk);
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Catalogue, Constants};
    use crate::count::x86::X86;
    use crate::counts::Counts;
    use std::collections::HashMap;

    /// Counts the code of this test, and once more one instruction after the other.
    #[test]
    fn walks_in_turns_count_what_one_alone_does() {
        let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let image = Image::parse(&own).unwrap();
        if image.arch != Arch::X86_64 {
            return;
        }
        let symbols = Symbols::read(&image);
        let constants = Constants::find(&Catalogue::new(&[]), &image);
        let layers = Layers {
            owners: &[],
            owner_count: 0,
            by_name: &vec![0; symbols.functions.len()],
            by_symbol: &HashMap::new(),
            inlined: &[],
            inline_sets: &[],
            target_count: 0,
            constants: constants.as_ref(),
        };
        let together = count(&image, &symbols, &layers, 1);
        let mut alone = Counted::new(&image, &symbols, &layers);
        let mut walk: Walk<'_, X86<'_>> = Walk::new(&image, &symbols, &layers);
        let chunks = cut(&image, &symbols, CHUNK);
        assert!(chunks.len() > 2 * LANES, "{}", chunks.len());
        for chunk in &chunks {
            walk.begin(chunk);
            walk.rest();
            alone.add_piece(&mut walk.piece);
        }
        alone.add_walk(&mut walk);
        alone.places.sort_unstable();
        let of = |counted: &Counted| -> Vec<(Counts, Vec<u64>)> {
            let tallies = counted.sections.iter().chain(&counted.owners);
            tallies
                .map(|tally| (tally.counts, tally.sets.clone()))
                .collect()
        };
        assert!(alone.functions == together.functions);
        assert_eq!(of(&alone), of(&together));
        assert_eq!(alone.places, together.places);
        // This test has the catalogue's kernels of other crates in it.
        assert!(!alone.places.is_empty() && of(&alone)[0].0.class[1] > 0);
    }
}
