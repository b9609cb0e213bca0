//! AVX-512: one message in `xmm` registers. The rounds are in `rounds512`.

use super::rounds512::*;
use super::{ROUND_CONSTANTS, constants};
use crate::state::{Rounds, State};
use core::arch::naked_asm;

/// See [`crate::body::One`].
///
/// # Safety
/// The same conditions as there, and the CPU must have [`super::AVX512`].
pub(crate) unsafe fn absorb(
    state: &mut State,
    data: *const u8,
    blocks: usize,
    words: usize,
    row: bool,
    rounds: Rounds,
) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { absorb1(state, data, blocks, words, row, constants(rounds).as_ptr()) }
}

/// Runs one state in `xmm0` to `xmm24`. The upper halves of the registers are not used.
/// `first` is the constant of the first round. The number of rounds is a multiple of 4.
#[unsafe(naked)]
unsafe extern "sysv64" fn absorb1(
    state: &mut State,
    data: *const u8,
    blocks: usize,
    words: usize,
    row: bool,
    first: *const u64,
) {
    /// Adds words 0, 1 and so on, up to the number of words in a block.
    macro_rules! add_words {
        ($($count:literal $n:literal)*) => {
            concat!($(
                "cmp ecx, ", $count, "\n",
                "jb 5f\n",
                "vpxorq xmm", $n, ", xmm", $n, ", qword ptr [rsi + 8 * ", $n, "]{{1to2}}\n",
            )*)
        };
    }
    naked_asm!(
        ".cfi_startproc",
        each_lane!("vmovq xmm" ", qword ptr [rdi + 8 * " "]"),
        "lea r10, [rip + {constants} + 192]",
        // Where to stop with `row`: in the last four rounds of the last block.
        "xor r11d, r11d",
        "lea rax, [r10 - 32]",
        "test r8b, r8b",
        "cmovnz r11, rax",
        "lea r8, [rcx * 8]",
        "2:",
        add_words!("1" "0" "2" "1" "3" "2" "4" "3" "5" "4" "6" "5" "7" "6" "8" "7" "9" "8"
            "10" "9" "11" "10" "12" "11" "13" "12" "14" "13" "15" "14" "16" "15" "17" "16"
            "18" "17" "19" "18" "20" "19" "21" "20"),
        "5:",
        "add rsi, r8",
        "mov rax, r9",
        parities!("xmm"),
        ".p2align 5",
        "6:",
        round_of_four!(0 steps "xmm" "{{1to2}}"),
        round_of_four!(1 steps "xmm" "{{1to2}}"),
        round_of_four!(2 steps "xmm" "{{1to2}}"),
        "cmp rax, r11",
        "je 7f",
        "8:",
        round_of_four!(3 steps "xmm" "{{1to2}}"),
        "add rax, 32",
        "cmp rax, r10",
        "jne 6b",
        "dec rdx",
        "jnz 2b",
        each_lane!("vmovq qword ptr [rdi + 8 * " "], xmm" ""),
        "ret",
        "7:",
        "cmp rdx, 1",
        "jne 8b",
        last_round!("xmm" "{{1to2}}"),
        // One store, so that loads of any width find a digest of 32 bytes in it. By an upper
        // register, which needs no `vzeroupper`.
        "vpunpcklqdq xmm16, xmm0, xmm1",
        "vpunpcklqdq xmm17, xmm2, xmm3",
        "vinserti32x4 ymm16, ymm16, xmm17, 1",
        "vmovdqu64 [rdi], ymm16",
        "vmovq qword ptr [rdi + 32], xmm4",
        "ret",
        ".cfi_endproc",
        constants = sym ROUND_CONSTANTS,
    )
}
