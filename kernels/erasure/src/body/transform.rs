//! The additive fast Fourier transform (Lin, Al-Naffouri, Han and Chung 2016, as in
//! [`crate::field`]).
//!
//! The constant of a butterfly at layer i is the value of the i-th normalised subspace
//! polynomial at the point at which its block begins; at point 0 that is 0. Point j is the
//! element with coordinates j. In a Cantor basis the value is j >> i.
//!
//! Two layers are done at once: four rows are read, four butterflies done, four written. The
//! first pass reads shards and the last one writes them, so that nothing is only copied.

use super::{Transform, WIDEST};
use crate::vector::Symbols;
use core::{array, ptr};

/// What is read where there is no shard.
#[repr(C, align(64))]
struct Zeros([u8; WIDEST]);
static ZEROS: Zeros = Zeros([0; WIDEST]);

// What a pass does besides.
/// It reads shards.
const ENTER: u8 = 1;
/// It adds to other rows.
const ADD: u8 = 2;
/// It writes shards.
const LEAVE: u8 = 4;

/// Values to coefficients.
///
/// # Safety
/// As [`Transform`] says, and the CPU must have the ISA of `S`.
#[inline(always)]
pub(crate) unsafe fn inverse<S: Symbols>(job: &Transform) {
    let layers = job.count.trailing_zeros();
    let enters = !job.inputs.is_null();
    let mut layer = 0;
    // SAFETY: the caller's promise.
    unsafe {
        if enters {
            // The first pass leaves out what is behind the last shard's group.
            let read = job.used.next_multiple_of(job.count.min(4));
            let behind = job.rows.add(read * job.stride);
            ptr::write_bytes(behind, 0, (job.count - read) * job.stride);
        }
        loop {
            let adds = layer + 2 >= layers && !job.sum.is_null();
            match (enters && layer == 0, adds) {
                (false, false) => pass::<S, false, 0>(job, layer),
                (true, false) => pass::<S, false, ENTER>(job, layer),
                (false, true) => pass::<S, false, ADD>(job, layer),
                (true, true) => pass::<S, false, { ENTER | ADD }>(job, layer),
            }
            layer += 2;
            if layer >= layers {
                break;
            }
        }
    }
}

/// Coefficients to values.
///
/// # Safety
/// As [`Transform`] says, and the CPU must have the ISA of `S`.
#[inline(always)]
pub(crate) unsafe fn forward<S: Symbols>(job: &Transform) {
    let layers = job.count.trailing_zeros();
    let mut layer = layers.saturating_sub(1) / 2 * 2;
    // SAFETY: the caller's promise.
    unsafe {
        while layer > 0 {
            pass::<S, true, 0>(job, layer);
            layer -= 2;
        }
        if job.outputs.is_null() {
            pass::<S, true, 0>(job, 0);
        } else {
            pass::<S, true, LEAVE>(job, 0);
        }
    }
}

/// The coefficients of the formal derivative. In a Cantor basis each coefficient with bit b
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

/// Layers `layer` and `layer + 1`, or those of them that there are.
#[inline(always)]
unsafe fn pass<S: Symbols, const FORWARD: bool, const MODE: u8>(job: &Transform, layer: u32) {
    // Whether all constants of these layers are in the subfield.
    let largest = (job.point + job.count - 1) >> layer;
    let small = S::SUBFIELD == 0 || largest < usize::from(S::SUBFIELD);
    // SAFETY: the caller's promise.
    unsafe {
        match (job.count.trailing_zeros() - layer, small) {
            (0, _) => groups::<S, FORWARD, MODE, true, 1>(job, layer),
            (1, true) => groups::<S, FORWARD, MODE, true, 2>(job, layer),
            (1, false) => groups::<S, FORWARD, MODE, false, 2>(job, layer),
            (_, true) => groups::<S, FORWARD, MODE, true, 4>(job, layer),
            (_, false) => groups::<S, FORWARD, MODE, false, 4>(job, layer),
        }
    }
}

/// All blocks of the layers, in groups of `ROWS` rows that are done together.
#[inline(always)]
unsafe fn groups<
    S: Symbols,
    const FORWARD: bool,
    const MODE: u8,
    const SMALL: bool,
    const ROWS: usize,
