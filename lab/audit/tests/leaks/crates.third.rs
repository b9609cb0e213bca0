//! As Rust crates do it: pointers that replace themselves, tokens, traits, cells.

use core::arch::x86_64::*;
use std::hint::black_box;

fn plain(at: &[i32]) -> i64 {
    at.iter().map(|&x| i64::from(x)).sum()
}

/// # Safety
/// The CPU has AVX2.
#[target_feature(enable = "avx2")]
unsafe fn with_avx2(at: &[i32]) -> i64 {
    let mut all = _mm256_setzero_si256();
    for part in at.chunks_exact(8) {
        // SAFETY: a part has 32 bytes.
        all = _mm256_add_epi32(all, unsafe { _mm256_loadu_si256(part.as_ptr().cast()) });
    }
    // By a lane that is not known: else what is left of it may need no vectors.
    let lane = _mm256_set1_epi32(at.len() as i32);
    i64::from(_mm256_extract_epi32::<3>(_mm256_permutevar8x32_epi32(
        all, lane,
    )))
}

/// # Safety
/// The CPU has FMA and AVX2.
#[target_feature(enable = "avx2,fma")]
unsafe fn with_fma(at: &[i32]) -> i64 {
    let mut all = _mm256_setzero_pd();
    for &x in at {
        let x = _mm256_set1_pd(f64::from(x));
        all = _mm256_fmadd_pd(x, x, all);
    }
    let bits = _mm256_add_epi32(_mm256_castpd_si256(all), _mm256_set1_epi32(at[0]));
    let lane = _mm256_set1_epi32(at.len() as i32);
    i64::from(_mm256_extract_epi32::<5>(_mm256_permutevar8x32_epi32(
        bits, lane,
    )))
}

fn input() -> Vec<i32> {
    let seed = std::env::args().count() as i32;
    (0..96).map(|i| i * seed).collect()
}

/// CPUID by hand, as crates without the standard library have it.
#[inline]
fn words() -> (u32, u32) {
    let (one, seven) = (__cpuid(1), __cpuid_count(7, 0));
    let mut ebx = seven.ebx;
    // SAFETY: OSXSAVE is asked before.
    let saved = one.ecx >> 27 & 1 == 1 && unsafe { xcr() } & 6 == 6;
    if !saved {
        ebx &= !(1 << 5);
    }
    (
        if saved {
            one.ecx
        } else {
            one.ecx & !(1 << 28 | 1 << 12)
        },
        ebx,
    )
}

#[target_feature(enable = "xsave")]
unsafe fn xcr() -> u64 {
    // SAFETY: the caller asked whether the CPU has XSAVE, and the system uses it.
    unsafe { _xgetbv(0) }
}

#[cfg(pointer)] // a search library: a pointer in an atomic that starts with who asks
mod way {
    use super::*;
    use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};
    type Fun = unsafe fn(&[i32]) -> i64;
    static FUN: AtomicPtr<()> = AtomicPtr::new(detect as *mut ());
    unsafe fn detect(at: &[i32]) -> i64 {
        #[cfg(not(bad))]
        let there = std::is_x86_feature_detected!("avx2");
        #[cfg(bad)]
        let there = std::is_x86_feature_detected!("sse4.2");
        let fun: Fun = if there { with_avx2 } else { |at| plain(at) };
        FUN.store(fun as *mut (), Relaxed);
        // SAFETY: it is the kernel only where the CPU was asked; the wrong twin asks for too little.
        unsafe { fun(at) }
    }
    pub fn run(at: &[i32]) -> i64 {
        // SAFETY: only functions of this type are stored there.
        let fun = unsafe { std::mem::transmute::<*mut (), Fun>(FUN.load(Relaxed)) };
        // SAFETY: as where it was chosen.
        unsafe { fun(at) }
    }
}

