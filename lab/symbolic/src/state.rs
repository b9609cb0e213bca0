//! One way that was gone so far: registers, memory, and what had to hold for it.

use crate::a64::scalable::Predicates;
use crate::bits::{Bit, Kind, Word, resolved, symbol_of};
use crate::conditions::{Conditions, Symbols};
use crate::convention::Convention;
use crate::instructions::flags::Flags;
use crate::instructions::uppers::Uppers;
use crate::library::threads::Threads;
use crate::memory::{Image, Memory};
use karat_binary::numbers::NumberMap;
use std::cell::OnceCell;
use std::rc::Rc;

/// General registers, and those of vectors: as many as AArch64 has. On x86-64 the others are zero.
pub(crate) const REGISTERS: usize = 32;

/// What is done where a routine returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum Back {
    /// Execution goes on there.
    To(u64),
    /// The same, and the thread that was started there ends.
    Thread(u64),
    /// The same, and the thread ends that ran while who goes on waited.
    Turn(u64),
    /// The next of what the loader starts.
    Next,
    /// What a resolver told is called.
    Resolved,
    /// A handler of SIGILL comes back: what it was called for is tried again.
    Tried,
}

/// A routine that was called.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Frame {
    pub back: Back,
    /// Where it was called.
    pub call: u64,
    /// Where it began.
    pub start: u64,
    /// The registers that it was given.
    pub given: Rc<[Word; REGISTERS]>,
    /// The stack's top when it began: where the address of return is.
    pub stack: u64,
    /// How many instructions were left to carry out.
    pub since: u64,
}

/// What `setjmp` keeps.
pub(crate) struct Jump {
    pub buffer: u64,
    /// Where it comes back to.
    pub next: u64,
    pub registers: [Word; REGISTERS],
    pub frames: Vec<Frame>,
}

/// See the module.
#[derive(Clone)]
pub(crate) struct State {
    pub at: u64,
    /// `rax` to `r15`, by their numbers; AArch64's by those of [`crate::a64::place`].
    pub registers: [Word; REGISTERS],
    /// The low 128 bits of vector registers.
    pub vectors: [[Word; 2]; REGISTERS],
    pub uppers: Uppers,
    /// Of SVE.
    pub predicates: Predicates,
    pub flags: Flags,
    pub memory: Memory,
    pub conditions: Conditions,
    pub frames: Vec<Frame>,
    /// Which of what the loader starts runs.
    pub started: usize,
    /// Something was passed that may have stored elsewhere.
    pub is_unsure: bool,
    /// It handles SIGILL.
    pub catches: bool,
    /// By what, of one run on one CPU.
    pub handler: Option<u64>,
    /// Where `longjmp` goes back to, by the buffer's address.
    pub jumps: Vec<Rc<Jump>>,
    /// Threads that wait.
    pub threads: Threads,
    /// How the next branch on what is not known goes.
    pub turn: Option<bool>,
    /// How often branches were taken, in the routine that runs.
    pub turns: NumberMap<u64, u32>,
}

/// Where a way is: ways that are at one place may become one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Place {
    pub at: u64,
    pub stack: Option<u64>,
    pub started: usize,
    pub calls: Vec<(u64, u64)>,
}

impl State {
    pub fn place(&self) -> Place {
        Place {
            at: self.at,
            stack: self.registers[4].known(),
            started: self.started,
            calls: self.frames.iter().map(|f| (f.call, f.stack)).collect(),
        }
    }

    /// Whether another way is at the same place.
    pub fn is_with(&self, other: &Self) -> bool {
        let calls = self.frames.iter().zip(&other.frames);
        self.at == other.at
            && self.started == other.started
            && self.frames.len() == other.frames.len()
            && self.registers[4].known() == other.registers[4].known()
            && (calls.into_iter()).all(|(f, g)| (f.call, f.stack) == (g.call, g.stack))
    }

    /// A word without the symbols that are known to be set or not.
    pub fn plain(&self, symbols: &Symbols, word: Word) -> Word {
        let Word::Bits(bits) = &word else {
            return word;
        };
        let mut out = **bits;
        let mut is_changed = false;
        for bit in &mut out {
            if let Some(known) = self.truth(symbols, *bit) {
                is_changed |= *bit != known;
                *bit = known;
            }
        }
        match is_changed {
            true => Word::from_bits(out),
            false => word,
        }
    }

    /// What a symbol's bit is, where that symbol is known.
    pub fn truth(&self, symbols: &Symbols, bit: Bit) -> Option<Bit> {
        let (number, _) = symbol_of(bit)?;
        let is_set = self.conditions.truth(symbols, number)?;
        resolved(bit, is_set)
    }

