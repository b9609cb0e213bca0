// A rolling checksum: a function gives the implementation as a value, which the state keeps; modules
// for each extension say by an Option whether they are there.
use std::arch::x86_64::*;
use std::hash::Hasher;
use std::io::{self, BufRead, BufReader, Read};

type Adler32Imp = fn(u16, u16, &[u8]) -> (u16, u16);
const MOD: u32 = 65521;
const NMAX: usize = 5552;

mod imp {
    use super::*;
    pub fn get_imp() -> Adler32Imp {
        avx512::get_imp().or_else(avx2::get_imp).unwrap_or(scalar::update)
    }
    pub mod scalar {
        use super::*;
        pub fn update(a: u16, b: u16, data: &[u8]) -> (u16, u16) {
            let (mut a, mut b) = (u32::from(a), u32::from(b));
            for chunk in data.chunks(NMAX) {
                for byte in chunk {
                    a += u32::from(*byte);
                    b += a;
                }
                a %= MOD;
                b %= MOD;
            }
            (a as u16, b as u16)
        }
    }
    pub mod avx512 {
        use super::*;
        pub fn get_imp() -> Option<Adler32Imp> {
            let has = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
            has.then_some(update as Adler32Imp)
        }
        fn update(a: u16, b: u16, data: &[u8]) -> (u16, u16) {
            // SAFETY: who has this function has asked for AVX-512BW.
            unsafe { update_imp(a, b, data) }
        }
        #[target_feature(enable = "avx512f,avx512bw")]
        unsafe fn update_imp(a: u16, b: u16, data: &[u8]) -> (u16, u16) {
            let (mut a, mut b) = (u32::from(a), u32::from(b));
            let chunks = data.chunks_exact(64);
            let rest = chunks.remainder();
            for chunk in chunks {
                // SAFETY: it has 64 bytes.
                let v = unsafe { _mm512_loadu_si512(chunk.as_ptr().cast()) };
                b = (b + 64 * a) % MOD;
                a = (a + _mm512_reduce_add_epi64(_mm512_sad_epu8(v, _mm512_setzero_si512())) as u32) % MOD;
                for (at, byte) in chunk.iter().enumerate() {
                    b += (64 - at as u32) * u32::from(*byte);
                }
                b %= MOD;
            }
            scalar::update(a as u16, b as u16, rest)
        }
    }
    pub mod avx2 {
        use super::*;
        pub fn get_imp() -> Option<Adler32Imp> {
            #[cfg(not(BAD))]
            let has = is_x86_feature_detected!("avx2");
            // The module beside asked for two, one of which has a shorter name.
            #[cfg(BAD)]
            let has = is_x86_feature_detected!("avx");
            if has { Some(update) } else { None }
        }
        fn update(a: u16, b: u16, data: &[u8]) -> (u16, u16) {
            // SAFETY: who has this function has asked for AVX2.
            unsafe { update_imp(a, b, data) }
        }
        #[target_feature(enable = "avx2")]
        unsafe fn update_imp(a: u16, b: u16, data: &[u8]) -> (u16, u16) {
            let (mut a, mut b) = (u32::from(a), u32::from(b));
            let weights: [i8; 32] = std::array::from_fn(|at| 32 - at as i8);
            // SAFETY: there are 32.
            let weights = unsafe { _mm256_loadu_si256(weights.as_ptr().cast()) };
            let chunks = data.chunks_exact(32);
            let rest = chunks.remainder();
            for chunk in chunks {
                // SAFETY: it has 32 bytes.
                let v = unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) };
                b += 32 * a;
                a += sum(_mm256_sad_epu8(v, _mm256_setzero_si256()));
                b += sum(_mm256_madd_epi16(_mm256_maddubs_epi16(v, weights), _mm256_set1_epi16(1)));
                (a, b) = (a % MOD, b % MOD);
            }
            scalar::update(a as u16, b as u16, rest)
        }
        #[target_feature(enable = "avx2")]
        fn sum(v: __m256i) -> u32 {
            let v = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
            let v = _mm_add_epi32(v, _mm_shuffle_epi32(v, 0b01_00_11_10));
            (_mm_cvtsi128_si32(v) + _mm_extract_epi32(v, 1)) as u32
        }
    }
}
#[derive(Clone)]
pub struct Adler32 {
    a: u16,
    b: u16,
    update: Adler32Imp,
}
impl Default for Adler32 {
    fn default() -> Self {
        Self::from_checksum(1)
    }
}
impl Adler32 {
    pub fn from_checksum(checksum: u32) -> Self {
        Self { a: checksum as u16, b: (checksum >> 16) as u16, update: imp::get_imp() }
    }
    pub fn write(&mut self, data: &[u8]) {
        (self.a, self.b) = (self.update)(self.a, self.b, data);
    }
    pub fn finish(&self) -> u32 {
        u32::from(self.b) << 16 | u32::from(self.a)
    }
}
impl Hasher for Adler32 {
    fn finish(&self) -> u64 {
        self.finish().into()
    }
    fn write(&mut self, bytes: &[u8]) {
        self.write(bytes);
    }
}
fn checksum(reader: &mut dyn BufRead) -> io::Result<(u64, u32)> {
    let (mut adler, mut size) = (Adler32::default(), 0);
    loop {
        let data = reader.fill_buf()?;
        if data.is_empty() {
            return Ok((size, adler.finish()));
        }
        let n = data.len();
        adler.write(data);
        reader.consume(n);
        size += n as u64;
    }
}
fn main() -> io::Result<()> {
    let made: Vec<u8> = (0..9000u32).map(|i| (i * i >> 4) as u8).collect();
    let mut reader: Box<dyn Read> = match std::env::args().nth(1) {
        Some(path) if path != "x" => Box::new(std::fs::File::open(&path)?),
        _ => Box::new(io::Cursor::new(made.clone())),
    };
    let (size, sum) = checksum(&mut BufReader::with_capacity(777, &mut reader))?;
    println!("{sum:08x} {size}");
    let (a, b) = imp::scalar::update(1, 0, &made);
    if size == 9000 && sum != u32::from(b) << 16 | u32::from(a) {
        std::process::exit(1);
    }
    Ok(())
}
