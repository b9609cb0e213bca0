//! The protocol of `slab`, by one thread. All orders of several are in `tests/it/loom.rs`,
//! which compiles `slab.rs` with other atomics, and so without these.

use crate::slab::{Free, Inbox};
use core::ptr;
extern crate std;
use std::vec::Vec;

fn taken(free: &Free<2>, from: usize, most: usize) -> Vec<usize> {
    let mut numbers = Vec::new();
    let count = free.take(from..2, most, |n| numbers.push(n));
    assert_eq!(count, numbers.len());
    numbers
}

#[test]
fn objects_are_taken_in_order_and_come_back_once() {
    let free = Free::<2>::new(70);
    assert_eq!(taken(&free, 0, 3), [0, 1, 2]);
    assert_eq!(taken(&free, 1, 100), [64, 65, 66, 67, 68, 69]);
    assert_eq!(free.free(), 61);
    assert!(!free.detach());
    assert_eq!(taken(&free, 0, 100).len(), 61);
    assert!(free.detach());
    assert_eq!(free.give(1, 0b11), Ok(()));
    assert_eq!(free.give(1, 0b110), Err(0b10));
    assert!(free.count(2));
    assert!(!free.count(68));
    assert_eq!(free.free(), 70);
}

#[test]
fn an_inbox_gives_each_slab_once() {
    let slabs = [Free::<2>::new(1), Free::new(1), Free::new(1)];
    let inbox = Inbox::new();
    let drained = || {
        let mut all = Vec::new();
        inbox.drain(|slab| all.push(slab.cast_const()));
        all
    };
    assert_eq!(drained(), []);
    slabs.iter().for_each(|slab| inbox.put(slab));
    let expected: Vec<_> = slabs.iter().rev().map(ptr::from_ref).collect();
    assert_eq!(drained(), expected);
    assert_eq!(drained(), []);
}
