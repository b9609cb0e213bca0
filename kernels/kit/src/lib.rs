#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

extern crate alloc;

mod check;
mod input;
mod peer;
mod random;
mod restore;
mod run;
mod suite;
mod task;

pub use check::{Answer, Check};
pub use input::Input;
pub use peer::Peer;
pub use random::Random;
pub use restore::Choices;
pub use run::{Against, Checked, Mismatch, Outcome};
pub use suite::{Mistake, Suite};
pub use task::{Body, Call, Size, Task, Threads, Unit, Work};
