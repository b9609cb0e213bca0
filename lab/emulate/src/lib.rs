//! A command is run by QEMU's user emulation on a CPU that has what a baseline names and
//! nothing more (of AArch64: as little more as QEMU has); if an instruction ends it with
//! SIGILL, that instruction is found.
//!
//! Where it died is read from QEMU's own log of system calls (`-d strace,page`): the line
//! of the signal has the address, the lines of `openat` and `mmap` which file lay there,
//! and the layout of pages where the program itself was put. QEMU's other ways know less:
//! its stub for debuggers stops following at the first `fork`, and its core dumps name no
//! files. A process that is forked stays in the emulator and in the log. A program that is
//! *executed* leaves it and runs on this machine's CPU; the log says which.

#![forbid(unsafe_code)]

mod arm;
mod cpu;
mod error;
mod log;
mod machine;
mod place;
mod program;
mod root;
mod run;
mod wheel;

pub use arm::MODELS as ARM_MODELS;
pub use error::TryError;
pub use run::{PATIENCE, Request, try_command};
pub use wheel::{imports, interpreter};
