//! What was come to, and by which CPUs.

use crate::bits::Kind;
use crate::conditions::{Conditions, Symbols};
use crate::facts::Facts;
use crate::state::State;
use karat_binary::numbers::NumberSet;
use std::collections::BTreeMap;

/// How sure it is that a way is gone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sure {
    /// Something decides that is not followed.
    No,
    /// What the program is given decides, or something may have been stored elsewhere.
    Input,
    /// Only the CPU decides.
    Yes,
}

/// A CPU of the baseline comes to what it lacks.
#[derive(Clone, Debug)]
pub struct Death {
    /// The instruction.
    pub at: u64,
    /// What it needs.
    pub need: Facts,
    /// What was asked for, and is there.
    pub has: Facts,
    /// Whether anything was asked.
    pub asks: bool,
    /// How sure that is.
    pub sure: Sure,
    /// Calls on the way, outermost first: where each routine begins, and where it was called.
    pub path: Vec<(u64, u64)>,
    /// The CPU that dies in a run without arguments, where it was seen to only so.
    pub on: Option<&'static str>,
}

/// What is known of a routine above the baseline.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// The surest of the deaths.
    pub death: Option<Death>,
    /// What CPUs have that come here, for a few ways.
    pub guards: Vec<Facts>,
    /// Some way was passed by something that is not followed.
    pub is_unsure: bool,
    /// All ways that lead here were followed, though perhaps not all of the program's.
    pub is_closed: bool,
    /// In a run without arguments CPUs that have what it needs come here, and those that lack it
    /// do not.
    pub is_tried: bool,
    /// What those have that do not.
    pub others: Vec<Facts>,
}

/// All that was found.
#[derive(Debug)]
pub struct Found {
    /// By number of the routine.
    pub routines: BTreeMap<u32, Reached>,
    /// The same of their `xgetbv`.
    pub asking: BTreeMap<u32, Reached>,
    /// All ways were followed to their ends.
    pub is_complete: bool,
    /// Routines that nothing came to then, though all that refer to them ran.
    pub uncalled: Vec<u32>,
    /// Something ended a way that was not gone through.
    pub is_passed: bool,
    /// Where the CPU was asked.
    pub asks: Vec<u64>,
    /// Where ways could not be followed.
    pub lost: Vec<u64>,
    /// Instructions that were carried out.
    pub steps: u64,
    /// There were more than are carried out, or more ways than are gone at one time.
    pub is_spent: bool,
    /// A variable of the environment was asked for.
    pub asks_environment: bool,
    /// The program is one of Go's, whose routines are called in another way than C's.
    pub is_go: bool,
    /// Functions above the baseline that a library exports: to ask is their callers' duty.
    pub(crate) duties: NumberSet<u64>,
}

impl Default for Found {
    fn default() -> Self {
        Self {
            routines: BTreeMap::new(),
            asking: BTreeMap::new(),
            is_complete: true,
            uncalled: Vec::new(),
            is_passed: false,
            asks: Vec::new(),
            lost: Vec::new(),
            steps: 0,
            is_spent: false,
            asks_environment: false,
            is_go: false,
            duties: NumberSet::default(),
        }
    }
}

impl Found {
    /// Nothing was followed.
    pub(crate) fn unknown() -> Self {
        Self {
            is_complete: false,
            ..Self::default()
        }
    }

    /// All ways were followed, with routines passed over: what is known of those that are asked
    /// about is that. Surer deaths that were seen before stay.
    pub(crate) fn settle(&mut self, other: Self, asked: &[u32]) {
        let both = [
            (&mut self.routines, other.routines),
            (&mut self.asking, other.asking),
        ];
        for (routines, others) in both {
            let mut before = std::mem::take(routines);
            for (routine, mut reached) in others {
                let known = before.remove(&routine).and_then(|known| known.death);
                let sure = |death: &Option<Death>| death.as_ref().map(|death| death.sure);
                if sure(&known) > sure(&reached.death) {
                    reached.death = known;
                }
                if asked.contains(&routine) {
                    routines.insert(routine, reached);
                }
            }
        }
        self.is_complete = true;
        self.is_passed |= other.is_passed;
    }

    /// Whether it is open what a routine does: it was not come to and may be, or a CPU dies there
    /// by something that proves nothing.
    pub(crate) fn is_open(&self, routine: u32) -> bool {
        let reached = self.routines.get(&routine);
        match reached.and_then(|reached| reached.death.as_ref()) {
            Some(death) => death.sure == Sure::No,
            None => !self.is_complete && reached.is_none_or(|reached| !reached.is_closed),
        }
    }

    /// One run dies there: what the program is given decides.
    pub(crate) fn add_deaths(&mut self, other: Self, asked: &[u32]) {
        for (number, reached) in other.routines {
            let death = reached.death.filter(|death| death.sure != Sure::No);
            if let Some(mut death) =
                death.filter(|_| asked.contains(&number) && self.is_open(number))
            {
                death.sure = Sure::Input;
                self.routines.entry(number).or_default().death = Some(death);
            }
        }
    }

    /// Whether all ways were followed, and no CPU dies in a routine that is come to.
    pub(crate) fn lives(&self, routine: u32) -> bool {
        let reached = self.routines.get(&routine);
        self.is_complete && reached.is_some_and(|reached| reached.death.is_none())
    }

