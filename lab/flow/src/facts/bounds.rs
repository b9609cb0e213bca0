//! How large a value is that is not followed, by what it was compared with: a level that the
//! environment lowers is one, `min(level, wanted)`. Where it is that the wanted one is taken, it
//! is smaller than the level, and so than what the level's own features let through.

use super::features::Facts;
use super::value::{Bytes, Kind, Value};
use iced_x86::ConditionCode;

/// A value that is not followed, and what it is on both sides of a condition.
pub struct Bounded {
    /// Whose copies are meant.
    pub of: Value,
    pub yes: Value,
    pub no: Value,
}

impl Bounded {
    /// Of a comparison of two values, as so many bytes.
    pub(super) fn of(
        left: &Value,
        right: &Value,
        bytes: u8,
        condition: ConditionCode,
    ) -> Option<Self> {
        let is_open = |(kind, _): &(Kind, Facts)| *kind == Kind::Any;
        let is_some =
            |value: &Value| !value.is_nothing() && value.alternatives().iter().any(is_open);
        let (of, by, condition) = match (is_some(left), is_some(right)) {
            (true, false) => (left, right, condition),
            (false, true) => (right, left, mirrored(condition)),
            _ => return None,
        };
        let side = |condition: ConditionCode| {
            Value::from_added(|all| {
                for (mine, first) in of.alternatives() {
                    for (theirs, second) in by.alternatives() {
                        let kind = match mine {
                            Kind::Any => bound(theirs, bytes, condition),
                            known => known.clone(),
                        };
                        let (holds, _) = super::compare::compare(mine, theirs, bytes, condition);
                        all.push((kind, *first | *second | holds));
                    }
                }
            })
        };
        let (yes, no) = (side(condition), side(opposite(condition)));
        let says = |value: &Value| !value.alternatives().iter().any(is_open);
        (says(&yes) || says(&no)).then(|| Self {
            of: of.clone(),
            yes,
            no,
        })
    }

    /// What a copy of it is where the condition holds, or does not.
    pub fn side(&self, value: &Value, holds: bool) -> Option<&Value> {
        let side = if holds { &self.yes } else { &self.no };
        let is_open = side
            .alternatives()
            .iter()
            .any(|(kind, _)| *kind == Kind::Any);
        (value.is_copy_of(&self.of) && !is_open).then_some(side)
    }
}

/// What a value is that stands so to another.
fn bound(by: &Kind, bytes: u8, condition: ConditionCode) -> Kind {
    use ConditionCode as C;
    let is_signed = match condition {
        C::l | C::le => true,
        C::b | C::be => false,
        C::e => {
            return match by {
                Kind::Const(number) => Kind::Const(*number),
                _ => Kind::Any,
            };
        }
        _ => return Kind::Any,
    };
    let count = bytes.clamp(1, 8);
    let read = Bytes { count, is_signed };
    let most = match by {
        Kind::Const(number) => number_of(*number, read),
        Kind::UpTo(most, as_read) if *as_read == read => Some(*most),
        _ => None,
    };
    let less = i64::from(matches!(condition, C::l | C::b));
    match most.and_then(|most| most.checked_sub(less)) {
        Some(most) if is_signed || most >= 0 => Kind::UpTo(most, read),
        _ => Kind::Any,
    }
}

/// A number as so many bytes; none where it is too large.
fn number_of(number: u64, read: Bytes) -> Option<i64> {
    let shift = 64 - u32::from(read.count) * 8;
    match read.is_signed {
        true => Some((number << shift) as i64 >> shift),
        false => i64::try_from(number << shift >> shift).ok(),
    }
}

/// Which sides of a comparison may not be, of a value that is no larger than `most`, with a
/// number: all facts there.
pub(super) fn compare(
    (most, read): (i64, Bytes),
    number: u64,
    bytes: u8,
    condition: ConditionCode,
) -> (Facts, Facts) {
    use ConditionCode as C;
    let open = (Facts::NONE, Facts::NONE);
    let Some(number) = number_of(number, read).filter(|_| bytes == read.count) else {
        return open;
    };
    let is_order = match condition {
        C::l | C::le | C::g | C::ge | C::s | C::ns => read.is_signed,
        C::b | C::be | C::a | C::ae => !read.is_signed,
        C::e | C::ne => true,
        _ => false,
    };
    // Whether it is less for certain, and not more.
    let (is_less, is_most) = (most < number, most <= number);
    let (never, always) = match condition {
        C::g | C::a => (is_most, false),
        C::ge | C::ae => (is_less, false),
        C::l | C::b => (false, is_less),
        C::le | C::be => (false, is_most),
        C::e => (is_less, false),
        C::ne => (false, is_less),
        C::s => (false, number == 0 && is_less),
        C::ns => (number == 0 && is_less, false),
        _ => (false, false),
    };
    match is_order {
        true if never => (Facts::ALL, Facts::NONE),
        true if always => (Facts::NONE, Facts::ALL),
        _ => open,
    }
}

