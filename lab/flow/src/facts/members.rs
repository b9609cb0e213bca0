//! Members of structures behind pointers that are not followed, such as a flag in memory
//! that is allocated: what is at a distance is whatever the file stores at that distance
//! behind any pointer (a field-based analysis, as Heintze and Tardieu, PLDI 2001, call it).
//!
//! It is zero besides, which is how such memory begins. What is copied as a whole is
//! taken to have come by the same stores.

use super::features::Facts;
use super::oracle::Oracle;
use super::value::Value;
use crate::sweep::within;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};

/// Stores to one member that are looked at, at most.
const STORES: usize = 48;
/// Of a member that no answer is stored in: stores at most, and distance at least. What
/// is near the start of a structure has its distance in common with too many others.
const PLAIN_STORES: usize = 4;
const PLAIN_FROM: u64 = 64;
/// Bytes that one instruction stores at most.
const WIDEST: u64 = 64;

/// The distance from a pointer, of an operand that is a member of a structure: a base and
/// no index, and not a slot of the stack.
#[must_use]
pub fn distance(instruction: &Instruction) -> Option<u64> {
    let base = instruction.memory_base();
    let is_plain = base.is_gpr64()
        && instruction.memory_index() == Register::None
        && !matches!(instruction.memory_segment(), Register::FS | Register::GS);
    let at = instruction.memory_displacement64() as i64;
    let is_frame = base == Register::RSP || base == Register::RBP && at < 0;
    (is_plain && !is_frame)
        .then(|| u64::try_from(at).ok())
        .flatten()
}

/// Whether an instruction stores in a member.
#[must_use]
pub fn is_store(instruction: &Instruction) -> bool {
    use Mnemonic as M;
    instruction.op_count() > 0
        && instruction.op0_kind() == OpKind::Memory
        && !matches!(
            instruction.mnemonic(),
            M::Cmp | M::Test | M::Bt | M::Push | M::Call | M::Jmp | M::Nop | M::Ucomiss
        )
        && distance(instruction).is_some()
}

impl Oracle<'_> {
    /// What a member holds; anything where it is not known.
    pub(super) fn member(&self, distance: u64, bytes: u8) -> Value {
        if !self.is_settled || self.is_blind {
            return Value::any();
        }
        let key = (distance, bytes);
        if let Some(known) = self.members.borrow().get(&key) {
            return known.clone();
        }
        // What is asked for on the way to its own answer is not known.
        self.members.borrow_mut().insert(key, Value::any());
        let value = self.find_member(distance, bytes).unwrap_or_else(Value::any);
        self.members.borrow_mut().insert(key, value.clone());
        value
    }

    fn find_member(&self, distance: u64, bytes: u8) -> Option<Value> {
        let end = distance.checked_add(u64::from(bytes))?;
        let from = distance.saturating_sub(WIDEST - 1);
        let mut value = Value::number(0);
        let (mut count, mut is_answer) = (0, false);
        for &(to, at) in within(&self.sweep.members, from, end) {
            let instruction = self.instruction(at)?;
            let size = instruction.memory_size().size() as u64;
            if to.saturating_add(size) <= distance {
                continue;
            }
            count += 1;
            if count > STORES {
                return None;
            }
            if to != distance || size != u64::from(bytes) {
                // Several members are cleared at once.
                let told = self.told(self.program.routine_at(at)?)?;
                if told.members.get(&at)?.constant() != Some(0) {
                    return None;
                }
                continue;
            }
            let stored = match instruction.mnemonic() {
                Mnemonic::Mov if instruction.op1_kind() != OpKind::Register => {
                    Value::number(instruction.immediate(1))
                }
                _ => {
                    let routine = self.program.routine_at(at)?;
                    if !self.readers.contains(&routine)
                        && !self.is_detecting(routine)
                        && !self.detection.near.contains_key(&routine)
                    {
                        return None;
                    }
                    self.told(routine)?.members.get(&at)?.clone()
                }
            };
            let is_any =
                |(kind, _): &(super::value::Kind, Facts)| matches!(kind, super::value::Kind::Any);
            if stored.alternatives().iter().any(is_any) {
                return None;
            }
            is_answer |= stored.alternatives().iter().any(|(_, facts)| facts.says());
            value = value.or(&super::state::truncated(&stored, bytes));
        }
        let is_enough = is_answer || count <= PLAIN_STORES && distance >= PLAIN_FROM;
        (count > 0 && is_enough).then(|| value.under(Facts::member()))
    }

    /// The instruction at an address of code.
    fn instruction(&self, at: u64) -> Option<Instruction> {
        let bytes = self.program.bytes(at, at.saturating_add(15));
        let bytes = bytes.or_else(|| {
            let routine = self.program.routine_at(at)?;
            let ranges = &self.program.routines[routine as usize].ranges;
            let (_, end) = ranges
                .iter()
                .find(|(start, end)| (*start..*end).contains(&at))?;
            self.program.bytes(at, *end)
        })?;
        Some(Decoder::with_ip(64, bytes, at, DecoderOptions::NONE).decode())
    }
}
