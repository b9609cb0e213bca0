//! Slices of messages as assembly reads them.
//!
//! Kernels for many short messages take the slices themselves: Rust code that
//! copies pointers out of them, or compares lengths, is written anew by every
//! flag of the compiler, and for messages of a block that shows in the time of
//! the whole call.

/// Bytes from one slice to the next in an array of slices.
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) const STRIDE: usize = size_of::<&[u8]>();

/// What the assembly takes a slice for. Rust does not promise this order; the
/// assertion below fails to compile where it is another.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[repr(C)]
struct Slice {
    at: *const u8,
    len: usize,
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
const _: () = {
    // SAFETY: both are a pointer and a length, in some order; were it the other
    // one, reading a pointer as a number would stop the compiler.
    let slice = unsafe { core::mem::transmute::<&[u8], Slice>(b"abc") };
    assert!(slice.len == 3 && STRIDE == 16);
};

/// How many messages at the front have this length.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline]
pub(crate) fn of_length(messages: &[&[u8]], len: usize) -> usize {
    // SAFETY: so many slices are there.
    unsafe { count(messages.as_ptr(), messages.len(), len) }
}

/// How many messages at the front have this length.
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
pub(crate) fn of_length(messages: &[&[u8]], len: usize) -> usize {
    messages.iter().take_while(|m| m.len() == len).count()
}

/// Eight at a time, then one by one.
///
/// # Safety
/// `messages` must be readable for `count` slices.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[unsafe(naked)]
unsafe extern "sysv64" fn count(messages: *const &[u8], count: usize, len: usize) -> usize {
    core::arch::naked_asm!(
        ".cfi_startproc
        xor eax, eax
    2:
        lea rcx, [rax + 8]
        cmp rcx, rsi
        ja 3f
        cmp rdx, [rdi + 8]
        jne 4f
        cmp rdx, [rdi + 24]
        jne 4f
        cmp rdx, [rdi + 40]
        jne 4f
        cmp rdx, [rdi + 56]
        jne 4f
        cmp rdx, [rdi + 72]
        jne 4f
        cmp rdx, [rdi + 88]
        jne 4f
        cmp rdx, [rdi + 104]
        jne 4f
        cmp rdx, [rdi + 120]
        jne 4f
        sub rdi, -128
        mov rax, rcx
        jmp 2b
    3:
        cmp rax, rsi
        jae 5f
    4:
        cmp rdx, [rdi + 8]
        jne 5f
        add rdi, 16
        inc rax
        jmp 3b
    5:
        ret
        .cfi_endproc"
    )
}

#[cfg(test)]
mod tests {
    use super::of_length;
    use alloc::vec::Vec;

    #[test]
    fn the_first_other_length_is_found() {
        let bytes = [0; 9];
        for count in 0..40 {
            for other in 0..=count {
                let messages: Vec<&[u8]> = (0..count)
                    .map(|i| &bytes[..if i == other { 8 } else { 9 }])
                    .collect();
                assert_eq!(of_length(&messages, 9), other.min(count));
            }
        }
    }
}
