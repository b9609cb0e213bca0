//! What is known where two ways meet.

use super::State;
use crate::a64::features::Set;
use crate::a64::flags::Flags;
use crate::a64::given::{HEAP, note_written};
use crate::a64::value::{OPAQUE, PLAIN, Val};
use crate::a64::vector::ANY;
use std::rc::Rc;

/// What a loop goes through: addresses one after the other, up to where it ends.
fn span(a: &Val, b: &Val, ends: &[u64]) -> Option<Val> {
    let (a, b) = (a.as_alts()?, b.as_alts()?);
    let values = || a.iter().chain(b);
    let is_loop = a.len().max(b.len()) > 4 && values().all(|alt| alt.has == 0);
    if !is_loop {
        return None;
    }
    let (first, last) = (
        values().map(|alt| alt.value).min()?,
        values().map(|alt| alt.value).max()?,
    );
    let ends = ends.iter().copied().filter(|end| *end > 0xfff);
    let end = ends.filter(|end| *end >= last).min()?;
    (end - last < 1 << 20).then_some(Val::Span(first, end))
}

impl State {
    /// Joins what another way knows; returns whether anything changed, and adds to `lost`
    /// what is not followed any more.
    ///
    /// Where it is `wide` numbers that go on changing are not followed any more, as in loops
    /// that count.
    pub fn join(&mut self, other: &Self, wide: bool, lost: &mut Vec<(Val, Set)>) -> bool {
        let has = self.has & other.has;
        let before = self.has;
        let (mine, theirs) = (before & !has, other.has & !has);
        let mut changed = before != has;
        let is_same = mine | theirs == 0;
        let is_doubted = self.is_doubted() || other.is_doubted();
        // Where loops end that go by an address.
        let mut ends = [0; 32];
        for (end, register) in ends.iter_mut().zip(&*self.registers) {
            *end = register.as_constant().unwrap_or(0);
        }
        let mut split = Vec::new();
        // An address of the object on the heap is not followed any more.
        let mut is_lost = false;
        let mut one = |a: &mut Val, b: &Val| -> bool {
            if a == b && (is_same || !a.says_or_leads()) {
                return false;
            }
            // What decides for one of them decides what it is.
            let is_picked = is_doubted && a != b;
            let (x, y) = (a.under(mine, is_picked), b.under(theirs, is_picked));
            let mut joined = x.join(&y);
            let is_object = |value: &Val| matches!(value, Val::Stack(HEAP, _));
            is_lost |= (is_object(a) || is_object(b)) && !is_object(&joined);
            if wide && joined.counts() && joined != *a {
                joined = Val::Top {
                    opaque: joined.is_opaque(),
                };
            }
            if joined.as_alts().is_none() {
                let values = match span(&x, &y, &ends) {
                    Some(span) => [span, PLAIN],
                    None => [x, y],
                };
                split.extend(values.into_iter().filter(Val::leads).map(|v| (v, has)));
            }
            let is_new = joined != *a;
            *a = joined;
            is_new
        };
        if !(is_same && Rc::ptr_eq(&self.registers, &other.registers)) {
            for (number, b) in other.registers.iter().enumerate() {
                let a = &self.registers[number];
                if a == b && (is_same || !a.says_or_leads()) {
                    continue;
                }
                let mut joined = a.clone();
                if one(&mut joined, b) {
                    changed = true;
                    Rc::make_mut(&mut self.registers)[number] = joined;
                }
            }
        }
        let is_one = match (&self.vectors, &other.vectors) {
            (Some(a), Some(b)) => is_same && Rc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        if !is_one {
            for number in 0..32 {
                let (a, b) = (self.vector(number), other.vector(number));
                if a == b && (is_same || a == ANY) {
                    continue;
                }
                let joined = a.under(mine).join(&b.under(theirs));
                if joined != a {
                    changed = true;
                    self.set_vector(number, joined);
                }
            }
        }
        if !(is_same && (self.slots.is_same(&other.slots) || self.slots == other.slots)) {
            let mut slots = Vec::with_capacity(self.slots.len());
            for (at, (size, a)) in self.slots.iter() {
                let mut a = a.clone();
                match other.slots.get(at) {
                    Some((other_size, b)) if other_size == size => changed |= one(&mut a, b),
                    _ if a != OPAQUE => {
                        lost.push((std::mem::replace(&mut a, OPAQUE), before));
                        changed = true;
                    }
                    _ => {}
                }
                slots.push((*at, (*size, a)));
            }
            for (at, (_, value)) in other.slots.iter() {
                if value.leads() && self.slots.get(at).is_none() {
                    lost.push((value.clone(), other.has));
                }
            }
            self.slots = slots.into_iter().collect();
        }
        if !(is_same && (self.cells.is_same(&other.cells) || self.cells == other.cells)) {
            let mut cells = Vec::with_capacity(self.cells.len());
            for (at, (size, a)) in self.cells.iter() {
                if let Some((other_size, b)) = other.cells.get(at)
                    && other_size == size
                {
                    let mut a = a.clone();
                    changed |= one(&mut a, b);
                    cells.push((*at, (*size, a)));
                }
            }
            changed |= cells.len() != self.cells.len();
            self.cells = cells.into_iter().collect();
        }
        if self.sources != other.sources {
            let before = self.sources.len();
            self.sources.retain(|one| other.sources.contains(one));
            changed |= self.sources.len() != before;
        }
        if self.compared != other.compared && self.compared.is_some() {
            self.compared = None;
            changed = true;
        }
        if self.pair != other.pair && self.pair.is_some() {
            self.pair = None;
            changed = true;
        }
        if self.flags != other.flags {
            let opaque = self.flags.is_doubtful() || other.flags.is_doubtful();
            let joined = Flags::Lost { opaque };
            changed |= self.flags != joined;
            self.flags = joined;
        }
        for (mine, theirs) in self.shared.iter_mut().zip(&other.shared) {
            if theirs < mine {
                *mine = *theirs;
                changed = true;
            }
        }
        if !Rc::ptr_eq(&self.written, &other.written) {
            changed |= note_written(&mut self.written, &mut self.shared, &*other.written);
        }
        if !Rc::ptr_eq(&self.doubts, &other.doubts) && !other.doubts.is_subset(&self.doubts) {
            Rc::make_mut(&mut self.doubts).extend(&*other.doubts);
            changed = true;
        }
        lost.append(&mut split);
        if is_lost && self.shared[usize::from(HEAP)] != i64::MIN {
            self.shared[usize::from(HEAP)] = i64::MIN;
            changed = true;
        }
        if self.shared[usize::from(HEAP)] == i64::MIN {
            self.forget_object();
        }
        self.has = has;
        changed
    }
}
