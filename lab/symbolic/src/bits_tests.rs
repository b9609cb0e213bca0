//! Words against numbers: what is known of a word holds for each number that it may be.

use super::*;

const OPAQUE: Bit = Kind::Opaque as Bit;
const INPUT: Bit = Kind::Input as Bit;

/// Bits that are symbols, and what each is where all symbols are `set`.
fn value(bit: Bit, set: bool) -> Option<bool> {
    match bit {
        ZERO => Some(false),
        ONE => Some(true),
        _ => symbol_of(bit).map(|(_, is_opposite)| set != is_opposite),
    }
}

#[test]
fn operations_on_bits_hold_for_what_bits_may_be() {
    let s = symbol(3, false);
    // One symbol, its opposite, and numbers: the answer is known wherever the symbol is.
    let all = [ZERO, ONE, s, not(s)];
    for (a, b) in all.into_iter().flat_map(|a| all.map(|b| (a, b))) {
        type Operation = (fn(Bit, Bit) -> Result<Bit, Fork>, fn(bool, bool) -> bool);
        let operations: [Operation; 3] =
            [(and, |a, b| a & b), (or, |a, b| a | b), (xor, |a, b| a ^ b)];
        for (of_bits, of_bools) in operations {
            let made = of_bits(a, b).expect("no second symbol");
            for set in [false, true] {
                let (x, y) = (value(a, set).expect("known"), value(b, set).expect("known"));
                assert_eq!(value(made, set), Some(of_bools(x, y)), "{a} {b}");
            }
        }
    }
    assert_eq!(not(not(s)), s);
    assert_eq!(not(OPAQUE), OPAQUE);
    assert_eq!(symbol_of(not(s)), Some((3, true)));
    assert_eq!(symbol_of(INPUT), None);
}

#[test]
fn two_symbols_are_told_apart_first() {
    let (s, t) = (symbol(1, false), symbol(2, true));
    for result in [and(s, t), or(s, t), xor(s, t)] {
        assert!(matches!(result, Err(Fork(1 | 2))), "{result:?}");
    }
}

#[test]
fn what_is_not_known_stays_so_but_where_the_other_decides() {
    let s = symbol(1, false);
    assert_eq!(and(OPAQUE, ZERO), Ok(ZERO));
    assert_eq!(or(ONE, INPUT), Ok(ONE));
    assert_eq!(or(ZERO, INPUT), Ok(INPUT));
    // What says least stays.
    assert_eq!(and(INPUT, OPAQUE), Ok(OPAQUE));
    assert_eq!(xor(INPUT, ONE), Ok(INPUT));
    // Not known, even with itself: another bit may be unknown in the same way.
    assert_eq!(xor(OPAQUE, OPAQUE), Ok(OPAQUE));
    assert_eq!(xor(s, OPAQUE), Ok(OPAQUE));
}

/// What is not known may take a symbol's bit away: no way parts for that.
#[test]
fn a_symbol_that_may_be_taken_away_goes_by_it() {
    const USER: Bit = Kind::Environment as Bit;
    for (s, own) in [(symbol(5, false), true), (symbol(5, true), false)] {
        let taken = and(s, USER).expect("one symbol");
        assert_eq!(and(USER, s), Ok(taken));
        assert_eq!(symbol_of(taken).expect("a symbol").0, 5);
        assert_eq!(resolved(taken, own), Some(USER));
        assert_eq!(resolved(taken, !own), Some(ZERO));
        assert_eq!(resolved(not(taken), own), Some(USER));
        assert_eq!(resolved(not(taken), !own), Some(ONE));
        assert_eq!(not(not(taken)), taken);
        // Put there instead of taken away.
        let put = or(s, USER).expect("one symbol");
        assert_eq!(resolved(put, own), Some(ONE));
        assert_eq!(resolved(put, !own), Some(USER));
        // Two that are unknown are not one.
        assert_eq!(and(taken, not(taken)), Err(Fork(5)));
        assert_eq!(xor(taken, taken), Err(Fork(5)));
        assert_eq!(and(taken, ZERO), Ok(ZERO));
        assert_eq!(or(taken, ZERO), Ok(taken));
        // Another kind is told apart.
        assert_ne!(and(s, OPAQUE), Ok(taken));
    }
}

/// One way has what a user says, the other a number.
#[test]
fn what_a_user_says_on_one_way_goes_by_what_tells_ways_apart() {
    let by = symbol(4, false);
    let (said, known) = (Word::unknown(1, Kind::Environment), Word::Known(0b101));
    let mine = |bit| resolved(bit, true).unwrap_or(bit);
    let theirs = |bit| resolved(bit, false).unwrap_or(bit);
    let both = said.chosen(&known, Some(by), &mine, &theirs, false);
    let both = both.expect("a symbol tells them apart");
    for at in 0..8 {
        assert_eq!(mine(both.bit(at)), Kind::Environment.bit(), "{at}");
        assert_eq!(theirs(both.bit(at)), known.bit(at), "{at}");
    }
}

/// A word of numbers, unknown bits and two symbols, by a seed.
fn word(seed: u64) -> Word {
    let mut state = seed;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        state >> 33
    };
    Word::from_bits(std::array::from_fn(|_| match next() % 7 {
        0 => symbol(1, false),
        1 => symbol(1, true),
        2 => OPAQUE,
        3 | 4 => ONE,
        _ => ZERO,
    }))
}

