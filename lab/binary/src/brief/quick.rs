//! Most instructions by a load of their first bytes and one of a table: how long they are, and
//! whether anything else is to be asked.
//!
//! Where the next instruction begins hangs on the length of the one before, so this is a chain
//! of few steps. Who reads code at several places can take a step at each in turn: then the
//! loads do not wait for each other.
//!
//! The tables are learnt from [`Brief`]s. They go by a prefix that counts for the opcode, the
//! opcode of one or two bytes and the byte behind it, and keep apart what was learnt with and
//! without 64-bit operands. What needs an extension is not in them, nor what has other prefixes.

use super::Brief;
use super::shape::Shape;
use crate::x86::table;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering};

/// In the first table: bytes, but for prefixes, for the first of two bytes of an opcode, and for
/// what [`BASE`] adds.
const LENGTH: u32 = 15;
/// Four more bytes where the base is none, as the byte behind the next one tells.
const BASE: u32 = 4;
/// What is told holds without 64-bit operands; a bit higher: with them.
const NARROW: u32 = 5;
/// It names a vector register, or has [`Words`].
const SPECIAL: u32 = 1 << 7;

/// In the second: the number of its [`Words`].
const WORDS: u8 = 3;
/// It names an xmm register.
const XMM: u8 = 1 << 2;
/// Nothing of it matters to the walk over what goes where.
const DULL: u8 = 1 << 3;

/// Opcodes of one and of two bytes, each with the byte behind it.
const OPCODES: usize = 2 << 16;
/// By prefix, of which there are three or none.
type Table = [AtomicU8; 4 * OPCODES];

/// Zero where nothing is learnt. What is in the first was in the second before.
static LENGTHS: Table = [const { AtomicU8::new(0) }; 4 * OPCODES];
static MORE: Table = [const { AtomicU8::new(0) }; 4 * OPCODES];
/// Held by who learns.
static LEARNS: Mutex<()> = Mutex::new(());

/// Where an instruction has numbers of four bytes or more that are not where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// Nowhere.
    None,
    /// One at its end: the distance from behind it to memory that it names.
    Distance,
    /// One at its end: another number.
    Number,
    /// More than one, or elsewhere.
    Several,
}

/// What is known of an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Quick {
    told: u32,
    slot: usize,
    is_bare: bool,
    /// Bytes.
    pub length: usize,
}

impl Quick {
    /// The instruction that begins with these bytes, if it has no prefix; none where nothing is
    /// known of it.
    #[inline(always)]
    #[must_use]
    pub fn of(word: u64) -> Option<Self> {
        Self::behind(word, 0, 0)
    }

    /// The same, with a prefix; few have one.
    #[inline(never)]
    #[must_use]
    pub fn with_prefix(word: u64) -> Option<Self> {
        let prefix = match word as u8 {
            0x66 => 1,
            0xf3 => 2,
            0xf2 => 3,
            _ => return None,
        };
        Self::behind(word >> 8, prefix, 1)
    }

    #[inline(always)]
    fn behind(word: u64, prefix: usize, before: usize) -> Option<Self> {
        let parts = Parts::of(word);
        let slot = prefix * OPCODES + parts.slot;
        let told = LENGTHS.get(slot)?.load(Ordering::Acquire);
        let told = u32::from(told);
        if told & 1 << (NARROW + u32::from(parts.is_wide)) == 0 {
            return None;
        }
        let is_bare = told >> BASE & u32::from(parts.is_bare);
        Some(Self {
            told,
            slot,
            is_bare: is_bare == 1,
            length: before + parts.before + (told & LENGTH) as usize + is_bare as usize * 4,
        })
    }

    /// Whether it names a vector register or has words: else nothing more is to be counted.
    #[inline(always)]
    #[must_use]
    pub fn is_special(self) -> bool {
        self.told & SPECIAL != 0 || self.is_bare
    }

    #[inline(always)]
    fn more(self) -> u8 {
        MORE[self.slot].load(Ordering::Relaxed)
    }

