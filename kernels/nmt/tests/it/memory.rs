//! What trees and squares allocate, counted byte by byte.

use crate::support::Rng;
use karat_nmt::eds::{Leopard, Square};
use karat_nmt::{Builder, Format, Sha256, Tree};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Bytes that this thread has, and the most that it had.
    static NOW: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// The system's allocator, which counts by thread.
struct Counting;

fn count(bytes: isize) {
    // At a thread's end its cells may be gone.
    let _ = NOW.try_with(|now| {
        now.set(now.get() + bytes);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(now.get())));
    });
}

// SAFETY: all is done by the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) };
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What `work` gives, the most bytes that were allocated in it beyond those before, and how many
/// of them are still.
fn allocated<T>(work: impl FnOnce() -> T) -> (T, usize, usize) {
    let before = NOW.get();
    PEAK.set(before);
    let result = work();
    let of = |bytes: isize| usize::try_from(bytes - before).unwrap_or(0);
    (result, of(PEAK.get()), of(NOW.get()))
}

/// Bytes that a builder has besides nodes: slots for leaves and nodes, and lists.
const BESIDES: usize = 16 << 10;

/// A tree is the digests of its nodes, and a namespace for each leaf: little more than the nodes
/// of its leaves, which have a namespace twice.
#[test]
#[cfg_attr(miri, ignore = "slow")]
fn a_tree_takes_little_more_than_its_leaf_nodes_while_it_is_built() {
    let node = Format::CELESTIA.node_len::<Sha256>();
    for leaves in [1 << 10, 1_000_000, 1 << 20] {
        let (tree, peak, kept) = allocated(|| {
            let mut builder: Builder = Builder::with_capacity(Format::CELESTIA, leaves);
            let mut namespace = [0; 29];
            for index in 0..leaves {
                namespace[21..].copy_from_slice(&(index as u64 / 4).to_be_bytes());
                builder.push(&namespace, &[7; 32]).unwrap();
            }
            let tree: Tree = builder.finish();
            tree
        });
        let ratio = peak as f64 / (leaves * node) as f64;
        println!("{leaves} leaves: {peak} bytes at most, {ratio:.5} times the leaf nodes");
        assert_eq!(tree.len(), leaves);
        let all = leaves * (29 + 2 * 32);
        assert!(peak <= all + BESIDES, "{leaves}: {peak}");
        // The root, and the list of levels.
        assert!(kept <= all + 1024, "{leaves}: {kept}");
    }
}

/// Beside the square there is a part of it: rows that are worked on, their nodes, and a line of
/// nodes for each group of rows.
#[test]
#[cfg_attr(miri, ignore = "slow")]
fn a_square_is_extended_and_repaired_in_little_more_than_itself() {
    let k = 64;
    let mut shares = Rng(3).bytes(k * k * 512);
    for (index, share) in shares.chunks_exact_mut(512).enumerate() {
        share[..29].fill(0);
        share[21..29].copy_from_slice(&(index as u64).to_be_bytes());
    }
    let mut code = Leopard::new(k).unwrap();
    let mut square = Square::extend(&shares, k, &mut code).unwrap();
    let all = square.bytes().len();
    let (roots, extended, _) =
        allocated(|| square.extend_with_roots(&shares, k, &mut code).unwrap());
    let mut partial = square.partial();
    for row in 0..2 * k {
        let lost = if row < k { 2 * k } else { k };
        (0..lost).for_each(|column| partial.lose(row, column));
    }
    let (repaired, repair, _) = allocated(|| partial.repair_in_place(&roots, &mut code));
    assert_eq!(repaired, Ok(()));
    println!("a square of {all} bytes: {extended} more to extend it, {repair} to repair it");
    assert!(
        extended < all / 8 && repair < all / 8,
        "{extended} {repair}"
    );
}
