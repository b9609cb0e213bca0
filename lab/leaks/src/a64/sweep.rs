//! One linear pass over all code: which function refers to which, which data, and where
//! somebody is asked what the CPU has. What is not seen so is the walk's to find out.

use super::program::{Code, Program, THREAD};
use super::tellers::{may_tell, tells};
use karat_binary::a64::addresses::{Addresses, Moved, Seen};
use karat_binary::a64::decode::Control;
use std::collections::{HashMap, HashSet};

#[derive(Default)]
pub(super) struct Sweep {
    /// By function: whose code refers to it, by a call, a jump or its address.
    pub by: HashMap<u32, Vec<u32>>,
    /// The other way round.
    pub to: HashMap<u32, Vec<u32>>,
    /// Functions whose address code or data has.
    pub taken: HashSet<u32>,
    /// Functions that ask what the CPU has.
    pub asks: HashSet<u32>,
    /// The same, and those that go by something else.
    pub may_ask: HashSet<u32>,
    /// By eight bytes of data that may be written: functions that name it.
    pub readers: HashMap<u64, Vec<u32>>,
    /// By function: where it stores in such data, and how many bytes.
    stores: HashMap<u32, Vec<(u64, u8)>>,
    /// Functions that name a table of pointers, and where it is.
    pub tables: Vec<(u32, u64)>,
    /// Functions that come back somewhere, or end in another.
    pub returns: HashSet<u32>,
}

struct Pass<'s, 'p> {
    program: &'s Program<'p>,
    out: &'s mut Sweep,
    function: u32,
    addresses: Addresses,
}

impl Sweep {
    /// Functions whose code refers to one.
    pub fn callers(&self, function: u32) -> impl Iterator<Item = u32> {
        self.by.get(&function).into_iter().flatten().copied()
    }

    /// Bytes of data that functions beside these store in.
    pub fn stored_without(&self, these: &HashSet<u32>) -> HashSet<u64> {
        let others = self.stores.iter();
        let others = others.filter(|(function, _)| !these.contains(function));
        let places = others.flat_map(|(_, places)| places);
        places
            .flat_map(|(at, bytes)| *at..at.saturating_add((*bytes).into()))
            .collect()
    }

    pub fn of(program: &Program<'_>) -> Self {
        let mut out = Self::default();
        for to in program.words.values() {
            if let Some(range) = program.range(*to) {
                out.taken.insert(range.value);
            }
        }
        for range in &program.symbols.ranges {
            let mut pass = Pass {
                program,
                out: &mut out,
                function: range.value,
                addresses: Addresses::default(),
            };
            let start = range.start.next_multiple_of(4);
            let bytes = program.bytes(start, range.end);
            for (number, four) in bytes.chunks_exact(4).enumerate() {
                let word = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
                pass.one(word, start + 4 * number as u64);
            }
        }
        for function in program.said.functions().filter_map(|at| program.range(at)) {
            out.asks.insert(function.value);
        }
        for list in out.by.values_mut().chain(out.to.values_mut()) {
            list.sort_unstable();
            list.dedup();
        }
        out
    }
}

impl Pass<'_, '_> {
    fn one(&mut self, word: u32, at: u64) {
        if word & 0xffff_ffe0 == 0xd53b_d040 {
            return self.addresses.put((word & 31) as usize, THREAD);
        }
        match self.addresses.step(word, at) {
            Seen::Leads(Control::Call(to) | Control::Jump(to) | Control::Branch(to, _)) => {
                self.leads(to);
            }
            Seen::Leads(Control::Return | Control::JumpRegister(_)) => {
                self.out.returns.insert(self.function);
            }
            Seen::Asks => {
                self.out.asks.insert(self.function);
            }
            Seen::Named(address) => {
                self.names(address);
                if self.program.words.contains_key(&address) && !self.program.is_got(address) {
                    self.out.tables.push((self.function, address));
                }
            }
            Seen::Moved(moved) => self.moves(moved),
            Seen::Leads(_) | Seen::Literal(_) | Seen::Nothing => {}
        }
    }

    fn moves(&mut self, moved: Moved) {
        self.names(moved.place);
        if moved.stores && self.program.is_writable(moved.place) {
            let list = self.out.stores.entry(self.function).or_default();
            list.push((moved.place, if moved.bytes == 0 { 8 } else { moved.bytes }));
        }
        if moved.loads
            && moved.bytes == 8
            && let Some(register) = moved.register
            && let Some(&to) = self.program.words.get(&moved.place)
        {
            self.addresses.put(register, to);
            self.names(to);
        }
    }

    /// A call, a jump or a branch.
    fn leads(&mut self, to: u64) {
        match self.program.code(to) {
            Some(Code::Import(name)) => {
                if self.program.said_of(to).is_some() {
                    self.out.asks.insert(self.function);
                }
                self.asks(name);
                self.out.returns.insert(self.function);
            }
            Some(Code::Own(to) | Code::Resolved(to)) => {
                if self.program.said_of(to).is_some() {
                    self.out.asks.insert(self.function);
                }
                self.edge(to);
            }
            None => {}
        }
        for name in self.program.names(to) {
            self.asks(name);
        }
        if self.program.auxval.contains(&to) {
            self.out.asks.insert(self.function);
        }
    }

    fn asks(&mut self, name: &str) {
        if tells(name) {
            self.out.asks.insert(self.function);
        } else if may_tell(name) {
            self.out.may_ask.insert(self.function);
        }
    }

    fn edge(&mut self, to: u64) {
        let Some(range) = self.program.range(to) else {
            return;
        };
        if range.value != self.function {
            self.out
                .by
                .entry(range.value)
                .or_default()
                .push(self.function);
            self.out
                .to
                .entry(self.function)
                .or_default()
                .push(range.value);
        }
    }

    /// Code has an address.
    fn names(&mut self, address: u64) {
        match self.program.code(address) {
            Some(Code::Own(to) | Code::Resolved(to)) => {
                // A page's address, for what lies there.
                if to & 0xfff != 0 || self.program.is_start(to) {
                    if let Some(range) = self.program.range(to)
                        && range.value != self.function
                    {
                        self.out.taken.insert(range.value);
                    }
                    self.edge(to);
                }
            }
            Some(Code::Import(_)) => {
                if self.program.is_told(address) {
                    self.out.asks.insert(self.function);
                }
            }
            None => {
                if self.program.is_told(address) {
                    self.out.asks.insert(self.function);
                }
                if self.program.is_writable(address) {
                    let list = self.out.readers.entry(address >> 3).or_default();
                    if list.last() != Some(&self.function) {
                        list.push(self.function);
                    }
                }
            }
        }
    }
}
