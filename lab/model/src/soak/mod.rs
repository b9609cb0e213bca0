//! A soak: one program watched for a long time. What was seen of it, sample by sample
//! ([`sample`]) and epoch by epoch, what is said of that ([`document`]), the limits that it
//! is held against ([`budget`]), and two of them side by side ([`pair`]).

mod bounded;
pub mod budget;
pub mod document;
pub mod floor;
pub mod pair;
pub mod sample;

pub use bounded::Bounded;
pub use budget::{Budget, BudgetKind, BudgetOutcome, Held};
pub use document::{
    Change, Epoch, Figure, Levels, SCHEMA, Soak, SoakMode, SoakPlan, Surroundings, SystemCalls,
    Tails,
};
pub use floor::{Floor, Rates};
pub use pair::{Contrast, Difference, PAIR_SCHEMA, SoakPair};
pub use sample::{Latencies, Memory, Point, Reading, SoakSample};
