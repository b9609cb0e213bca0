//! The timed calls, in their own form: shards as vectors.

use crate::{Code, Codec, Workspace};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use karat_kit::{Call, Input};

/// Parity from data.
struct Encode {
    codec: Codec,
    workspace: Workspace,
    data: Vec<Vec<u8>>,
    parity: Vec<Vec<u8>>,
}

/// An input is the data shards; its first number is how many parity shards there are.
pub(super) fn encode(code: Code, input: &Input) -> Box<dyn Call> {
    let data: Vec<Vec<u8>> = input.each_item().map(<[u8]>::to_vec).collect();
    let parity = input.numbers[0] as usize;
    Box::new(Encode {
        codec: codec(code, data.len(), parity),
        workspace: Workspace::new(),
        parity: vec![vec![0; data[0].len()]; parity],
        data,
    })
}

impl Call for Encode {
    fn call(&mut self) {
        let done = (self.codec).encode_with(&mut self.workspace, &self.data, &mut self.parity);
        assert!(done.is_ok(), "{done:?}");
    }

    fn result(&self, out: &mut [u8]) {
        out.copy_from_slice(&self.parity.concat());
    }
}

/// The first data shards from all that is left; the plan is made anew in each call.
struct Reconstruct {
    codec: Codec,
    workspace: Workspace,
    shards: Vec<Vec<u8>>,
    present: Vec<bool>,
    lost: usize,
}

/// The same input. As many data shards are lost as can be, the first ones.
pub(super) fn reconstruct(code: Code, input: &Input) -> Box<dyn Call> {
    let mut shards: Vec<Vec<u8>> = input.each_item().map(<[u8]>::to_vec).collect();
    let (data, parity) = (shards.len(), input.numbers[0] as usize);
    let codec = codec(code, data, parity);
    shards.resize(data + parity, vec![0; shards[0].len()]);
    let (given, made) = shards.split_at_mut(data);
    let done = codec.encode(given, made);
    assert!(done.is_ok(), "{done:?}");
    let lost = data.min(parity);
    for shard in &mut shards[..lost] {
        shard.fill(0);
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
        out.copy_from_slice(&self.shards[..self.lost].concat());
    }
}

/// # Panics
/// When the code has no such shape.
pub(super) fn codec(code: Code, data: usize, parity: usize) -> Codec {
    Codec::new(code, data, parity).unwrap_or_else(|error| panic!("{error}"))
}
