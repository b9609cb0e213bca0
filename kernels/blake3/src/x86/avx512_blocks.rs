//! Many messages of one block each, in groups of 32 or 16. Hashes are written directly
//! to their places, and no job is prepared.
//!
//! Limits are as in [`super::avx512`], for one block. 32 messages are 2 x (784 + 8 +
//! 64 + 56) operations at 4 a cycle, 456 cycles. 16 messages are bound by 336 cycles of
//! latency and the time of their transpositions.

use super::super::constants::{BLOCK_LEN, IV};
use super::super::body::OneBlock;
use super::super::mode::Cv;
use super::avx512::ORDER;
use karat_hash_core::slices::STRIDE;
use core::mem::offset_of;

/// Loads half blocks, two messages a register: offset `$o` of the messages from number
/// `$n` on.
macro_rules! gather {
    ($n:literal $o:literal $($r:literal $low:literal $high:literal)*) => { concat!($(
        "mov rax,[rdi+{stride}*(", $n, "+", $low, ")]\n vmovdqu32 ymm", $r, ",[rax+", $o, "]\n",
        "mov rax,[rdi+{stride}*(", $n, "+", $high, ")]\n vinserti64x4 zmm", $r, ",zmm", $r, ",[rax+", $o, "],1\n",
    )*) };
}

/// Transposes half a block of 16 messages to `$m`, as in [`super::avx512`].
macro_rules! transpose {
    ($n:literal $m:literal $o:literal) => { concat!(
        gather!($n $o 8 0 4 9 1 5 10 2 6 11 3 7 12 8 12 13 9 13 14 10 14 15 11 15),
        unpack_to!("zmm" "ldq" 24 8 9 25 10 11 26 12 13 27 14 15),
        unpack_to!("zmm" "hdq" 28 8 9 29 10 11 30 12 13 31 14 15),
        unpack_to!("zmm" "lqdq" 8 24 25 10 28 29 12 26 27 14 30 31),
        unpack_to!("zmm" "hqdq" 9 24 25 11 28 29 13 26 27 15 30 31),
        put16!($m 24 25 0 8 12 1 9 13 2 10 14 3 11 15),
    ) };
}

/// Sets a group's state before the rounds, from the [`OneBlock`] at rcx.
macro_rules! state {
    ($($r:literal $i:literal)* ; $($c:literal $j:literal)* ; $d0:literal $d1:literal $d2:literal $d3:literal) => { concat!(
        $("vpbroadcastd zmm", $r, ",[rcx+{key}+4*", $i, "]\n",)*
        $("vpbroadcastd zmm", $c, ",[rip+{iv}+4*", $j, "]\n",)*
        "vpxord zmm", $d0, ",zmm", $d0, ",zmm", $d0, "\n vpxord zmm", $d1, ",zmm", $d1, ",zmm", $d1, "\n",
        "vpbroadcastd zmm", $d2, ",[rcx+{len}]\n vpbroadcastd zmm", $d3, ",[rcx+{flags}]\n",
    ) };
}

/// Stores chaining values of 16 lanes to rdx. `$r` lists 8 registers of words, then 8
/// free ones.
macro_rules! hashes {
    ($a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal
     $s:literal $t:literal $u:literal $v:literal $w:literal $x:literal $y:literal $z:literal) => { concat!(
        unpack_to!("zmm" "ldq" $s $a $b $t $c $d $u $e $f $v $g $h),
        unpack_to!("zmm" "hdq" $w $a $b $x $c $d $y $e $f $z $g $h),
        unpack_to!("zmm" "lqdq" $a $s $t $c $w $x $e $u $v $g $y $z),
        unpack_to!("zmm" "hqdq" $b $s $t $d $w $x $f $u $v $h $y $z),
        "mov rax,rdx\n",
        leave!(@ 0 $a $e $s $t), leave!(@ 1 $b $f $u $v), leave!(@ 2 $c $g $w $x), leave!(@ 3 $d $h $y $z),
    ) };
}

