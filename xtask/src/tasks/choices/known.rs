//! What people know beside the records: written by hand, each with its reason.

/// Kernels that choose by the length of their inputs (`karat_cpu`'s `get_for`).
pub(super) const BY_LENGTH: &[&str] = &["bigint-mul", "blake2b"];

/// Kernel, body, and the body that it stands before where records have the two within
/// [`LOSS`]: it does the same for sixteen messages, which records have, and less for a few,
/// which they have not.
pub(super) const SAME: &[(&str, &str, &str)] = &[("sha256-many", "avx512-sha-ni", "avx512")];

/// Kernel and body that a model alone does not choose. By model they gain some per cent on
/// Intel's designs that have no record, with stores of 512 bits in short messages. What those
/// do to the clock there, and to the second port of vectors, the model does not have
/// (docs/notes/blake2.md). Of sixteen SHA-256 the model has 1 to 4 % on Ice Lake over SHA-NI,
/// which leaves the clock alone.
pub(super) const BY_RECORD: &[(&str, &str)] = &[
    ("blake2b", "avx512-shifts"),
    ("blake2s", "avx512-shifts"),
    ("sha256-many", "avx512-single"),
];

/// Kernel, and the tasks that decide: programs that call it. Products alone are faster by
/// AVX-512 IFMA, and a program that multiplies need not be. Where one of them was not measured,
/// nothing is chosen.
pub(super) const PROGRAMS: &[(&str, &[&str])] = &[(
    "bigint-mul",
    &["bigint-modexp-by-products", "vdf-square-by-products"],
)];

/// No other body may be faster than the chosen one by more, at any size of a record.
pub(super) const LOSS: f64 = 0.02;

/// Losses beyond [`LOSS`] that stand: design of CPU, kernel, task, size, and why.
pub(super) const EXCEPTIONS: &[(&str, &str, &str, u64, &str)] = &[
    (
        "Zen5",
        "blake3",
        "blake3-xof",
        64,
        "avx512-duet and avx512 run the same function there; the record has what the place of \
         their results cost",
    ),
    (
        "Zen3",
        "blake2s",
        "blake2s",
        32,
        "the core was shared, its interval is 14 % wide; the record of a quarter of an hour later \
         has avx2 and sse4.1 within 0.2 %",
    ),
];

/// When the code of a kernel last changed in what its tasks run, in UTC as far as it matters,
/// and what changed. A record or a model from before is said to be of older code.
pub(super) const CHANGED: &[(&str, &str, &str)] = &[
    (
        "blake3",
        "2026-11-28T01:05",
        "a message's end is copied before its blocks are compressed; the day before chaining \
         values in place before output, and avx512vl has jumps in its lanes and output, and short \
         messages of many as avx512-single",
    ),
    (
        "blake3-block",
        "2026-11-27T22:40",
        "avx512vl-shifts copies the next block's words to rows in memory",
    ),
    (
        "lthash",
        "2026-11-27T22:40",
        "the same, and sums of many by avx512vl as by avx512-single",
    ),
    (
        "blake2b",
        "2026-11-28T22:20",
        "AVX2's rounds have another order; three days before one text from the slice to the digest",
    ),
    (
        "blake2s",
        "2026-11-28T22:20",
        "AVX2 has rows of its own; three days before SSE4.1 one text from the slice to the digest",
    ),
    (
        "blake2b-many",
        "2026-11-26T02:00",
        "jumps in AVX2's lanes; the day before one text from the slices to the digests",
    ),
    ("blake2s-many", "2026-11-26T02:00", "the same"),
    (
        "sha256-many",
        "2026-11-28T01:05",
        "sha-ni-avx512 goes from the initial state to the digests in one call, with ends by masked \
         loads; two days before streams of SHA-NI in one call, with jumps, and in all bodies an \
         end of one block is written as one",
    ),
    (
        "keccak",
        "2026-11-26T23:45",
        "general registers end with the part of the last round that a digest of 32 bytes needs",
    ),
    (
        "keccak-many",
        "2026-11-28T01:25",
        "last blocks of messages of one length by one mask in AVX-512, and one for all where they \
         are empty; two days before jumps in AVX2's rounds, and its last blocks and digests are \
         assembly",
    ),
];
