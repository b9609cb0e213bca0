//! Routines that are given a word of flags and take pointers to kernels by its bits, such as
//! x264's `x264_pixel_init(cpu, functions)`, where it is not seen what they are given: the
//! word lies in a structure that the library's users hand in.
//!
//! Some routine of the file gives such a word (`Oracle::words`). Whether an installer is given
//! that one its own code says: where the bits mean what they mean there, each kernel that it
//! takes needs no more than the bits before it say. A word of another meaning fails that at the
//! first kernels. Nothing is ever refuted by it, and confidence is medium.

use super::handed_out::HandedOut;
use super::pointers::Given;
use super::reach::{Found, Search};
use karat_binary::numbers::NumberMap;
use karat_flow::facts::Facts;
use karat_flow::facts::routine::Told;
use karat_flow::facts::value::Value;
use karat_flow::sweep::to;
use karat_model::leaks::{Certainty, GateKind};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Kernels of a file that must fit a word, at least, and different needs among them: few
/// fit by chance.
const KERNELS: usize = 8;
const NEEDS: usize = 2;
/// One kernel of so many may not fit: where assembly has no symbols, a function's end is not
/// always seen. Of such a one nothing is said.
const MISFITS: usize = 8;
/// Instructions of an installer at most.
const LARGE: u32 = 50_000;

/// By routine: what is known of it where it is given the word.
pub(super) type Installers = NumberMap<u32, Rc<Told>>;

impl Search<'_> {
    /// The gate of a pointer that an installer takes, if its word says what is needed.
    pub(super) fn installed(
        &mut self,
        node: usize,
        user: u32,
        at: u64,
        ranges: &[(u64, u64)],
    ) -> Option<Found> {
        let installers = match &self.seen.installers {
            Some(known) => known.clone(),
            None => {
                let found = self.oracle.apart(|| self.find_installers());
                let found = Rc::new(found.unwrap_or_default());
                self.seen.installers = Some(found.clone());
                found
            }
        };
        let told = installers.get(&user)?;
        let given = Given::of(told, self.nodes[node].address, ranges, at);
        let facts = told.at(at) | given.given.or(given.handed).unwrap_or(Facts::NONE);
        let need = self.nodes[node].need;
        need.without(facts.together()).is_none().then(|| Found {
            kind: GateKind::Pointer,
            routine: user,
            at: given.place,
            source: None,
            features: facts.named_ones(),
            confidence: Certainty::Medium,
        })
    }

    fn find_installers(&self) -> Installers {
        let words = self.oracle.words();
        let mut out = Installers::default();
        if words.is_empty() {
            return out;
        }
        let users = self.takers();
        for word in words {
            let mut fit = Vec::new();
            let (mut kernels, mut needs) = (0, BTreeSet::<Facts>::new());
            for (&user, taken) in &users {
                if out.contains_key(&user) || self.oracle.is_spent() {
                    continue;
                }
                if let Some(told) = self.fits(user, taken, &word) {
                    kernels += taken.len();
                    needs.extend(taken.values());
                    fit.push((user, told));
                }
            }
            if kernels >= KERNELS && needs.len() >= NEEDS {
                out.extend(fit);
            }
        }
        out
    }

    /// Routines that take addresses of functions above the baseline, and of those that hand out
    /// such, with what these need.
    fn takers(&self) -> BTreeMap<u32, BTreeMap<u64, Facts>> {
        let mut all: BTreeMap<u32, BTreeMap<u64, Facts>> = BTreeMap::new();
        for (address, at) in &self.sweep.taken {
            let user = self.program.routine_at(at);
            let user = user.filter(|user| {
                let facts = &self.sweep.facts[*user as usize];
                facts.instructions <= LARGE && !self.is_stretch(*user)
            });
            if let Some(user) = user {
                let need = self.needed(address);
                all.entry(user).or_default().insert(address, need);
            }
        }
        let mut out = HandedOut::default();
        all.retain(|_, taken| {
            let is_one = |need: &Facts| !need.is_none();
            // What takes few takes no functions that hand out others.
            if taken.len() >= KERNELS {
                for (address, need) in &mut *taken {
                    if need.is_none() {
                        *need = out.by(self, *address);
                    }
                }
            }
            taken.retain(|_, need| is_one(need));
            !taken.is_empty()
        });
        all
    }

    /// What a function that begins at an address needs; nothing where none does.
    pub(super) fn needed(&self, address: u64) -> Facts {
        let Some(routine) = self.begins(address) else {
            return Facts::NONE;
        };
        let sets = self.sweep.facts[routine as usize].set_indices();
        sets.fold(Facts::NONE, |all, set| all | self.needs[usize::from(set)])
    }

    /// What is known of a routine where the arguments that it asks for bits of are a word, if
    /// the kernels that it takes fit.
    fn fits(&self, user: u32, taken: &BTreeMap<u64, Facts>, word: &Value) -> Option<Rc<Told>> {
        let asked: Vec<u8> = self.oracle.told(user)?.coarse().collect();
        if asked.is_empty() || self.is_refuted(user, &asked, word) {
            return None;
        }
        let given: Vec<(u8, Value)> = asked.iter().map(|at| (*at, word.clone())).collect();
        let told = self.oracle.told_with(user, &given)?;
        let is_one = |(address, need): &(&u64, &Facts)| {
            let given = Given::of(&told, **address, &[(**address, **address)], 0);
            let facts = given.given.or(given.handed).unwrap_or(Facts::NONE);
            need.without(facts.together()).is_none()
        };
        let misfits = taken.len() - taken.iter().filter(is_one).count();
        (misfits * MISFITS <= taken.len()).then_some(told)
    }

    /// The routine that begins at an address.
    pub(super) fn begins(&self, address: u64) -> Option<u32> {
        let routine = self.program.routine_at(address)?;
        (self.program.routines[routine as usize].start == address).then_some(routine)
    }

    /// Whether a caller is seen to give numbers whose bits say more than is there then.
    fn is_refuted(&self, user: u32, asked: &[u8], word: &Value) -> bool {
        let start = self.program.routines[user as usize].start;
        to(&self.sweep.edges, start).iter().any(|(_, at)| {
            let caller = self.program.routine_at(at);
            let told = caller.and_then(|caller| self.oracle.told(caller));
            let given = told.and_then(|told| told.calls.get(&at).cloned());
            given.is_some_and(|given| {
                let mut values = asked.iter().map(|number| &given[usize::from(*number)]);
                values.any(|value| value.says_less_than(word))
            })
        })
    }
}
