//! How routines are called: which registers hold arguments, and which a call may change.

/// A calling convention of x86-64.
#[derive(Debug, PartialEq, Eq)]
pub struct Convention {
    /// By number of the argument: its general register.
    pub registers: &'static [u8],
    /// General registers that a call may change.
    pub clobbered: &'static [u8],
    /// Where the arguments on the stack begin, above the stack pointer that a routine is
    /// entered with.
    pub stacked: i64,
}

/// The System V ABI, section 3.2: rdi, rsi, rdx, rcx, r8, r9. Linux, BSD and macOS.
pub const SYSTEM_V: Convention = Convention {
    registers: &[7, 6, 2, 1, 8, 9],
    clobbered: &[0, 1, 2, 6, 7, 8, 9, 10, 11],
    stacked: 8,
};

/// Microsoft's: rcx, rdx, r8, r9; behind the return address lies room for these four
/// ("x64 calling convention").
pub const MICROSOFT: Convention = Convention {
    registers: &[1, 2, 8, 9],
    clobbered: &[0, 1, 2, 8, 9, 10, 11],
    stacked: 40,
};

impl Convention {
    /// The register of an argument, if it is in one.
    #[must_use]
    pub fn register(&self, number: u8) -> Option<u8> {
        self.registers.get(usize::from(number)).copied()
    }
}
