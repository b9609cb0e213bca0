//! One round of Keccak-f, with every lane in its own vector register: `xmm` for one
//! message, `zmm` for eight.
//!
//! Registers 0 to 24 hold the lanes, 25 to 29 the column parities. 30 and 31 are free.
//! A row's five lanes are read before its five results are written, so the state stays
//! in its registers ("in-place", Bertoni et al., "Keccak implementation overview" 3.2,
//! section 2.5). Lane (x, y) moves to the register of lane (x, x + 2y), and after four
//! rounds it is back. A column keeps its registers.
//!
//! Limit on Zen 5, per round: 15 operations for the parities, 10 for theta's
//! differences, 25 to add them, 24 rotations, 25 for chi, 1 for iota = 100. At 4 a
//! cycle that is 25 cycles at any width. Rotations start only 2 a cycle, three-way
//! logic with three fresh operands 2.5.
//!
//! A result takes 2 cycles. From three-way logic to three-way logic it takes 3, unless
//! it goes through the operand that is overwritten. So parities end with exclusive-ors
//! (`steps` below). The chain from the last result of chi over parities and differences to
//! the next chi is 12 cycles. Little else can run in that time, because a state fills the
//! registers. The order of the rows is the best of all 120, with 32 cycles a round
//! (docs/notes/keccak.md).
//!
//! Intel's CPUs from Golden Cove on begin 2 operations of 512 bits a cycle, and each takes
//! one cycle. So 100 operations are 50 cycles. There the last two lanes of a parity are one
//! operation (`three` below): 95 a round (docs/notes/intel.md).

/// Rotates `$src` into `$dst`.
macro_rules! rol {
    ($v:literal $dst:literal $src:literal $n:literal) => {
        concat!("vprolq ", $v, $dst, ", ", $v, $src, ", ", $n, "\n")
    };
}

macro_rules! mov {
    ($v:literal $dst:literal $src:literal) => {
        concat!("vmovdqa64 ", $v, $dst, ", ", $v, $src, "\n")
    };
}

macro_rules! xor {
    ($v:literal $dst:literal $a:literal $b:literal) => {
        concat!("vpxorq ", $v, $dst, ", ", $v, $a, ", ", $v, $b, "\n")
    };
}

/// `dst = dst op a op b` by truth table.
macro_rules! logic {
    ($v:literal $dst:literal $a:literal $b:literal $table:literal) => {
        concat!(
            "vpternlogq ",
            $v,
            $dst,
            ", ",
            $v,
            $a,
            ", ",
            $v,
            $b,
            ", ",
            $table,
            "\n"
        )
    };
}

/// Adds five lanes.
macro_rules! parity {
    ($v:literal $c:literal: $a:literal $b:literal $d:literal $e:literal $f:literal) => {
        concat!(
            mov!($v $c $a),
            logic!($v $c $b $d "0x96"),
            logic!($v $c $e $f "0x96"),
        )
    };
}

/// `lane ^= other` in pairs.
macro_rules! add {
    ($v:literal $($lane:literal $d:literal)*) => {
        concat!($(xor!($v $lane $lane $d)),*)
    };
}

/// Chi. The results replace the first operands: a ^ (~b & c) is 0xd2.
macro_rules! chi {
    ($v:literal $t:literal $u:literal: $a:literal $b:literal $c:literal $d:literal $e:literal) => {
        concat!(
            mov!($v $t $a),
            mov!($v $u $b),
            logic!($v $a $b $c "0xd2"),
            logic!($v $b $c $d "0xd2"),
            logic!($v $c $d $e "0xd2"),
            logic!($v $d $e $t "0xd2"),
            logic!($v $e $t $u "0xd2"),
        )
    };
}

/// Chi. The results replace the third operands, for which the table is 0x9c.
macro_rules! chi_third {
    ($v:literal $t:literal $u:literal: $a:literal $b:literal $c:literal $d:literal $e:literal) => {
        concat!(
            mov!($v $t $a),
            mov!($v $u $b),
            logic!($v $b $e $a "0x9c"),
            logic!($v $a $d $e "0x9c"),
            logic!($v $e $c $d "0x9c"),
            logic!($v $d $u $c "0x9c"),
            logic!($v $c $t $u "0x9c"),
        )
    };
}

/// Chi on a row whose first lane is in `$t`. Its result goes to `$a`.
macro_rules! chi_moved {
    ($v:literal $t:literal $u:literal: $a:literal $b:literal $c:literal $d:literal $e:literal) => {
        concat!(
            mov!($v $u $b),
            mov!($v $a $t),
            logic!($v $a $b $c "0xd2"),
            logic!($v $b $c $d "0xd2"),
            logic!($v $c $d $e "0xd2"),
            logic!($v $d $e $t "0xd2"),
            logic!($v $e $t $u "0xd2"),
        )
    };
}

