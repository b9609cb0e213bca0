//! Trees of 8 and 16 chunks from end to end, and the lowest levels of larger ones: chunks
//! lie one behind the other, so nothing but their place is asked for, and chaining values
//! become blocks of parents without leaving their lanes.
//!
//! A register has one word of eight chaining values. Words of the left children are the even
//! lanes, of the right children the odd ones: one `vshufps` of two registers each, for 16
//! lanes 16 of them. Through memory the same are two transpositions and a function call, some
//! 200 cycles (docs/notes/blake3-zen4.md). Rounds and copies are those of
//! [`super::avx512vl`]; what is above four parents is [`super::avx512vl_few`].

use super::super::body::Few;
use super::super::constants::{BLOCK_LEN, CHUNK_BLOCKS, IV, flags};
use super::super::mode::{Cv, Mode};
use super::avx512vl_few;
use core::mem::offset_of;

/// Lanes' numbers and a one.
static NUMBERS: [u32; 17] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 1];

/// The rows c and d of eight lanes. Their counters' low words are in `$n`, and `$k` are the
/// lanes whose high word is one more than rdx has. r13d are the flags.
macro_rules! lower8 {
    ($k:literal $at:literal $($c:literal)* , $n:literal $h:literal $len:literal $flags:literal) => { concat!(
        broadcast_to!("ymm" "rip+{iv}" $($c)*),
        "vpbroadcastd ymm", $n, ",edx\n vpaddd ymm", $n, ",ymm", $n, ",[rip+{numbers}+", $at, "]\n",
        "vpbroadcastd ymm", $h, ",eax\n vpaddd ymm", $h, "{{", $k, "}},ymm", $h, ",[rip+{numbers}+64]{{1to8}}\n",
        "vpbroadcastd ymm", $len, ",r8d\n vpbroadcastd ymm", $flags, ",r13d\n",
    ) };
}

/// Sets `$k` to the lanes whose counters' low words overflow. It uses registers 0 and 1.
macro_rules! carries {
    ($($k:literal $at:literal)*) => { concat!("vpbroadcastd ymm0,edx\n", $(
        "vpaddd ymm1,ymm0,[rip+{numbers}+", $at, "]\n vpcmpltud ", $k, ",ymm1,ymm0\n",
    )*) };
}

/// The flags of the next block, which is the last one when r11d is 2.
macro_rules! next_flags {
    () => { "mov r13d,[rdi+{flags}]\n mov eax,r13d\n or eax,{end}\n cmp r11d,2\n cmove r13d,eax\n" };
}

/// Chains sixteen chunks at rsi, and leaves their chaining values' words in registers 0-7
/// and 16-23. Their first blocks are at r10 already, the first counter is in rdx, and rdi is
/// the mode. While a block is compressed, the next one is copied to the other half of the
/// frame (r9 and r10). Behind the last one that is the first one of the sixteen chunks r12
/// bytes further on, and rsi and rdx are left there; it is this one again if r12 is 0. r15 is
/// how far ahead of themselves the last four blocks prefetch.
///
/// # Safety
/// Only assembly may call it: it follows no ABI. It uses rax, rbx, r8, r11 and r13.
#[unsafe(naked)]
unsafe extern "sysv64" fn sixteen() {
    core::arch::naked_asm!(
        concat!(
            ".cfi_startproc\n",
            carries!("k4" 0 "k5" 32),
            broadcast_to!("ymm" "rdi+{key}" 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7),
            broadcast_to!("ymm" "rdi+{key}" 16 0 17 1 18 2 19 3 20 4 21 5 22 6 23 7),
            "mov r13d,[rdi+{flags}]\n or r13d,{start}\n mov r11d,{blocks}\n",
            ".p2align 6\n 4:\n xchg r9,r10\n mov rax,rdx\n shr rax,32\n mov r8d,{block}\n",
            lower8!("k4" 0 8 0 9 1 10 2 11 3, 12 13 14 15), lower8!("k5" 32 24 0 25 1 26 2 27 3, 28 29 30 31),
            next_flags!(),
            "lea rax,[rsi+64]\n lea rbx,[rsi+r12]\n cmp r11d,1\n cmove rax,rbx\n mov rsi,rax\n",
            // Prefetch is of four blocks ahead. The last four blocks of a chunk fetch by their own
            // distance: the first four of the chunk sixteen further on.
            "mov ebx,256\n lea eax,[r11-2]\n cmp eax,4\n cmovb ebx,r15d\n",
            rounds_copying!(near),
            fold_in!("ymm" 0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15),
            fold_in!("ymm" 16 24 17 25 18 26 19 27 20 28 21 29 22 30 23 31),
            "dec r11d\n jnz 4b\n add rdx,16\n ret\n .cfi_endproc\n",
        ),
        iv = sym IV,
        numbers = sym NUMBERS,
        key = const offset_of!(Mode, key),
        flags = const offset_of!(Mode, flags),
        block = const BLOCK_LEN,
        blocks = const CHUNK_BLOCKS,
        start = const flags::CHUNK_START,
        end = const flags::CHUNK_END,
    )
}

