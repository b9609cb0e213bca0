//! Code that is only jumped to from other routines: what it is entered with is what these have in
//! registers. Assembly cuts its functions so, and carries the CPU's flags in registers that are no
//! arguments: OpenSSL's ChaCha20 in `r10`, its Montgomery multiplication in `r11`.

use super::oracle::Oracle;
use super::routine::Told;
use super::state::State;
use super::suppose::Suppose;
use super::value::{Kind, Value};
use crate::sweep::to;
use std::rc::Rc;

/// Jumps that lead to one place, at most.
const JUMPS: usize = 32;
/// The stack pointer.
const STACK: usize = 4;

/// What registers hold at a jump to another routine.
pub(super) type Registers = [Value; 16];

/// What is handed on with a jump: what the CPU said, and numbers. All else is the routine's own.
pub(super) fn carried(state: &State) -> Option<Box<Registers>> {
    if !state.registers.iter().any(Value::goes_by_answer) {
        return None;
    }
    let is_own = |(kind, _): &(Kind, _)| !matches!(kind, Kind::Word(_) | Kind::Const(_));
    let mut registers = Box::new(state.registers.clone());
    for value in registers.iter_mut() {
        if value.is_of_arguments() || value.alternatives().iter().any(is_own) {
            *value = Value::any();
        }
    }
    Some(registers)
}

/// Where only jumps lead to, which have this in registers.
pub(super) fn entry(registers: &Registers) -> State {
    let mut state = State::unknown();
    state.registers.clone_from(registers);
    // Places on the stack are told apart, wherever it is.
    state.registers[STACK] = Value::of(Kind::Stack(0));
    state
}

impl Oracle<'_> {
    /// What is known of a routine where it is entered at a place that only jumps of other routines
    /// lead to; none where something else may.
    #[must_use]
    pub fn told_from(&self, routine: u32, entry: u64) -> Option<Rc<Told>> {
        if let Some(known) = self.jumped.borrow().get(&entry) {
            return known.clone();
        }
        self.jumped.borrow_mut().insert(entry, None);
        let told = self.apart(|| self.find_from(routine, entry)).flatten();
        self.jumped.borrow_mut().insert(entry, told.clone());
        told
    }

    /// What is known of a routine from a place in its middle on, if nothing is known where it is
    /// entered there: compilers put handlers of exceptions elsewhere, which jump back.
    #[must_use]
    pub fn told_inside(&self, routine: u32, entry: u64) -> Option<Rc<Told>> {
        if let Some(known) = self.inside.borrow().get(&entry) {
            return known.clone();
        }
        let unknown: Registers = std::array::from_fn(|_| Value::any());
        let suppose = Suppose {
            jumped: Some((entry, &unknown)),
            ..Suppose::default()
        };
        let look = || Told::of(self, routine, &suppose).map(Rc::new);
        let told = self.within(&self.for_inside, look).flatten();
        self.inside.borrow_mut().insert(entry, told.clone());
        told
    }

    fn find_from(&self, routine: u32, entry: u64) -> Option<Rc<Told>> {
        let program = self.program;
        let is_named = !to(&self.sweep.taken, entry).is_empty()
            || !to(&program.pointers, entry).is_empty()
            || program.entries.contains_key(&entry);
        let jumps = to(&self.sweep.edges, entry);
        if is_named || jumps.is_empty() || jumps.len() > JUMPS {
            return None;
        }
        let mut joined: Option<Box<Registers>> = None;
        for (_, at) in jumps {
            let from = program.routine_at(at)?;
            // A jump of its own brings what is found on the way.
            if from == routine {
                continue;
            }
            // It may be jumped to itself, and hand on what it was given.
            let start = program.routines[from as usize].start;
            let told = self.told_from(from, start).or_else(|| self.told(from))?;
            let carried = told.jumps.get(&at)?;
            match &mut joined {
                None => joined = Some(carried.clone()),
                Some(all) => {
                    for (mine, other) in all.iter_mut().zip(carried.iter()) {
                        *mine = mine.or(other);
                    }
                }
            }
        }
        let registers = joined?;
        let suppose = Suppose {
            jumped: Some((entry, &registers)),
            ..Suppose::default()
        };
        Told::of(self, routine, &suppose).map(Rc::new)
    }
}
