//! What is known of a routine's places: the order in which they are come to, and the registers
//! that are read again from there (Aho, Lam, Sethi and Ullman, *Compilers*, 2nd edition, 9.2.5
//! and 9.6).

use crate::a64;
use crate::convention::Convention;
use crate::instructions::operands::vector;
use crate::state::REGISTERS;
use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, OpAccess, Register,
};
use karat_flow::a64::decode::{Control, control};
use karat_flow::graph::Flow;
use karat_flow::order;
use karat_flow::program::Program;
use karat_flow::sweep::Sweep;

/// Places of one block are in the order of their addresses.
const BLOCK: u64 = 1 << 32;

/// Registers as bits: general ones, then those of vectors.
fn bit(register: Register) -> u64 {
    match vector(register) {
        Some(number) => 1 << (REGISTERS + number),
        None if register.is_gpr() => 1 << register.full_register().number(),
        None => 0,
    }
}

/// What is known of a routine that is called: what it reads, and that it writes nothing else.
#[derive(Clone, Copy, Default)]
pub(crate) struct Called {
    pub reads: Option<u64>,
    pub keeps: bool,
}

/// One block.
struct Block {
    start: u64,
    place: u64,
    /// Registers that are read again from its start.
    live: u64,
}

/// Of one routine.
pub(crate) struct Order {
    /// In the order of addresses.
    blocks: Vec<Block>,
    given: u64,
}

/// Registers that an instruction reads, and those that it writes as a whole.
fn used(
    factory: &mut InstructionInfoFactory,
    it: &Instruction,
    convention: &Convention,
    called: &mut dyn FnMut(u64) -> Called,
) -> (u64, u64) {
    let (mut reads, mut writes) = (0, 0);
    let info = factory.info(it);
    for used in info.used_registers() {
        let register = used.register();
        match used.access() {
            OpAccess::Write if register.size() >= 4 || vector(register).is_some() => {
                writes |= bit(register);
            }
            OpAccess::Write | OpAccess::NoMemAccess | OpAccess::None => {}
            _ => reads |= bit(register),
        }
    }
    match it.flow_control() {
        FlowControl::Call => {
            let called = called(it.near_branch_target());
            let written = if called.keeps { 0 } else { convention.written };
            (reads | called.reads.unwrap_or(convention.given), written)
        }
        FlowControl::IndirectCall => (reads | convention.given, convention.written),
        FlowControl::Return => (reads | convention.returned, writes),
        _ => (reads, writes),
    }
}

impl Order {
    /// `called` says what the routine at an address reads, if that is known.
    pub fn of(
        program: &Program<'_>,
        sweep: &Sweep,
        routine: u32,
        convention: &Convention,
        called: &mut dyn FnMut(u64) -> Called,
    ) -> Self {
        let given = convention.given;
        let Some(flow) = Flow::of(program, sweep, routine) else {
            let blocks = Vec::new();
            return Self { blocks, given };
        };
        let order = order::Order::of(&flow);
        let mut factory = InstructionInfoFactory::new();
        let mut blocks = Vec::with_capacity(flow.blocks.len());
        // By block: what it reads before it writes it, and what it writes.
        let mut effects = Vec::with_capacity(flow.blocks.len());
        for (number, block) in flow.blocks.iter().enumerate() {
            let bytes = program.bytes(block.start, block.end()).unwrap_or_default();
            let (mut reads, mut writes) = (0, 0);
            // What is not in the routine may read all.
            let mut last = if block.leaves || block.next.is_empty() {
                convention.returned | given
            } else {
                0
            };
            for (four, at) in bytes
                .chunks_exact(4)
                .zip((block.start..).step_by(4))
                .filter(|_| program.is_arm)
            {
                let word = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
                let (mut own, mut written) = a64::order::used(word);
                match control(word, at) {
                    Control::Call(to) => {
                        own |= called(to).reads.unwrap_or(convention.given);
                        written |= convention.written;
                    }
                    Control::CallRegister(_) => {
                        own |= convention.given;
                        written |= convention.written;
                    }
                    Control::Return => own |= convention.returned,
                    Control::Jump(to) if block.leaves => {
                        let reads = called(to).reads;
                        last = convention.returned | reads.unwrap_or(given);
                    }
                    _ => {}
                }
                reads |= own & !writes;
                writes |= written;
                if let Control::Return | Control::Call(_) = control(word, at) {
                    last = 0;
                }
            }
            let decoded = if program.is_arm { &[][..] } else { bytes };
            for it in Decoder::with_ip(64, decoded, block.start, DecoderOptions::NONE) {
                let (own, written) = used(&mut factory, &it, convention, called);
                reads |= own & !writes;
                writes |= written;
                match it.flow_control() {
                    // What it reads is known.
                    FlowControl::Return | FlowControl::Call => last = 0,
                    FlowControl::UnconditionalBranch if block.leaves => {
                        let reads = called(it.near_branch_target()).reads;
                        last = convention.returned | reads.unwrap_or(given);
                    }
                    _ => {}
                }
            }
            effects.push((reads, writes, last));
            blocks.push(Block {
                start: block.start,
                place: u64::from(order.rank(number)),
                live: reads,
            });
        }
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for number in (0..blocks.len()).rev() {
                let (reads, writes, last) = effects[number];
                let next = flow.blocks[number].next.iter();
                let behind = next.fold(last, |all, next| all | blocks[*next as usize].live);
                let live = reads | behind & !writes;
                is_changed |= live != blocks[number].live;
                blocks[number].live = live;
            }
        }
        Self { blocks, given }
    }

    fn block(&self, at: u64) -> Option<&Block> {
        let number = self.blocks.partition_point(|block| block.start <= at);
        self.blocks.get(number.checked_sub(1)?)
    }

    /// What a routine that begins there reads of what it is given.
    pub fn given(&self, start: u64) -> u64 {
        self.live(start) & self.given
    }

    /// The place of an address.
    pub fn rank(&self, at: u64) -> u64 {
        match self.block(at) {
            Some(block) => block.place * BLOCK + (at - block.start),
            None => at,
        }
    }

    /// Registers that are read again from an address; all but where a block begins.
    pub fn live(&self, at: u64) -> u64 {
        match self.block(at) {
            Some(block) if block.start == at => block.live,
            _ => u64::MAX,
        }
    }
}
