//! How a program's routines call each other: registers as bits, general ones by their numbers,
//! then those of vectors.

use crate::calls::ARGUMENTS;
use std::ops::Range;

/// What System V's routines leave as it was, of what exceptions restore.
const SAVED: [usize; 6] = [3, 5, 12, 13, 14, 15];

/// A calling convention, as far as it says what is read again and what is lost.
#[derive(Debug)]
pub(crate) struct Convention {
    /// Where a routine may be given something.
    pub given: u64,
    /// What is read behind a routine's end: results, what it keeps for its caller, the stack.
    pub returned: u64,
    /// What a call writes for certain.
    pub written: u64,
    /// Registers of arguments, in order.
    pub arguments: &'static [usize],
    /// General registers that are not known behind a call of the file's own routine.
    pub changed: &'static [usize],
    /// Registers of vectors that are not known there: the first, and the one behind the last.
    pub vectors: (usize, usize),
    /// Those whose lower half every routine leaves as it was.
    pub halves: Range<usize>,
    /// How many general registers there are, and as many of vectors.
    pub registers: usize,
    /// Bytes that a call puts on the stack.
    pub pushed: u64,
    /// Registers that a routine leaves as they were.
    pub saved: &'static [usize],
    /// A caller may know which registers a routine leaves alone.
    pub is_known_to_callers: bool,
}

/// The System V ABI for x86-64, 3.2. GCC knows which registers a routine leaves alone
/// (-fipa-ra).
pub(crate) const SYSTEM_V: Convention = Convention {
    given: 1 << 0 | 1 << 1 | 1 << 2 | 0b1111 << 6 | 0xff << 32,
    returned: 1 << 0 | 0b11_1100 | 1 << 2 | 0b1111 << 12 | 0b11 << 32,
    written: 1,
    arguments: &ARGUMENTS,
    changed: &[1, 6, 7, 8, 9, 10, 11],
    vectors: (2, 16),
    halves: 0..0,
    registers: 16,
    pushed: 8,
    saved: &SAVED,
    is_known_to_callers: true,
};

/// Microsoft's ("x64 calling convention"): four arguments in registers, what follows lies behind
/// room for these. What touches the pages of a large frame is given its size in `rax`.
pub(crate) const MICROSOFT: Convention = Convention {
    given: 1 << 0 | 1 << 1 | 1 << 2 | 0b11 << 8 | 0b1111 << 32,
    returned: 1 << 0 | 0b1111_1000 | 0b1111 << 12 | 1 << 32 | 0x3ff << 38,
    written: 1,
    arguments: &[1, 2, 8, 9],
    changed: &[1, 2, 8, 9, 10, 11],
    vectors: (1, 6),
    halves: 0..0,
    registers: 16,
    pushed: 8,
    saved: &SAVED,
    is_known_to_callers: true,
};

/// Numbers of the general registers that Go's arguments and results are in, in order.
pub(crate) const GO_WORDS: [usize; 9] = [0, 3, 1, 7, 6, 8, 9, 10, 11];
/// Of the goroutine, and of a closure's own data.
pub(crate) const GO_ROUTINE: usize = 14;
pub(crate) const GO_CLOSURE: usize = 2;
/// Always zero.
pub(crate) const GO_ZERO: usize = 15;
const GO_PASSED: u64 = 0b1111_1100_1011 | 0x7fff << 32;
const GO_FIXED: u64 = 1 << 4 | 1 << 5 | 1 << 14 | 1 << (32 + 15);

/// Go's ABIInternal (`cmd/compile/abi-internal.md`): nothing is kept over a call but the stack,
/// the goroutine and a zero, and results are in the registers of arguments.
pub(crate) const GO: Convention = Convention {
    given: GO_PASSED | GO_FIXED | 1 << GO_CLOSURE,
    returned: GO_PASSED | GO_FIXED,
    written: !GO_FIXED,
    arguments: &ARGUMENTS,
    changed: &[],
    vectors: (16, 16),
    halves: 0..0,
    registers: 16,
    pushed: 8,
    saved: &SAVED,
    is_known_to_callers: false,
};
