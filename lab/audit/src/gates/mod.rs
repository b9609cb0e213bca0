//! Gate functions: whether the assembly has them, where they are asked, and which
//! branch decides whether they are.
//!
//! This is what one has to know before a gate is made constant. A gate that is
//! called at nineteen places, all of them behind a branch on another flag that is
//! off, costs nothing, and to remove it changes only the layout.

mod condition;
mod report;

pub use report::gates;
