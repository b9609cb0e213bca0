//! Nodes of the search of [`reach`](super::reach) that are used through a pointer:
//! who takes their address, and what is known there. Those that name a table which has it are
//! in [`tables`](super::tables).

use super::reach::{Doubt, Found, Search, Soft, Way};
use super::ways::Up;
use iced_x86::{ConditionCode, FlowControl, Instruction, Mnemonic};
use karat_binary::numbers::NumberMap;
use karat_flow::facts::Facts;
use karat_flow::facts::routine::Told;
use karat_flow::graph::{Flow, branch};
use karat_flow::guard::Gate;
use karat_flow::program::Entry;
use karat_flow::sweep::to;
use karat_model::leaks::{Certainty, GateKind};

/// Instructions up to which a routine that takes an address is followed to the arguments
/// that it goes by though no branch of it is seen to be on a flag: a conditional move
/// chooses, or flags are combined first.
const SMALL: u32 = 64;
/// Instructions of a routine that does nothing but hand on what it takes the address of.
const HANDING: u32 = 32;

/// What is known of a pointer to a node where a routine has it.
pub(super) enum Tells {
    /// It is there only where what the node needs is.
    Enough(Found),
    /// It is there only where something is, and that is not enough.
    Short(Found),
    /// It is there only where these arguments of the routine are set; perhaps also behind
    /// a gate that is not enough.
    Given(Way, Option<Found>),
    /// It was followed to a call of it, whatever the CPU has.
    Called,
    /// It was followed, and is there whatever the CPU has.
    Nothing,
    /// It is there only where a gate is open that is not enough, and where a value that was
    /// not followed decides so, which may go by the CPU.
    Open,
    /// It was not followed.
    Unknown,
}

/// What holds where a routine gives a pointer on.
pub(super) struct Given {
    /// In the register of an argument, where a call is not followed.
    pub handed: Option<Facts>,
    /// Where it is stored, returned, given or called.
    pub given: Option<Facts>,
    /// Where it is called, and nothing else may be.
    pub called: Option<Facts>,
    /// It is called where something else may be, which is no proof that it ever is.
    pub is_perhaps_called: bool,
    /// The first such place.
    pub place: u64,
}

impl Given {
    /// Of what lies in `ranges`, and calls of an address; `at` is where it is named.
    pub fn of(told: &Told, address: u64, ranges: &[(u64, u64)], at: u64) -> Self {
        // What holds wherever it is given, and the first such place.
        let find = |all: &NumberMap<u64, (Facts, u64)>| {
            let is_it = |value: &u64| ranges.iter().any(|(a, b)| (*a..=*b).contains(value));
            let found = all.iter().filter(|(value, _)| is_it(value));
            let found = found.map(|(_, given)| *given);
            found.reduce(|(all, first), (one, place)| (all & one, first.min(place)))
        };
        let (handed, given) = (find(&told.handed), find(&told.escapes));
        let place = given.or(handed).map_or(at, |(_, place)| place);
        let (handed, given) = (handed.map(|it| it.0), given.map(|it| it.0));
        let calls = |is_whole: bool| {
            let reached = told.reached.values();
            let reached = reached.filter(|reached| reached.is_whole == is_whole);
            let targets = reached.flat_map(|reached| &reached.targets);
            let calls = targets.filter(|(to, _)| *to == address);
            calls.map(|(_, facts)| *facts).reduce(|all, one| all & one)
        };
        let (called, perhaps) = (calls(true), calls(false));
        let all = [given, called, perhaps].into_iter().flatten();
        let given = all.reduce(|all, one| all & one);
        Self {
            handed,
            given,
            called,
            is_perhaps_called: perhaps.is_some(),
            place,
        }
    }
}

/// Whether only XSAVE and what is not known are asked for, and a variant of it is needed: leaf
/// 0xd, which tells of these, is asked after it, so it does not say that nobody asks for more.
fn is_first_of_two(facts: Facts, need: Facts) -> bool {
    let variants = Facts::of(["xsavec", "xsaveopt", "xsaves"]);
    let asked = facts.features().extensions();
    let others = asked.without(Facts::named("xsave"));
    (others.is_none() || others.is_vague()) && need.without(facts).without(variants).is_none()
}

