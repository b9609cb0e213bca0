//! Functions' addresses that values are compared with. Where a value is one, that function was
//! handed out before, so what holds wherever it is handed out holds there: OpenSSL's AES-GCM goes
//! on with AVX where the function that was chosen for hashing is the one with AVX.

use super::judge::Place;
use super::pointers::Given;
use super::reach::{Found, Search, Soft, Way};
use super::ways::Up;
use iced_x86::{ConditionCode, FlowControl, Instruction, Mnemonic, OpKind, Register};
use karat_flow::facts::Facts;
use karat_flow::graph::{Flow, branch};
use karat_flow::program::Word;
use karat_flow::sweep::to;
use karat_model::leaks::{Certainty, GateKind};
use std::rc::Rc;

/// Places where a function is handed out that are looked at, at most.
const HANDED: usize = 16;

/// A branch on whether a value is a function's address.
#[derive(Clone, Copy)]
pub(super) struct Equality {
    function: u64,
    at: u64,
    /// The edge over which it is: blocks.
    edge: (u32, u32),
}

/// What comparisons with functions' addresses say of a place.
pub(super) enum Equal {
    Nothing,
    /// The branch may ask for what is needed.
    Perhaps(u64),
    /// All that leads on was added to the node.
    Leads,
}

impl Search<'_> {
    /// Leads a node on from a place that is reached only where values are functions' addresses:
    /// there is what these are handed out behind. Of what that leaves open each function is asked
    /// for what it needs itself. What is not known of one that is above the baseline may be all
    /// that is needed.
    pub(super) fn by_equal(&mut self, node: usize, place: Place, way: Way, softness: u8) -> Equal {
        let equal = self.equal(place);
        let Some(first) = equal.first().copied() else {
            return Equal::Nothing;
        };
        let mut others = equal.iter();
        let kernel = others.find(|it| !self.needed(it.function).is_none());
        let open = kernel.map_or(Equal::Nothing, |it| Equal::Perhaps(it.at));
        let each = equal.iter().map(|it| self.handed_out_behind(it.function));
        let known = each
            .collect::<Vec<Facts>>()
            .into_iter()
            .fold(Facts::NONE, |all, one| all | one);
        let rest = way.need.without(known.together());
        let gate = Found {
            kind: GateKind::Branch,
            routine: place.routine,
            at: first.at,
            source: None,
            features: known.named_ones(),
            confidence: Certainty::Medium,
        };
        let mut parts: Vec<(u64, u32, Facts)> = Vec::new();
        for Equality { function, .. } in equal {
            let part = rest & self.needed(function).closed();
            let is_own = !part.is_none() && !self.program.entries.contains_key(&function);
            if let Some(routine) = self.begins(function).filter(|_| is_own) {
                parts.push((function, routine, part));
            }
        }
        let all = parts.iter().fold(Facts::NONE, |all, part| all | part.2);
        if !rest.without(all).is_none() {
            return open;
        }
        self.add_gate(node, gate);
        for (function, routine, part) in parts {
            let up = self.expose(function, routine, softness + 1, Way::needing(part));
            self.lead_up(node, Up::by(up, place.at, Some(Soft::Pointer)));
        }
        Equal::Leads
    }

    /// The comparisons that hold wherever a place is reached.
    fn equal(&mut self, place: Place) -> Vec<Equality> {
        let all = self.equalities(place.routine);
        if all.is_empty() {
            return Vec::new();
        }
        let Some(flow) = Flow::of(self.program, self.sweep, place.routine) else {
            return Vec::new();
        };
        let block = |at| flow.block_at(at);
        let (Some(first), Some(block)) = (block(place.entry), block(place.at)) else {
            return Vec::new();
        };
        let holds = |it: &&Equality| !flow.reach(&[first], |_| false, &[it.edge]).has(block);
        all.iter().filter(holds).copied().collect()
    }

    /// All of a routine.
    fn equalities(&mut self, routine: u32) -> Rc<[Equality]> {
        if let Some(known) = self.seen.equalities.get(&routine) {
            return known.clone();
        }
        let flow = Flow::of(self.program, self.sweep, routine);
        let found = flow.map_or(Vec::new(), |flow| {
            let blocks = 0..flow.blocks.len() as u32;
            blocks
                .filter_map(|block| self.equality(&flow, block))
                .collect()
        });
        let found: Rc<[Equality]> = found.into();
        self.seen.equalities.insert(routine, found.clone());
        found
    }

    /// The one that a block ends with.
    fn equality(&self, flow: &Flow, block: u32) -> Option<Equality> {
        if flow.blocks[block as usize].last != FlowControl::ConditionalBranch {
            return None;
        }
        let own = flow.of_block(block);
        let (last, before) = own.split_last()?;
        let side = match last.condition_code() {
            ConditionCode::e => branch(last)?,
            ConditionCode::ne => last.next_ip(),
            _ => return None,
        };
        let at = before.iter().rposition(|it| it.rflags_modified() != 0)?;
        let (before, compared) = (&before[..at], &before[at]);
        if compared.mnemonic() != Mnemonic::Cmp {
            return None;
        }
        let function = (0..2).find_map(|operand| self.function(before, compared, operand))?;
        let side = flow.block_at(side)?;
        Some(Equality {
            function,
            at: last.ip(),
            edge: (block, side),
        })
    }

    /// The function whose address an operand is.
    fn function(
        &self,
        before: &[Instruction],
        compared: &Instruction,
        operand: u32,
    ) -> Option<u64> {
        let named = match compared.op_kind(operand) {
            OpKind::Register if compared.op_register(operand).is_gpr64() => {
                let register = compared.op_register(operand);
                let sets = |it: &&Instruction| {
                    it.op0_kind() == OpKind::Register
                        && it.op0_register().full_register() == register
                };
                let last = before.iter().rev().find(sets)?;
                let is_address =
                    last.mnemonic() == Mnemonic::Lea && last.is_ip_rel_memory_operand();
                match last.mnemonic() {
                    _ if is_address => Some(last.ip_rel_memory_address()),
                    Mnemonic::Mov => self.slot_or_number(last, 1),
                    _ => None,
                }
            }
            OpKind::Register => None,
            _ => self.slot_or_number(compared, operand),
        };
        named.filter(|named| self.begins(*named).is_some())
    }

    /// An address in the global offset table, or as an immediate where the file does not move.
    fn slot_or_number(&self, instruction: &Instruction, operand: u32) -> Option<u64> {
        if instruction.op_kind(operand) != OpKind::Memory {
            let number = instruction.try_immediate(operand).ok();
            return number.filter(|_| self.program.is_fixed);
        }
        let slot = instruction.ip_rel_memory_address();
        let is_slot = instruction.memory_base() == Register::RIP && self.program.is_got(slot);
        match self.program.words.get(slot).filter(|_| is_slot)? {
            Word::Address(to) => Some(to),
            Word::Import(_) => None,
        }
    }

    /// What holds wherever a function's address is taken to be used, where all such places are
    /// seen: nobody else may have it.
    fn handed_out_behind(&mut self, function: u64) -> Facts {
        let (program, sweep) = (self.program, self.sweep);
        let is_known =
            !program.entries.contains_key(&function) && to(&program.pointers, function).is_empty();
        let taken = to(&sweep.taken, function).iter().map(|(_, at)| at);
        let taken: Vec<u64> = taken.filter(|at| !self.oracle.only_compares(*at)).collect();
        if !is_known || taken.is_empty() || taken.len() > HANDED {
            return Facts::NONE;
        }
        let each = taken.into_iter().map(|at| self.behind(function, at));
        each.fold(Facts::ALL, |all, one| all & one)
    }

    /// What holds where one place hands it out.
    fn behind(&mut self, function: u64, at: u64) -> Facts {
        let told = self.program.routine_at(at).and_then(|user| {
            let reading = self.reading(user)?;
            self.told(user, &reading)
        });
        let Some(told) = told else {
            return Facts::NONE;
        };
        let given = Given::of(&told, function, &[(function, function)], at);
        let facts = told.at(at) | given.given.or(given.handed).unwrap_or(Facts::NONE);
        // What is not seen to run says nothing.
        match facts == Facts::ALL {
            true => Facts::NONE,
            false => facts.extensions(),
        }
    }
}