/// Chains eight chunks in the same way, with the next blocks transposed between the rounds,
/// and leaves words in registers 0-7. The first blocks are at r9.
macro_rules! eight {
    () => { concat!(
        carries!("k4" 0),
        broadcast_to!("ymm" "rdi+{key}" 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7),
        "mov r8d,{block}\n mov r13d,[rdi+{flags}]\n or r13d,{start}\n mov r11d,{blocks}\n",
        ".p2align 6\n 4:\n xchg r9,r10\n mov rax,rdx\n shr rax,32\n",
        lower8!("k4" 0 8 0 9 1 10 2 11 3, 12 13 14 15),
        next_flags!(),
        "lea rax,[rsi+64]\n cmp r11d,1\n cmovne rsi,rax\n",
        rounds_transposing!(near),
        fold_in!("ymm" 0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15),
        "dec r11d\n jnz 4b\n",
    ) };
}

/// A frame of `$size` bytes, in which r9 and r10 are two blocks of all lanes.
macro_rules! enter_tree {
    ($size:literal) => { concat!(
        ".cfi_startproc\n push rbp\n .cfi_def_cfa_offset 16\n .cfi_offset rbp,-16\n",
        "mov rbp,rsp\n .cfi_def_cfa_register rbp\n push rbx\n .cfi_offset rbx,-24\n push r12\n .cfi_offset r12,-32\n",
        "push r13\n .cfi_offset r13,-40\n push r14\n .cfi_offset r14,-48\n push r15\n .cfi_offset r15,-56\n and rsp,-64\n sub rsp,", $size, "\n",
        "lea r9,[rsp+1024]\n mov r10,rsp\n",
    ) };
}

macro_rules! exit_tree {
    () => {
        "mov rbx,[rbp-8]\n .cfi_restore rbx\n mov r12,[rbp-16]\n .cfi_restore r12\n mov r13,[rbp-24]\n .cfi_restore r13\n \
         mov r14,[rbp-32]\n .cfi_restore r14\n mov r15,[rbp-40]\n .cfi_restore r15\n mov rsp,rbp\n pop rbp\n .cfi_def_cfa rsp,8\n"
    };
}

/// From words of eight parents in registers 0-7, the first two steps towards the root: four
/// parents' blocks, whose halves of registers are two of them, and their rounds. Lane i and
/// lane i + 4 are in one register then. `$a`, `$b` and `$c`, `$d` are the lanes whose values
/// are one block (in the lower halves).
macro_rules! four {
    ($two:ident $a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal) => { concat!(
        pairs8!(0 1 2 3 16 17 18 19), words8!(0 1 2 3 16 17 18 19), pairs8!(4 5 6 7 20 21 22 23), words8!(4 5 6 7 20 21 22 23),
        first!("ymm" $a $b $c $d 8 9 10 11), first!("ymm" $e $f $g $h 12 13 14 15),
        prepare!(),
        begin!("ymm" "vbroadcasti128" 0 1 2 4 5 6), "vmovdqa32 ymm3,ymm27\n vmovdqa32 ymm7,ymm27\n",
        all!("ymm" $two),
        fold_in!("ymm" 0 2 1 3 4 6 5 7),
    ) };
}

