//! Members of structures behind pointers that are not followed, such as a flag in memory
//! that is allocated: what is at a distance is whatever the file stores at that distance
//! behind any pointer (a field-based analysis, as Heintze and Tardieu, PLDI 2001, call it).
//!
//! It is zero besides, which is how such memory begins. What is copied as a whole is
//! taken to have come by the same stores. A wider store of what is not known, in a routine
//! that no answer comes to, is taken for another structure's: a member is stored by its own
//! type, and members that are set at once are set to numbers.

use super::features::Facts;
use super::oracle::Oracle;
use super::value::Value;
use crate::classes::CodeClass;
use crate::packed::{Found, Pack, Packed};
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, Register};
use karat_binary::brief::Brief;

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

/// A store in a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

/// Stores in members. Far are those 4 GiB from the base or farther, and 1 MiB behind a pointer.
pub type Stores = Packed<Store>;

/// Bits of a distance, of an address and of the number of bytes, and whether it is a number.
const DISTANCE: u32 = 20;
const BYTES: u32 = 11;

impl Pack for Store {
    #[inline]
    fn pack(self, base: u64) -> Option<u64> {
        let (distance, at) = (u64::from(self.distance), self.at.checked_sub(base)?);
        let bytes = u64::from(self.bytes);
        let is_small = distance >> DISTANCE == 0 && at >> 32 == 0 && bytes >> BYTES == 0;
        let low = bytes << 1 | u64::from(self.is_immediate);
        is_small.then_some((distance << 32 | at) << (BYTES + 1) | low)
    }

    #[inline]
    fn unpack(packed: u64, base: u64) -> Self {
        let high = packed >> (BYTES + 1);
        Self {
            distance: (high >> 32) as u32,
            at: base + (high & 0xffff_ffff),
            bytes: (packed >> 1) as u16 & ((1 << BYTES) - 1),
            is_immediate: packed & 1 == 1,
        }
    }
}

impl Store {
    /// What the instruction at an address stores in a member, if it does.
    #[must_use]
    #[inline]
    pub fn of(instruction: &Brief, class: &CodeClass, at: u64) -> Option<Self> {
        let is_store = instruction.is_first && class.may_store;
        let distance = is_store.then(|| instruction.distance()).flatten()?;
        Some(Self {
            distance: u32::try_from(distance).ok()?,
            at,
            bytes: class.bytes,
            is_immediate: class.moves_number,
        })
    }
}

/// Whether an instruction writes its first operand, where that is memory.
pub(crate) fn may_store(mnemonic: Mnemonic) -> bool {
    use Mnemonic as M;
    !matches!(
        mnemonic,
        M::Cmp | M::Test | M::Bt | M::Push | M::Call | M::Jmp | M::Nop | M::Ucomiss
    ) && !only_reads(mnemonic)
}

/// Whether an instruction with one operand only reads it.
fn only_reads(mnemonic: Mnemonic) -> bool {
    use Mnemonic as M;
    matches!(
        mnemonic,
        M::Fld
            | M::Fild
            | M::Fbld
            | M::Fldcw
            | M::Fldenv
            | M::Frstor
            | M::Fadd
            | M::Fsub
            | M::Fsubr
            | M::Fmul
            | M::Fdiv
            | M::Fdivr
            | M::Fcom
            | M::Fcomp
            | M::Fiadd
            | M::Fisub
            | M::Fisubr
            | M::Fimul
            | M::Fidiv
            | M::Fidivr
            | M::Ficom
            | M::Ficomp
            | M::Mul
            | M::Imul
            | M::Div
            | M::Idiv
            | M::Ldmxcsr
            | M::Vldmxcsr
            | M::Fxrstor
            | M::Xrstor
            | M::Clflush
            | M::Clflushopt
            | M::Clwb
            | M::Prefetchnta
            | M::Prefetcht0
            | M::Prefetcht1
            | M::Prefetcht2
            | M::Prefetchw
    )
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
pub fn stores(all: &Stores, distance: u64) -> Found<'_, Store> {
    between(all, distance, distance.saturating_add(1))
}

