//! Variables: what the whole file stores in them, and which of them others may write.

use super::Whole;
use crate::a64::features::{Set, TRIED, Told};
use crate::a64::program::{Code, IFUNC_ARGUMENT, THREAD};
use crate::a64::said;
use crate::a64::step::Memory;
use crate::a64::value::{Logic, OPAQUE, PLAIN, VAGUE, Val};

/// Bytes behind an address without a symbol that others may write who are given it.
const OBJECT: u64 = 256;
/// Pointers of a table that are looked at, at most.
const TABLE: usize = 4097;
/// Bytes between two pointers of a table without a symbol, at most.
const GAP: u64 = 24;

impl Whole<'_> {
    /// Functions whose address goes where it is not followed.
    pub fn lose_code(&mut self, value: &Val, has: Set) {
        for alt in value.as_alts().unwrap_or(&[]) {
            if !self.program.may_be_address(alt.value) {
                continue;
            }
            match self.program.code(alt.value) {
                Some(Code::Own(to)) => {
                    // A page's address, for what lies there.
                    if to & 0xfff == 0 && !self.program.is_start(to) {
                        continue;
                    }
                    if !self.is_concerned(to) {
                        self.leave_out(to, has | alt.has, false);
                        continue;
                    }
                    let (program, current) = (self.program, self.current);
                    self.enter_softly(to, has | alt.has, || {
                        format!("a pointer that {} hands on", program.name(current))
                    });
                }
                Some(Code::Resolved(resolver)) => self.resolve(resolver),
                _ => {}
            }
        }
    }

    /// Data whose address goes where it is not followed.
    pub(super) fn share(&mut self, address: u64) {
        let (start, end) = match self.program.variable(address) {
            Some((start, size, _)) => (start, start.saturating_add(size)),
            None => (address, self.program.end_of(address, OBJECT)),
        };
        self.share_all(address, start, end);
    }

    fn share_all(&mut self, address: u64, start: u64, end: u64) {
        if self.shared.get(&start).is_some_and(|known| *known >= end) {
            return;
        }
        self.shared.insert(start, end);
        let cells: Vec<(u64, Val)> = (self.cells.range((start, 0)..(end, 0)))
            .map(|((at, _), value)| (*at, value.clone()))
            .collect();
        for (at, value) in cells {
            self.changed(at, 8);
            self.lose(&value, 0);
            self.escapes(&value, 0);
        }
        self.changed(start, (end - start).min(4096) as u32);
        let words = self.words(address, start, end);
        let table = self.program.variable(address).map_or_else(
            || format!("the table at {address:#x}"),
            |(.., name)| format!("the table {name}"),
        );
        for to in words {
            match self.program.code(to) {
                Some(Code::Own(to)) => self.enter_softly(to, 0, || table.clone()),
                Some(_) => {}
                None => self.share(to),
            }
        }
    }

    /// What pointers lead to that lie from `start` on: up to `end`, and without a symbol on as
    /// long as there are some. Not again those that were looked at: they go on for long, and
    /// many addresses lie among them.
    fn words(&mut self, address: u64, start: u64, end: u64) -> Vec<u64> {
        let has_symbol = self.program.variable(address).is_some();
        let table = &self.program.table;
        let mut number = table.partition_point(|(at, _)| *at < start);
        let stop = table.len().min(number + TABLE);
        let (mut last, mut out) = (start, Vec::new());
        let mut piece = number..number;
        while number < stop {
            let (at, to) = table[number];
            if at >= end && (has_symbol || at > last + GAP) {
                break;
            }
            let before = self.looked_at.range(..=number).next_back();
            let known = before
                .map(|(_, known)| *known)
                .filter(|known| *known > number);
            if known.is_some() || at > last + GAP {
                if !piece.is_empty() {
                    self.looked_at.insert(piece.start, piece.end);
                }
                piece = number..number;
            }
            if let Some(known) = known {
                number = known;
                last = table[known - 1].0;
                piece = number..number;
                continue;
            }
            out.push(to);
            last = at;
            number += 1;
            piece.end = number;
        }
        if !piece.is_empty() {
            self.looked_at.insert(piece.start, piece.end);
        }
        out
    }

    /// Those that read a variable are gone through again.
    fn changed(&mut self, address: u64, size: u32) {
        for part in address >> 4..=(address + u64::from(size.max(1)) - 1) >> 4 {
            if let Some(readers) = self.readers.get(&part) {
                let readers: Vec<u64> = readers.iter().copied().collect();
                self.enqueue(readers);
            }
        }
    }

    /// An answer goes to memory that is not followed: all that is read there may be one.
    fn tells_elsewhere(&mut self) {
        if !self.has_escaped {
            self.has_escaped = true;
            let all: Vec<u64> = self.nodes.keys().copied().collect();
            self.enqueue(all);
        }
    }

    fn is_shared(&self, address: u64, size: u32) -> bool {
        let end = address.saturating_add(u64::from(size));
        let before = self.shared.range(..end).rev().take(8);
        before.into_iter().any(|(_, known)| *known > address)
    }
}

/// A word of which some bytes are others.
fn with_part(word: &Val, part: &Val, at: u64, bytes: u32) -> Val {
    let ones = match bytes {
        8.. => u64::MAX,
        bytes => (1 << (8 * bytes)) - 1,
    };
    let rest = word.logic(&Val::constant(!(ones << (8 * at))), Logic::And);
    rest.logic(&part.shift(8 * at as i32), Logic::Or)
}

