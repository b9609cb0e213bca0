//! Debug information, a unit at a time: lines, inlined functions, and which other files it is in.

pub(crate) mod debug_file;
pub(crate) mod dwarf;
pub(crate) mod inlines;
pub(crate) mod lines;
