//! Several chunks walked over at once, on one thread: an instruction of each in turn.
//!
//! Where an instruction begins is known when the one before was looked up, so a walk waits for
//! memory most of its time. Walks at other places do not hang on it, and fill that time.

use crate::catalogue::Constants;
use crate::count::census::{Piece, Walk};
use crate::count::chunks::Chunk;
use crate::count::x86::X86;
use karat_binary::brief::{Quick, Words};

/// Walks that one thread takes steps of in turn.
pub(crate) const LANES: usize = 3;

/// Steps in a row at most, so that there is room for what is noted.
const MOST: usize = 1024;
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
                walks[lane].begin(chunk);
                begun[lane] = true;
            }
        }
        go(walks, &mut noted);
    }
    for walk in walks {
        let walk = std::array::from_mut(walk);
        while walk[0].at < walk[0].until || walk[0].next() {
            go(walk, &mut noted);
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

/// Takes steps of all walks, up to the end of the first stretch, or to an instruction that takes
/// more: then it tells which walk is before it.
fn steps<const N: usize>(walks: &mut [Walk<'_, X86<'_>>; N], noted: &mut Noted) -> usize {
    let code: [&[u8]; N] = std::array::from_fn(|lane| walks[lane].isa.bytes());
    let start: [u64; N] = std::array::from_fn(|lane| walks[lane].isa.start());
    let left = |lane: usize, address: u64| code[lane].len() - (address - start[lane]) as usize;
    // How many bytes are behind a place tells where it is.
    let stop: [usize; N] = std::array::from_fn(|lane| left(lane, walks[lane].until));
    let mut rest: [&[u8]; N] = std::array::from_fn(|lane| {
        let from = code[lane].len() - left(lane, walks[lane].at);
        &code[lane][from..]
    });
    let mut length = [0; N];
    let places = &mut noted.places;
    let mut count = noted.count;
    let mut taken = 0;
    let strange = 'strange: loop {
        if taken == MOST || (0..N).any(|lane| rest[lane].len() <= stop[lane]) {
            break N;
        }
        let mut special = [false; N];
        let mut next = length;
        for lane in 0..N {
            let Some(quick) = quick(rest[lane]) else {
                break 'strange lane;
            };
            // It has no more than 15 bytes, of 16 that are there.
            next[lane] = quick.length & 15;
            special[lane] = quick.is_special();
        }
        for lane in 0..N {
            places[count & (ROOM - 1)] = (rest[lane].len() as u64) << 2 | lane as u64;
            count += usize::from(special[lane]);
            rest[lane] = &rest[lane][next[lane]..];
        }
        length = next;
        taken += 1;
    };
    noted.count = count;
    if taken > 0 {
        for (lane, walk) in walks.iter_mut().enumerate() {
            let at = code[lane].len() - rest[lane].len();
            walk.at = start[lane] + at as u64;
            walk.last = walk.at - length[lane] as u64;
            walk.decoded += taken as u64;
        }
    }
    strange
}

/// Instructions that name vector registers, or have words that may be constants of kernels. They
/// are looked at later: a branch for each would be guessed wrongly too often.
struct Noted {
    /// How many bytes there are from it on in the section; below that which walk met it.
    places: Box<[u64; ROOM]>,
    count: usize,
}

impl Noted {
    fn new() -> Self {
        Self {
            places: Box::new([0; ROOM]),
            count: 0,
        }
    }

    /// Looks at all that were noted: counts vector registers, and keeps the places of those that
    /// name a constant. To be called before a stretch ends, of which these are.
    fn ask<const N: usize>(&mut self, walks: &mut [Walk<'_, X86<'_>>; N]) {
        for &place in &self.places[..std::mem::take(&mut self.count)] {
            let walk = &mut walks[(place & 3) as usize];
            let code = walk.isa.bytes();
            let at = code.len() - (place >> 2) as usize;
            let Some(quick) = quick(&code[at..]) else {
                continue;
            };
            let xmm = u64::from(quick.has_xmm());
            walk.stretch.counts.class[1] += xmm;
            walk.stretch.counts.class_bytes[1] += xmm * quick.length as u64;
            let words = quick.words();
            let Some(constants) = walk.isa.constants().filter(|_| words != Words::None) else {
                continue;
            };
            let address = walk.isa.start() + at as u64;
            let bytes = &code[at..at + quick.length];
            if may_name(constants, words, bytes, address) && walk.isa.is_named(address) {
                walk.stretch.places.push(address);
            }
        }
    }
}

/// Whether an instruction may name a constant.
#[inline(always)]
fn may_name(constants: &Constants, words: Words, bytes: &[u8], address: u64) -> bool {
    let last = bytes
        .last_chunk()
        .map_or(0, |last| u32::from_le_bytes(*last));
    match words {
        Words::None => false,
        Words::Distance => {
            let next = address.wrapping_add(bytes.len() as u64);
            constants.may_be_at(next.wrapping_add(last as i32 as u64))
        }
        Words::Number => constants.may_be_word(last),
        Words::Several => true,
    }
}
