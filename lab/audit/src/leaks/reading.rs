//! Where the answers of CPUID flow in one routine.
//!
//! A forward data-flow analysis over the control-flow graph (as in Aho, Lam,
//! Sethi and Ullman, section 9.2): a register, stack slot or the flags are
//! *strong* when computed from CPUID, from a cell or from the result of a routine
//! that answers, and *weak* when they are a small value from memory or an
//! argument, which may be a flag that holds an answer. Memory other than the
//! stack and named variables is not followed.

use super::cells::Cells;
use super::flow::{Bits, Flow};
use super::guard::{Gate, Guards};
use super::program::Program;
use super::state::{Source, State, Value};
use super::sweep::Sweep;
use super::walk::{Notes, Walk};
use iced_x86::{FlowControl, InstructionInfoFactory};
use std::cell::OnceCell;
use std::collections::HashSet;

/// Above this size a constant stored under a gate is no cell.
const SMALL: usize = 4000;
/// Above this size a constant that a gate decided on is no answer: it would be
/// the result of whatever the function is for.
const ACCESSOR: usize = 200;

/// What is known of the whole program.
#[derive(Clone, Copy)]
pub(crate) struct Known<'k> {
    pub program: &'k Program<'k>,
    pub sweep: &'k Sweep,
    pub cells: &'k Cells,
    /// Routines whose result is an answer.
    pub answers: &'k HashSet<u32>,
    /// Routines that write answers through a pointer they are given.
    pub fills: &'k HashSet<u32>,
}

/// A store to a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Store {
    pub address: u64,
    pub size: u64,
    /// The value is an answer, or a constant chosen by a gate.
    pub is_answer: bool,
    /// The value is an address of code, chosen by a gate.
    pub is_pointer: bool,
}

/// What one routine does with answers.
pub(crate) struct Reading {
    pub flow: Flow,
    pub gates: Vec<Gate>,
    pub stores: Vec<Store>,
    /// It returns an answer.
    pub answers: bool,
    /// It writes an answer through a pointer.
    pub fills: bool,
    /// A conditional move or an indirect call goes by an answer.
    pub chooses: Option<(u64, Source)>,
    /// Addresses of variables given to routines that fill.
    pub filled: Vec<u64>,
    /// Worked out when asked for.
    pub(super) guards: OnceCell<Guards>,
}

impl Reading {
    /// Reads a routine; none if it cannot be looked into.
    pub fn of(known: Known<'_>, routine: u32) -> Option<Self> {
        let flow = Flow::of(known.program, known.sweep, routine)?;
        let mut reading = Self {
            flow,
            gates: Vec::new(),
            stores: Vec::new(),
            answers: false,
            fills: false,
            chooses: None,
            filled: Vec::new(),
            guards: OnceCell::new(),
        };
        let is_kernel = known.sweep.facts[routine as usize].extended;
        reading.pass(known, is_kernel, None);
        let small = reading.flow.instructions.len() <= SMALL;
        if small && reading.gates.iter().any(|gate| gate.is_strong()) {
            let decided = reading.decided();
            reading.pass(known, is_kernel, Some(&decided));
        }
        reading.flow.instructions = Vec::new();
        Some(reading)
    }

    /// Whether the CPU's answer decides anything here.
    pub fn asks(&self) -> bool {
        self.chooses.is_some() || self.gates.iter().any(|gate| gate.is_strong())
    }

    /// Runs the analysis to its fixed point and notes what is asked of it.
    fn pass(&mut self, known: Known<'_>, is_kernel: bool, decided: Option<&Bits>) {
        let count = self.flow.blocks.len();
        let mut walk = Walk {
            known,
            factory: InstructionInfoFactory::new(),
            decided: false,
            is_accessor: self.flow.instructions.len() <= ACCESSOR && !is_kernel,
            notes: None,
        };
        let mut states: Vec<Option<State>> = vec![None; count];
        let mut queued = vec![false; count];
        let mut queue = std::collections::VecDeque::new();
        if count > 0 {
            states[0] = Some(State::entry());
            queue.push_back(0u32);
            queued[0] = true;
        }
        // Blocks that only the unwinder or another routine enters.
        let reached = self.flow.reach(&[0], |_| false, &[]);
        for block in 1..count as u32 {
            if !reached.has(block) {
                let mut state = State::entry();
                state.values = [Value::Unknown; 16];
                states[block as usize] = Some(state);
                queue.push_back(block);
                queued[block as usize] = true;
            }
        }
        let mut budget = count * 30 + 1000;
        while let Some(block) = queue.pop_front() {
            queued[block as usize] = false;
            let Some(left) = budget.checked_sub(1) else {
                break;
            };
            budget = left;
            let Some(mut state) = states[block as usize].clone() else {
                continue;
            };
            walk.decided = decided.is_some_and(|decided| decided.has(block));
            for instruction in self.flow.of_block(block) {
                walk.step(&mut state, instruction);
            }
            for &next in &self.flow.blocks[block as usize].next {
                let new = match &mut states[next as usize] {
                    Some(known) => known.join(&state),
                    slot => {
                        *slot = Some(state.clone());
                        true
                    }
                };
                if new && !std::mem::replace(&mut queued[next as usize], true) {
                    queue.push_back(next);
                }
            }
        }
        let mut notes = Notes::default();
        for (block, state) in states.into_iter().enumerate() {
            let Some(mut state) = state else { continue };
            walk.decided = decided.is_some_and(|decided| decided.has(block as u32));
            walk.notes = Some(notes);
            let instructions = self.flow.of_block(block as u32);
            for (index, instruction) in instructions.iter().enumerate() {
                let gate = walk.gate(&state, &instructions[..index], instruction);
                if let (Some(source), Some(notes)) = (gate, &mut walk.notes) {
                    if self.flow.blocks[block].next.len() > 1
                        || self.flow.blocks[block].leaves
                            && instruction.flow_control() == FlowControl::ConditionalBranch
                    {
                        notes.gates.push(Gate {
                            block: block as u32,
                            at: instruction.ip(),
                            source,
                        });
                    } else if source != Source::Flag {
                        notes.chooses.get_or_insert((instruction.ip(), source));
                    }
                }
                walk.step(&mut state, instruction);
            }
            notes = walk.notes.take().unwrap_or_default();
        }
        self.gates = notes.gates;
        self.stores = notes.stores;
        self.answers = notes.answers;
        self.fills = notes.fills;
        self.chooses = notes.chooses;
        self.filled = notes.filled;
    }
}
