//! Records of a table that say themselves whether they run: a probe function, or a word of
//! what is needed, beside the kernel. What is asked of a record is known of its kernel where
//! both are loaded from the same one ([`terms`](crate::terms)), between two times that the
//! routine goes on to another.

use super::oracle::Oracle;
use super::routine::Told;
use super::suppose::Suppose;
use crate::graph::Flow;
use crate::terms::{Term, Terms};
use karat_binary::numbers::NumberMap;
use std::rc::Rc;

/// Instructions of a routine that goes through such a table, at most.
const LARGEST: usize = 1000;
/// Bytes of a record, more than these.
const LEAST: u64 = 8;

/// A record that is looked at alone.
#[derive(Default)]
pub(super) struct Record {
    /// Loads from it by their place: the address.
    pub loads: NumberMap<u64, u64>,
    /// The block from which on it is this one.
    pub start: u32,
    /// Blocks from which on it may be another.
    pub others: Vec<u32>,
}

impl Oracle<'_> {
    /// What is known of a routine that loads a word of a table as one of many, where it is this
    /// word; by each way it does. `table` is where the table begins.
    #[must_use]
    pub fn records(&self, routine: u32, table: u64, word: u64) -> Vec<Rc<Told>> {
        let find = || {
            let records = self.find_records(routine, table, word).unwrap_or_default();
            let told = records.iter().map(|record| {
                let suppose = Suppose {
                    record: Some(record),
                    ..Suppose::default()
                };
                Told::of(self, routine, &suppose).map(Rc::new)
            });
            told.collect::<Option<Vec<_>>>().unwrap_or_default()
        };
        self.within(&self.for_records, find).unwrap_or_default()
    }

    fn find_records(&self, routine: u32, table: u64, word: u64) -> Option<Vec<Record>> {
        let program = self.program;
        if self.sweep.facts[routine as usize].instructions as usize > LARGEST {
            return None;
        }
        // Most go through no table, and are asked for many words.
        if let Some(instructions) = self.straight.borrow().get(&routine) {
            self.spend(*instructions);
            return None;
        }
        let flow = Flow::of(program, self.sweep, routine)?;
        self.spend(flow.count())?;
        let terms = Terms::of(&flow, program.convention);
        let is_through = |terms: &Terms| {
            let loads = terms.loads.values().filter(|(_, bytes)| *bytes == 8);
            let mut strides = loads.filter_map(|(term, _)| terms.stride(term));
            strides.any(|(_, stride)| stride > LEAST)
        };
        let Some(terms) = terms.filter(is_through) else {
            let mut straight = self.straight.borrow_mut();
            straight.insert(routine, flow.count());
            return None;
        };
        let is_one = |term: &Term| {
            let (start, stride) = terms.stride(term)?;
            let by = word.checked_sub(start).filter(|_| start >= table)?;
            (stride > LEAST && by.is_multiple_of(stride)).then_some(())
        };
        let mut seen: Vec<&Term> = Vec::new();
        let mut out = Vec::new();
        for (at, (term, bytes)) in &terms.loads {
            if *bytes != 8 || seen.contains(&term) || is_one(term).is_none() {
                continue;
            }
            seen.push(term);
            let mut loads = NumberMap::default();
            for (other, (near, _)) in &terms.loads {
                let place = word.wrapping_add(near.by.wrapping_sub(term.by));
                if near.parts == term.parts && program.is_data(place) && !program.is_written(place)
                {
                    loads.insert(*other, place);
                }
            }
            let others = terms.blocks(term);
            let site = flow.block_at(*at)?;
            let leads = |start: &u32| {
                let is_wall = |block: u32| block != *start && others.contains(&block);
                let is_always = *start == 0
                    || *start == site
                    || !flow.reach(&[0], |block| block == *start, &[]).has(site);
                is_always && flow.reach(&[*start], is_wall, &[]).has(site)
            };
            let start = others.iter().copied().find(leads)?;
            out.push(Record {
                loads,
                start,
                others,
            });
        }
        Some(out)
    }
}