/// Hashes `groups` groups of 32 messages, 1 or more.
///
/// # Safety
/// The CPU must have AVX-512F and VL. `messages` are 32 for each group, of one block
/// each, and `out` is writable for as many hashes.
#[unsafe(naked)]
unsafe extern "sysv64" fn blocks32(messages: *const &[u8], groups: usize, out: *mut Cv, block: &OneBlock) {
    core::arch::naked_asm!(
        concat!(
            // The loop begins a page: at a place chosen by the linker it can be slower
            // by up to 3 %.
            enter!(), "jmp 2f\n .p2align 12\n 2:\n",
            transpose!(0 "rsp" 0), transpose!(0 "rsp+512" 32),
            transpose!(16 "rsp+1024" 0), transpose!(16 "rsp+1536" 32),
            state!(0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 ; 8 0 9 1 10 2 11 3 ; 12 13 14 15),
            state!(16 0 17 1 18 2 19 3 20 4 21 5 22 6 23 7 ; 24 0 25 1 26 2 27 3 ; 28 29 30 31),
            turns!(round32),
            fold_in!("zmm" 0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15),
            fold_in!("zmm" 16 24 17 25 18 26 19 27 20 28 21 29 22 30 23 31),
            hashes!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
            "add rdx,512\n",
            hashes!(16 17 18 19 20 21 22 23 8 9 10 11 12 13 14 15),
            "add rdx,512\n add rdi,32*{stride}\n dec rsi\n jnz 2b\n",
            exit!(),
        ),
        iv = sym IV,
        order = sym ORDER,
        stride = const STRIDE,
        key = const offset_of!(OneBlock, key),
        len = const offset_of!(OneBlock, len),
        flags = const offset_of!(OneBlock, flags),
    )
}

/// A function that hashes sixteen messages. Their blocks stay in registers, as in
/// [`super::avx512_once`], whose two orders of a transposition these are.
///
/// # Safety
/// The same conditions as for [`blocks32`], with 16 messages.
macro_rules! blocks16 {
    ($name:ident $order:ident $round:ident) => {
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(messages: *const &[u8], out: *mut Cv, block: &OneBlock) {
            core::arch::naked_asm!(
                concat!(
                    ".cfi_startproc\n mov rcx,rdx\n mov rdx,rsi\n",
                    gather!(0 0 0 0 4 1 1 5 2 2 6 3 3 7 4 8 12 5 9 13 6 10 14 7 11 15),
                    gather!(0 32 8 0 4 9 1 5 10 2 6 11 3 7 12 8 12 13 9 13 14 10 14 15 11 15),
                    words16!($order),
                    state!(0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 ; 8 0 9 1 10 2 11 3 ; 12 13 14 15),
                    rounds!($round),
                    fold_in!("zmm" 0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15),
                    hashes!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
                    "vzeroupper\n ret\n .cfi_endproc\n",
                ),
                iv = sym IV,
                stride = const STRIDE,
                key = const offset_of!(OneBlock, key),
                len = const offset_of!(OneBlock, len),
                flags = const offset_of!(OneBlock, flags),
            )
        }
    };
}

blocks16!(blocks16_stages stages round16_once);
// For Intel's CPUs from Golden Cove on, where it takes a tenth less time.
blocks16!(blocks16_halves halves round16_behind);

/// See [`super::super::body::Each`]. It takes groups of 32, then one group of 16,
/// with `HALVES` in that order.
///
/// # Safety
/// The same conditions as there, and the CPU must have AVX-512F and VL.
pub(crate) unsafe fn blocks<const HALVES: bool>(block: &OneBlock, messages: &[&[u8]], out: &mut [Cv]) -> usize {
    assert!(out.len() == messages.len());
    debug_assert!(messages.iter().all(|m| m.len() == BLOCK_LEN));
    let groups = messages.len() / 32;
    let mut taken = 32 * groups;
    // SAFETY: the caller upholds the safety contract. There are full groups of messages
    // and a place for each hash.
    unsafe {
        if groups > 0 {
            blocks32(messages.as_ptr(), groups, out.as_mut_ptr(), block);
        }
        if messages.len() - taken == 16 {
            let blocks16 = if HALVES { blocks16_halves } else { blocks16_stages };
            blocks16(messages.as_ptr().add(taken), out.as_mut_ptr().add(taken), block);
            taken += 16;
        }
    }
    taken
}
