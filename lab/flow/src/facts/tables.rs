//! Names of features, what one implies of others, and where CPUID has them.
//!
//! Bits are those of the Intel SDM, volume 2, CPUID, and of the AMD64 APM, volume 3,
//! appendix E. What implies what: an extension needs the state and the encoding of the
//! one it extends (GCC's and LLVM's tables of `-m` options agree with these).

/// Names as the baseline has them, by number.
pub(super) const NAMES: [&str; 73] = [
    "sse3",
    "ssse3",
    "sse4.1",
    "sse4.2",
    "sse4a",
    "popcnt",
    "lzcnt",
    "bmi1",
    "bmi2",
    "tbm",
    "movbe",
    "f16c",
    "fma",
    "fma4",
    "xop",
    "avx",
    "avx2",
    "avxvnni",
    "aes",
    "pclmulqdq",
    "sha",
    "vaes",
    "vpclmulqdq",
    "gfni",
    "avx512f",
    "avx512bw",
    "avx512cd",
    "avx512dq",
    "avx512vl",
    "avx512ifma",
    "avx512vbmi",
    "avx512vbmi2",
    "avx512vnni",
    "avx512bitalg",
    "avx512vpopcntdq",
    "avx512er",
    "cet-ss",
    "avx512bf16",
    "avx512fp16",
    "avx512vp2intersect",
    "cmpxchg16b",
    "rdrand",
    "rdseed",
    "adx",
    "rtm",
    "fsgsbase",
    "xsave",
    "xsaveopt",
    "xsavec",
    "xsaves",
    "clflushopt",
    "clwb",
    "movdiri",
    "movdir64b",
    "rdpid",
    "waitpkg",
    "sha512",
    "sm3",
    "sm4",
    "avxifma",
    "amx-tile",
    "amx-int8",
    "amx-bf16",
    "rdtscp",
    "sse2",
    // An extension that no answer here is known to imply.
    "another extension",
    // No extensions, but what gates ask for instead of one.
    "the vendor",
    "the model",
    "the highest leaf",
    "the operating system's AVX state",
    "the operating system's AVX-512 state",
    // The two sides of a question that was not understood.
    "what is not known",
    "the opposite of what is not known",
];

pub(super) const OTHER: usize = 65;
/// The first of those that are no extensions.
pub(super) const PSEUDO: usize = 66;
/// The first of two sides of a question that was not understood.
pub(super) const OPAQUE: usize = 71;
/// The bit of what a member of a structure says, whose structure is not followed.
pub(super) const MEMBER: usize = 73;
/// The first bit that stands for an argument: eight for each in a register, its low bits
/// and whether it is not zero, then one for each on the stack, whether it is not zero.
pub(super) const ARGUMENTS: u32 = 74;
pub(super) const EACH: u32 = 8;

/// What follows from what.
pub(super) const IMPLIES: [(&str, &[&str]); 37] = [
    ("ssse3", &["sse3"]),
    ("sse4.1", &["ssse3"]),
    ("sse4.2", &["sse4.1", "popcnt"]),
    ("avx", &["sse4.2", "xsave"]),
    ("f16c", &["avx"]),
    ("fma", &["avx"]),
    ("fma4", &["avx", "sse4a"]),
    ("xop", &["fma4"]),
    ("avx2", &["avx"]),
    ("avxvnni", &["avx2"]),
    ("avxifma", &["avx2"]),
    ("vaes", &["avx2", "aes"]),
    ("vpclmulqdq", &["avx", "pclmulqdq"]),
    ("sse4a", &["sse3"]),
    ("sha512", &["avx2"]),
    ("sm3", &["avx"]),
    ("sm4", &["avx2"]),
    ("avx512f", &["avx2", "fma", "f16c"]),
    ("avx512bw", &["avx512f"]),
    ("avx512cd", &["avx512f"]),
    ("avx512dq", &["avx512f"]),
    ("avx512vl", &["avx512f"]),
    ("avx512er", &["avx512f"]),
    ("avx512ifma", &["avx512f"]),
    ("avx512vbmi", &["avx512bw"]),
    ("avx512vbmi2", &["avx512bw"]),
    ("avx512bitalg", &["avx512bw"]),
    ("avx512vnni", &["avx512f"]),
    ("avx512vpopcntdq", &["avx512f"]),
    ("avx512bf16", &["avx512bw"]),
    ("avx512fp16", &["avx512bw", "avx512dq", "avx512vl"]),
    ("avx512vp2intersect", &["avx512f"]),
    ("amx-int8", &["amx-tile"]),
    ("amx-bf16", &["amx-tile"]),
    // The operating system cannot keep a state that the CPU has not.
    ("the operating system's AVX state", &["avx"]),
    (
        "the operating system's AVX-512 state",
        &["avx512f", "the operating system's AVX state"],
    ),
    ("xsavec", &["xsave"]),
];

