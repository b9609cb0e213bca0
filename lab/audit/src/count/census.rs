//! The count: decoder, symbols, line tables and inline trees walked in step.
//!
//! Code is cut into stretches over which function, owner and expected functions
//! stay the same; the inner loop then only decodes and looks up a table. Chunks
//! of code (see [`crate::count::chunks`]) are walked independently of each other.

use crate::catalogue::Constants;
use crate::count::arch::{mnemonics, undecodable_bytes};
use crate::count::isa::{Isa, Stretch};
use crate::counts::{FunctionCounts, Tally, TargetCount};
use karat_binary::ranges::{AddressRange, Cursor};
use karat_binary::read::image::Image;
use karat_binary::read::symbols::Symbols;
use std::collections::HashMap;

/// A piece of a section.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Chunk {
    /// Index into [`Image::code`].
    pub section: usize,
    pub start: u64,
    pub end: u64,
}

/// Which expected functions each address belongs to.
pub(crate) struct Layers<'a> {
    /// Owner indices.
    pub owners: &'a [AddressRange<u32>],
    /// How many owners there are; one more counts as unattributed.
    pub owner_count: usize,
    /// By function: the owner of its code that `owners` says nothing of.
    pub by_name: &'a [u32],
    /// By function: expected functions its symbol is.
    pub by_symbol: &'a HashMap<u32, Vec<u32>>,
    /// Indices into `inline_sets`.
    pub inlined: &'a [AddressRange<u32>],
    /// Expected functions found in inline chains.
    pub inline_sets: &'a [Vec<u32>],
    pub target_count: usize,
    /// What instructions are asked for, while they are counted.
    pub constants: Option<&'a Constants>,
}

/// Everything that was counted.
pub(crate) struct Counted {
    /// By function.
    pub functions: Vec<FunctionCounts>,
    /// (function, extension set, instructions); in no order, and a pair may
    /// come more than once.
    pub function_sets: Vec<(u32, u8, u64)>,
    /// By owner; the last one is the unattributed code.
    pub owners: Vec<Tally>,
    pub targets: Vec<TargetCount>,
    /// By section of the image.
    pub sections: Vec<Tally>,
    /// By section of the image: code whose extensions are not believed.
    pub withheld: Vec<Withheld>,
    /// Instructions that name a constant of a known kernel; sorted at the end.
    pub places: Vec<u64>,
}

/// Code whose extensions are not believed, because it may be data.
#[derive(Clone, Copy, Default)]
pub(crate) struct Withheld {
    pub bytes: u64,
    pub undecodable: u64,
}

impl Counted {
    pub fn new(image: &Image<'_>, symbols: &Symbols<'_>, layers: &Layers<'_>) -> Self {
        Self {
            functions: vec![FunctionCounts::default(); symbols.functions.len()],
            function_sets: Vec::new(),
            owners: vec![Tally::default(); layers.owner_count + 1],
            targets: vec![TargetCount::default(); layers.target_count],
            sections: vec![Tally::default(); image.code.len()],
            withheld: vec![Withheld::default(); image.code.len()],
            places: Vec::new(),
        }
    }

    /// Adds the functions of a chunk, and empties it.
    pub fn add_piece(&mut self, piece: &mut Piece) {
        for (function, counts) in piece.functions.drain(..) {
            self.functions[function as usize].add(counts);
        }
        self.function_sets.append(&mut piece.sets);
    }

    /// Adds all that a walk counted but for functions, and takes the places that it found.
    pub fn add_walk<I>(&mut self, walk: &mut Walk<'_, I>) {
        self.add_sums(&walk.sums);
        self.places.append(&mut walk.stretch.places);
    }

    fn add_sums(&mut self, sums: &Sums) {
        for (mine, theirs) in self.owners.iter_mut().zip(&sums.owners) {
            mine.add(theirs);
        }
        for (mine, theirs) in self.sections.iter_mut().zip(&sums.sections) {
            mine.add(theirs);
        }
        for (mine, theirs) in self.withheld.iter_mut().zip(&sums.withheld) {
            mine.bytes += theirs.bytes;
            mine.undecodable += theirs.undecodable;
        }
        for (mine, theirs) in self.targets.iter_mut().zip(&sums.targets) {
            mine.tally.add(&theirs.tally);
            if mine.mix.len() < theirs.mix.len() {
                mine.mix.resize(theirs.mix.len(), 0);
            }
            for (count, more) in mine.mix.iter_mut().zip(&theirs.mix) {
                *count += more;
            }
            for (host, count) in &theirs.hosts {
                *mine.hosts.entry(*host).or_default() += count;
            }
        }
    }
}

