//! One message with each row of the state in one register, for CPUs that shift in one cycle
//! but rotate in two: what calls the texts of BLAKE2b and BLAKE2s.

/// The functions of a hash whose texts begin with a name, as `ONE`. For a module in a folder
/// beside that of the texts.
macro_rules! rows_shifts {
    ($word:ident $constants:ident $name:literal) => {
        use crate::shuffles::Constants;
        use crate::{Counter, One};
        use core::arch::naked_asm;

        static CONSTANTS: Constants<$word> = Constants::$constants;

        /// The functions for one message.
        pub(super) const ONE: One<$word> = One { compress, hash };

        /// See [`crate::Compress`].
        ///
        /// # Safety
        /// `blocks` must be readable for `count` blocks, 1 or more. The CPU must have AVX-512F, BW
        /// and VL, and BMI2.
        unsafe fn compress(
            h: &mut [$word; 8],
            blocks: *const u8,
            count: usize,
            counter: &mut Counter<$word>,
            step: usize,
        ) {
            // SAFETY: the caller upholds the safety contract.
            unsafe { compress_by(h, blocks, count, counter, step, &CONSTANTS) }
        }

        /// See [`crate::single::HashOne`].
        ///
        /// # Safety
        /// The same conditions as there, and the CPU must have AVX-512F, BW and VL, and BMI2.
        unsafe fn hash(start: &[$word; 8], message: &[u8], digest: *mut u8, length: usize) {
            let (at, bytes) = (message.as_ptr(), message.len());
            // SAFETY: the caller upholds the safety contract. A slice is readable for its length.
            unsafe { hash_by(start, at, bytes, digest, length, &CONSTANTS) }
        }

        /// Compresses blocks; the registers are those of the text.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn text() {
            naked_asm!(
                include_str!("../x86_64/permutations.s"),
                include_str!("../x86_64/rows.s"),
                include_str!(concat!("../x86_64/", $name, "_rows_words.s")),
                include_str!(concat!("../x86_64/", $name, "_rows_shifts.s")),
                options(raw)
            )
        }

        #[unsafe(naked)]
        unsafe extern "sysv64" fn compress_by(
            h: &mut [$word; 8],
            blocks: *const u8,
            count: usize,
            counter: &mut Counter<$word>,
            step: usize,
            constants: &Constants<$word>,
        ) {
            naked_asm!(
                include_str!(concat!("../x86_64/", $name, "_rows_compress.s")),
                blocks = sym text,
            )
        }

        #[unsafe(naked)]
        unsafe extern "sysv64" fn hash_by(
            start: &[$word; 8],
            message: *const u8,
            length: usize,
            digest: *mut u8,
            digest_length: usize,
            constants: &Constants<$word>,
        ) {
            naked_asm!(
                include_str!("../x86_64/digest_rest.s"),
                include_str!(concat!("../x86_64/", $name, "_rows_shifts_hash.s")),
                blocks = sym text,
            )
        }
    };
}

pub(crate) use rows_shifts;
