// Arithmetic of a curve: a macro makes a module per set of features with an atomic byte and a token,
// and an enum of backends is matched on by each function that has several forms.
use std::arch::x86_64::*;
use std::fmt;

macro_rules! cpufeatures_new {
    ($name:ident, $($feature:tt),+) => {
        mod $name {
            use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
            const UNINIT: u8 = u8::MAX;
            static STORAGE: AtomicU8 = AtomicU8::new(UNINIT);
            #[derive(Copy, Clone, Debug)]
            pub struct InitToken(());
            impl InitToken {
                #[inline(always)]
                pub fn get(&self) -> bool {
                    STORAGE.load(Relaxed) == 1
                }
            }
            #[cold]
            fn init_inner() -> bool {
                let has = true $(&& std::is_x86_feature_detected!($feature))+;
                STORAGE.store(has as u8, Relaxed);
                has
            }
            #[inline]
            pub fn init_get() -> (InitToken, bool) {
                let has = match STORAGE.load(Relaxed) {
                    UNINIT => init_inner(),
                    value => value == 1,
                };
                (InitToken(()), has)
            }
            #[inline]
            pub fn get() -> bool {
                init_get().1
            }
        }
    };
}
#[cfg(not(BAD))]
cpufeatures_new!(cpuid_avx2, "avx2");
// The name of the module is not what it asks for.
#[cfg(BAD)]
cpufeatures_new!(cpuid_avx2, "avx");
cpufeatures_new!(cpuid_avx512, "avx512ifma", "avx512vl");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BackendKind {
    Avx2,
    Avx512,
    Serial,
}
#[inline]
fn get_selected_backend() -> BackendKind {
    if cpuid_avx512::get() {
        return BackendKind::Avx512;
    }
    if cpuid_avx2::get() {
        return BackendKind::Avx2;
    }
    BackendKind::Serial
}
const P: u32 = 65_521;

/// Eight elements of a small field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Point([u32; 8]);
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Scalar(u64);

mod serial {
    use super::*;
    pub fn double(p: &Point) -> Point {
        Point(p.0.map(|x| x * x % P))
    }
    pub fn add(p: &Point, q: &Point) -> Point {
        Point(std::array::from_fn(|at| (p.0[at] + q.0[at]) % P))
    }
    pub fn variable_base_mul(point: &Point, scalar: &Scalar) -> Point {
        let mut result = Point([1; 8]);
        for bit in (0..64).rev() {
            result = double(&result);
            if scalar.0 >> bit & 1 == 1 {
                result = add(&result, point);
            }
        }
        result
    }
}
mod vector {
    use super::*;
    #[target_feature(enable = "avx2")]
    fn reduce(v: __m256i) -> __m256i {
        // 65536 = 15 modulo P; twice, then one subtraction.
        let fifteen = _mm256_set1_epi32(15);
        let low = _mm256_set1_epi32(0xffff);
        let v = _mm256_add_epi32(_mm256_and_si256(v, low), _mm256_mullo_epi32(_mm256_srli_epi32(v, 16), fifteen));
        let v = _mm256_add_epi32(_mm256_and_si256(v, low), _mm256_mullo_epi32(_mm256_srli_epi32(v, 16), fifteen));
        let p = _mm256_set1_epi32(P as i32);
        _mm256_min_epu32(v, _mm256_sub_epi32(v, p))
    }
    #[target_feature(enable = "avx2")]
    pub fn variable_base_mul(point: &Point, scalar: &Scalar) -> Point {
        // SAFETY: there are eight lanes.
        let p = unsafe { _mm256_loadu_si256(point.0.as_ptr().cast()) };
        let mut result = _mm256_set1_epi32(1);
        for bit in (0..64).rev() {
            result = reduce(_mm256_mullo_epi32(result, result));
            if scalar.0 >> bit & 1 == 1 {
                result = reduce(_mm256_add_epi32(result, p));
            }
        }
        let mut out = Point([0; 8]);
        // SAFETY: there are eight lanes.
        unsafe { _mm256_storeu_si256(out.0.as_mut_ptr().cast(), result) };
        out
    }
}
fn variable_base_mul(point: &Point, scalar: &Scalar) -> Point {
    match get_selected_backend() {
        // SAFETY: the backend was selected for its features.
        BackendKind::Avx2 | BackendKind::Avx512 => unsafe { vector::variable_base_mul(point, scalar) },
        BackendKind::Serial => serial::variable_base_mul(point, scalar),
    }
}
#[derive(Debug, PartialEq, Eq)]
enum SignatureError {
    Length(usize),
    Verify,
}
impl fmt::Display for SignatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(n) => write!(f, "{n} bytes are no signature"),
            Self::Verify => f.write_str("the equation does not hold"),
        }
    }
}
struct SigningKey {
    secret: Scalar,
    base: Point,
}
impl SigningKey {
    fn from_seed(seed: u64) -> Self {
        let secret = Scalar(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        Self { secret, base: Point(std::array::from_fn(|at| (at as u32 + 3) * 1009 % P)) }
    }
    fn sign(&self, message: &[u8]) -> Vec<u8> {
        let h = message.iter().fold(self.secret.0, |h, byte| (h ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3));
        let point = variable_base_mul(&self.base, &Scalar(h));
        point.0.iter().flat_map(|lane| (*lane as u16).to_le_bytes()).collect()
    }
    fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), SignatureError> {
        if signature.len() != 16 {
            return Err(SignatureError::Length(signature.len()));
        }
        match self.sign(message) == signature {
            true => Ok(()),
            false => Err(SignatureError::Verify),
        }
    }
}
fn main() {
    let seed = std::env::args().nth(1).map_or(7, |arg| arg.bytes().map(u64::from).sum());
    let key = SigningKey::from_seed(seed);
    let signature = key.sign(b"message");
    let plain = serial::variable_base_mul(&key.base, &Scalar(12345));
    if plain != variable_base_mul(&key.base, &Scalar(12345)) {
        std::process::exit(1);
    }
    for (message, signature) in [(&b"message"[..], &signature[..]), (b"massage", &signature), (b"message", &signature[1..])] {
        match key.verify(message, signature) {
            Ok(()) => println!("good: {signature:02x?}"),
            Err(error) => println!("bad: {error}"),
        }
    }
}