/// The register of a word of eight parents: left children's words, then right ones'.
macro_rules! word_of {
    (0) => { "ymm24" }; (1) => { "ymm25" }; (2) => { "ymm26" }; (3) => { "ymm27" };
    (4) => { "ymm28" }; (5) => { "ymm29" }; (6) => { "ymm30" }; (7) => { "ymm31" };
    (8) => { "ymm16" }; (9) => { "ymm17" }; (10) => { "ymm18" }; (11) => { "ymm19" };
    (12) => { "ymm20" }; (13) => { "ymm21" }; (14) => { "ymm22" }; (15) => { "ymm23" };
}

/// Quarter rounds with words in registers.
macro_rules! columns_near {
    ($(($a:literal $b:literal $c:literal $d:literal $x:tt $y:tt))*) => {
        quarter_rounds!("ymm" $(($a $b $c $d "", word_of!($x), "", word_of!($y)))*)
    };
}

macro_rules! round8_once {
    ($filler:tt $m0:tt $m1:tt $m2:tt $m3:tt $m4:tt $m5:tt $m6:tt $m7:tt
     $m8:tt $m9:tt $m10:tt $m11:tt $m12:tt $m13:tt $m14:tt $m15:tt) => { concat!(
        columns_near!((0 4 8 12 $m0 $m1) (1 5 9 13 $m2 $m3) (2 6 10 14 $m4 $m5) (3 7 11 15 $m6 $m7)),
        columns_near!((0 5 10 15 $m8 $m9) (1 6 11 12 $m10 $m11) (2 7 8 13 $m12 $m13) (3 4 9 14 $m14 $m15)),
    ) };
}

/// Words of parents from words of 16 lanes: left children's words to `$l`, right ones' to the
/// register of the upper lanes. Parents are in the order 0 1 4 5 2 3 6 7.
macro_rules! children {
    ($($low:literal $high:literal $l:literal)*) => { concat!($(
        "vshufps ymm", $l, ",ymm", $low, ",ymm", $high, ",0x88\n vshufps ymm", $high, ",ymm", $low, ",ymm", $high, ",0xdd\n",
    )*) };
}

/// The rows c and d of parents.
macro_rules! parents {
    ($($c:literal)* , $n:literal $h:literal $len:literal $flags:literal) => { concat!(
        broadcast_to!("ymm" "rip+{iv}" $($c)*),
        "vpxord ymm", $n, ",ymm", $n, ",ymm", $n, "\n vpxord ymm", $h, ",ymm", $h, ",ymm", $h, "\n",
        "mov r8d,{block}\n mov eax,[rdi+{flags}]\n or eax,{parent}\n",
        "vpbroadcastd ymm", $len, ",r8d\n vpbroadcastd ymm", $flags, ",eax\n",
    ) };
}

