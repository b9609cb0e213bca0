//! Words by their bits, which are shared. Each takes 2 KiB, and most are made for one instruction
//! and end with it: the room of those that end is used again. What is that large costs the
//! allocator more than to fill it.

use super::bits::Word;
use super::features::Facts;
use std::cell::RefCell;
use std::ops::Deref;
use std::rc::Rc;

/// Words whose room is kept, at most.
const KEPT: usize = 32;

thread_local! {
    static ROOM: RefCell<Vec<Rc<Word>>> = const { RefCell::new(Vec::new()) };
}

/// A word that is shared. There is always one: only its end takes it away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared(Option<Rc<Word>>);

/// What is known where there is no word.
const NOTHING: &Word = &[(Facts::NONE, Facts::NONE); 64];

impl Shared {
    /// Of its bits.
    pub fn of(bit: impl Fn(usize) -> (Facts, Facts)) -> Self {
        let room = ROOM.with_borrow_mut(Vec::pop);
        let mut word = room.unwrap_or_else(|| Rc::new(*NOTHING));
        for (at, place) in Rc::make_mut(&mut word).iter_mut().enumerate() {
            *place = bit(at);
        }
        Self(Some(word))
    }

    /// A word of which nothing is known.
    pub fn nothing() -> Self {
        Self::of(|_| (Facts::NONE, Facts::NONE))
    }
}

impl From<&Word> for Shared {
    fn from(word: &Word) -> Self {
        Self::of(|at| word[at])
    }
}

impl Deref for Shared {
    type Target = Word;

    fn deref(&self) -> &Word {
        self.0.as_deref().unwrap_or(NOTHING)
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let Some(mut word) = self.0.take() else {
            return;
        };
        if Rc::get_mut(&mut word).is_none() {
            return;
        }
        // Where the thread ends, so does the room; then nothing is kept.
        let _ = ROOM.try_with(|room| {
            let mut room = room.borrow_mut();
            if room.len() < KEPT {
                room.push(word);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(says: Facts) -> Shared {
        Shared::of(|at| match at {
            3 => (says, Facts::NONE),
            _ => (Facts::NONE, Facts::NONE),
        })
    }

    #[test]
    fn room_is_used_again_when_nobody_has_the_word() {
        let avx2 = Facts::named("avx2");
        let first = word(avx2);
        let place = std::ptr::from_ref(&*first);
        let copy = first.clone();
        drop(first);
        // It is still the copy's.
        let other = word(Facts::named("fma"));
        assert_ne!(std::ptr::from_ref(&*other), place);
        assert_eq!(copy, word(avx2));
        drop(copy);
        let next = Shared::nothing();
        assert_eq!(std::ptr::from_ref(&*next), place);
        assert_eq!(*next, *NOTHING);
    }

    #[test]
    fn few_are_kept() {
        let many: Vec<Shared> = (0..2 * KEPT).map(|_| Shared::nothing()).collect();
        drop(many);
        assert_eq!(ROOM.with_borrow(Vec::len), KEPT);
    }
}
