//! The native half of the Python package `karat`; `python/karat` is the other.
//!
//! Buffers are read where they are, whatever object they belong to (`buffer.rs`). The GIL
//! is released while more than a few microseconds of work are done.
mod bigint;
mod buffer;
mod constructors;
mod digests;
mod erasure;
mod errors;
mod hash;
#[cfg(feature = "lab")]
mod lab;
mod lthash;
mod mac;
mod nmt;
mod number;
mod square;
mod vdf;

use pyo3::prelude::*;

/// All that Python names; the package sorts it into modules.
// Nothing here relies on the GIL: what changes is behind a mutex.
#[pymodule(gil_used = false)]
fn _karat(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    constructors::add(module)?;
    digests::add(module)?;
    mac::add(module)?;
    lthash::add(module)?;
    nmt::add(module)?;
    square::add(module)?;
    erasure::add(module)?;
    vdf::add(module)?;
    bigint::add(module)?;
    #[cfg(feature = "lab")]
    lab::add(module)?;
    Ok(())
}

/// Python's memory is aligned to 16 bytes: what needs more is boxed.
const _: () = {
    assert!(align_of::<hash::Hash>() <= 16);
    assert!(align_of::<lthash::LtHash>() <= 16);
    assert!(align_of::<nmt::Tree>() <= 16);
    assert!(align_of::<nmt::Proof>() <= 16);
    assert!(align_of::<square::Square>() <= 16);
    assert!(align_of::<erasure::Codec>() <= 16);
};