    /// Forgets registers that nothing reads again: general ones, then those of vectors, as bits.
    pub fn forget(&mut self, dead: u64, convention: &Convention) {
        let last = self
            .frames
            .last()
            .filter(|_| convention.is_known_to_callers);
        let given = last.map(|frame| &frame.given);
        for number in 0..convention.registers {
            // What a routine does not change its caller may read (-fipa-ra).
            let is_kept = match given {
                Some(given) => given[number] == self.registers[number],
                None => convention.is_known_to_callers,
            };
            if dead >> number & 1 == 1 && number != 4 && !is_kept {
                self.registers[number] = Word::unknown(8, Kind::Opaque);
            }
            if dead >> (REGISTERS + number) & 1 == 1 {
                self.vectors[number] = [const { Word::Unknown(64, Kind::Opaque) }; 2];
            }
        }
    }

    /// Both ways as one: where all that differs goes by symbols, or with `is_lossy` whatever
    /// differs; what no symbol tells is not known then.
    pub fn merged(
        &self,
        other: &Self,
        image: &Image<'_>,
        symbols: &Symbols,
        is_lossy: bool,
    ) -> Option<Self> {
        let apart = OnceCell::new();
        let mine = |bit| self.truth(symbols, bit).unwrap_or(bit);
        let theirs = |bit| other.truth(symbols, bit).unwrap_or(bit);
        self.by(other, image, symbols, &|a, b| match a == b {
            true => Some(a.clone()),
            false => {
                let find = || self.conditions.apart(symbols, &other.conditions);
                let bit = *apart.get_or_init(find);
                a.chosen(b, bit, &mine, &theirs, is_lossy)
            }
        })
    }

    /// Both ways as one; what differs is not known any more.
    pub fn joined(&self, other: &Self, image: &Image<'_>, symbols: &Symbols) -> Option<Self> {
        self.by(other, image, symbols, &|a, b| Some(a.joined(b)))
    }

    pub fn by(
        &self,
        other: &Self,
        image: &Image<'_>,
        symbols: &Symbols,
        one: &dyn Fn(&Word, &Word) -> Option<Word>,
    ) -> Option<Self> {
        if self.frames.len() != other.frames.len() {
            return None;
        }
        if !self.threads.are(&other.threads) {
            return None;
        }
        // Most cannot be one. That is seen before more is copied than need be.
        let mut registers = self.registers.clone();
        let mut vectors = self.vectors.clone();
        let own = registers.iter_mut().chain(vectors.as_flattened_mut());
        let others = other.registers.iter().chain(other.vectors.as_flattened());
        for (mine, theirs) in own.zip(others) {
            if mine != theirs {
                *mine = one(mine, theirs)?;
            }
        }
        let memory = self.memory.merged(&other.memory, image, one)?;
        let mut frames = self.frames.clone();
        for (mine, theirs) in frames.iter_mut().zip(&other.frames) {
            if mine.given == theirs.given {
                continue;
            }
            let given = Rc::make_mut(&mut mine.given);
            for (mine, theirs) in given.iter_mut().zip(&*theirs.given) {
                if mine != theirs {
                    *mine = one(mine, theirs).unwrap_or_else(|| mine.joined(theirs));
                }
            }
        }
        let mut turns = self.turns.clone();
        for (at, count) in &other.turns {
            let mine = turns.entry(*at).or_default();
            *mine = (*mine).max(*count);
        }
        Some(Self {
            at: self.at,
            registers,
            vectors,
            uppers: self.uppers.common(&other.uppers),
            predicates: std::array::from_fn(|at| {
                self.predicates[at].filter(|known| other.predicates[at] == Some(*known))
            }),
            flags: match self.flags == other.flags {
                true => self.flags.clone(),
                false => Flags::unknown(Kind::Opaque),
            },
            memory,
            conditions: self.conditions.or(&other.conditions, symbols),
            frames,
            started: self.started,
            is_unsure: self.is_unsure | other.is_unsure,
            catches: self.catches | other.catches,
            handler: self.handler.filter(|_| self.handler == other.handler),
            jumps: (self.jumps.iter())
                .filter(|jump| other.jumps.iter().any(|one| Rc::ptr_eq(one, jump)))
                .cloned()
                .collect(),
            threads: self.threads.clone(),
            turn: self.turn,
            turns,
        })
    }

    /// Whether all that another way may be this one may be too.
    pub fn covers(&self, other: &Self, image: &Image<'_>, symbols: &Symbols) -> bool {
        let Some(both) = self.joined(other, image, symbols) else {
            return false;
        };
        both.registers == self.registers
            && both.vectors == self.vectors
            && both.uppers == self.uppers
            && both.predicates == self.predicates
            && both.flags == self.flags
            && both.conditions == self.conditions
            && both.is_unsure == self.is_unsure
            && self
                .memory
                .merged(&both.memory, image, &|a, b| (a == b).then(|| a.clone()))
                .is_some()
    }

    pub fn read(&self, image: &Image<'_>, symbols: &Symbols, address: u64, size: usize) -> Word {
        self.plain(symbols, self.memory.read(image, address, size))
    }
}
