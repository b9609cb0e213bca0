//! One routine gone through: which places are reached, by which ways, and what is known of
//! the CPU there.

mod branch;
mod call;
mod follow;
mod layout;
mod live;
mod meets;

use super::features::Set;
use super::state::State;
use super::step::Memory;
use super::value::{OPAQUE, Val};
use super::whole::{Result, Whole};
pub(super) use layout::Layout;
use layout::discover;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Times that a block is gone through, at most.
const TIMES: usize = 300;

/// A way to another block of the routine.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Way {
    pub to: usize,
    pub has: Set,
    /// Something that is not understood decides whether it is taken.
    pub opaque: bool,
    /// Memory decides it, and no answer was seen to go there.
    pub vague: bool,
    /// It goes over a call of which it is not known whether it comes back.
    pub over: Option<u64>,
    /// The same of a call to another library.
    pub doubt: bool,
}

/// A way to another routine.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    pub at: u64,
    pub to: u64,
    pub has: Set,
    pub opaque: bool,
    /// Through a pointer.
    pub is_pointer: bool,
}

/// An instruction above the baseline that is reached.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Offence {
    pub at: u64,
    pub word: u32,
    pub need: Set,
    pub has: Set,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Block {
    pub start: u64,
    pub end: u64,
    pub has: Set,
    pub is_reached: bool,
    pub ways: Vec<Way>,
    pub calls: Vec<Call>,
    pub offences: Vec<Offence>,
    pub returns: bool,
    /// A call here that what comes back decides how the routine ends.
    pub tail: Option<u64>,
}

/// A branch that tells something of the CPU.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Gate {
    pub at: u64,
    /// What is there on one of its sides.
    pub has: Set,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Walked {
    /// The first is where the routine begins.
    pub blocks: Vec<Block>,
    pub gates: Vec<Gate>,
    /// Branches that something decides which is not understood, by their places.
    pub opaque: BTreeSet<u64>,
    /// A jump that is not followed.
    pub unclear: Option<u64>,
    /// Code that no branch of the routine leads to begins there.
    pub orphans: Vec<u64>,
    pub result: Option<Result>,
}

struct Walk<'w, 'p> {
    whole: &'w mut Whole<'p>,
    node: u64,
    layout: Rc<Layout>,
    states: Vec<Option<Box<State>>>,
    /// Blocks that are to be gone through, by their ranks.
    queue: BTreeSet<u32>,
    /// The block that is gone through.
    at: Option<usize>,
    /// Blocks that only one leads to, and what is known there.
    next: Vec<(usize, State)>,
    /// Of such blocks those that another was seen to lead to.
    met: BTreeSet<usize>,
    out: Walked,
    is_last: bool,
    lost: Vec<(Val, Set)>,
    /// Code that no branch leads to.
    orphans: Vec<u64>,
    /// Where the last call or jump by a register leads.
    chosen: Vec<u64>,
    /// What all jumps know that are not followed.
    flat: Option<Set>,
    /// What a user says is there where the routine calls code or hands it out.
    word: Set,
}

impl Walk<'_, '_> {
    /// Goes on until nothing changes.
    fn queued(&mut self) {
        let mut times = 0;
        while let Some(rank) = self.queue.pop_first() {
            times += 1;
            if times > TIMES * self.states.len().max(1) {
                self.out.unclear = Some(self.node);
                self.flat = Some(0);
                self.queue.clear();
                break;
            }
            self.block(self.layout.by_rank[rank as usize] as usize);
        }
    }
}

/// Goes through the routine that begins at an address.
pub(super) fn walk(whole: &mut Whole<'_>, node: u64, input: &State) -> Walked {
    let known = whole.layouts.get(&node).cloned();
    let layout = known.unwrap_or_else(|| {
        let layout = Rc::new(discover(whole, node));
        whole.layouts.insert(node, Rc::clone(&layout));
        layout
    });
    let word = whole.program.word_of(node);
    let mut input = input.clone();
    input.has |= word;
    let mut walk = Walk {
        whole,
        node,
        states: vec![None; layout.blocks.len()],
        queue: BTreeSet::new(),
        at: None,
        next: Vec::new(),
        met: BTreeSet::new(),
        out: Walked::default(),
        is_last: false,
        lost: Vec::new(),
        orphans: layout.orphans.clone(),
        chosen: Vec::new(),
        flat: layout.is_too_long.then_some(0),
        layout: Rc::clone(&layout),
        word,
    };
    if layout.is_too_long {
        walk.out.unclear = Some(node);
    }
    let has = input.has;
    walk.flow(node, input);
    walk.queued();
    // A jump by a table leads to places that are none yet: all is gone through anew, before
    // what no branch leads to.
    if !walk.whole.layouts.contains_key(&node) {
        return Walked::default();
    }
    for &orphan in &layout.orphans {
        let mut state = State::entry(&vec![OPAQUE; 31], has);
        state.share((0, i64::MIN));
        walk.flow(orphan, state);
    }
    walk.queued();
    walk.is_last = true;
    walk.out.result = None;
    walk.out.blocks = (layout.blocks.iter())
        .map(|(start, end)| Block {
            start: *start,
            end: *end,
            ..Block::default()
        })
        .collect();
    for number in 0..layout.blocks.len() {
        walk.block(number);
    }
    walk.out.orphans = layout.orphans.clone();
    if let Some(flat) = walk.flat {
        for block in &mut walk.out.blocks {
            block.has &= flat;
            block.ways.iter_mut().for_each(|way| way.has &= flat);
            block.calls.iter_mut().for_each(|call| call.has &= flat);
            block
                .offences
                .iter_mut()
                .for_each(|offence| offence.has &= flat);
        }
        if let Some(result) = &mut walk.out.result {
            result.has &= flat;
            result.values = [OPAQUE, OPAQUE];
        }
        let calls: Vec<Call> = walk
            .out
            .blocks
            .iter()
            .flat_map(|b| b.calls.clone())
            .collect();
        for call in calls {
            walk.whole.enter_softly(call.to, call.has, || {
                "a jump by a table that is not followed".into()
            });
        }
    }
    let lost = std::mem::take(&mut walk.lost);
    let out = walk.out;
    for (value, has) in lost {
        Memory::lose(whole, &value, has);
    }
    // The routine's beginning first.
    let mut out = out;
    if let Some(first) = out.blocks.iter().position(|block| block.start == node)
        && first != 0
    {
        out.blocks.swap(0, first);
        for way in out.blocks.iter_mut().flat_map(|block| &mut block.ways) {
            way.to = match way.to {
                to if to == first => 0,
                0 => first,
                to => to,
            };
        }
    }
    out
}