    /// Whether it names an xmm register; if not it names no vector register.
    #[must_use]
    pub fn has_xmm(self) -> bool {
        self.more() & XMM != 0
    }

    /// Its words.
    #[must_use]
    pub fn words(self) -> Words {
        match self.more() & WORDS {
            // What has no base has a number there.
            _ if self.is_bare => Words::Several,
            0 => Words::None,
            1 => Words::Distance,
            2 => Words::Number,
            _ => Words::Several,
        }
    }

    /// Whether it goes to the next instruction, is no padding, is in all x86-64 CPUs and names
    /// no vector register, and neither writes memory nor names any by a distance from itself.
    #[inline(always)]
    #[must_use]
    pub fn is_dull(self) -> bool {
        self.more() & DULL != 0
    }
}

/// What the first bytes of an instruction are.
struct Parts {
    slot: usize,
    /// Bytes before the opcode's last one.
    before: usize,
    is_wide: bool,
    /// The byte behind the next has the base that is none.
    is_bare: bool,
}

impl Parts {
    #[inline(always)]
    fn of(word: u64) -> Self {
        let has_rex = word & 0xf0 == 0x40;
        let is_wide = word & 0xf8 == 0x48;
        let word = word >> (u32::from(has_rex) * 8);
        let is_long = word as u8 == 0x0f;
        let word = word >> (u32::from(is_long) * 8);
        Self {
            slot: usize::from(is_long) << 16 | usize::from((word as u16).swap_bytes()),
            before: usize::from(has_rex) + usize::from(is_long),
            is_wide,
            is_bare: word & 0x7_0000 == 0x5_0000,
        }
    }
}

/// Keeps what was found of an instruction, where that says it of others too. `prefix` is what
/// [`Shape::is_quick`] told.
pub(super) fn learn(head: &[u8; 16], prefix: usize, shape: &Shape, brief: &Brief) {
    let word = u128::from_le_bytes(*head) as u64;
    let parts = Parts::of(word >> (u32::from(prefix > 0) * 8));
    let slot = prefix * OPCODES + parts.slot;
    let size = 1 << (NARROW + u32::from(parts.is_wide));
    let info = table().codes[usize::from(brief.code)];
    let width = info.width(brief);
    let is_known = LENGTHS[slot].load(Ordering::Relaxed) & size != 0;
    if is_known || info.set != 0 || width > 1 {
        return;
    }
    let has_base = shape.has_modrm && shape.modrm & 0xc7 == 4;
    let is_bare = has_base && parts.is_bare;
    let before = usize::from(prefix > 0) + parts.before;
    let length = usize::from(brief.length) - before - usize::from(is_bare) * 4;
    let has_word = brief.displacement_size >= 4 && !is_bare;
    let immediate = shape.entry().immediate();
    let has_number = !brief.is_branch && immediate >= 4;
    let words = match (has_word, has_number) {
        (false, false) => Words::None,
        (true, false) if immediate == 0 && brief.named().is_some() => Words::Distance,
        (true, false) if immediate == 0 => Words::Number,
        (false, true) if immediate == 4 => Words::Number,
        _ => Words::Several,
    };
    let is_special = words != Words::None || width > 0;
    let bits = |is_set: bool, bits: u8| if is_set { bits } else { 0 };
    let told = length as u8 | bits(has_base, 1 << BASE) | bits(is_special, SPECIAL as u8);
    let more = words as u8 | bits(width > 0, XMM) | bits(info.is_dull(brief), DULL);
    let _learns = LEARNS
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let known = LENGTHS[slot].load(Ordering::Relaxed);
    let is_same = known & !(3 << NARROW) == told && MORE[slot].load(Ordering::Relaxed) == more;
    // Of what differs with 64-bit operands that is told which was seen first.
    if known == 0 || is_same {
        MORE[slot].store(more, Ordering::Relaxed);
        LENGTHS[slot].store(known | told | size, Ordering::Release);
    }
}
