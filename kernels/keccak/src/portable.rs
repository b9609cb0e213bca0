//! Plain Rust, for every CPU (FIPS 202, section 3.2). Lanes are numbered x + 5y.

use super::state::{Rounds, State};

/// Iota's constants (FIPS 202, section 3.2.5). A test compares them with `rc(t)`,
/// algorithm 5.
pub(crate) static ROUND_CONSTANTS: [u64; 24] = [
    0x0000_0000_0000_0001,
    0x0000_0000_0000_8082,
    0x8000_0000_0000_808a,
    0x8000_0000_8000_8000,
    0x0000_0000_0000_808b,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8009,
    0x0000_0000_0000_008a,
    0x0000_0000_0000_0088,
    0x0000_0000_8000_8009,
    0x0000_0000_8000_000a,
    0x0000_0000_8000_808b,
    0x8000_0000_0000_008b,
    0x8000_0000_0000_8089,
    0x8000_0000_0000_8003,
    0x8000_0000_0000_8002,
    0x8000_0000_0000_0080,
    0x0000_0000_0000_800a,
    0x8000_0000_8000_000a,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8080,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8008,
];

/// The constants of these rounds.
pub(crate) const fn constants(rounds: Rounds) -> &'static [u64] {
    match rounds {
        Rounds::All => &ROUND_CONSTANTS,
        Rounds::Last12 => ROUND_CONSTANTS.split_at(12).1,
    }
}

/// Rho and pi as one sequence of moves (FIPS 202, algorithm 2 and section 3.2.3). Each
/// entry is a lane and its rotation. The lane moves to the place of the next entry.
/// Lane 0 stays.
pub(crate) const WALK: [(usize, u32); 24] = {
    let mut walk = [(0, 0); 24];
    let (mut x, mut y) = (1, 0);
    let mut t = 0;
    while t < 24 {
        walk[t] = (x + 5 * y, ((t as u32 + 1) * (t as u32 + 2) / 2) % 64);
        (x, y) = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    walk
};

/// See [`super::body::One`].
///
/// # Safety
/// The same conditions as there.
pub(crate) unsafe fn absorb(
    state: &mut State,
    data: *const u8,
    blocks: usize,
    words: usize,
    _: bool,
    rounds: Rounds,
) {
    for block in 0..blocks {
        for (i, lane) in state.iter_mut().take(words).enumerate() {
            // SAFETY: the caller guarantees that the blocks are readable.
            let bytes = unsafe { data.add((block * words + i) * 8).cast::<[u8; 8]>().read() };
            *lane ^= u64::from_le_bytes(bytes);
        }
        permute(state, rounds);
    }
}

fn permute(state: &mut State, rounds: Rounds) {
    for constant in constants(rounds) {
        let mut c = [0; 5];
        for x in 0..5 {
            c[x] = state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20];
        }
        for x in 0..5 {
            let d = c[(x + 4) % 5] ^ c[(x + 1) % 5].rotate_left(1);
            for y in 0..5 {
                state[x + 5 * y] ^= d;
            }
        }
        let mut moving = state[WALK[0].0];
        for t in 0..24 {
            let to = WALK[(t + 1) % 24].0;
            (moving, state[to]) = (state[to], moving.rotate_left(WALK[t].1));
        }
        for y in 0..5 {
            let row: [u64; 5] = core::array::from_fn(|x| state[5 * y + x]);
            for x in 0..5 {
                state[5 * y + x] = row[x] ^ (!row[(x + 1) % 5] & row[(x + 2) % 5]);
            }
        }
        state[0] ^= constant;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with FIPS 202, algorithms 5 and 6.
    #[test]
    fn constants_are_those_of_the_shift_register() {
        let mut register = 1u8;
        for constant in ROUND_CONSTANTS {
            let mut made = 0;
            for j in 0..7 {
                made |= u64::from(register & 1) << ((1 << j) - 1);
                register = register << 1 ^ if register >> 7 == 1 { 0x71 } else { 0 };
            }
            assert_eq!(made, constant);
        }
    }
}
