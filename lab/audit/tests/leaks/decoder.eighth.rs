// A decoder of pictures: options are a set of flags with a builder, functions are chosen by them and
// by the CPU when a decoder is made, and bands are decoded by scoped threads.
use std::arch::x86_64::*;
use std::fmt;
use std::thread;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DecoderFlags(u32);
impl DecoderFlags {
    const PLATFORM: DecoderFlags = DecoderFlags(1 << 0);
    const AVX2: DecoderFlags = DecoderFlags(1 << 1);
    const STRICT: DecoderFlags = DecoderFlags(1 << 2);
    const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
    const fn union(self, other: Self) -> Self {
        DecoderFlags(self.0 | other.0)
    }
    fn set(&mut self, other: Self, yes: bool) {
        if yes { self.0 |= other.0 } else { self.0 &= !other.0 }
    }
}
#[derive(Clone, Copy, Debug)]
struct DecoderOptions {
    flags: DecoderFlags,
    max_width: usize,
}
impl Default for DecoderOptions {
    fn default() -> Self {
        Self { flags: DecoderFlags::PLATFORM.union(DecoderFlags::AVX2), max_width: 1 << 14 }
    }
}
impl DecoderOptions {
    fn set_use_unsafe(mut self, yes: bool) -> Self {
        self.flags.set(DecoderFlags::PLATFORM, yes);
        self
    }
    fn set_strict_mode(mut self, yes: bool) -> Self {
        self.flags.set(DecoderFlags::STRICT, yes);
        self
    }
    fn use_avx2(&self) -> bool {
        let wanted = self.flags.contains(DecoderFlags::PLATFORM.union(DecoderFlags::AVX2));
        #[cfg(not(BAD))]
        return wanted && is_x86_feature_detected!("avx2");
        // That the program may is taken for that the CPU can.
        #[cfg(BAD)]
        return wanted;
    }
}
#[derive(Debug)]
enum DecodeError {
    TooWide(usize),
    Truncated { need: usize, have: usize },
}
impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DecodeError::TooWide(width) => write!(f, "width {width} is above the limit"),
            DecodeError::Truncated { need, have } => write!(f, "{need} bytes are needed, {have} there"),
        }
    }
}
impl std::error::Error for DecodeError {}

/// Luma and chroma to grey-red pairs.
type ConvertFn = fn(&[i16], &[i16], &mut [u8]);
fn convert_scalar(y: &[i16], cr: &[i16], out: &mut [u8]) {
    for ((y, cr), o) in y.iter().zip(cr).zip(out) {
        let red = y.wrapping_add((cr.wrapping_sub(128).wrapping_mul(45)) >> 5);
        *o = red.clamp(0, 255) as u8;
    }
}
fn convert_avx2(y: &[i16], cr: &[i16], out: &mut [u8]) {
    // SAFETY: `choose_convert` asked.
    unsafe { convert_avx2_inner(y, cr, out) }
}
#[target_feature(enable = "avx2")]
unsafe fn convert_avx2_inner(y: &[i16], cr: &[i16], out: &mut [u8]) {
    let whole = out.len() / 16 * 16;
    for at in (0..whole).step_by(16) {
        // SAFETY: 16 elements of each are there, as the slices' bounds check.
        unsafe {
            let luma = _mm256_loadu_si256(y[at..at + 16].as_ptr().cast());
            let chroma = _mm256_sub_epi16(_mm256_loadu_si256(cr[at..at + 16].as_ptr().cast()), _mm256_set1_epi16(128));
            let red = _mm256_add_epi16(luma, _mm256_srai_epi16(_mm256_mullo_epi16(chroma, _mm256_set1_epi16(45)), 5));
            let packed = _mm256_permute4x64_epi64(_mm256_packus_epi16(red, red), 0b1000);
            _mm_storeu_si128(out[at..at + 16].as_mut_ptr().cast(), _mm256_castsi256_si128(packed));
        }
    }
    convert_scalar(&y[whole..], &cr[whole..], &mut out[whole..]);
}
fn choose_convert(options: &DecoderOptions) -> ConvertFn {
    if options.use_avx2() {
        return convert_avx2;
    }
    convert_scalar
}
struct Decoder<'a> {
    data: &'a [u8],
    width: usize,
    convert: ConvertFn,
}
impl<'a> Decoder<'a> {
    fn new_with_options(data: &'a [u8], width: usize, options: DecoderOptions) -> Result<Self, DecodeError> {
        if width > options.max_width {
            return Err(DecodeError::TooWide(width));
        }
        let need = width * 2;
        if data.len() < need && options.flags.contains(DecoderFlags::STRICT) {
            return Err(DecodeError::Truncated { need, have: data.len() });
        }
        Ok(Self { data, width, convert: choose_convert(&options) })
    }
    fn decode(&self) -> Vec<u8> {
        let rows = self.data.len() / (2 * self.width);
        let mut out = vec![0; rows * self.width];
        thread::scope(|scope| {
            for (band, data) in out.chunks_mut(self.width * 4).zip(self.data.chunks(self.width * 8)) {
                scope.spawn(move || {
                    for (row, data) in band.chunks_mut(self.width).zip(data.chunks(self.width * 2)) {
                        let y: Vec<i16> = data[..self.width].iter().map(|&b| b as i16).collect();
                        let cr: Vec<i16> = data[self.width..].iter().map(|&b| b as i16).collect();
                        (self.convert)(&y, &cr, row);
                    }
                });
            }
        });
        out
    }
}
fn run() -> Result<(), Box<dyn std::error::Error>> {
    let data = match std::env::args().nth(1) {
        Some(path) => std::fs::read(path)?,
        None => (0..50 * 2 * 9).map(|i: u32| (i.wrapping_mul(2_654_435_761) >> 22) as u8).collect(),
    };
    let options = DecoderOptions::default().set_strict_mode(true);
    let pixels = Decoder::new_with_options(&data, 50, options)?.decode();
    let plain = Decoder::new_with_options(&data, 50, options.set_use_unsafe(false))?.decode();
    if pixels != plain {
        std::process::exit(1);
    }
    println!("{} pixels, sum {}", pixels.len(), pixels.iter().map(|&p| p as u64).sum::<u64>());
    Ok(())
}
fn main() {
    if let Err(error) = run() {
        eprintln!("decoder: {error}");
        std::process::exit(3);
    }
}
