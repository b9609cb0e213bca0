//! The seven rounds: unrolled, each with its own message words, or as one loop.

use super::super::constants::SCHEDULE;

/// Expands `$round!` seven times with its message words, and two filler texts: after
/// the columns and after the diagonals. Fillers are independent instructions for the
/// gaps that the round's latencies leave.
macro_rules! rounds {
    ($round:ident $a:tt $b:tt $c:tt $d:tt $e:tt $f:tt $g:tt) => {
        concat!(
            $round!($a 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
            $round!($b 2 6 3 10 7 0 4 13 1 11 12 5 9 14 15 8),
            $round!($c 3 4 10 12 13 2 7 14 6 5 9 0 11 15 8 1),
            $round!($d 10 7 12 9 14 3 13 15 4 0 11 2 5 8 1 6),
            $round!($e 12 13 9 11 15 10 14 8 7 2 5 3 0 1 6 4),
            $round!($f 9 14 11 5 8 12 15 1 13 3 0 10 2 6 4 7),
            $round!($g 11 15 5 0 1 9 8 6 14 10 2 12 3 4 7 13),
        )
    };
    ($round:ident) => {
        rounds!($round ("" "") ("" "") ("" "") ("" "") ("" "") ("" "") ("" ""))
    };
}

/// Seven rounds as a loop over one text, `$round!`. The numbers of its words are bytes
/// at `r9 + place`, in the order of the round. It uses rax, r9 and r10.
///
/// Two groups of lanes have 224 instructions a round. Unrolled, seven rounds are 11 KB,
/// three pages and more. On Zen 5 two pages of code can evict each other from the
/// instruction cache (`karat_run`'s example `code_frames`). A loop shorter than a page
/// has no two lines at the same place of a page (docs/notes/blake3-avx512.md).
macro_rules! turns {
    ($round:ident) => {
        concat!(
            "lea r9,[rip+{order}]\n mov r10d,7\n .p2align 6\n 8:\n",
            $round!(),
            "add r9,16\n dec r10d\n jnz 8b\n",
        )
    };
}

/// The table that [`turns`] reads: the numbers of the words, times `scale`.
pub(super) const fn order(scale: u8) -> [[u8; 16]; 7] {
    let mut order = [[0; 16]; 7];
    let mut i = 0;
    while i < 7 * 16 {
        order[i / 16][i % 16] = scale * SCHEDULE[i / 16][i % 16] as u8;
        i += 1;
    }
    order
}
