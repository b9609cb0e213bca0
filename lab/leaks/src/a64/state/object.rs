//! The object on the heap that is followed: the last that the routine allocated.

use super::State;
use crate::a64::given::{HEAP, Place};
use crate::a64::value::{PLAIN, Val};
use std::rc::Rc;

impl State {
    /// An object is allocated; returns what lay in the one before, of which no address is
    /// followed any more.
    pub fn allocate(&mut self) -> Vec<Val> {
        let lost = self.share((HEAP, i64::MIN));
        self.forget_object();
        let is_address = |value: &Val| matches!(value, Val::Stack(HEAP, _));
        for register in 0..31 {
            if is_address(&self.registers[register]) {
                Rc::make_mut(&mut self.registers)[register] = PLAIN;
            }
        }
        let slots: Vec<Place> = (self.slots.iter())
            .filter(|(_, (_, value))| is_address(value))
            .map(|(place, _)| *place)
            .collect();
        for place in slots {
            if let Some((_, value)) = self.slots.get_mut(&place) {
                *value = PLAIN;
            }
        }
        self.shared[usize::from(HEAP)] = i64::MAX;
        lost
    }

    /// All that is in it.
    pub fn object(&self) -> impl Iterator<Item = &Val> {
        let slots = self.slots.range((HEAP, i64::MIN)..);
        slots.map(|(_, (_, value))| value)
    }

    /// The object on the heap may have been written by an address that is not followed.
    pub fn forget_object(&mut self) {
        self.slots.retain(|(region, _), _| *region != HEAP);
        self.sources.retain(|(_, source)| source.region != HEAP);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::a64::features::Told;
    use crate::a64::value::VAGUE;

    /// A state with an answer in the object that x0 is the address of.
    fn asked() -> State {
        let mut state = State::entry(&[PLAIN], 0);
        state.allocate();
        state.set(0, Val::Stack(HEAP, 0));
        state.store((HEAP, 8), 8, Val::told(Told::Hwcap));
        state
    }

    #[test]
    fn an_object_is_followed_until_its_address_is_lost() {
        let mut state = asked();
        assert!(state.load((HEAP, 8), 8).says());
        state.join(&asked(), false, &mut Vec::new());
        assert!(state.load((HEAP, 8), 8).says());
        // On another way x0 is something else: who writes there is not seen.
        let mut other = asked();
        other.set(0, PLAIN);
        assert!(state.join(&other, false, &mut Vec::new()));
        assert_eq!(state.load((HEAP, 8), 8), VAGUE);
    }

    #[test]
    fn the_next_object_is_another() {
        let mut state = asked();
        let lost = state.allocate();
        assert!(lost.iter().any(Val::says));
        assert_eq!(state.get(0), PLAIN);
        assert_eq!(state.load((HEAP, 8), 8), VAGUE);
    }

    #[test]
    fn a_loop_that_counts_is_not_followed() {
        let at = |number: u64| State::entry(&[Val::constant(number)], 0);
        for (wide, is_known) in [(false, true), (true, false)] {
            let mut state = at(0);
            for number in 1..5 {
                state.join(&at(number), wide, &mut Vec::new());
            }
            assert_eq!(state.get(0).as_alts().is_some(), is_known);
        }
    }
}
