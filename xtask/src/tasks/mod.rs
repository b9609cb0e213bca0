//! One file for each task.

pub mod bless;
pub mod ci;
pub mod commands;
pub mod layers;
pub mod picture;
pub mod record;
pub mod schema;
pub mod words;
