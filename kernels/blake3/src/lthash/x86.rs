//! Sums with vector instructions. Limit: each vector takes 2 loads and a store, and Zen
//! 5 does one store a cycle. So a sum takes 32 cycles with 512 bits and 64 with 256.

use super::Words;

/// `sum op= other`, in vectors of `$width` bytes, four at a time.
macro_rules! sum {
    ($name:ident $inner:ident $op:literal $load:literal $r:literal $width:literal $isa:literal) => {
        #[unsafe(naked)]
        pub(super) unsafe extern "sysv64" fn $inner(sum: *mut Words, other: *const Words) {
            core::arch::naked_asm!(concat!(
                ".cfi_startproc\n mov eax,2048\n 2:\n",
                $load, " ", $r, "0,[rdi]\n ", $load, " ", $r, "1,[rdi+", $width, "]\n ",
                $load, " ", $r, "2,[rdi+2*", $width, "]\n ", $load, " ", $r, "3,[rdi+3*", $width, "]\n ",
                $op, " ", $r, "0,", $r, "0,[rsi]\n ", $op, " ", $r, "1,", $r, "1,[rsi+", $width, "]\n ",
                $op, " ", $r, "2,", $r, "2,[rsi+2*", $width, "]\n ", $op, " ", $r, "3,", $r, "3,[rsi+3*", $width, "]\n ",
                $load, " [rdi],", $r, "0\n ", $load, " [rdi+", $width, "],", $r, "1\n ",
                $load, " [rdi+2*", $width, "],", $r, "2\n ", $load, " [rdi+3*", $width, "],", $r, "3\n ",
                "add rdi,4*", $width, "\n add rsi,4*", $width, "\n sub eax,4*", $width, "\n jnz 2b\n",
                "vzeroupper\n ret\n .cfi_endproc\n",
            ))
        }

        #[doc = concat!("See [`super::kernel::Sums`]. Unsafe: the CPU must have ", $isa, ".")]
        pub(crate) unsafe fn $name(sum: &mut Words, other: &Words) {
            // SAFETY: the caller's CPU has the ISA. Both operands have 2048 bytes.
            unsafe { $inner(sum, other) }
        }
    };
}

sum!(add512 add512_body "vpaddw" "vmovdqu32" "zmm" 64 "AVX-512BW");
sum!(sub512 sub512_body "vpsubw" "vmovdqu32" "zmm" 64 "AVX-512BW");
sum!(add256 add256_body "vpaddw" "vmovdqu" "ymm" 32 "AVX2");
sum!(sub256 sub256_body "vpsubw" "vmovdqu" "ymm" 32 "AVX2");
