//! Calls with a workspace that is kept allocate nothing.

use crate::support::{Rng, all};
use karat_erasure::{Code, Codec, Workspace};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, which counts what this thread asks for.
struct Counting;

// SAFETY: all is done by the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) };
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
#[cfg_attr(miri, ignore = "slow")]
fn a_kept_workspace_is_enough() {
    // Every way to encode and to reconstruct.
    for (code, k, m, lost) in [
        (Code::A, 10, 4, 4),
        (Code::A, 64, 32, 32),
        (Code::B, 64, 32, 3),
        (Code::B, 128, 128, 128),
        (Code::C, 64, 32, 10),
        (Code::D, 12, 12, 5),
    ] {
        let codec = Codec::new(code, k, m).unwrap();
        let mut shards = all(&codec, &Rng(1).shards(k, 514));
        let present: Vec<bool> = (0..k + m).map(|i| i >= lost).collect();
        let plan = codec.plan(&present).unwrap();
        let mut workspace = Workspace::new();
        let mut rounds = || {
            let (data, parity) = shards.split_at_mut(k);
            codec.encode_with(&mut workspace, data, parity).unwrap();
            codec.verify_with(&mut workspace, data, parity).unwrap();
            plan.reconstruct_with(&mut workspace, &mut shards).unwrap();
        };
        rounds();
        let before = COUNT.get();
        rounds();
        assert_eq!(COUNT.get(), before, "{code} {k}+{m}");
    }
}
