//! The code by which a square is extended.

use super::SquareError;
use alloc::string::{String, ToString};
use karat_erasure::{Code, Codec, Workspace};

/// A systematic erasure code of k data and k parity shares, any k of which give the
/// others. [`Leopard`] is Celestia's.
///
/// Bytes of a share go together in groups of 64, and groups have nothing to do with each
/// other: shares that lie end to end are coded as one long share. So columns are coded many
/// at a time, without copies.
pub trait Erasure {
    /// Makes the parity shares of `data`. Both are k shares of one length.
    ///
    /// # Errors
    /// Why it cannot.
    fn encode(&mut self, data: &[&[u8]], parity: &mut [&mut [u8]]) -> Result<(), String>;

    /// Makes the shares that are not `present`, from those that are: k or more of 2k.
    ///
    /// # Errors
    /// Why it cannot.
    fn reconstruct(&mut self, shares: &mut [&mut [u8]], present: &[bool]) -> Result<(), String>;
}

/// Celestia's code: Leopard over GF(2^8) up to k = 128, over GF(2^16) above
/// (rsmt2d, `leopard.go`). The code is karat-erasure's.
#[derive(Debug)]
pub struct Leopard {
    codec: Codec,
    workspace: Workspace,
}

impl Leopard {
    /// The code for squares with `k` shares on a side.
    ///
    /// # Errors
    /// [`SquareError::Side`] when the code has no such shape.
    pub fn new(k: usize) -> Result<Self, SquareError> {
        let code = if k <= 128 { Code::B } else { Code::C };
        let codec = Codec::new(code, k, k).map_err(|_| SquareError::Side { k })?;
        Ok(Self {
            codec,
            workspace: Workspace::new(),
        })
    }
}

impl Erasure for Leopard {
    fn encode(&mut self, data: &[&[u8]], parity: &mut [&mut [u8]]) -> Result<(), String> {
        (self.codec)
            .encode_with(&mut self.workspace, data, parity)
            .map_err(|error| error.to_string())
    }

    fn reconstruct(&mut self, shares: &mut [&mut [u8]], present: &[bool]) -> Result<(), String> {
        let plan = self.codec.plan(present);
        plan.and_then(|plan| plan.reconstruct_with(&mut self.workspace, shares))
            .map_err(|error| error.to_string())
    }
}
