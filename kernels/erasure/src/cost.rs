//! What the ways to compute something cost: the model by which one is chosen.
//!
//! The unit is one product in a sum of products, of one vector. What a vector costs is much
//! the same in all implementations, because products take most of the time and all of them
//! slow down together.

use crate::Code;

/// A butterfly beside a product in a sum. It reads and writes its rows, and has two
/// additions. In code C nearly all of its constants are in the subfield.
const fn butterfly(code: Code) -> u64 {
    match code {
        Code::C => 3,
        Code::A | Code::B | Code::D => 4,
    }
}

/// The unit, so that halves of it can be told.
const PRODUCT: u64 = 2;

/// A row that is copied or added.
const COPY: u64 = 1;

/// Sums of products: each of `outputs` of each of `inputs`.
pub(crate) const fn combine(inputs: usize, outputs: usize) -> u64 {
    inputs as u64 * outputs as u64 * PRODUCT
}

/// The transform of so many rows, one way.
pub(crate) const fn transform(code: Code, rows: usize) -> u64 {
    rows as u64 / 2 * rows.trailing_zeros() as u64 * butterfly(code)
}

/// All parity rows of code B or C.
pub(crate) const fn encode_high(code: Code, data: usize, parity: usize) -> u64 {
    let rows = parity.next_power_of_two();
    let chunks = data.div_ceil(rows) as u64;
    (chunks + 1) * transform(code, rows) + (data + 2 * rows) as u64 * COPY
}

/// All parity rows of code A or D with a power of two of data shards.
pub(crate) const fn encode_low(code: Code, data: usize, parity: usize) -> u64 {
    // Layers of which only the beginning is wanted are cheap.
    let wanted = parity.next_power_of_two();
    let forward = match parity <= data {
        true => transform(code, wanted) + (data - wanted) as u64 * butterfly(code),
        false => parity.div_ceil(data) as u64 * (transform(code, data) + data as u64 * COPY),
    };
    let scale = match code {
        Code::D => (data + parity) as u64 * 2 * PRODUCT,
        Code::A | Code::B | Code::C => 0,
    };
    transform(code, data) + forward + scale + (data + parity) as u64 * COPY
}

/// All data rows from a block of as many rows of parity.
pub(crate) const fn turned(code: Code, rows: usize) -> u64 {
    2 * transform(code, rows) + 2 * rows as u64 * COPY
}

/// All lost rows by a transform of all rows.
pub(crate) const fn decode(code: Code, rows: usize) -> u64 {
    let derivative = rows as u64 / 2 * rows.trailing_zeros() as u64 * COPY;
    2 * transform(code, rows) + derivative + rows as u64 * 2 * PRODUCT
}
