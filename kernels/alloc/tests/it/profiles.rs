//! What the profiles promise.

use crate::forks::in_child;
use karat_alloc::{Profile, c, set_profile, statistics};

/// KiB of this process that have frames.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|l| l.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Runs a test of this module in a process of its own. A child of a fork would have the heaps
/// that other tests were using: how much stays depends on what is in those.
fn alone(name: &str, test: impl FnOnce()) {
    const ALONE: &str = "ALLOC_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return test();
    }
    let run = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("profiles::{name}")])
        .env(ALONE, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    let passed = run.status.success() && said.contains("1 passed");
    assert!(passed, "{said}{}", String::from_utf8_lossy(&run.stderr));
}

/// 64 MiB of small blocks, freed again: how much of what they took stays, in percent.
fn left_after_draining(profile: Profile) -> usize {
    set_profile(profile);
    let before = resident();
    let blocks: Vec<Vec<u8>> = (0..120_000).map(|i| vec![1; 16 + i * 7 % 1024]).collect();
    let peak = resident();
    drop(blocks);
    (resident().saturating_sub(before)) * 100 / (peak - before)
}

#[test]
fn balanced_gives_memory_back_and_speed_keeps_it() {
    let status = in_child(|| {
        let left = left_after_draining(Profile::Balanced);
        assert!(left < 50, "{left} % stayed");
        let left = left_after_draining(Profile::Speed);
        assert!(left > 50, "{left} % stayed");
        assert!(c::trim());
        // And back again.
        let left = left_after_draining(Profile::Balanced);
        assert!(left < 50, "{left} % stayed");
    });
    assert_eq!(status, 0);
}

/// Slabs of one class become slabs of another.
#[test]
fn empty_slabs_are_used_for_other_sizes() {
    let status = in_child(|| {
        set_profile(Profile::Speed);
        for bytes in [100, 200, 300, 400, 500, 600, 700, 800] {
            let blocks: Vec<Vec<u8>> = (0..(32 << 20) / bytes).map(|_| vec![1; bytes]).collect();
            drop(blocks);
        }
        let most = statistics().arena_most_in_use >> 20;
        // 32 MiB at a time, and as much again for the vectors of them and what is cached.
        assert!(most < 100, "{most} MiB");
    });
    assert_eq!(status, 0);
}

#[test]
fn steady_work_asks_the_kernel_for_nothing() {
    let status = in_child(|| {
        let mut random = crate::support::Random(3);
        let mut slots: Vec<Option<Vec<u8>>> = vec![None; 8192];
        let mut work = |operations: usize| {
            for _ in 0..operations {
                let slot = &mut slots[random.below(8192)];
                *slot = match slot.take() {
                    Some(_) => None,
                    None => Some(vec![1; 16 + random.below(1024)]),
                };
            }
        };
        set_profile(Profile::Speed);
        work(300_000);
        let before = statistics().mapping_calls;
        work(300_000);
        assert_eq!(statistics().mapping_calls - before, 0);
    });
    assert_eq!(status, 0);
}

/// 32 MiB in blocks of 512 bytes, of which one in 64 stays: two on two pages of each slab.
fn blocks_with_holes() -> Vec<Vec<u8>> {
    let blocks: Vec<Vec<u8>> = (0..65_536).map(|_| vec![1; 512]).collect();
    let each = blocks.into_iter().enumerate();
    each.filter_map(|(i, block)| (i % 64 == 0).then_some(block))
        .collect()
}

/// What a thread leaves behind is given back when it ends, but for a reserve: nobody looks
/// over a heap without a thread. `trim` takes the reserve too.
#[test]
#[cfg_attr(
    not(target_arch = "x86_64"),
    ignore = "an emulator's own memory is counted with it"
)]
fn a_thread_that_ends_leaves_a_reserve() {
    alone("a_thread_that_ends_leaves_a_reserve", || {
        set_profile(Profile::Balanced);
        // What other tests left is not this one's.
        c::trim();
        let before = resident();
        let kept = std::thread::spawn(blocks_with_holes).join().unwrap();
        let ended = resident().saturating_sub(before);
        assert!(ended < 24 << 10, "{ended} KiB stayed");
        assert!(c::trim());
        let trimmed = resident().saturating_sub(before);
        assert!(trimmed < 8 << 10, "{trimmed} KiB stayed");
        assert!(kept.iter().flatten().all(|&byte| byte == 1));
    });
}

/// Pages that were given back, used again and freed again are given back again.
#[test]
#[cfg_attr(
    not(target_arch = "x86_64"),
    ignore = "an emulator's own memory is counted with it"
)]
fn what_is_used_and_freed_again_is_given_back_again() {
    alone("what_is_used_and_freed_again_is_given_back_again", || {
        for profile in [Profile::Speed, Profile::Balanced] {
            set_profile(profile);
            c::trim();
            let before = resident();
            let kept = blocks_with_holes();
            for _ in 0..3 {
                assert!(profile == Profile::Balanced || c::trim());
                let stayed = resident().saturating_sub(before);
                assert!(stayed < 20 << 10, "{stayed} KiB stayed");
                // A little less than before: no slab has as many free blocks as last time.
                drop((0..63_000).map(|_| vec![1; 512]).collect::<Vec<Vec<u8>>>());
            }
            drop(kept);
            c::trim();
        }
    });
}

/// A small heap whose free memory goes up and down by some MiB learns to keep it, though that
/// is nearly all it has: in the end nothing is given back, and nothing missed.
#[test]
fn a_small_heap_that_goes_up_and_down_learns_to_keep_its_pages() {
    let status = in_child(|| {
        set_profile(Profile::Balanced);
        // A heap of its own: what other tests left is not this one's.
        std::thread::spawn(|| {
            let blocks: Vec<Vec<u8>> = (0..10_000).map(|_| vec![1; 512]).collect();
            // Two of each slab stay, so that none is empty.
            let kept: Vec<_> = blocks.into_iter().step_by(64).collect();
            let up_and_down = || {
                for _ in 0..8 {
                    drop((0..9000).map(|_| vec![1; 512]).collect::<Vec<Vec<u8>>>());
                    // Down for so long that the heap is looked over again and again.
                    for _ in 0..16 {
                        drop((0..3000).map(|_| vec![1; 64]).collect::<Vec<Vec<u8>>>());
                    }
                }
            };
            up_and_down();
            let before = statistics().discarded_bytes;
            up_and_down();
            let given = statistics().discarded_bytes - before;
            // Not a megabyte: what other tests left in the arena may go.
            assert!(given < 1 << 20, "{given} bytes were given back");
            drop(kept);
        })
        .join()
        .unwrap();
    });
    assert_eq!(status, 0);
}
