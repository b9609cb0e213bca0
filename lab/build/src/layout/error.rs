//! Why there is no other layout.

use std::io;
use std::path::{Path, PathBuf};

/// Why a program cannot be had in another layout, or why a layout is refused.
#[derive(Debug, thiserror::Error)]
pub enum LayoutError {
    /// This build has no kit.
    #[error("there are no other layouts of {}: {why}", binary.display())]
    NoKit {
        /// The artifact.
        binary: PathBuf,
        /// Why not, and what to do.
        why: String,
    },
    /// The linker could not be started, or failed.
    #[error("linking layout {seed} again failed: {what}\n  command, in {}: {command}", dir.display())]
    Link {
        /// The layout.
        seed: u64,
        /// Folder of the kit.
        dir: PathBuf,
        /// The linker and its arguments.
        command: String,
        /// How it ended and what it said.
        what: String,
    },
    /// The images are not layouts of one program.
    #[error(
        "layouts {first} and {second} hold different code ({what}): they cannot be compared as \
         layouts of one program; build the variant again"
    )]
    DifferentCode {
        /// Seed of the first image.
        first: u64,
        /// Seed of the image that differs from it.
        second: u64,
        /// Functions by which they differ.
        what: String,
    },
    /// The images hold the same code at the same addresses.
    #[error(
        "{layouts} layouts moved {moved:.1} % of {code_bytes} bytes of code by their address \
         modulo 4096 ({hot}): nothing could be learnt from measuring them. Compile with a section \
         per function (-ffunction-sections), or link with LLD"
    )]
    NothingMoved {
        /// Images compared.
        layouts: usize,
        /// Percent of the code bytes that moved.
        moved: f64,
        /// Bytes of code in functions of known size.
        code_bytes: u64,
        /// What became of the hot functions.
        hot: String,
    },
    /// An image cannot be read as a program with symbols.
    #[error("layout {seed}: {what}")]
    Image {
        /// Its seed.
        seed: u64,
        /// Why not, and what to do.
        what: String,
    },
    /// The stack cannot be placed by the environment.
    #[error("the stack cannot be moved by the environment: {0}")]
    Environment(String),
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The user interrupted it.
    #[error("interrupted")]
    Interrupted,
}

impl LayoutError {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }
}
