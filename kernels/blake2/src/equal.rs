//! Full groups of messages of one length, from slices to digests in assembly.
//!
//! For messages of one block, filling a [`Batch`] and writing digests in Rust costs a
//! large part of the time, and the cost depends on the compiler flags
//! (docs/notes/blake2.md). Here vector instructions fill the batch and transpose the
//! result. The compression is the same kernel as in [`super::many`].

use super::batch::{Batch, ones};
use super::single::Node;
use super::{Algorithm, Word};

/// What messages of one length have in common. The assembly relies on this layout.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Equal<W> {
    /// The state before the first block.
    pub(crate) h: [W; 8],
    /// Low words of the counter, for the first block and for the last. Then the high
    /// word.
    pub(crate) low: [W; 2],
    pub(crate) high: W,
    /// Flag of the last node.
    pub(crate) node: W,
    /// Which bytes of the last block exist, one bit each.
    pub(crate) mask: [u64; 2],
    pub(crate) blocks: usize,
    /// Bytes in a digest, and a mask of that many ones.
    pub(crate) digest: usize,
    pub(crate) digest_mask: u64,
}

impl<W: Word> Equal<W> {
    /// Describes messages of `length` bytes, 1 or more. Returns `None` if the counter
    /// would carry into its high word.
    #[inline]
    pub(super) fn new<A: Algorithm<Word = W>>(
        node: &Node<W>,
        length: usize,
        digest: usize,
    ) -> Option<Self> {
        let t = node.t;
        let most = t + (length + A::BLOCK) as u128;
        if length == 0 || W::high(most) != W::high(t) {
            return None;
        }
        let blocks = length.div_ceil(A::BLOCK);
        let rest = length - (blocks - 1) * A::BLOCK;
        Some(Self {
            h: node.h,
            low: [W::low(t + A::BLOCK as u128), W::low(t + length as u128)],
            high: W::high(t),
            node: if node.last_node { W::ONES } else { W::default() },
            mask: [ones(rest), ones(rest.saturating_sub(64))],
            blocks,
            digest,
            digest_mask: ones(digest),
        })
    }
}

/// Hashes `groups` groups, 1 or more, of `N` messages of the length given to
/// [`Equal::new`]. The batch need not be initialised. Digests go to `out`, one after
/// the other.
///
/// Unsafe: the CPU must have what its body needs. The messages must exist, and `out`
/// must have room for their digests.
pub(crate) type Groups<W, const N: usize> = unsafe extern "sysv64" fn(
    batch: *mut Batch<W, N>,
    equal: &Equal<W>,
    messages: *const &[u8],
    groups: usize,
    out: *mut u8,
);

