//! Tables without a symbol, of which code names an element in the middle, as compilers do that
//! unroll a loop over the last ones: whoever has the start comes to these elements as well.

use super::reach::Search;
use super::tables::Named;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, Register};
use karat_flow::program::Word;
use karat_flow::sweep::within;

/// Bytes between two pointers of one table, at most: an element may have other members.
const GAP: u64 = 64;
/// Bytes that are gone back from a name, at most.
const BACK: u64 = 1 << 13;

/// What the names before the one that a table is known by say of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// It begins where it is named.
    Named,
    /// It may begin where something else is named.
    Perhaps,
    /// Pointers without a gap lead from there to another name, by which this place calls
    /// elements that nothing chose.
    Before(u32, u64),
}

impl Search<'_> {
    /// Where the table begins with the word at `word` that is named at `name`.
    pub(super) fn start_of(&mut self, node: usize, word: u64, name: u64) -> Start {
        // A symbol says it.
        if self.program.variable(word).is_some() {
            return Start::Named;
        }
        let whole = self.names(self.back(name, 8), name);
        let near = self.names(self.back(name, GAP).saturating_sub(GAP), name);
        for named in &whole {
            if let Some(user) = self.user(node, named.at)
                && let Some(used) = self.used(user, *named)
                && !used.calls.is_empty()
                && used.chosen().is_none()
            {
                return Start::Before(user, named.at);
            }
        }
        match near.is_empty() {
            true => Start::Named,
            false => Start::Perhaps,
        }
    }

    /// How far back there are pointers to code, with at most `gap` bytes from one to the next.
    fn back(&self, name: u64, gap: u64) -> u64 {
        let is_one = |at: &u64| {
            let word = self.program.words.get(*at);
            matches!(word, Some(Word::Address(to)) if self.program.is_code(to))
        };
        let mut first = name;
        let end = name.saturating_sub(BACK);
        while first > end {
            let mut before = (8..=gap).step_by(8).map(|by| first.wrapping_sub(by));
            match before.find(is_one) {
                Some(at) => first = at,
                None => break,
            }
        }
        first
    }

    /// Who has an address in `start..end` from which it may come to what is behind: its own code
    /// names it, or loads it from where a word of data has it.
    fn names(&self, start: u64, end: u64) -> Vec<Named> {
        let own = within(&self.sweep.data, start, end).iter();
        let own = own.filter(|(name, at)| !self.is_exact(*name, *at));
        let mut out: Vec<Named> = own
            .take(16)
            .map(|(_, at)| Named {
                at,
                depth: 0,
                is_given: false,
            })
            .collect();
        for (_, place) in within(&self.program.pointers, start, end).iter().take(16) {
            let mut found = Vec::new();
            self.users(place, 1, None, &mut found);
            out.extend(found.into_iter().map(|(named, _)| named));
        }
        out
    }

    /// Whether an instruction has only what it reads or writes at an address, not the address.
    fn is_exact(&self, name: u64, at: u64) -> bool {
        let Some(instruction) = self.decode(at) else {
            return false;
        };
        let is_alone = |register| matches!(register, Register::None | Register::RIP);
        instruction.mnemonic() != Mnemonic::Lea
            && is_alone(instruction.memory_base())
            && is_alone(instruction.memory_index())
            && instruction.memory_displacement64() == name
    }

    /// Whether an instruction has only another word than that at `place`, and no address: linkers
    /// put single pointers side by side.
    pub(super) fn has_another(&self, at: u64, place: u64) -> bool {
        self.decode(at).is_some_and(|one| {
            let name = one.memory_displacement64();
            let bytes = one.memory_size().size() as u64;
            self.is_exact(name, at) && !(name..name.saturating_add(bytes)).contains(&place)
        })
    }

    fn decode(&self, at: u64) -> Option<Instruction> {
        let bytes = (1..=15)
            .rev()
            .find_map(|size| self.program.bytes(at, at + size))?;
        let one = Decoder::with_ip(64, bytes, at, DecoderOptions::NONE).decode();
        (!one.is_invalid()).then_some(one)
    }
}