#[test]
fn words_shift_as_numbers_do() {
    let number = 0x8123_4567_89ab_cdef_u64;
    let known = Word::Known(number);
    // The same bits as a word that has a symbol: all of its bits set.
    for by in [0, 1, 7, 8, 31, 32, 63, 64, 90] {
        let left = number.checked_shl(by as u32).unwrap_or(0);
        let right = number.checked_shr(by as u32).unwrap_or(0);
        assert_eq!(known.left(by), Word::Known(left));
        assert_eq!(known.right(by), Word::Known(right));
        for seed in 0..20 {
            let word = word(seed);
            let (left, right) = (word.left(by), word.right(by));
            for at in 0..64usize {
                let from = at.checked_sub(by).map_or(ZERO, |from| word.bit(from));
                assert_eq!(left.bit(at), from);
                let from = if at + by < 64 {
                    word.bit(at + by)
                } else {
                    ZERO
                };
                assert_eq!(right.bit(at), from);
            }
        }
    }
}

#[test]
fn the_sign_goes_on() {
    assert_eq!(
        Word::Known(0x80).signed(1),
        Word::Known(0xffff_ffff_ffff_ff80)
    );
    assert_eq!(Word::Known(0x7f).signed(1), Word::Known(0x7f));
    assert_eq!(
        Word::Known(0x8000_0000).signed(4).low(4),
        Word::Known(0x8000_0000)
    );
    let mut bits = [ZERO; 64];
    bits[15] = symbol(4, true);
    let word = Word::from_bits(bits).signed(2);
    assert!((15..64).all(|at| word.bit(at) == symbol(4, true)));
    assert_eq!(word.bit(14), ZERO);
}

#[test]
fn parts_are_replaced() {
    let old = Word::Known(0x1122_3344_5566_7788);
    let new = Word::Known(0xaabb_ccdd_eeff_0011);
    assert_eq!(old.with(&new, 8, 1), Word::Known(0x1122_3344_5566_1188));
    assert_eq!(old.with(&new, 0, 4), Word::Known(0x1122_3344_eeff_0011));
    assert_eq!(old.with(&new, 32, 4), Word::Known(0xeeff_0011_5566_7788));
    assert_eq!(old.with(&new, 0, 8), new);
    let mixed = old.with(&Word::unknown(2, Kind::Input), 16, 2);
    for at in 0..64 {
        let is_new = (16..32).contains(&at);
        assert_eq!(mixed.bit(at), if is_new { INPUT } else { old.bit(at) });
    }
    assert_eq!(mixed.kind(), Some(Kind::Input));
}

#[test]
fn bounds_hold() {
    for seed in 0..50 {
        let word = word(seed);
        let (least, most) = word.bounds();
        for set in [false, true] {
            for unknown in [false, true] {
                let number = (0..64).fold(0u64, |all, at| {
                    let is_set = value(word.bit(at), set).unwrap_or(unknown);
                    all | u64::from(is_set) << at
                });
                assert!((least..=most).contains(&number), "{word:?}");
            }
        }
    }
    assert_eq!(Word::Unknown(31, Kind::Input).bounds(), (0, 0x7fff_ffff));
    assert_eq!(Word::Known(9).bounds(), (9, 9));
}

#[test]
fn a_number_is_told_or_its_symbols_are_told_apart() {
    assert_eq!(Word::Known(5).number(), Ok(Some(5)));
    assert_eq!(Word::unknown(8, Kind::Opaque).number(), Ok(None));
    let mut bits = [ZERO; 64];
    bits[3] = symbol(6, true);
    assert_eq!(Word::from_bits(bits).number(), Err(Fork(6)));
    bits[4] = OPAQUE;
    assert_eq!(Word::from_bits(bits).number(), Ok(None));
}

#[test]
fn a_word_is_chosen_by_a_symbol() {
    let by = symbol(2, false);
    let (one, other) = (Word::Known(0x1234_5678), Word::Known(0xff00_ff00));
    let is = |set: Bit| {
        move |bit: Bit| match symbol_of(bit) {
            Some((2, is_opposite)) => {
                if is_opposite {
                    not(set)
                } else {
                    set
                }
            }
            _ => bit,
        }
    };
    let (set, not_set) = (is(ONE), is(ZERO));
    let both = one
        .chosen(&other, Some(by), &set, &not_set, false)
        .expect("a symbol tells");
    for at in 0..64 {
        assert_eq!(set(both.bit(at)), one.bit(at));
        assert_eq!(not_set(both.bit(at)), other.bit(at));
    }
    // No symbol tells: none, or bits that are not known.
    assert_eq!(one.chosen(&other, None, &|b| b, &|b| b, false), None);
    let lossy = one
        .chosen(&other, None, &|b| b, &|b| b, true)
        .expect("lossy");
    assert_eq!(lossy, one.joined(&other));
}

#[test]
fn what_two_ways_have_in_common_is_kept() {
    let (a, b) = (Word::Known(0b1100), Word::Known(0b1010));
    let both = a.joined(&b);
    assert_eq!(
        [3, 2, 1, 0].map(|at| both.bit(at)),
        [ONE, OPAQUE, OPAQUE, ZERO]
    );
    assert_eq!(a.joined(&a), a);
    assert_eq!(both.number(), Ok(None));
}
