//! Searches in text and checksums, as crates choose them.

use std::arch::x86_64::*;

fn fill(seed: usize) -> Vec<u8> {
    (0..512).map(|i| (i * 37 + seed) as u8).collect()
}

fn count_plain(text: &[u8], needle: u8) -> usize {
    text.iter().filter(|byte| **byte == needle).count()
}

#[target_feature(enable = "avx2")]
fn count_avx2(text: &[u8], needle: u8) -> usize {
    let all = _mm256_set1_epi8(needle as i8);
    let mut chunks = text.chunks_exact(32);
    let mut found = 0;
    for chunk in &mut chunks {
        // SAFETY: a chunk has 32 bytes.
        let chunk = unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) };
        let mask = _mm256_movemask_epi8(_mm256_cmpeq_epi8(chunk, all));
        found += mask.count_ones() as usize;
    }
    found + count_plain(chunks.remainder(), needle)
}

/// A function behind an atomic pointer, which begins as one that looks for a better one.
#[cfg(ATOMIC_PTR)]
mod program {
    use super::*;
    use std::sync::atomic::{AtomicPtr, Ordering};

    type Raw = fn(&[u8], u8) -> usize;
    static FN: AtomicPtr<()> = AtomicPtr::new(detect as *mut ());

    fn fast(text: &[u8], needle: u8) -> usize {
        // SAFETY: `detect` puts it there where the CPU has AVX2.
        unsafe { count_avx2(text, needle) }
    }

    fn detect(text: &[u8], needle: u8) -> usize {
        #[cfg(not(BAD))]
        let has = is_x86_feature_detected!("avx2");
        #[cfg(BAD)]
        let has = is_x86_feature_detected!("sse4.2");
        let best: Raw = if has { fast } else { count_plain };
        FN.store(best as *mut (), Ordering::Relaxed);
        best(text, needle)
    }

    pub fn count(text: &[u8], needle: u8) -> usize {
        let raw = FN.load(Ordering::Relaxed);
        // SAFETY: only functions of this type are stored.
        unsafe { std::mem::transmute::<*mut (), Raw>(raw)(text, needle) }
    }

    pub fn main() {
        let text = fill(std::env::args().count());
        println!("{} {}", count(&text, 7), count(&text[100..], 8));
    }
}

/// One answer for all, kept in a static; the kernel is asked for by an environment variable
/// among those that the CPU can run.
#[cfg(ONCE_LOCK)]
mod program {
    use super::*;
    use std::sync::OnceLock;

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    enum Level {
        Plain,
        Sse,
        Avx2,
    }

    fn best() -> Level {
        if is_x86_feature_detected!("avx2") {
            Level::Avx2
        } else if is_x86_feature_detected!("sse4.2") {
            Level::Sse
        } else {
            Level::Plain
        }
    }

    fn level() -> Level {
        static LEVEL: OnceLock<Level> = OnceLock::new();
        *LEVEL.get_or_init(|| {
            let wanted = match std::env::var("TEXT_SIMD").as_deref() {
                Ok("off" | "0") => Level::Plain,
                Ok("sse") => Level::Sse,
                _ => Level::Avx2,
            };
            wanted.min(best())
        })
    }

    pub fn main() {
        let text = fill(std::env::args().count());
        let found = match level() {
            // SAFETY: no level is above what the CPU has.
            Level::Avx2 => unsafe { count_avx2(&text, 3) },
            Level::Sse | Level::Plain => count_plain(&text, 3),
        };
        println!("{found} {:?}", level());
    }
}

/// A searcher is built only where a token says that the CPU is good for it.
#[cfg(TOKENS)]
mod program {
    use super::*;

    #[derive(Clone, Copy, Debug)]
    struct Avx2(());

    impl Avx2 {
        fn new() -> Option<Avx2> {
            #[cfg(not(BAD))]
            if !is_x86_feature_detected!("avx2") {
                return None;
            }
            #[cfg(BAD)]
            if !is_x86_feature_detected!("ssse3") {
                return None;
            }
            Some(Avx2(()))
        }
    }

    #[derive(Debug)]
    enum Kind {
        Wide(Avx2),
        Plain,
    }

    #[derive(Debug)]
    struct Searcher {
        kind: Kind,
        needle: u8,
        calls: usize,
    }

    struct Builder {
        force_plain: bool,
    }

    impl Builder {
        fn build(&self, needles: &[u8]) -> Option<Searcher> {
            let needle = *needles.first()?;
            let kind = match Avx2::new() {
                Some(token) if !self.force_plain => Kind::Wide(token),
                _ => Kind::Plain,
            };
            Some(Searcher {
                kind,
                needle,
                calls: 0,
            })
        }
    }

    impl Searcher {
        fn run(&mut self, text: &[u8]) -> usize {
            self.calls += 1;
            match self.kind {
                // SAFETY: the token is there.
                Kind::Wide(_) => unsafe { count_avx2(text, self.needle) },
                Kind::Plain => count_plain(text, self.needle),
            }
        }
    }

    pub fn main() {
        let count = std::env::args().count();
        let text = fill(count);
        let builder = Builder {
            force_plain: count > 3,
        };
        let Some(mut searcher) = builder.build(&text[4..9]) else {
            return;
        };
        println!(
            "{} {searcher:?}",
            searcher.run(&text) + searcher.run(&text[64..])
        );
    }
}

/// A question at each call, and threads that take a part of the text each.
#[cfg(EACH_CALL)]
mod program {
    use super::*;

    fn count(text: &[u8], needle: u8) -> usize {
        if text.len() >= 64 && is_x86_feature_detected!("avx2") {
            // SAFETY: asked.
            return unsafe { count_avx2(text, needle) };
        }
        count_plain(text, needle)
    }

    fn spread(text: &[u8], kernel: &(dyn Fn(&[u8]) -> usize + Sync)) -> usize {
        std::thread::scope(|scope| {
            let parts: Vec<_> = text
                .chunks(200)
                .map(|part| scope.spawn(move || kernel(part)))
                .collect();
            parts.into_iter().filter_map(|part| part.join().ok()).sum()
        })
    }

    pub fn main() {
        let needle = std::env::args().count() as u8;
        let text = fill(3);
        println!("{}", spread(&text, &|part| count(part, needle)));
    }
}

fn main() {
    program::main();
}