/// The stores from one distance up to another.
fn between(stores: &Stores, from: u64, end: u64) -> Found<'_, Store> {
    let is_before = |limit: u64| move |store: Store| u64::from(store.distance) < limit;
    stores.part(is_before(from), is_before(end))
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
        if same.any(|store| is_exact(&store) && !store.is_immediate && !self.is_told(store.at)) {
            return None;
        }
        let over = between(stores, distance.saturating_sub(WIDEST - 1), end).iter();
        let over = over.filter(|at| u64::from(at.distance) + u64::from(at.bytes) > distance);
        let over: Vec<Store> = over.take(STORES + 1).collect();
        if over.is_empty() || over.len() > STORES {
            return None;
        }
        let count = over.len();
        let mut value = Value::number(0);
        let mut is_answer = false;
        let (own, others): (Vec<Store>, Vec<Store>) = over.into_iter().partition(is_exact);
        for store in own {
            let at = store.at;
            let stored = match store.is_immediate {
                true => Value::number(self.instruction(at)?.immediate(1)),
                false => {
                    let routine = self.program.routine_at(at)?;
                    let told = self.told(routine)?;
                    self.stored_by(routine, told.members.get(&at)?)
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
        for store in others {
            let told = self.told(self.program.routine_at(store.at)?)?;
            if told.stacked.contains(&store.at) {
                continue;
            }
            let from = u64::from(store.distance);
            let is_wider = from <= distance && end <= from + u64::from(store.bytes);
            let stored = told.members.get(&store.at).map(|stored| stored.constant());
            let part = match stored {
                // Several members are set at once.
                Some(Some(0)) => 0,
                Some(Some(number)) if is_wider && store.bytes <= 8 => {
                    number >> ((distance - from) * 8)
                }
                Some(None) if is_wider && is_answer && !self.is_told(store.at) => continue,
                _ => return None,
            };
            value = value.or(&super::state::truncated(&Value::number(part), bytes));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::Baseline;
    use crate::classes::Classes;

    fn of(bytes: &[u8]) -> Option<(u32, u16)> {
        let instruction = Decoder::new(64, bytes, DecoderOptions::NONE).decode();
        let classes = Classes::new(&Baseline::parse("x86-64").unwrap());
        let class = classes.of(instruction.code());
        let store = Store::of(&Brief::of(&instruction), class, 0);
        store.map(|store| (store.distance, store.bytes))
    }

    #[test]
    fn near_and_far_stores_are_one_list() {
        let base = 0x40_0000;
        let mut all = Vec::new();
        for distance in [0, 8, (1 << DISTANCE) - 1, 1 << DISTANCE, u32::MAX] {
            for by in [0, 1, u64::from(u32::MAX), 1 << 32, u64::MAX] {
                for bytes in [0, 8, (1 << BYTES) - 1, 1 << BYTES, u16::MAX] {
                    all.extend([false, true].map(|is_immediate| Store {
                        distance,
                        at: base + by.min(1 << 40),
                        bytes,
                        is_immediate,
                    }));
                }
            }
        }
        crate::packed::check(base, all, 3 * 3 * 3 * 2);
    }

    #[test]
    fn what_is_stored_in_a_member() {
        // mov [rax + 8], cl; mov dword [rax + 8], 1; fstp tbyte [rcx]; inc dword [rax + 4]
        assert_eq!(of(&[0x88, 0x48, 8]), Some((8, 1)));
        assert_eq!(of(&[0xc7, 0x40, 8, 1, 0, 0, 0]), Some((8, 4)));
        assert_eq!(of(&[0xdb, 0x39]), Some((0, 10)));
        assert_eq!(of(&[0xff, 0x40, 4]), Some((4, 4)));
        // mov cl, [rax + 8]; fld tbyte [rcx]; mul dword [rax + 4]; cmp [rax + 4], ecx
        assert_eq!(of(&[0x8a, 0x48, 8]), None);
        assert_eq!(of(&[0xdb, 0x29]), None);
        assert_eq!(of(&[0xf7, 0x60, 4]), None);
        assert_eq!(of(&[0x39, 0x48, 4]), None);
        // mov [rsp + 8], ecx
        assert_eq!(of(&[0x89, 0x4c, 0x24, 8]), None);
    }
}
