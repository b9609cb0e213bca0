//! Celestia's extended data square: shares in a square, extended by an erasure code in
//! both directions, with a tree over each row and column.
//!
//! A square of k · k shares becomes one of 2k · 2k: the rows are extended, then all
//! columns. Every row and column of it is a codeword: any k of its shares give the others.
//! Its tree has shares as leaves, a share of the original square under its own namespace
//! (its first 29 bytes), every other under [`PARITY`]. The roots of all rows and columns
//! are the [`Roots`], and the Merkle root over these is the block's data root.
//!
//! ```
//! use karat_nmt::eds::{Axis, Leopard, Square};
//!
//! let mut share = [7; 64];
//! share[0] = 0;
//! let square = Square::extend(&share.repeat(4), 2, &mut Leopard::new(2)?)?;
//! let roots = square.roots()?;
//! println!("{:02x?}", roots.data_root());
//! let sample = square.sample(3, 1, Axis::Row)?;
//! sample.verify(&roots)?;
//!
//! // From a quarter of the shares, all others.
//! let mut partial = square.partial();
//! (0..2).for_each(|row| (0..2).for_each(|column| partial.lose(row, column)));
//! assert_eq!(partial.repair(&roots, &mut Leopard::new(2)?)?, square);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! Sources: the Celestia specifications, "Data structures"
//! (celestiaorg.github.io/celestia-app/data_structures.html), and "Fraud and data
//! availability proofs" by Al-Bassam, Sonnino and Buterin (arXiv:1809.09044).

mod axis;
mod by_rows;
mod erasure;
mod error;
mod fraud;
mod partial;
mod repair;
mod roots;
mod row;
mod sample;
mod square;
mod trees;

pub use axis::Axis;
pub use erasure::{Erasure, Leopard};
pub use error::{RepairError, SquareError};
pub use fraud::{BadEncoding, NotShown};
pub use partial::Partial;
pub use roots::{Roots, verify_root};
pub use sample::Sample;
pub use square::Square;

/// Bytes in a namespace of a square.
pub const NAMESPACE: usize = 29;

/// The namespace of all shares that an erasure code has made: the largest one.
pub const PARITY: [u8; NAMESPACE] = [0xff; NAMESPACE];

/// Most shares on a side of the original square: the codes end there.
pub const MOST: usize = 1 << 15;
