//! Parity that follows data shards one by one.

use super::{Codec, check};
use crate::{Error, Shards, Workspace};
use alloc::vec;
use alloc::vec::Vec;

/// Parity shards that are made while data shards come, in any order. Nothing else of a
/// shard is kept.
///
/// ```
/// use karat_erasure::{Code, Codec};
///
/// let codec = Codec::new(Code::D, 2, 1)?;
/// let (mut incremental, mut parity) = (codec.incremental(), [[0; 4]; 1]);
/// incremental.add(1, b"last", &mut parity)?;
/// incremental.add(0, b"frst", &mut parity)?;
/// assert!(incremental.is_complete());
/// assert_eq!(codec.verify(&[b"frst", b"last"], &parity), Ok(true));
/// # Ok::<(), karat_erasure::Error>(())
/// ```
#[derive(Debug)]
pub struct Incremental<'a> {
    codec: &'a Codec,
    seen: Vec<bool>,
    missing: usize,
    workspace: Workspace,
}

impl Codec {
    /// Begins to make parity shards from data shards that come one by one.
    #[must_use]
    pub fn incremental(&self) -> Incremental<'_> {
        Incremental {
            codec: self,
            seen: vec![false; self.data()],
            missing: self.data(),
            workspace: Workspace::new(),
        }
    }

    /// Changes parity shards as the change of data shard `index` from `old` to `new` wants.
    ///
    /// # Errors
    /// When the codec has no such data shard or not as many parity shards, or as
    /// [`Codec::encode`] when lengths are wrong.
    pub fn update<P: AsMut<[u8]>>(
        &self,
        index: usize,
        old: &[u8],
        new: &[u8],
        parity: &mut [P],
    ) -> Result<(), Error> {
        self.add_to(&mut Workspace::new(), index, &[old, new], parity)
    }

    /// Adds what the sum of `inputs` in place of data shard `index` is in parity shards.
    fn add_to<P: AsMut<[u8]>>(
        &self,
        workspace: &mut Workspace,
        index: usize,
        inputs: &[&[u8]],
        parity: &mut [P],
    ) -> Result<(), Error> {
        if index >= self.data() {
            return Err(Error::Unknown {
                index,
                count: self.data(),
            });
        }
        check::count(Shards::Parity, self.parity(), parity.len())?;
        let given = inputs.iter().map(|input| (index, input.len()));
        let held = parity.iter_mut().map(|p| p.as_mut().len());
        let held = held
            .enumerate()
            .map(|(p, length)| (self.data() + p, length));
        let length = check::length(self.code, given.chain(held))?;
        let outputs = parity.iter_mut().map(|p| p.as_mut().as_mut_ptr());
        let shards = inputs.iter().map(|input| input.as_ptr());
        workspace.lists.fill(shards, outputs);
        let constants = self.column(index).repeat(inputs.len());
        self.combine_lists(workspace, length, &constants, true);
        Ok(())
    }
}

impl Incremental<'_> {
    /// Adds data shard `index`. At the first one `parity` must hold zeros, and later what
    /// the call before left.
    ///
    /// # Errors
    /// [`Error::Duplicate`] when the shard has been added; otherwise as [`Codec::update`].
    pub fn add<P: AsMut<[u8]>>(
        &mut self,
        index: usize,
        data: &[u8],
        parity: &mut [P],
    ) -> Result<(), Error> {
        if self.seen.get(index) == Some(&true) {
            return Err(Error::Duplicate { index });
        }
        self.codec
            .add_to(&mut self.workspace, index, &[data], parity)?;
        self.seen[index] = true;
        self.missing -= 1;
        Ok(())
    }

    /// Whether all data shards have been added, so that the parity is that of all.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.missing == 0
    }
}