/// The parities of all columns, for a state whose lanes are in their first places.
macro_rules! parities {
    ($v:literal) => {
        concat!(
            parity!($v "25": "0" "5" "10" "15" "20"),
            parity!($v "26": "1" "6" "11" "16" "21"),
            parity!($v "27": "2" "7" "12" "17" "22"),
            parity!($v "28": "3" "8" "13" "18" "23"),
            parity!($v "29": "4" "9" "14" "19" "24"),
        )
    };
}

/// Theta's differences: D0 to D4 go to 30, 31, 26, 27, 25. Registers 28 and 29 are free
/// then.
macro_rules! differences {
    ($v:literal) => {
        concat!(
            rol!($v "30" "26" "1"),
            rol!($v "31" "27" "1"),
            xor!($v "30" "29" "30"),
            rol!($v "29" "29" "1"),
            xor!($v "31" "25" "31"),
            rol!($v "25" "25" "1"),
            xor!($v "27" "27" "29"),
            xor!($v "25" "28" "25"),
            rol!($v "28" "28" "1"),
            xor!($v "26" "26" "28"),
        )
    };
}

/// Adds the lanes of row 0 (`first`), then of row 4 too (`last`), to the parities of the
/// other rows: one after the other (`steps`), or both at once (`three`).
macro_rules! sum {
    (steps first $v:literal $(($c:literal $zero:literal))*) => {
        concat!($(xor!($v $c $c $zero)),*)
    };
    (steps last $v:literal $(($c:literal $zero:literal $four:literal))*) => {
        concat!($(xor!($v $c $c $four)),*)
    };
    (three first $v:literal $(($c:literal $zero:literal))*) => { "" };
    (three last $v:literal $(($c:literal $zero:literal $four:literal))*) => {
        concat!($(logic!($v $c $zero $four "0x96")),*)
    };
}

/// A round. `$sum` is how the parities end (see [`sum!`]), `$all` the broadcast that fills
/// `$v`, `$rc` the address of the constant. The numbers are the registers of the lanes at
/// the start, row by row.
macro_rules! round {
    ($sum:ident $v:literal $all:literal $rc:literal
        $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal
        $b0:literal $b1:literal $b2:literal $b3:literal $b4:literal
        $c0:literal $c1:literal $c2:literal $c3:literal $c4:literal
        $d0:literal $d1:literal $d2:literal $d3:literal $d4:literal
        $e0:literal $e1:literal $e2:literal $e3:literal $e4:literal) => {
        concat!(
            differences!($v),
            // Row 2, from a1 b2 c3 d4 e0: results go four registers further.
            add!($v $a1 "31" $b2 "26" $c3 "27" $d4 "25" $e0 "30"),
            rol!($v "28" $a1 "1"),
            rol!($v $a1 $b2 "6"),
            rol!($v $b2 $c3 "25"),
            rol!($v $c3 $d4 "8"),
            rol!($v $d4 $e0 "18"),
            chi_moved!($v "28" "29": $e0 $a1 $b2 $c3 $d4),
            // Row 3, from a4 b0 c1 d2 e3: results go one register further.
            add!($v $a4 "25" $b0 "30" $c1 "31" $d2 "26" $e3 "27"),
            rol!($v "28" $a4 "27"),
            rol!($v $a4 $e3 "56"),
            rol!($v $e3 $d2 "15"),
            rol!($v $d2 $c1 "10"),
            rol!($v $c1 $b0 "36"),
            chi_moved!($v "28" "29": $b0 $c1 $d2 $e3 $a4),
            // Row 1, from a3 b4 c0 d1 e2: results go two registers further.
            add!($v $a3 "27" $b4 "25" $c0 "30" $d1 "31" $e2 "26"),
            rol!($v $a3 $a3 "28"),
            rol!($v $b4 $b4 "20"),
            rol!($v $c0 $c0 "3"),
            rol!($v $d1 $d1 "45"),
            rol!($v $e2 $e2 "61"),
            chi_third!($v "28" "29": $a3 $b4 $c0 $d1 $e2),
            // The lanes of the last two rows. After this the registers of the
            // differences are free for the parities.
            add!($v $a0 "30" $b1 "31" $c2 "26" $d3 "27" $e4 "25"),
            add!($v $a2 "26" $b3 "27" $c4 "25" $d0 "30" $e1 "31"),
            partial!($v "25": $e0 $b0 $c0),
            partial!($v "26": $a1 $c1 $d1),
            partial!($v "27": $b2 $d2 $e2),
            partial!($v "28": $c3 $e3 $a3),
            partial!($v "29": $d4 $a4 $b4),
            // Row 0, from a0 b1 c2 d3 e4: results stay in place.
            rol!($v $b1 $b1 "44"),
            rol!($v $c2 $c2 "43"),
            rol!($v $d3 $d3 "21"),
            rol!($v $e4 $e4 "14"),
            chi!($v "30" "31": $a0 $b1 $c2 $d3 $e4),
            "vpxorq ", $v, $a0, ", ", $v, $a0, ", qword ptr [rax + ", $rc, "]", $all, "\n",
            sum!($sum first $v ("25" $a0) ("26" $b1) ("27" $c2) ("28" $d3) ("29" $e4)),
            // Row 4, from a2 b3 c4 d0 e1: results go three registers further.
            rol!($v "30" $a2 "62"),
            rol!($v $a2 $c4 "39"),
            rol!($v $c4 $e1 "2"),
            rol!($v $e1 $b3 "55"),
            rol!($v $b3 $d0 "41"),
            chi_moved!($v "30" "31": $d0 $e1 $a2 $b3 $c4),
            sum!($sum last $v
                ("26" $b1 $e1) ("29" $e4 $c4) ("27" $c2 $a2) ("25" $a0 $d0) ("28" $d3 $b3)),
        )
    };
}