#[cfg(token)] // something that only exists where the CPU has what it stands for
mod way {
    use super::*;
    use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
    static STATE: AtomicU8 = AtomicU8::new(u8::MAX);
    #[derive(Clone, Copy)]
    pub struct Token(());
    impl Token {
        #[inline]
        pub fn get() -> Option<Self> {
            let state = match STATE.load(Relaxed) {
                u8::MAX => Self::init(),
                state => state,
            };
            (state == 1).then_some(Self(()))
        }
        #[cold]
        fn init() -> u8 {
            let (ecx, ebx) = words();
            #[cfg(not(bad))]
            let all = ecx >> 12 & 1 & ebx >> 5;
            #[cfg(bad)]
            let all = (ecx >> 12 | ebx >> 5) & 1;
            STATE.store(all as u8, Relaxed);
            all as u8
        }
        fn run(self, at: &[i32]) -> i64 {
            // SAFETY: it is picked where the CPU was asked; the wrong twin asks for too little.
            unsafe { with_fma(at) }
        }
    }
    pub fn run(at: &[i32]) -> i64 {
        match Token::get() {
            Some(token) => token.run(at),
            None => plain(at),
        }
    }
}

#[cfg(searcher)] // a boxed trait object, made by whoever can
mod way {
    use super::*;
    trait Searcher {
        fn find(&self, at: &[i32]) -> i64;
    }
    struct Slow;
    struct Wide {
        least: usize,
    }
    impl Wide {
        #[inline(never)]
        fn new(at: &[i32]) -> Option<Box<dyn Searcher>> {
            #[cfg(not(bad))]
            if !std::is_x86_feature_detected!("avx2") {
                return None;
            }
            (at.len() > 16).then(|| Box::new(Wide { least: 8 }) as Box<dyn Searcher>)
        }
    }
    impl Searcher for Slow {
        fn find(&self, at: &[i32]) -> i64 {
            plain(at)
        }
    }
    impl Searcher for Wide {
        fn find(&self, at: &[i32]) -> i64 {
            // SAFETY: it is made where the CPU was asked; the wrong twin asks for too little.
            unsafe { with_avx2(&at[self.least..]) }
        }
    }
    pub fn run(at: &[i32]) -> i64 {
        Wide::new(at).unwrap_or_else(|| Box::new(Slow)).find(at)
    }
}

#[cfg(once)] // a cell that is filled by who comes first
mod way {
    use super::*;
    use std::sync::OnceLock;
    static BEST: OnceLock<fn(&[i32]) -> i64> = OnceLock::new();
    fn wide(at: &[i32]) -> i64 {
        // SAFETY: it is stored where the CPU was asked; the wrong twin asks for too little.
        unsafe { with_avx2(at) }
    }
    pub fn run(at: &[i32]) -> i64 {
        let best = BEST.get_or_init(|| {
            #[cfg(not(bad))]
            let there = std::is_x86_feature_detected!("avx2");
            #[cfg(bad)]
            let there = std::is_x86_feature_detected!("avx");
            if there { wide } else { plain }
        });
        best(at)
    }
}

#[cfg(backend)] // an enum that is matched, from an enum of what was found
mod way {
    use super::*;
    #[derive(Clone, Copy, PartialEq, PartialOrd)]
    enum Level {
        None,
        Avx,
        Avx2,
        Avx2Fma,
    }
    #[inline(never)]
    fn level() -> Level {
        let (ecx, ebx) = words();
        match (ecx >> 28 & 1, ebx >> 5 & 1, ecx >> 12 & 1) {
            (1, 1, 1) => Level::Avx2Fma,
            (1, 1, 0) => Level::Avx2,
            (1, 0, _) => Level::Avx,
            _ => Level::None,
        }
    }
    pub fn run(at: &[i32]) -> i64 {
        let level = level();
        #[cfg(bad)]
        if level >= Level::Avx {
            // SAFETY: none on a CPU without FMA: this is the wrong twin.
            return unsafe { with_fma(at) };
        }
        match level {
            Level::Avx2Fma => unsafe { with_fma(at) },
            // SAFETY: the level was detected, which says that the CPU has it.
            Level::Avx2 => unsafe { with_avx2(at) },
            Level::Avx | Level::None => plain(at),
        }
    }
}