/// Counts of the functions of one chunk: a function comes once for each of its
/// parts.
#[derive(Default)]
pub(crate) struct Piece {
    functions: Vec<(u32, FunctionCounts)>,
    sets: Vec<(u32, u8, u64)>,
}

/// What one walk counts but for functions.
pub(crate) struct Sums {
    owners: Vec<Tally>,
    targets: Vec<TargetCount>,
    sections: Vec<Tally>,
    withheld: Vec<Withheld>,
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

/// A walk over chunks, one after the other.
pub(crate) struct Walk<'a, I> {
    image: &'a Image<'a>,
    symbols: &'a Symbols<'a>,
    layers: &'a Layers<'a>,
    /// Of the chunk walked last.
    pub piece: Piece,
    pub sums: Sums,
    pending: Pending,
    pub stretch: Stretch,
    pub isa: I,
    functions: Cursor<'a, u32>,
    owners: Cursor<'a, u32>,
    inlined: Cursor<'a, u32>,
    /// Of the stretch: its function, its owner, and expected functions that it is of.
    function: u32,
    owner: u32,
    targets: Vec<u32>,
    /// Where the chunk ends.
    end: u64,
    /// Where the stretch begins, where the walk is, and where it is to get to.
    from: u64,
    pub at: u64,
    pub until: u64,
    /// Where it was one instruction before.
    pub last: u64,
    /// Instructions of the stretch, and places where none is.
    pub decoded: u64,
    pub lost: u64,
}

