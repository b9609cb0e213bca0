//! How objects come home: back into the bits of the slabs they were taken from.

use crate::front::Object;
use crate::meta::{Meta, WORDS};
use crate::{arena, classes, fail};
use core::mem::MaybeUninit;
use core::ptr;

/// So few objects are sorted at once.
const FEW: usize = 16;
/// A pass that picks less than this part of the objects is the last: sorting takes as long
/// for many slabs as for few.
const WORTH: usize = 4;

/// Sets the bits of free objects of one class. Objects of one slab go together, so that
/// neighbours go in one step. `count_in` gets each slab, once for all or nearly all of what
/// came to it: how many objects, and the first word of bits that changed. It must count them.
pub fn set_bits(objects: &mut [Object], mut count_in: impl FnMut(&'static Meta, usize, usize)) {
    let mut rest = objects;
    while rest.len() > FEW {
        let all = rest.len();
        let home = Home::of(rest[0]);
        let (left, first_word) = home.pick(rest);
        count_in(home.slab, all - left, first_word);
        rest = &mut rest[..left];
        if (all - left) * WORTH < all {
            break;
        }
    }
    rest.sort_unstable();
    let mut rest = &*rest;
    while let Some(&first) = rest.first() {
        let home = Home::of(first);
        let (count, first_word) = home.take_sorted(rest);
        rest = &rest[count..];
        count_in(home.slab, count, first_word);
    }
}

fn zeroed(words: &mut [MaybeUninit<[u64; 2]>]) -> &mut [[u64; 2]] {
    words.iter_mut().for_each(|word| {
        word.write([0; 2]);
    });
    // SAFETY: all of them were just written.
    unsafe { &mut *(ptr::from_mut(words) as *mut [[u64; 2]]) }
}

/// The slab of an object.
struct Home {
    slab: &'static Meta,
    class: usize,
    start: usize,
}

impl Home {
    fn of(object: Object) -> Self {
        let index = arena::index(object.addr());
        Self {
            slab: arena::meta(index),
            class: arena::class(object.addr()),
            start: arena::address(index),
        }
    }

    /// The object's number, if it is of this slab.
    fn number(&self, object: Object) -> Option<usize> {
        let offset = object.addr().wrapping_sub(self.start);
        if offset >= arena::SLAB {
            return None;
        }
        match classes::number(self.class, offset) {
            None => fail::inside(object.addr()),
            number => number,
        }
    }

    fn give(&self, word: usize, mask: u64) {
        if mask != 0 && self.slab.free.give(word, mask).is_err() {
            fail::double_free(self.start);
        }
    }

    /// Gives the objects that are of this slab, and moves the others to the front. Says how
    /// many those are, and the first word that changed.
    fn pick(&self, objects: &mut [Object]) -> (usize, usize) {
        let mut words = [const { MaybeUninit::uninit() }; WORDS];
        let words = &mut words[..classes::capacity(self.class).div_ceil(64)];
        // Two for each word, taken in turns: neighbours do not wait for each other.
        let words: &mut [[u64; 2]] = zeroed(words);
        let mut left = 0;
        for at in 0..objects.len() {
            let object = objects[at];
            let Some(number) = self.number(object) else {
                objects[left] = object;
                left += 1;
                continue;
            };
            let (word, bit) = (&mut words[number / 64][at % 2], 1 << (number % 64));
            if *word & bit != 0 {
                fail::double_free(object.addr());
            }
            *word |= bit;
        }
        let first = words.iter().position(|&word| word != [0, 0]).unwrap_or(0);
        for (word, &[one, other]) in words.iter().enumerate().skip(first) {
            if one & other != 0 {
                fail::double_free(self.start);
            }
            self.give(word, one | other);
        }
        (left, first)
    }

    /// Gives the first of sorted objects, those that are of this slab. Says how many they
    /// are, and the first word that changed.
    fn take_sorted(&self, objects: &[Object]) -> (usize, usize) {
        let (mut count, mut word, mut mask, mut first) = (0, 0, 0, usize::MAX);
        for &object in objects {
            let Some(number) = self.number(object) else {
                break;
            };
            if number / 64 != word {
                self.give(word, mask);
                (word, mask) = (number / 64, 0);
            }
            let bit = 1 << (number % 64);
            if mask & bit != 0 {
                fail::double_free(object.addr());
            }
            mask |= bit;
            first = first.min(word);
            count += 1;
        }
        self.give(word, mask);
        (count, first)
    }
}
