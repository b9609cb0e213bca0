//! Names, options, and that all ways to a digest lead to the same one.

mod agree;
mod refused;
