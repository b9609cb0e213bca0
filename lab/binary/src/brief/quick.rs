//! Most instructions by two loads of tables, the first by their first two bytes: how long they
//! are, and whether anything else is to be asked.
//!
//! Where the next instruction begins hangs on the length of the one before, so this is a chain
//! of few steps. Who reads code at several places can take a step at each in turn: then the
//! loads do not wait for each other.
//!
//! The tables are learnt from [`Brief`]s. They go by a prefix that counts for the opcode, the
//! width of operands, the opcode of one or two bytes and the byte behind it. What needs an
//! extension is not in them, nor what has other prefixes.

use super::shape::Shape;
use crate::x86::{Brief, table};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering};

/// In the first table: bytes, but for prefixes, for the first of two bytes of an opcode, and for
/// what [`BASE`] adds.
const LENGTH: u8 = 15;
/// Nothing of it matters to the walk over what goes where.
const DULL: u8 = 1 << 4;
/// The same, but that it names an xmm register.
const DULL_VECTOR: u8 = 1 << 5;
/// It names a vector register, or has [`Words`].
const SPECIAL: u8 = 1 << 6;
/// Four more bytes where the base is none, as the byte behind the next one tells.
const BASE: u8 = 1 << 7;

/// In the second: the number of its [`Words`].
const WORDS: u8 = 3;
/// It names an xmm register.
const XMM: u8 = 1 << 2;
/// Bytes behind its word.
const BEHIND: u32 = 3;

/// By the first two bytes: how many come before the last one of the opcode, and above that which
/// part of the tables it is in. Where more bytes tell that, a part that has nothing there.
static BEGINS: [u8; 1 << 16] = {
    let mut table = [0; 1 << 16];
    let mut at = 0;
    while at < table.len() {
        let (first, second) = (at >> 8, at & 255);
        let prefix = prefix_of(first as u8);
        let has_rex = first & 0xf0 == 0x40;
        let is_wide = first & 0xf8 == 0x48;
        let has_more = has_rex || prefix != 0;
        let is_long = (if has_more { second } else { first }) == 0x0f;
        // What `nop` is goes by REX.
        let is_open = prefix != 0 && second & 0xf0 == 0x40 || has_rex && second == 0x90;
        if !is_open {
            let part = prefix << 2 | is_long as u8 | (is_wide as u8) << 1;
            table[at] = part << PART | (has_more as u8 + is_long as u8);
        }
        at += 1;
    }
    table
};
const BEFORE: u8 = 3;
/// One bit is left free, so that these bytes times eight are a number of bits.
const PART: u32 = 3;

/// Opcodes of one and of two bytes, without and with 64-bit operands, each with the byte behind,
/// and each by prefix, of which there are three or none.
type Table = [AtomicU8; 16 << 16];

/// Zero where nothing is learnt. What is in the first was in the second before.
static LENGTHS: Table = [const { AtomicU8::new(0) }; 16 << 16];
static MORE: Table = [const { AtomicU8::new(0) }; 16 << 16];
/// Held by who learns.
static LEARNS: Mutex<()> = Mutex::new(());

/// Where an instruction has numbers of four bytes or more that are not where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// Nowhere.
    None,
    /// One at its end or before a short number: the distance from behind it to memory that it
    /// names.
    Distance,
    /// One there: another number.
    Number,
    /// More than one, or elsewhere.
    Several,
}

/// What is known of an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Quick {
    told: u8,
    is_bare: bool,
    slot: u32,
    /// Bytes.
    pub length: usize,
}

impl Quick {
    /// The instruction that begins with these bytes; none where nothing is known of it.
    #[inline(always)]
    #[must_use]
    pub fn of(head: &[u8; 16]) -> Option<Self> {
        let parts = Parts::of(start_of(head));
        let told = parts.told();
        // Nothing is learnt, or it has a base: by one comparison.
        if told.wrapping_sub(1) >= BASE - 1 {
            return Self::slowly(head);
        }
        Some(Self {
            told,
            is_bare: false,
            slot: parts.slot as u32,
            length: parts.before + usize::from(told & LENGTH),
        })
    }

