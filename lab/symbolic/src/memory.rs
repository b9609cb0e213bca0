//! Memory: what was stored, over what the file has.

use crate::bits::{Bit, Kind, ONE, Word, ZERO};
use karat_binary::numbers::NumberMap;
use karat_flow::program::{self, Program};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// Bytes that are copied at once where ways part.
const BLOCK: u64 = 32;
/// Where other files' functions and variables are said to lie.
pub(crate) const IMPORTS: u64 = 0x6000_0000_0000;
/// So far from each other.
const IMPORT: u64 = 0x1000;
/// Where objects that the program allocates begin.
pub(crate) const HEAP: u64 = 0x5000_0000_0000;
/// Bytes of one object there, at most: as many objects as instructions are carried out have room.
const LARGEST: u64 = 64 << 20;
/// The first byte behind the stack, and its size.
pub(crate) const STACK: u64 = 0x7000_0000_0000;
pub(crate) const STACK_SIZE: u64 = 8 << 20;
/// Where stacks of threads that it starts lie, one behind the other.
pub(crate) const STACKS: u64 = 0x6d00_0000_0000;
const STACKS_END: u64 = 0x6e00_0000_0000;
/// Bytes of each.
pub(crate) const EACH_STACK: u64 = 1 << 20;
/// What a program is given: words and texts.
pub(crate) const GIVEN: u64 = 0x7100_0000_0000;
/// What the environment has.
pub(crate) const ENVIRONMENT: u64 = 0x7200_0000_0000;
const GIVEN_END: u64 = 0x7300_0000_0000;
/// The code of functions that call what they are given.
pub(crate) const STUBS: u64 = 0x6f00_0000_0000;
/// Where a thread's own words begin.
pub(crate) const THREAD: u64 = 0xffff_e000_0000_0000;

#[derive(Clone, PartialEq, Debug)]
enum Byte {
    /// As it was.
    Old,
    Known(u8),
    Unknown(Kind),
    Bits(Rc<[Bit; 8]>),
}

#[derive(Clone, PartialEq, Debug)]
struct Block([Byte; BLOCK as usize]);

impl Block {
    fn new() -> Self {
        Self(std::array::from_fn(|_| Byte::Old))
    }

    /// What is stored at an address, where the block that has it is this one.
    fn stored(block: Option<&Rc<Self>>, address: u64) -> &Byte {
        block.map_or(&Byte::Old, |block| &block.0[(address % BLOCK) as usize])
    }
}

/// What the file has, and what stands for other files.
pub(crate) struct Image<'p> {
    pub program: &'p Program<'p>,
    /// Objects that the program allocates hold zeros.
    pub is_zeroed: bool,
    /// What the system leaves of a thread at first, of a run in which that is known: zeros.
    pub zeros: Range<u64>,
    /// What all ways have stored that are still gone.
    pub under: Memory,
    /// Words that are filled before all that is gone through: by the loader with the places of other
    /// files' variables of a thread (how far behind its base these are said to lie), and by the C
    /// library's start with lengths.
    pub foreign: NumberMap<u64, u64>,
    /// The same of pairs of words that name such a variable.
    pub pairs: NumberMap<u64, u64>,
    /// The one of them that has what `std::call_once` calls.
    pub once: Option<u64>,
    imports: RefCell<Imports<'p>>,
}

#[derive(Default)]
struct Imports<'p> {
    names: Vec<&'p str>,
    places: std::collections::HashMap<&'p str, u64>,
}

impl<'p> Image<'p> {
    pub fn new(program: &'p Program<'p>) -> Self {
        Self {
            program,
            is_zeroed: false,
            zeros: 0..0,
            under: Memory::default(),
            foreign: NumberMap::default(),
            pairs: NumberMap::default(),
            once: None,
            imports: RefCell::default(),
        }
    }

    /// The address that stands for another file's name.
    pub fn import(&self, name: &'p str) -> u64 {
        let mut imports = self.imports.borrow_mut();
        if let Some(at) = imports.places.get(name) {
            return *at;
        }
        let at = IMPORTS + imports.names.len() as u64 * IMPORT;
        imports.names.push(name);
        imports.places.insert(name, at);
        at
    }

