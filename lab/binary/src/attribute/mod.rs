//! Whose code an address is: expected function, crate, source line, or name.

pub mod attribution;
pub mod by_name;
pub mod expected;
pub mod target;

pub(crate) mod intrinsics;
