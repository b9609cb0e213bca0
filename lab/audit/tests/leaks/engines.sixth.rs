//! Engines: image filters, sums of vectors and jobs in threads.

use std::arch::x86_64::*;

fn floats(seed: usize) -> Vec<f32> {
    (0..256).map(|i| ((i * 3 + seed) % 7) as f32).collect()
}

fn dot_plain(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// # Safety
/// The CPU has AVX and FMA.
#[target_feature(enable = "avx,fma")]
unsafe fn dot_fma(a: &[f32], b: &[f32]) -> f32 {
    let mut all = _mm256_setzero_ps();
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        // SAFETY: chunks have eight numbers.
        all = unsafe {
            _mm256_fmadd_ps(
                _mm256_loadu_ps(a.as_ptr()),
                _mm256_loadu_ps(b.as_ptr()),
                all,
            )
        };
    }
    let mut out = [0f32; 8];
    // SAFETY: there is place for eight.
    unsafe { _mm256_storeu_ps(out.as_mut_ptr(), all) };
    out.iter().sum()
}

/// # Safety
/// The CPU has AVX2.
#[target_feature(enable = "avx2")]
unsafe fn scale_avx2(row: &mut [i32], by: i32) {
    let all = _mm256_set1_epi32(by);
    for eight in row.chunks_exact_mut(8) {
        // SAFETY: chunks have eight numbers.
        unsafe {
            let now = _mm256_loadu_si256(eight.as_ptr().cast());
            _mm256_storeu_si256(eight.as_mut_ptr().cast(), _mm256_mullo_epi32(now, all));
        }
    }
    for one in row.chunks_exact_mut(8).into_remainder() {
        *one *= by;
    }
}

fn scale_plain(row: &mut [i32], by: i32) {
    row.iter_mut().for_each(|one| *one *= by);
}

/// Backends behind a trait, the best of those that are supported.
#[cfg(BEST_OF)]
mod program {
    use super::*;

    trait Backend: Sync {
        fn name(&self) -> &'static str;
        fn is_supported(&self) -> bool;
        fn priority(&self) -> u32 {
            0
        }
        fn dot(&self, a: &[f32], b: &[f32]) -> f32;
    }
    struct Plain;
    struct Fma;
    impl Backend for Plain {
        fn name(&self) -> &'static str {
            "plain"
        }
        fn is_supported(&self) -> bool {
            true
        }
        fn dot(&self, a: &[f32], b: &[f32]) -> f32 {
            dot_plain(a, b)
        }
    }
    impl Backend for Fma {
        fn name(&self) -> &'static str {
            "fma"
        }
        fn is_supported(&self) -> bool {
            #[cfg(not(BAD))]
            return is_x86_feature_detected!("fma") && is_x86_feature_detected!("avx");
            #[cfg(BAD)]
            return is_x86_feature_detected!("avx");
        }
        fn priority(&self) -> u32 {
            20
        }
        fn dot(&self, a: &[f32], b: &[f32]) -> f32 {
            // SAFETY: who is not supported is not asked.
            unsafe { dot_fma(a, b) }
        }
    }

    pub fn main() {
        let backends: Vec<Box<dyn Backend>> = vec![Box::new(Plain), Box::new(Fma)];
        let best = backends
            .iter()
            .filter(|b| b.is_supported())
            .max_by_key(|b| b.priority());
        let (a, b) = (floats(std::env::args().count()), floats(5));
        if let Some(best) = best {
            println!("{} [{}]", best.dot(&a, &b), best.name());
        }
    }
}

/// An enumeration of extensions whose default is what the CPU has; it can be set lower.
#[cfg(EXTENSIONS)]
mod program {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Debug)]
    enum CpuExtensions {
        None,
        Sse4_1,
        Avx2,
    }
    impl CpuExtensions {
        fn is_supported(self) -> bool {
            match self {
                #[cfg(not(BAD))]
                Self::Avx2 => is_x86_feature_detected!("avx2"),
                #[cfg(BAD)]
                Self::Avx2 => is_x86_feature_detected!("sse4.1") && self != Self::None,
                Self::Sse4_1 => is_x86_feature_detected!("sse4.1"),
                Self::None => true,
            }
        }
    }
    impl Default for CpuExtensions {
        fn default() -> Self {
            [Self::Avx2, Self::Sse4_1]
                .into_iter()
                .find(|e| e.is_supported())
                .unwrap_or(Self::None)
        }
    }
    #[derive(Default)]
    struct Resizer {
        extensions: CpuExtensions,
        rows: Vec<Vec<i32>>,
    }
    impl Resizer {
        #[inline(never)]
        fn resize(&mut self, by: i32) {
            for row in &mut self.rows {
                match self.extensions {
                    // SAFETY: only supported extensions are set.
                    CpuExtensions::Avx2 => unsafe { scale_avx2(row, by) },
                    CpuExtensions::Sse4_1 | CpuExtensions::None => scale_plain(row, by),
                }
            }
        }
    }

    pub fn main() {
        let mut resizer = Resizer::default();
        if std::env::args().any(|arg| arg == "--plain") {
            resizer.extensions = CpuExtensions::None;
        }
        for row in 0..4 {
            resizer.rows.push((0..20).map(|x| x * row).collect());
        }
        resizer.resize(3);
        let total: i32 = resizer.rows.iter().flatten().sum();
        println!("{total} {:?}", resizer.rows[2].last());
    }
}

