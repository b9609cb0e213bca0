//! Many threads at random, against what the blocks themselves remember.

use crate::forks::in_child;
use crate::support::{Block, Random};
use std::sync::Mutex;

/// Each thread allocates, resizes, frees, and swaps blocks with the others.
fn storm(threads: u64, operations: usize, seed: u64) {
    let shared: Vec<Mutex<Option<Block>>> = (0..64).map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let shared = &shared;
            scope.spawn(move || {
                let mut random = Random(seed * 1000 + thread);
                let mut mine: Vec<Option<Block>> = (0..256).map(|_| None).collect();
                for _ in 0..operations {
                    let slot = &mut mine[random.below(256)];
                    *slot = match (random.below(10), slot.take()) {
                        (0, old) => {
                            let other = &shared[random.below(64)];
                            core::mem::replace(&mut *other.lock().unwrap(), old)
                        }
                        (1, Some(block)) => Some(block.resize(random.size())),
                        (2, None) => Some(Block::zeroed(random.size())),
                        (3, None) => Some(Block::new(random.below(5000), 1 << random.below(14))),
                        (_, None) => Some(Block::new(random.size(), 1)),
                        (_, Some(_)) => None,
                    };
                }
            });
        }
    });
}

#[test]
fn blocks_of_many_threads_keep_what_was_written_to_them() {
    storm(4, 10_000, 1);
}

/// Freed blocks are held or not, by the processor: both ways are right, and going from one
/// to the other too.
#[test]
fn blocks_are_right_whether_freed_ones_are_held_or_not() {
    let status = in_child(|| {
        for (seed, hold) in [true, false, true].into_iter().enumerate() {
            karat_alloc::testing::hold(hold);
            storm(4, 5000, 100 + seed as u64);
        }
    });
    assert_eq!(status, 0);
}

/// A block that is held is free all the same: it goes home when its thread ends, and as many
/// go home as where none are held.
#[test]
fn a_held_block_goes_home_with_its_thread() {
    let status = in_child(|| {
        let [_, held, not_held] = [true, true, false].map(|hold| {
            karat_alloc::testing::hold(hold);
            let before = karat_alloc::statistics().objects_given;
            let work = || drop(Block::new(1000, 1));
            std::thread::spawn(work).join().unwrap();
            karat_alloc::statistics().objects_given - before
        });
        assert_eq!(held, not_held);
    });
    assert_eq!(status, 0);
}

#[test]
fn threads_that_end_leave_their_blocks_to_others() {
    for seed in 0..20 {
        storm(8, 200, seed);
    }
}

/// One thread allocates, another frees: slabs come home through inboxes.
#[test]
fn blocks_that_another_thread_frees_are_used_again() {
    let status = in_child(|| {
        let (send, receive) = std::sync::mpsc::sync_channel::<Vec<Block>>(8);
        let before = karat_alloc::statistics();
        let mut most = before.arena_in_use;
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let mut random = Random(7);
                for _ in 0..1500 {
                    let batch = (0..100).map(|_| Block::new(random.below(600), 1)).collect();
                    send.send(batch).unwrap();
                }
            });
            for batch in receive {
                drop(batch);
                // The most ever in use may be of a test before this child's birth.
                most = most.max(karat_alloc::statistics().arena_in_use);
            }
        });
        let after = karat_alloc::statistics();
        assert!(after.objects_remote - before.objects_remote > 50_000);
        // 45 MB went through, of which less than 1 MB was held at once.
        let grown = most - before.arena_in_use;
        assert!(grown < 12 << 20, "{grown}");
    });
    assert_eq!(status, 0);
}
