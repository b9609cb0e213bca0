//! The additive fast Fourier transform (Lin, Al-Naffouri, Han and Chung 2016, as in
//! [`crate::field`]).
//!
//! The constant of a butterfly at layer i is the value of the i-th normalised subspace
//! polynomial at the point at which its block begins; at point 0 that is 0. Point j is the
//! element with coordinates j. In a Cantor basis the value is j >> i.
//!
//! Two layers are done at once: four rows are read, four butterflies done, four written.
//! With 32 registers it is three: eight rows and twelve butterflies, which saves a third of the
//! loads and stores. Zen 4 stores 32 bytes a cycle, so these were the limit. The first pass
//! reads shards and the last one writes them, so that nothing is only copied.

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
    let (mut layer, mut passes) = (0, passes::<S>(layers));
    // SAFETY: the caller's promise.
    unsafe {
        while passes > 0 {
            let depth = (layers - layer).div_ceil(passes);
            let adds = passes == 1 && !job.sum.is_null();
            if enters && layer == 0 {
                // The first pass leaves out what is behind the last shard's group.
                let read = job.used.next_multiple_of(1 << depth);
                let behind = job.rows.add(read * job.stride);
                ptr::write_bytes(behind, 0, (job.count - read) * job.stride);
            }
            match (enters && layer == 0, adds) {
                (false, false) => pass::<S, false, 0>(job, layer, depth),
                (true, false) => pass::<S, false, ENTER>(job, layer, depth),
                (false, true) => pass::<S, false, ADD>(job, layer, depth),
                (true, true) => pass::<S, false, { ENTER | ADD }>(job, layer, depth),
            }
            layer += depth;
            passes -= 1;
        }
    }
}

/// Passes for so many layers: as few as can be, of about as many layers each. There is one
/// where there is no layer, since it may read or write shards.
#[inline(always)]
fn passes<S: Symbols>(layers: u32) -> u32 {
    layers.div_ceil(S::LAYERS).max(1)
}

/// Coefficients to values.
///
/// # Safety
/// As [`Transform`] says, and the CPU must have the ISA of `S`.
#[inline(always)]
pub(crate) unsafe fn forward<S: Symbols>(job: &Transform) {
    let mut layer = job.count.trailing_zeros();
    let mut passes = passes::<S>(layer);
    // SAFETY: the caller's promise.
    unsafe {
        while passes > 0 {
            let depth = layer.div_ceil(passes);
            layer -= depth;
            passes -= 1;
            if passes == 0 && !job.outputs.is_null() {
                pass::<S, true, LEAVE>(job, layer, depth);
            } else {
                pass::<S, true, 0>(job, layer, depth);
            }
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

/// `depth` layers from `layer` on.
#[inline(always)]
unsafe fn pass<S: Symbols, const FORWARD: bool, const MODE: u8>(
    job: &Transform,
    layer: u32,
    depth: u32,
) {
    // Whether all constants of these layers are in the subfield.
    let largest = (job.point + job.count - 1) >> layer;
    let small = S::SUBFIELD == 0 || largest < usize::from(S::SUBFIELD);
    // SAFETY: the caller's promise.
    unsafe {
        match (depth, small) {
            (0, _) => groups::<S, FORWARD, MODE, true, 1>(job, layer),
            (1, true) => groups::<S, FORWARD, MODE, true, 2>(job, layer),
            (1, false) => groups::<S, FORWARD, MODE, false, 2>(job, layer),
            (3, true) if S::LAYERS == 3 => groups::<S, FORWARD, MODE, true, 8>(job, layer),
            (3, false) if S::LAYERS == 3 => groups::<S, FORWARD, MODE, false, 8>(job, layer),
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
            let mut factors = [factor(0); FACTORS];
            let (mut first, mut depth) = (0, 0);
            while 2 << depth <= ROWS {
                for k in 0..ROWS >> (depth + 1) {
                    let point = point + ((2 * k * distance) << depth);
                    factors[first + k] = factor(constant(point, layer + depth));
                }
                first += ROWS >> (depth + 1);
                depth += 1;
            }
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

/// Most factors of a group: of eight rows four, two and one by layer.
const FACTORS: usize = 7;

/// One, two, four or eight rows. With `FIRST` each layer's first factor is 0.
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
    factors: [S::Factor; FACTORS],
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
            if FORWARD {
                layer::<S, true, SMALL, FIRST, ROWS, 4>(&mut v, factors);
                layer::<S, true, SMALL, FIRST, ROWS, 2>(&mut v, factors);
                layer::<S, true, SMALL, FIRST, ROWS, 1>(&mut v, factors);
            } else {
                layer::<S, false, SMALL, FIRST, ROWS, 1>(&mut v, factors);
                layer::<S, false, SMALL, FIRST, ROWS, 2>(&mut v, factors);
                layer::<S, false, SMALL, FIRST, ROWS, 4>(&mut v, factors);
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

/// The layer of a group whose rows are `DISTANCE` apart, if it has that one.
#[inline(always)]
unsafe fn layer<
    S: Symbols,
    const FORWARD: bool,
    const SMALL: bool,
    const FIRST: bool,
    const ROWS: usize,
    const DISTANCE: usize,
>(
    v: &mut [S; ROWS],
    factors: [S::Factor; FACTORS],
) {
    // Those of the layers before.
    let first = ROWS - ROWS / DISTANCE;
    for k in 0..ROWS / (2 * DISTANCE) {
        for a in 2 * DISTANCE * k..2 * DISTANCE * k + DISTANCE {
            let zero = FIRST && k == 0;
            // SAFETY: the caller's promise.
            unsafe {
                butterfly::<S, FORWARD, SMALL>(v, a, a + DISTANCE, factors[first + k], zero);
            }
        }
    }
}

/// Two rows of a layer: forward a + c*b and that plus b, otherwise back. With `zero` the
/// factor is 0.
#[inline(always)]
unsafe fn butterfly<S: Symbols, const FORWARD: bool, const SMALL: bool>(
    rows: &mut [S],
    a: usize,
    b: usize,
    factor: S::Factor,
    zero: bool,
) {
    // SAFETY: the caller's promise.
    unsafe {
        if !FORWARD {
            rows[b] = rows[b].xor(rows[a]);
        }
        if !zero {
            rows[a] = rows[a].xor(S::mul::<SMALL>(rows[b].split(), factor));
        }
        if FORWARD {
            rows[b] = rows[b].xor(rows[a]);
        }
    }
}
