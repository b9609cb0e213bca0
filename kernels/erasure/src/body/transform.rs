//! The additive fast Fourier transform over a Cantor basis (Lin, Al-Naffouri, Han and
//! Chung 2016, as in [`crate::field`]).
//!
//! Point j is the element with coordinates j. In such a basis the i-th subspace polynomial
//! is j >> i at point j, so the constant of a butterfly at layer i is the point at which
//! its block begins, shifted right by i. At point 0 that is 0.
//!
//! Two layers are done at once: four rows are read, four butterflies done, four written.

use super::Transform;
use crate::vector::Symbols;

/// Values to coefficients.
///
/// # Safety
/// As [`Transform`] says, and the CPU must have the ISA of `S`.
#[inline(always)]
pub(crate) unsafe fn inverse<S: Symbols>(job: &Transform) {
    let mut layer = 0;
    // SAFETY: the caller's promise.
    unsafe {
        while 4 << layer <= job.count {
            pass::<S, false>(job, layer);
            layer += 2;
        }
        if 2 << layer <= job.count {
            top::<S, false>(job, layer);
        }
    }
}

/// Coefficients to values.
///
/// # Safety
/// As [`Transform`] says, and the CPU must have the ISA of `S`.
#[inline(always)]
pub(crate) unsafe fn forward<S: Symbols>(job: &Transform) {
    let mut layer = job.count.trailing_zeros();
    // SAFETY: the caller's promise.
    unsafe {
        if layer & 1 == 1 {
            layer -= 1;
            top::<S, true>(job, layer);
        }
        while layer > 0 {
            layer -= 2;
            pass::<S, true>(job, layer);
        }
    }
}

/// The coefficients of the formal derivative. In this basis each coefficient with bit b
/// set goes to the one without it, for all bits b.
///
/// # Safety
/// As [`Transform`] says, and the CPU must have the ISA of `S`.
#[inline(always)]
pub(crate) unsafe fn derive<S: Symbols>(job: &Transform) {
    for i in 1..job.count {
        let width = i & i.wrapping_neg();
        for row in i..i + width {
            // SAFETY: the caller's promise; rows are below `count`.
            unsafe {
                let from = job.rows.add(row * job.stride);
                let to = job.rows.add((row - width) * job.stride);
                for index in 0..job.bytes / S::BYTES {
                    let at = S::at(index);
                    let sum = S::load(to.add(at)).xor(S::load(from.add(at)));
                    sum.store(to.add(at));
                }
            }
        }
    }
}

/// Whether all constants of this layer and those above are in the subfield.
fn small<S: Symbols>(job: &Transform, layer: u32) -> bool {
    S::SUBFIELD == 0 || (job.point + job.count - 1) >> layer < usize::from(S::SUBFIELD)
}

/// Layers `layer` and `layer + 1`.
#[inline(always)]
unsafe fn pass<S: Symbols, const FORWARD: bool>(job: &Transform, layer: u32) {
    // SAFETY: the caller's promise.
    unsafe {
        if small::<S>(job, layer) {
            quads::<S, FORWARD, true>(job, layer);
        } else {
            quads::<S, FORWARD, false>(job, layer);
        }
    }
}

#[inline(always)]
unsafe fn quads<S: Symbols, const FORWARD: bool, const SMALL: bool>(job: &Transform, layer: u32) {
    let distance = 1 << layer;
    for block in (0..job.used).step_by(4 * distance) {
        let point = job.point + block;
        let constant = |point: usize, layer: u32| (point >> layer) as u16;
        // SAFETY: the caller's promise; a block ends before `count`.
        unsafe {
            let factor = |c| S::factor::<SMALL>(job.tables, c);
            let factors = [
                factor(constant(point, layer)),
                factor(constant(point + 2 * distance, layer)),
                factor(constant(point, layer + 1)),
            ];
            for row in block..block + distance {
                let rows = job.rows.add(row * job.stride);
                let apart = distance * job.stride;
                if point == 0 {
                    quad::<S, FORWARD, SMALL, true>(rows, apart, job.bytes, factors);
                } else {
                    quad::<S, FORWARD, SMALL, false>(rows, apart, job.bytes, factors);
                }
            }
        }
    }
}

