//! The pass over ranges of code, as one thread makes it.

use super::pieces::{Open, Pieces};
use super::{Facts, References};
use crate::calls::SIGNALS;
use crate::classes::{Classes, CodeClass, Immediate};
use crate::facts::members::{Store, Stores};
use crate::program::{Program, Target, Word};
use iced_x86::{FlowControl, Mnemonic};
use karat_binary::brief::{Brief, Briefs, Near};
use karat_binary::ranges::AddressRange;

/// What one thread finds.
pub(super) struct Part {
    pub(super) facts: Vec<(u32, Facts)>,
    pub(super) edges: References,
    pub(super) taken: References,
    pub(super) data: References,
    pub(super) embedded: References,
    pub(super) asked: References,
    pub(super) members: Stores,
    pub(super) catches: References,
    pub(super) distances: References,
    /// Where routines whose end is not known end, since a constant follows.
    pub(super) ends: Vec<u64>,
    /// What was found in each piece, where they are asked for.
    pub(super) pieces: Option<Pieces>,
    /// The one that is being read.
    open: Open,
}

impl Part {
    pub(super) fn of(
        program: &Program<'_>,
        classes: &Classes,
        ranges: impl Iterator<Item = AddressRange<u32>>,
        pieces: Option<Pieces>,
    ) -> Self {
        let list = || References::new(program.base);
        let mut part = Self {
            facts: Vec::new(),
            edges: list(),
            taken: list(),
            data: list(),
            embedded: list(),
            asked: list(),
            members: Stores::new(program.base),
            catches: list(),
            distances: list(),
            ends: Vec::new(),
            pieces,
            open: Open::default(),
        };
        let mut sections = program.code.iter().peekable();
        let mut briefs = Briefs::new(&[], 0);
        let mut current = (0, 0);
        for range in ranges {
            if range.start >= current.1 {
                let Some((start, bytes)) = sections
                    .by_ref()
                    .find(|(start, bytes)| range.start < start + bytes.len() as u64)
                else {
                    break;
                };
                briefs = Briefs::new(bytes, *start);
                current = (*start, start + bytes.len() as u64);
            }
            if range.start < current.0 {
                continue;
            }
            let facts = part.range(program, classes, &mut briefs, &range, current.1);
            part.facts.push((range.value, facts));
        }
        part
    }

    fn range(
        &mut self,
        program: &Program<'_>,
        classes: &Classes,
        briefs: &mut Briefs<'_>,
        range: &AddressRange<u32>,
        end: u64,
    ) -> Facts {
        let mut facts = Facts::default();
        self.open = Open::of(range.start, range.end);
        let mut falls = None;
        let mut next = range.start;
        // Behind the last instruction behind which nothing goes on, with its padding.
        let mut end_of_code = None;
        // Numbers that may be addresses are looked at.
        let has_numbers = program.is_fixed;
        while next < range.end.min(end) {
            let at = next;
            let quick = briefs.quick(at);
            // Most are dull; only a file that does not move has addresses as numbers. Of vector
            // instructions one is enough that no compiler emits which may use AVX.
            if let Some(quick) = quick
                && (quick.is_dull() | (facts.before_avx & quick.is_dull_vector()))
                && !(has_numbers && quick.is_special())
            {
                next += quick.length as u64;
                facts.instructions += 1;
                falls = Some(at);
                continue;
            }
            // A fifth of all are these.
            if let Some(near) = briefs.near(at) {
                next += u64::from(near.length);
                facts.instructions += 1;
                falls = (near.flow == FlowControl::ConditionalBranch).then_some(at);
                self.branch(program, range, &near, at, &mut facts);
                if near.flow == FlowControl::UnconditionalBranch {
                    end_of_code = Some(next);
                    self.open.ends(&mut self.pieces, &mut facts, next);
                }
                continue;
            }
            let instruction = match quick {
                Some(_) => briefs.at(at),
                None => briefs.learn(at),
            };
            let Some(instruction) = instruction else {
                facts.undecodable = true;
                self.ends.extend(end_of_code);
                break;
            };
            next += u64::from(instruction.length);
            facts.instructions += 1;
            let class = classes.of_number(instruction.code);
            if class.above != 0 && class.is_cpuid {
                facts.add_xgetbv(at);
            } else if class.above != 0 {
                facts.add_above(class.above, at);
            }
            facts.asks |= class.is_cpuid;
            facts.extended |= class.is_extended;
            facts.before_avx |= class.is_before_avx;
            facts.tzcnt += u32::from(class.is_tzcnt);
            if let Some(address) = instruction.named() {
                facts.imports |= program.holders.contains(&address);
                self.names(program, address, at, class);
            } else if program.threads.is_some() {
                let is_move = class.mnemonic == Mnemonic::Mov && !instruction.has_memory;
                let variable = program.names_thread(&instruction, is_move);
                if let Some(variable) = variable {
                    self.data.push((variable, at));
                }
            }
            // It may be an address that is stored in a variable which is named so.
            if has_numbers {
                self.absolute(program, &instruction, class, at);
            }
            if let Some(store) = Store::of(&instruction, class, at) {
                self.members.push(store);
            }
            falls = None;
            // Most are that, and are told by one branch.
            if class.flow == FlowControl::Next {
                let is_padding = matches!(class.mnemonic, Mnemonic::Nop | Mnemonic::Int3);
                falls = (!is_padding).then_some(at);
                if is_padding && end_of_code == Some(at) {
                    end_of_code = Some(next);
                    self.open.ends(&mut self.pieces, &mut facts, next);
                }
                continue;
            }
            match class.flow {
                FlowControl::Return => facts.returns = true,
                FlowControl::UnconditionalBranch
                | FlowControl::ConditionalBranch
                | FlowControl::Call
                | FlowControl::XbeginXabortXend => {
                    if class.flow == FlowControl::ConditionalBranch {
                        falls = Some(at);
                    }
                    if instruction.is_branch {
                        let near = Near {
                            flow: class.flow,
                            length: instruction.length,
                            to: instruction.immediate,
                        };
                        self.branch(program, range, &near, at, &mut facts);
                    }
                }
                FlowControl::IndirectBranch | FlowControl::IndirectCall => {
                    facts.returns |= class.flow == FlowControl::IndirectBranch;
                    if let Some(slot) = instruction.named()
                        && let Some(Word::Address(to)) = program.slot(slot)
                    {
                        self.edges.push((to, at));
                    }
                }
                _ => {}
            }
            if !matches!(
                class.flow,
                FlowControl::Call | FlowControl::IndirectCall | FlowControl::ConditionalBranch
            ) {
                end_of_code = Some(next);
                self.open.ends(&mut self.pieces, &mut facts, next);
            }
        }
        // Assembly may run on into what follows.
        if let Some(at) = falls
            && !facts.undecodable
            && program
                .routine_at(range.end)
                .is_some_and(|next| next != range.value)
            && program.routines[range.value as usize]
                .ranges
                .last()
                .is_some_and(|(_, end)| *end == range.end)
        {
            facts.returns = true;
            self.edges.push((range.end, at));
        }
        let runs_on = falls.is_some() || next > range.end;
        self.open.last(&mut self.pieces, facts, runs_on)
    }

