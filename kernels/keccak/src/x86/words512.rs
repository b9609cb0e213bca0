//! Words of eight messages: from slices and blocks to registers, and from registers to
//! digests. Messages' pointers are in r8 to r15, or their slices at rsi; `rbp` is
//! [`Scratch`](super::absorb512::Scratch).

/// The bytes from number `$from` on, at most 64, of the slices at `rsi`, with the suffix behind
/// them, to registers 16 to 23. Bytes outside of the slices are not read.
macro_rules! masked {
    ($from:literal) => {
        masked!($from: "0" "16" "1" "17" "2" "18" "3" "19" "4" "20" "5" "21" "6" "22" "7" "23")
    };
    ($from:literal: $($n:literal $to:literal)*) => {
        concat!($(
            "mov r8, [rsi + 16 * ", $n, "]\n",
            "mov r9, [rsi + 16 * ", $n, " + 8]\n",
            ".if ", $from, "\n",
            "sub r9, ", $from, "\n",
            ".endif\n",
            "bzhi r10, r15, r9\n",
            "inc r9\n",
            "bzhi r9, r15, r9\n",
            "xor r9, r10\n",
            "kmovq k1, r10\n",
            "kmovq k2, r9\n",
            "vmovdqu8 zmm", $to, "{{k1}}{{z}}, [r8 + ", $from, "]\n",
            "vmovdqu8 zmm", $to, "{{k2}}, zmm31\n",
        )*)
    };
}
/// The words of two messages, even ones and odd ones.
macro_rules! unpacked {
    ($($a:literal $b:literal: $even:literal $odd:literal)*) => {
        concat!($(
            "vpunpcklqdq zmm", $even, ", zmm", $a, ", zmm", $b, "\n",
            "vpunpckhqdq zmm", $odd, ", zmm", $a, ", zmm", $b, "\n",
        )*)
    };
}
macro_rules! shuffled {
    ($($to:literal: $a:literal $b:literal $order:literal)*) => {
        concat!($(
            "vshufi64x2 zmm", $to, ", zmm", $a, ", zmm", $b, ", ", $order, "\n",
        )*)
    };
}
/// Puts words of eight messages, which are in registers 16 to 23, to lanes 0 to 7. Registers 16 to
/// 31 are lost.
macro_rules! transposed {
    () => {
        concat!(
            unpacked!("16" "17": "24" "28" "18" "19": "25" "29" "20" "21": "26" "30"
                "22" "23": "27" "31"),
            shuffled!("16": "24" "25" "0x44" "17": "24" "25" "0xee"
                "18": "26" "27" "0x44" "19": "26" "27" "0xee"
                "20": "28" "29" "0x44" "21": "28" "29" "0xee"
                "22": "30" "31" "0x44" "23": "30" "31" "0xee"
                "0": "16" "18" "0x88" "2": "16" "18" "0xdd"
                "4": "17" "19" "0x88" "6": "17" "19" "0xdd"
                "1": "20" "22" "0x88" "3": "20" "22" "0xdd"
                "5": "21" "23" "0x88" "7": "21" "23" "0xdd"),
        )
    };
}
/// Writes words 0 to 3 of eight states, state by state, to `rdi`.
macro_rules! digests {
    () => {
        concat!(
            unpacked!("0" "1": "4" "5" "2" "3": "6" "7"),
            shuffled!("0": "4" "6" "0x44" "1": "5" "7" "0x44"
                "2": "4" "6" "0xee" "3": "5" "7" "0xee"
                // Two digests in each register.
                "4": "0" "1" "0x88" "5": "0" "1" "0xdd"
                "6": "2" "3" "0x88" "7": "2" "3" "0xdd"),
            "vmovdqu64 [rdi], zmm4\n",
            "vmovdqu64 [rdi + 64], zmm5\n",
            "vmovdqu64 [rdi + 128], zmm6\n",
            "vmovdqu64 [rdi + 192], zmm7\n",
        )
    };
}