    /// The same of the few that have a byte which tells whether there is a base, or prefixes of
    /// which some do nothing.
    #[inline(never)]
    fn slowly(head: &[u8; 16]) -> Option<Self> {
        let mut parts = Parts::of(start_of(head));
        let mut told = parts.told();
        if told == 0 && (prefix_of(head[0]) != 0 || is_unused(head[0])) {
            parts = Parts::behind_prefixes(head)?;
            told = parts.told();
        }
        if told == 0 {
            return None;
        }
        let is_bare = told & BASE != 0 && parts.is_bare(head);
        let length = parts.before + usize::from(told & LENGTH) + usize::from(is_bare) * 4;
        (length < head.len()).then_some(Self {
            told,
            is_bare,
            slot: parts.slot as u32,
            length,
        })
    }

    /// Whether it names a vector register or has words: else nothing more is to be counted.
    #[inline(always)]
    #[must_use]
    pub fn is_special(self) -> bool {
        self.told & SPECIAL != 0 || self.is_bare
    }

    /// What is asked of it later.
    #[inline(always)]
    #[must_use]
    pub fn special(self) -> Special {
        let length = (self.length as u32) << LENGTH_AT;
        Special(self.slot | length | u32::from(self.is_bare) << BARE_AT)
    }

    /// Whether it goes to the next instruction, is no padding, is in all x86-64 CPUs and names
    /// no vector register, and neither writes memory nor names any by a distance from itself.
    #[inline(always)]
    #[must_use]
    pub fn is_dull(self) -> bool {
        self.told & DULL != 0
    }

    /// The same of one that names an xmm register.
    #[inline(always)]
    #[must_use]
    pub fn is_dull_vector(self) -> bool {
        self.told & DULL_VECTOR != 0
    }
}

/// What is known of an instruction that [`Quick::is_special`], in one word: it may be kept, and
/// its bytes are not looked at again.
#[derive(Clone, Copy, Debug, Default)]
pub struct Special(u32);

/// Above the slot: the length, and whether it has a base that is none.
const LENGTH_AT: u32 = 20;
const BARE_AT: u32 = 24;

impl Special {
    #[inline(always)]
    fn more(self) -> u8 {
        let slot = self.0 & ((1 << LENGTH_AT) - 1);
        (MORE.get(slot as usize)).map_or(0, |more| more.load(Ordering::Relaxed))
    }

    /// Bytes.
    #[inline(always)]
    #[must_use]
    pub fn length(self) -> usize {
        (self.0 >> LENGTH_AT & 15) as usize
    }

    /// Whether it names an xmm register; if not it names no vector register.
    #[inline(always)]
    #[must_use]
    pub fn has_xmm(self) -> bool {
        self.more() & XMM != 0
    }

    /// Its words.
    #[inline(always)]
    #[must_use]
    pub fn words(self) -> Words {
        match self.more() & WORDS {
            // What has no base has a number there.
            _ if self.0 >> BARE_AT != 0 => Words::Several,
            0 => Words::None,
            1 => Words::Distance,
            2 => Words::Number,
            _ => Words::Several,
        }
    }

    /// Its one word; 0 where it has none.
    #[inline(always)]
    #[must_use]
    pub fn word(self, bytes: &[u8]) -> u32 {
        let behind = usize::from(self.more() >> BEHIND);
        let word = bytes.get(..self.length() - behind);
        (word.and_then(<[u8]>::last_chunk)).map_or(0, |word| u32::from_le_bytes(*word))
    }
}

/// The number of a prefix that counts for the opcode; 0 of other bytes.
const fn prefix_of(byte: u8) -> u8 {
    match byte {
        0x66 => 1,
        0xf3 => 2,
        0xf2 => 3,
        _ => 0,
    }
}

/// Whether a byte is the prefix of a segment that is none in 64-bit code.
fn is_unused(byte: u8) -> bool {
    matches!(byte, 0x2e | 0x26 | 0x36 | 0x3e)
}

