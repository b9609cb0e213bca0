// Cryptography that has one implementation only, for CPUs that are new enough: public functions make
// an entry token, which verifies once that the CPU will do, and stop the program where it will not.
use std::arch::x86_64::*;
use std::sync::Once;

mod low {
    use super::*;
    #[derive(Clone, Copy)]
    pub struct Entry(());
    impl Entry {
        pub fn new_public() -> Self {
            static VERIFIED: Once = Once::new();
            VERIFIED.call_once(verify_cpu_features);
            Entry(())
        }
        pub fn new_secret() -> Self {
            Self::new_public()
        }
    }
    macro_rules! have_cpu_feature {
        ($name:tt) => {
            std::arch::is_x86_feature_detected!($name)
        };
    }
    fn verify_cpu_features() {
        let required = [
            ("aes", have_cpu_feature!("aes")),
            ("pclmulqdq", have_cpu_feature!("pclmulqdq")),
            ("ssse3", have_cpu_feature!("ssse3")),
            ("avx", have_cpu_feature!("avx")),
            #[cfg(not(BAD))]
            ("avx2", have_cpu_feature!("avx2")),
            #[cfg(not(BAD))]
            ("bmi2", have_cpu_feature!("bmi2")),
        ];
        let missing: Vec<&str> = required.iter().filter(|(_, has)| !has).map(|(name, _)| *name).collect();
        if !missing.is_empty() {
            eprintln!("this CPU lacks {}, which are required", missing.join(", "));
            std::process::exit(3);
        }
    }
    pub fn mul_wide(_entry: Entry, a: &[u64], b: u64, out: &mut [u64]) -> u64 {
        assert_eq!(a.len(), out.len());
        // SAFETY: an `Entry` is only had where the CPU has all that is required, but for the wrong twin's.
        unsafe { mul_wide_bmi2(a, b, out) }
    }
    #[target_feature(enable = "bmi2")]
    fn mul_wide_bmi2(a: &[u64], b: u64, out: &mut [u64]) -> u64 {
        let mut carry = 0u64;
        for (o, &word) in out.iter_mut().zip(a) {
            let mut high = 0;
            let low = _mulx_u64(word, b, &mut high);
            let (sum, more) = low.overflowing_add(carry);
            *o = sum;
            carry = high + more as u64;
        }
        carry
    }
    pub fn ct_equal(_entry: Entry, a: &[u8], b: &[u8]) -> bool {
        // SAFETY: an `Entry` is only had where the CPU has all that is required, but for the wrong twin's.
        a.len() == b.len() && unsafe { ct_equal_avx2(a, b) }
    }
    #[target_feature(enable = "avx2")]
    fn ct_equal_avx2(a: &[u8], b: &[u8]) -> bool {
        let mut acc = _mm256_setzero_si256();
        let (wide_a, wide_b) = (a.chunks_exact(32), b.chunks_exact(32));
        let mut tail = 0u8;
        for (x, y) in wide_a.remainder().iter().zip(wide_b.remainder()) {
            tail |= x ^ y;
        }
        for (x, y) in wide_a.zip(wide_b) {
            // SAFETY: each chunk has 32 bytes, and AVX2 was asked for (but in the wrong twin).
            unsafe {
                let x = _mm256_loadu_si256(x.as_ptr().cast());
                let y = _mm256_loadu_si256(y.as_ptr().cast());
                acc = _mm256_or_si256(acc, _mm256_xor_si256(x, y));
            }
        }
        _mm256_testz_si256(acc, acc) == 1 && tail == 0
    }
}
mod mac {
    use super::low::{self, Entry};
    pub struct Key {
        words: [u64; 4],
    }
    impl Key {
        pub fn new(secret: &[u8; 32]) -> Self {
            let _entry = Entry::new_secret();
            let mut words = [0; 4];
            for (word, chunk) in words.iter_mut().zip(secret.chunks(8)) {
                *word = u64::from_le_bytes(chunk.try_into().expect("eight bytes"));
            }
            Self { words }
        }
        pub fn sign(&self, message: &[u8]) -> Vec<u8> {
            let entry = Entry::new_secret();
            let mut state = self.words;
            for chunk in message.chunks(8) {
                let mut block = [0; 8];
                block[..chunk.len()].copy_from_slice(chunk);
                let mut out = [0; 4];
                let carry = low::mul_wide(entry, &state, u64::from_le_bytes(block) | 1, &mut out);
                out[0] ^= carry;
                state = out;
            }
            state.iter().flat_map(|word| word.to_le_bytes()).collect()
        }
        pub fn verify(&self, message: &[u8], tag: &[u8]) -> bool {
            low::ct_equal(Entry::new_public(), &self.sign(message), tag)
        }
    }
}
fn main() {
    let message = std::env::args().nth(1).unwrap_or_else(|| "the message that is signed and verified".into());
    let key = mac::Key::new(&std::array::from_fn(|i| i as u8 * 9 + 1));
    let tag = key.sign(message.as_bytes());
    let mut other = tag.clone();
    other[17] ^= 4;
    if !key.verify(message.as_bytes(), &tag) || key.verify(message.as_bytes(), &other) {
        std::process::exit(1);
    }
    println!("{}", tag.iter().map(|b| format!("{b:02x}")).collect::<String>());
}
