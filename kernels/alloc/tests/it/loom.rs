//! The protocol by which objects come home, in all orders of its steps with at most two
//! switches of threads that nothing forces: the same file with loom's atomics.

mod sync {
    pub use loom::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
}

#[path = "../../src/slab.rs"]
#[expect(dead_code, reason = "the protocol alone is tested here")]
mod slab;

use loom::sync::Arc;
use loom::thread;
use slab::{Free, Inbox};

struct Shared {
    slab: Free<1>,
    inbox: Inbox<1>,
}

impl Shared {
    /// A slab of which all `objects` are taken.
    fn taken(objects: usize) -> Arc<Self> {
        let shared = Arc::new(Self {
            slab: Free::new(objects),
            inbox: Inbox::new(),
        });
        assert_eq!(shared.slab.take(0..1, objects, |_| {}), objects);
        shared
    }

    /// What another thread does with objects it frees.
    fn give(&self, mask: u64) {
        self.slab.give(0, mask).unwrap();
        if self.slab.count(mask.count_ones() as usize) {
            self.inbox.put(&self.slab);
        }
    }

    /// What the owner does when its magazine is empty. `listed`: it knows the slab.
    fn refill(&self, listed: &mut bool) -> u64 {
        let mut mask = 0;
        for _ in 0..3 {
            if !*listed {
                self.inbox.drain(|_| {
                    assert!(!*listed, "the slab was in the inbox twice, or was listed");
                    *listed = true;
                });
            }
            if !*listed {
                break;
            }
            let got = self.slab.take(0..1, 64, |number| {
                assert_eq!(mask >> number & 1, 0, "an object was taken twice");
                mask |= 1 << number;
            });
            if got == 0 && self.slab.detach() {
                *listed = false;
            }
        }
        mask
    }
}

/// Without a bound the orders of three threads take hours.
fn in_all_orders(run: impl Fn() + Send + Sync + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(run);
}

#[test]
fn no_object_is_lost_or_taken_twice() {
    in_all_orders(|| {
        let shared = Shared::taken(2);
        let others = [0b01, 0b10].map(|mask| {
            let shared = shared.clone();
            thread::spawn(move || shared.give(mask))
        });
        let mut listed = true;
        let first = shared.refill(&mut listed);
        others.into_iter().for_each(|t| t.join().unwrap());
        let rest = shared.refill(&mut listed);
        assert_eq!((first & rest, first | rest), (0, 0b11));
    });
}

/// An object that was taken before it was counted comes back while the count is under way.
#[test]
fn all_are_counted_only_when_nobody_is_under_way() {
    in_all_orders(|| {
        let shared = Shared::taken(2);
        let other = {
            let shared = shared.clone();
            thread::spawn(move || shared.give(0b01))
        };
        let mut listed = true;
        let mask = shared.refill(&mut listed);
        if mask != 0 {
            shared.slab.give(0, mask).unwrap();
            if shared.slab.count(1) {
                listed = true;
            }
        }
        // The second object is still taken.
        assert!(shared.slab.free() < 2);
        other.join().unwrap();
        let rest = shared.refill(&mut listed);
        assert_eq!(rest, 0b01);
    });
}