/// Trees whose upper levels are those of a module, with its rounds of two groups.
macro_rules! trees {
    ($two:ident $few:ident) => {
        /// The root of a tree of eight chunks at rsi, or what is below it.
        #[unsafe(naked)]
        pub(in crate::x86) unsafe extern "sysv64" fn tree8(mode: *const Mode, input: *const u8, counter: u64, out: *mut Cv, root: u32) {
            core::arch::naked_asm!(
                concat!(
                    enter_tree!("2048"), "mov r14d,r8d\n",
                    block8!(near 0),
                    eight!(),
                    "mov r8d,r14d\n", exit_tree!(),
                    // Registers are (0 | 4), (1 | 5), (2 | 6), (3 | 7): parents (0 | 2) and (1 | 3).
                    four!($two 0 4 1 5 2 6 3 7),
                    // Now (0 | 1), whose blocks are the values (0 | 2) and (1 | 3).
                    "vmovdqa32 ymm16,ymm0\n vmovdqa32 ymm17,ymm1\n vmovdqa32 ymm18,ymm4\n vmovdqa32 ymm19,ymm5\n",
                    "jmp {pair}\n .cfi_endproc\n",
                ),
                pair = sym $few::pair,
                iv = sym IV,
                numbers = sym NUMBERS,
                key = const offset_of!(Mode, key),
                flags = const offset_of!(Mode, flags),
                block = const BLOCK_LEN,
                blocks = const CHUNK_BLOCKS,
                start = const flags::CHUNK_START,
                end = const flags::CHUNK_END,
                parent = const flags::PARENT,
                root_flag = const flags::ROOT,
            )
        }

        /// The root above sixteen chunks, or what is below it. Words of their chaining values are in
        /// registers 0-7 and 16-23, eight lanes each. rdi is the mode, rcx the result's place, and
        /// r8d not 0 for the root.
        ///
        /// # Safety
        /// Only assembly may jump to it: it follows no ABI.
        #[unsafe(naked)]
        pub(in crate::x86) unsafe extern "sysv64" fn above16() {
            core::arch::naked_asm!(
                concat!(
                    ".cfi_startproc\n mov r9d,r8d\n",
                    children!(0 16 24 1 17 25 2 18 26 3 19 27 4 20 28 5 21 29 6 22 30 7 23 31),
                    broadcast_to!("ymm" "rdi+{key}" 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7),
                    parents!(8 0 9 1 10 2 11 3, 12 13 14 15),
                    rounds!(round8_once),
                    fold_in!("ymm" 0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15),
                    "mov r8d,r9d\n",
                    // Registers are (0 | 2), (1 | 3), (4 | 6), (5 | 7): parents (0 | 1) and (2 | 3).
                    four!($two 0 4 1 5 2 6 3 7),
                    join!(),
                    "jmp {pair}\n .cfi_endproc\n",
                ),
                pair = sym $few::pair,
                iv = sym IV,
                key = const offset_of!(Mode, key),
                flags = const offset_of!(Mode, flags),
                block = const BLOCK_LEN,
                parent = const flags::PARENT,
                root_flag = const flags::ROOT,
            )
        }
    };
}

trees!(spread avx512vl_few);

/// The same for CPUs that rotate in one cycle.
pub(super) mod plain {
    use super::avx512vl_few::plain as few;
    use super::*;

    trees!(two few);
}

/// The same of sixteen chunks.
#[unsafe(naked)]
unsafe extern "sysv64" fn tree16(mode: *const Mode, input: *const u8, counter: u64, out: *mut Cv, root: u32) {
    core::arch::naked_asm!(
        concat!(
            enter_tree!("2048"), "mov r14d,r8d\n xor r12d,r12d\n mov r15d,256\n",
            block8!(near 0), block8!(near 8),
            "call {sixteen}\n mov r8d,r14d\n", exit_tree!(),
            "jmp {above}\n .cfi_endproc\n",
        ),
        sixteen = sym sixteen,
        above = sym above16,
    )
}

/// Stores words of left and right children of 16 lanes to the message at rsp + 2048, as
/// [`children`] makes them: the lower or the upper half of 64 bytes.
macro_rules! keep {
    ($half:literal $($w:literal $low:literal $high:literal $free:literal)*) => { concat!($(
        "vshufps ymm", $free, ",ymm", $low, ",ymm", $high, ",0x88\n vshufps ymm", $high, ",ymm", $low, ",ymm", $high, ",0xdd\n",
        "vmovdqa32 [rsp+2048+64*", $w, "+", $half, "],ymm", $free, "\n",
        "vmovdqa32 [rsp+2048+64*", $w, "+512+", $half, "],ymm", $high, "\n",
    )*) };
}

