//! Studies as people write them, right and wrong.

mod catalogue;
mod diagnostics;
mod mutations;
mod names;
mod reference;
mod repository;
mod valid;
mod write;
