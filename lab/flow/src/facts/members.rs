//! Members of structures behind pointers that are not followed, such as a flag in memory
//! that is allocated: what is at a distance is whatever the file stores at that distance
//! behind any pointer (a field-based analysis, as Heintze and Tardieu, PLDI 2001, call it).
//!
//! It is zero besides, which is how such memory begins. What is copied as a whole is
//! taken to have come by the same stores.

use super::features::Facts;
use super::oracle::Oracle;
use super::value::Value;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};

/// Stores to one member that are looked at, at most: of what has more nothing is known.
pub const STORES: usize = 48;
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

/// A store in a member. Packed: a large file has a million of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(Rust, packed(4))]
pub struct Store {
    /// From the pointer.
    pub distance: u32,
    /// The instruction.
    pub at: u64,
    /// How many bytes it stores.
    pub bytes: u16,
    /// The value is in the instruction.
    pub is_immediate: bool,
}

impl Store {
    /// What an instruction stores in a member, if it does.
    #[must_use]
    pub fn of(instruction: &Instruction) -> Option<Self> {
        use Mnemonic as M;
        let is_store = instruction.op_count() > 0
            && instruction.op0_kind() == OpKind::Memory
            && !matches!(
                instruction.mnemonic(),
                M::Cmp | M::Test | M::Bt | M::Push | M::Call | M::Jmp | M::Nop | M::Ucomiss
            );
        let distance = is_store.then(|| distance(instruction)).flatten()?;
        Some(Self {
            distance: u32::try_from(distance).ok()?,
            at: instruction.ip(),
            bytes: instruction.memory_size().size() as u16,
            is_immediate: instruction.mnemonic() == M::Mov
                && instruction.op1_kind() != OpKind::Register,
        })
    }
}

impl Store {
    /// Whether what it stores may go by an answer: a number in the instruction does not, and
    /// answers are in general registers.
    #[must_use]
    pub fn may_be_answer(&self) -> bool {
        !self.is_immediate && self.bytes <= 8
    }
}

/// The stores at a distance.
#[must_use]
pub fn stores(all: &[Store], distance: u64) -> &[Store] {
    between(all, distance, distance.saturating_add(1))
}

/// The stores from one distance up to another.
fn between(stores: &[Store], from: u64, end: u64) -> &[Store] {
    let first = stores.partition_point(|store| u64::from(store.distance) < from);
    let length = stores[first..].partition_point(|store| u64::from(store.distance) < end);
    &stores[first..first + length]
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
        let stores = &self.sweep.members;
        let is_exact = |store: &Store| {
            u64::from(store.distance) == distance && store.bytes == u16::from(bytes)
        };
        // What can be known without a look at the code that stores is known first.
        let mut same = between(stores, distance, distance + 1).iter();
        if same.any(|store| is_exact(store) && !store.is_immediate && !self.is_told(store.at)) {
            return None;
        }
        let over = between(stores, distance.saturating_sub(WIDEST - 1), end).iter();
        let over = over.filter(|at| u64::from(at.distance) + u64::from(at.bytes) > distance);
        let over: Vec<&Store> = over.take(STORES + 1).collect();
        if over.is_empty() || over.len() > STORES {
            return None;
        }
        let count = over.len();
        let mut value = Value::number(0);
        let mut is_answer = false;
        for store in over {
            let at = store.at;
            if !is_exact(store) {
                // Several members are cleared at once.
                let told = self.told(self.program.routine_at(at)?)?;
                if told.members.get(&at)?.constant() != Some(0) {
                    return None;
                }
                continue;
            }
            let stored = match store.is_immediate {
                true => Value::number(self.instruction(at)?.immediate(1)),
                false => {
                    let routine = self.program.routine_at(at)?;
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
        is_enough.then(|| value.under(Facts::member()))
    }

    /// Whether the routine with a place is one whose stores are followed.
    fn is_told(&self, at: u64) -> bool {
        let routine = self.program.routine_at(at);
        routine.is_some_and(|routine| {
            self.readers.contains(&routine)
                || self.is_detecting(routine)
                || self.detection.near.contains_key(&routine)
        })
    }

    /// The instruction at an address of code.
    pub(super) fn instruction(&self, at: u64) -> Option<Instruction> {
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
