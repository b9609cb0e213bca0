//! The edges behind a block: which may be gone, and with what.

use super::features::Facts;
use super::plain::asks_nothing;
use super::state::State;
use super::step::Step;
use super::value::Kind;
use crate::graph::{Flow, branch};
use iced_x86::{FlowControl, Instruction};
use karat_binary::numbers::NumberMap;
use std::cell::RefCell;

/// The edges behind a block.
pub(super) struct Edges<'e, 'o, 'p> {
    pub step: &'e Step<'o, 'p>,
    pub flow: &'e Flow,
    pub is_detecting: bool,
    /// By block and the next one: whether all ways from there lead over that.
    pub inevitable: &'e RefCell<NumberMap<(u32, u32), bool>>,
    pub block: u32,
    pub last: Option<&'e Instruction>,
}

impl Edges<'_, '_, '_> {
    /// Tells the state on each edge that may be gone, where it is another one there.
    pub fn follow(&self, state: &State, mut enter: impl FnMut(u32, Option<State>)) {
        if state.facts == Facts::ALL {
            return;
        }
        let flow = self.flow;
        let next = &flow.blocks[self.block as usize].next;
        let mut under = |next: u32, facts: Facts| match state.facts | facts == state.facts {
            true => enter(next, None),
            false => {
                let mut state = state.clone();
                state.facts |= facts;
                enter(next, Some(state));
            }
        };
        match self.last.map(|last| (last, last.flow_control())) {
            Some((last, FlowControl::ConditionalBranch))
                if !last.is_jcx_short() && !last.is_loop() =>
            {
                self.decide(state, last, enter);
            }
            Some((last, FlowControl::IndirectBranch)) => {
                let target = self.step.read(state, last, 0);
                for &next in next {
                    let start = flow.blocks[next as usize].start;
                    let mut facts = Facts::ALL;
                    for (kind, known) in target.alternatives() {
                        match kind {
                            Kind::Const(to) if *to != start => {}
                            Kind::Const(_) => facts = facts & *known,
                            _ => facts = Facts::NONE,
                        }
                    }
                    if facts != Facts::ALL {
                        under(next, facts);
                    }
                }
            }
            _ => next.iter().for_each(|next| under(*next, Facts::NONE)),
        }
    }

    /// Whether the other side of the branch comes to a block too, as what follows a loop is
    /// come to whatever the branch at its end decides.
    fn is_inevitable(&self, next: u32) -> bool {
        let key = (self.block, next);
        if let Some(known) = self.inevitable.borrow().get(&key) {
            return *known;
        }
        let blocks = &self.flow.blocks;
        let others = blocks[self.block as usize].next.iter().copied();
        let others: Vec<u32> = others.filter(|other| *other != next).collect();
        let reached = self.flow.reach(&others, |block| block == next, &[]);
        let mut around = (0..blocks.len() as u32).filter(|block| *block != next);
        let is_one = reached.has(next)
            && !around.any(|block| reached.has(block) && blocks[block as usize].leaves);
        self.inevitable.borrow_mut().insert(key, is_one);
        is_one
    }

    /// The two sides of a branch.
    fn decide(&self, state: &State, last: &Instruction, mut enter: impl FnMut(u32, Option<State>)) {
        let flow = self.flow;
        let decided = state.decide_at(last.condition_code());
        let target = branch(last).and_then(|to| {
            let block = flow.block_at(to)?;
            (flow.blocks[block as usize].start == to).then_some(block)
        });
        let fallen = flow.block_at(last.next_ip());
        let is_open = decided.yes.is_none() && decided.no.is_none() && !state.is_followed();
        for &next in &flow.blocks[self.block as usize].next {
            let (is_target, is_fallen) = (target == Some(next), fallen == Some(next));
            let mut facts = match (is_target, is_fallen) {
                (true, false) => decided.yes,
                (false, true) => decided.no,
                _ => decided.yes & decided.no,
            };
            if facts == Facts::ALL {
                continue;
            }
            // In what tells others, a question that is not understood may matter.
            if self.is_detecting
                && is_open
                && !asks_nothing(&flow.of_block(self.block))
                && !self.is_inevitable(next)
            {
                facts |= Facts::opaque(is_target);
            }
            let is_side = is_target != is_fallen;
            let bounded = decided.bounded.as_ref().filter(|_| is_side);
            let bounded = bounded.and_then(|it| Some((&it.of, it.side(&it.of, is_target)?)));
            let is_place = is_side && bounded.is_none();
            let place = decided.place.as_ref().filter(|_| is_place);
            if place.is_none() && bounded.is_none() && state.facts | facts == state.facts {
                enter(next, None);
                continue;
            }
            let mut state = state.clone();
            state.facts |= facts;
            if let Some((of, value)) = bounded {
                state.refine_copies(of, value);
            }
            if let Some((place, yes, no)) = place {
                let value = if is_target { yes } else { no };
                state.refine(*place, value.clone());
            }
            enter(next, Some(state));
        }
    }
}