/// No architecture says so, but every CPU of Intel and AMD that has the one has the others: from
/// Haswell, Excavator and Zen on; of AVX-512, from Skylake's servers and Zen 4 on (Knights have
/// none of BW, DQ and VL).
pub(super) const TOGETHER: [(&str, &[&str]); 3] = [
    (
        "avx2",
        &["bmi1", "bmi2", "lzcnt", "movbe", "fma", "f16c", "popcnt"],
    ),
    ("avx512bw", &["avx512dq", "avx512vl"]),
    ("avx512dq", &["avx512bw", "avx512vl"]),
];

/// A register of CPUID's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Register {
    /// `eax`
    A,
    /// `ebx`
    B,
    /// `ecx`
    C,
    /// `edx`
    D,
}

/// (leaf, subleaf, register, (bit, name)…)
pub(super) type Leaf = (u32, u32, Register, &'static [(u8, &'static str)]);

pub(super) const LEAVES: [Leaf; 9] = [
    (
        1,
        0,
        Register::C,
        &[
            (0, "sse3"),
            (1, "pclmulqdq"),
            (9, "ssse3"),
            (12, "fma"),
            (13, "cmpxchg16b"),
            (19, "sse4.1"),
            (20, "sse4.2"),
            (22, "movbe"),
            (23, "popcnt"),
            (25, "aes"),
            (26, "xsave"),
            (27, "xsave"),
            (28, "avx"),
            (29, "f16c"),
            (30, "rdrand"),
        ],
    ),
    (
        7,
        0,
        Register::B,
        &[
            (0, "fsgsbase"),
            (3, "bmi1"),
            (5, "avx2"),
            (8, "bmi2"),
            (11, "rtm"),
            (16, "avx512f"),
            (17, "avx512dq"),
            (18, "rdseed"),
            (19, "adx"),
            (21, "avx512ifma"),
            (23, "clflushopt"),
            (24, "clwb"),
            (27, "avx512er"),
            (28, "avx512cd"),
            (29, "sha"),
            (30, "avx512bw"),
            (31, "avx512vl"),
        ],
    ),
    (
        7,
        0,
        Register::C,
        &[
            (1, "avx512vbmi"),
            (5, "waitpkg"),
            (6, "avx512vbmi2"),
            (7, "cet-ss"),
            (8, "gfni"),
            (9, "vaes"),
            (10, "vpclmulqdq"),
            (11, "avx512vnni"),
            (12, "avx512bitalg"),
            (14, "avx512vpopcntdq"),
            (22, "rdpid"),
            (27, "movdiri"),
            (28, "movdir64b"),
        ],
    ),
    (
        7,
        0,
        Register::D,
        &[
            (8, "avx512vp2intersect"),
            (22, "amx-bf16"),
            (23, "avx512fp16"),
            (24, "amx-tile"),
            (25, "amx-int8"),
        ],
    ),
    (
        7,
        1,
        Register::A,
        &[
            (0, "sha512"),
            (1, "sm3"),
            (2, "sm4"),
            (4, "avxvnni"),
            (5, "avx512bf16"),
            (23, "avxifma"),
        ],
    ),
    (
        0x8000_0001,
        0,
        Register::C,
        &[
            (5, "lzcnt"),
            (6, "sse4a"),
            (11, "xop"),
            (16, "fma4"),
            (21, "tbm"),
        ],
    ),
    (0x8000_0001, 0, Register::D, &[(27, "rdtscp")]),
    (
        0xd,
        1,
        Register::A,
        &[(0, "xsaveopt"), (1, "xsavec"), (3, "xsaves")],
    ),
    (0x1, 0, Register::D, &[(25, "sse2"), (26, "sse2")]),
];
