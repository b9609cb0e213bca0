//! Several chunks walked over at once, on one thread: an instruction of each in turn.
//!
//! Where an instruction begins is known when the one before was looked up, so a walk waits for
//! memory most of its time. Walks at other places do not hang on it, and fill that time.

use crate::catalogue::Constants;
use crate::count::census::{Chunk, Piece, Walk};
use crate::count::x86::X86;
use karat_binary::brief::{Quick, Special, Words};

/// Walks that one thread takes steps of in turn.
pub(crate) const LANES: usize = 3;

/// Steps in a row at most, so that there is room for what is noted.
const MOST: usize = 128;
/// Room for what is noted: a power of two, and twice what so many steps note.
const ROOM: usize = 2 * (LANES * MOST).next_power_of_two();

/// Walks over all chunks that `take` gives, and hands over what was counted in each.
pub(crate) fn together<'a>(
    walks: &mut [Walk<'a, X86<'a>>; LANES],
    take: impl Fn() -> Option<&'a Chunk>,
    mut done: impl FnMut(&mut Piece),
) {
    let mut noted = Noted::new();
    let mut begun = [false; LANES];
    let mut section = usize::MAX;
    'all: loop {
        for lane in 0..LANES {
            while walks[lane].at >= walks[lane].until && !(begun[lane] && walks[lane].next()) {
                if std::mem::replace(&mut begun[lane], false) {
                    done(&mut walks[lane].piece);
                }
                // Of what was noted it must be known which section it is in.
                noted.ask(walks);
                let Some(chunk) = take() else {
                    break 'all;
                };
                if std::mem::replace(&mut section, chunk.section) != chunk.section {
                    finish(walks, &mut begun, &mut noted, &mut done);
                }
                walks[lane].begin(chunk);
                begun[lane] = true;
            }
        }
        // One that began in a new section ended the others.
        if begun == [true; LANES] {
            go(walks, &mut noted);
        }
    }
    finish(walks, &mut begun, &mut noted, &mut done);
}

/// Walks to the ends of all chunks that are begun, one after the other.
fn finish<'a>(
    walks: &mut [Walk<'a, X86<'a>>; LANES],
    begun: &mut [bool; LANES],
    noted: &mut Noted,
    mut done: impl FnMut(&mut Piece),
) {
    for (walk, begun) in walks.iter_mut().zip(begun) {
        if !std::mem::take(begun) {
            continue;
        }
        let walk = std::array::from_mut(walk);
        while walk[0].at < walk[0].until || walk[0].next() {
            go(walk, noted);
        }
        noted.ask(walk);
        done(&mut walk[0].piece);
    }
}

/// Takes steps of all walks, at least one of one of them.
fn go<'a, const N: usize>(walks: &mut [Walk<'a, X86<'a>>; N], noted: &mut Noted) {
    let strange = steps(walks, noted);
    let is_end = walks.iter().any(|walk| walk.at >= walk.until);
    if is_end || noted.count > ROOM / 2 {
        noted.ask(walks);
    }
    for (lane, walk) in walks.iter_mut().enumerate() {
        if lane == strange {
            // What comes next is often as strange.
            while walk.at < walk.until {
                walk.step();
                let offset = (walk.at - walk.isa.start()) as usize;
                let rest = walk.isa.bytes().get(offset..);
                if rest.is_some_and(|rest| quick(rest).is_some()) {
                    break;
                }
            }
        }
    }
    // Of this one too all must be known before it ends.
    if strange < N && !is_end && walks[strange].at >= walks[strange].until {
        noted.ask(walks);
    }
    for walk in walks {
        if walk.at >= walk.until {
            walk.finish();
        }
    }
}

/// What begins here, where it can be told so.
#[inline(always)]
fn quick(rest: &[u8]) -> Option<Quick> {
    // The longest instruction is all there.
    Quick::of(rest.first_chunk()?)
}

/// Takes steps of all walks, which are in one section, up to the end of the first stretch, or to
/// an instruction that takes more: then it tells which walk is before it.
fn steps<const N: usize>(walks: &mut [Walk<'_, X86<'_>>; N], noted: &mut Noted) -> usize {
    let code = walks[0].isa.bytes();
    let start = walks[0].isa.start();
    let mut at: [usize; N] = std::array::from_fn(|lane| (walks[lane].at - start) as usize);
    let until: [usize; N] = std::array::from_fn(|lane| (walks[lane].until - start) as usize);
    let mut last = at;
    let places = &mut noted.places;
    let mut count = noted.count;
    let mut taken = 0;
    let strange = 'strange: loop {
        if taken == MOST || (0..N).any(|lane| at[lane] >= until[lane]) {
            break N;
        }
        for lane in 0..N {
            let Some(quick) = code.get(at[lane]..).and_then(quick) else {
                break 'strange lane;
            };
            places[count & (ROOM - 1)] = (at[lane] << 2 | lane, quick.special());
            count += usize::from(quick.is_special());
            last[lane] = at[lane];
            at[lane] += quick.length;
        }
        taken += 1;
    };
    noted.count = count;
    for (lane, walk) in walks.iter_mut().enumerate() {
        walk.at = start + at[lane] as u64;
        // Those before the strange one took a step more.
        let decoded = taken + usize::from(strange < N && lane < strange);
        walk.decoded += decoded as u64;
        if decoded > 0 {
            walk.last = start + last[lane] as u64;
        }
    }
    strange
}

/// Instructions that name vector registers, or have words that may be constants of kernels. They
/// are looked at later: a branch for each would be guessed wrongly too often.
struct Noted {
    /// How far into the section, below that which walk met it; and what it is.
    places: Box<[(usize, Special); ROOM]>,
    count: usize,
}

impl Noted {
    fn new() -> Self {
        Self {
            places: Box::new([(0, Special::default()); ROOM]),
            count: 0,
        }
    }

    /// Looks at all that were noted: counts vector registers, and keeps the places of those that
    /// name a constant. To be called before a stretch ends, of which these are.
    fn ask<const N: usize>(&mut self, walks: &mut [Walk<'_, X86<'_>>; N]) {
        for &(place, special) in &self.places[..std::mem::take(&mut self.count)] {
            let walk = &mut walks[place & 3];
            let xmm = u64::from(special.has_xmm());
            walk.stretch.counts.class[1] += xmm;
            walk.stretch.counts.class_bytes[1] += xmm * special.length() as u64;
            let words = special.words();
            let Some(constants) = walk.isa.constants().filter(|_| words != Words::None) else {
                continue;
            };
            let at = place >> 2;
            let address = walk.isa.start() + at as u64;
            let bytes = &walk.isa.bytes()[at..];
            if may_name(constants, special, bytes, address) && walk.isa.is_named(address) {
                walk.stretch.places.push(address);
            }
        }
    }
}

/// Whether an instruction may name a constant.
#[inline(always)]
fn may_name(constants: &Constants, special: Special, bytes: &[u8], address: u64) -> bool {
    let word = special.word(bytes);
    match special.words() {
        Words::None => false,
        Words::Distance => {
            let next = address.wrapping_add(special.length() as u64);
            constants.may_be_at(next.wrapping_add(word as i32 as u64))
        }
        Words::Number => constants.may_be_word(word),
        Words::Several => true,
    }
}