/// Stores eight parents' chaining values, in the order of [`children`], to rcx + `$at`. The
/// words are in the first eight registers, and the others are free.
macro_rules! leave_near {
    ($at:literal $a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal
     $s:literal $t:literal $u:literal $v:literal $w:literal $x:literal $y:literal $z:literal) => { concat!(
        pairs8!($a $b $c $d $s $t $u $v), words8!($a $b $c $d $s $t $u $v),
        pairs8!($e $f $g $h $w $x $y $z), words8!($e $f $g $h $w $x $y $z),
        leave_near!(@ $at 0 64 $a $e $s $t), leave_near!(@ $at 32 96 $b $f $u $v),
        leave_near!(@ $at 128 192 $c $g $w $x), leave_near!(@ $at 160 224 $d $h $y $z),
    ) };
    (@ $at:literal $i:literal $j:literal $a:literal $e:literal $s:literal $t:literal) => { concat!(
        "vinserti32x4 ymm", $s, ",ymm", $a, ",xmm", $e, ",1\n vshufi32x4 ymm", $t, ",ymm", $a, ",ymm", $e, ",3\n",
        "vmovdqu32 [rcx+", $at, "+", $i, "],ymm", $s, "\n vmovdqu32 [rcx+", $at, "+", $j, "],ymm", $t, "\n",
    ) };
}

/// The 16 parents above each 32 chunks, of `times` 32 chunks, at least once.
#[unsafe(naked)]
unsafe extern "sysv64" fn parents32(mode: *const Mode, input: *const u8, counter: u64, out: *mut Cv, times: usize) {
    core::arch::naked_asm!(
        concat!(
            enter_tree!("3072"), "mov r14,r8\n",
            block8!(near 0), block8!(near 8),
            ".p2align 4\n 2:\n",
            // From the last block of a chunk to the first one of the sixteenth behind it.
            "mov r12d,15*1024+64\n mov r15d,15*1024+256\n call {sixteen}\n",
            keep!(0 0 0 16 24 1 1 17 25 2 2 18 26 3 3 19 27 4 4 20 28 5 5 21 29 6 6 22 30 7 7 23 31),
            "cmp r14,1\n mov eax,0\n cmove r12,rax\n call {sixteen}\n",
            keep!(32 0 0 16 24 1 1 17 25 2 2 18 26 3 3 19 27 4 4 20 28 5 5 21 29 6 6 22 30 7 7 23 31),
            broadcast_to!("ymm" "rdi+{key}" 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7),
            broadcast_to!("ymm" "rdi+{key}" 16 0 17 1 18 2 19 3 20 4 21 5 22 6 23 7),
            parents!(8 0 9 1 10 2 11 3, 12 13 14 15), parents!(24 0 25 1 26 2 27 3, 28 29 30 31),
            "mov rbx,r9\n lea r9,[rsp+2048]\n",
            rounds!(round16_256
                (("") ("") ("") ("")) (("") ("") ("") ("")) (("") ("") ("") ("")) (("") ("") ("") (""))
                (("") ("") ("") ("")) (("") ("") ("") ("")) (("") ("") ("") (""))),
            "mov r9,rbx\n",
            fold_in!("ymm" 0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15),
            fold_in!("ymm" 16 24 17 25 18 26 19 27 20 28 21 29 22 30 23 31),
            leave_near!(0 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
            leave_near!(256 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31),
            "add rcx,512\n dec r14\n jnz 2b\n",
            "vzeroupper\n", exit_tree!(), "ret\n .cfi_endproc\n",
        ),
        sixteen = sym sixteen,
        iv = sym IV,
        key = const offset_of!(Mode, key),
        flags = const offset_of!(Mode, flags),
        block = const BLOCK_LEN,
        parent = const flags::PARENT,
    )
}

/// See [`Few`]. Unsafe: the CPU must have AVX-512F and VL.
pub(crate) static FEW: Few = Few {
    chunks: |mode, input, count, counter, out, root| {
        // SAFETY: the caller upholds the safety contract: `count` is 2, 4, 8 or 16.
        unsafe {
            let tree = match count {
                2 => avx512vl_few::two,
                4 => avx512vl_few::four,
                8 => tree8,
                _ => tree16,
            };
            tree(mode, input, counter, out, root.into());
        }
    },
    // SAFETY: the caller upholds the safety contract.
    parents: |mode, input, times, counter, out| unsafe { parents32(mode, input, counter, out, times) },
    // SAFETY: the caller upholds the safety contract.
    above: |mode, values, count, out, root| unsafe { avx512vl_few::above(mode, values, count, out, root.into()) },
};
