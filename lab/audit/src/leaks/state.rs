//! What is known of registers and stack at one point of a routine.

use iced_x86::Register;

/// Where an answer came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// `cpuid` or `xgetbv` here.
    Cpu,
    /// A variable at an address.
    Cell(u64),
    /// An imported variable or function that holds the answer; its slot.
    Import(u64),
    /// The result of a routine.
    Call(u32),
    /// A small value from memory or an argument that may be an answer.
    Flag,
}

/// A value that is followed exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Unknown,
    /// An address of the file.
    Address(u64),
    /// The stack pointer at entry plus a distance.
    Stack(i64),
}

/// Bits of a register set: 16 general, 32 vector, 8 mask registers, the flags.
pub(crate) const FLAGS: u8 = 56;
/// Stack slots that are followed at most; more belong to no detection.
const SLOTS: usize = 64;

/// The place of a register in a set.
pub(crate) fn bit(register: Register) -> Option<u8> {
    let full = register.full_register();
    if full.is_gpr() {
        Some(full.number() as u8)
    } else if register.is_vector_register() {
        Some(16 + register.number() as u8)
    } else if register.is_k() {
        Some(48 + register.number() as u8)
    } else {
        None
    }
}

/// The state. It only grows when paths meet, so that the analysis ends.
#[derive(Clone, PartialEq)]
pub(crate) struct State {
    /// Registers whose value is made from an answer.
    strong: u64,
    /// Registers whose value may be a flag that holds one.
    weak: u64,
    sources: [Source; 57],
    pub values: [Value; 16],
    /// Stack slots of eight bytes with answers, and those with flags.
    slots: Vec<(i64, Source)>,
}

impl State {
    /// At the entry: the stack pointer is known, arguments may be flags.
    pub fn entry() -> Self {
        let mut values = [Value::Unknown; 16];
        values[4] = Value::Stack(0);
        let mut state = Self {
            strong: 0,
            weak: 0,
            sources: [Source::Flag; 57],
            values,
            slots: Vec::new(),
        };
        // rdi, rsi, rdx, rcx, r8, r9
        for register in [7, 6, 2, 1, 8, 9] {
            state.weak |= 1 << register;
        }
        state
    }

    /// The answer in a register, if there is one.
    pub fn strong(&self, bit: u8) -> Option<Source> {
        (self.strong >> bit & 1 == 1).then(|| self.sources[usize::from(bit)])
    }

    pub fn is_weak(&self, bit: u8) -> bool {
        self.weak >> bit & 1 == 1
    }

    /// Sets or clears a register.
    pub fn set(&mut self, bit: u8, source: Option<Source>) {
        let mask = 1 << bit;
        self.strong &= !mask;
        self.weak &= !mask;
        match source {
            Some(Source::Flag) => self.weak |= mask,
            Some(source) => {
                self.strong |= mask;
                self.sources[usize::from(bit)] = source;
            }
            None => {}
        }
    }

    /// The source of a register of either kind.
    pub fn source(&self, bit: u8) -> Option<Source> {
        self.strong(bit)
            .or_else(|| self.is_weak(bit).then_some(Source::Flag))
    }

    pub fn slot(&self, offset: i64) -> Option<Source> {
        let offset = offset & !7;
        let found = self.slots.iter().find(|(at, _)| *at == offset)?;
        Some(found.1)
    }

    pub fn set_slot(&mut self, offset: i64, source: Option<Source>) {
        let offset = offset & !7;
        self.slots.retain(|(at, _)| *at != offset);
        if let Some(source) = source
            && self.slots.len() < SLOTS
        {
            self.slots.push((offset, source));
            self.slots.sort_by_key(|(at, _)| *at);
        }
    }

    /// Adds what another path knows; returns whether that was new.
    pub fn join(&mut self, other: &Self) -> bool {
        let mut new = false;
        let fresh = other.strong & !self.strong;
        new |= fresh != 0 || other.weak & !self.weak != 0;
        for bit in 0..57 {
            if fresh >> bit & 1 == 1 {
                self.sources[bit] = other.sources[bit];
            }
        }
        self.strong |= other.strong;
        self.weak |= other.weak;
        for (mine, theirs) in self.values.iter_mut().zip(&other.values) {
            if *mine != *theirs && *mine != Value::Unknown {
                *mine = Value::Unknown;
                new = true;
            }
        }
        for &(offset, source) in &other.slots {
            let known = self.slot(offset);
            if known.is_none() || known == Some(Source::Flag) && source != Source::Flag {
                let before = self.slots.len();
                self.set_slot(offset, Some(source));
                new |= known.is_some() || self.slots.len() != before;
            }
        }
        new
    }
}