/// The first eight bytes, the first one on top.
#[inline(always)]
fn start_of(head: &[u8; 16]) -> u64 {
    (head.first_chunk()).map_or(0, |start| u64::from_be_bytes(*start))
}

/// What the first bytes of an instruction are.
struct Parts {
    /// Bytes before the opcode's last one.
    before: usize,
    slot: usize,
}

impl Parts {
    /// Of what begins with these bytes, the first one on top.
    #[inline(always)]
    fn of(head: u64) -> Self {
        let begins = BEGINS[(head >> 48) as usize];
        // Of the number of bits the lower six count, and of those are bytes before it.
        let opcode = head.wrapping_shl(u32::from(begins) * 8) >> 48;
        Self {
            before: usize::from(begins & BEFORE),
            slot: usize::from(begins >> PART) << 16 | opcode as usize,
        }
    }

    /// The same where several prefixes may come first: segments that are none in 64-bit code, as
    /// padding has them, and one of those that count, 0x66 more than once.
    fn behind_prefixes(head: &[u8; 16]) -> Option<Self> {
        let mut prefix = 0;
        let mut at = 0;
        // The rest is there then: REX, two bytes of opcode, and two behind it.
        while at < 11 {
            match (head[at], prefix) {
                (byte, _) if is_unused(byte) => {}
                (0x66, 0 | 1) | (0xf2 | 0xf3, 0) => prefix = prefix_of(head[at]),
                _ => break,
            }
            at += 1;
        }
        let behind = u128::from_be_bytes(*head) << (at * 8) >> 64;
        let mut parts = Self::of(behind as u64);
        parts.before += at;
        let has_other = prefix_of(head[at]) != 0;
        parts.slot |= usize::from(prefix) << 18;
        (!has_other).then_some(parts)
    }

    /// What the first table has of it.
    #[inline(always)]
    fn told(&self) -> u8 {
        (LENGTHS.get(self.slot)).map_or(0, |told| told.load(Ordering::Acquire))
    }

    /// Whether the byte behind the next one has the base that is none.
    fn is_bare(&self, head: &[u8; 16]) -> bool {
        head[(self.before + 2) & 15] & 7 == 5
    }
}

/// Keeps what was found of an instruction which [`Shape::is_quick`], where that says it of others
/// too.
pub(super) fn learn(head: &[u8; 16], shape: &Shape, brief: &Brief) {
    let Some(parts) = Parts::behind_prefixes(head) else {
        return;
    };
    let info = table().codes[usize::from(brief.code)];
    let width = info.width(brief);
    if parts.told() != 0 || info.set != 0 || width > 1 {
        return;
    }
    let has_base = shape.has_modrm && shape.modrm & 0xc7 == 4;
    let is_bare = has_base && parts.is_bare(head);
    let length = usize::from(brief.length) - parts.before - usize::from(is_bare) * 4;
    let has_word = brief.displacement_size >= 4 && !is_bare;
    let immediate = shape.entry().immediate();
    let has_number = !brief.is_branch && immediate >= 4;
    let words = match (has_word, has_number) {
        (false, false) => Words::None,
        (true, false) if brief.named().is_some() => Words::Distance,
        (true, false) => Words::Number,
        (false, true) if immediate == 4 => Words::Number,
        _ => Words::Several,
    };
    // A short number comes behind a displacement.
    let behind = if has_word { immediate } else { 0 };
    let is_special = words != Words::None || width > 0;
    let bits = |is_set: bool, bits: u8| if is_set { bits } else { 0 };
    let told = length as u8
        | bits(has_base, BASE)
        | bits(is_special, SPECIAL)
        | bits(info.is_dull(brief), DULL)
        | bits(info.is_dull_vector(brief), DULL_VECTOR);
    let more = words as u8 | bits(width > 0, XMM) | (behind as u8) << BEHIND;
    let _learns = LEARNS
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let slot = parts.slot;
    if LENGTHS[slot].load(Ordering::Relaxed) == 0 {
        MORE[slot].store(more, Ordering::Relaxed);
        LENGTHS[slot].store(told, Ordering::Release);
    }
}