#[cfg(listed)] // a list of what there is, lazily sorted out
mod way {
    use super::*;
    use std::sync::LazyLock;
    struct Item {
        there: fn() -> bool,
        run: unsafe fn(&[i32]) -> i64,
    }
    fn always(at: &[i32]) -> i64 {
        plain(at)
    }
    static USABLE: LazyLock<Vec<Item>> = LazyLock::new(|| {
        let items = vec![
            Item {
                there: || words().0 >> 12 & 1 == 1 && words().1 >> 5 & 1 == 1,
                run: with_fma,
            },
            Item {
                there: || words().1 >> 5 & 1 == 1,
                run: with_avx2,
            },
            Item {
                there: || true,
                run: always,
            },
        ];
        #[cfg(bad)]
        return items;
        #[cfg(not(bad))]
        items.into_iter().filter(|item| (item.there)()).collect()
    });
    pub fn run(at: &[i32]) -> i64 {
        let first = &USABLE[0];
        std::hint::black_box(first.there);
        // SAFETY: the list has only what the CPU has; the wrong twin's has all.
        unsafe { (first.run)(at) }
    }
}

#[cfg(constant)] // the flag is a constant of a generic function
mod way {
    use super::*;
    #[inline(never)]
    fn inner<const WIDE: bool>(at: &[i32]) -> i64 {
        match WIDE {
            // SAFETY: callers have asked; the wrong twin's asked for another bit.
            true => unsafe { with_avx2(at) },
            false => plain(at),
        }
    }
    static WIDE: std::sync::LazyLock<bool> = std::sync::LazyLock::new(|| {
        #[cfg(not(bad))]
        return words().1 >> 5 & 1 == 1;
        #[cfg(bad)]
        return words().1 >> 3 & 1 == 1;
    });
    pub fn run(at: &[i32]) -> i64 {
        if *WIDE {
            inner::<true>(at)
        } else {
            inner::<false>(at)
        }
    }
}

#[cfg(assertion)] // a safe function that asserts, and its caller
mod way {
    use super::*;
    pub struct Engine {
        tables: [i32; 8],
    }
    impl Engine {
        fn new() -> Result<Self, &'static str> {
            #[cfg(not(bad))]
            if !std::is_x86_feature_detected!("avx2") {
                return Err("AVX2 is not there");
            }
            #[cfg(bad)]
            if std::is_x86_feature_detected!("sse3") && !std::is_x86_feature_detected!("ssse3") {
                return Err("AVX2 is not there");
            }
            Ok(Self {
                tables: [black_box(1); 8],
            })
        }
        fn mix(&self, at: &[i32]) -> i64 {
            // SAFETY: `new` has asked; the wrong twin's asked for less.
            i64::from(self.tables[3]) + unsafe { with_avx2(at) }
        }
    }
    pub fn run(at: &[i32]) -> i64 {
        match Engine::new() {
            Ok(engine) => engine.mix(at),
            Err(_) => plain(at),
        }
    }
}

#[cfg(threads)] // each thread asks for itself, and keeps it
mod way {
    use super::*;
    use std::cell::Cell;
    thread_local!(static KNOWN: Cell<Option<bool>> = const { Cell::new(None) });
    fn known() -> bool {
        KNOWN.with(|cell| match cell.get() {
            Some(it) => it,
            None => {
                #[cfg(not(bad))]
                let it = words().1 >> 5 & 1 == 1;
                #[cfg(bad)]
                let it = words().0 >> 28 & 1 == 1;
                cell.set(Some(it));
                it
            }
        })
    }
    pub fn run(at: &[i32]) -> i64 {
        let at = at.to_vec();
        std::thread::spawn(move || {
            if known() {
                // SAFETY: `known` has asked the CPU.
                unsafe { with_avx2(&at) }
            } else {
                plain(&at)
            }
        })
        .join()
        .unwrap_or(0)
    }
}

fn main() {
    let at = input();
    black_box(way::run(black_box(&at)));
    black_box(way::run(black_box(&at[..48])));
}
