//! How objects come home: back to the slabs they were taken from, whoever owns those.

use crate::front::Object;
use crate::heap::{Heap, add};
use crate::meta::Meta;
use crate::{arena, classes, fail};
use core::ptr;

/// Gives free objects of one class back to their slabs. They are sorted first, so that
/// neighbours go in one step and every slab is counted once. `heap` is whose the caller is.
pub fn give_back(heap: Option<&Heap>, objects: &mut [Object]) {
    objects.sort_unstable();
    let mut rest = &objects[..];
    while let Some(&first) = rest.first() {
        let index = arena::index(first.addr());
        let slab = arena::meta(index);
        let class = arena::class(first.addr());
        let start = arena::address(index);
        let here = (rest.iter()).take_while(|o| o.addr() - start < arena::SLAB);
        let (mut count, mut word, mut mask, mut first_word) = (0, 0, 0, usize::MAX);
        let set = |word, mask| {
            if mask != 0 && slab.free.give(word, mask).is_err() {
                fail::double_free(first.addr());
            }
        };
        for object in here {
            let Some(number) = classes::number(class, object.addr() - start) else {
                fail::inside(object.addr());
            };
            if number / 64 != word {
                set(word, mask);
                (word, mask) = (number / 64, 0);
            }
            let bit = 1 << (number % 64);
            if mask & bit != 0 {
                fail::double_free(object.addr());
            }
            mask |= bit;
            first_word = first_word.min(word);
            count += 1;
        }
        set(word, mask);
        rest = &rest[count..];
        hand_over(heap, slab, count, first_word);
    }
}

fn hand_over(heap: Option<&Heap>, slab: &'static Meta, count: usize, first_word: usize) {
    // Before the count: afterwards its owner may give the slab away.
    let owner = slab.owner();
    let own = heap.filter(|heap| ptr::eq(*heap, owner));
    let tell = slab.free.count(count);
    match own {
        Some(heap) => heap.received(slab, tell, first_word),
        None => {
            if let Some(heap) = heap {
                add(&heap.counters.objects_remote, count);
            }
            if tell {
                // Whoever is told holds the slab: its owner stays.
                // SAFETY: heaps are never given back.
                unsafe { (*slab.owner()).inbox.put(&slab.free) };
            }
        }
    }
}
