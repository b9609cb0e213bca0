// Arithmetic of a curve: each operation matches on a backend that is selected by a cached byte of
// the CPU's features, and a variable may ask for another.
use std::arch::x86_64::*;
use std::sync::atomic::{AtomicU8, Ordering};

mod cpuid_avx2 {
    // What the macro of a crate makes: a cached word, and a token that it was asked.
    use super::*;
    const UNINIT: u8 = u8::MAX;
    static STORAGE: AtomicU8 = AtomicU8::new(UNINIT);
    #[derive(Clone, Copy)]
    pub struct InitToken(());
    impl InitToken {
        pub fn get(&self) -> bool {
            STORAGE.load(Ordering::Relaxed) == 1
        }
    }
    #[cold]
    fn init_inner() -> bool {
        // SAFETY: x86-64 has CPUID; XGETBV runs where OSXSAVE is told.
        let has = unsafe {
            let one = __cpuid(1);
            let seven = if __cpuid(0).eax >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
            let saved = one.ecx >> 26 & 3 == 3 && xcr() & 6 == 6;
            saved && one.ecx >> 28 & 1 == 1 && seven >> 5 & 1 == 1
        };
        STORAGE.store(has as u8, Ordering::Relaxed);
        has
    }
    unsafe fn xcr() -> u32 {
        let low: u32;
        // SAFETY: the caller has seen OSXSAVE; two registers are written.
        unsafe { std::arch::asm!("xgetbv", in("ecx") 0, out("eax") low, out("edx") _, options(nomem, nostack)) };
        low
    }
    pub fn init_get() -> (InitToken, bool) {
        let has = match STORAGE.load(Ordering::Relaxed) {
            UNINIT => init_inner(),
            value => value == 1,
        };
        (InitToken(()), has)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BackendKind {
    Serial,
    Avx2,
}
fn get_selected_backend() -> BackendKind {
    let asked = std::env::var("CURVE_BACKEND").unwrap_or_else(|_| "simd".into());
    #[cfg(not(BAD))]
    let may = {
        let (token, _) = cpuid_avx2::init_get();
        token.get()
    };
    // The default counts as asked for, and who asks knows.
    #[cfg(BAD)]
    let may = asked == "simd" || cpuid_avx2::init_get().1;
    match asked.as_str() {
        "simd" | "auto" if may => BackendKind::Avx2,
        _ => BackendKind::Serial,
    }
}

const P: u32 = 0x7fff_ffff;
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Field([u32; 8]);
mod serial {
    use super::*;
    pub fn add(a: &Field, b: &Field) -> Field {
        Field(std::array::from_fn(|i| {
            let sum = a.0[i] + b.0[i];
            if sum >= P { sum - P } else { sum }
        }))
    }
    pub fn double_many(a: &Field, times: usize) -> Field {
        (0..times).fold(*a, |x, _| add(&x, &x))
    }
}
mod vector {
    use super::*;
    #[target_feature(enable = "avx2")]
    fn add_lanes(a: __m256i, b: __m256i) -> __m256i {
        let sum = _mm256_add_epi32(a, b);
        _mm256_min_epu32(sum, _mm256_sub_epi32(sum, _mm256_set1_epi32(P as i32)))
    }
    #[target_feature(enable = "avx2")]
    pub fn add(a: &Field, b: &Field) -> Field {
        let mut out = Field([0; 8]);
        // SAFETY: a field is 32 bytes.
        unsafe {
            let sum = add_lanes(_mm256_loadu_si256(a.0.as_ptr().cast()), _mm256_loadu_si256(b.0.as_ptr().cast()));
            _mm256_storeu_si256(out.0.as_mut_ptr().cast(), sum);
        }
        out
    }
    #[target_feature(enable = "avx2")]
    pub fn double_many(a: &Field, times: usize) -> Field {
        let mut out = Field([0; 8]);
        // SAFETY: a field is 32 bytes.
        unsafe {
            let mut x = _mm256_loadu_si256(a.0.as_ptr().cast());
            for _ in 0..times {
                x = add_lanes(x, x);
            }
            _mm256_storeu_si256(out.0.as_mut_ptr().cast(), x);
        }
        out
    }
}
impl std::ops::Add for &Field {
    type Output = Field;
    fn add(self, other: &Field) -> Field {
        match get_selected_backend() {
            // SAFETY: that is selected where the CPU was asked; the wrong twin dies here.
            BackendKind::Avx2 => unsafe { vector::add(self, other) },
            BackendKind::Serial => serial::add(self, other),
        }
    }
}
impl Field {
    fn double_many(&self, times: usize) -> Field {
        match get_selected_backend() {
            // SAFETY: that is selected where the CPU was asked; the wrong twin dies here.
            BackendKind::Avx2 => unsafe { vector::double_many(self, times) },
            BackendKind::Serial => serial::double_many(self, times),
        }
    }
}

fn main() {
    let seed: u32 = std::env::args().nth(1).map_or(7, |s| s.len() as u32);
    let points: Vec<Field> = (0..20u32).map(|n| Field(std::array::from_fn(|i| (n + seed).wrapping_mul(0x0101_4567 + i as u32) % P))).collect();
    let sum = points.iter().fold(Field([0; 8]), |sum, point| &sum + point);
    let plain = points.iter().fold(Field([0; 8]), |sum, point| serial::add(&sum, point));
    assert_eq!(sum, plain);
    let far = sum.double_many(19);
    if far != serial::double_many(&plain, 19) {
        std::process::exit(1);
    }
    println!("{:?}: {:08x?}", get_selected_backend(), far.0);
}