/// Four rows. With `FIRST` the first and the third factor are 0.
#[inline(always)]
unsafe fn quad<S: Symbols, const FORWARD: bool, const SMALL: bool, const FIRST: bool>(
    rows: *mut u8,
    apart: usize,
    bytes: usize,
    [low, high, both]: [S::Factor; 3],
) {
    for index in 0..bytes / S::BYTES {
        // SAFETY: the caller's promise.
        unsafe {
            let at = rows.add(S::at(index));
            let mut a = S::load(at);
            let mut b = S::load(at.add(apart));
            let mut c = S::load(at.add(2 * apart));
            let mut d = S::load(at.add(3 * apart));
            if FORWARD {
                (a, c) = butterfly::<S, true, SMALL, FIRST>(a, c, both);
                (b, d) = butterfly::<S, true, SMALL, FIRST>(b, d, both);
                (a, b) = butterfly::<S, true, SMALL, FIRST>(a, b, low);
                (c, d) = butterfly::<S, true, SMALL, false>(c, d, high);
            } else {
                (a, b) = butterfly::<S, false, SMALL, FIRST>(a, b, low);
                (c, d) = butterfly::<S, false, SMALL, false>(c, d, high);
                (a, c) = butterfly::<S, false, SMALL, FIRST>(a, c, both);
                (b, d) = butterfly::<S, false, SMALL, FIRST>(b, d, both);
            }
            a.store(at);
            b.store(at.add(apart));
            c.store(at.add(2 * apart));
            d.store(at.add(3 * apart));
        }
    }
}

/// The uppermost layer alone.
#[inline(always)]
unsafe fn top<S: Symbols, const FORWARD: bool>(job: &Transform, layer: u32) {
    // SAFETY: the caller's promise.
    unsafe {
        match (small::<S>(job, layer), job.point == 0) {
            (true, true) => halves::<S, FORWARD, true, true>(job, layer),
            (true, false) => halves::<S, FORWARD, true, false>(job, layer),
            (false, true) => halves::<S, FORWARD, false, true>(job, layer),
            (false, false) => halves::<S, FORWARD, false, false>(job, layer),
        }
    }
}

#[inline(always)]
unsafe fn halves<S: Symbols, const FORWARD: bool, const SMALL: bool, const FIRST: bool>(
    job: &Transform,
    layer: u32,
) {
    let apart = job.stride << layer;
    // SAFETY: the caller's promise.
    unsafe {
        let constant = if FIRST {
            0
        } else {
            (job.point >> layer) as u16
        };
        let factor = S::factor::<SMALL>(job.tables, constant);
        for row in 0..1 << layer {
            let rows = job.rows.add(row * job.stride);
            for index in 0..job.bytes / S::BYTES {
                let at = rows.add(S::at(index));
                let (a, b) = (S::load(at), S::load(at.add(apart)));
                let (a, b) = butterfly::<S, FORWARD, SMALL, FIRST>(a, b, factor);
                a.store(at);
                b.store(at.add(apart));
            }
        }
    }
}

/// Two rows of a layer: forward a + c*b and that plus b, otherwise back. With `ZERO` the
/// factor is 0.
#[inline(always)]
unsafe fn butterfly<S: Symbols, const FORWARD: bool, const SMALL: bool, const ZERO: bool>(
    a: S,
    b: S,
    factor: S::Factor,
) -> (S, S) {
    // SAFETY: the caller's promise.
    unsafe {
        let b = if FORWARD { b } else { b.xor(a) };
        let a = if ZERO {
            a
        } else {
            a.xor(S::mul::<SMALL>(b.split(), factor))
        };
        let b = if FORWARD { b.xor(a) } else { b };
        (a, b)
    }
}
