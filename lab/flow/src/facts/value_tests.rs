//! Values of several alternatives.

use super::super::bits::constant_bit;
use super::*;

fn avx2() -> Facts {
    Facts::named("avx2")
}

#[test]
fn a_join_keeps_what_has_all_alternatives() {
    let avx2 = Facts::named("avx2");
    let one = Value::number(1).under(avx2);
    let both = Value::number(0).or(&one);
    for other in [
        &one,
        &Value::number(0),
        &both,
        &Value::number(1).under(avx2),
    ] {
        assert_eq!(both.clone().or_joined(other), both.or(other));
        assert!(both.clone().or_joined(other).is_copy_of(&both));
    }
    // Less is known of one, or there is another.
    for other in [&Value::number(1), &Value::number(2), &Value::any()] {
        assert_eq!(both.clone().or_joined(other), both.or(other));
        assert_ne!(both.or(other), both);
    }
}

#[test]
fn what_goes_on_changes_no_copy() {
    let below = (-8i64) as u64;
    for kind in [Kind::Stack(16), Kind::Argument(0, 16), Kind::Const(16)] {
        let mut value = Value::of(kind).under(avx2());
        let copy = value.clone();
        let expected = [copy.plus(below), copy.plus(below).plus(below)];
        value.advance(below);
        assert_eq!(value, expected[0]);
        value.advance(below);
        assert_eq!(value, expected[1]);
        assert_eq!(copy.plus(below), expected[0]);
    }
    let mut never = Value::of(Kind::Stack(0)).under(Facts::ALL);
    let expected = never.plus(8);
    never.advance(8);
    assert_eq!(never, expected);
}

#[test]
fn others_know_no_argument_of_a_routine() {
    let given = Facts::argument(0, Some(1)) | avx2();
    let of = |kind| Value::of(kind).under(given).outside();
    assert_eq!(of(Kind::Argument(1, 0)), Value::any().under(avx2()));
    assert_eq!(of(Kind::Stack(8)), Value::any().under(avx2()));
    assert_eq!(of(Kind::Const(3)), Value::number(3).under(avx2()));
    // What never is stays so.
    let never = Value::of(Kind::Argument(0, 0)).with(&Value::number(0), |_, _| {
        Kind::Word(Shared::of(|at| match at {
            0..4 => (given, Facts::NONE),
            _ => constant_bit(false),
        }))
    });
    let seen = never.outside();
    assert_eq!(seen.when(Some(0)), Some(avx2()));
    assert_eq!(seen.when(Some(9)), Some(Facts::ALL));
}

#[test]
fn where_paths_meet_only_what_both_know_is_known() {
    let set = Value::number(1).under(avx2());
    let flag = set.or(&Value::number(0));
    assert_eq!(flag.when(None), Some(avx2()));
    // An environment variable that overrides.
    assert_eq!(flag.or(&Value::number(1)).when(None), Some(Facts::NONE));
    assert_eq!(flag.or(&Value::any()).when(None), None);
}

#[test]
fn many_alternatives_are_a_word() {
    let all = (0..40).map(|n| (Kind::Const(n * 2), avx2()));
    let value = Value::from_alternatives(all.collect());
    assert_eq!(value.alternatives().len(), 1);
    assert_eq!(value.when(Some(0)), Some(Facts::ALL));
    assert_eq!(value.when(Some(1)), Some(avx2()));
}

/// To join at once says what it says step by step, and nothing where nothing changes.
#[test]
fn joined_at_once_and_step_by_step() {
    let bmi2 = Facts::named("bmi2");
    let word = |facts: Facts| {
        Value::of(Kind::Word(Shared::of(|at| match at {
            0..8 => (facts, Facts::NONE),
            _ => constant_bit(false),
        })))
    };
    let kinds = [
        Kind::Any,
        Kind::Const(0),
        Kind::Stack(8),
        Kind::Argument(1, 0),
    ];
    let mut values = vec![Value::any(), Value::some(), word(avx2()), word(bmi2)];
    for facts in [Facts::NONE, avx2(), avx2() | bmi2] {
        values.extend(kinds.clone().map(|kind| Value::of(kind).under(facts)));
    }
    let singles = values.clone();
    for one in &singles {
        values.extend(singles.iter().map(|other| one.or(other)));
    }
    let facts = [Facts::NONE, avx2(), bmi2, Facts::ALL];
    let (mut kept, mut changed) = (0, 0);
    for one in &values {
        for other in values.iter().filter(|other| *other != one) {
            for (mine, theirs) in facts.iter().flat_map(|a| facts.map(|b| (*a, b))) {
                let wanted = one.under(mine).or_joined(&other.under(theirs));
                let joined = one.joined(mine, other, theirs);
                match wanted == *one {
                    true => kept += 1,
                    false => changed += 1,
                }
                let wanted = (wanted != *one).then_some(wanted);
                assert_eq!(joined, wanted, "{one:?} {mine:?} {other:?} {theirs:?}");
            }
        }
    }
    assert!(kept > 10_000 && changed > 10_000, "{kept} {changed}");
}
