//! How a program's routines call each other: registers as bits, general ones by their numbers,
//! then those of vectors.

/// A calling convention, as far as it says what is read again and what is lost.
#[derive(Debug)]
pub(crate) struct Convention {
    /// Where a routine may be given something.
    pub given: u32,
    /// What is read behind a routine's end: results, what it keeps for its caller, the stack.
    pub returned: u32,
    /// What a call writes for certain.
    pub written: u32,
    /// General registers that are not known behind a call of the file's own routine.
    pub changed: &'static [usize],
    /// The first register of vectors that is not known there.
    pub vectors: usize,
    /// A caller may know which registers a routine leaves alone.
    pub is_known_to_callers: bool,
}

/// The System V ABI for x86-64, 3.2. GCC knows which registers a routine leaves alone
/// (-fipa-ra).
pub(crate) const SYSTEM_V: Convention = Convention {
    given: 1 << 0 | 1 << 1 | 1 << 2 | 0b1111 << 6 | 0xff << 16,
    returned: 1 << 0 | 0b11_1100 | 1 << 2 | 0b1111 << 12 | 0b11 << 16,
    written: 1,
    changed: &[1, 6, 7, 8, 9, 10, 11],
    vectors: 2,
    is_known_to_callers: true,
};

/// Numbers of the general registers that Go's arguments and results are in, in order.
pub(crate) const GO_WORDS: [usize; 9] = [0, 3, 1, 7, 6, 8, 9, 10, 11];
/// Of the goroutine, and of a closure's own data.
pub(crate) const GO_ROUTINE: usize = 14;
pub(crate) const GO_CLOSURE: usize = 2;
/// Always zero.
pub(crate) const GO_ZERO: usize = 15;
const GO_PASSED: u32 = 0b1111_1100_1011 | 0x7fff << 16;
const GO_FIXED: u32 = 1 << 4 | 1 << 5 | 1 << 14 | 1 << (16 + 15);

/// Go's ABIInternal (`cmd/compile/abi-internal.md`): nothing is kept over a call but the stack,
/// the goroutine and a zero, and results are in the registers of arguments.
pub(crate) const GO: Convention = Convention {
    given: GO_PASSED | GO_FIXED | 1 << GO_CLOSURE,
    returned: GO_PASSED | GO_FIXED,
    written: !GO_FIXED,
    changed: &[],
    vectors: 16,
    is_known_to_callers: false,
};
