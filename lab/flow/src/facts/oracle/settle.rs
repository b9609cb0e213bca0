//! What variables hold: what all routines store there, until that no longer grows.
//!
//! An object behind a pointer is a variable too. Who reads the pointer may store in the object
//! or hand its address on, and is looked at as those are that name it. A pointer may come to
//! hold the addresses of other objects; these are looked at from then on.

use super::{Oracle, SETTLING};
use crate::cells::object_end;
use crate::facts::features::Facts;
use crate::facts::value::{Kind, Value};
use crate::sweep::within;
use iced_x86::InstructionInfoFactory;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// Rounds until variables must hold what they hold, and rounds in which that may still grow.
const ROUNDS: usize = 10;
const GROWING: usize = 3;
/// Routines that are looked at for what they store.
const WRITERS: usize = 3000;
/// Objects that pointers hold besides those that answers are written in, at most.
const POINTED: usize = 16;

/// Routines that name variables.
#[derive(Default)]
struct Users {
    /// All of them.
    readers: BTreeSet<u32>,
    /// Those that may do more than read.
    writers: BTreeSet<u32>,
    /// Pointers to objects that they do more with than read behind them.
    behind: BTreeSet<(u32, u64)>,
    /// Variables that more may write than are looked at.
    unseen: BTreeSet<u64>,
}

impl Users {
    /// The pointers of a routine.
    fn pointers(&self, routine: u32) -> impl Iterator<Item = u64> + '_ {
        let all = self.behind.range((routine, 0)..=(routine, u64::MAX));
        all.map(|(_, pointer)| *pointer)
    }
}