impl Search<'_> {
    /// A place that takes the address of a node.
    pub(super) fn pointer(&mut self, node: usize, at: u64, softness: u8) -> bool {
        let Some(user) = self.user(node, at) else {
            return false;
        };
        if self.is_stretch(user) {
            self.nodes[node].doubt = Some(Doubt::Stretch(user));
            return true;
        }
        if self.oracle.only_compares(at) {
            return false;
        }
        let address = self.nodes[node].address;
        match self.tells(node, user, at, &[(address, address)], false) {
            Tells::Enough(gate) => self.add_gate(node, gate),
            Tells::Short(gate) => {
                self.lead(node, user, at, softness, false, Some(gate));
            }
            Tells::Given(way, asked) => {
                if !self.is_masked(node, user, at) {
                    self.lead_given(node, (user, at), softness, way, asked);
                }
            }
            Tells::Called => self.lead_called(node, user, at, softness),
            Tells::Nothing => {
                self.lead(node, user, at, softness, false, None);
            }
            Tells::Open => self.nodes[node].doubt = Some(Doubt::Open(user)),
            Tells::Unknown => {
                if !self.is_chosen(node, user, at, false) {
                    self.lead(node, user, at, softness, false, None);
                }
            }
        }
        true
    }

    /// The routine with a place, where that may be a use of a node.
    pub(super) fn user(&self, node: usize, at: u64) -> Option<u32> {
        let user = self.program.routine_at(at)?;
        (self.is_code(user) && user != self.nodes[node].routine).then_some(user)
    }

    /// What is known where a routine comes to have a pointer, and where it gives it on.
    ///
    /// `is_first`: it is what a variable with a pointer begins with.
    pub(super) fn tells(
        &mut self,
        node: usize,
        user: u32,
        at: u64,
        ranges: &[(u64, u64)],
        is_first: bool,
    ) -> Tells {
        let mut known = self.tells_followed(node, user, at, ranges, is_first);
        if matches!(known, Tells::Unknown | Tells::Nothing | Tells::Open) {
            let gate = self.filled(node, user);
            let gate = gate.or_else(|| self.registered_there(node, user, at));
            known = gate.map_or(known, Tells::Enough);
        }
        self.or_kept_pointer(known, node, user, at, ranges)
    }

    /// The same by what is followed.
    fn tells_followed(
        &mut self,
        node: usize,
        user: u32,
        at: u64,
        ranges: &[(u64, u64)],
        is_first: bool,
    ) -> Tells {
        let own = &self.nodes[node];
        if let Some(gate) = self.named(own.routine, user, at, own.need) {
            return Tells::Enough(gate);
        }
        if let Some(gate) = self.installed(node, user, at, ranges) {
            return Tells::Enough(gate);
        }
        if self.is_passed(user) {
            return Tells::Unknown;
        }
        let told = self
            .reading(user)
            .and_then(|reading| self.told(user, &reading))
            .or_else(|| is_first.then(|| self.oracle.told(user)).flatten());
        // A table goes by an index, which is no flag.
        let own = self.nodes[node].address;
        let is_small =
            ranges == [(own, own)] && self.sweep.facts[user as usize].instructions <= SMALL;
        let told = told.or_else(|| is_small.then(|| self.told_by_callers(user)).flatten());
        // Nothing but its arguments counts in what is only small.
        let is_seen = told.is_some();
        let told = told.or_else(|| is_small.then(|| self.oracle.told(user)).flatten());
        let Some(told) = told else {
            return Tells::Unknown;
        };
        let address = self.nodes[node].address;
        let here = told.at(at);
        let Given {
            handed,
            given,
            called,
            is_perhaps_called,
            place,
        } = Given::of(&told, address, ranges, at);
        let need = self.nodes[node].need;
        // By a number that may be any it is picked as well.
        let given = match ranges.first().and_then(|range| told.indexed.any(*range)) {
            Some((any, _)) => Some(given.map_or(any, |given| given & any)),
            None => given,
        };
        // What is in the register of an argument may be left over from what chose it.
        let is_left =
            handed.is_some_and(|handed| !need.without((here | handed).together()).is_none());
        let given = given.or(handed);
        let facts = here | given.unwrap_or(Facts::NONE);
        let is_resolver = || self.is_resolver(user);
        let found = |confidence| Found {
            kind: match is_resolver() {
                true => GateKind::Ifunc,
                false => GateKind::Pointer,
            },
            routine: user,
            at: place,
            source: None,
            features: facts.named_ones(),
            confidence,
        };
        if !is_seen && (facts == Facts::ALL || facts.of_arguments().is_none()) {
            return Tells::Unknown;
        }
        let at_most = |sure| if is_left { Certainty::Low } else { sure };
        // What is not seen to run may run all the same: a variable may be set where that is not
        // followed.
        if facts == Facts::ALL {
            return Tells::Unknown;
        }
        if need.without(facts).is_none() && !facts.is_member() {
            return Tells::Enough(found(at_most(Certainty::High)));
        }
        if need.without(facts.together()).is_none() {
            return Tells::Enough(found(at_most(Certainty::Medium)));
        }
        let is_gated = facts.features().says();
        if facts.is_opaque() {
            return if is_gated && !is_first_of_two(facts, need) {
                Tells::Open
            } else {
                Tells::Unknown
            };
        }
        // Such a number may be one only where the CPU has what is needed.
        let hangs = is_gated && self.hangs_on_number(user, &told, place);
        let short = (is_gated && !hangs).then(|| found(Certainty::Medium));
        if !facts.of_arguments().is_none() {
            let way = Way {
                need: need.without(facts),
                arguments: facts.of_arguments(),
            };
            return Tells::Given(way, short);
        }
        if let Some(short) = short {
            return Tells::Short(short);
        }
        if hangs {
            return Tells::Open;
        }
        // It was followed to where it goes, and nothing had to be there.
        let is_open = |gate: &Gate| gate.is_strong() && !told.is_decoded(gate.at);
        let reading = self.reading(user);
        let is_followed = given.is_some()
            && reading.is_some_and(|reading| {
                !reading.gates.iter().any(is_open)
                    && reading.chooses.is_none_or(|(at, _)| {
                        told.is_decoded(at) || is_first && told.reached.contains_key(&at)
                    })
            });
        // What a call that may go elsewhere is lacking is not what a call of it lacks.
        let called = called.filter(|called| !need.without((here | *called).together()).is_none());
        match (is_followed && !self.is_resolver(user), called) {
            (true, Some(_)) => Tells::Called,
            (true, None) if !is_perhaps_called => Tells::Nothing,
            _ => Tells::Unknown,
        }
    }

    /// Whether a place is reached only where a value that is not followed equals a number, as
    /// FFmpeg's swscale picks kernels by how many bytes they do at once.
    fn hangs_on_number(&self, user: u32, told: &Told, at: u64) -> bool {
        // A reading keeps no instructions.
        let Some(flow) = Flow::of(self.program, self.sweep, user) else {
            return false;
        };
        let Some(place) = flow.block_at(at) else {
            return false;
        };
        (0..flow.blocks.len() as u32).any(|block| {
            let own = flow.of_block(block);
            let [before @ .., compared, last] = &*own else {
                return false;
            };
            let is_number = compared.mnemonic() == Mnemonic::Cmp
                && compared.try_immediate(1).is_ok_and(|number| number > 1);
            let is_equal = matches!(last.condition_code(), ConditionCode::e | ConditionCode::ne);
            // Bits of a word are no number.
            let is_mask = before.iter().any(|it| it.mnemonic() == Mnemonic::And);
            let sides = told.branches.get(last.ip());
            let is_asked = told.is_followed(last.ip())
                && sides.is_some_and(|(yes, no)| yes.features() != no.features());
            if !is_number || !is_equal || is_mask || is_asked {
                return false;
            }
            let side = match last.condition_code() {
                ConditionCode::e => branch(last),
                _ => Some(last.next_ip()),
            };
            let side = side.and_then(|side| flow.block_at(side));
            side.is_some_and(|side| !flow.reach(&[0], |_| false, &[(block, side)]).has(place))
        })
    }

    /// A place from which nothing is known but that it has the address, or that of
    /// a table with it.
    pub(super) fn lead(
        &mut self,
        node: usize,
        user: u32,
        at: u64,
        softness: u8,
        is_table: bool,
        short: Option<Found>,
    ) {
        let start = self.program.routines[user as usize].start;
        // What the C run-time is handed is `main`, and what that hands on Rust's.
        let is_start = !is_table
            && self.program.entries.get(&start) == Some(&Entry::Start)
            && self.is_begin(user)
            && self.is_plain(user);
        let way = Way::needing(self.nodes[node].need);
        let up = self.expose(start, user, softness + u8::from(!is_start), way);
        let soft = (!is_start).then_some(Soft::Pointer);
        self.lead_up(
            node,
            Up {
                short,
                ..Up::by(up, at, soft)
            },
        );
    }

    /// Whether a routine is where the program begins, or is taken there, as `main` is: by the first
    /// routine, or by one that this calls (musl's). What initialisers hand on is kept in tables.
    fn is_begin(&self, routine: u32) -> bool {
        let first = self.program.routine_at(self.program.start);
        let start = |routine: u32| self.program.routines[routine as usize].start;
        let is_first = |at: u64| self.program.routine_at(at) == first;
        let begins = |at: u64| {
            let calls = |taker| to(&self.sweep.edges, start(taker)).iter();
            let taker = self.program.routine_at(at);
            is_first(at) || taker.is_some_and(|taker| calls(taker).any(|(_, call)| is_first(call)))
        };
        let mut taken = to(&self.sweep.taken, start(routine)).iter();
        first == Some(routine) || taken.any(|(_, at)| begins(at))
    }

    /// Whether a routine decides nothing and does little: `_start` and Rust's `main` hand on
    /// what they take the address of, by their only call. A `main` that keeps it in a table may
    /// never call it, nor what it is given to where that asks the CPU.
    fn is_plain(&mut self, routine: u32) -> bool {
        if self.sweep.facts[routine as usize].instructions > HANDING {
            return false;
        }
        let is_plain = self.reading(routine).is_some_and(|reading| {
            let blocks = reading.flow.blocks.iter();
            reading.gates.is_empty() && blocks.into_iter().all(|block| block.next.len() <= 1)
        });
        // A reading keeps no instructions.
        let flow = is_plain.then(|| Flow::of(self.program, self.sweep, routine));
        flow.flatten().is_some_and(|flow| {
            let is_call = |it: &Instruction| {
                let flow = it.flow_control();
                matches!(flow, FlowControl::Call | FlowControl::IndirectCall)
            };
            let calls: Vec<Instruction> = flow.instructions().filter(is_call).collect();
            let asks = |call: &Instruction| {
                let to = branch(call).and_then(|to| self.program.routine_at(to));
                to.is_some_and(|to| self.asking.contains(&to))
            };
            calls.len() <= 1 && !calls.iter().any(asks)
        })
    }

    /// A place that has the address only where arguments of its routine are set: what
    /// its callers give decides.
    pub(super) fn lead_given(
        &mut self,
        node: usize,
        (user, at): (u32, u64),
        softness: u8,
        way: Way,
        asked: Option<Found>,
    ) {
        let start = self.program.routines[user as usize].start;
        let up = self.expose(start, user, softness, way);
        let short = asked;
        self.lead_up(
            node,
            Up {
                short,
                ..Up::by(up, at, Some(Soft::Pointer))
            },
        );
    }

    /// A place that calls it through a pointer whose values were followed.
    pub(super) fn lead_called(&mut self, node: usize, user: u32, at: u64, softness: u8) {
        let start = self.program.routines[user as usize].start;
        let way = Way::needing(self.nodes[node].need);
        let up = self.expose(start, user, softness, way);
        self.lead_up(node, Up::by(up, at, Some(Soft::Called)));
    }

    /// A resolver of an indirect function, or a part of one.
    pub(super) fn is_resolver(&self, routine: u32) -> bool {
        if !self.has_resolvers {
            return false;
        }
        let start = self.program.routines[routine as usize].start;
        let resolver = |address| self.program.entries.get(&address) == Some(&Entry::Resolver);
        resolver(start)
            || to(&self.sweep.edges, start).iter().take(8).any(|(_, at)| {
                let caller = self.program.routine_at(at);
                caller.is_some_and(|caller| resolver(self.program.routines[caller as usize].start))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xsave_is_asked_before_its_variants_only() {
        let [xsave, xsavec, avx2] = ["xsave", "xsavec", "avx2"].map(Facts::named);
        assert!(is_first_of_two(xsave, xsave | xsavec));
        assert!(!is_first_of_two(xsave, xsavec | avx2));
        assert!(!is_first_of_two(xsave | avx2, xsavec));
    }
}
