//! How objects come home: back into the bits of the slabs they were taken from.

use crate::front::Object;
use crate::meta::Meta;
use crate::{arena, classes, fail};

/// Sets the bits of free objects of one class. They are sorted first, so that neighbours go
/// in one step. `count_in` gets each slab once, with how many objects came to it and the first
/// word of bits that changed; it must count them.
pub fn set_bits(objects: &mut [Object], mut count_in: impl FnMut(&'static Meta, usize, usize)) {
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
        count_in(slab, count, first_word);
    }
}
