//! The count: decoder, symbols, line tables and inline trees walked in step.
//!
//! Code is cut into stretches over which function, owner and expected functions
//! stay the same; the inner loop then only decodes and looks up a table.

use crate::decode::{CodeInfo, table};
use crate::image::{CodeSection, Image};
use crate::span::{Cursor, Span};
use crate::symbols::Symbols;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic};
use karat_model::audit::Census;
use std::collections::{BTreeMap, HashMap};

/// Plain counters, in the order of [`Census`].
#[derive(Clone, Copy, Default)]
pub(crate) struct Counts {
    pub instructions: u64,
    bytes: u64,
    /// none, xmm, ymm, zmm
    width: [u64; 4],
    mask: u64,
    pub undecodable: u64,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.instructions += other.instructions;
        self.bytes += other.bytes;
        for (mine, theirs) in self.width.iter_mut().zip(other.width) {
            *mine += theirs;
        }
        self.mask += other.mask;
        self.undecodable += other.undecodable;
    }

    /// Instructions that name a 256-bit or a 512-bit register.
    pub fn wide(&self) -> u64 {
        self.width[2] + self.width[3]
    }

    /// Instructions that name a vector register.
    pub fn vector(&self) -> u64 {
        self.width[1..].iter().sum()
    }

    /// Instructions by the widest register they name: none, xmm, ymm, zmm.
    pub fn widths(&self) -> [u32; 4] {
        let [_, xmm, ymm, zmm] = self.width;
        let none = self.instructions - self.vector();
        [none, xmm, ymm, zmm].map(|count| u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// The published form; `sets` counts instructions by extension set.
    pub fn census(&self, sets: &[u64]) -> Census {
        let mut extensions = BTreeMap::new();
        for (names, &count) in table().sets.iter().zip(sets) {
            if count > 0 {
                for name in names {
                    *extensions.entry(name.clone()).or_default() += count;
                }
            }
        }
        Census {
            instructions: self.instructions,
            bytes: self.bytes,
            xmm: self.width[1],
            ymm: self.width[2],
            zmm: self.width[3],
            mask: self.mask,
            undecodable: self.undecodable,
            extensions,
        }
    }
}

/// Counts with the extension sets beside them.
#[derive(Clone, Default)]
pub(crate) struct Tally {
    pub counts: Counts,
    /// By extension set; shorter than the table when the tail is zero.
    pub sets: Vec<u64>,
}

impl Tally {
    pub fn of(counts: Counts) -> Self {
        Self {
            counts,
            sets: Vec::new(),
        }
    }

    pub fn add(&mut self, other: &Self) {
        self.counts.add(&other.counts);
        for (set, &count) in other.sets.iter().enumerate() {
            self.add_set(set as u8, count);
        }
    }

    pub fn add_set(&mut self, set: u8, count: u64) {
        let at = usize::from(set);
        if self.sets.len() <= at {
            self.sets.resize(at + 1, 0);
        }
        self.sets[at] += count;
    }

    pub fn census(&self) -> Census {
        self.counts.census(&self.sets)
    }
}

/// Which expected functions each address belongs to.
pub(crate) struct Layers<'a> {
    /// Owner indices.
    pub owners: &'a [Span<u32>],
    /// How many owners there are; one more counts as unattributed.
    pub owner_count: usize,
    /// By function: expected functions its symbol is.
    pub by_symbol: &'a HashMap<u32, Vec<u32>>,
    /// Indices into `inline_sets`.
    pub inlined: &'a [Span<u32>],
    /// Expected functions found in inline chains.
    pub inline_sets: &'a [Vec<u32>],
    pub target_count: usize,
}

/// What was counted of one expected function.
#[derive(Clone, Default)]
pub(crate) struct TargetCount {
    pub tally: Tally,
    /// By `Mnemonic as usize`; empty when nothing was found.
    pub mix: Vec<u32>,
    /// Function index to instructions inlined there.
    pub hosts: HashMap<u32, u64>,
}

/// Everything that was counted.
pub(crate) struct Counted {
    /// By function.
    pub functions: Vec<Counts>,
    /// (function, extension set, instructions), functions in address order.
    pub function_sets: Vec<(u32, u8, u64)>,
    /// By owner; the last one is the unattributed code.
    pub owners: Vec<Tally>,
    pub targets: Vec<TargetCount>,
    /// By section of the image: code whose extensions are not believed.
    pub withheld: Vec<Withheld>,
}

