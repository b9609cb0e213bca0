//! One self-contained page: nothing is loaded, and everything can be read without
//! the script, which only sorts tables.

mod map;
mod page;
pub mod table;

pub use page::render;
