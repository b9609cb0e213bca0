//! Where the answers of CPUID flow in one routine.
//!
//! A forward data-flow analysis over the control-flow graph (as in Aho, Lam,
//! Sethi and Ullman, section 9.2): a register, stack slot or the flags are
//! *strong* when computed from CPUID, from a cell or from the result of a routine
//! that answers, and *weak* when they are a small value from memory or an
//! argument, which may be a flag that holds an answer. Memory other than the
//! stack and named variables is not followed.

use super::cells::Detection;
use super::fixed_point::fixed_point;
use super::graph::{Bits, Flow};
use super::guard::{Gate, Guarding, Guards};
use super::notes::{Found, Notes};
use super::program::Program;
use super::state::Source;
use super::sweep::Sweep;
use super::walk::Walk;
use iced_x86::{FlowControl, InstructionInfoFactory};
use karat_binary::numbers::NumberMap;
use std::cell::{OnceCell, RefCell};

/// Above this size a constant stored under a gate is no cell.
const SMALL: usize = 4000;
/// Above this size a constant that a gate decided on is no answer: it would be
/// the result of whatever the function is for.
const ACCESSOR: usize = 200;
/// Above this size what a function gives was not picked by the answers that it
/// goes by.
const PICKER: usize = 500;

/// Targets of a jump by the tag of a value, at most.
const TAGS: usize = 32;

/// What is known of the whole program.
#[derive(Clone, Copy)]
pub struct Known<'k> {
    /// The file.
    pub program: &'k Program<'k>,
    /// What the first pass found.
    pub sweep: &'k Sweep,
    /// What was found of detection so far.
    pub found: &'k Detection,
}

/// A store to a variable.
#[derive(Clone, Copy, Debug)]
pub struct Store {
    /// The variable.
    pub address: u64,
    /// Bytes.
    pub size: u64,
    /// The value is an answer, or a constant chosen by a gate.
    pub is_answer: bool,
    /// The value is an address of code, chosen by a gate.
    pub is_pointer: bool,
    /// The value was picked by answers.
    pub is_picked: bool,
}

/// What one routine does with answers.
pub struct Reading {
    /// Its control-flow graph.
    pub flow: Flow,
    /// Branches on answers.
    pub gates: Vec<Gate>,
    /// Stores to variables.
    pub stores: Vec<Store>,
    /// It returns an answer.
    pub answers: bool,
    /// Its result may be a flag.
    pub may_flag: bool,
    /// It writes an answer through a pointer.
    pub fills: bool,
    /// A conditional move or an indirect call goes by an answer.
    pub chooses: Option<(u64, Source)>,
    /// Addresses of variables given to routines that fill.
    pub filled: Vec<u64>,
    /// It returns what answers picked, or writes it where its first argument says.
    pub picks: bool,
    /// Where it stores what answers picked: number of an argument, and distance.
    pub selects: Vec<(u8, i64)>,
    /// Worked out when asked for.
    pub guards: OnceCell<Guards>,
    /// A block, and all that is reached from it: the last that was asked for.
    pub(crate) reached: RefCell<Option<(u32, Bits)>>,
    /// By entry and block: what was asked for.
    pub(crate) guarding: RefCell<NumberMap<(u32, u32), Guarding>>,
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
            may_flag: false,
            fills: false,
            chooses: None,
            filled: Vec::new(),
            picks: false,
            selects: Vec::new(),
            guards: OnceCell::new(),
            reached: RefCell::default(),
            guarding: RefCell::default(),
        };
        let is_kernel = known.sweep.facts[routine as usize].extended;
        let is_asker = known.sweep.facts[routine as usize].asks;
        let calls_kernel = reading.pass(known, is_kernel, is_asker, None)?;
        let small = reading.flow.count() <= SMALL;
        if small && reading.gates.iter().any(|gate| gate.is_strong()) {
            let decided = reading.decided();
            // What calls a kernel gives the kernel's result.
            let picks = !is_kernel && !calls_kernel && reading.flow.count() <= PICKER;
            let starts: Vec<u32> = (reading.gates.iter())
                .filter(|gate| picks && gate.is_strong())
                .flat_map(|gate| {
                    reading.flow.blocks[gate.block as usize]
                        .next
                        .iter()
                        .copied()
                })
                .collect();
            let after = reading.flow.reach(&starts, |_| false, &[]);
            reading.pass(known, is_kernel, is_asker, Some((&decided, &after)))?;
        }
        reading.flow.forget();
        Some(reading)
    }

    /// Whether the CPU's answer decides anything here.
    pub fn asks(&self) -> bool {
        self.chooses.is_some() || self.gates.iter().any(|gate| gate.is_strong())
    }

    /// Runs the analysis to its fixed point and notes what is asked of it.
    /// `known_gates` are the blocks that gates decide, and those behind gates.
    /// Returns whether the routine calls one with instructions of extensions; none
    /// if the fixed point is too far: what is known before it may be wrong.
    fn pass(
        &mut self,
        known: Known<'_>,
        is_kernel: bool,
        is_asker: bool,
        known_gates: Option<(&Bits, &Bits)>,
    ) -> Option<bool> {
        let (decided, after) = (known_gates.map(|g| g.0), known_gates.map(|g| g.1));
        let mut walk = Walk {
            known,
            factory: InstructionInfoFactory::new(),
            decided: false,
            is_after: false,
            is_accessor: self.flow.count() <= ACCESSOR && !is_kernel,
            is_asker,
            notes: None,
        };
        // By block: what was found when it was gone through last.
        let mut found = Found::of(self.flow.blocks.len());
        let mut room = Vec::new();
        fixed_point(&self.flow, known.program, |block, state| {
            walk.decided = decided.is_some_and(|decided| decided.has(block));
            walk.is_after = after.is_some_and(|after| after.has(block));
            walk.notes = Some(Notes::default());
            let instructions = self.flow.of_block_in(block, &mut room);
            let known = &self.flow.blocks[block as usize];
            for (index, instruction) in instructions.iter().enumerate() {
                let gate = walk.gate(state, &instructions[..index], instruction);
                // A table with more targets is an interpreter's, or a parser's.
                let is_wide = known.next.len() > TAGS;
                let gate = gate.filter(|gate| gate.is_strong() || !is_wide);
                if let (Some(source), Some(notes)) = (gate, &mut walk.notes) {
                    if known.next.len() > 1
                        || known.leaves
                            && instruction.flow_control() == FlowControl::ConditionalBranch
                    {
                        notes.gates.push(Gate {
                            block,
                            at: instruction.ip(),
                            source,
                        });
                    } else if source.is_strong() {
                        notes.chooses.get_or_insert((instruction.ip(), source));
                    }
                }
                walk.step(state, instruction);
            }
            found.set(block, walk.notes.take().unwrap_or_default());
        })?;
        let notes = found.all();
        self.gates = notes.gates;
        self.stores = notes.stores;
        self.answers = notes.answers;
        self.may_flag = notes.may_flag;
        self.fills = notes.fills;
        self.chooses = notes.chooses;
        self.filled = notes.filled;
        self.picks = notes.picks;
        self.selects = notes.selects;
        Some(notes.calls_kernel)
    }
}
