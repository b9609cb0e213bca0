//! The seven rounds: unrolled, each with its own message words, or as one loop.

use super::super::constants::SCHEDULE;

/// Expands `$round!` with the message words of a round, by its number, and two filler texts:
/// after the columns and after the diagonals. Fillers are independent instructions for the
/// gaps that the round's latencies leave.
macro_rules! round_number {
    (0 $round:ident $fillers:tt) => { $round!($fillers 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15) };
    (1 $round:ident $fillers:tt) => { $round!($fillers 2 6 3 10 7 0 4 13 1 11 12 5 9 14 15 8) };
    (2 $round:ident $fillers:tt) => { $round!($fillers 3 4 10 12 13 2 7 14 6 5 9 0 11 15 8 1) };
    (3 $round:ident $fillers:tt) => { $round!($fillers 10 7 12 9 14 3 13 15 4 0 11 2 5 8 1 6) };
    (4 $round:ident $fillers:tt) => { $round!($fillers 12 13 9 11 15 10 14 8 7 2 5 3 0 1 6 4) };
    (5 $round:ident $fillers:tt) => { $round!($fillers 9 14 11 5 8 12 15 1 13 3 0 10 2 6 4 7) };
    (6 $round:ident $fillers:tt) => { $round!($fillers 11 15 5 0 1 9 8 6 14 10 2 12 3 4 7 13) };
}

/// All seven rounds, see [`round_number`].
macro_rules! rounds {
    ($round:ident $a:tt $b:tt $c:tt $d:tt $e:tt $f:tt $g:tt) => {
        concat!(
            round_number!(0 $round $a),
            round_number!(1 $round $b),
            round_number!(2 $round $c),
            round_number!(3 $round $d),
            round_number!(4 $round $e),
            round_number!(5 $round $f),
            round_number!(6 $round $g),
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
