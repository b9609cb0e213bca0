//! What loads from variables, constants and imports give.

use super::again::Asked;
use super::arithmetic::shifted;
use super::features::Facts;
use super::known;
use super::oracle::Oracle;
use super::state::truncated;
use super::value::{Kind, Value};
use crate::program::Word;

/// Imported variables are given addresses from here on.
const IMPORTS: u64 = 0xffff_f000_0000_0000;

impl Oracle<'_> {
    /// What an imported function gives.
    pub(super) fn imported(&self, name: &str) -> Value {
        match self.vouched_function(&[name]) {
            Some(says) => says.value(8),
            // C++ asks whether a local variable is there yet: no question to the CPU.
            None if name == "__cxa_guard_acquire" => known::either(),
            None => Value::any(),
        }
    }

    /// The imported function or variable that an address was given to.
    pub(super) fn imported_at(&self, at: u64) -> Option<&str> {
        let index = at.checked_sub(IMPORTS)? >> 20;
        self.imports.get(usize::try_from(index).ok()?).copied()
    }

    /// The address of an imported variable.
    pub(super) fn import(&self, name: &str) -> Value {
        match self.imports.binary_search(&name) {
            Ok(at) => Value::number(IMPORTS | (at as u64) << 20),
            Err(_) => Value::any(),
        }
    }

    /// Whether an address is one that is worth following when it is given away.
    pub(super) fn is_pointer(&self, address: u64) -> bool {
        self.program.is_code(address) || self.program.is_kept(address)
    }

    pub(super) fn is_cell(&self, address: u64) -> bool {
        let has = |address| self.detection.cells.has(address) || self.detection.picked.has(address);
        has(address)
            || (0..=64)
                .step_by(8)
                .any(|by| has(address.saturating_add(by)))
    }

    /// What a load from a variable or a constant gives.
    #[must_use]
    pub fn load(&self, at: u64, bytes: u8) -> Value {
        let program = self.program;
        if at >= IMPORTS {
            let index = (at - IMPORTS) >> 20;
            let distance = at & 0xf_ffff;
            let name = self
                .imports
                .get(index as usize)
                .copied()
                .unwrap_or_default();
            return self.named(name, distance, bytes).unwrap_or_else(Value::any);
        }
        if !program.is_data(at) {
            return Value::any();
        }
        let is_constant = !program.is_written(at) || program.is_got(at);
        if is_constant {
            return self.initial(at, bytes);
        }
        let start = program.variable_start(at);
        if let Some(name) = program.variable_name(at)
            && let Some(value) = self.named(name, at - start, bytes)
        {
            return value;
        }
        if !self.is_asked_for(at) || self.is_blind {
            return Value::any();
        }
        let start = self.object_start(at).unwrap_or(start);
        let value = self.stored(at, start, bytes);
        self.ask(|| Asked::Stored(at, start, bytes, value.clone()));
        value
    }

    /// What the file has and what routines store in a variable, which begins at `start`.
    pub(super) fn stored(&self, at: u64, start: u64, bytes: u8) -> Value {
        if self.lost.contains(&start) {
            return Value::any();
        }
        let mut value = self.initial(at, bytes);
        let end = at.saturating_add(u64::from(bytes));
        for (place, list) in self.cells.range(at.saturating_sub(8)..end) {
            for (size, stored) in list {
                let last = place.saturating_add(u64::from(*size));
                if last <= at {
                    continue;
                }
                if *place > at || last < end {
                    // Parts of it are stored apart.
                    return Value::any();
                }
                let by = (at - place) as u32 * 8;
                let part = stored.map(|kind| shifted(kind, by, false));
                value = value.or(&truncated(&part, bytes));
            }
        }
        match self.perhaps_lost.contains(&start) && !value.is_any() {
            true => value.under(Facts::member()),
            false => value,
        }
    }

    /// Whether a variable with a pointer may hold this one, where all that it may hold is known.
    #[must_use]
    pub fn may_hold(&self, variable: u64, pointer: u64) -> bool {
        let held = self.load(variable, 8);
        let may_be = |(kind, _): &(Kind, Facts)| !matches!(kind, Kind::Const(to) if *to != pointer);
        held.alternatives().iter().any(may_be)
    }

    fn named(&self, name: &str, distance: u64, bytes: u8) -> Option<Value> {
        match self.vouched.of_cell(name) {
            Some(says) => Some(says.at(distance, bytes)),
            None => known::variable(name, distance, bytes),
        }
    }

    /// What the file itself has at an address.
    fn initial(&self, at: u64, bytes: u8) -> Value {
        match self.program.words.get(at) {
            Some(Word::Address(to)) if bytes == 8 => Value::number(to),
            Some(Word::Address(_)) => Value::any(),
            Some(Word::Import(name)) => self.import(name),
            None => match self.program.content(at) {
                Some(word) => truncated(&Value::number(word), bytes),
                None => Value::any(),
            },
        }
    }
}