impl Oracle<'_> {
    pub(super) fn settle(&mut self) {
        let mut users = Users::default();
        let mut factory = InstructionInfoFactory::new();
        let found = self.detection;
        for (start, end) in found.cells.ranges().chain(found.picked.ranges()) {
            self.name_users(start, end, &mut users, &mut factory);
        }
        let far = OnceCell::new();
        users.writers.retain(|writer| !self.is_idle(*writer, &far));
        // What only reads them, for a kernel's sake, tells nobody.
        self.writers = (users.writers.iter().copied())
            .filter(|writer| {
                let told = self.told(*writer);
                told.is_some_and(|told| {
                    told.stores.iter().any(|(at, ..)| {
                        self.detection.cells.has(*at) || self.detection.picked.has(*at)
                    })
                })
            })
            .collect();
        self.told.borrow_mut().clear();
        for round in 0..=ROUNDS {
            let mut next: BTreeMap<u64, Vec<(u8, Value)>> = BTreeMap::new();
            let mut lost = self.lost.clone();
            lost.extend(&users.unseen);
            let mut perhaps = self.perhaps_lost.clone();
            for &writer in &users.writers {
                let Some(told) = self.told(writer) else {
                    lost.extend(users.pointers(writer));
                    continue;
                };
                for (at, bytes, value) in &told.stores {
                    if !self.touches_cell(*at, *bytes) {
                        continue;
                    }
                    let value = self.stored_by(writer, value);
                    let list = next.entry(*at).or_default();
                    match list.iter_mut().find(|(size, _)| size == bytes) {
                        Some((_, known)) => *known = known.or(&value),
                        None => list.push((*bytes, value)),
                    }
                }
                let handed = told.handed.keys().filter(|address| {
                    let is_left = !told.given.contains(address);
                    let object = is_left.then(|| self.object_start(**address)).flatten();
                    perhaps.extend(object);
                    object.is_none()
                });
                for address in told.escapes.keys().chain(handed).chain(&told.scattered) {
                    if self.program.is_written(*address) {
                        lost.insert(self.start_of(*address));
                    }
                }
            }
            let is_same = next == self.cells && lost == self.lost && perhaps == self.perhaps_lost;
            let is_late = round >= GROWING || self.left.get() < SETTLING / 2;
            if is_late && !is_same {
                // What still changes is not known, and what goes by it is looked at with that.
                for (at, list) in &next {
                    if self.cells.get(at) != Some(list) {
                        lost.insert(self.start_of(*at));
                    }
                }
            }
            self.cells = next;
            self.lost = lost;
            self.perhaps_lost = perhaps;
            self.told.borrow_mut().clear();
            let grows = round < GROWING && self.find_pointed(&mut users, &mut factory);
            if is_same && !grows || self.is_spent() {
                break;
            }
        }
        self.readers = users.readers;
    }

    /// Adds the routines that name a variable.
    fn name_users(
        &self,
        start: u64,
        end: u64,
        users: &mut Users,
        factory: &mut InstructionInfoFactory,
    ) {
        let all = self.program.all_threads(start);
        let first = match self.program.variable_start(start) {
            named if named < start => named,
            _ if all.is_some() => start,
            // What a structure without a name begins with.
            _ => start.saturating_sub(64),
        };
        let is_pointer = self.detection.pointers.has(start);
        // Of a variable of a thread the address is made of the base.
        let bases = all.into_iter().flatten();
        let bases = bases.flat_map(|base| within(&self.sweep.data, base, base + 1));
        for (to, at) in within(&self.sweep.data, first, end).iter().chain(bases) {
            let routine = self.program.routine_at(at);
            users.readers.extend(routine);
            let is_read = match is_pointer && to == start {
                true => self.only_reads_behind_pointer(at, start, factory),
                false => self.only_reads(at, first..end, factory),
            };
            let is_known = |one: &u32| users.writers.contains(one);
            if !is_read && users.writers.len() >= WRITERS && !routine.as_ref().is_some_and(is_known)
            {
                // What it stores is not known.
                users.unseen.insert(self.start_of(start));
                continue;
            }
            if !is_read {
                users.writers.extend(routine);
                if is_pointer {
                    users.behind.extend(routine.map(|routine| (routine, start)));
                }
            }
        }
    }

    /// Adds objects that pointers may hold; returns whether there are new ones.
    fn find_pointed(&mut self, users: &mut Users, factory: &mut InstructionInfoFactory) -> bool {
        let mut new = BTreeSet::new();
        for (pointer, _) in self.detection.pointers.ranges() {
            for (kind, _) in self.stored(pointer, pointer, 8).alternatives() {
                if let Kind::Const(to) = kind
                    && self.program.is_written(*to)
                    && self.object_start(*to).is_none()
                {
                    new.insert(*to);
                }
            }
        }
        let known = self.pointed.ranges().count();
        for &start in new.iter().take(POINTED.saturating_sub(known)) {
            let end = object_end(self.program, self.sweep, start);
            self.pointed.add(start, end);
            self.name_users(start, end, users, factory);
        }
        let grows = !new.is_empty() && known < POINTED;
        if grows {
            // What was not known to be an object was not followed as one.
            self.records.borrow_mut().clear();
            self.lost.clear();
        }
        grows
    }

    /// Where an object behind pointers begins that an address is in.
    pub(in crate::facts) fn object_start(&self, address: u64) -> Option<u64> {
        let found = self.detection.objects.start_of(address);
        found.or_else(|| self.pointed.start_of(address))
    }

    /// Where a variable begins.
    fn start_of(&self, address: u64) -> u64 {
        let object = self.object_start(address);
        object.unwrap_or_else(|| self.program.variable_start(address))
    }

    /// Whether a store reaches into a variable that is asked for.
    fn touches_cell(&self, at: u64, bytes: u8) -> bool {
        let mut each = (0..u64::from(bytes)).map(|by| at.saturating_add(by));
        each.any(|at| self.is_asked_for(at))
    }

    /// Whether an address is in a variable that is asked for.
    pub(in crate::facts) fn is_asked_for(&self, at: u64) -> bool {
        let found = self.detection;
        found.cells.has(at) || found.picked.has(at) || self.pointed.has(at)
    }

    /// Whether a value goes nowhere but to pointers that are looked at: addresses of objects,
    /// which all who read a pointer get there.
    pub(in crate::facts) fn is_kept_pointer(
        &self,
        places: &[(Kind, Facts)],
        value: &Value,
    ) -> bool {
        let is_pointer = |(kind, _): &(Kind, Facts)| matches!(kind, Kind::Const(at) if self.detection.pointers.has(*at));
        let is_object = |(kind, _): &(Kind, Facts)| matches!(kind, Kind::Const(at) if self.program.is_written(*at));
        places.iter().all(is_pointer) && value.alternatives().iter().all(is_object)
    }
}
