//! Whose code an address is: function, crate, source line, or name.

pub(crate) mod attribution;
pub(crate) mod by_name;
pub(crate) mod charge;
pub(crate) mod names;
pub(crate) mod owner;
pub(crate) mod span;
