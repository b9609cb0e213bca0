//! Products with `mulx`, `adcx` and `adox`: two chains of carries at a time (Ozturk,
//! Guilford, Gopal and Feghali, "New instructions supporting large integer arithmetic on
//! Intel architecture processors", 2012).
//!
//! Eight limbs of one factor meet one limb of the other in a row. Eight limbs of the sum
//! stay in registers, and only the lowest leaves them after a row.

use crate::limbs;
use crate::reduction::{self, Modulus};
use core::arch::naked_asm;

/// Limbs of a block.
const BLOCK: usize = 8;

/// A function that adds `a b` to `r`, for eight limbs of `a` and `n` limbs of `b`, one or
/// more: `r` has `n + 8` limbs, and the carry out of them is returned. `$factor` loads a
/// limb of `b` to `rdx`.
macro_rules! rows {
    ($(#[$doc:meta])* $name:ident($($more:ident: $type:ty)?), $factor:literal) => {
        $(#[$doc])*
        ///
        /// # Safety
        /// The CPU must have BMI2 and ADX. `r` must be readable and writable for `n + 8`
        /// limbs, `a` readable for eight and `b` for `n`, which is above zero; they are
        /// where `r` is not. See also above.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(
            r: *mut u64,
            a: *const u64,
            b: *mut u64,
            n: usize,
            $($more: $type)?
        ) -> u64 {
            naked_asm!(
                "push rbx",
                "push rbp",
                "push r12",
                "push r13",
                "push r14",
                "push r15",
                "mov rbp, rdx",
                "lea rax, [rdx + 8*rcx]",
                // What no register is left for: the inverse, and the end of b.
                "push r8",
                "push rax",
                "mov r8, [rdi]",
                "mov r9, [rdi + 8]",
                "mov r10, [rdi + 16]",
                "mov r11, [rdi + 24]",
                "mov r12, [rdi + 32]",
                "mov r13, [rdi + 40]",
                "mov r14, [rdi + 48]",
                "mov r15, [rdi + 56]",
                "xor ecx, ecx",
                ".p2align 5",
                "2:",
                $factor,
                "xor eax, eax",
                "mulx rbx, rax, [rsi]",
                "adcx r8, rax",
                "adox r9, rbx",
                "mulx rbx, rax, [rsi + 8]",
                "mov [rdi], r8",
                "adcx r9, rax",
                "adox r10, rbx",
                "mulx rbx, rax, [rsi + 16]",
                "mov r8, r9",
                "adcx r10, rax",
                "adox r11, rbx",
                "mulx rbx, rax, [rsi + 24]",
                "mov r9, r10",
                "adcx r11, rax",
                "adox r12, rbx",
                "mulx rbx, rax, [rsi + 32]",
                "mov r10, r11",
                "adcx r12, rax",
                "adox r13, rbx",
                "mulx rbx, rax, [rsi + 40]",
                "mov r11, r12",
                "adcx r13, rax",
                "adox r14, rbx",
                "mulx rbx, rax, [rsi + 48]",
                "mov r12, r13",
                "adcx r14, rax",
                "adox r15, rbx",
                "mulx rbx, rax, [rsi + 56]",
                "mov r13, r14",
                "adcx r15, rax",
                "mov eax, 0",
                "mov r14, r15",
                // Both carries: the window and a row fit into nine limbs.
                "adox rbx, rax",
                "adcx rbx, rax",
                // The limb of r above, and what the row before carried there. No more than
                // one of the two sums carries.
                "add rbx, rcx",
                "adc rax, 0",
                "add rbx, [rdi + 64]",
                "adc rax, 0",
                "mov r15, rbx",
                "mov rcx, rax",
                "add rbp, 8",
                "add rdi, 8",
                "cmp rbp, [rsp]",
                "jne 2b",
                "mov [rdi], r8",
                "mov [rdi + 8], r9",
                "mov [rdi + 16], r10",
                "mov [rdi + 24], r11",
                "mov [rdi + 32], r12",
                "mov [rdi + 40], r13",
                "mov [rdi + 48], r14",
                "mov [rdi + 56], r15",
                "mov rax, rcx",
                "add rsp, 16",
                "pop r15",
                "pop r14",
                "pop r13",
                "pop r12",
                "pop rbp",
                "pop rbx",
                "ret",
            )
        }
    };
}

rows! {
    /// `r += a b`. It returns the carry.
    add_rows(), "mov rdx, [rbp]"
}

rows! {
    /// Chooses `b` so that the low `n` limbs of `r += a b` become zero, for
    /// `inverse = -1 / a` modulo 2^64. It returns the carry.
    ///
    /// `b` must be writable.
    reduce_rows(inverse: u64), "mov rdx, r8\nimul rdx, [rsp + 8]\nmov [rbp], rdx"
}

/// `r += a b`, for eight limbs of `a` and as many limbs of `r` as both have, or more. It
/// says whether a carry leaves `r`.
///
/// # Safety
/// The CPU must have BMI2 and ADX.
unsafe fn add_block(r: &mut [u64], a: &[u64], b: &[u64]) -> bool {
    let len = BLOCK + b.len();
    assert!(a.len() == BLOCK && !b.is_empty() && r.len() >= len);
    // SAFETY: the lengths are as the function wants them, and it only reads `b`. The
    // caller guarantees the ISAs.
    let carry = unsafe { add_rows(r.as_mut_ptr(), a.as_ptr(), b.as_ptr().cast_mut(), b.len()) };
    carry_on(&mut r[len..], carry)
}

/// Adds a carry to the limbs above, and says whether it leaves them.
fn carry_on(above: &mut [u64], carry: u64) -> bool {
    carry != 0 && (above.is_empty() || limbs::add_assign(above, &[carry]))
}

/// `out = a b`, for `out` as long as both together.
///
/// # Safety
/// The CPU must have BMI2 and ADX.
pub(crate) unsafe fn mul(out: &mut [u64], a: &[u64], b: &[u64]) {
    // Whole blocks of the one, and rows for what remains of it.
    let (a, b) = if a.len().is_multiple_of(BLOCK) {
        (a, b)
    } else {
        (b, a)
    };
    out.fill(0);
    let (blocks, rest) = a.as_chunks::<BLOCK>();
    for (i, block) in blocks.iter().enumerate() {
        // SAFETY: the caller guarantees the ISAs.
        unsafe { add_block(&mut out[BLOCK * i..], block, b) };
    }
    for (i, limb) in rest.iter().enumerate() {
        let place = BLOCK * blocks.len() + i;
        let carry = limbs::add_mul_1(&mut out[place..place + b.len()], b, *limb);
        out[place + b.len()] = carry;
    }
}

/// `out = a a`, for `out` twice as long: products of different blocks once, then doubled,
/// then the squares of blocks.
///
/// # Safety
/// The CPU must have BMI2 and ADX.
pub(crate) unsafe fn square(out: &mut [u64], a: &[u64]) {
    let (blocks, rest) = a.as_chunks::<BLOCK>();
    if !rest.is_empty() || blocks.len() == 1 {
        // SAFETY: the caller guarantees the ISAs.
        return unsafe { mul(out, a, a) };
    }
    out.fill(0);
    for (i, block) in blocks.iter().enumerate() {
        let others = &a[BLOCK * (i + 1)..];
        if !others.is_empty() {
            // SAFETY: the caller guarantees the ISAs.
            unsafe { add_block(&mut out[BLOCK * (2 * i + 1)..], block, others) };
        }
    }
    limbs::double(out);
    for (i, block) in blocks.iter().enumerate() {
        // SAFETY: the caller guarantees the ISAs.
        unsafe { add_block(&mut out[2 * BLOCK * i..], block, block) };
    }
}

/// Montgomery's reduction, a block of limbs at a time.
///
/// # Safety
/// The CPU must have BMI2 and ADX.
pub(crate) unsafe fn reduce(t: &mut [u64], modulus: Modulus<'_>) {
    let n = modulus.limbs.len();
    let (blocks, rest) = modulus.limbs.as_chunks::<BLOCK>();
    let Some((first, others)) = blocks.split_first().filter(|_| rest.is_empty()) else {
        return reduction::by_rows(t, modulus);
    };
    let mut over = false;
    for round in 0..blocks.len() {
        let t = &mut t[BLOCK * round..];
        let mut factors = [0; BLOCK];
        assert!(t.len() >= 2 * BLOCK);
        // SAFETY: `t` has 16 limbs, the others have eight. The caller guarantees the ISAs.
        let carry = unsafe {
            let (t, factors) = (t.as_mut_ptr(), factors.as_mut_ptr());
            reduce_rows(t, first.as_ptr(), factors, BLOCK, modulus.inverse)
        };
        over |= carry_on(&mut t[2 * BLOCK..], carry);
        for (i, block) in others.iter().enumerate() {
            // SAFETY: the caller guarantees the ISAs.
            over |= unsafe { add_block(&mut t[BLOCK * (i + 1)..], block, &factors) };
        }
    }
    reduction::settle(&mut t[n..], modulus.limbs, over);
}
