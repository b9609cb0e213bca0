//! The seven rounds, for any way of writing one.

/// `$round!` seven times with its message words, and the text of two fillers:
/// after the columns and after the diagonals. Fillers are instructions that do
/// not belong to the round and fill the gaps that its latencies leave.
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
