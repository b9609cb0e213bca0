//! One linear pass over all code: which function refers to which, which data, and where
//! somebody is asked what the CPU has. What is not seen so is the walk's to find out.

use super::decode::{Control, control, near, page};
use super::program::{Code, Program, THREAD};
use super::tellers::{may_tell, tells};
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
    /// By register: the address that was put there.
    known: [Option<u64>; 32],
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
                known: [None; 32],
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
        let (rd, rn) = ((word & 31) as usize, (word >> 5 & 31) as usize);
        match control(word, at) {
            Control::Call(to) => {
                self.leads(to);
                self.known[..19].fill(None);
                return;
            }
            Control::CallRegister(_) => {
                self.known[..19].fill(None);
                return;
            }
            Control::Jump(to) => {
                self.leads(to);
                self.known.fill(None);
                return;
            }
            Control::Branch(to, _) => return self.leads(to),
            Control::Return | Control::JumpRegister(_) => {
                self.out.returns.insert(self.function);
                self.known.fill(None);
                return;
            }
            Control::Stop => {
                self.known.fill(None);
                return;
            }
            Control::Next => {}
        }
        let put = match word {
            _ if word & 0x9f00_0000 == 0x1000_0000 => Some(near(word, at)),
            _ if word & 0x9f00_0000 == 0x9000_0000 => {
                // Of a page alone nothing is there, mostly.
                self.known[rd] = Some(page(word, at));
                return;
            }
            _ if word & 0xff80_0000 == 0x9100_0000 => {
                let shift = if word >> 22 & 1 == 1 { 12 } else { 0 };
                self.known[rn].map(|base| base.wrapping_add(u64::from(word >> 10 & 0xfff) << shift))
            }
            // A move.
            _ if word & 0xffe0_ffe0 == 0xaa00_03e0 => self.known[(word >> 16 & 31) as usize],
            // A load or a store with an offset that is a number; of pairs likewise.
            _ if word & 0x3b00_0000 == 0x3900_0000 => {
                let size = match (word >> 26 & 1, word >> 22 & 3, word >> 30) {
                    (1, 2 | 3, 0) => 4,
                    (.., size) => size,
                };
                let offset = u64::from(word >> 10 & 0xfff) << size;
                let is_store = word >> 22 & 3 == 0 || word >> 26 & 1 == 1 && word >> 22 & 3 == 2;
                return self.moves(word, rn, offset, is_store, 1 << size);
            }
            _ if word & 0x3a00_0000 == 0x2800_0000 || word & 0x3b00_0000 == 0x3800_0000 => {
                return self.moves(word, rn, 0, word >> 22 & 1 == 0, 0);
            }
            // Exclusives and atomics.
            _ if word & 0x3b00_0000 == 0x0800_0000 => {
                return self.moves(word, rn, 0, true, 0);
            }
            _ if word & 0xffff_ffe0 == 0xd53b_d040 => {
                self.known[rd] = Some(THREAD);
                return;
            }
            // An ID register.
            _ if word & 0xfff8_f000 == 0xd538_0000 => {
                self.out.asks.insert(self.function);
                None
            }
            // Vectors, and what sets no register.
            _ if word >> 25 & 7 == 7 || word >> 25 & 0xe == 0b1010 => return,
            _ => None,
        };
        self.known[rd] = put;
        if let Some(address) = put {
            self.names(address);
            if self.program.words.contains_key(&address) && !self.program.is_got(address) {
                self.out.tables.push((self.function, address));
            }
        }
    }

    /// A load or a store; 0 bytes where it is not known how many.
    fn moves(&mut self, word: u32, rn: usize, offset: u64, is_store: bool, bytes: u8) {
        let rt = (word & 31) as usize;
        let place = self.known[rn].map(|base| base.wrapping_add(offset));
        if word >> 26 & 1 == 0 && !is_store {
            self.known[rt] = None;
        }
        let Some(place) = place else { return };
        self.names(place);
        if is_store && self.program.is_writable(place) {
            let list = self.out.stores.entry(self.function).or_default();
            list.push((place, if bytes == 0 { 8 } else { bytes }));
        }
        if bytes == 8
            && !is_store
            && word >> 26 & 1 == 0
            && let Some(&to) = self.program.words.get(&place)
        {
            self.known[rt] = Some(to);
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