impl Whole<'_> {
    /// What somebody tells at an address: the loader to resolvers, or a run-time library.
    fn told(&self, address: u64, size: u32) -> Option<Val> {
        let part = |word: Told, at: u64| Val::told(word).shift(-8 * at as i32).low(size * 8);
        let at = address.wrapping_sub(IFUNC_ARGUMENT);
        match at {
            0..8 => return Some(PLAIN),
            8..16 if at + u64::from(size) <= 16 => return Some(part(Told::Hwcap, at - 8)),
            16..24 if at + u64::from(size) <= 24 => return Some(part(Told::Hwcap2, at - 16)),
            8..=4096 => return Some(OPAQUE),
            _ => {}
        }
        if let Some((word, at)) = self.program.auxiliary(address) {
            return Some(part(word, at));
        }
        if let Some((word, bit)) = self.program.kept_bit(address).filter(|_| size == 1) {
            let word = Val::told(word).shift(-(bit as i32));
            return Some(word.logic(&Val::constant(1), Logic::And));
        }
        if self.program.have_lse.contains(&address) && size == 1 {
            return Some(Val::told(Told::HaveLse));
        }
        let (start, _, name) = self.program.variable(address)?;
        let at = address - start;
        (name == "__aarch64_cpu_features" && at + u64::from(size) <= 8)
            .then(|| part(Told::CpuFeatures, at))
    }
}

impl Whole<'_> {
    /// What is loaded from an address, where nobody says what that is.
    fn loaded(&mut self, address: u64, size: u32) -> Val {
        if let Some(value) = self.told(address, size) {
            return value;
        }
        let end = address.saturating_add(u64::from(size));
        for part in address >> 4..=(end.saturating_sub(1)) >> 4 {
            self.readers.entry(part).or_default().insert(self.current);
        }
        let initial = self.program.initial(address, size).filter(|_| size <= 8);
        if !self.program.is_writable(address) {
            return initial.map_or(OPAQUE, Val::constant);
        }
        if self.is_shared(address, size) {
            return self.elsewhere();
        }
        let mut out = match initial {
            // What begins as another value than zero was not asked yet, mostly.
            Some(value) => Val::constant(value).under(0, value != 0),
            None => return OPAQUE,
        };
        if (address..end).any(|byte| self.foreign.contains(&byte)) {
            out = out.join(&self.elsewhere());
        }
        let near: Vec<(u64, u32, Val)> = (self.cells)
            .range((address.saturating_sub(63), 0)..(end, 0))
            .filter(|((at, bytes), _)| at + u64::from(*bytes) > address)
            .map(|((at, bytes), value)| (*at, *bytes, value.clone()))
            .collect();
        for (at, bytes, value) in near {
            let stored = match at.cmp(&address) {
                _ if (at, bytes) == (address, size) => value,
                // A part of what was stored, or a part that was stored.
                _ if at <= address && at + u64::from(bytes) >= end => value
                    .shift(-8 * (address - at) as i32)
                    .low_or_same(size * 8),
                std::cmp::Ordering::Greater | std::cmp::Ordering::Equal
                    if at + u64::from(bytes) <= end =>
                {
                    with_part(&out, &value, at - address, bytes)
                }
                _ => OPAQUE,
            };
            out = out.join(&stored);
        }
        out
    }
}

impl Memory for Whole<'_> {
    fn load(&mut self, address: u64, size: u32) -> Val {
        let value = self.loaded(address, size);
        match self.program.said.cell(address) {
            Some((start, bytes, word)) => said::value(self.program, &value, word, bytes)
                .shift(-8 * (address - start) as i32)
                .low_or_same(8 * size),
            None => value,
        }
    }

    fn store(&mut self, address: u64, size: u32, value: &Val, has: Set) {
        let value = match value {
            Val::Stack(..) => &OPAQUE,
            other => other,
        };
        if self.is_shared(address, size) || !self.program.is_writable(address) {
            self.lose(value, 0);
            self.escapes(value, 0);
            // Flags are set so one by one, whatever is in the variable: it tells then what was asked.
            if has & !TRIED != 0 {
                self.tells_elsewhere();
            }
            return;
        }
        let known = self.cells.get(&(address, size)).cloned();
        let joined = match &known {
            Some(known) => known.join(value),
            None => value.clone(),
        };
        if known.as_ref() != Some(&joined) {
            if joined.as_alts().is_none() {
                self.lose(value, 0);
                if let Some(old) = known {
                    self.lose(&old, 0);
                }
            }
            self.cells.insert((address, size), joined);
            self.changed(address, size);
        }
    }

    fn is_code(&self, address: u64) -> bool {
        self.program.code(address).is_some()
    }

    fn elsewhere(&mut self) -> Val {
        match self.has_escaped {
            true => OPAQUE,
            false => VAGUE,
        }
    }

    fn escapes(&mut self, value: &Val, has: Set) {
        // What is stored where a CPU was asked tells it too.
        if value.says() || has & !TRIED != 0 && value.as_alts().is_some() {
            self.tells_elsewhere();
        }
    }

    fn lose(&mut self, value: &Val, has: Set) {
        if let Val::Span(start, end) = *value {
            if self.program.initial(start, 1).is_some() && start < end {
                self.share_all(start, start, end);
            }
            return;
        }
        self.lose_code(value, has);
        for alt in value.as_alts().unwrap_or(&[]) {
            let to = alt.value;
            // The base of a thread's variables leads to none of them.
            if !self.program.may_be_address(to) || to == THREAD {
                continue;
            }
            let is_named = self.program.variables.contains_key(&to);
            let is_data = self.program.initial(to, 1).is_some() && self.program.code(to).is_none();
            if is_data && !self.program.is_got(to) && (is_named || to & 0xfff != 0) {
                self.share(to);
            }
        }
    }
}
