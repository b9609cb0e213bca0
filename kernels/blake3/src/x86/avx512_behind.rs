//! Sixteen lanes of 512 bits whose words stay in registers, one group after the other, each
//! column a step behind the one before: what [`super::avx512_single`] is about, and the
//! fastest for a few blocks on Zen 4 too.

use super::super::constants::IV;
use super::super::job::Job;
use core::mem::offset_of;

/// Quarter rounds with words in registers, each a step behind the one before: in step they take
/// 2 % longer.
macro_rules! columns_behind {
    ($(($a:literal $b:literal $c:literal $d:literal $x:tt $y:tt))*) => {
        staggered!("zmm" $(($a $b $c $d "", word!($x), "", word!($y)))*)
    };
}

/// A round with words in registers.
macro_rules! round16_behind {
    ($filler:tt $m0:tt $m1:tt $m2:tt $m3:tt $m4:tt $m5:tt $m6:tt $m7:tt
     $m8:tt $m9:tt $m10:tt $m11:tt $m12:tt $m13:tt $m14:tt $m15:tt) => { concat!(
        columns_behind!((0 4 8 12 $m0 $m1) (1 5 9 13 $m2 $m3) (2 6 10 14 $m4 $m5) (3 7 11 15 $m6 $m7)),
        columns_behind!((0 5 10 15 $m8 $m9) (1 6 11 12 $m10 $m11) (2 7 8 13 $m12 $m13) (3 4 9 14 $m14 $m15)),
    ) };
}

/// Loads blocks and transposes them to words in registers 16 to 31, by way of 8 to 15. Of the
/// first half first, because the first columns need no others.
macro_rules! words_behind {
    () => { concat!(
        words_behind!(@ 0), quarters16!(16 20 8 12 17 21 9 13 18 22 10 14 19 23 11 15),
        words_behind!(@ 32), quarters16!(24 28 8 12 25 29 9 13 26 30 10 14 27 31 11 15),
    ) };
    (@ $o:literal) => { concat!(
        gather16!(0 $o 8 0 4 9 1 5 10 2 6 11 3 7 12 8 12 13 9 13 14 10 14 15 11 15),
        unpack_to!("zmm" "ldq" 24 8 9 25 10 11 26 12 13 27 14 15), unpack_to!("zmm" "hdq" 28 8 9 29 10 11 30 12 13 31 14 15),
        unpack_to!("zmm" "lqdq" 8 24 25 10 28 29 12 26 27 14 30 31), unpack_to!("zmm" "hqdq" 9 24 25 11 28 29 13 26 27 15 30 31),
    ) };
}

/// Runs sixteen lanes, block after block. A block's words stay in registers.
///
/// # Safety
/// The same conditions as for [`super::super::body::Advance`], and the CPU must have
/// AVX-512F and VL.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn lanes16(job: *mut Job, blocks: usize) {
    core::arch::naked_asm!(
        concat!(
            ".cfi_startproc\n xor edx,edx\n lea rcx,[rdi+{flags}]\n",
            take!(0 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7),
            ".p2align 6\n 2:\n",
            choose!(),
            words_behind!(),
            lower!(0 8 9 10 11 12 13 14 15),
            rounds!(round16_behind),
            fold_in!("zmm" 0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15),
            "add rdx,64\n lea rcx,[rdi+{flags}+64]\n dec rsi\n jnz 2b\n",
            leave!(0 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
            "vzeroupper\n ret\n .cfi_endproc\n",
        ),
        iv = sym IV,
        counter = const offset_of!(Job, counter),
        lens = const offset_of!(Job, lens),
        flags = const offset_of!(Job, flags),
        inputs = const offset_of!(Job, inputs),
        key = const offset_of!(Job, key),
        out = const offset_of!(Job, out),
        cv = const offset_of!(Job, cv),
    )
}
