//! A jump in long texts of assembly.

/// A jump to where it ends, for long texts without branches. After code that is not in its
/// cache of operations Zen 3 decodes all that follows up to the next taken branch
/// (docs/notes/layouts.md). At a multiple of 16 bytes, because Intel's Skylake keeps no jump
/// that ends a piece of 32 bytes in its own.
#[doc(hidden)]
#[macro_export]
macro_rules! hop {
    () => {
        ".p2align 4\n jmp 77f\n 77:\n"
    };
}
