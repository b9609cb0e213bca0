//! The same machine code at other addresses.
//!
//! Where the linker happens to put a function can change its speed by more than
//! most changes to its code do (T. Mytkowicz et al., "Producing Wrong Data
//! Without Doing Anything Obviously Wrong!", ASPLOS 2009). A difference that
//! is to be trusted must hold over several *layouts* of both programs.
//!
//! While a variant is built, karat stands in for the linker (`stand_in.rs`): it
//! notes the link, keeps what would vanish (`record.rs`), and becomes the real
//! linker, so the build gets what it would have got. From the notes a [`Kit`]
//! is made beside the artifact, and [`Kit::link`] links again with the code's
//! sections in another order and with gaps between them: by options of LLD
//! (`linker.rs`), by a script for GNU ld (`script.rs`). Only code is moved; the
//! order of constructors, of data and of linker sets stays. All layouts come
//! from the linker that made the artifact. [`moved`] then checks that they hold
//! the same functions and that these really lie elsewhere.
//!
//! A program that exists already has one link only. For it [`Environment`] moves
//! the stack instead.

mod args;
mod environment;
mod error;
mod kit;
mod linker;
mod moved;
mod pads;
mod record;
mod script;
mod stand_in;

pub use environment::{Environment, StackMoved, probe_if_asked, randomised, verify_environment};
pub use error::LayoutError;
pub use kit::{Kit, Method};
pub use moved::{HotFunction, Moved, moved};
pub use stand_in::become_linker_if_asked;

pub(crate) use kit::make;
pub(crate) use stand_in::StandIn;