/// Code whose extensions are not believed, because it may be data.
#[derive(Clone, Copy, Default)]
pub(crate) struct Withheld {
    pub bytes: u64,
    pub undecodable: u64,
}

/// Counts of one stretch, before they are added to their owners.
struct Stretch {
    counts: Counts,
    sets: [u32; 256],
    touched: Vec<u8>,
}

impl Stretch {
    #[inline(always)]
    fn count(&mut self, info: CodeInfo, instruction: &Instruction) {
        self.counts.width[usize::from(info.width(instruction))] += 1;
        self.counts.mask += u64::from(info.has_mask(instruction));
        if info.set != 0 {
            let count = &mut self.sets[usize::from(info.set)];
            if *count == 0 {
                self.touched.push(info.set);
            }
            *count += 1;
        }
    }
}

/// Decodes all code of an image once.
pub(crate) fn count(image: &Image<'_>, symbols: &Symbols<'_>, layers: &Layers<'_>) -> Counted {
    let mut walk = Walk {
        symbols,
        layers,
        out: Counted {
            functions: vec![Counts::default(); symbols.functions.len()],
            function_sets: Vec::new(),
            owners: vec![Tally::default(); layers.owner_count + 1],
            targets: vec![TargetCount::default(); layers.target_count],
            withheld: vec![Withheld::default(); image.code.len()],
        },
        pending: Pending::default(),
        stretch: Stretch {
            counts: Counts::default(),
            sets: [0; 256],
            touched: Vec::new(),
        },
    };
    for (number, section) in image.code.iter().enumerate() {
        walk.pending.section = number;
        walk.section(section);
        walk.settle();
    }
    walk.out
}

/// Extension counts of the function being walked. They are kept back until its
/// end (or its section's): a function with a byte that does not decode may be data, and nothing
/// about the CPU is claimed from data.
#[derive(Default)]
struct Pending {
    section: usize,
    function: u32,
    bytes: u64,
    undecodable: u64,
    /// (owner, extension set, instructions)
    owners: Vec<(u32, u8, u32)>,
    /// (expected function, extension set, instructions)
    targets: Vec<(u32, u8, u32)>,
}

struct Walk<'a> {
    symbols: &'a Symbols<'a>,
    layers: &'a Layers<'a>,
    out: Counted,
    pending: Pending,
    stretch: Stretch,
}