/// Copies word `$n` of all messages, relative to byte rsi.
macro_rules! copy {
    ($n:literal) => {
        copy!($n "r8" 0, "r9" 8, "r10" 16, "r11" 24, "r12" 32, "r13" 40, "r14" 48, "r15" 56)
    };
    ($n:literal $($message:literal $lane:literal),*) => {
        concat!($(
            "mov rdi, [", $message, " + rsi + 8 * ", $n, "]\n",
            "mov [rbp + 8 * rsi + 64 * ", $n, " + ", $lane, "], rdi\n",
        )*)
    };
}
/// Adds words of the block to their lanes.
macro_rules! add_words {
    ($($n:literal)*) => {
        concat!($("vpxorq zmm", $n, ", zmm", $n, ", [rbp + 64 * ", $n, "]\n"),*)
    };
}
/// Loads words `$at / 8` to `$at / 8 + 3` for pairs of messages. Registers 25 and
/// 27 hold the odd words, 29 and 30 the even ones.
macro_rules! pairs {
    ($at:literal) => {
        concat!(
            "vmovdqu64 ymm25, [r8 + ",
            $at,
            "]\n",
            "vinserti64x4 zmm25, zmm25, [r10 + ",
            $at,
            "], 1\n",
            "vmovdqu64 ymm26, [r9 + ",
            $at,
            "]\n",
            "vinserti64x4 zmm26, zmm26, [r11 + ",
            $at,
            "], 1\n",
            "vmovdqu64 ymm27, [r12 + ",
            $at,
            "]\n",
            "vinserti64x4 zmm27, zmm27, [r14 + ",
            $at,
            "], 1\n",
            "vmovdqu64 ymm28, [r13 + ",
            $at,
            "]\n",
            "vinserti64x4 zmm28, zmm28, [r15 + ",
            $at,
            "], 1\n",
            "vpunpcklqdq zmm29, zmm25, zmm26\n",
            "vpunpcklqdq zmm30, zmm27, zmm28\n",
            "vpunpckhqdq zmm25, zmm25, zmm26\n",
            "vpunpckhqdq zmm27, zmm27, zmm28\n",
        )
    };
}
/// Adds one word of all messages to lane `$lane`.
macro_rules! word {
    ($lane:literal $a:literal $b:literal $half:literal) => {
        concat!(
            "vshufi64x2 zmm26, zmm",
            $a,
            ", zmm",
            $b,
            ", ",
            $half,
            "\n",
            "vpxorq zmm",
            $lane,
            ", zmm",
            $lane,
            ", zmm26\n",
        )
    };
}
macro_rules! add_four {
    ($at:literal $l0:literal $l1:literal $l2:literal $l3:literal) => {
        concat!(
            pairs!($at),
            word!($l0 "29" "30" "0x88"),
            word!($l1 "25" "27" "0x88"),
            word!($l2 "29" "30" "0xdd"),
            word!($l3 "25" "27" "0xdd"),
        )
    };
}
/// Adds the word at byte `$at` of all messages to lane `$lane`. Each is loaded by itself, because
/// a load over the edge of two stores, as a last block is written, would wait for the cache.
macro_rules! add_one {
    ($at:literal $lane:literal) => {
        concat!(
            add_one!($at "25" "26": "r8" "r9" "r10" "r11"),
            add_one!($at "27" "28": "r12" "r13" "r14" "r15"),
            "vinserti64x4 zmm25, zmm25, ymm27, 1\n",
            "vpxorq zmm", $lane, ", zmm", $lane, ", zmm25\n",
        )
    };
    ($at:literal $to:literal $with:literal: $a:literal $b:literal $c:literal $d:literal) => {
        concat!(
            "vmovq xmm", $to, ", qword ptr [", $a, " + ", $at, "]\n",
            "vmovhps xmm", $to, ", xmm", $to, ", [", $b, " + ", $at, "]\n",
            "vmovq xmm", $with, ", qword ptr [", $c, " + ", $at, "]\n",
            "vmovhps xmm", $with, ", xmm", $with, ", [", $d, " + ", $at, "]\n",
            "vinserti32x4 ymm", $to, ", ymm", $to, ", xmm", $with, ", 1\n",
        )
    };
}

/// The same text for each of eight slices.
macro_rules! each_slice {
    ($before:literal $after:literal) => {
        each_slice!($before $after: "0" "1" "2" "3" "4" "5" "6" "7")
    };
    ($before:literal $after:literal: $($n:literal)*) => {
        concat!($($before, $n, $after, "\n"),*)
    };
}
/// The pointers of eight slices.
macro_rules! each_pointer {
    () => {
        each_pointer!("r8" "0", "r9" "1", "r10" "2", "r11" "3", "r12" "4", "r13" "5", "r14" "6",
            "r15" "7")
    };
    ($($to:literal $n:literal),*) => {
        concat!($("mov ", $to, ", [rsi + 16 * ", $n, "]\n"),*)
    };
}
/// The pointers to last blocks.
macro_rules! each_end {
    ($($to:literal $n:literal),*) => {
        concat!($("mov ", $to, ", [rbp + {ends} + 8 * ", $n, "]\n"),*)
    };
}

pub(super) use {
    add_four, add_one, add_words, copy, digests, each_end, each_pointer, each_slice, masked, pairs,
    shuffled, transposed, unpacked, word,
};
