//! What is known of the CPU where a place of a routine is reached: which features the
//! answers that were asked for on the way imply.
//!
//! A forward analysis as that of [`reading`](super::reading), but of values instead of
//! where they come from. A value is a few alternatives, constants mostly, each with the
//! features that hold when it is that one; a word of CPUID is one by its bits. A branch
//! keeps the alternatives that fit it, and what these imply is known behind it. Where
//! paths meet, only what all of them know stays known. So a level that is counted up, a
//! flag that another flag vetoes, an index into a table and a pointer that was chosen
//! are all the same thing.
//!
//! Variables hold what the whole file stores in them, whatever the order: what a CPU
//! has it does not lose.

mod again;
mod arithmetic;
mod behind;
mod bits;
mod bounds;
pub mod builtin;
pub mod by_place;
mod calls;
mod compare;
mod edges;
mod exchange;
pub mod features;
mod go_flags;
mod ia32cap;
mod idle;
pub mod indexed;
mod indicator;
mod jumped;
mod kept;
pub mod known;
mod loads;
pub mod members;
mod memory;
mod notes;
mod objects;
pub mod oracle;
mod places;
mod plain;
mod reads;
mod records;
mod registers;
pub mod routine;
mod scattered;
mod shared;
mod state;
mod step;
mod strings;
mod suppose;
pub mod systems;
mod tables;
mod taking;
mod through;
pub mod value;
mod vectors;
pub mod vouched;
pub mod words;

pub use calls::{is_told, translate};
pub use features::Facts;
pub use kept::Kept;
pub use suppose::{Element, Picks};