impl Walk<'_> {
    fn section(&mut self, section: &CodeSection<'_>) {
        let codes = &table().codes[..];
        let mut decoder =
            Decoder::with_ip(64, section.bytes, section.address, DecoderOptions::NONE);
        let mut functions = Cursor::new(&self.symbols.spans);
        let mut owners = Cursor::new(self.layers.owners);
        let mut inlined = Cursor::new(self.layers.inlined);
        let mut instruction = Instruction::default();
        let mut targets: Vec<u32> = Vec::new();
        let unattributed = self.layers.owner_count as u32;
        let (end, mut at) = (section.end(), section.address);
        let mut last_start = at;
        while at < end {
            let (function, function_end) = functions.at(at);
            let Some(function) = function else {
                // Dead code that a symbol's absence gives away.
                at = function_end.min(end);
                reposition(&mut decoder, section, at);
                continue;
            };
            if function != self.pending.function {
                self.settle();
                self.pending.function = function;
                // What came before may have been data whose last "instruction"
                // reached over the symbol: the symbol is right.
                let start = self.symbols.functions[function as usize].address;
                if last_start < start && start < at {
                    at = start;
                    reposition(&mut decoder, section, at);
                }
            }
            let (owner, owner_end) = owners.at(at);
            let (set, inlined_end) = inlined.at(at);
            let until = function_end.min(owner_end).min(inlined_end).min(end);

            targets.clear();
            let by_symbol = self.layers.by_symbol.get(&function);
            if by_symbol.is_some() || set.is_some() {
                let chain = set.map_or(&[][..], |set| &self.layers.inline_sets[set as usize]);
                targets.extend(by_symbol.into_iter().flatten());
                let own = targets.len();
                targets.extend(
                    chain
                        .iter()
                        .filter(|t| !by_symbol.is_some_and(|s| s.contains(t))),
                );
                self.prepare(&targets);
                while at < until {
                    last_start = at;
                    at = self.step(&mut decoder, &mut instruction, codes, section, at);
                    if !instruction.is_invalid() {
                        for target in &targets {
                            self.out.targets[*target as usize].mix
                                [instruction.mnemonic() as usize] += 1;
                        }
                    }
                }
                let instructions = self.stretch.counts.instructions;
                for target in &targets[own..] {
                    let hosts = &mut self.out.targets[*target as usize].hosts;
                    *hosts.entry(function).or_default() += instructions;
                }
            } else {
                while at < until {
                    last_start = at;
                    at = self.step(&mut decoder, &mut instruction, codes, section, at);
                }
            }
            self.flush(function, owner.unwrap_or(unattributed), &targets);
        }
    }

    /// Decodes and counts the instruction at `at`; returns the next address.
    #[inline(always)]
    fn step(
        &mut self,
        decoder: &mut Decoder<'_>,
        instruction: &mut Instruction,
        codes: &[CodeInfo],
        section: &CodeSection<'_>,
        at: u64,
    ) -> u64 {
        decoder.decode_out(instruction);
        if instruction.is_invalid() {
            self.stretch.counts.undecodable += 1;
            reposition(decoder, section, at + 1);
            return at + 1;
        }
        let next = decoder.ip();
        self.stretch.counts.instructions += 1;
        self.stretch.counts.bytes += next - at;
        let info = codes[instruction.code() as usize];
        if !info.is_plain() {
            self.stretch.count(info, instruction);
        }
        next
    }

    fn prepare(&mut self, targets: &[u32]) {
        for target in targets {
            let mix = &mut self.out.targets[*target as usize].mix;
            if mix.is_empty() {
                mix.resize(Mnemonic::values().len(), 0);
            }
        }
    }

    /// Adds the stretch to all it belongs to, and empties it.
    fn flush(&mut self, function: u32, owner: u32, targets: &[u32]) {
        let counts = std::mem::take(&mut self.stretch.counts);
        self.out.functions[function as usize].add(&counts);
        self.out.owners[owner as usize].counts.add(&counts);
        for target in targets {
            let tally = &mut self.out.targets[*target as usize].tally;
            tally.counts.add(&counts);
        }
        self.pending.bytes += counts.bytes;
        self.pending.undecodable += counts.undecodable;
        while let Some(set) = self.stretch.touched.pop() {
            let count = std::mem::take(&mut self.stretch.sets[usize::from(set)]);
            self.pending.owners.push((owner, set, count));
            for target in targets {
                self.pending.targets.push((*target, set, count));
            }
        }
    }

    /// Ends the current function: its extensions are believed if all of it
    /// decoded.
    fn settle(&mut self) {
        let pending = &mut self.pending;
        let bytes = std::mem::take(&mut pending.bytes);
        let undecodable = std::mem::take(&mut pending.undecodable);
        if undecodable > 0 {
            let withheld = &mut self.out.withheld[pending.section];
            withheld.bytes += bytes + undecodable;
            withheld.undecodable += undecodable;
        } else {
            for &(owner, set, count) in &pending.owners {
                self.out.owners[owner as usize].add_set(set, count.into());
                let sets = &mut self.out.function_sets;
                match sets.last_mut() {
                    Some(last) if last.0 == pending.function && last.1 == set => {
                        last.2 += u64::from(count);
                    }
                    _ => sets.push((pending.function, set, count.into())),
                }
            }
            for &(target, set, count) in &pending.targets {
                let target = &mut self.out.targets[target as usize];
                target.tally.add_set(set, count.into());
            }
        }
        pending.owners.clear();
        pending.targets.clear();
    }
}

/// Moves the decoder to an address of the section.
fn reposition(decoder: &mut Decoder<'_>, section: &CodeSection<'_>, address: u64) {
    let offset = (address - section.address) as usize;
    // The offset is inside the section or at its end, which the decoder allows.
    if decoder.set_position(offset).is_ok() {
        decoder.set_ip(address);
    }
}
