//! Packages: bytes in, the files in them out, one after the other.
//!
//! [`read`] opens what it finds by content, not by name: zip (wheels, conda, jar, NuGet),
//! tar, Debian's `ar`, RPM with its cpio archive, and what gzip, bzip2, xz or zstd
//! compressed; archives inside of archives too. It keeps to [`Limits`], writes nothing and
//! starts nothing. A name in a package is text and no path: [`safe_path`] says whether it
//! may become one.

#![forbid(unsafe_code)]

mod compressed;
mod cpio;
mod error;
mod kind;
mod limits;
mod names;
mod reader;
mod rpm;

pub use error::PackageError;
pub use kind::{HEAD, is_package};
pub use limits::Limits;
pub use names::safe_path;
pub use reader::{Member, Seen, read};
