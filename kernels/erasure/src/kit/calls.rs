//! The timed calls, in their own form: shards that begin at a cache line, as those of the
//! peer in C and of large allocations in Go do. Vectors of 64 bytes that cross lines cost
//! twice as much, whoever reads them.

use crate::{Code, Codec, Workspace};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use karat_kit::{Call, Input};

/// Bytes of a cache line.
const LINE: usize = 64;

/// A shard that begins at a cache line.
struct Shard {
    bytes: Vec<u8>,
    from: usize,
}

impl Shard {
    /// Memory for a shard. It is written here, because memory that is all zeros may be given
    /// by the system when it is first written: in a timed call then.
    fn new(length: usize) -> Self {
        let bytes = vec![0xff; length + LINE - 1];
        let from = bytes.as_ptr().addr().wrapping_neg() % LINE;
        let mut shard = Self { bytes, from };
        shard.bytes.truncate(from + length);
        shard
    }

    fn of(given: &[u8]) -> Self {
        let mut shard = Self::new(given.len());
        shard.as_mut().copy_from_slice(given);
        shard
    }
}

impl AsRef<[u8]> for Shard {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[self.from..]
    }
}

impl AsMut<[u8]> for Shard {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.from..]
    }
}

/// All shards, end to end.
fn join(shards: &[Shard], out: &mut [u8]) {
    for (shard, out) in shards.iter().zip(out.chunks_mut(shards[0].as_ref().len())) {
        out.copy_from_slice(shard.as_ref());
    }
}

/// Parity from data.
struct Encode {
    codec: Codec,
    workspace: Workspace,
    data: Vec<Shard>,
    parity: Vec<Shard>,
}

/// An input is the data shards; its first number is how many parity shards there are.
pub(super) fn encode(code: Code, input: &Input) -> Box<dyn Call> {
    let data: Vec<Shard> = input.each_item().map(Shard::of).collect();
    let parity = input.numbers[0] as usize;
    let length = data[0].as_ref().len();
    Box::new(Encode {
        codec: codec(code, data.len(), parity),
        workspace: Workspace::new(),
        parity: (0..parity).map(|_| Shard::new(length)).collect(),
        data,
    })
}

impl Call for Encode {
    fn call(&mut self) {
        let done = (self.codec).encode_with(&mut self.workspace, &self.data, &mut self.parity);
        assert!(done.is_ok(), "{done:?}");
    }

    fn result(&self, out: &mut [u8]) {
        join(&self.parity, out);
    }
}

/// The first data shards from all that is left; the plan is made anew in each call.
struct Reconstruct {
    codec: Codec,
    workspace: Workspace,
    shards: Vec<Shard>,
    present: Vec<bool>,
    lost: usize,
}

/// The same input. As many data shards are lost as can be, the first ones.
pub(super) fn reconstruct(code: Code, input: &Input) -> Box<dyn Call> {
    let mut shards: Vec<Shard> = input.each_item().map(Shard::of).collect();
    let (data, parity) = (shards.len(), input.numbers[0] as usize);
    let codec = codec(code, data, parity);
    let length = shards[0].as_ref().len();
    shards.extend((0..parity).map(|_| Shard::new(length)));
    let (given, made) = shards.split_at_mut(data);
    let done = codec.encode(given, made);
    assert!(done.is_ok(), "{done:?}");
    let lost = data.min(parity);
    for shard in &mut shards[..lost] {
        shard.as_mut().fill(0);
    }
    Box::new(Reconstruct {
        codec,
        workspace: Workspace::new(),
        present: (0..shards.len()).map(|i| i >= lost).collect(),
        shards,
        lost,
    })
}

impl Call for Reconstruct {
    fn call(&mut self) {
        let plan = self.codec.plan(&self.present);
        let done = plan.and_then(|p| p.reconstruct_with(&mut self.workspace, &mut self.shards));
        assert!(done.is_ok(), "{done:?}");
    }

    fn result(&self, out: &mut [u8]) {
        join(&self.shards[..self.lost], out);
    }
}

/// # Panics
/// When the code has no such shape.
pub(super) fn codec(code: Code, data: usize, parity: usize) -> Codec {
    Codec::new(code, data, parity).unwrap_or_else(|error| panic!("{error}"))
}
