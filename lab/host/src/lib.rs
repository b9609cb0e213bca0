//! This machine: its processors, their clock, who shares their cores, and what disturbs a
//! run. Nothing here knows of studies, and nothing starts a process.
//!
//! - [`machine`]: what can be seen without privileges.
//! - [`pin`]: keeps a thread, and what it starts, on one processor.
//! - [`clock`]: cycles of the core in a nanosecond, by dependent additions.
//! - [`design`]: by what karat tells the design of the CPU.
//! - [`neighbours`]: whether somebody else uses the core, by independent ones.
//! - [`disturbance`]: time that was stolen, throttled or slept, and unusual switches.
//! - [`frames`]: new frames of memory for the files of programs.
//! - [`mapped`]: files as memory.
//! - [`memory`]: what the allocator keeps of memory that was freed.
//! - [`watched`]: memory, processor time and more of a process and its descendants.

pub mod clock;
pub mod design;
pub mod disturbance;
pub mod frames;
pub mod machine;
pub mod mapped;
pub mod memory;
pub mod neighbours;
pub mod pin;
pub mod watched;
