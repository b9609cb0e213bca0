//! Gate functions: whether the assembly has them, where they are asked, and which
//! branch decides whether they are; and what must be watched to see whether a run asks
//! them, whether it reaches kernels, and which functions it enters at all.
//!
//! This is what one has to know before a gate is made constant. A gate that is
//! called at nineteen places, all of them behind a branch on another flag that is
//! off, costs nothing, and to remove it changes only the layout.

mod bodies;
mod condition;
mod functions;
mod kernels;
mod report;

pub use functions::{FunctionSites, function_sites};
pub use kernels::{KernelSite, kernel_sites};
pub use report::{GateSites, gate_sites, gates};