    /// The name that an address stands for.
    pub fn name(&self, address: u64) -> Option<&'p str> {
        let at = address.checked_sub(IMPORTS)?;
        let names = &self.imports.borrow().names;
        (at.is_multiple_of(IMPORT))
            .then(|| names.get((at / IMPORT) as usize).copied())
            .flatten()
    }

    /// The word at a multiple of eight, if the file has it.
    fn word(&self, address: u64) -> Option<u64> {
        if let Some(distance) = self.foreign.get(&address) {
            return Some(*distance);
        }
        match self.program.words.get(address) {
            Some(program::Word::Address(to)) => return Some(to),
            Some(program::Word::Import(name)) => return Some(self.import(name)),
            None if self.zeros.contains(&address) => return Some(0),
            None if self.is_zeroed && (HEAP..IMPORTS).contains(&address) => return Some(0),
            None => {}
        }
        let code = || {
            let bytes = self.program.bytes(address, address.checked_add(8)?)?;
            Some(u64::from_le_bytes(bytes.try_into().ok()?))
        };
        self.program.content(address).or_else(code)
    }

    /// The first page is nobody's, but where a file that moves begins with zero.
    pub fn is_nowhere(&self, at: Result<u64, Kind>) -> bool {
        let has = |at| self.program.is_data(at) || self.program.is_code(at);
        at.is_ok_and(|at| at < 0x1000 && !has(at))
    }

    /// Eight bytes that the file has.
    pub fn eight(&self, address: u64) -> Option<u64> {
        address
            .is_multiple_of(8)
            .then(|| self.word(address))
            .flatten()
    }

    fn byte(&self, address: u64) -> Option<u8> {
        let word = self.word(address & !7)?;
        Some((word >> ((address & 7) * 8)) as u8)
    }
}

/// What was stored, and the objects there are.
#[derive(Clone, Default)]
pub(crate) struct Memory {
    blocks: BTreeMap<u64, Rc<Block>>,
    /// Of the heap: starts and sizes.
    pub objects: BTreeMap<u64, u64>,
    pub next: u64,
}

impl Memory {
    /// A new object of so many bytes, or of fewer: what lies behind [`LARGEST`] is no object's.
    pub fn allocate(&mut self, size: u64) -> u64 {
        let size = size.min(LARGEST);
        let at = HEAP + self.next;
        self.next += size.max(1).next_multiple_of(64) + 64;
        self.objects.insert(at, size);
        at
    }

    /// The object that has an address: its start and size.
    pub fn object(&self, address: u64) -> Option<(u64, u64)> {
        let (start, size) = self.objects.range(..=address).next_back()?;
        (address - start < (*size).max(1)).then_some((*start, *size))
    }

