//! One message, with each row of the state in one register, in assembly.

use crate::shuffles::Constants;
use crate::{Counter, One, hash_by};
use core::arch::naked_asm;

static CONSTANTS: Constants<u32> = Constants::BLAKE2S;

/// The functions for one message whose blocks a text compresses that moves xmm registers only.
macro_rules! rows_of {
    (
        $(#[$what:meta])*
        $one:ident, $isa:literal, $text:literal;
        $compress:ident $hash:ident $blocks:ident $compress_text:ident $hash_text:ident
    ) => {
        $(#[$what])*
        pub(super) const $one: One<u32> = One {
            compress: $compress,
            hash: $hash,
        };

        /// See [`crate::Compress`].
        ///
        /// # Safety
        /// `blocks` must be readable for `count` blocks, 1 or more. The CPU must have
        #[doc = concat!($isa, ".")]
        unsafe fn $compress(
            h: &mut [u32; 8],
            blocks: *const u8,
            count: usize,
            counter: &mut Counter<u32>,
            step: usize,
        ) {
            // SAFETY: the caller upholds the safety contract.
            unsafe { $compress_text(h, blocks, count, counter, step, &CONSTANTS) }
        }

        /// See [`crate::single::HashOne`].
        ///
        /// # Safety
        /// The same conditions as there, and the CPU must have
        #[doc = concat!($isa, ".")]
        unsafe fn $hash(start: &[u32; 8], message: &[u8], digest: *mut u8, length: usize) {
            let (at, bytes) = (message.as_ptr(), message.len());
            // SAFETY: the caller upholds the safety contract. A slice is readable for its length.
            unsafe { $hash_text(start, at, bytes, digest, length, &CONSTANTS) }
        }

        /// Compresses blocks; the registers are those of the text.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $blocks() {
            naked_asm!(
                include_str!("../x86_64/permutations.s"),
                include_str!("../x86_64/rows.s"),
                include_str!($text),
                options(raw)
            )
        }

        #[unsafe(naked)]
        unsafe extern "sysv64" fn $compress_text(
            h: &mut [u32; 8],
            blocks: *const u8,
            count: usize,
            counter: &mut Counter<u32>,
            step: usize,
            constants: &Constants<u32>,
        ) {
            naked_asm!(
                include_str!("../x86_64/blake2s_rows_sse_compress.s"),
                blocks = sym $blocks,
            )
        }

        #[unsafe(naked)]
        unsafe extern "sysv64" fn $hash_text(
            start: &[u32; 8],
            message: *const u8,
            length: usize,
            digest: *mut u8,
            digest_length: usize,
            constants: &Constants<u32>,
        ) {
            naked_asm!(
                include_str!("../x86_64/enter.s"),
                include_str!("../x86_64/message.s"),
                include_str!("../x86_64/blake2s_rows_sse_hash.s"),
                blocks = sym $blocks,
            )
        }
    };
}

rows_of! {
    /// The functions for one message with SSE4.1.
    SSE41, "SSE4.1", "../x86_64/blake2s_rows_sse41.s";
    sse41 hash_sse41 karat_blake2s_rows_sse41
    karat_blake2s_rows_sse41_compress karat_blake2s_rows_sse41_hash
}

rows_of! {
    /// The functions for one message with AVX2.
    AVX2, "AVX2", "../x86_64/blake2s_rows_avx2.s";
    avx2 hash_avx2 karat_blake2s_rows_avx2
    karat_blake2s_rows_avx2_compress karat_blake2s_rows_avx2_hash
}

/// The functions for one message with AVX-512VL.
pub(super) const AVX512VL: One<u32> = One {
    compress: avx512vl,
    hash: hash_avx512vl,
};

/// See [`crate::Compress`].
///
/// # Safety
/// `blocks` must be readable for `count` blocks, 1 or more. The CPU must have
/// AVX-512VL.
unsafe fn avx512vl(
    h: &mut [u32; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<u32>,
    step: usize,
) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { karat_blake2s_rows_avx512vl(h, blocks, count, counter, step, &CONSTANTS) }
}

#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2s_rows_avx512vl(
    h: &mut [u32; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<u32>,
    step: usize,
    constants: &Constants<u32>,
) {
    naked_asm!(
        include_str!("../x86_64/permutations.s"),
        include_str!("../x86_64/rows.s"),
        include_str!("../x86_64/blake2s_rows_words.s"),
        include_str!("../x86_64/blake2s_rows_avx512vl.s"),
        options(raw)
    )
}

/// See [`crate::single::HashOne`].
///
/// # Safety
/// The same conditions as there, and the CPU must have AVX-512VL.
unsafe fn hash_avx512vl(start: &[u32; 8], message: &[u8], digest: *mut u8, length: usize) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { hash_by(avx512vl, start, message, digest, length) }
}