    /// Notes where a direct branch or call goes.
    fn branch(
        &mut self,
        program: &Program<'_>,
        range: &AddressRange<u32>,
        near: &Near,
        at: u64,
        facts: &mut Facts,
    ) {
        let to = near.to;
        let is_call = near.flow == FlowControl::Call;
        // Recursion is no edge; `call` of the next instruction neither.
        let is_near = || (range.start..range.end).contains(&to);
        if !is_call && (is_near() || program.routine_at(to) == Some(range.value)) {
            return self.open.stays(to);
        }
        facts.returns |= !is_call;
        if !program.holders.is_empty()
            && let Some(slot) = program.stubs.get(&to)
        {
            facts.imports |= program.holders.contains(slot);
        }
        match program.follow(to) {
            Target::Address(to) => self.edges.push((to, at)),
            Target::Import(name) if program.is_asked(name) => self.asked.push((to, at)),
            Target::Import(name) if SIGNALS.contains(&name) => self.catches.push((to, at)),
            Target::Import(_) => {}
        }
    }

    /// Notes what an instruction names by its distance from it.
    fn names(&mut self, program: &Program<'_>, address: u64, at: u64, class: &CodeClass) {
        if class.mnemonic == Mnemonic::Lea && program.is_code(address) {
            self.taken.push((address, at));
        } else if program.is_got(address) {
            if let Some(Word::Import(name)) = program.words.get(address)
                && program.is_asked(name)
            {
                self.asked.push((address, at));
            }
            // What is added to the thread's base, where the linker knows it.
            if program.threads.is_some()
                && !program.words.contains(address)
                && let Some(variable) =
                    (program.content(address)).and_then(|by| program.threads(by))
            {
                self.data.push((variable, at));
            }
            // The address of a variable or function, loaded. One that is compared with goes
            // nowhere: OpenBLAS finds the name of its table so.
            if let Some(Word::Address(to)) = program.words.get(address)
                && class.flow == FlowControl::Next
                && class.mnemonic != Mnemonic::Cmp
            {
                if program.is_code(to) {
                    self.taken.push((to, at));
                } else {
                    self.data.push((to, at));
                }
            }
        } else if program.is_kept(address) {
            self.data.push((address, at));
            // MinGW's own table of variables that another file might have.
            if program.image_base != 0
                && class.mnemonic == Mnemonic::Mov
                && let Some(Word::Address(to)) = program.slot(address)
                && program.is_data(to)
            {
                self.data.push((to, at));
            }
        } else if class.mnemonic == Mnemonic::Lea
            && let Some(distance) = program.content32(address)
            && let to = address.wrapping_add(i64::from(distance) as u64)
            && program.is_code(to)
        {
            match program.routine_at(to) == program.routine_at(at) {
                true => self.open.stays(to),
                false => self.distances.push((address, at)),
            }
        } else if class.mnemonic != Mnemonic::Lea
            && class.flow == FlowControl::Next
            && program.is_code(address)
        {
            self.embedded.push((address, at));
        }
    }

    /// In a file at a fixed address, immediates and displacements are addresses.
    fn absolute(&mut self, program: &Program<'_>, instruction: &Brief, class: &CodeClass, at: u64) {
        let immediate = match class.immediate {
            Immediate::None => None,
            Immediate::Short => Some(u64::from(instruction.immediate as u32)),
            Immediate::Whole => Some(instruction.immediate),
        };
        if let Some(value) = immediate {
            if program.is_code(value) {
                self.taken.push((value, at));
            } else if program.is_kept(value) {
                self.data.push((value, at));
            }
        }
        if let Some(value) = instruction.absolute()
            && instruction.named().is_none()
            && program.is_kept(value)
        {
            self.data.push((value, at));
        }
    }
}
