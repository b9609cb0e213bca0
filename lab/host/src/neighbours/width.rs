//! How wide the core is for this thread just now: independent additions a cycle.
//!
//! Two hardware threads of a core share its execution units. A neighbour on the other one
//! takes units that a program with much parallel work would have used, and the clock shows
//! nothing of it. So additions that depend on each other give the length of a cycle, and
//! additions that do not give how many units are free. Their ratio does not move with the
//! clock. With a busy neighbour it falls by a quarter to a
//! third in the median, and seldom by less than 10 %.

use std::time::Instant;

/// Dependent additions, before and after the independent ones: 1 µs at 4 GHz.
const DEPENDENT: u64 = 4_000;

/// Independent additions: 1.6 to 2.5 µs at 4 GHz and four to five a cycle.
const INDEPENDENT: u64 = 32_000;

/// Independent additions a cycle, from one look of some 4 µs.
///
/// An interrupt within the look makes the result too small. It is too large only if both
/// chains of dependent additions are interrupted.
#[must_use]
pub fn width() -> f64 {
    let start = Instant::now();
    crate::clock::chain(DEPENDENT);
    let first = Instant::now();
    independent(INDEPENDENT);
    let second = Instant::now();
    crate::clock::chain(DEPENDENT);
    let end = Instant::now();
    let chain = (first - start).min(end - second).as_nanos().max(1) as f64;
    let wide = (second - first).as_nanos().max(1) as f64;
    (INDEPENDENT as f64 / wide) / (DEPENDENT as f64 / chain)
}

/// `additions` in eight registers (rounded up to a multiple of 32).
#[cfg(target_arch = "x86_64")]
fn independent(additions: u64) {
    // SAFETY: registers only; no memory, no stack.
    unsafe {
        std::arch::asm!(
            // The loop's place must not decide what it measures.
            ".p2align 6",
            "2:",
            ".rept 4",
            "add {a}, {y}", "add {b}, {y}", "add {c}, {y}", "add {d}, {y}",
            "add {e}, {y}", "add {f}, {y}", "add {g}, {y}", "add {h}, {y}",
            ".endr",
            "sub {n}, 1",
            "jnz 2b",
            a = inout(reg) 0_u64 => _, b = inout(reg) 0_u64 => _,
            c = inout(reg) 0_u64 => _, d = inout(reg) 0_u64 => _,
            e = inout(reg) 0_u64 => _, f = inout(reg) 0_u64 => _,
            g = inout(reg) 0_u64 => _, h = inout(reg) 0_u64 => _,
            y = in(reg) 1_u64,
            n = inout(reg) additions.div_ceil(32) => _,
            options(nomem, nostack)
        );
    }
}

/// `additions` in eight registers (rounded up to a multiple of 32).
#[cfg(target_arch = "aarch64")]
fn independent(additions: u64) {
    // SAFETY: registers only; no memory, no stack.
    unsafe {
        std::arch::asm!(
            // The loop's place must not decide what it measures.
            ".p2align 6",
            "2:",
            ".rept 4",
            "add {a}, {a}, {y}", "add {b}, {b}, {y}", "add {c}, {c}, {y}", "add {d}, {d}, {y}",
            "add {e}, {e}, {y}", "add {f}, {f}, {y}", "add {g}, {g}, {y}", "add {h}, {h}, {y}",
            ".endr",
            "subs {n}, {n}, #1",
            "b.ne 2b",
            a = inout(reg) 0_u64 => _, b = inout(reg) 0_u64 => _,
            c = inout(reg) 0_u64 => _, d = inout(reg) 0_u64 => _,
            e = inout(reg) 0_u64 => _, f = inout(reg) 0_u64 => _,
            g = inout(reg) 0_u64 => _, h = inout(reg) 0_u64 => _,
            y = in(reg) 1_u64,
            n = inout(reg) additions.div_ceil(32) => _,
            options(nomem, nostack)
        );
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_core_adds_more_than_one_and_less_than_twenty_numbers_a_cycle() {
        let best = (0..200).map(|_| super::width()).fold(0.0, f64::max);
        let typical = {
            let mut all: Vec<f64> = (0..200).map(|_| super::width()).collect();
            all.sort_by(f64::total_cmp);
            all[100]
        };
        assert!(best > 1.0, "{best} additions a cycle");
        assert!(
            (0.3..20.0).contains(&typical),
            "{typical} additions a cycle"
        );
    }
}