/// Threads in a scope, which share a function that was chosen before.
#[cfg(SCOPED)]
mod program {
    use super::*;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[inline(never)]
    fn choose() -> unsafe fn(&mut [i32], i32) {
        #[cfg(not(BAD))]
        let has = is_x86_feature_detected!("avx2");
        #[cfg(BAD)]
        let has = is_x86_feature_detected!("avx") || is_x86_feature_detected!("avx2");
        if has { scale_avx2 } else { scale_plain }
    }

    pub fn main() {
        let scale = choose();
        let rows: Vec<Mutex<Vec<i32>>> = (0..8).map(|row| Mutex::new(vec![row; 33])).collect();
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let mut row = row.lock().expect("nobody panics");
                        // SAFETY: as chosen.
                        unsafe { scale(&mut row, 5) };
                    }
                });
            }
        });
        let total: i32 = rows
            .iter()
            .flat_map(|row| row.lock().expect("nobody panics").clone())
            .sum();
        println!("{total}");
    }
}

/// Levels as constants of generics.
#[cfg(CONST_LEVEL)]
mod program {
    use super::*;

    const PLAIN: u8 = 0;
    const WIDE: u8 = 3;

    #[inline(always)]
    fn kernel<const LEVEL: u8>(a: &[f32], b: &[f32]) -> f32 {
        if LEVEL >= WIDE {
            // SAFETY: who calls it with this level has asked the CPU.
            unsafe { dot_fma(a, b) }
        } else {
            dot_plain(a, b)
        }
    }
    #[inline(never)]
    fn energy<const LEVEL: u8>(frames: &[Vec<f32>]) -> f32 {
        frames
            .iter()
            .map(|frame| kernel::<LEVEL>(frame, frame))
            .sum()
    }
    fn level() -> u8 {
        let mut level = PLAIN;
        for has in [
            is_x86_feature_detected!("sse4.2"),
            is_x86_feature_detected!("avx"),
            #[cfg(not(BAD))]
            is_x86_feature_detected!("fma"),
            #[cfg(BAD)]
            is_x86_feature_detected!("popcnt"),
        ] {
            level += u8::from(has);
        }
        level
    }

    pub fn main() {
        let frames: Vec<Vec<f32>> = (0..5)
            .map(|i| floats(i + std::env::args().count()))
            .collect();
        let energy = match level() {
            WIDE.. => energy::<WIDE>(&frames),
            _ => energy::<PLAIN>(&frames),
        };
        println!("energy {energy}");
    }
}

/// What a thread uses is kept in the thread.
#[cfg(IN_THREAD)]
mod program {
    use super::*;
    use std::cell::Cell;

    #[derive(Clone, Copy)]
    enum Impl {
        Plain,
        Fma,
    }
    thread_local! {
        static IMPL: Cell<Option<Impl>> = const { Cell::new(None) };
    }
    #[inline(never)]
    fn current() -> Impl {
        IMPL.with(|slot| {
            if let Some(known) = slot.get() {
                return known;
            }
            #[cfg(not(BAD))]
            let has = is_x86_feature_detected!("avx") && is_x86_feature_detected!("fma");
            #[cfg(BAD)]
            let has = is_x86_feature_detected!("avx") || is_x86_feature_detected!("fma");
            let found = if has { Impl::Fma } else { Impl::Plain };
            slot.set(Some(found));
            found
        })
    }
    fn dot(a: &[f32], b: &[f32]) -> f32 {
        match current() {
            Impl::Plain => dot_plain(a, b),
            // SAFETY: the CPU was asked.
            Impl::Fma => unsafe { dot_fma(a, b) },
        }
    }

    pub fn main() {
        let seed = std::env::args().count();
        let handles: Vec<_> = (0..3)
            .map(|i| std::thread::spawn(move || dot(&floats(seed), &floats(i))))
            .collect();
        let sums: Vec<f32> = handles
            .into_iter()
            .map(|h| h.join().expect("no panic"))
            .collect();
        println!("{sums:?}");
    }
}

fn main() {
    program::main();
}
