//! What Rust's `std_detect` makes of CPUID's answers: ways are one again where its routine comes
//! back, and each bit of its words is one for the features that it is set for.
//!
//! Some twenty ways lead through that routine (what the system saves, the vendor), and a bit that
//! is set on some of them only by an answer is neither that answer nor another: kept apart, they
//! are compared at each place that the program comes to later.

use crate::bits::{Bit, Kind, ONE, Word, ZERO, is_masked, symbol_of};
use crate::conditions::{Meaning, Symbols};
use crate::facts::Facts;
use crate::machine::{Machine, Stop, Waiting};
use crate::memory::Image;
use crate::state::{Frame, State};
use iced_x86::{Decoder, DecoderOptions, Mnemonic, OpKind};
use karat_binary::numbers::{NumberMap, NumberSet};
use karat_flow::program::Program;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// How often it executes CPUID, at least.
const ASKS: usize = 8;
/// The bit that says of a word that it was filled.
const FILLED: u64 = 1 << 63;

/// Routines that are like `detect_and_initialize`, and where their calls came back.
#[derive(Default)]
pub(crate) struct Detected {
    known: NumberMap<u32, bool>,
    after: NumberSet<u64>,
}

/// Whether a routine is like `std_detect`'s: it executes CPUID many times, and makes words whose
/// last bit says that they were filled.
fn detects(program: &Program<'_>, routine: u32) -> bool {
    if program.is_arm {
        return false;
    }
    let ranges = &program.routines[routine as usize].ranges;
    let bytes = (ranges.iter()).filter_map(|(at, end)| Some((*at, program.bytes(*at, *end)?)));
    let decode = |(at, bytes)| Decoder::with_ip(64, bytes, at, DecoderOptions::NONE).into_iter();
    let (mut asks, mut fills) = (0, false);
    for it in bytes.flat_map(decode) {
        asks += usize::from(it.mnemonic() == Mnemonic::Cpuid);
        fills |= it.op1_kind() == OpKind::Immediate64 && it.immediate64() == FILLED;
    }
    fills && asks >= ASKS
}

/// What makes one way of two, by bits that stand for features.
pub(crate) type Join =
    fn(&State, &State, &Image<'_>, &Symbols, &dyn Fn(Facts) -> Option<Bit>) -> Option<State>;

impl Machine<'_> {
    /// A call comes back: where it was of such a routine, others may still be on their way there.
    pub fn came_back(&mut self, frame: &Frame, at: u64) -> Result<(), Stop> {
        let (program, facts) = (self.image.program, &self.sweep.facts);
        let routine = program.routine_at(frame.start);
        let Some(routine) = routine.filter(|routine| facts[*routine as usize].asks) else {
            return Ok(());
        };
        let known = self.detected.known.entry(routine);
        match *known.or_insert_with(|| detects(program, routine)) {
            true => {
                self.detected.after.insert(at);
                Err(Stop::Go)
            }
            false => Ok(()),
        }
    }

    /// Both ways as one, where such a call came back on both.
    pub fn detected(&mut self, one: Waiting, other: &State) -> Option<State> {
        if !self.detected.after.contains(&other.at) {
            return None;
        }
        self.with_features(one, other, State::as_features)
    }

    /// Both ways as one, `by` what asks for the symbols of features: what it asks for is made
    /// first, since it only reads symbols.
    pub fn with_features(&mut self, one: Waiting, other: &State, by: Join) -> Option<State> {
        let first = self.waiting.get(&one)?;
        let wanted = RefCell::new(BTreeMap::new());
        by(first, other, &self.image, &self.symbols, &|facts| {
            wanted.borrow_mut().insert(facts, ZERO);
            Some(ZERO)
        })?;
        let mut bits = wanted.into_inner();
        for (facts, bit) in &mut bits {
            *bit = self.symbols.features(*facts);
        }
        by(first, other, &self.image, &self.symbols, &|facts| {
            bits.get(&facts).copied()
        })
    }
}

impl State {
    /// Both ways as one: a bit that differs is the one of what CPUs have on all ways on which it
    /// is set. All ways come there, so nothing but what all have in common is asked any more.
    fn as_features(
        &self,
        other: &Self,
        image: &Image<'_>,
        symbols: &Symbols,
        bit_of: &dyn Fn(Facts) -> Option<Bit>,
    ) -> Option<Self> {
        let unknown = Facts::named("another extension");
        // What CPUs have that come here with a bit set; none if none do.
        let set_for = |state: &Self, bit: Bit| {
            let bit = state.truth(symbols, bit).unwrap_or(bit);
            match (bit, symbol_of(bit)) {
                (ZERO, _) => Some(None),
                (ONE, _) => Some(Some(state.conditions.has())),
                (_, Some((number, false))) => match symbols.meaning(number) {
                    Meaning::Cpu(_) if !is_masked(bit) => {
                        let known = state.conditions.with(symbols, bit);
                        Some(known.map(|known| known.has()))
                    }
                    _ => None,
                },
                _ => None,
            }
        };
        let one = |a: &Word, b: &Word| {
            let mut bits = [ZERO; 64];
            for (at, bit) in bits.iter_mut().enumerate() {
                let (mine, theirs) = (a.bit(at), b.bit(at));
                let facts = match (set_for(self, mine), set_for(other, theirs)) {
                    _ if mine == theirs => None,
                    (Some(Some(mine)), Some(Some(theirs))) => Some(mine & theirs),
                    (Some(mine), Some(theirs)) => mine.or(theirs),
                    _ => None,
                };
                *bit = match facts {
                    _ if mine == theirs => mine,
                    Some(facts) if facts & unknown != Facts::NONE => match (mine, theirs) {
                        (ZERO, only) | (only, ZERO) => only,
                        _ => Kind::Opaque.bit(),
                    },
                    Some(facts) if facts.has_extension() => bit_of(facts)?,
                    _ => Kind::Opaque.bit(),
                };
            }
            Some(Word::from_bits(bits))
        };
        let mut both = self.by(other, image, symbols, &one)?;
        both.conditions = self.conditions.shared(&other.conditions);
        Some(both)
    }
}
