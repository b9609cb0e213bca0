//! What was known of a routine in a round of settling variables, and whether it still is.
//!
//! Looking at a routine asks for three things that a round may change: what variables hold,
//! what other routines tell, and whether others go by what it tells. Where all answers are
//! what they were, in the order in which they were asked, so is what was found, and what it
//! cost in instructions.

use super::oracle::{Context, Oracle, numbers};
use super::routine::Told;
use super::suppose::Suppose;
use super::value::Value;
use std::rc::Rc;

/// A question, and its answer.
#[derive(Clone)]
pub(super) enum Asked {
    /// Of a variable: an address in it, where it begins, and bytes.
    Stored(u64, u64, u8, Value),
    /// Of another routine.
    Told((u32, Context), Option<Rc<Told>>),
    /// Whether others go by what a routine tells.
    Detects(u32, bool),
}

/// What one routine asks.
pub(super) type Log = Vec<Asked>;

/// What came of looking at a routine.
#[derive(Clone)]
pub(super) struct Record {
    told: Option<Rc<Told>>,
    asked: Rc<[Asked]>,
    /// Calls that had been followed inwards.
    depth: u8,
}

impl Oracle<'_> {
    /// Notes a question.
    pub(super) fn ask(&self, asked: impl FnOnce() -> Asked) {
        if !self.is_settled {
            self.log.borrow_mut().push(asked());
        }
    }

    /// What is known of a routine: from the round before if nothing it goes by has changed.
    pub(super) fn told_again(&self, key: &(u32, Context)) -> Option<Rc<Told>> {
        let outer = self.log.take();
        let record = self.records.borrow().get(key).cloned();
        let told = match record.filter(|record| self.is_same(record)) {
            Some(record) => record.told,
            None => {
                self.log.take();
                let told = Told::of(self, key.0, &Suppose::given(&numbers(&key.1))).map(Rc::new);
                let record = Record {
                    told: told.clone(),
                    asked: self.log.take().into(),
                    depth: self.depth.get(),
                };
                self.records.borrow_mut().insert(key.clone(), record);
                told
            }
        };
        self.log.replace(outer);
        told
    }

    fn is_same(&self, record: &Record) -> bool {
        let mut asked = record.asked.iter();
        record.depth == self.depth.get()
            && asked.all(|asked| match asked {
                Asked::Stored(at, start, bytes, value) => {
                    self.stored(*at, *start, *bytes) == *value
                }
                Asked::Detects(routine, is_one) => self.is_detecting(*routine) == *is_one,
                Asked::Told((routine, given), told) => {
                    let now = self.asked_again(*routine, given);
                    match (&now, told) {
                        (Some(now), Some(told)) => Rc::ptr_eq(now, told),
                        (None, None) => true,
                        _ => false,
                    }
                }
            })
    }
}