/// The condition of two values in the other order.
pub(super) fn mirrored(condition: ConditionCode) -> ConditionCode {
    use ConditionCode as C;
    match condition {
        C::l => C::g,
        C::g => C::l,
        C::le => C::ge,
        C::ge => C::le,
        C::b => C::a,
        C::a => C::b,
        C::be => C::ae,
        C::ae => C::be,
        C::e | C::ne => condition,
        // Of a difference's sign nothing is said the other way round.
        _ => C::None,
    }
}

fn opposite(condition: ConditionCode) -> ConditionCode {
    use ConditionCode as C;
    match condition {
        C::l => C::ge,
        C::ge => C::l,
        C::g => C::le,
        C::le => C::g,
        C::b => C::ae,
        C::ae => C::b,
        C::a => C::be,
        C::be => C::a,
        C::e => C::ne,
        C::ne => C::e,
        _ => C::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A level: 3 only with AVX2, 1 only with SSE4.2.
    fn level() -> Value {
        let with = |number, name| Value::number(number).under(Facts::named(name));
        Value::number(0).or(&with(1, "sse4.2")).or(&with(3, "avx2"))
    }

    #[test]
    fn what_is_smaller_than_a_level_says_as_much() {
        let wanted = Value::some();
        // cmp wanted, level; jl
        let bounded = Bounded::of(&wanted, &level(), 4, ConditionCode::l).unwrap();
        assert!(bounded.side(&Value::some(), true).is_none());
        assert!(bounded.side(&wanted, false).is_none());
        let smaller = bounded.side(&wanted, true).unwrap();
        let read = Bytes {
            count: 4,
            is_signed: true,
        };
        let expected = [
            (Kind::UpTo(-1, read), Facts::NONE),
            (Kind::UpTo(0, read), Facts::named("sse4.2")),
            (Kind::UpTo(2, read), Facts::named("avx2")),
        ];
        for one in &expected {
            assert!(smaller.alternatives().contains(one), "{one:?}");
        }
        // The same as `level > wanted`, and as `!(level <= wanted)`.
        for (condition, holds) in [(ConditionCode::g, true), (ConditionCode::le, false)] {
            let other = Bounded::of(&level(), &wanted, 4, condition).unwrap();
            assert_eq!(other.side(&wanted, holds), Some(smaller));
        }
        // As a number without a sign -1 is large.
        assert!(Bounded::of(&wanted, &level(), 4, ConditionCode::b).is_none());
        // Where the environment says nothing it is 3.
        let wanted = Value::some().or(&Value::number(3));
        let bounded = Bounded::of(&wanted, &level(), 4, ConditionCode::l).unwrap();
        assert_eq!(bounded.side(&wanted, true), Some(smaller));
    }

    #[test]
    fn a_bound_leaves_out_a_side() {
        use ConditionCode as C;
        let read = |count, is_signed| Bytes { count, is_signed };
        let of = |condition, number| compare((2, read(4, true)), number, 4, condition);
        let (never, always) = ((Facts::ALL, Facts::NONE), (Facts::NONE, Facts::ALL));
        let open = (Facts::NONE, Facts::NONE);
        assert_eq!([of(C::g, 2), of(C::g, 1)], [never, open]);
        assert_eq!([of(C::ge, 3), of(C::ge, 2)], [never, open]);
        assert_eq!([of(C::l, 3), of(C::l, 2)], [always, open]);
        assert_eq!([of(C::le, 2), of(C::le, 1)], [always, open]);
        assert_eq!([of(C::e, 3), of(C::e, 2)], [never, open]);
        assert_eq!([of(C::ne, 3), of(C::ne, 2)], [always, open]);
        // -1 is below all, a comparison without a sign or of other bytes says nothing.
        assert_eq!([of(C::g, 0xffff_ffff), of(C::a, 3)], [open, open]);
        assert_eq!(compare((2, read(4, true)), 3, 8, C::g), open);
        assert_eq!(compare((2, read(8, false)), 2, 8, C::a), never);
    }
}
