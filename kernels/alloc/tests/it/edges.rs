//! Sizes and alignments at their edges.

use crate::support::Block;
use karat_alloc::{KaratAlloc, c};
use std::alloc::{GlobalAlloc, Layout};

fn errno() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap()
}

#[test]
fn alignments_up_to_a_gibibyte() {
    for shift in 0..=30 {
        for bytes in [0, 1, 17, 1000, 4096, 70_000, 40 << 20] {
            if bytes > 1 << 20 && shift % 5 != 0 {
                continue; // Writing to so many pages takes long.
            }
            let first = Block::new(bytes, 1 << shift);
            let second = Block::new(bytes, 1 << shift);
            drop(first);
            drop(second);
        }
    }
}

#[test]
fn sizes_that_no_machine_has_are_refused() {
    let most = isize::MAX as usize;
    for bytes in [most - 4096, most, most + 1, usize::MAX - 4096, usize::MAX] {
        assert!(c::malloc(bytes).is_null());
        assert_eq!(errno(), libc::ENOMEM);
        assert!(c::calloc(1, bytes).is_null());
        for align in [32, 4096, 1 << 20, 1 << 30] {
            assert!(c::aligned(bytes, align).is_null());
        }
        let block = c::malloc(10);
        // SAFETY: the block is this test's, and stays when it cannot grow.
        unsafe {
            block.write_bytes(7, 10);
            assert!(c::realloc(block, bytes).is_null());
            assert_eq!(block.add(9).read(), 7);
            c::free(block);
        }
    }
    assert!(c::calloc(usize::MAX / 2, 3).is_null());
    assert_eq!(errno(), libc::ENOMEM);
    assert!(c::aligned(1, 1 << 62).is_null());
}

#[test]
fn nothing_is_a_size_too() {
    let (a, b) = (c::malloc(0), c::malloc(0));
    assert!(!a.is_null() && !b.is_null() && a != b);
    // SAFETY: the blocks are this test's.
    unsafe {
        assert!(c::realloc(a, 0).is_null());
        c::free(b);
        c::free(core::ptr::null_mut());
    }
    // SAFETY: null is allowed.
    assert_eq!(unsafe { c::usable(core::ptr::null_mut()) }, 0);
}

#[test]
fn every_size_holds_what_it_should() {
    for bytes in (0..2000).chain((2000..70_000).step_by(61)) {
        drop(Block::new(bytes, 1));
    }
}

#[test]
fn blocks_grow_and_shrink_with_what_is_in_them() {
    let sizes = [
        10,
        100,
        50,
        1000,
        1030,
        30_000,
        40_000,
        200_000,
        70_000,
        33 << 20,
        80 << 20,
        34 << 20,
        100_000,
        5,
    ];
    let mut block = Block::new(1, 1);
    for bytes in sizes {
        block = block.resize(bytes);
    }
    let mut bytes = vec![1_u8; 1];
    while bytes.len() < 50 << 20 {
        bytes.extend_from_within(..);
    }
    assert!(bytes.iter().all(|&byte| byte == 1));
}

#[test]
fn rust_layouts_are_kept() {
    for align in [1, 16, 64, 4096, 1 << 17] {
        let layout = Layout::from_size_align(3000, align).unwrap();
        // SAFETY: the layouts have bytes, and the blocks are this test's.
        unsafe {
            let block = KaratAlloc.alloc_zeroed(layout);
            assert_eq!((block.addr() % align, block.add(2999).read()), (0, 0));
            block.write_bytes(9, 3000);
            let grown = KaratAlloc.realloc(block, layout, 100_000);
            assert_eq!((grown.addr() % align, grown.add(2999).read()), (0, 9));
            let larger = Layout::from_size_align(100_000, align).unwrap();
            KaratAlloc.dealloc(grown, larger);
        }
    }
}

#[test]
fn a_success_leaves_errno_alone() {
    // SAFETY: the address is this thread's.
    unsafe { *libc::__errno_location() = 77 };
    for bytes in [1, 5000, 100_000, 40 << 20] {
        drop(Block::new(bytes, 1));
    }
    assert_eq!(errno(), 77);
}
