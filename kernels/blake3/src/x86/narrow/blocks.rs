//! Many messages of one block each, eight at a time. Hashes are written directly to their
//! places, and no job is prepared: a program's compiler has nothing to do with it.
//!
//! Limits are as in [`super::eight`]: 254 cycles for eight messages, and 30 to transpose
//! their hashes.

use super::eight;
use crate::body::OneBlock;
use crate::constants::BLOCK_LEN;
use crate::mode::Cv;
use core::mem::offset_of;
use karat_hash_core::slices::STRIDE;

/// Messages of a group.
const LANES: usize = 8;

/// Copies the addresses of the eight messages at r12 to rcx.
macro_rules! addresses {
    ($($lane:literal)*) => { concat!($(
        "mov rax,[r12+{stride}*", $lane, "]\n mov [rcx+8*", $lane, "],rax\n",
    )*) };
}

/// Hashes `groups` groups of eight messages, 1 or more.
///
/// # Safety
/// The CPU must have AVX2. `messages` are eight for each group, of one block each, and
/// `out` is writable for as many hashes.
#[unsafe(naked)]
unsafe extern "sysv64" fn blocks8(messages: *const &[u8], groups: usize, out: *mut Cv, block: &OneBlock) {
    core::arch::naked_asm!(
        concat!(
            enter!("1216"),
            "mov r12,rdi\n mov r13,rsi\n mov r14,rdx\n mov r15,rcx\n lea rcx,[rbx+1152]\n xor esi,esi\n",
            addresses!(0 1 2 3 4 5 6 7),
            // What is behind a group is prefetched, in case messages lie one behind the other.
            "mov r11d,{ahead}\n",
            first_block!(),
            // Behind the last group is nothing: it is copied once more.
            "2:\n xchg r9,r10\n cmp r13,1\n je 3f\n add r12,{stride}*{lanes}\n",
            addresses!(0 1 2 3 4 5 6 7),
            "3:\n", broadcasts!(avx2 "r15+{key}" 0 1 2 3 4 5 6 7),
            "vpxor ymm8,ymm8,ymm8\n vpxor ymm9,ymm9,ymm9\n",
            "vpbroadcastd ymm10,[r15+{len}]\n vpbroadcastd ymm11,[r15+{flags}]\n",
            "call {block}\n mov rax,r14\n",
            pack!(avx2),
            "add r14,32*{lanes}\n dec r13\n jnz 2b\n",
            "vzeroupper\n", exit!(), "ret\n .cfi_endproc\n",
        ),
        block = sym eight::block,
        ahead = const LANES * BLOCK_LEN,
        lanes = const LANES,
        stride = const STRIDE,
        key = const offset_of!(OneBlock, key),
        len = const offset_of!(OneBlock, len),
        flags = const offset_of!(OneBlock, flags),
    )
}

/// See [`crate::body::Each`].
///
/// # Safety
/// The same conditions as there, and the CPU must have AVX2.
pub(crate) unsafe fn blocks(block: &OneBlock, messages: &[&[u8]], out: &mut [Cv]) -> usize {
    assert!(out.len() == messages.len());
    debug_assert!(messages.iter().all(|m| m.len() == BLOCK_LEN));
    let groups = messages.len() / LANES;
    if groups > 0 {
        // SAFETY: the caller upholds the safety contract. There are full groups of messages
        // and a place for each hash.
        unsafe { blocks8(messages.as_ptr(), groups, out.as_mut_ptr(), block) };
    }
    LANES * groups
}
