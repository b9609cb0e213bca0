//! Processes and threads that begin and end in storms.

use crate::support::{Block, Random};
use std::sync::atomic::{AtomicBool, Ordering};

/// Calls a function in a child, and says how it ended.
pub fn in_child(call: impl FnOnce()) -> i32 {
    // SAFETY: the child only allocates, and ends without leaving this function.
    let child = unsafe { libc::fork() };
    assert!(child >= 0);
    if child == 0 {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(call));
        // SAFETY: ends the child.
        unsafe { libc::_exit(i32::from(result.is_err())) };
    }
    let mut status = 0;
    // SAFETY: waits for the child that was just made.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    status
}

/// While other threads hold the allocator's locks now and then, children go on.
#[test]
fn children_of_a_busy_process_can_allocate() {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for seed in 0..3 {
            let done = &done;
            scope.spawn(move || {
                let mut random = Random(seed);
                while !done.load(Ordering::Relaxed) {
                    // Whole slabs, so that the arena's lock is held often.
                    drop(Block::new(40_000 + random.below(100_000), 1));
                    drop(Block::new(random.below(1000), 1));
                }
            });
        }
        for seed in 0..60 {
            let held = Block::new(500, 1);
            let status = in_child(|| {
                held.check();
                let mut random = Random(seed);
                let blocks: Vec<Block> = (0..100).map(|_| Block::new(random.size(), 1)).collect();
                drop(blocks);
            });
            assert_eq!(status, 0, "child {seed}");
        }
        done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn heaps_of_ended_threads_are_used_again() {
    let before = karat_alloc::statistics();
    for _ in 0..300 {
        let block = std::thread::spawn(|| Block::new(200, 1)).join().unwrap();
        drop(block);
    }
    let after = karat_alloc::statistics();
    // Other tests have threads meanwhile; without reuse it would be 300 more.
    assert!(after.heaps - before.heaps < 100, "{before:?} {after:?}");
}

/// Keys' destructors run in any order, some after the allocator's own.
#[test]
fn destructors_of_a_thread_can_allocate() {
    extern "C" fn again(value: *mut libc::c_void) {
        drop(Block::new(100, 1));
        // SAFETY: the value is a block of this allocator, and a key of this test.
        unsafe {
            let round = value.cast::<u32>();
            let key = round.read();
            karat_alloc::c::free(value.cast());
            let next = karat_alloc::c::malloc(64).cast::<u32>();
            next.write(key);
            // As often as the C library lets it.
            libc::pthread_setspecific(key, next.cast());
        }
    }
    let mut key = 0;
    // SAFETY: the destructor stays.
    let made = unsafe { libc::pthread_key_create(&raw mut key, Some(again)) };
    assert_eq!(made, 0);
    for _ in 0..20 {
        let set = move || {
            let block = karat_alloc::c::malloc(64).cast::<u32>();
            // SAFETY: the block is large enough, and the key's from here on.
            unsafe {
                block.write(key);
                libc::pthread_setspecific(key, block.cast());
            }
        };
        std::thread::spawn(set).join().unwrap();
    }
}