    /// Words that something was stored in, but for the stack's.
    pub fn stored_words(&self) -> impl Iterator<Item = u64> + '_ {
        let blocks = self.blocks.keys();
        let blocks = blocks.filter(|at| stack_of(**at * BLOCK).is_none());
        // The last one ends where addresses do.
        blocks.flat_map(|at| (at * BLOCK..=at * BLOCK + (BLOCK - 1)).step_by(8))
    }

    /// How many blocks it keeps.
    pub fn blocks(&self) -> u64 {
        self.blocks.len() as u64
    }

    fn has(&self, address: u64) -> bool {
        self.blocks.contains_key(&(address / BLOCK))
    }

    /// Puts what another one stored over this.
    pub fn settle(&mut self, other: &mut Self) {
        for (place, block) in std::mem::take(&mut other.blocks) {
            match self.blocks.get_mut(&place) {
                Some(known) => {
                    let known = &mut Rc::make_mut(known).0;
                    for (known, byte) in known.iter_mut().zip(&block.0) {
                        if *byte != Byte::Old {
                            *known = byte.clone();
                        }
                    }
                }
                None => {
                    self.blocks.insert(place, block);
                }
            }
        }
    }

    fn stored(&self, address: u64) -> &Byte {
        Block::stored(self.blocks.get(&(address / BLOCK)), address)
    }

    /// Whether something was stored at an address.
    pub fn has_stored(&self, image: &Image<'_>, address: u64) -> bool {
        let blocks = [self, &image.under].map(|memory| memory.stored(address));
        blocks.iter().any(|byte| **byte != Byte::Old)
    }

    fn byte(&self, image: &Image<'_>, address: u64) -> Byte {
        Self::seen(self.stored(address), image, address)
    }

    /// What is read where this is stored.
    fn seen(stored: &Byte, image: &Image<'_>, address: u64) -> Byte {
        match stored {
            Byte::Old => match (image.under.stored(address), image.byte(address)) {
                (Byte::Old, Some(value)) => Byte::Known(value),
                // Nobody stored to it: what a program is given, or what other files hold.
                (Byte::Old, None) => Byte::Unknown(match address {
                    GIVEN..ENVIRONMENT => Kind::Input,
                    ENVIRONMENT..GIVEN_END => Kind::Environment,
                    _ => Kind::Opaque,
                }),
                (other, _) => other.clone(),
            },
            other => other.clone(),
        }
    }

    /// `size` bytes, up to eight.
    pub fn read(&self, image: &Image<'_>, address: u64, size: usize) -> Word {
        let last = address.wrapping_add(size as u64 - 1);
        let is_new = [address, last]
            .into_iter()
            .all(|at| !self.has(at) && !image.under.has(at));
        if is_new && let (Some(low), Some(high)) = (image.word(address & !7), image.word(last & !7))
        {
            let both = u128::from(low) | u128::from(high) << 64;
            let both = if address & !7 == last & !7 {
                u128::from(low)
            } else {
                both
            };
            let value = (both >> ((address & 7) * 8)) as u64 & crate::bits::mask(size);
            return Word::Known(value);
        }
        let mut bits = [ZERO; 64];
        let mut value = 0;
        let mut is_known = true;
        let block = |place: u64| (place, self.blocks.get(&place));
        let mut known = block(address / BLOCK);
        for at in 0..size {
            let address = address.wrapping_add(at as u64);
            if address / BLOCK != known.0 {
                known = block(address / BLOCK);
            }
            let byte = Self::seen(Block::stored(known.1, address), image, address);
            let own = &mut bits[at * 8..at * 8 + 8];
            match byte {
                Byte::Known(byte) => {
                    value |= u64::from(byte) << (at * 8);
                    for (number, bit) in own.iter_mut().enumerate() {
                        *bit = Bit::from(byte >> number & 1);
                    }
                }
                Byte::Unknown(kind) => {
                    is_known = false;
                    own.fill(kind.bit());
                }
                Byte::Bits(known) => {
                    is_known = false;
                    own.copy_from_slice(&*known);
                }
                Byte::Old => {}
            }
        }
        match is_known {
            true => Word::Known(value),
            false => Word::from_bits(bits),
        }
    }

    /// Stores `size` bytes, up to eight.
    pub fn write(&mut self, address: u64, value: &Word, size: usize) {
        for at in 0..size {
            let byte = match value {
                Word::Known(value) => Byte::Known((value >> (at * 8)) as u8),
                _ => byte_of(std::array::from_fn(|bit| value.bit(at * 8 + bit))),
            };
            self.put(address.wrapping_add(at as u64), byte);
        }
    }

    fn put(&mut self, address: u64, byte: Byte) {
        let block = self.blocks.entry(address / BLOCK);
        let block = block.or_insert_with(|| Rc::new(Block::new()));
        Rc::make_mut(block).0[(address % BLOCK) as usize] = byte;
    }

    /// Forgets what bytes hold.
    pub fn forget(&mut self, address: u64, size: u64, kind: Kind) {
        for at in 0..size {
            self.put(address.wrapping_add(at), Byte::Unknown(kind));
        }
    }

    /// Bytes are as the file has them.
    pub fn renew(&mut self, address: u64, size: u64) {
        for at in 0..size {
            self.put(address.wrapping_add(at), Byte::Old);
        }
    }

    pub fn copy(&mut self, image: &Image<'_>, to: u64, from: u64, size: u64) {
        // What was never stored is not known where it is copied to either: nothing is kept of it.
        let is_new = |at: u64, other: u64| {
            [at, other]
                .into_iter()
                .all(|at| is_fresh(at) && *self.stored(at) == Byte::Old && !image.under.has(at))
        };
        let bytes: Vec<Option<Byte>> = (0..size)
            .map(|at| (from.wrapping_add(at), to.wrapping_add(at)))
            .map(|(from, to)| (!is_new(from, to)).then(|| self.byte(image, from)))
            .collect();
        for (at, byte) in (0..).zip(bytes) {
            if let Some(byte) = byte {
                self.put(to.wrapping_add(at), byte);
            }
        }
    }

    /// Forgets the stack below an address: who returned left it.
    pub fn leave(&mut self, stack: u64) {
        let Some(all) = stack_of(stack) else {
            return;
        };
        let low = all.start / BLOCK;
        let dead: Vec<u64> = (self.blocks.range(low..stack / BLOCK))
            .map(|(at, _)| *at)
            .collect();
        for at in dead {
            self.blocks.remove(&at);
        }
        if let Some(block) = self.blocks.get_mut(&(stack / BLOCK)) {
            let block = Rc::make_mut(block);
            block.0[..(stack % BLOCK) as usize].fill(Byte::Old);
        }
    }

    /// What two ways left, by `one` for each word that differs; none where it says so.
    pub fn merged(
        &self,
        other: &Self,
        image: &Image<'_>,
        one: &dyn Fn(&Word, &Word) -> Option<Word>,
    ) -> Option<Self> {
        // Most ways cannot be one: all is copied only where these can.
        let mut words: Vec<(u64, Word)> = Vec::new();
        let others = other
            .blocks
            .iter()
            .filter(|(place, _)| !self.blocks.contains_key(place));
        let both = (self.blocks.iter()).map(|(place, a)| (place, Some(a), other.blocks.get(place)));
        for (place, a, b) in both.chain(others.map(|(place, b)| (place, None, Some(b)))) {
            let is_same = match (a, b) {
                (Some(a), Some(b)) => Rc::ptr_eq(a, b),
                _ => false,
            };
            if is_same {
                continue;
            }
            for at in (place * BLOCK..).step_by(8).take((BLOCK / 8) as usize) {
                let is_alike = |at| Block::stored(a, at) == Block::stored(b, at);
                if (0..8).all(|byte| is_alike(at + byte)) {
                    continue;
                }
                let (mut mine, mut theirs) = (self.read(image, at, 8), other.read(image, at, 8));
                if mine != theirs && is_fresh(at) {
                    // What one way never stored no program reads: it is as the other has it.
                    for byte in 0..8 {
                        let is_old = |block| *Block::stored(block, at + byte) == Byte::Old;
                        let bit = byte as usize * 8;
                        match (is_old(a), is_old(b)) {
                            (true, false) => mine = mine.with(&theirs.right(bit), bit, 1),
                            (false, true) => theirs = theirs.with(&mine.right(bit), bit, 1),
                            _ => {}
                        }
                    }
                    if mine == theirs {
                        words.push((at, mine));
                        continue;
                    }
                }
                if mine != theirs {
                    words.push((at, one(&mine, &theirs)?));
                }
            }
        }
        let mut all = self.clone();
        all.next = self.next.max(other.next);
        for (at, size) in &other.objects {
            let known = all.objects.entry(*at).or_insert(*size);
            *known = (*known).max(*size);
        }
        for (at, word) in &words {
            all.write(*at, word, 8);
        }
        Some(all)
    }
}

/// Whether an address is of the heap or a stack, where nothing is before it is stored.
fn is_fresh(at: u64) -> bool {
    (HEAP..IMPORTS).contains(&at)
        || (STACKS..STACKS_END).contains(&at)
        || (STACK - STACK_SIZE..STACK - 0x1000).contains(&at)
}

/// The stack that an address is on.
pub(crate) fn stack_of(at: u64) -> Option<Range<u64>> {
    match at {
        STACKS..STACKS_END => {
            let start = at & !(EACH_STACK - 1);
            Some(start..start + EACH_STACK)
        }
        _ => (STACK - STACK_SIZE..=STACK)
            .contains(&at)
            .then_some(STACK - STACK_SIZE..STACK),
    }
}

fn byte_of(bits: [Bit; 8]) -> Byte {
    if bits.iter().all(|bit| *bit <= ONE) {
        return Byte::Known((0..8).fold(0, |all, at| all | (bits[at] as u8) << at));
    }
    match Kind::of(bits[0]) {
        Some(kind) if bits.iter().all(|bit| *bit == bits[0]) => Byte::Unknown(kind),
        _ => Byte::Bits(Rc::new(bits)),
    }
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
#[path = "memory_tests.rs"]
mod tests;
