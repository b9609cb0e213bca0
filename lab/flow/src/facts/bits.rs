//! The bits of a word, each with what it implies: as CPUID's registers have them, and what is
//! made of those.

use super::features::Facts;
use super::shared::Shared;
use super::value::Kind;

/// Bits of a word that are told apart as constants.
const SPLIT: u32 = 3;

/// What each bit implies: when it is one, and when it is zero.
pub type Word = [(Facts, Facts); 64];

/// The bits of what has some.
pub fn bits(kind: &Kind) -> Option<Shared> {
    match kind {
        Kind::Word(word) => Some(word.clone()),
        _ => has_bits(kind).then(|| Shared::of(|at| bit(kind, at))),
    }
}

/// Whether something is known of its bits.
pub fn has_bits(kind: &Kind) -> bool {
    matches!(kind, Kind::Word(_) | Kind::Const(_) | Kind::Argument(_, 0))
}

/// One bit of it; of what has none, one that says nothing.
pub fn bit(kind: &Kind, at: usize) -> (Facts, Facts) {
    match kind {
        Kind::Word(word) => word[at],
        Kind::Const(number) => constant_bit(number >> at & 1 == 1),
        Kind::Argument(number, 0) => (Facts::argument(*number, Some(at as u8)), Facts::NONE),
        _ => (Facts::NONE, Facts::NONE),
    }
}

/// A bit that is always the same.
pub fn constant_bit(is_one: bool) -> (Facts, Facts) {
    match is_one {
        true => (Facts::NONE, Facts::ALL),
        false => (Facts::ALL, Facts::NONE),
    }
}

/// The bits of a word that may be zero and one.
fn open_bits(word: &Word) -> u64 {
    let is_open = |bit: &(Facts, Facts)| bit.0 != Facts::ALL && bit.1 != Facts::ALL;
    let bits = word.iter().enumerate();
    bits.fold(0, |all, (at, bit)| all | u64::from(is_open(bit)) << at)
}

/// What [`split`] leaves whole: anything, or a word.
pub(super) fn whole(word: Shared) -> Result<Kind, Shared> {
    let open = open_bits(&word);
    if open.count_ones() <= SPLIT {
        return Err(word);
    }
    let nothing = (Facts::NONE, Facts::NONE);
    match open == u64::MAX && word.iter().all(|bit| *bit == nothing) {
        true => Ok(Kind::Any),
        false => Ok(Kind::Word(word)),
    }
}

/// A word with few bits that are open, as constants.
pub(super) fn split(word: Shared, facts: Facts) -> Vec<(Kind, Facts)> {
    let word = match whole(word) {
        Ok(kind) => return vec![(kind, facts)],
        Err(word) => word,
    };
    let open = open_bits(&word);
    let open = || (0..64).filter(move |at| open >> at & 1 == 1);
    let fixed = (0..64).filter(|at| word[*at].1 == Facts::ALL);
    let fixed = fixed.fold(0u64, |all, at| all | 1 << at);
    (0..1u32 << open().count())
        .map(|choice| {
            let (mut number, mut known) = (fixed, facts);
            for (place, at) in open().enumerate() {
                if choice >> place & 1 == 1 {
                    number |= 1 << at;
                    known |= word[at].0;
                } else {
                    known |= word[at].1;
                }
            }
            (Kind::Const(number), known)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::value::Value;
    use super::*;

    #[test]
    fn a_bit_of_a_word_is_two_constants() {
        let word = Value::word(|bit| match bit {
            5 => (Facts::named("avx2"), Facts::NONE),
            0..32 => (Facts::NONE, Facts::NONE),
            _ => constant_bit(false),
        });
        let masked = word.with(&Value::number(1 << 5), |a, b| {
            let (a, b) = (bits(a).unwrap(), bits(b).unwrap());
            Kind::Word(Shared::of(|at| (a[at].0 | b[at].0, a[at].1 & b[at].1)))
        });
        assert_eq!(
            masked.alternatives(),
            [
                (Kind::Const(0), Facts::NONE),
                (Kind::Const(32), Facts::named("avx2"))
            ]
        );
        assert_eq!(masked.when(Some(5)), Some(Facts::named("avx2")));
        assert_eq!(masked.when(None), Some(Facts::named("avx2")));
        assert_eq!(masked.when(Some(4)), Some(Facts::ALL));
    }

    #[test]
    fn a_word_is_left_whole_where_many_bits_are_open() {
        let word = |open: u32, says: Facts| -> Shared {
            Shared::of(|at| match at as u32 {
                0 if open > 0 => (says, Facts::NONE),
                at if at < open => (Facts::NONE, Facts::NONE),
                _ => constant_bit(false),
            })
        };
        let avx2 = Facts::named("avx2");
        let many = word(SPLIT + 1, Facts::NONE);
        assert_eq!(whole(many.clone()), Ok(Kind::Word(many)));
        let all = word(64, avx2);
        assert_eq!(whole(all.clone()), Ok(Kind::Word(all)));
        assert_eq!(whole(word(64, Facts::NONE)), Ok(Kind::Any));
        let few = word(SPLIT, avx2);
        assert_eq!(whole(few.clone()), Err(few.clone()));
        let numbers = split(few, Facts::NONE);
        let known = |number: u64| if number & 1 == 1 { avx2 } else { Facts::NONE };
        let wanted = (0..8).map(|number| (Kind::Const(number), known(number)));
        assert_eq!(numbers, wanted.collect::<Vec<_>>());
    }
}
