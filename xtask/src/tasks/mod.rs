//! One file for each task, and what several of them need.

pub mod agreement;
pub mod bless;
pub mod book;
pub mod choices;
pub mod commands;
pub mod dist;
pub mod kernel_record;
mod layer_rules;
pub mod layers;
mod modules;
pub mod picture;
pub mod record;
pub mod release;
pub mod schema;
pub mod words;
