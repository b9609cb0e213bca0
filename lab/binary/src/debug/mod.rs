//! Debug information, a unit at a time: lines, inlined functions, and which other files it is in.

pub mod debug_file;
pub mod dwarf;
pub mod inlines;
pub mod lines;
pub mod owner;
pub mod places;
pub mod producers;