impl<'a, I: Isa<'a>> Walk<'a, I> {
    pub fn new(image: &'a Image<'a>, symbols: &'a Symbols<'a>, layers: &'a Layers<'a>) -> Self {
        Self {
            image,
            symbols,
            layers,
            piece: Piece::default(),
            sums: Sums {
                owners: vec![Tally::default(); layers.owner_count + 1],
                targets: vec![TargetCount::default(); layers.target_count],
                sections: vec![Tally::default(); image.code.len()],
                withheld: vec![Withheld::default(); image.code.len()],
            },
            pending: Pending::default(),
            stretch: Stretch::new(),
            isa: I::new(&[], 0, None),
            functions: Cursor::new(&symbols.ranges),
            owners: Cursor::new(layers.owners),
            inlined: Cursor::new(layers.inlined),
            function: 0,
            owner: 0,
            targets: Vec::new(),
            end: 0,
            from: 0,
            at: 0,
            until: 0,
            last: 0,
            decoded: 0,
            lost: 0,
        }
    }

    /// Goes to the start of a chunk.
    pub fn begin(&mut self, chunk: &Chunk) {
        self.pending.section = chunk.section;
        let section = &self.image.code[chunk.section];
        // Copies that were left behind are looked at where they are dense (`catalogue::dense`).
        let constants = self.layers.constants.filter(|_| !section.named_only);
        self.isa = I::new(section.bytes, section.address, constants);
        (self.at, self.last, self.end) = (chunk.start, chunk.start, chunk.end);
        self.until = self.at;
    }

    /// Goes to the next stretch of the chunk; false at its end.
    pub fn next(&mut self) -> bool {
        while self.at < self.end {
            let (function, function_end) = self.functions.at(self.at);
            let Some(function) = function else {
                // Data, or dead code that a symbol's absence gives away.
                self.at = function_end.min(self.end);
                continue;
            };
            if function != self.pending.function {
                self.settle();
                self.pending.function = function;
                // What came before may have been data whose last "instruction"
                // reached over the symbol: the symbol is right.
                // Where its range begins here there was no such instruction.
                if self.functions.start() != Some(self.at) {
                    let start = self.symbols.functions[function as usize].address;
                    if self.last < start && start < self.at {
                        self.at = start;
                    }
                }
            }
            let (owner, owner_end) = self.owners.at(self.at);
            let (set, inlined_end) = self.inlined.at(self.at);
            self.function = function;
            self.owner = owner.unwrap_or(self.layers.by_name[function as usize]);
            self.until = function_end.min(owner_end).min(inlined_end).min(self.end);
            self.from = self.at;
            let by_symbol = self.layers.by_symbol.get(&function);
            if by_symbol.is_none() && set.is_none() {
                return true;
            }
            let chain = set.map_or(&[][..], |set| &self.layers.inline_sets[set as usize]);
            self.expected(by_symbol.map_or(&[], Vec::as_slice), chain);
        }
        self.settle();
        false
    }

    /// Walks a stretch that is of expected functions, by their symbol or inlined.
    fn expected(&mut self, by_symbol: &[u32], chain: &[u32]) {
        self.targets.extend(by_symbol);
        (self.targets).extend(chain.iter().filter(|t| !by_symbol.contains(t)));
        let targets = std::mem::take(&mut self.targets);
        self.prepare(&targets);
        while self.at < self.until {
            let before = self.decoded;
            self.step();
            if self.decoded > before {
                let mnemonic = self.isa.mnemonic();
                for target in &targets {
                    self.sums.targets[*target as usize].mix[mnemonic] += 1;
                }
            }
        }
        for target in &targets[by_symbol.len()..] {
            let hosts = &mut self.sums.targets[*target as usize].hosts;
            *hosts.entry(self.function).or_default() += self.decoded;
        }
        self.targets = targets;
        self.finish();
    }

    /// Walks over one instruction.
    #[inline(always)]
    pub fn step(&mut self) {
        self.last = self.at;
        let step = self.isa.step(self.at, &mut self.stretch);
        self.at = step.next;
        self.decoded += u64::from(step.decoded);
        self.lost += u64::from(!step.decoded);
    }

    /// Walks to the end of the chunk.
    pub fn rest(&mut self) {
        while self.at < self.until || self.next() {
            while self.at < self.until {
                self.step();
            }
            self.finish();
        }
    }

    /// Ends a stretch: adds it to all it belongs to.
    pub fn finish(&mut self) {
        // All that was gone over but for what did not decode.
        let lost = std::mem::take(&mut self.lost) * undecodable_bytes(self.image.arch);
        self.stretch.counts.instructions = std::mem::take(&mut self.decoded);
        self.stretch.counts.bytes = self.at - self.from - lost;
        let targets = std::mem::take(&mut self.targets);
        self.flush(self.function, self.owner, &targets);
        self.targets = targets;
        self.targets.clear();
    }

    fn prepare(&mut self, targets: &[u32]) {
        for target in targets {
            let mix = &mut self.sums.targets[*target as usize].mix;
            if mix.is_empty() {
                mix.resize(mnemonics(self.image.arch), 0);
            }
        }
    }

    /// Adds the stretch to all it belongs to, and empties it.
    fn flush(&mut self, function: u32, owner: u32, targets: &[u32]) {
        let counts = std::mem::take(&mut self.stretch.counts);
        match self.piece.functions.last_mut() {
            Some((last, sum)) if *last == function => sum.add((&counts).into()),
            _ => self.piece.functions.push((function, (&counts).into())),
        }
        self.sums.owners[owner as usize].counts.add(&counts);
        self.sums.sections[self.pending.section].counts.add(&counts);
        for target in targets {
            let tally = &mut self.sums.targets[*target as usize].tally;
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
            let withheld = &mut self.sums.withheld[pending.section];
            withheld.bytes += bytes + undecodable * undecodable_bytes(self.image.arch);
            withheld.undecodable += undecodable;
        } else {
            for &(owner, set, count) in &pending.owners {
                let count = u64::from(count);
                self.sums.owners[owner as usize].add_set(set, count);
                self.sums.sections[pending.section].add_set(set, count);
                match self.piece.sets.last_mut() {
                    Some(last) if last.0 == pending.function && last.1 == set => last.2 += count,
                    _ => self.piece.sets.push((pending.function, set, count)),
                }
            }
            for &(target, set, count) in &pending.targets {
                let target = &mut self.sums.targets[target as usize];
                target.tally.add_set(set, count.into());
            }
        }
        pending.owners.clear();
        pending.targets.clear();
    }
}