>(
    job: &Transform,
    layer: u32,
) {
    let distance = 1 << layer;
    let constant = |point: usize, layer: u32| match job.skews {
        None => (point >> layer) as u16,
        Some(skews) => skews[layer as usize & 7][point & 255].into(),
    };
    for block in (0..job.used).step_by(ROWS * distance) {
        let point = job.point + block;
        // SAFETY: the caller's promise; a block ends before `count`.
        unsafe {
            let factor = |c| S::factor::<SMALL>(job.tables, S::packed::<SMALL>(c));
            let low = factor(constant(point, layer));
            let factors = match ROWS {
                4 => [
                    low,
                    factor(constant(point + 2 * distance, layer)),
                    factor(constant(point, layer + 1)),
                ],
                _ => [low; 3],
            };
            for row in block..block + distance {
                let from = array::from_fn(|i| source::<MODE>(job, row + i * distance));
                let to = array::from_fn(|i| target::<MODE>(job, row + i * distance));
                if point == 0 {
                    group::<S, FORWARD, MODE, SMALL, true, ROWS>(from, to, job.bytes, factors);
                } else {
                    group::<S, FORWARD, MODE, SMALL, false, ROWS>(from, to, job.bytes, factors);
                }
            }
        }
    }
}

/// Where a pass reads a row.
#[inline(always)]
unsafe fn source<const MODE: u8>(job: &Transform, row: usize) -> *const u8 {
    // SAFETY: the caller's promise.
    unsafe {
        if MODE & ENTER == 0 {
            return job.rows.add(row * job.stride);
        }
        let given = row < job.used;
        let shard = if given {
            *job.inputs.add(row)
        } else {
            ptr::null()
        };
        if shard.is_null() {
            ZEROS.0.as_ptr()
        } else {
            shard.add(job.from)
        }
    }
}

/// Where it writes the row.
#[inline(always)]
unsafe fn target<const MODE: u8>(job: &Transform, row: usize) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe {
        if MODE & ADD != 0 {
            return job.sum.add(row * job.stride);
        }
        if MODE & LEAVE != 0 && row < job.used {
            return (*job.outputs.add(row)).add(job.to);
        }
        job.rows.add(row * job.stride)
    }
}

/// One, two or four rows. With `FIRST` the first and the third factor are 0.
#[inline(always)]
unsafe fn group<
    S: Symbols,
    const FORWARD: bool,
    const MODE: u8,
    const SMALL: bool,
    const FIRST: bool,
    const ROWS: usize,
>(
    from: [*const u8; ROWS],
    to: [*mut u8; ROWS],
    bytes: usize,
    [low, high, both]: [S::Factor; 3],
) {
    for index in 0..bytes / S::BYTES {
        let at = S::at(index);
        // SAFETY: the caller's promise.
        unsafe {
            let mut v = [S::zero(); ROWS];
            for (value, from) in v.iter_mut().zip(from) {
                *value = S::load(from.add(at));
                if MODE & ENTER != 0 {
                    *value = value.convert();
                }
            }
            match (ROWS, FORWARD) {
                (4, true) => {
                    butterfly::<S, true, SMALL, FIRST>(&mut v, 0, 2, both);
                    butterfly::<S, true, SMALL, FIRST>(&mut v, 1, 3, both);
                    butterfly::<S, true, SMALL, FIRST>(&mut v, 0, 1, low);
                    butterfly::<S, true, SMALL, false>(&mut v, 2, 3, high);
                }
                (4, false) => {
                    butterfly::<S, false, SMALL, FIRST>(&mut v, 0, 1, low);
                    butterfly::<S, false, SMALL, false>(&mut v, 2, 3, high);
                    butterfly::<S, false, SMALL, FIRST>(&mut v, 0, 2, both);
                    butterfly::<S, false, SMALL, FIRST>(&mut v, 1, 3, both);
                }
                (2, _) => butterfly::<S, FORWARD, SMALL, FIRST>(&mut v, 0, 1, low),
                _ => {}
            }
            for (value, to) in v.into_iter().zip(to) {
                let to = to.add(at);
                let value = if MODE & LEAVE != 0 {
                    value.convert()
                } else {
                    value
                };
                let value = if MODE & ADD != 0 {
                    value.xor(S::load(to))
                } else {
                    value
                };
                value.store(to);
            }
        }
    }
}

/// Two rows of a layer: forward a + c*b and that plus b, otherwise back. With `ZERO` the
/// factor is 0.
#[inline(always)]
unsafe fn butterfly<S: Symbols, const FORWARD: bool, const SMALL: bool, const ZERO: bool>(
    rows: &mut [S],
    a: usize,
    b: usize,
    factor: S::Factor,
) {
    // SAFETY: the caller's promise.
    unsafe {
        if !FORWARD {
            rows[b] = rows[b].xor(rows[a]);
        }
        if !ZERO {
            rows[a] = rows[a].xor(S::mul::<SMALL>(rows[b].split(), factor));
        }
        if FORWARD {
            rows[b] = rows[b].xor(rows[a]);
        }
    }
}
