//! Plain Rust: the fallback, and the reference for the tests of all others.

use crate::algorithm::{Algorithm, State, Word as _};
use crate::block::{self, Compress};
use crate::job::Job;

/// Runs the compression function over `count` blocks (FIPS 180-4, sections 6.2.2 and
/// 6.4.2).
///
/// # Safety
/// `blocks` must be readable for `count` blocks.
pub(crate) unsafe fn compress<A: Algorithm>(state: &mut State<A>, blocks: *const u8, count: usize) {
    // SAFETY: the caller guarantees that `blocks` is readable for that many bytes.
    let bytes = unsafe { core::slice::from_raw_parts(blocks, A::BLOCK * count) };
    for block in bytes.chunks_exact(A::BLOCK) {
        one::<A>(state, block);
    }
}

#[inline(always)]
fn one<A: Algorithm>(state: &mut State<A>, block: &[u8]) {
    let mut w = [A::Word::default(); 16];
    for (word, bytes) in w.iter_mut().zip(block.chunks_exact(A::Word::BYTES)) {
        *word = A::Word::read(bytes);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (t, k) in A::K.iter().enumerate() {
        let i = t % 16;
        if t >= 16 {
            w[i] = A::next_word(w[i], w[(i + 1) % 16], w[(i + 9) % 16], w[(i + 14) % 16]);
        }
        let choose = (f ^ g) & e ^ g;
        let t1 = h.plus(A::sum1(e)).plus(choose).plus(*k).plus(w[i]);
        let majority = a & b | (a | b) & c;
        (h, g, f, e) = (g, f, e, d.plus(t1));
        (d, c, b, a) = (c, b, a, t1.plus(A::sum0(a)).plus(majority));
    }
    for (word, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.plus(new);
    }
}

/// Hashes one message after another, in plain Rust.
pub(crate) fn many<A: Algorithm>(job: &mut Job<'_, A>) {
    // SAFETY: plain Rust runs on every CPU.
    unsafe { one_by_one::<A>(job, compress::<A>) }
}

/// Hashes one message after another.
///
/// # Safety
/// The CPU must have what `compress` needs.
pub(crate) unsafe fn one_by_one<A: Algorithm>(job: &mut Job<'_, A>, compress: Compress<A>) {
    for index in 0..job.messages.len() {
        let (mut state, message) = (*job.start(index), job.messages[index]);
        // SAFETY: the caller guarantees the CPU. The message has that many blocks.
        unsafe {
            if job.padded {
                compress(&mut state, message.as_ptr(), message.len() / A::BLOCK);
            } else {
                block::finish::<A>(compress, &mut state, message, job.before());
            }
        }
        job.put(index, &block::bytes::<A>(&state));
    }
}