/// The last round, only as far as row 0 needs it. It begins with the lanes where three
/// of four rounds have left them. The row ends in registers 0 to 4.
macro_rules! last_round {
    ($v:literal $all:literal) => {
        concat!(
            differences!($v),
            add!($v "0" "30" "1" "31" "2" "26" "3" "27" "4" "25"),
            rol!($v "1" "1" "44"),
            rol!($v "2" "2" "43"),
            rol!($v "3" "3" "21"),
            rol!($v "4" "4" "14"),
            chi!($v "30" "31": "0" "1" "2" "3" "4"),
            "vpxorq ", $v, "0, ", $v, "0, qword ptr [rax + 24]", $all, "\n",
        )
    };
}

/// Adds three lanes.
macro_rules! partial {
    ($v:literal $c:literal: $a:literal $b:literal $d:literal) => {
        concat!(mov!($v $c $a), logic!($v $c $b $d "0x96"))
    };
}

/// Round `$i` of four. The constants begin at `rax`. Each round takes the lanes where
/// the round before has left them.
macro_rules! round_of_four {
    (0 $sum:ident $v:literal $all:literal) => {
        round!($sum $v $all "0"
            "0" "1" "2" "3" "4"
            "5" "6" "7" "8" "9"
            "10" "11" "12" "13" "14"
            "15" "16" "17" "18" "19"
            "20" "21" "22" "23" "24")
    };
    (1 $sum:ident $v:literal $all:literal) => {
        round!($sum $v $all "8"
            "0" "6" "12" "18" "24"
            "10" "16" "22" "3" "9"
            "20" "1" "7" "13" "19"
            "5" "11" "17" "23" "4"
            "15" "21" "2" "8" "14")
    };
    (2 $sum:ident $v:literal $all:literal) => {
        round!($sum $v $all "16"
            "0" "16" "7" "23" "14"
            "20" "11" "2" "18" "9"
            "15" "6" "22" "13" "4"
            "10" "1" "17" "8" "24"
            "5" "21" "12" "3" "19")
    };
    (3 $sum:ident $v:literal $all:literal) => {
        round!($sum $v $all "24"
            "0" "11" "22" "8" "19"
            "15" "1" "12" "23" "9"
            "5" "16" "2" "13" "24"
            "20" "6" "17" "3" "14"
            "10" "21" "7" "18" "4")
    };
}

/// Repeats the same text for each lane, with the lane's number in two places.
macro_rules! each_lane {
    ($before:literal $between:literal $after:literal) => {
        each_lane!($before $between $after: "0" "1" "2" "3" "4" "5" "6" "7" "8" "9" "10" "11" "12"
            "13" "14" "15" "16" "17" "18" "19" "20" "21" "22" "23" "24")
    };
    ($before:literal $between:literal $after:literal: $($n:literal)*) => {
        concat!($($before, $n, $between, $n, $after, "\n"),*)
    };
}

pub(super) use {
    add, chi, chi_moved, chi_third, differences, each_lane, last_round, logic, mov, parities,
    parity, partial, rol, round, round_of_four, sum, xor,
};