    /// Whether a routine was not come to, or it is open what it does.
    pub(crate) fn is_unsettled(&self, routine: u32) -> bool {
        self.is_open(routine) || !self.routines.contains_key(&routine)
    }

    /// The same of a run on one CPU.
    pub(crate) fn add_sold(&mut self, other: Self, asked: &[u32], name: &'static str) {
        for at in &other.asks {
            self.asked(*at);
        }
        for (number, reached) in other.routines {
            let death = reached.death.filter(|death| death.sure != Sure::No);
            let Some(mut death) = death else { continue };
            if asked.contains(&number) && self.is_unsettled(number) {
                death.sure = Sure::Input;
                death.on = Some(name);
                self.routines.entry(number).or_default().death = Some(death);
            }
        }
    }

    /// Of a library whose user may say what decides only those deaths count that were `first`
    /// found, before anything was said. The others prove nothing: its user may have asked.
    pub fn keep_unsaid(&mut self, first: Self) {
        let both = [
            (&mut self.routines, first.routines),
            (&mut self.asking, first.asking),
        ];
        for (routines, mut firsts) in both {
            for (routine, reached) in routines {
                let first = firsts.remove(routine).and_then(|reached| reached.death);
                match (&mut reached.death, first) {
                    (Some(death), Some(first)) => *death = first,
                    (Some(death), None) => death.sure = Sure::No,
                    (None, _) => {}
                }
            }
        }
    }

    /// Whether a CPU was seen to die anywhere, by what proves something.
    #[must_use]
    pub fn has_deaths(&self) -> bool {
        let all = self.routines.values().chain(self.asking.values());
        let mut deaths = all.filter_map(|reached| reached.death.as_ref());
        deaths.any(|death| death.sure != Sure::No)
    }

    /// What runs on many CPUs came to: some have what a routine needs, and none that lacks it was
    /// seen to come there. `is_asked` says of which routines that is asked.
    pub(crate) fn tried(
        &mut self,
        came: Vec<(u32, Vec<Facts>)>,
        is_asked: impl Fn(&Self, u32) -> bool,
    ) {
        for (number, others) in came {
            if is_asked(self, number) {
                let reached = self.routines.entry(number).or_default();
                (reached.is_tried, reached.others) = (true, others);
            }
        }
    }

    pub(crate) fn asked(&mut self, at: u64) {
        if self.asks.len() < 8 && !self.asks.contains(&at) {
            self.asks.push(at);
        }
    }

    pub(crate) fn lost(&mut self, at: u64, conditions: &Conditions, symbols: &Symbols) {
        // A user's word may lead anywhere.
        let by_user = |kind| kind == Kind::Environment;
        let is_by_user = conditions
            .cubes()
            .iter()
            .all(|cube| cube.turns(symbols).any(by_user));
        self.is_complete &= is_by_user;
        if self.lost.len() < 32 && !self.lost.contains(&at) {
            self.lost.push(at);
        }
    }

    /// An instruction is come to that needs more than the baseline has; `asks` is of `xgetbv`.
    /// Where something was said that may decide, what a library is given may be that word.
    pub(crate) fn above(
        &mut self,
        (routine, asks): (u32, bool),
        state: &State,
        need: Facts,
        symbols: &Symbols,
        is_said: bool,
    ) -> bool {
        let mut lives = true;
        let routines = match asks {
            true => &mut self.asking,
            false => &mut self.routines,
        };
        let reached = routines.entry(routine).or_default();
        reached.is_unsure |= state.is_unsure;
        for cube in state.conditions.cubes() {
            let has = symbols.sold().unwrap_or(cube.has());
            if need.without(has.together()).is_none() {
                if reached.guards.len() < 8 && !reached.guards.contains(&has) {
                    reached.guards.push(has);
                }
                continue;
            }
            lives = false;
            // It is handled.
            if symbols.sold().is_some() && state.catches {
                continue;
            }
            let mut sure = match state.is_unsure {
                true => Sure::Input,
                false => Sure::Yes,
            };
            for kind in cube.turns(symbols) {
                sure = sure.min(match kind {
                    Kind::Input if !is_said => Sure::Input,
                    _ => Sure::No,
                });
            }
            // CPUs that have one of these, in practice, have what AVX2's have; and what an
            // unknown bit says nobody knows.
            let is_maybe = ["bmi2", "adx", "another extension"]
                .iter()
                .any(|name| has & Facts::named(name) != Facts::NONE);
            let begin = state.frames.first().map(|frame| frame.start);
            let is_duty = begin.is_some_and(|at| self.duties.contains(&at)) && !cube.asks(symbols);
            if state.catches || is_duty || is_maybe && symbols.sold().is_none() {
                sure = Sure::No;
            }
            if reached
                .death
                .as_ref()
                .is_some_and(|known| known.sure >= sure)
            {
                continue;
            }
            reached.death = Some(Death {
                at: state.at,
                need,
                has,
                asks: cube.asks(symbols),
                sure,
                path: state.frames.iter().map(|f| (f.start, f.call)).collect(),
                on: None,
            });
        }
        lives
    }
}