/// Defines a [`Groups`]. Arguments: name, word, lanes, kernel, plan, instruction suffix
/// for words (`d`, `q`), bytes of a row, of a word and of a block. The last argument is
/// the text that writes the digests of the 64 bytes of lanes at r9.
macro_rules! groups {
    ($name:ident $word:ty, $lanes:literal, $kernel:ident, $plan:ident, $u:literal $row:literal $w:literal $block:literal, $digests:expr) => {
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(
            batch: *mut $crate::batch::Batch<$word, $lanes>,
            equal: &$crate::equal::Equal<$word>,
            messages: *const &[u8],
            groups: usize,
            out: *mut u8,
        ) {
            core::arch::naked_asm!(
                ".cfi_startproc",
                "push rbx\n .cfi_adjust_cfa_offset 8\n .cfi_rel_offset rbx,0",
                "push r12\n .cfi_adjust_cfa_offset 8\n .cfi_rel_offset r12,0",
                "push r13\n .cfi_adjust_cfa_offset 8\n .cfi_rel_offset r13,0",
                "push r14\n .cfi_adjust_cfa_offset 8\n .cfi_rel_offset r14,0",
                "push r15\n .cfi_adjust_cfa_offset 8\n .cfi_rel_offset r15,0",
                "mov rbx,rsi\n mov r12,rdx\n mov r13,rcx\n mov r14,r8\n mov r15,[rsi+{digest}]",
                // Constant for all groups: the high word, flags, masks.
                concat!("vpbroadcast", $u, " zmm0,[rbx+{high}]\n vpbroadcast", $u, " zmm1,[rbx+{node}]"),
                "vpternlogd zmm2,zmm2,zmm2,0xff\n vpxord zmm3,zmm3,zmm3",
                "vpbroadcastq zmm4,[rbx+{mask}]\n vpbroadcastq zmm5,[rbx+{mask}+8]",
                concat!(".irp i,0,64\n .if \\i < ", $row),
                concat!("vmovdqa64 [rdi+", $row, "*10+\\i],zmm0"),
                concat!("vmovdqa64 [rdi+", $row, "*11+\\i],zmm3\n vmovdqa64 [rdi+", $row, "*12+\\i],zmm2"),
                concat!("vmovdqa64 [rdi+", $row, "*13+\\i],zmm3\n vmovdqa64 [rdi+", $row, "*14+\\i],zmm1"),
                ".endif\n .endr",
                concat!(".irp i,0,64,128,192\n .if \\i < 8*", $lanes),
                concat!("vmovdqa64 [rdi+", $row, "*15+8*", $lanes, "+\\i],zmm2"),
                concat!("vmovdqa64 [rdi+", $row, "*15+16*", $lanes, "+\\i],zmm4"),
                concat!("vmovdqa64 [rdi+", $row, "*15+24*", $lanes, "+\\i],zmm2"),
                concat!("vmovdqa64 [rdi+", $row, "*15+32*", $lanes, "+\\i],zmm5"),
                ".endif\n .endr",
                ".p2align 4\n 2:",
                // Set anew for each group: states, counters, addresses.
                concat!(".irp i,0,1,2,3,4,5,6,7,8,9\n vpbroadcast", $u, " zmm0,[rbx+", $w, "*\\i]"),
                concat!("vmovdqa64 [rdi+", $row, "*\\i],zmm0"),
                concat!(".if ", $row, " == 128\n vmovdqa64 [rdi+", $row, "*\\i+64],zmm0\n .endif\n .endr"),
                ".irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
                concat!(".if \\i < ", $lanes, "\n mov rax,[r12+{stride}*\\i]\n mov [rdi+", $row, "*15+8*\\i],rax\n .endif"),
                ".endr",
                concat!("mov rsi,[rbx+{blocks}]\n mov edx,", $block, "\n lea rcx,[rip+{plan}]"),
                "call {kernel}",
                "kmovq k1,[rbx+{digest_mask}]",
                "mov r9,rdi",
                $digests,
                concat!(".if ", $row, " == 128\n lea r9,[rdi+64]"),
                $digests,
                concat!(".endif\n add r12,{stride}*", $lanes),
                "dec r13\n jnz 2b",
                "vzeroupper",
                "pop r15\n .cfi_adjust_cfa_offset -8\n .cfi_restore r15",
                "pop r14\n .cfi_adjust_cfa_offset -8\n .cfi_restore r14",
                "pop r13\n .cfi_adjust_cfa_offset -8\n .cfi_restore r13",
                "pop r12\n .cfi_adjust_cfa_offset -8\n .cfi_restore r12",
                "pop rbx\n .cfi_adjust_cfa_offset -8\n .cfi_restore rbx",
                "ret\n .cfi_endproc",
                stride = const karat_hash_core::slices::STRIDE,
                high = const core::mem::offset_of!($crate::equal::Equal<$word>, high),
                node = const core::mem::offset_of!($crate::equal::Equal<$word>, node),
                mask = const core::mem::offset_of!($crate::equal::Equal<$word>, mask),
                blocks = const core::mem::offset_of!($crate::equal::Equal<$word>, blocks),
                digest = const core::mem::offset_of!($crate::equal::Equal<$word>, digest),
                digest_mask = const core::mem::offset_of!($crate::equal::Equal<$word>, digest_mask),
                kernel = sym $kernel,
                plan = sym $plan,
            )
        }
    };
}
pub(crate) use groups;

/// Writes a digest to r14 and moves r14 on.
macro_rules! digest {
    ($($register:literal)*) => { concat!($(
        "vmovdqu8 [r14]{{k1}},", $register, "\n add r14,r15\n",
    )*) };
}
pub(crate) use digest;

/// From byte number 16 + n on, a shuffle that moves bytes down by n; from n on, one that moves
/// the bytes of the next 16 there. Others it clears.
pub(crate) static LAST: [u8; 64] = {
    let mut shuffle = [0x80; 64];
    let mut i = 0;
    while i < 16 {
        shuffle[16 + i] = i as u8;
        i += 1;
    }
    shuffle
};

/// Defines a [`Groups`] by `avx2_groups.s`. Arguments: name, word, lanes, kernel, its constants,
/// and the texts that write digests.
macro_rules! avx2_groups {
    ($name:ident $word:ty, $lanes:literal, $kernel:ident, $constants:ident, $($digests:expr),+ $(,)?) => {
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(
            batch: *mut Batch<$word, $lanes>,
            equal: &equal::Equal<$word>,
            messages: *const &[u8],
            groups: usize,
            out: *mut u8,
        ) {
            naked_asm!(
                include_str!("../x86_64/avx2_groups.s"),
                $($digests,)+
                stride = const karat_hash_core::slices::STRIDE,
                low = const core::mem::offset_of!(equal::Equal<$word>, low),
                high = const core::mem::offset_of!(equal::Equal<$word>, high),
                node = const core::mem::offset_of!(equal::Equal<$word>, node),
                blocks = const core::mem::offset_of!(equal::Equal<$word>, blocks),
                digest = const core::mem::offset_of!(equal::Equal<$word>, digest),
                last = sym equal::LAST,
                kernel = sym $kernel,
                constants = sym $constants,
            )
        }
    };
}
pub(crate) use avx2_groups;
