//! Why there was no run.

use std::io;
use std::path::PathBuf;

/// Why there was no run.
#[derive(Debug, thiserror::Error)]
pub enum TryError {
    /// No emulator.
    #[error(
        "{emulator}, which runs a program on another CPU, is not installed; on Debian and \
         Ubuntu: apt install qemu-user"
    )]
    NoQemu {
        /// Its name.
        emulator: &'static str,
    },
    /// No CPU has that.
    #[error("QEMU does not execute {what}: run the command on a machine that has it instead")]
    NoSuchCpu {
        /// What was asked for.
        what: String,
    },
    /// There is nothing to run.
    #[error("there is no command: write it behind `--`, as in `--try -- ./program --version`")]
    NoCommand,
    /// There is no such program.
    #[error("`{name}` is not there or cannot be executed")]
    NotFound {
        /// As it was given.
        name: String,
    },
    /// The emulator runs other programs.
    #[error("{} is neither an ELF {machine} program nor a script", path.display())]
    NoProgram {
        /// The file.
        path: PathBuf,
        /// What programs are for that are run.
        machine: &'static str,
    },
    /// The baseline is of another architecture than the program.
    #[error(
        "{} is a program for {own}, and --isa names a baseline of {asked}; programs of another \
         system are looked for below the folder that QEMU_LD_PREFIX names",
        path.display()
    )]
    OtherMachine {
        /// The program.
        path: PathBuf,
        /// What it is for.
        own: &'static str,
        /// What the baseline is of.
        asked: &'static str,
    },
    /// Nothing loads the program's libraries.
    #[error(
        "{} needs {}, the loader of its system, and it is not on this machine; on Debian and \
         Ubuntu: apt install libc6-arm64-cross, or name a folder that has the files of such a \
         system in QEMU_LD_PREFIX",
        path.display(),
        loader.display()
    )]
    NoLoader {
        /// The program.
        path: PathBuf,
        /// What loads it.
        loader: PathBuf,
    },
    /// The system refuses.
    #[error("{what}: {error}")]
    Start {
        /// What was started or read.
        what: String,
        /// What the system says.
        error: io::Error,
    },
    /// QEMU refuses.
    #[error("QEMU does not run it: {said}")]
    Refused {
        /// What it says.
        said: String,
    },
    /// The user wanted to stop.
    #[error("interrupted")]
    Interrupted,
}
