//! Arrays of slices, as assembly reads them.
//!
//! Kernels for many short messages take the slices themselves. Rust code that copies
//! pointers or compares lengths is compiled differently under every compiler flag. For
//! messages of one block that would be measurable.

/// Distance in bytes between slices in an array of slices.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
pub const STRIDE: usize = size_of::<&[u8]>();

/// The layout of a slice that the assembly expects. Rust does not guarantee it. The
/// assertion below does not compile if it is different.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
#[repr(C)]
struct Slice {
    at: *const u8,
    len: usize,
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
const _: () = {
    // SAFETY: both types are a pointer and a length, in some order. In the other order
    // the compiler stops, because a constant cannot read a pointer as a number.
    let slice = unsafe { core::mem::transmute::<&[u8], Slice>(b"abc") };
    assert!(slice.len == 3 && STRIDE == 16);
};

/// Number of messages at the front that have this length.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
#[inline]
pub fn of_length(messages: &[&[u8]], len: usize) -> usize {
    // SAFETY: the pointer and the count are of one slice of messages.
    unsafe { count(messages.as_ptr(), messages.len(), len) }
}

/// Number of messages at the front that have this length.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", not(miri))))]
pub fn of_length(messages: &[&[u8]], len: usize) -> usize {
    messages.iter().take_while(|m| m.len() == len).count()
}

/// Counts eight at a time, then one by one.
///
/// # Safety
/// `messages` must be readable for `count` slices.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
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
