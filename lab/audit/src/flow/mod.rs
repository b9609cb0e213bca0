//! What is known of registers, stack and variables at each place of a routine: control-flow
//! graphs and a forward analysis of where CPUID's answers go. [`leaks`](mod@crate::leaks) and
//! [`gates`](mod@crate::gates) ask it.

pub(crate) mod baseline;
pub(crate) mod branches;
pub(crate) mod calls;
pub(crate) mod cells;
pub(crate) mod graph;
pub(crate) mod guard;
pub(crate) mod load;
pub(crate) mod operands;
pub(crate) mod program;
pub(crate) mod reading;
pub(crate) mod state;
pub(crate) mod sweep;
pub(crate) mod walk;
