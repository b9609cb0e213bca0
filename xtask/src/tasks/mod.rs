//! One file for each task.

pub mod bless;
pub mod choices;
pub mod ci;
pub mod kernel_record;
pub mod layers;
pub mod record;
pub mod schema;
pub mod words;
